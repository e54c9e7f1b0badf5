// SPDX-License-Identifier: MIT
import AnimationModel
import Kernels
import Testing

@testable import Murmuration

/// A bake shows rest from the same frame on as playing frame by frame.
struct BakeRestTests {
  private static let count = 48

  private func batch(_ set: KernelSet? = nil) throws -> AnimationBatch<Float> {
    var random = SplitMix64(seed: 11)
    let springs = (0..<Self.count).map { _ in
      Spring(duration: random.uniform(0.1...0.6), bounce: random.uniform(-0.5...0.7))
    }
    let values = (0..<Self.count).map { _ in Float(random.uniform(1...100)) }
    var batch = try AnimationBatch<Float>(kernels: set)
    try batch.add(values, to: [Float](repeating: 0, count: Self.count), springs: springs)
    return batch
  }

  /// The first frame in which each track rests: the one after the last frame with a velocity.
  private func restFrames(_ baked: Baked, _ frames: Int) -> [Int] {
    (0..<Self.count).map { track in
      ((0..<frames).last { baked.velocities[$0 * Self.count + track] != 0 } ?? -1) + 1
    }
  }

  /// Rates at which a frame falls on the moment of rest of a track, or next to it within the resolution of ages.
  @Test(arguments: KernelSet.available) func restAtFramesIsThatOfAges(_ set: KernelSet) throws {
    let batch = try batch(set)
    // All motions began at time 0.
    let restAges = (0..<Self.count).map { index in
      batch.handle(at: index).flatMap { batch.restTime(of: $0) }.map { Float($0) } ?? .nan
    }
    var onTheEdge = 0
    for track in stride(from: 0, to: Self.count, by: 9) {
      let restAge = restAges[track]
      for (frame, age) in [(1, restAge), (40, restAge), (77, restAge.nextDown), (78, restAge.nextUp)] {
        for nudge in [-1e-8, -1e-15, 0, 1e-15, 1e-8] {
          let frames = BakeFrames(0..<90, perSecond: Double(frame) / (Double(age) * (1 + nudge)))
          let shown = restFrames(try Baked(batch, BakeRequest(frames, indices: 0..<Self.count)), 90)
          let ages = frames.range.map { Float(frames.time(of: $0)) }
          for other in stride(from: track % 4, to: Self.count, by: 4) {
            let expected = ages.firstIndex { $0 >= restAges[other] } ?? 90
            if shown[other] != expected { Issue.record("track \(other), \(frames.perSecond) frames a second") }
            if other == track, expected == frame || expected == frame + 1 { onTheEdge += 1 }
          }
        }
      }
    }
    #expect(onTheEdge > 60)
  }

  /// A known age of rest is forgotten when the motion or the tolerance changes.
  @Test func restIsFoundAnewWhereItChanged() throws {
    var batch = try batch()
    let frames = BakeFrames(0..<200, perSecond: 60)
    let before = restFrames(try Baked(batch, BakeRequest(frames, indices: 0..<Self.count)), 200)
    let changed = batch.handle(at: 7)
    let handle = try #require(changed)
    try batch.animate(handle, to: 3_000, .spring(duration: 0.9, bounce: 0.6))
    let after = restFrames(try Baked(batch, BakeRequest(frames, indices: 0..<Self.count)), 200)
    #expect(after[7] > before[7])
    #expect(after[..<7] == before[..<7] && after[8...] == before[8...])
    batch.restTolerance = try RestTolerances(value: 1)
    let sooner = restFrames(try Baked(batch, BakeRequest(frames, indices: 0..<Self.count)), 200)
    #expect(zip(sooner, after).allSatisfy { $0 <= $1 } && sooner != after)
    // Frame by frame from here on.
    for frame in frames.range {
      try batch.advance(to: frames.time(of: frame))
      for track in 0..<Self.count {
        let rests = batch.handle(at: track).flatMap { batch.isAtRest($0) }
        #expect(rests == (frame >= sooner[track]), "track \(track), frame \(frame)")
      }
    }
  }
}
