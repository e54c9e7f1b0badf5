// SPDX-License-Identifier: MIT
import Formats
import Murmuration
import Scenes
import Text

extension RunSummary {
  /// The animations, the number of their instances, and the time that they took.
  func rigLines(frames: Int) -> [String] {
    guard let rigs = run.playable.rigs else { return [] }
    let shown = zip(rigs.parts, run.playable.scene.groups).prefix(RunSummary.animationLimit)
    var lines = shown.enumerated().map { index, pair in
      let (part, group) = pair
      return row(
        index == 0 ? "clips" : "",
        "\(part.name.printable): \(group.count) instances of \(part.clip.dimensions) components, "
          + "\(NumberText.fixed(part.clip.duration, decimals: 2)) s, \(part.clip.report.pieces) pieces within "
          + NumberText.scientific(part.clip.report.valueErrorBound))
    }
    if rigs.parts.count > RunSummary.animationLimit {
      lines.append(row("", "and \(rigs.parts.count - RunSummary.animationLimit) more animations"))
    }
    guard rigClock.values > 0 else { return lines }
    let each = rigClock.seconds * 1e9 / Double(rigClock.values)
    let perFrame = rigClock.seconds * 1e3 / Double(max(1, frames - 1))
    lines.append(
      row(
        "kernels",
        "\(NumberText.fixed(each, decimals: 3)) ns a component, \(NumberText.fixed(perFrame, decimals: 4)) ms a frame"))
    lines += rooflineLines(rigRoofline, per: Double(rigClock.bytes) / Double(rigClock.values), "component")
    lines.append(row("events", "\(rigClock.repeats) times an instance began again"))
    return lines
  }

  private static let animationLimit = 8
}
