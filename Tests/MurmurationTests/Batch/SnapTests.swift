// SPDX-License-Identifier: MIT
import Murmuration
import Testing

/// Slides that end at points only.
struct SnapTests {
  private static let spring = Spring(duration: 0.4, bounce: 0.2)
  private static let (lower, upper) = (SIMD2<Float>(-90, -.infinity), SIMD2<Float>(110, 35))

  /// Points in two components, and what they are within bounds: each number that one component may end at, or each point.
  private static let points: [SnapPoints<SIMD2<Float>>] = [
    .every([40, 25]), .every([40, 25], from: [7, -3]), .values([[0, 0], [100, 20], [-300, 500], [60, -80]]),
    .values([[5, 5]]),
  ]

  private static let starts: [SIMD2<Float>] = [
    [0, 20], [0, 20], [61, -200], [-130, 60], [100, 0], [101, 31], [3, 3],
  ]
  private static let speeds: [SIMD2<Float>] = [
    [50, -10], [600, -10], [-900, 300], [500, 10], [700, -90], [0, 0], [-3_000, 3_000],
  ]

  /// The nearest point to the end of a slide, by trying all.
  private static func end(
    _ start: SIMD2<Float>, _ speed: SIMD2<Float>, _ points: SnapPoints<SIMD2<Float>>, _ isBounded: Bool
  ) -> SIMD2<Double> {
    func limited(_ point: SIMD2<Double>) -> SIMD2<Double> {
      isBounded ? SIMD2(min(max(point.x, -90), 110), min(point.y, 35)) : point
    }
    let end = limited(SIMD2<Double>(start) + SIMD2<Double>(speed) / Deceleration.normal.decayConstant)
    func nearest(_ candidates: [SIMD2<Double>]) -> SIMD2<Double> {
      candidates.map(limited).min { (($0 - end) * ($0 - end)).sum() < (($1 - end) * ($1 - end)).sum() } ?? .zero
    }
    switch points {
    case .values(let values): return nearest(values.map { SIMD2<Double>($0) })
    case .every(let spacing, let first):
      let (step, origin) = (SIMD2<Double>(spacing), SIMD2<Double>(first ?? .zero))
      // One component at a time: the other one stays at the end.
      let grid = (-500...500).map { origin + Double($0) * step }
      return SIMD2(nearest(grid.map { SIMD2($0.x, end.y) }).x, nearest(grid.map { SIMD2(end.x, $0.y) }).y)
    }
  }

  @Test(arguments: KernelSet.available) func tracksSpringToTheNearestPoint(_ set: KernelSet) throws {
    for points in Self.points {
      for isBounded in [false, true] {
        var batch = try AnimationBatch<SIMD2<Float>>(kernels: set)
        let tracks = try batch.add(Self.starts)
        try batch.decelerate(
          tracks, velocities: Self.speeds, within: isBounded ? (Self.lower, Self.upper) : nil, snap: points,
          spring: Self.spring)
        let ends = zip(Self.starts, Self.speeds).map { Self.end($0, $1, points, isBounded) }
        let targets = tracks.map { batch.target(of: $0) ?? .init(repeating: .nan) }
        #expect(targets == ends.map { SIMD2<Float>($0) }, "\(points), bounded: \(isBounded)")
        for time in [0.01, 0.05, 0.2, 0.5, 1] {
          try batch.advance(to: time, velocities: true)
          for (index, track) in tracks.enumerated() {
            let (start, speed) = (SIMD2<Double>(Self.starts[index]), SIMD2<Double>(Self.speeds[index]))
            let (shown, velocity) = (batch[track] ?? .zero, batch.velocity(of: track) ?? .zero)
            for component in 0..<2 {
              let way = ends[index][component] - start[component]
              let (value, rate) = (
                Self.spring.value(target: way, initialVelocity: speed[component], time: time),
                Self.spring.velocity(target: way, initialVelocity: speed[component], time: time)
              )
              let reached = start[component] + value
              #expect(abs(Double(shown[component]) - reached) < 1e-3, "\(time): track \(index), \(component)")
              #expect(abs(Double(velocity[component]) - rate) < 2e-2, "\(time): track \(index), \(component)")
            }
          }
        }
        try batch.advance(to: 60)
        #expect(tracks.map { batch[$0] ?? .zero } == targets)
      }
    }
  }

  @Test func ofTwoAsNearTheGreaterOrTheFirstCounts() throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([5, -5, 0])
    try batch.decelerate(tracks, snap: .every(10))
    let grid = tracks.map { batch.target(of: $0) }
    try batch.decelerate(tracks, snap: .values([-10, 0, 10]))
    #expect(grid == [10, 0, 0] && tracks.map { batch.target(of: $0) } == [0, -10, 0])
  }

  @Test func badPointsChangeNothing() throws {
    var batch = try AnimationBatch<SIMD2<Float>>()
    let tracks = try batch.add([[1, 2], [1, 2]])
    try batch.animate(tracks, to: [5, 5], .linear(duration: 1))
    // The point nearest to an end that is accepted may be too far.
    let error = #expect(throws: BatchError.self) {
      try batch.decelerate(tracks, velocity: [1, 1e15], by: Deceleration(decayConstant: 1), snap: .every([1, 0.6e15]))
    }
    #expect(error?.description == "component of the snap points 2 must be finite and within ±1e15, is 1.2e+15")
    var lists = try AnimationBatch<Components>(dimensions: 2)
    let other = try lists.add([1, 2])
    for (snap, what) in [
      (.values([[0, 0], [1, 2, 3]]), "snap points"), (.every([1, 1], from: [1, 2, 3]), "snap points"),
      (.every([1, 2, 3]), "spacing"),
    ] as [(SnapPoints<Components>, String)] {
      #expect(throws: BatchError.wrongDimensions(of: what, expected: 2, got: 3)) {
        try lists.decelerate(other, velocity: [1, 1], snap: snap)
      }
    }
    #expect(throws: BatchError.wrongDimensions(of: "bounds", expected: 2, got: 1)) {
      try lists.decelerate(other, velocity: [1, 1], within: ([0], [9, 9]))
    }
    try batch.advance(to: 0.5)
    #expect(tracks.map { batch[$0] } == [[3, 3.5], [3, 3.5]])
  }
}
