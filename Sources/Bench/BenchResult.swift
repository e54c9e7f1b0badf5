// SPDX-License-Identifier: MIT

/// One row of `murmuration bench`.
struct BenchResult: Codable {
  var name: String
  var isa: String
  var tracks: Int
  /// The fastest round.
  var nsPerTrack: Double
  /// The median round.
  var medianNsPerTrack: Double
  /// The limit that nine of ten rounds keep.
  var slowNsPerTrack: Double
  /// Bytes read and written per track.
  var bytesPerTrack: Int
  /// The time of the fastest copy of the same number of bytes, divided by the time of the row; 1 is the roofline.
  var ratioToRoofline: Double
  /// The name of the fastest copy.
  var roofline: String
  var rooflineGBPerSecond: Double
}
