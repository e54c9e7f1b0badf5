// SPDX-License-Identifier: MIT
package import Murmuration

/// Plays random programs on batches, and compares everything that they show and report with references of their tracks.
///
/// A program adds, changes and removes tracks, singly and in bulk, moves the clock, asks for what must be refused, and so on;
/// see ``Operation``. It is drawn from the calls that the batch takes. The first one that fails is shortened.
package struct BatchCheck {
  /// The batches that programs are played on.
  package enum Subject: String, CaseIterable, Sendable {
    case springs, curves, clips, phases, animations

    /// Those that bake.
    package static let baking: [Subject] = [.springs, .curves, .clips, .phases]
  }

  private let set: KernelSet

  /// A check of batches that run on one instruction set.
  package init(set: KernelSet) { self.set = set }

  /// One big program for so many small ones.
  private static let smallPrograms: UInt64 = 24

  /// Plays programs until a number of operations were played, and as many values, velocities and states compared.
  ///
  /// - Returns: A result for values, velocities, rest, completion, and the state of the batch, as far as the batch tells. One
  ///   that failed says so with a short program.
  package func programs(of subject: Subject = .springs, operations: Int, seed: UInt64) -> [CheckResult] {
    switch subject {
    case .springs: play(SpringBatch.self, operations, seed)
    case .curves: play(CurveBatch.self, operations, seed)
    case .clips: play(KeyframeBatch.self, operations, seed)
    case .phases: play(PhaseBatch.self, operations, seed)
    case .animations: animations(operations, seed)
    }
  }

  /// The one batch, with a third of the programs for each type of its values.
  private func animations(_ operations: Int, _ seed: UInt64) -> [CheckResult] {
    var findings = Self.findings(AnimationSubject<Float>.self, set)
    let third = (operations + 2) / 3
    play(AnimationSubject<Float>.self, third, seed, &findings)
    play(AnimationSubject<SIMD2<Float>>.self, third, seed &+ 1, &findings)
    play(AnimationSubject<SIMD3<Float>>.self, third, seed &+ 2, &findings)
    return findings.results
  }

  private func play<S: ProgramSubject & ~Copyable>(
    _ type: S.Type, _ operations: Int, _ seed: UInt64
  ) -> [CheckResult] {
    var findings = Self.findings(type, set)
    play(type, operations, seed, &findings)
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
    // Springs have names of their own for what is compared after retargets.
    let prefix = S.name == "batch" ? "retarget." : ""
    return Findings(set: set) { aspect in
      "\(S.name).\(aspect == .value || aspect == .velocity ? prefix : "")\(aspect.name)"
    }
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
