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
        let (shown, velocity) = (batch[track]!, batch.velocity(of: track)!)
        for component in 0..<3 {
          let bounds = Double(lower[component])...Double(upper[component])
          func exact(_ time: Double) -> Double {
            Self.exact(Double(starts[index][component]), Double(speeds[index][component]), bounds, time)
          }
          let slope = (exact(time + 1e-5) - exact(time - 1e-5)) / 2e-5
          #expect(abs(Double(shown[component]) - exact(time)) < 2e-3, "\(time): track \(index), component \(component)")
          #expect(abs(Double(velocity[component]) - slope) < 0.3, "\(time): track \(index), component \(component)")
        }
      }
    }
    try batch.advance(to: 60)
    let ends = tracks.map { batch[$0]! }
    #expect(ends[1].x == 100 && ends[2].x == -100 && ends[2].y == 50 && ends[3] == [-100, 50, 5] && ends[4].y == 0)
    #expect(tracks.allSatisfy { batch.isAtRest($0) == true })
  }

  /// Bounds beyond all numbers of a batch would lead a track there; a track would show no number.
  @Test(
    arguments: [
      (Float.infinity, .infinity), (-.infinity, -.infinity), (1e30, 1e31), (-1e31, -1e30), (1.1e15, .infinity),
      (.nan, 1),
      (1, 0),
    ] as [(Float, Float)])
  func boundsThatLeaveNoNumberAreRefused(_ bounds: (lower: Float, upper: Float)) throws {
    var batch = try AnimationBatch<Float>()
    let track = try batch.add(2)
    for snap in [nil, .every(1), .values([5])] as [SnapPoints<Float>?] {
      #expect(throws: BatchError.self) { try batch.decelerate(track, velocity: 9, within: bounds, snap: snap) }
    }
    try batch.advance(to: 1)
    #expect(batch[track] == 2)
  }

  @Test(arguments: [(-Float.infinity, .infinity), (-1e30, 1e30), (-.infinity, 1e15), (0, 4)] as [(Float, Float)])
  func wideBoundsAreBounds(_ bounds: (lower: Float, upper: Float)) throws {
    var batch = try AnimationBatch<Float>()
    let track = try batch.add(2)
    try batch.decelerate(track, velocity: 1, within: bounds)
    try batch.advance(to: 100)
    #expect(abs((batch[track] ?? .nan) - 2.5) < 0.01)
  }

  /// A slide that meets no bound has the bits of one without bounds.
  @Test func whatMeetsNoBoundIsAPlainSlide() throws {
    var batch = try AnimationBatch<Float>()
    let values = (0..<40).map(Float.init)
    let (tracks, others) = (try batch.add(values), try batch.add(values))
    try batch.decelerate(tracks, velocities: values.map { 3 * $0 }, within: (-1_000, 1_000))
    try batch.decelerate(others, velocities: values.map { 3 * $0 })
    for time in [0.1, 0.5, 3, 9] {
      try batch.advance(to: time)
      #expect(tracks.map { batch[$0] } == others.map { batch[$0] })
    }
  }
}
