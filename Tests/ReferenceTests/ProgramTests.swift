// SPDX-License-Identifier: MIT
import Murmuration
import TestSupport
import Testing

@testable import Reference

/// Random programs of calls, played on batches and on references of their tracks.
struct ProgramTests {
  @Test(arguments: BatchCheck.Subject.allCases, KernelSet.available)
  func batchesDoAsTheReferenceSays(_ subject: BatchCheck.Subject, _ set: KernelSet) {
    let operations = Effort.draws(quick: subject == .animations ? 300 : 100, soak: 10_000)
    for result in BatchCheck(set: set).programs(of: subject, operations: operations, seed: 13) {
      #expect(result.passed, "\(result.name): \(result.worst)")
      #expect(result.samples > 0)
    }
  }

  private static func random(_ seed: UInt64, _ size: Program.Size = .small) -> Program {
    Program.random(seed: seed, size: size, AnimationSubject<Float>.calls)
  }

  @Test func aSeedGivesTheSameProgramsEachTime() {
    #expect(Self.random(5) == Self.random(5))
    #expect(Self.random(5) != Self.random(6))
  }

  /// Every call that a batch takes, and every refusal, is made.
  @Test func programsMakeEveryCall() {
    var kinds: Set<CallKind> = []
    var operations: Set<Substring> = []
    var refusals: Set<String> = []
    let all = [AnimationSubject<Float>.calls, PhaseSubject<Float>.calls]
    for calls in all {
      for seed in 0..<400 as Range<UInt64> {
        for operation in Program.random(seed: seed, size: .small, calls).operations {
          operations.insert("\(operation)".prefix { $0 != "(" })
          if case .call(let kind, _, _) = operation { kinds.insert(kind) }
          if case .refused(let refusal, _) = operation { refusals.insert(refusal.rawValue) }
        }
      }
    }
    #expect(kinds == all.reduce(into: []) { $0.formUnion($1.kinds) })
    #expect(operations.count == 11, "\(operations.sorted())")
    #expect(refusals.count == Refusal.allCases.count)
  }

  @Test func everyPartOfAProgramIsAProgram() throws {
    for seed in 20..<30 as Range<UInt64> {
      var program = Self.random(seed)
      var random = SplitMix64(seed: seed)
      program.operations.removeAll { _ in random.next() & 1 == 0 }
      var findings = BatchCheck.findings(AnimationSubject<Float>.self, .portable)
      let difference = ProgramRunner<AnimationSubject<Float>>.play(program, on: .portable, &findings).difference
      #expect(difference == nil, "\(String(describing: difference))")
    }
  }

  /// A failure that needs an emission of at least 20 tracks and a later removal is shortened to just these.
  @Test func aProgramThatFailsIsShortened() {
    let program = Self.random(3, .big)
    let shrunk = program.shrunk { candidate in
      var hasMany = false
      for operation in candidate.operations {
        switch operation {
        case .emit(let count, _, _), .add(let count, _): hasMany = hasMany || count >= 20
        case .call(.remove, _, _), .removeAll:
          if hasMany {
            return candidate
          }
        default: break
        }
      }
      return nil
    }
    #expect(shrunk.operations.count == 2 && shrunk.dimensions == 1, "\(shrunk.text)")
    switch shrunk.operations.first {
    case .emit(20, _, _), .add(20, _): break
    default: Issue.record("\(shrunk.text)")
    }
  }
}
