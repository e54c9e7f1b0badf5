// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

/// A motion whose speed was changed shows what the same motion shows at another time of a batch that was left alone.
struct SpeedTests {
  private typealias Batch = AnimationBatch<SIMD2<Float>>

  private enum Motion: CaseIterable {
    case spring, overdamped, slide, ease, repeats, easeOnSpring, modifiedSpring, continued, custom, follow, phases, loop
    case loopOfLines
  }

  /// A custom animation that knows its velocity.
  private struct Ramp: CustomAnimation {
    func animate<V: VectorArithmetic>(value: V, time: Double, context: inout AnimationContext<V>) -> V? {
      time < 2 ? value.scaled(by: time * time / 4) : nil
    }
    func velocity<V: VectorArithmetic>(value: V, time: Double, context: AnimationContext<V>) -> V? {
      value.scaled(by: time / 2)
    }
  }

  /// Phases with goals at 0, 10, ….
  private static func phases(_ count: Int, _ animation: (Int) -> Animation?) throws -> PhaseSequence {
    try PhaseSequence(Array(0..<count), target: { SIMD2<Float>(10 * Float($0), 1) }, animation: animation)
  }

  private static func start(_ motion: Motion, _ batch: inout Batch) throws -> TrackHandle {
    let track = try batch.add([1, -2])
    let goal: SIMD2<Float> = [40, 10]
    switch motion {
    case .spring: try batch.animate(track, to: goal, .bouncy(duration: 1.5))
    case .overdamped: try batch.animate(track, to: goal, .spring(Spring(duration: 1, bounce: -0.4)))
    case .slide: try batch.decelerate(track, velocity: [90, -40])
    case .ease: try batch.animate(track, to: goal, .easeInOut(duration: 2))
    case .repeats: try batch.animate(track, to: goal, .easeOut(duration: 0.4).delay(0.1).repeatForever())
    case .easeOnSpring:
      try batch.animate(track, to: goal, .bouncy(duration: 1.5))
      try batch.advance(to: 0.05)
      try batch.animate(track, to: [0, 0], .easeInOut(duration: 1.7))
    case .modifiedSpring: try batch.animate(track, to: goal, .bouncy(duration: 1.2).delay(0.1).speed(0.9))
    case .continued:
      try batch.animate(track, to: goal, .bouncy(duration: 1.2).speed(0.9))
      try batch.advance(to: 0.08)
      try batch.animate(track, to: [0, 5], .smooth(duration: 1.2).speed(0.9))
    case .custom: try batch.animate(track, to: goal, Animation(Ramp()))
    case .follow:
      try batch.follow(track, with: Spring(duration: 1))
      try batch.setGoals(of: track, goal)
    case .phases:
      try batch.play(try batch.load(try phases(3) { _ in .snappy }), on: track, .triggered)
      try batch.trigger(track)
    case .loop:
      let eases = try phases(3) { $0 == 1 ? .easeOut(duration: 0.3) : .smooth(duration: 0.25) }
      try batch.play(try batch.load(eases), on: track)
    case .loopOfLines:
      // A spring takes over the velocity with which a line ends.
      let lines = try phases(2) { $0 == 1 ? .linear(duration: 0.3) : .smooth(duration: 0.25) }
      try batch.play(try batch.load(lines), on: track)
    }
    return track
  }

  private static func close(_ shown: SIMD2<Float>?, _ expected: SIMD2<Float>?, _ scale: Float) -> Bool {
    guard let shown, let expected else { return false }
    return (0..<2).allSatisfy { abs(shown[$0] - expected[$0]) <= 2e-5 * scale }
  }

  /// The time that each motion has covered: from 0.2 s on at speed 3, from 0.3 s on at 0.25, from 0.7 s on at 1 again.
  private static func covered(_ time: Double) -> Double {
    if time <= 0.2 { return time }
    if time <= 0.3 { return 0.2 + 3 * (time - 0.2) }
    return time <= 0.7 ? 0.5 + 0.25 * (time - 0.3) : 0.6 + (time - 0.7)
  }

  @Test(arguments: Motion.allCases, KernelSet.available)
  private func everyMotionTakesItsTime(_ motion: Motion, _ set: KernelSet) throws {
    var batch = try Batch(kernels: set)
    var plain = try Batch(kernels: set)
    let (track, other) = (try Self.start(motion, &batch), try Self.start(motion, &plain))
    // Frames of a follower are its steps; they end with one goal.
    for (time, speed) in [(0.1, nil), (0.2, 3), (0.25, nil), (0.3, 0.25), (0.5, nil), (0.7, 1), (0.9, nil), (3, nil)]
      as [(Double, Double?)]
    {
      try batch.advance(to: time, velocities: true)
      try plain.advance(to: Self.covered(time), velocities: true)
      let (shown, expected) = (batch[track], plain[other])
      #expect(Self.close(shown, expected, 40), "\(time): \(String(describing: shown)), \(String(describing: expected))")
      guard let speed else { continue }
      try batch.setSpeed(speed, of: track)
      let pace = Float(speed)
      let (velocity, usual) = (batch.velocity(of: track), plain.velocity(of: other))
      #expect(Self.close(velocity, usual.map { $0 * pace }, 400), "\(time): \(String(describing: velocity))")
      // The value stays.
      #expect(batch[track] == shown)
    }
    #expect(batch.isAtRest(track) == plain.isAtRest(other))
  }

  @Test func speedsInEachFrameAddNoErrors() throws {
    var batch = try AnimationBatch<Float>()
    let track = try batch.add(0, to: 100, Spring(duration: 2, bounce: 0.3))
    var (time, covered) = (0.0, 0.0)
    for frame in 0..<2_000 {
      let speed = frame % 2 == 0 ? 1.3 : 0.1
      try batch.setSpeed(speed, of: track)
      time += 1.0 / 1024
      covered += speed / 1024
      try batch.advance(to: time)
      let exact = Spring(duration: 2, bounce: 0.3).value(target: 100.0, time: covered)
      #expect(abs(Double(batch[track] ?? .nan) - exact) < 1e-4)
    }
  }

  /// All steps of a sequence are one change, and each has its own spring.
  @Test func aStepKnowsNothingOfTheSpeedOfTheStepBefore() throws {
    func values(_ speeds: [Double]) throws -> [Float] {
      var batch = try AnimationBatch<Float>()
      let track = try batch.add(0)
      let sequence = try PhaseSequence([0, 1, 2] as [Float], target: { 10 * $0 }) {
        $0 == 1 ? .spring(duration: 1) : .spring(duration: 0.3, bounce: 0.5)
      }
      try batch.play(try batch.load(sequence), on: track)
      try batch.advance(to: 0.5)
      for speed in speeds { try batch.setSpeed(speed, of: track) }
      try batch.advance(to: 1.05)
      try batch.setSpeed(2, of: track)
      return try [1.1, 1.15, 1.2].map { time in
        try batch.advance(to: time)
        return batch[track] ?? .nan
      }
    }
    for (value, other) in zip(try values([]), try values([2, 1])) { #expect(abs(value - other) < 1e-4) }
  }

  @Test func aSpeedThatAMotionCannotHaveChangesNothing() throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([0, 0, 0, 5])
    try batch.animate(tracks[0], to: 1, .smooth)
    try batch.animate(tracks[1], to: 1, .linear(duration: 2))
    try batch.decelerate(tracks[2], velocity: 5)
    for (index, speed) in [(0, -1.0), (1, 0), (2, 1e7), (0, 1e5), (2, 1e-6), (0, .nan), (1, -0.0)] {
      let error = #expect(throws: BatchError.self, "\(speed)") {
        try batch.setSpeed((0..<4).map { $0 == index ? speed : $0 == 0 ? 3 : 1 }, of: tracks)
      }
      if case .invalidPlayback(index, _)? = error {} else { Issue.record("\(String(describing: error))") }
    }
    // A track that stands has no motion to refuse a speed.
    try batch.setSpeed(-1, of: tracks[3])
    try batch.advance(to: 0.5)
    let (spring, line) = (batch[tracks[0]] ?? .nan, batch[tracks[1]] ?? .nan)
    #expect(abs(line - 0.25) < 1e-6 && abs(Double(spring) - Spring.smooth.value(target: 1.0, time: 0.5)) < 1e-6)
  }
}
