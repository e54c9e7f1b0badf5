// SPDX-License-Identifier: MIT
package import Murmuration

/// What came of recordings, as results of checks: the largest errors of values and velocities, and what else differs.
package struct ProgramCheck {
  private let set: KernelSet
  private var tally: MotionResults

  /// - Parameter name: The name of the results, before the name of the compared quantity.
  package init(_ name: String, on set: KernelSet) {
    self.set = set
    tally = MotionResults(name, on: set)
  }

  /// The results. A failed one has the source of a short program.
  package var results: [CheckResult] { tally.all }

  /// Plays random programs until a number of calls were made, or one fails.
  ///
  /// - Returns: The errors of values and velocities, as shares of their bounds, and mismatches of anything else: events,
  ///   targets, indices, which tracks there are, and which rest.
  package static func programs(on set: KernelSet, calls: Int, seed: UInt64) throws -> [CheckResult] {
    var check = ProgramCheck("programs", on: set)
    var seeds = SplitMix64(seed: seed)
    var number = 0
    while check.tally.rule.samples < calls, check.tally.passed {
      let seed = seeds.next()
      // A big program takes the time of some twenty small ones.
      let program = RandomProgram.draw(seed: seed, size: number % 24 == 23 ? .big : .small)
      try check.play(program, threads: number % 4 == 3 ? 3 : 1, note: "program of seed \(seed), ")
      number += 1
    }
    return check.results
  }

  /// Plays a recording, and returns its report; `note` is put before the places that results name.
  ///
  /// - Throws: ``BatchError`` if there can be no such batch.
  @discardableResult
  package mutating func play(_ recording: BatchRecording, threads: Int = 1, note: String = "") throws -> CheckReport {
    let report = try check(recording, kernels: set, threads: threads)
    let failure = report.failure.map { "\n\($0.finding)\n\($0.source)" } ?? ""
    func place(_ finding: CheckReport.Finding?) -> String { note + (finding.map { "\($0)" } ?? "") + failure }
    tally.value.record(report.value?.error ?? 0, samples: report.comparisons, place(report.value))
    tally.velocity.record(report.velocity?.error ?? 0, samples: report.comparisons, place(report.velocity))
    let isOther = !report.passed && tally.value.passed && tally.velocity.passed
    tally.expect(!isOther, samples: recording.calls.count, note + failure)
    return report
  }
}
