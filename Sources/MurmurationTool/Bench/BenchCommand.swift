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
      `--only` picks a part of it. -o writes the rows to a file as JSON, which `murmuration plot` draws. With --quiet no progress is \
      shown; the rows are printed all the same, or the name of their file.

      --compare says which rows became faster or slower since an earlier run. Yardsticks, which are loops in C and \
      copies, are the same code in both runs. The geometric mean of their ratios is the drift of the machine. The factor \
      around it that holds nine of ten yardsticks is the spread: at least 1.015, and 1.3 with fewer than ten yardsticks. A row's \
      times reach from its fastest round to the limit of nine of ten rounds. The row changed if those of both runs, \
      divided by the drift, lie apart by the square of the spread.

      EXAMPLES:
        murmuration bench --quick --only kernels
        murmuration bench --only retargets --json
        murmuration bench --only churn -o before.json
        murmuration bench --only churn --compare before.json
        murmuration plot before.json -o roofline.svg
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

  @Option(
    help: ArgumentHelp("Say what became faster or slower since the run of this file.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var compare: String?

  @Option(
    help: ArgumentHelp("Measure nothing: take the run of this file.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var measured: String?

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if measured != nil, quick || only != nil || output.output != nil {
      throw ValidationError("--measured goes without --quick, --only and --output")
    }
  }

  func run() throws {
    try output.check()
    // Before minutes of work.
    let before = try compare.map { try Self.report(ofFile: $0) }
    let report = try measured.map { try Self.report(ofFile: $0) } ?? measure()
    if let path = output.output { try OutputOptions.write(try JSONText.of(report), to: path) }
    let comparison = before.map { BenchComparison(of: report, with: $0) }
    let changes = comparison.map { "\n" + $0.table(against: RequestFile.name(compare ?? "")) + "\n" } ?? ""
    guard !output.quiet else {
      // The table is in the file, if there is one; the changes are nowhere else.
      let rows = output.output.map { "\($0): \(report.rowCount) rows" } ?? report.table()
      return try StandardOutput.write(rows + "\n" + changes)
    }
    try output.print(report.table() + "\n" + changes, json: Outcome(report: report, comparison: comparison))
  }

  /// The report, and the comparison beside its keys.
  private struct Outcome: Encodable {
    let report: BenchReport
    let comparison: BenchComparison?

    private enum CodingKeys: String, CodingKey { case comparison }

    func encode(to encoder: any Encoder) throws {
      try report.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encodeIfPresent(comparison, forKey: .comparison)
    }
  }

  /// The run of a file that `bench` wrote.
  static func report(ofFile path: String) throws(FileError) -> BenchReport {
    try RequestFile.read(path, limit: SampleCommand.sizeLimit, isOf: .bench, what: "a run of murmuration bench")
  }

  private func measure() throws -> BenchReport {
    let isQuiet = output.quiet
    var bench = Benchmarks(isQuick: quick) { if !isQuiet { writeToStandardError($0) } }
    for part in BenchPart.allCases where only == nil || only == part {
      if part == .rigs { bench.report.operations += try rigs(rounds: 20 * bench.rounds) }
      try bench.measure(part)
    }
    return bench.report
  }

  private func rigs(rounds: Int) throws -> [OperationResult] {
    let rigs =
      [18, 25, 83].map { RigBench(keys: $0, instances: 1_000, rounds: rounds) }
      + [1, 4, 12, 36, 100].flatMap { [RigBench(wide: $0, rounds: rounds), RigBench(narrow: $0, rounds: rounds)] }
    return try rigs.flatMap { try $0.measure() }
  }
}
