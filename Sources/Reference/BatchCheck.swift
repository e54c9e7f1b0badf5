// SPDX-License-Identifier: MIT
package import Murmuration

/// Plays random programs on a ``SpringBatch`` and compares everything that it shows and reports with a simple model: a
/// dictionary of reference springs in Double.
///
/// A program adds, retargets, sets and removes tracks, singly and in bulk, moves the clock both ways, changes tolerances,
/// asks for what must be refused, and so on; see ``Operation``. The first one that fails is shortened.
package struct BatchCheck {
  private let set: KernelSet

  /// A check of batches that run on one instruction set.
  package init(set: KernelSet) { self.set = set }

  /// One big program for so many small ones.
  private static let smallPrograms: UInt64 = 24

  /// Plays programs until so many operations were played, and so many comparisons of each kind made.
  ///
  /// - Returns: A result for values, velocities, rest, completion, and the state of the batch. One that failed says so
  ///   with a short program.
  package func programs(operations: Int, seed: UInt64) -> [CheckResult] {
    var findings = Findings(set: set)
    var played = 0
    var number: UInt64 = 0
    var seeds = SplitMix64(seed: seed)
    while played < operations || findings.results.contains(where: { $0.samples < operations }) {
      let program = Program.random(seed: seeds.next(), size: number % Self.smallPrograms == 1 ? .big : .small)
      let outcome = ProgramRunner.play(program, on: set, &findings)
      if let difference = outcome.difference {
        findings.fail(difference.aspect, report(outcome.played, difference, "program \(number) of seed \(seed)"))
        break
      }
      played += program.operations.count
      number += 1
    }
    return findings.results
  }

  private func report(_ program: Program, _ difference: Difference, _ name: String) -> String {
    var shown = difference
    let shrunk = program.shrunk {
      var ignored = Findings(set: set)
      let outcome = ProgramRunner.play($0, on: set, &ignored)
      guard let found = outcome.difference, found.aspect == difference.aspect else {
        return nil
      }
      shown = found
      return outcome.played
    }
    return "\(name): \(shown.text)\nafter the last of\n\(shrunk.text)"
  }
}
