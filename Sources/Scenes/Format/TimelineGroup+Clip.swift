// SPDX-License-Identifier: MIT
package import Murmuration

extension TimelineGroup {
  /// The clip that all tracks play: the timelines side by side, as the dimensions of one value, compiled. It lasts as
  /// long as the timelines, or until they are repeated.
  package func clip() throws(ClipError) -> Clip {
    try Clip(
      initialValues: timelines.map(\.initialValue), keyframes: timelines.map { $0.track.content.keyframes },
      tolerance: 0x1p-16, leastDuration: repeatEvery ?? 0)
  }
}
