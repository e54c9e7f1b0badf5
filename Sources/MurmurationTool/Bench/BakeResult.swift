// SPDX-License-Identifier: MIT
import Scenes

/// One row of what `murmuration bench` says of many frames at once.
struct BakeResult: Codable {
  var name: String
  var tracks: Int
  var frames: Int
  /// Nanoseconds an output, of which a track has one or, with velocities, two a frame: the fastest round, the median one,
  /// and what nine of ten keep within.
  var nsPerOutput: Double
  var medianNsPerOutput: Double
  var slowNsPerOutput: Double
}

/// Bakes as lines of text.
enum BakeTable {
  static let header = line("", "tracks", "frames", "ns/output", "median", "90 %")

  static func row(_ result: BakeResult) -> String {
    line(
      result.name, "\(result.tracks)", "\(result.frames)", NumberText.fixed(result.nsPerOutput, decimals: 3),
      NumberText.fixed(result.medianNsPerOutput, decimals: 3), NumberText.fixed(result.slowNsPerOutput, decimals: 3))
  }

  private static func line(_ cells: String...) -> String {
    TextRow.line(cells, widths: [52, 9, 8, 11, 10, 10])
  }
}
