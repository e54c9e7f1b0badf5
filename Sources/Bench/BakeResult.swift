// SPDX-License-Identifier: MIT
import Text

/// One row of `murmuration bench` about many frames at once.
struct BakeResult: Codable {
  var name: String
  var tracks: Int
  var frames: Int
  /// Nanoseconds an output: the fastest round, the median one, and the limit that nine of ten rounds keep. A component of
  /// a track has one output a frame, or two with velocities.
  var nsPerOutput: Double
  var medianNsPerOutput: Double
  var slowNsPerOutput: Double
  /// The time of a copy of the same number of values in the same run, divided by the time of the row.
  var ratioToCopy: Double

  /// The name of the row of the copy.
  static let copyName = "yardstick.bake: a copy of as many numbers"

  /// The rows of a comparison.
  static func results(
    of comparison: Comparison<any Error>, tracks: Int, frames: Int, components: Int = 1
  ) -> [BakeResult] {
    let copy = comparison.entries.first { $0.name == copyName }?.best ?? .nan
    return comparison.entries.map { entry in
      let quantities = entry.name.hasSuffix("velocities") ? 2.0 : 1
      let outputs = quantities * Double(tracks * frames * components)
      return BakeResult(
        name: entry.name, tracks: tracks, frames: frames, nsPerOutput: entry.best / outputs,
        medianNsPerOutput: entry.median / outputs, slowNsPerOutput: entry.slow / outputs,
        ratioToCopy: quantities * copy / entry.best)
    }
  }
}

/// The rows of bakes as lines of text.
enum BakeTable {
  static let header = line("", "tracks", "frames", "ns/output", "median", "90 %", "copy")

  static func row(_ result: BakeResult) -> String {
    line(
      result.name, "\(result.tracks)", "\(result.frames)", NumberText.fixed(result.nsPerOutput, decimals: 3),
      NumberText.fixed(result.medianNsPerOutput, decimals: 3), NumberText.fixed(result.slowNsPerOutput, decimals: 3),
      NumberText.fixed(100 * result.ratioToCopy, decimals: 0) + " %")
  }

  private static func line(_ cells: String...) -> String {
    TextRow.line(cells, widths: [52, 9, 8, 11, 10, 10, 7])
  }
}
