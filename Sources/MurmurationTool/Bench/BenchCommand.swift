// SPDX-License-Identifier: MIT
import ArgumentParser
import Bench
import Formats
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
    var bench = Benchmarks(isQuick: quick, note: writeToStandardError)
    for part in BenchPart.allCases where only == nil || only == part {
      if part == .rigs { bench.report.operations += try rigs(rounds: 20 * bench.rounds) }
      try bench.measure(part)
    }
    if let path = output.output { try OutputOptions.write(try JSONText.of(bench.report), to: path) }
    try output.print(bench.report.table() + "\n", json: bench.report)
  }

  private func rigs(rounds: Int) throws -> [OperationResult] {
    let rigs =
      [18, 25, 83].map { RigBench(keys: $0, instances: 1_000, rounds: rounds) }
      + [1, 4, 12, 36, 100].flatMap { [RigBench(wide: $0, rounds: rounds), RigBench(narrow: $0, rounds: rounds)] }
    return try rigs.flatMap { try $0.measure() }
  }
}
