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
  /// What nine rounds of ten keep within.
  var slowNsPerTrack: Double
  /// Bytes read and written per track.
  var bytesPerTrack: Int
  /// The time of the fastest copy of as many bytes, divided by the time of the row; 1 is the roofline.
  var ratioToRoofline: Double
  /// Which copy was the fastest.
  var roofline: String
  var rooflineGBPerSecond: Double
}

/// What `murmuration bench --json` prints.
struct BenchReport: Codable {
  var machine: Machine
  var results: [BenchResult] = []
  var operations: [OperationResult] = []
  var bakes: [BakeResult] = []
  var matrices: [MatrixResult] = []
}
