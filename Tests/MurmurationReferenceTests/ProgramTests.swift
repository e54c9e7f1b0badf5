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

  /// Programs on which batch and reference differed once, and the dimensions of their batches.
  @Test(
    arguments: [
      ("a clip that is moved to its end in a pause", 1, 17_631_456_470_899_147_526),
      ("a clip that is over by the clock of a track that was paused", 3, 4_334_048_690_694_865_314),
      ("a clip that is paused at the moment of its end", 1, 5_401_063_869_137_524_066),
      ("a spring that replaces a clip that is paused at its end", 2, 6_483_490_967_512_189_109),
      ("a curve added to a spring whose error in velocity has no bound", 1, 5_926_654_497_485_368_968),
      ("a spring that follows a curve that is over, and was added to an upright one", 3, 8_731_573_535_174_478_902),
      ("a pause of a spring that rests by the tolerance of the last frame", 1, 7_231_996_603_426_392_394),
      ("a pause of a spring that rests and waits", 1, 12_328_786_481_194_937_234),
      ("a jump of a track that was paused", 1, 1_419_932_843_152_797_089),
    ] as [(String, Int, UInt64)])
  func programsThatFailedPass(_ what: String, _ dimensions: Int, _ seed: UInt64) {
    let difference =
      switch dimensions {
      case 1: Self.difference(AnimationSubject<Float>.self, seed)
      case 2: Self.difference(AnimationSubject<SIMD2<Float>>.self, seed)
      default: Self.difference(AnimationSubject<SIMD3<Float>>.self, seed)
      }
    #expect(difference == nil, "\(what): \(String(describing: difference))")
  }

  /// The first difference that a small program shows.
  private static func difference<S: ProgramSubject & ~Copyable>(_ type: S.Type, _ seed: UInt64) -> Difference? {
    var findings = BatchCheck.findings(type, .portable)
    return ProgramRunner<S>.play(.random(seed: seed, size: .small, S.calls), on: .portable, &findings).difference
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
