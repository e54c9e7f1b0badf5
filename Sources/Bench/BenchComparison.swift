// SPDX-License-Identifier: MIT
import Foundation
import Text

/// The rows of a run of `murmuration bench` that became faster or slower since an earlier run.
///
/// In each run, a row's times reach from its fastest round to its median one: that is the noise of the run. A row is
/// slower if even its fastest round takes longer than the median one before, and faster if its median round takes less
/// time than the fastest one before; in both cases by at least ``leastChange``, as two runs place memory differently.
package struct BenchComparison: Encodable {
  /// The smallest change that counts, as a share of the time.
  package static let leastChange = 0.03

  /// A row of both runs.
  package struct Row: Encodable {
    package let name: String
    package let size: String
    /// Nanoseconds of the fastest round.
    package let before: Double
    package let after: Double
    /// The time after divided by the time before.
    package let ratio: Double
  }

  /// The number of rows of both runs, without yardsticks.
  package let rows: Int
  /// The geometric mean of these rows' ratios; nil without rows.
  package let geometricMean: Double?
  /// The same of the yardsticks, which are the same work in both runs: what the machine has to do with it.
  package let yardstickMean: Double?
  /// The rows that became slower, the worst one first.
  package let slower: [Row]
  /// The rows that became faster, the best one first.
  package let faster: [Row]
  /// The numbers of rows, yardsticks included, that only one of the runs has.
  package let onlyBefore: Int
  package let onlyAfter: Int
  /// The reason why the runs say little about each other; nil if they were made alike.
  package let warning: String?

  /// Compares a run with an earlier one.
  package init(of after: BenchReport, with before: BenchReport) {
    let (new, old) = (Self.rows(of: after), Self.rows(of: before))
    let both = new.compactMap { key, row in old[key].map { (row, $0) } }.sorted { $0.0.place < $1.0.place }
    let pairs = both.map { new, old in
      Pair(
        row: Row(name: new.name, size: new.size, before: old.best, after: new.best, ratio: new.best / old.best),
        isSlower: new.best > old.median, isFaster: new.median < old.best, isYardstick: new.isYardstick)
    }.filter { $0.row.ratio.isFinite && $0.row.ratio > 0 }
    let own = pairs.filter { !$0.isYardstick }
    rows = own.count
    geometricMean = Self.geometricMean(own)
    yardstickMean = Self.geometricMean(pairs.filter(\.isYardstick))
    slower = own.filter { $0.isSlower && $0.row.ratio >= 1 + Self.leastChange }.map(\.row).sorted {
      $0.ratio > $1.ratio
    }
    faster = own.filter { $0.isFaster && $0.row.ratio <= 1 / (1 + Self.leastChange) }.map(\.row)
      .sorted { $0.ratio < $1.ratio }
    (onlyBefore, onlyAfter) = (old.count - both.count, new.count - both.count)
    warning =
      after.machine.optimised != before.machine.optimised
      ? "one of the runs is of a debug build"
      : after.machine.processor != before.machine.processor
        ? "the runs are of two processors, \(before.machine.processor) before" : nil
  }

  private struct Pair {
    let row: Row
    let isSlower: Bool
    let isFaster: Bool
    let isYardstick: Bool
  }

  private static func geometricMean(_ pairs: [Pair]) -> Double? {
    pairs.isEmpty ? nil : exp(pairs.reduce(0) { $0 + log($1.row.ratio) } / Double(pairs.count))
  }

  // MARK: - Rows

  private struct Measured {
    let name: String
    let size: String
    let isYardstick: Bool
    let best: Double
    let median: Double
    let place: Int
  }

  /// Every row of a report by its name, its size, and how often both came before.
  private static func rows(of report: BenchReport) -> [String: Measured] {
    var rows: [String: Measured] = [:]
    func add(_ name: String, _ isa: String, _ size: String, _ best: Double, _ median: Double) {
      let isYardstick = name.hasPrefix("yardstick") || name.hasSuffix(".copy") || name.hasSuffix(".scalar-loop")
      // The fastest of several ways is a yardstick, whichever it was.
      let words = [isYardstick ? "" : isa, size].filter { !$0.isEmpty }.joined(separator: " ")
      let row = Measured(
        name: name, size: words, isYardstick: isYardstick, best: best, median: median, place: rows.count)
      for repetition in 0... {
        let key = "\(name)|\(words)|\(repetition)"
        guard rows[key] == nil else { continue }
        rows[key] = row
        return
      }
    }
    for row in report.results { add(row.name, row.isa, "\(row.tracks)", row.nsPerTrack, row.medianNsPerTrack) }
    for row in report.operations {
      let size = row.called == row.tracks ? "\(row.tracks)" : "\(row.called) of \(row.tracks)"
      add(row.name, "", size, row.nsPerTrack, row.medianNsPerTrack)
    }
    for row in report.bakes {
      add(row.name, "", "\(row.tracks)×\(row.frames)", row.nsPerOutput, row.medianNsPerOutput)
    }
    for row in report.matrices {
      add(row.name, row.isa, "\(row.instances)×\(row.outputs)×\(row.tracks)", row.nsPerOutput, row.medianNsPerOutput)
    }
    for row in report.nodes {
      add(row.name, row.isa, "\(row.nodes)×\(row.instances)", row.nsPerNode, row.medianNsPerNode)
    }
    return rows
  }

  // MARK: - Text

  /// The comparison as lines of text.
  ///
  /// - Parameter name: The name of the earlier run.
  package func table(against name: String) -> String {
    func times(_ ratio: Double?) -> String { ratio.map { NumberText.fixed($0, decimals: 3) + "×" } ?? "–" }
    var lines = [
      "Against \(name): of \(rows) rows, \(slower.count) slower and \(faster.count) faster beyond the noise of both runs.",
      "Geometric mean of the times: \(times(geometricMean)); of the yardsticks, which show the machine: "
        + "\(times(yardstickMean)).",
    ]
    if onlyBefore + onlyAfter > 0 {
      lines.append("Rows that only one of the runs has: \(onlyBefore) before, \(onlyAfter) now.")
    }
    if let warning { lines.append("Mind that \(warning).") }
    for (word, rows) in [("slower", slower), ("faster", faster)] where !rows.isEmpty {
      lines += ["", Self.line(word, "", "before", "after", "ratio")]
      lines += rows.map { row in
        Self.line(
          row.name, row.size, NumberText.fixed(row.before, decimals: 3), NumberText.fixed(row.after, decimals: 3),
          NumberText.fixed(row.ratio, decimals: 3))
      }
    }
    return lines.joined(separator: "\n")
  }

  private static func line(_ cells: String...) -> String { TextRow.line(cells, widths: [44, 24, 11, 11, 9]) }
}
