// SPDX-License-Identifier: MIT
import Murmuration
import TestSupport
import Testing

@testable import Reference

/// Random programs of calls, played on batches and on a dictionary of reference springs.
struct ProgramTests {
  @Test(arguments: KernelSet.available) func batchesDoAsTheModelSays(_ set: KernelSet) {
    let operations = Effort.draws(quick: 1_500, soak: 10_000)
    for result in BatchCheck(set: set).programs(operations: operations, seed: 13) {
      #expect(result.passed, "\(result.name): \(result.worst)")
      #expect(result.samples >= operations)
    }
  }

  @Test func aSeedGivesTheSameProgramsEachTime() {
    #expect(Program.random(seed: 5, size: .small) == Program.random(seed: 5, size: .small))
    #expect(Program.random(seed: 5, size: .small) != Program.random(seed: 6, size: .small))
  }

  /// Every call and every refusal is made, on batches with and without tracks.
  @Test func programsMakeEveryCall() {
    var kinds: Set<Substring> = []
    var refusals: Set<String> = []
    for seed in 0..<400 as Range<UInt64> {
      for operation in Program.random(seed: seed, size: .small).operations {
        kinds.insert("\(operation)".prefix { $0 != "(" })
        if case .refused(let refusal, _) = operation {
          refusals.insert(refusal.rawValue)
        }
      }
    }
    #expect(kinds.count == 18, "\(kinds.sorted())")
    #expect(refusals.count == Refusal.allCases.count)
  }

  @Test func everyPartOfAProgramIsAProgram() throws {
    for seed in 20..<40 as Range<UInt64> {
      var program = Program.random(seed: seed, size: .small)
      var random = SplitMix64(seed: seed)
      program.operations.removeAll { _ in random.next() & 1 == 0 }
      var findings = Findings(set: .portable)
      let difference = ProgramRunner.play(program, on: .portable, &findings).difference
      #expect(difference == nil, "\(String(describing: difference))")
    }
  }

  /// A failure that takes an emission of at least 20 tracks and a later removal is cut down to just that.
  @Test func aProgramThatFailsIsShortened() {
    let program = Program.random(seed: 3, size: .big)
    let shrunk = program.shrunk { candidate in
      var hasMany = false
      for operation in candidate.operations {
        switch operation {
        case .emit(let count, _, _): hasMany = hasMany || count >= 20
        case .removeMany, .removeAll, .remove:
          if hasMany {
            return candidate
          }
        default: break
        }
      }
      return nil
    }
    #expect(shrunk.operations.count == 2 && shrunk.dimensions == 1, "\(shrunk.text)")
    guard case .emit(20, _, _)? = shrunk.operations.first else {
      Issue.record("\(shrunk.text)")
      return
    }
  }
}
