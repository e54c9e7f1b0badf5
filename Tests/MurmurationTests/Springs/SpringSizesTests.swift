// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// Numbers of tracks around the widths of vectors and tiles, numbers of dimensions, and steps from 0 to 1e9 s: each value
/// and velocity of each track follows the model.
struct SpringSizesTests {
  private static let counts = [0, 1, 7, 8, 9, 15, 16, 17, 31, 33, 100]
  private static let steps = [0, 1e-6, 1.0 / 60, 0.1, 1, 1e9]

  /// Numbers that repeat with another period than tiles and dimensions, and are small enough to be exact in Float.
  private static func numbers(_ count: Int, _ modulus: Int, offset: Float, scale: Float = 1) -> [Float] {
    (0..<count).map { Float($0 % modulus) * scale + offset }
  }

  private struct Start {
    let values, targets, velocities: [Float]

    init(count: Int, dimensions: Int) {
      values = numbers(count * dimensions, 97, offset: -40)
      targets = numbers(count * dimensions, 31, offset: 0)
      velocities = numbers(count * dimensions, 13, offset: -300, scale: 50)
    }
  }

  private func expectModel(
    _ batch: borrowing AnimationBatch<Components>, _ start: Start, at time: Double, spring: (Int) -> Spring
  ) throws {
    let count = batch.count
    for dimension in 0..<batch.dimensions {
      let (values, velocities) = (try batch.values(dimension), try batch.velocities(dimension))
      for track in 0..<count {
        let element = dimension * count + track
        let (from, to) = (start.values[element], start.targets[element])
        let spring = spring(track)
        var (value, velocity) = (Double(from), Double(start.velocities[element]))
        spring.update(value: &value, velocity: &velocity, target: Double(to), deltaTime: time)
        let scale = max(abs(Double(from - to)), abs(Double(start.velocities[element])) / spring.naturalFrequency)
        let bound = 8 * 0x1p-24 * scale
        let rounding = Double(max(abs(Float(value)), abs(to)).ulp) / 2
        guard abs(Double(values[track]) - value) <= bound + rounding,
          abs(Double(velocities[track]) - velocity) <= bound * spring.naturalFrequency
        else {
          Issue.record("dimension \(dimension), track \(track) at \(time): \(values[track]), not \(value)")
          return
        }
      }
    }
  }

  @Test(arguments: counts, [1, 3, 9]) func springsOfOneCallFollowTheModel(_ count: Int, _ dimensions: Int) throws {
    let start = Start(count: count, dimensions: dimensions)
    let spring = Spring(duration: 0.6, bounce: 0.25)
    for step in Self.steps {
      var batch = try AnimationBatch<Components>(dimensions: dimensions)
      try batch.hardlyRests()
      try batch.add(
        planar: start.values.span, velocities: start.velocities.span, toPlanar: start.targets.span, spring)
      try batch.advance(by: step, velocities: true)
      try expectModel(batch, start, at: step) { _ in spring }
    }
  }

  @Test(arguments: counts, [1, 3, 9]) func mixedTracksFollowTheModel(
    _ count: Int, _ dimensions: Int
  ) throws {
    let start = Start(count: count, dimensions: dimensions)
    var random = SplitMix64(seed: UInt64(count * 100 + dimensions))
    // Both regimes within a tile, so that masked loops run too.
    let springs = (0..<count).map { _ in
      Spring(duration: random.uniform(0.1...2), bounce: random.uniform(-0.9...0.9))
    }
    for step in Self.steps {
      var batch = try AnimationBatch<Components>(dimensions: dimensions)
      try batch.hardlyRests()
      try batch.add(
        planar: start.values.span, velocities: start.velocities.span, toPlanar: start.targets.span,
        springs: springs.span)
      try batch.advance(by: step, velocities: true)
      try expectModel(batch, start, at: step) { springs[$0] }
    }
  }
}
