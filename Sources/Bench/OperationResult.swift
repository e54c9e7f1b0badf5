// SPDX-License-Identifier: MIT
import Text

/// One row of `murmuration bench` about whole batches.
package struct OperationResult: Codable {
  var name: String
  /// The number of tracks in the batch.
  var tracks: Int
  /// The number of tracks that one call is about.
  var called: Int
  /// Nanoseconds per track of the call: the fastest call, the median one, and the limit that nine of ten calls keep.
  var nsPerTrack: Double
  var medianNsPerTrack: Double
  var slowNsPerTrack: Double
  /// The total time of all calls divided by that of another row, for two rows that were timed by turns; with a yardstick,
  /// the time of the fastest call divided by the yardstick's.
  var ratio: Double?
  /// The row in the same run that does the same work in C; nil if there is none.
  var yardstick: String?
  /// Bytes read and written per track of the call; nil if they are not known.
  var bytesPerTrack: Double?
  /// The fastest copy of the same number of bytes in the same run; nil if the bytes are not known.
  var rooflineGBPerSecond: Double?
}

extension OperationResult {
  init(_ name: String, tracks: Int, called: Int, _ nanoseconds: [Double], ratio: Double? = nil) {
    let sorted = nanoseconds.sorted().map { $0 / Double(called) }
    self.init(
      name: name, tracks: tracks, called: called, nsPerTrack: sorted[0], medianNsPerTrack: sorted[sorted.count / 2],
      slowNsPerTrack: sorted[sorted.count * 9 / 10], ratio: ratio)
  }
}

/// The rows of operations as lines of text.
enum OperationTable {
  static let header = line("", "tracks", "ns/track", "median", "90 %", "ratio", "")

  static func row(_ result: OperationResult) -> String {
    line(
      result.name, "\(result.called)" + (result.called == result.tracks ? "" : " of \(result.tracks)"),
      NumberText.fixed(result.nsPerTrack, decimals: 3), NumberText.fixed(result.medianNsPerTrack, decimals: 3),
      NumberText.fixed(result.slowNsPerTrack, decimals: 3),
      result.ratio.map { NumberText.fixed($0, decimals: 3) } ?? "", result.yardstick.map { "  × \($0)" } ?? "")
  }

  private static func line(_ cells: String...) -> String {
    TextRow.line(cells, widths: [40, 20, 10, 10, 10, 8, 0])
  }
}
