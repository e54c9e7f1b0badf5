// SPDX-License-Identifier: MIT
import Text

/// One row of `murmuration bench` about hierarchies of nodes.
struct NodeResult: Codable {
  var name: String
  var isa: String
  var instances: Int
  var nodes: Int
  /// The fastest round, and the median one, for one node of one instance.
  var nsPerNode: Double
  var medianNsPerNode: Double
  /// Bytes read and written for one node of one instance.
  var bytesPerNode: Double
  /// The name of the fastest loop that reads and writes as many bytes, and does nothing else.
  var spread: String
  /// The time of that loop.
  var spreadNsPerNode: Double
  /// As many multiply-adds in registers as there are operations on lanes.
  var multiplyAddNsPerNode: Double?
  /// The longer of the two, divided by the time of the row; 1 is the roofline.
  var ratioToLimit: Double
}

/// The rows of hierarchies as lines of text.
enum NodeTable {
  static let header = line(
    "", "isa", "nodes×instances", "ns/node", "median", "bytes", "traffic", "fused", "roofline", "")

  static func row(_ result: NodeResult) -> String {
    line(
      result.name, result.isa, "\(result.nodes)×\(result.instances)",
      NumberText.fixed(result.nsPerNode, decimals: 3), NumberText.fixed(result.medianNsPerNode, decimals: 3),
      NumberText.fixed(result.bytesPerNode, decimals: 1), NumberText.fixed(result.spreadNsPerNode, decimals: 3),
      result.multiplyAddNsPerNode.map { NumberText.fixed($0, decimals: 3) } ?? "",
      NumberText.fixed(100 * result.ratioToLimit, decimals: 1) + " %", "  " + result.spread)
  }

  private static func line(_ cells: String...) -> String {
    TextRow.line(cells, widths: [37, 22, 16, 11, 10, 10, 10, 10, 10, 0], names: 2)
  }
}
