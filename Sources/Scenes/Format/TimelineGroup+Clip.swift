// SPDX-License-Identifier: MIT
package import Murmuration

extension TimelineGroup {
  /// The clip that all tracks play: the timelines side by side, as the dimensions of one value, compiled. It lasts as
  /// long as the timelines, or until they are repeated.
  package func clip() throws(ClipError) -> Clip {
    try Clip(
      initialValues: timelines.map(\.initialValue), keyframes: timelines.map { $0.track.content.keyframes },
      tolerance: 0x1p-16
    ).lasting(repeatEvery ?? 0)
  }
}

extension Clip {
  /// The clip, lengthened to at least `seconds` by holding its end; clips that are made anew from it are lengthened
  /// too.
  fileprivate func lasting(_ seconds: Double) throws(ClipError) -> Clip {
    guard seconds > duration else { return self }
    var longer: Remake?
    if let remake {
      longer = { values, velocities throws(ClipError) in try remake(values, velocities).lasting(seconds) }
    }
    return try Clip(
      checkedTracks: tracks, initialValues: initialValues, duration: seconds,
      valueErrorBounds: report.valueErrorBounds, velocityErrorBounds: report.velocityErrorBounds, source: source,
      remake: longer)
  }
}
