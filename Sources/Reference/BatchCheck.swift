// SPDX-License-Identifier: MIT
package import Murmuration

/// Plays random programs on batches, and compares all their values and events with references of their tracks.
///
/// A program adds, changes and removes tracks, singly and in bulk, moves the clock, makes calls that must be refused,
/// and so on; see ``Operation``. It is drawn from the calls that the batch takes. The first program that fails is
/// shortened.
package struct BatchCheck {
  /// The batches that programs are played on.
  package enum Subject: String, CaseIterable, Sendable {
    /// Tracks that follow any motion, and tracks that play phases.
    case animations, phases
  }

  private let set: KernelSet

  /// A check of batches that run on one instruction set.
  package init(set: KernelSet) { self.set = set }

  /// The number of small programs for each big one.
  private static let smallPrograms: UInt64 = 24

  /// Plays programs until a number of operations were played, and at least that number of values, velocities and states was
  /// compared.
  ///
  /// - Returns: A result for each aspect that the batch tells: values, velocities, rest, completion, and the state of the
  ///   batch. A failed result has the text of a short program.
  // Optimised, it would make a copy of the whole player of programs for each type of values.
  @_optimize(none)
  package func programs(of subject: Subject, operations: Int, seed: UInt64) -> [CheckResult] {
    // A third of the programs for each type of values.
    let third = (operations + 2) / 3
    var findings = Self.findings(AnimationSubject<Float>.self, set)
    switch subject {
    case .animations:
      play(AnimationSubject<Float>.self, third, seed, &findings)
      play(AnimationSubject<SIMD2<Float>>.self, third, seed &+ 1, &findings)
      play(AnimationSubject<SIMD3<Float>>.self, third, seed &+ 2, &findings)
    case .phases:
      findings = Self.findings(PhaseSubject<Float>.self, set)
      play(PhaseSubject<Float>.self, third, seed, &findings)
      play(PhaseSubject<SIMD2<Float>>.self, third, seed &+ 1, &findings)
      play(PhaseSubject<SIMD3<Float>>.self, third, seed &+ 2, &findings)
    }
    return findings.results.filter { $0.samples > 0 }
  }

  private func play<S: ProgramSubject & ~Copyable>(
    _ type: S.Type, _ operations: Int, _ seed: UInt64, _ findings: inout Findings
  ) {
    let before = findings
    var played = 0
    var number: UInt64 = 0
    var seeds = SplitMix64(seed: seed)
    while played < operations || findings.hasFewer(than: operations, since: before, withRest: S.tellsRest) {
      let program = Program.random(
        seed: seeds.next(), size: S.calls.hasBigPrograms && number % Self.smallPrograms == 1 ? .big : .small, S.calls)
      let outcome = ProgramRunner<S>.play(program, on: set, &findings)
      if let difference = outcome.difference {
        findings.fail(
          difference.aspect, report(type, outcome.played, difference, "program \(number) of seed \(seed)"))
        break
      }
      played += program.operations.count
      number += 1
    }
  }

  static func findings<S: ProgramSubject & ~Copyable>(_ type: S.Type, _ set: KernelSet) -> Findings {
    Findings(set: set) { "\(S.name).\($0.name)" }
  }

  private func report<S: ProgramSubject & ~Copyable>(
    _ type: S.Type, _ program: Program, _ difference: Difference, _ name: String
  ) -> String {
    var shown = difference
    let shrunk = program.shrunk(attempts: 2_000) {
      guard S.calls.dimensions.contains($0.dimensions) else { return nil }
      var ignored = Self.findings(type, set)
      let outcome = ProgramRunner<S>.play($0, on: set, &ignored)
      guard let found = outcome.difference, found.aspect == difference.aspect else {
        return nil
      }
      shown = found
      return outcome.played
    }
    return "\(name): \(shown.text)\nafter the last of\n\(shrunk.text)"
  }
}
