// SPDX-License-Identifier: MIT
import Murmuration
import Text

/// The output of `murmuration bench`.
package struct BenchReport: Codable {
  package var machine: Machine
  var results: [BenchResult] = []
  package var operations: [OperationResult] = []
  var bakes: [BakeResult] = []
  var matrices: [MatrixResult] = []
  var nodes: [NodeResult] = []
}

extension BenchReport {
  /// The number of rows.
  package var rowCount: Int { results.count + operations.count + bakes.count + matrices.count + nodes.count }

  /// The report as lines of text.
  package func table() -> String {
    var lines = ["\(machine.processor), \(machine.cores) cores, \(machine.operatingSystem)"]
    if !machine.optimised {
      lines.append("This is a debug build: its figures say little. Use `swift run -c release murmuration bench`.")
    }
    lines.append("")
    lines.append(Self.row("", "isa", "tracks", "ns/track", "median", "90 %", "bytes", "roofline", "copy GB/s"))
    for result in results {
      lines.append(
        Self.row(
          result.name, result.isa, "\(result.tracks)", NumberText.fixed(result.nsPerTrack, decimals: 3),
          NumberText.fixed(result.medianNsPerTrack, decimals: 3), NumberText.fixed(result.slowNsPerTrack, decimals: 3),
          "\(result.bytesPerTrack)", NumberText.fixed(100 * result.ratioToRoofline, decimals: 1) + " %",
          NumberText.fixed(result.rooflineGBPerSecond, decimals: 1) + " " + result.roofline))
    }
    lines += Self.speedups(results)
    lines += ["", OperationTable.header] + operations.map(OperationTable.row)
    lines += ["", BakeTable.header] + bakes.map(BakeTable.row)
    lines += ["", MatrixTable.header] + matrices.map(MatrixTable.row)
    lines += ["", NodeTable.header] + nodes.map(NodeTable.row)
    return lines.joined(separator: "\n")
  }

  /// The ratio of the scalar loop's time to the kernels' at each size.
  private static func speedups(_ results: [BenchResult]) -> [String] {
    let scalars = results.filter { $0.name == "yardstick.libm" }
    guard let best = KernelSet.available.last?.rawValue, !scalars.isEmpty else {
      return []
    }
    return [""]
      + scalars.map { scalar in
        let rows = results.filter { $0.tracks == scalar.tracks && $0.isa == best }
        let ratios = rows.map { "\($0.name) \(NumberText.fixed(scalar.nsPerTrack / $0.nsPerTrack, decimals: 0))×" }
        return "\(scalar.tracks) tracks, \(best) against the scalar loop: " + ratios.joined(separator: ", ")
      }
  }

  private static func row(_ cells: String...) -> String {
    let widths = [30, 37, 9, 10, 9, 9, 7, 10, 0]
    return zip(cells, widths).enumerated().map { index, cell in
      let padding = String(repeating: " ", count: max(0, cell.1 - cell.0.count))
      return index < 2 ? cell.0 + padding : padding + (index == 8 ? "  " : "") + cell.0
    }.joined()
  }
}
