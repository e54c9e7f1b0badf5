// SPDX-License-Identifier: MIT
import ArgumentParser
import Foundation
import Murmuration
import Scenes

/// `murmuration bench`: times every kernel against the fastest copy of as many bytes.
struct BenchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Times every kernel on every instruction set, against the fastest copy of as many bytes.",
    discussion: """
      Each row is compared with copies of its own working set and, where it stands beside one, with a scalar loop in C \
      over the C library's exp and sincos, all by turns in one run. `ns` is the fastest round, `median` the median \
      one; `roofline` is the time of the fastest copy divided by that of the row. The run takes about a minute.
      """)

  @Flag(help: "Print one JSON object.")
  var json = false

  @Flag(help: "Fewer sizes and rounds: a look rather than a measurement.")
  var quick = false

  @Option(help: "Measure only the rows of baking whose names begin so, as in `bake.cohort`; no others.")
  var bake: String?

  func run() throws {
    let rounds = quick ? 5 : 15
    var report = BenchReport(machine: .current)
    for tracks in quick ? [10_000] : [10_000, 100_000] {
      report.bakes += try BakeBench(tracks: tracks, rounds: rounds).measure(only: bake ?? "")
    }
    if bake == nil {
      try measureFrames(rounds: rounds, &report)
    }
    if json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      try StandardOutput.write(String(decoding: try encoder.encode(report), as: UTF8.self) + "\n")
    } else {
      try StandardOutput.write(Self.table(of: report) + "\n")
    }
  }

  /// Measures kernels and whole batches, frame by frame.
  private func measureFrames(rounds: Int, _ report: inout BenchReport) throws {
    for tracks in sizes {
      report.results += try SpringBench(tracks: tracks).measure(rounds: rounds, sets: KernelSet.available)
    }
    for tracks in quick ? [10_000] : [10_000, 100_000, 1_000_000] {
      let bench = BatchBench(tracks: tracks, rounds: 2 * rounds)
      report.operations += try bench.retargetsOfAll() + bench.retargetsByHandle()
      if tracks >= 1_000_000 || quick {
        report.operations += try bench.churn() + bench.rest() + bench.framesOfCohorts() + bench.threads()
      }
    }
  }

  /// Ten million tracks and their yardsticks take some gigabytes.
  private var sizes: [Int] {
    if quick {
      return [10_000]
    }
    let usual = [1_000, 10_000, 100_000, 1_000_000]
    return ProcessInfo.processInfo.physicalMemory >= 8 << 30 ? usual + [10_000_000] : usual
  }

  /// The report as lines of text.
  static func table(of report: BenchReport) -> String {
    var lines = ["\(report.machine.processor), \(report.machine.cores) cores, \(report.machine.operatingSystem)"]
    if !report.machine.optimised {
      lines.append("This is a debug build: its figures say little. Use `swift run -c release murmuration bench`.")
    }
    if !report.results.isEmpty {
      lines.append("")
      lines.append(row("", "isa", "tracks", "ns/track", "median", "90 %", "bytes", "roofline", "copy GB/s"))
    }
    for result in report.results {
      lines.append(
        row(
          result.name, result.isa, "\(result.tracks)", NumberText.fixed(result.nsPerTrack, decimals: 3),
          NumberText.fixed(result.medianNsPerTrack, decimals: 3), NumberText.fixed(result.slowNsPerTrack, decimals: 3),
          "\(result.bytesPerTrack)", NumberText.fixed(100 * result.ratioToRoofline, decimals: 1) + " %",
          NumberText.fixed(result.rooflineGBPerSecond, decimals: 1) + " " + result.roofline))
    }
    lines += speedups(report.results)
    if !report.operations.isEmpty {
      lines += ["", OperationTable.header] + report.operations.map(OperationTable.row)
    }
    lines += ["", BakeTable.header] + report.bakes.map(BakeTable.row)
    return lines.joined(separator: "\n")
  }

  /// How much faster the kernels are than the scalar loop, at each size.
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
