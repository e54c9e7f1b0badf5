// SPDX-License-Identifier: MIT
import TestSupport
import Testing

@testable import Murmuration

struct EngineTwinTests {
  @Test("The engine shows the bits of a batch of springs, and reports what it reports", arguments: [1, 2, 3])
  func programs(_ dimensions: Int) throws {
    for seed in 0..<UInt64(Effort.draws(quick: 20, soak: 3000)) {
      var twins = try EngineTwins(seed: seed, dimensions: dimensions)
      do {
        for _ in 0..<40 {
          try twins.call()
          try twins.compare()
        }
      } catch {
        Issue.record("seed \(seed): \(error)\n\(twins.log.joined(separator: "\n"))")
        return
      }
    }
  }

  @Test(
    "The engine plays clips with the bits of a batch of keyframes, and reports what it reports",
    arguments: [false, true])
  func clips(_ hasOwnTiles: Bool) throws {
    for seed in 0..<UInt64(Effort.draws(quick: 20, soak: 3000)) {
      var twins = try ClipTwins(seed: seed, hasOwnTiles: hasOwnTiles)
      do {
        for _ in 0..<40 {
          try twins.call()
          try twins.compare()
        }
      } catch {
        Issue.record("seed \(seed): \(error)\n\(twins.log.joined(separator: "\n"))")
        return
      }
    }
  }

  @Test(
    "Tracks follow curves with the bits of a batch of curves, and report what it reports",
    arguments: KernelSet.available)
  func curves(_ set: KernelSet) throws {
    var count = 0
    for seed in 0..<UInt64(Effort.draws(quick: 15, soak: 300)) {
      var twins = try CurveMotionTwins(seed: seed, set: set)
      do {
        for _ in 0..<40 {
          try twins.call()
          try twins.compare()
        }
      } catch {
        Issue.record("seed \(seed): \(error)\n\(twins.log.joined(separator: "\n"))")
        return
      }
      count += twins.aloneCount
    }
    #expect(count > 5_000)
  }
}
