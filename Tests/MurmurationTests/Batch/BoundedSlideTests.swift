// SPDX-License-Identifier: MIT
import Foundation
import Testing

@testable import Murmuration

/// Slides that meet bounds, against the two motions that they are made of.
struct BoundedSlideTests {
  private static let spring = Spring(duration: 0.4, bounce: 0.2)

  /// x at a time: the slide until it meets the bound, and from there the spring.
  private static func exact(_ start: Double, _ velocity: Double, _ bounds: ClosedRange<Double>, _ time: Double)
    -> Double
  {
    let slide = Deceleration.normal
    func free(_ time: Double) -> Double { slide.value(from: start, initialVelocity: velocity, time: time) }
    if !bounds.contains(start) {
      let bound = start < bounds.lowerBound ? bounds.lowerBound : bounds.upperBound
      return start + spring.value(target: bound - start, initialVelocity: velocity, time: time)
    }
    guard !bounds.contains(free(time)) || !bounds.contains(free(1e3)) else { return free(time) }
    // The contact, by halving.
    let bound = velocity < 0 ? bounds.lowerBound : bounds.upperBound
    var (low, high) = (0.0, 1e3)
    for _ in 0..<200 {
      let middle = (low + high) / 2
      if bounds.contains(free(middle)) { low = middle } else { high = middle }
    }
    if time <= low { return free(time) }
    return bound
      + spring.value(target: 0, initialVelocity: slide.velocity(initialVelocity: velocity, time: low), time: time - low)
  }

  @Test(arguments: KernelSet.available) func eachComponentMeetsItsOwnBound(_ set: KernelSet) throws {
    var batch = try AnimationBatch<SIMD3<Float>>(kernels: set)
    let (lower, upper) = (SIMD3<Float>(-100, 0, -.infinity), SIMD3<Float>(100, 50, .infinity))
    // Slides within, to one bound, to two bounds at two times, and from outside.
    let starts: [SIMD3<Float>] = [[0, 20, 0], [0, 20, 0], [0, 20, 0], [-130, 60, 5], [100, 0, 0]]
    let speeds: [SIMD3<Float>] = [[50, -10, 900], [600, -10, 5], [-900, 300, 80], [500, 10, 0], [700, -90, 1]]
    let tracks = try batch.add(starts)
    try batch.decelerate(tracks, velocities: speeds, within: (lower, upper), spring: Self.spring)
    for frame in 1...400 {
      let time = Double(frame) / 100
      try batch.advance(to: time, velocities: true)
      for (index, track) in tracks.enumerated() {
        let (shown, velocity) = (
          batch[track] ?? .init(repeating: .nan), batch.velocity(of: track) ?? .init(repeating: .nan)
        )
        for component in 0..<3 {
          let bounds = Double(lower[component])...Double(upper[component])
          let (start, speed) = (Double(starts[index][component]), Double(speeds[index][component]))
          let expected = Self.exact(start, speed, bounds, time)
          #expect(abs(Double(shown[component]) - expected) < 2e-3, "\(time): track \(index), component \(component)")
          let step = 1e-5
          let slope =
            (Self.exact(start, speed, bounds, time + step) - Self.exact(start, speed, bounds, time - step)) / (2 * step)
          #expect(abs(Double(velocity[component]) - slope) < 0.3, "\(time): track \(index), component \(component)")
        }
      }
    }
    try batch.advance(to: 60)
    let ends = tracks.map { batch[$0] ?? .zero }
    #expect(ends[1].x == 100 && ends[2].x == -100 && ends[2].y == 50 && ends[3] == [-100, 50, 5] && ends[4].y == 0)
    let areAtRest = tracks.allSatisfy { batch.isAtRest($0) == true }
    #expect(areAtRest)
  }

  /// A slide that meets no bound has the bits of one without bounds.
  @Test func whatMeetsNoBoundIsAPlainSlide() throws {
    var batch = try AnimationBatch<Float>()
    var plain = try AnimationBatch<Float>()
    let (tracks, others) = (try batch.add((0..<40).map(Float.init)), try plain.add((0..<40).map(Float.init)))
    let speeds = (0..<40).map { Float($0) * 3 }
    try batch.decelerate(tracks, velocities: speeds, within: (-1_000, 1_000))
    try plain.decelerate(others, velocities: speeds)
    for time in [0.1, 0.5, 3, 9] {
      try batch.advance(to: time)
      try plain.advance(to: time)
      let (shown, expected) = (tracks.map { batch[$0] }, others.map { plain[$0] })
      #expect(shown == expected)
    }
  }

  /// At a bound as at a point: there the change is complete as one of a spring is.
  @Test(
    arguments: [(10, (-10, 10), nil), (400, nil, SnapPoints.every(100))]
      as [(Float, (lower: Float, upper: Float)?, SnapPoints<Float>?)])
  func theEndIsReportedOnce(end: Float, bounds: (lower: Float, upper: Float)?, snap: SnapPoints<Float>?) throws {
    var batch = try AnimationBatch<Float>()
    let track = try batch.add(0)
    let change = try batch.decelerate(track, velocity: 900, within: bounds, snap: snap, completion: .settled)
    let target = batch.target(of: track)
    #expect(target == end)
    var (events, outcomes) = ([AnimationEvent](), [ChangeOutcome]())
    for frame in 1...600 {
      try batch.advance(to: Double(frame) / 100)
      events += batch.events
      outcomes += batch.outcomes
    }
    #expect(events.map(\.kind) == [.logicallyComplete, .settled] && events.allSatisfy { $0.change == change })
    #expect(outcomes.count == 1 && outcomes[0].change == change)
    let value = batch[track]
    #expect(value == end)
  }

  /// Another motion takes over value and velocity, and pauses and speeds work as for any motion.
  @Test func otherMotionsTakeOver() throws {
    var batch = try AnimationBatch<Float>()
    let track = try batch.add(0)
    try batch.decelerate(track, velocity: 900, within: (-10, 10), spring: Self.spring)
    try batch.advance(to: 0.03)
    let (value, velocity) = (batch[track] ?? .nan, batch.velocity(of: track) ?? .nan)
    #expect(value > 10 && velocity > 0)
    try batch.animate(track, to: 0, .smooth)
    try batch.advance(to: 0.04)
    let next = batch[track] ?? .nan
    let expected = Spring.smooth.value(fromValue: value, toValue: 0, initialVelocity: velocity, time: 0.01)
    #expect(abs(next - expected) < 1e-4)
  }
}
