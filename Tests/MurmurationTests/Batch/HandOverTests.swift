// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// Any motion takes over from any other, as in the model's `AnimatedValue`.
struct HandOverTests {
  /// The motions of a track.
  enum Motion: String, CaseIterable, Sendable {
    case nothing, spring, overdamped, jump, ease, interpolatingSpring, delayedSpring, custom

    var animation: Animation? {
      switch self {
      case .nothing, .jump: nil
      case .spring: .bouncy(duration: 0.6)
      case .overdamped: .spring(Spring(duration: 0.7, bounce: -0.4))
      case .ease: .easeInOut(duration: 0.8)
      case .interpolatingSpring: .interpolatingSpring(duration: 0.5, bounce: 0.4)
      case .delayedSpring: .spring(duration: 0.5, bounce: 0.2).delay(0.1)
      case .custom: Animation(Ramp())
      }
    }
  }

  /// A custom animation that knows its velocity.
  struct Ramp: CustomAnimation {
    func animate<V: VectorArithmetic>(value: V, time: Double, context: inout AnimationContext<V>) -> V? {
      time <= 0.7 ? value.scaled(by: time / 0.7) : nil
    }

    func velocity<V: VectorArithmetic>(value: V, time: Double, context: AnimationContext<V>) -> V? {
      value.scaled(by: 1 / 0.7)
    }
  }

  /// Where tracks head, one after the other.
  private static let goals: [SIMD2<Float>] = [[100, -40], [20, 80]]
  private static let times = [0.2, 0.35, 0.5, 0.65, 0.8, 1.1, 1.5, 2.5]
  /// When the second motion takes over.
  private static let handOver = 0.31

  /// The same hand-over in the model.
  private func model(_ first: Motion, _ second: Motion) -> AnimatedValue<AnimatablePair<Double, Double>> {
    var value = AnimatedValue(AnimatablePair(3.0, 4.0))
    let pairs = Self.goals.map { AnimatablePair(Double($0.x), Double($0.y)) }
    if first != .nothing { value.retarget(to: pairs[0], with: first.animation, at: 0) }
    if second != .nothing { value.retarget(to: pairs[1], with: second.animation, at: Self.handOver) }
    return value
  }

  private func compare(
    _ batch: borrowing AnimationBatch<SIMD2<Float>>, _ handles: [TrackHandle],
    _ model: AnimatedValue<AnimatablePair<Double, Double>>, _ names: String
  ) {
    let (exact, speed) = (model.value(at: batch.time), model.velocity(at: batch.time))
    // The model counts a spring as at rest within a share of its way, a batch within a distance.
    let tolerance = 0.02
    for handle in handles {
      let (value, velocity) = (batch[handle]!, batch.velocity(of: handle)!)
      let error = max(abs(Double(value.x) - exact.first), abs(Double(value.y) - exact.second))
      let slip = max(abs(Double(velocity.x) - speed.first), abs(Double(velocity.y) - speed.second))
      #expect(error <= tolerance, "\(names) at \(batch.time): \(value), model \(exact)")
      #expect(slip <= tolerance * 20, "\(names) at \(batch.time): velocity \(velocity), model \(speed)")
    }
  }

  @Test("Each motion hands over to each other as in the model, alone and in bulk", arguments: KernelSet.available)
  func pairs(_ set: KernelSet) throws {
    for first in Motion.allCases {
      for second in Motion.allCases {
        for count in [1, 20] {
          var batch = try AnimationBatch<SIMD2<Float>>(kernels: set)
          let handles = try batch.add([SIMD2<Float>](repeating: [3, 4], count: count))
          func send(_ motion: Motion, _ goal: SIMD2<Float>) throws {
            if motion != .nothing { try batch.animate(handles, to: goal, motion.animation) }
          }
          let (before, after) = (model(first, .nothing), model(first, second))
          try send(first, Self.goals[0])
          for time in Self.times {
            if batch.time < Self.handOver, time > Self.handOver {
              try batch.advance(to: Self.handOver, velocities: first == second)
              try send(second, Self.goals[1])
            }
            try batch.advance(to: time)
            compare(batch, handles, time > Self.handOver ? after : before, "\(count): \(first) to \(second)")
          }
        }
      }
    }
  }

  @Test("A projected end is where a slide leads to, one alone and many at once", arguments: KernelSet.available)
  func projectedEnds(_ set: KernelSet) throws {
    var batch = try AnimationBatch<Float>(kernels: set)
    let tracks = try batch.add([10, 20, 30])
    try batch.animate(tracks[2], to: 90, .bouncy)
    try batch.advance(to: 0.1)
    let ends = [
      try batch.projectedEnd(of: tracks[0], velocity: 40),
      try batch.projectedEnd(of: tracks[1], velocity: -8, by: .fast), try batch.projectedEnd(of: tracks[2]),
    ]
    try batch.decelerate(tracks[0], velocity: 40)
    try batch.decelerate([tracks[1]], velocities: [-8], by: .fast)
    try batch.decelerate(tracks[2])
    #expect(ends[0] == Float(10 + 40 / Deceleration.normal.decayConstant))
    #expect(tracks.map { batch.target(of: $0) } == ends)
    #expect(try batch.projectedEnd(of: .noTrack) == nil)
    #expect(throws: BatchError.invalidDeceleration(rate: 1)) {
      _ = try batch.projectedEnd(of: tracks[0], by: Deceleration(rate: 1))
    }
    #expect(throws: BatchError.invalidValue(of: "velocity", index: 0, value: .infinity)) {
      _ = try batch.projectedEnd(of: tracks[0], velocity: .infinity)
    }
    try batch.advance(to: 60)
    #expect(tracks.map { batch[$0] } == ends)
  }

  @Test("A call with a delay of 0 takes over the state of the last frame, not motions that began since")
  func delaysOfNothing() throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([0, 0])
    try batch.advance(to: 1)
    try batch.animate(tracks, to: 10, .interpolatingSpring(Spring(duration: 0.5), initialVelocity: 30))
    try batch.retarget(tracks[0], to: 20)
    try batch.retarget(tracks[1], to: 20, delay: 0)
    try batch.advance(to: 1.125)
    #expect(batch[tracks[0]] == batch[tracks[1]])
  }

  @Test("A call that waited takes over a custom animation at its own moment, between two frames")
  func waitingCallsTakeOverCustomAnimations() throws {
    var batch = try AnimationBatch<Float>()
    let track = try batch.add(0)
    try batch.animate(track, to: 100, Animation(Ramp()))
    try batch.animate([track], to: [20], .smooth, delays: [Self.handOver])
    var model = AnimatedValue(0.0)
    model.retarget(to: 100, with: Animation(Ramp()), at: 0)
    model.retarget(to: 20, with: .smooth, at: Self.handOver)
    for time in Self.times {
      try batch.advance(to: time)
      guard time > Self.handOver else { continue }
      let value = try #require(batch[track])
      #expect(abs(Double(value) - model.value(at: time)) < 0.011, "at \(time): \(value)")
    }
  }

  @Test("Compacting keeps what clips show, whether many tracks play one or few each", arguments: [1, 20, 400, 3_000])
  func compacting(_ clipCount: Int) throws {
    // With three values the pieces of a track take about the same number of bytes as its other columns, so that freed
    // memory is taken again.
    let ramp = try Clip(initialValue: SIMD3<Float>()) { _ in LinearKeyframe(SIMD3(10, 20, 30), duration: 1) }
    var batch = try AnimationBatch<SIMD3<Float>>()
    let clips = try (0..<clipCount).map { _ in try batch.load(ramp) }
    let tracks = try batch.add([SIMD3<Float>](repeating: .zero, count: max(40, 3 * clipCount)))
    for (index, track) in tracks.enumerated() { try batch.play(clips[index % clipCount], on: track) }
    try batch.advance(to: 0.25)
    try batch.remove(tracks.filter { $0.index % 3 == 1 })
    try batch.compact()
    try batch.advance(to: 0.5)
    for track in tracks where track.index % 3 != 1 {
      let error = (batch[track] ?? [.nan, .nan, .nan]) - [5, 10, 15]
      #expect((0..<3).allSatisfy { abs(error[$0]) < 1e-5 })
    }
  }
}

// MARK: - At the very moment at which a curve begins

extension HandOverTests {
  typealias Call = (inout AnimationBatch<Float>, [TrackHandle]) throws -> Void

  /// Steps that show a quarter of the way at once.
  private static let steps = Animation.timingCurve(.steps(4, position: .jumpStart), duration: 1)

  /// Tracks with a velocity on a curve that begins now, of which a frame has shown the first value or none has.
  private func begun(_ batch: inout AnimationBatch<Float>, isShown: Bool = true) throws -> [TrackHandle] {
    let tracks = try batch.add([Float](repeating: 0, count: 20))
    try batch.advance(to: 1)
    try batch.push(tracks, by: 3)
    try batch.animate(tracks, to: 1, Self.steps)
    if isShown { try batch.advance(to: 1) }
    return tracks
  }

  /// Only a call that ends the curve takes its first value away: none that is refused, or leaves the motion for now.
  @Test(arguments: [true, false]) func whatLeavesACurveAloneLeavesWhatItShowsFirst(isShown: Bool) throws {
    let calls: [Call] = [
      { _ = try $0.animate($1, to: 1, Self.steps) }, { _ = try $0.animate($1[3], to: 1, Self.steps) },
      { _ = try $0.animate($1, to: 1, .bouncy) }, { _ = try $0.animate($1[3], to: 1, .bouncy) },
      { _ = try $0.animate($1, to: 1, .bouncy, delay: 0.1) }, { _ = try $0.retarget($1, to: 1) },
      { batch, _ in try batch.retarget(.all, to: 1) }, { _ = try $0.retarget($1[3], to: 1) },
      { try $0.setSpeed(2, of: $1) },
      { try $0.setSpeed(1e9, of: $1) }, { try $0.pause($1) },
      { _ = try $0.decelerate($1, velocity: 1e15, by: Deceleration(rate: 0.999_99)) },
      { _ = try $0.push($1, by: .infinity) },
      { _ = try $0.play($0.load(Clip(curve: .linear, duration: 1)), on: $1, Playback(speed: .nan)) },
      {
        _ = try $0.play($0.load(PhaseSequence([0, 1] as [Float], target: { $0 }, animation: { _ in .smooth })), on: $1)
      },
    ]
    for (number, call) in calls.enumerated() {
      var batch = try AnimationBatch<Float>()
      let tracks = try begun(&batch, isShown: isShown)
      let (value, velocity) = (batch[tracks[3]], batch.velocity(of: tracks[3]))
      #expect(value == (isShown ? 0.25 : 0) && (isShown || velocity == 3))
      try? call(&batch, tracks)
      #expect(batch[tracks[3]] == value, "call \(number)")
      // A pause, and another speed, change the velocity.
      guard batch.isPaused(tracks[3]) == false, number != 8 else { continue }
      #expect(batch.velocity(of: tracks[3]) == velocity, "call \(number)")
    }
  }

  /// A call that ends the curve takes over from where the track stood, also after a pause.
  @Test(arguments: [true, false], [true, false])
  func whatEndsACurveAtItsVeryMomentFindsWhatStoodBefore(isShown: Bool, isPaused: Bool) throws {
    let calls: [Call] = [
      { _ = try $0.animate($1, to: 5, .bouncy) }, { _ = try $0.animate($1[3], to: 5, .linear(duration: 1)) },
      { _ = try $0.push($1, by: 2) }, { _ = try $0.decelerate($1, by: .normal) }, { try $0.stop($1) },
      { _ = try $0.follow($1, with: .smooth) },
      { _ = try $0.decelerate($1, velocity: 800, by: .fast, within: (-1, 60)) },
      { batch, tracks in
        let hop = try Clip(initialValue: Float(0)) { _ in CubicKeyframe(1, duration: 1) }
        try batch.play(batch.load(hop), on: tracks, start: .shownValue)
      },
    ]
    for (number, call) in calls.enumerated() {
      var batch = try AnimationBatch<Float>()
      var other = try AnimationBatch<Float>()
      let tracks = try begun(&batch, isShown: isShown)
      if isPaused { try batch.pause(tracks) }
      try call(&batch, tracks)
      let untouched = try other.add([Float](repeating: 0, count: 20))
      try other.advance(to: 1)
      try call(&other, untouched)
      for time in [1, 1.25] {
        try batch.advance(to: time)
        try other.advance(to: time)
        #expect(batch[tracks[3]] == other[untouched[3]], "call \(number) at \(time)")
        #expect(batch.velocity(of: tracks[3]) == other.velocity(of: untouched[3]), "call \(number) at \(time)")
      }
    }
  }
}
