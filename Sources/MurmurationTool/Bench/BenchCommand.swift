// SPDX-License-Identifier: MIT
import ArgumentParser
import Formats
import Foundation
import Murmuration
import Scenes
import Text

/// `murmuration bench`: times every kernel against the fastest copy of the same number of bytes.
struct BenchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Times every kernel on every instruction set, against the fastest copy of the same number of bytes.",
    discussion: """
      Each row is compared with copies of its own working set and, where there is one, with a scalar loop in C \
      over the C library's exp and sincos, all by turns in one run. `ns` is the fastest round, `median` the median \
      one; `roofline` is the time of the fastest copy divided by that of the row. The run takes some minutes; \
      `--only` picks a part of it. -o writes the rows to a file as JSON.

      EXAMPLES:
        murmuration bench --quick --only kernels
        murmuration bench --only retargets --json
      """)

  @Flag(help: "Fewer sizes and rounds: a look rather than a measurement.")
  var quick = false

  @Option(
    help: "Measure one part only, among: \(BenchPart.names.joined(separator: ", ")).",
    transform: { name in
      guard let part = KnownNames(BenchPart.names).meant(by: name).flatMap(BenchPart.init(rawValue:)) else {
        throw ValidationError(DescriptionError.unknown("part", name, known: BenchPart.names))
      }
      return part
    })
  var only: BenchPart?

  @OptionGroup var output: OutputOptions

  func run() throws {
    var report = BenchReport(machine: .current)
    for part in BenchPart.allCases where only == nil || only == part {
      try measure(part, rounds: quick ? 5 : 15, &report)
    }
    if let path = output.output { try OutputOptions.write(try JSONText.of(report), to: path) }
    try output.print(Self.table(of: report) + "\n", json: report)
  }

  private func measure(_ part: BenchPart, rounds: Int, _ report: inout BenchReport) throws {
    switch part {
    case .kernels:
      for tracks in sizes {
        report.results += try SpringBench(tracks: tracks).measure(rounds: rounds, sets: KernelSet.available)
      }
    case .retargets, .churn, .rest, .motions, .frames, .cohorts, .threads:
      for tracks in quick ? [10_000] : part.runsAtEachSize ? [10_000, 100_000, 1_000_000] : [1_000_000] {
        report.operations += try BatchBench(tracks: tracks, rounds: 2 * rounds).measure(part)
      }
    case .keyframes:
      for tracks in quick ? [10_000] : [1_000, 10_000, 100_000, 1_000_000] {
        report.operations += try KeyframeBench(tracks: tracks, rounds: 10 * rounds).playing()
        let own = try KeyframeBench(tracks: tracks, rounds: (tracks < 1_000_000 ? 10 : 3) * rounds, ownClips: true)
        report.operations += try own.playing("clip.own")
        if tracks != 1_000, tracks != 100_000 {
          report.operations += try KeyframeBench(tracks: tracks, rounds: 2 * rounds).seeking()
        }
      }
    case .rigs:
      for keys in [18, 25, 83] {
        report.operations += try RigBench(keys: keys, instances: 1_000, rounds: 20 * rounds).measure()
      }
      for instances in [1, 4, 12, 36, 100] {
        report.operations += try RigBench(wide: instances, rounds: 20 * rounds).measure()
        report.operations += try RigBench(narrow: instances, rounds: 20 * rounds).measure()
      }
      report.operations += try ClockBench(tracks: quick ? 100_000 : 1_000_000, rounds: 6 * rounds).measure()
    case .phases:
      for tracks in quick ? [10_000] : [10_000, 100_000] {
        let bench = PhaseBench(tracks: tracks, rounds: 8 * rounds)
        report.operations += try bench.phases() + bench.tweens()
      }
    case .baking:
      for tracks in quick ? [10_000] : [10_000, 100_000] {
        report.bakes += try BakeBench(tracks: tracks, rounds: rounds).measure()
      }
      for dimensions in quick ? [10_000] : [1_008, 10_000, 100_000] {
        for frames in [18, 240] {
          report.bakes += try SamplerBakeBench(dimensions: dimensions, framesPerPiece: frames).measure(rounds: rounds)
        }
      }
    case .matrices:
      for tracks in quick ? [64] : [8, 64] {
        let bench = MatrixBench(instances: 1_000, outputs: 3_000, tracks: tracks)
        report.matrices += try bench.measure(rounds: rounds, sets: KernelSet.available)
      }
    case .modal:
      report.operations += try ModalBench(rounds: 10 * rounds).measure()
    }
  }

  /// The numbers of tracks; ten million tracks and their yardsticks take some gigabytes.
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
    lines.append("")
    lines.append(row("", "isa", "tracks", "ns/track", "median", "90 %", "bytes", "roofline", "copy GB/s"))
    for result in report.results {
      lines.append(
        row(
          result.name, result.isa, "\(result.tracks)", NumberText.fixed(result.nsPerTrack, decimals: 3),
          NumberText.fixed(result.medianNsPerTrack, decimals: 3), NumberText.fixed(result.slowNsPerTrack, decimals: 3),
          "\(result.bytesPerTrack)", NumberText.fixed(100 * result.ratioToRoofline, decimals: 1) + " %",
          NumberText.fixed(result.rooflineGBPerSecond, decimals: 1) + " " + result.roofline))
    }
    lines += speedups(report.results)
    lines += ["", OperationTable.header] + report.operations.map(OperationTable.row)
    lines += ["", BakeTable.header] + report.bakes.map(BakeTable.row)
    lines += ["", MatrixTable.header] + report.matrices.map(MatrixTable.row)
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
