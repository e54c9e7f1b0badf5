// SPDX-License-Identifier: MIT
import Foundation
import Text

/// The rows of a run of `murmuration bench` that became faster or slower since an earlier run.
///
/// Two kinds of noise hide a change:
/// - Within a run, a row's times reach from its fastest round to the limit that nine of ten rounds keep, or to its median
///   round where a section has no such limit.
/// - Between runs, the rate of the machine changes, from row to row too. The yardsticks are the same code in both runs, so
///   the geometric mean of their ratios is the drift, and the factor around it that holds nine of ten is the spread.
///
/// A row changed if its times of both runs, divided by the drift, lie apart by ``leastFactor``. That is the square of the
/// spread: in logarithms, rows lie around the drift about twice as far as yardsticks do. (In ten pairs of runs of `churn`
/// on a shared machine, 1.6 to 2.7 times.) In two runs of the same code, the rule named two of 203 rows.
package struct BenchComparison: Encodable {
  /// The smallest spread that counts: two runs place memory differently even where the machine is steady.
  package static let leastSpread = 1.015
  /// The smallest spread that counts with fewer than ``enoughYardsticks``: yardsticks of a shared machine had 1.2 to 1.4.
  package static let assumedSpread = 1.3
  /// The number of yardsticks from which on their spread is that of the machine.
  package static let enoughYardsticks = 10

  /// A row of both runs.
  package struct Row: Encodable {
    package let name: String
    package let size: String
    /// Nanoseconds of the fastest round.
    package let before: Double
    package let after: Double
    /// The time after divided by the time before.
    package let ratio: Double
    /// The ratio divided by the drift of the machine.
    package let relative: Double
  }

  /// The number of rows of both runs, without yardsticks.
  package let rows: Int
  /// The geometric mean of these rows' ratios; nil without rows.
  package let geometricMean: Double?
  /// The same, divided by the drift of the machine.
  package let relativeMean: Double?
  /// The number of yardsticks of both runs.
  package let yardsticks: Int
  /// The geometric mean of the yardsticks' ratios, which is the drift of the machine; nil without yardsticks.
  package let yardstickMean: Double?
  /// The factor around the drift that holds nine of ten yardsticks, or the smallest spread that counts.
  package let spread: Double
  /// The factor between a row's times of both runs, relative to the machine, from which on the row changed.
  package let leastFactor: Double
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
    let both = new.compactMap { key, row in old[key].map { Pair(new: row, old: $0) } }
    let pairs = both.filter { $0.ratio.isFinite && $0.ratio > 0 }.sorted { $0.new.place < $1.new.place }
    let (machine, own) = (pairs.filter(\.new.isYardstick), pairs.filter { !$0.new.isYardstick })
    let mean = Self.geometricMean(machine)
    let drift = mean ?? 1
    let deviations = machine.map { max($0.ratio / drift, drift / $0.ratio) }.sorted()
    let leastSpread = machine.count < Self.enoughYardsticks ? Self.assumedSpread : Self.leastSpread
    let spread = max(leastSpread, deviations.isEmpty ? 1 : deviations[deviations.count * 9 / 10])
    let leastFactor = spread * spread
    func changed(_ isChanged: (Pair) -> Bool) -> [Row] { own.filter(isChanged).map { $0.row(drift: drift) } }

    rows = own.count
    geometricMean = Self.geometricMean(own)
    relativeMean = geometricMean.map { $0 / drift }
    (yardsticks, yardstickMean, self.spread, self.leastFactor) = (machine.count, mean, spread, leastFactor)
    slower = changed { $0.new.best > $0.old.slow * drift * leastFactor }.sorted { $0.ratio > $1.ratio }
    faster = changed { $0.new.slow * leastFactor < $0.old.best * drift }.sorted { $0.ratio < $1.ratio }
    (onlyBefore, onlyAfter) = (old.count - both.count, new.count - both.count)
    warning =
      after.machine.optimised != before.machine.optimised
      ? "one of the runs is of a debug build"
      : after.machine.processor != before.machine.processor
        ? "the runs are of two processors, \(before.machine.processor) before" : nil
  }

  private struct Pair {
    let new: Measured
    let old: Measured
    var ratio: Double { new.best / old.best }

    func row(drift: Double) -> Row {
      Row(name: new.name, size: new.size, before: old.best, after: new.best, ratio: ratio, relative: ratio / drift)
    }
  }

  private static func geometricMean(_ pairs: [Pair]) -> Double? {
    pairs.isEmpty ? nil : exp(pairs.reduce(0) { $0 + log($1.ratio) } / Double(pairs.count))
  }

  // MARK: - Rows

  private struct Measured {
    let name: String
    let size: String
    let isYardstick: Bool
    /// Nanoseconds of the fastest round, and the limit that most rounds keep.
    let best: Double
    let slow: Double
    let place: Int
  }

  /// Every row of a report by its name, its size, and how often both came before.
  private static func rows(of report: BenchReport) -> [String: Measured] {
    var rows: [String: Measured] = [:]
    func add(_ name: String, _ isa: String, _ size: String, _ best: Double, _ slow: Double) {
      let isYardstick = name.hasPrefix("yardstick") || name.hasSuffix(".copy") || name.hasSuffix(".scalar-loop")
      // The fastest of several ways is a yardstick, whichever it was.
      let words = [isYardstick ? "" : isa, size].filter { !$0.isEmpty }.joined(separator: " ")
      let row = Measured(
        name: name, size: words, isYardstick: isYardstick, best: best, slow: slow, place: rows.count)
      for repetition in 0... {
        let key = "\(name)|\(words)|\(repetition)"
        guard rows[key] == nil else { continue }
        rows[key] = row
        return
      }
    }
    for row in report.results { add(row.name, row.isa, "\(row.tracks)", row.nsPerTrack, row.slowNsPerTrack) }
    for row in report.operations {
      let size = row.called == row.tracks ? "\(row.tracks)" : "\(row.called) of \(row.tracks)"
      add(row.name, "", size, row.nsPerTrack, row.slowNsPerTrack)
    }
    for row in report.bakes {
      add(row.name, "", "\(row.tracks)×\(row.frames)", row.nsPerOutput, row.slowNsPerOutput)
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
    let few = yardsticks < Self.enoughYardsticks ? ", too few to show the spread" : ""
    var lines = [
      "Against \(name): of \(rows) rows, \(slower.count) slower and \(faster.count) faster beyond the noise.",
      "Geometric mean of the times: \(times(geometricMean)); relative to the machine: \(times(relativeMean)).",
      "Drift of the machine: \(times(yardstickMean)), the geometric mean over the yardsticks (\(yardsticks)\(few)).",
      "Spread around the drift: \(times(spread)). A row counts if its rounds of both runs lie \(times(leastFactor)) apart.",
    ]
    if onlyBefore + onlyAfter > 0 {
      lines.append("Rows that only one of the runs has: \(onlyBefore) before, \(onlyAfter) now.")
    }
    if let warning { lines.append("Mind that \(warning).") }
    for (word, rows) in [("slower", slower), ("faster", faster)] where !rows.isEmpty {
      lines += ["", Self.line(word, "", "before", "after", "ratio", "relative")]
      lines += rows.map { row in
        Self.line(
          row.name, row.size, NumberText.fixed(row.before, decimals: 3), NumberText.fixed(row.after, decimals: 3),
          NumberText.fixed(row.ratio, decimals: 3), NumberText.fixed(row.relative, decimals: 3))
      }
    }
    return lines.joined(separator: "\n")
  }

  private static func line(_ cells: String...) -> String { TextRow.line(cells, widths: [44, 24, 11, 11, 9, 10]) }
}
