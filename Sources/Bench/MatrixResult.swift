// SPDX-License-Identifier: MIT
import Text

/// One row of `murmuration bench` about matrices.
struct MatrixResult: Codable {
  var name: String
  var isa: String
  /// Instances × outputs from a number of tracks.
  var instances: Int
  var outputs: Int
  var tracks: Int
  /// The fastest round, and the median one.
  var nsPerOutput: Double
  var medianNsPerOutput: Double
  /// Billions of operations a second: a product and a sum for each track of an output.
  var gigaflops: Double
  /// The time of one call of `cblas_sgemm` of that shape, divided by the time of the row, both in their fastest rounds.
  var ratioToBLAS: Double?
  /// The same for the fastest tile in C.
  var ratioToTile: Double?
}

/// The rows of matrices as lines of text.
enum MatrixTable {
  static let header = line("", "isa", "shape", "ns/output", "median", "Gflop/s", "sgemm", "C tile")

  static func row(_ result: MatrixResult) -> String {
    let ratio = { (ratio: Double?) in ratio.map { NumberText.fixed(100 * $0, decimals: 1) + " %" } ?? "" }
    return line(
      result.name, result.isa, "\(result.instances)×\(result.outputs)×\(result.tracks)",
      NumberText.fixed(result.nsPerOutput, decimals: 4), NumberText.fixed(result.medianNsPerOutput, decimals: 4),
      NumberText.fixed(result.gigaflops, decimals: 1), ratio(result.ratioToBLAS), ratio(result.ratioToTile))
  }

  private static func line(_ cells: String...) -> String {
    TextRow.line(cells, widths: [37, 22, 16, 11, 10, 10, 10, 10], names: 2)
  }
}
