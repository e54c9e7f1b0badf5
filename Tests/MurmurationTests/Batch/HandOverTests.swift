// SPDX-License-Identifier: MIT
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

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
      guard let value = batch[handle], let velocity = batch.velocity(of: handle) else {
        Issue.record("\(names): no track")
        return
      }
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
          let (before, after) = (model(first, .nothing), model(first, second))
          var isSecondStarted = false
          if first != .nothing { try send(handles, 0, first, &batch) }
          for time in Self.times {
            if !isSecondStarted, time > Self.handOver {
              try batch.advance(to: Self.handOver, velocities: first == second)
              if second != .nothing { try send(handles, 1, second, &batch) }
              isSecondStarted = true
            }
            try batch.advance(to: time)
            compare(batch, handles, isSecondStarted ? after : before, "\(count): \(first) to \(second)")
          }
        }
      }
    }
  }

  private func send(
    _ handles: [TrackHandle], _ goal: Int, _ motion: Motion, _ batch: inout AnimationBatch<SIMD2<Float>>
  ) throws {
    let goal = Self.goals[goal]
    if handles.count == 1 {
      try batch.animate(handles[0], to: goal, motion.animation)
    } else {
      try batch.animate(handles, to: [SIMD2<Float>](repeating: goal, count: handles.count), motion.animation)
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
      try batch.projectedEnd(of: tracks[1], velocity: -8, by: .fast),
      try batch.projectedEnd(of: tracks[2]),
    ]
    try batch.decelerate(tracks[0], velocity: 40)
    try batch.decelerate([tracks[1]], velocities: [-8], by: .fast)
    try batch.decelerate(tracks[2])
    let targets = tracks.map { batch.target(of: $0) }
    #expect(targets == ends && ends[0] == Float(10 + 40 / Deceleration.normal.decayConstant))
    let (stranger, bad) = (TrackHandle.noTrack, Deceleration(rate: 1))
    let none = try batch.projectedEnd(of: stranger)
    #expect(none == nil)
    #expect(throws: BatchError.invalidDeceleration(rate: 1)) { _ = try batch.projectedEnd(of: tracks[0], by: bad) }
    #expect(throws: BatchError.invalidValue(of: "velocity", index: 0, value: .infinity)) {
      _ = try batch.projectedEnd(of: tracks[0], velocity: .infinity)
    }
    try batch.advance(to: 60)
    let shown = tracks.map { batch[$0] }
    #expect(shown == targets)
  }

  @Test("A track that is displaced goes on to its target, and one that is set stays", arguments: KernelSet.available)
  func displacing(_ set: KernelSet) throws {
    for count in [1, 20] {
      var batch = try AnimationBatch<Float>(kernels: set)
      let tracks = try batch.add([Float](repeating: 0, count: 4 * count))
      let parts = (0..<4).map { Array(tracks[$0 * count..<($0 + 1) * count]) }
      let goals = [Float](repeating: 50, count: count)
      for part in [0, 1] { try batch.animate(parts[part], to: goals, .bouncy) }
      try batch.decelerate(parts[2], velocities: goals, by: .fast)
      try batch.animate(parts[3], to: goals, .linear(duration: 1))
      try batch.advance(to: 0.1)
      let ends = parts[2].map { batch.target(of: $0) ?? .nan }
      let (values, speeds) = ([Float](repeating: 5, count: count), [Float](repeating: -30, count: count))
      try batch.set(parts[0], values, velocities: speeds)
      for part in 1...3 { try batch.displace(parts[part], values, velocities: speeds) }
      for track in tracks {
        let (value, velocity) = (batch[track], batch.velocity(of: track))
        #expect(value == 5 && velocity == -30)
      }
      try batch.advance(to: 0.3)
      let sprung = Spring.bouncy.value(target: 45.0, initialVelocity: -30, time: 0.2) + 5
      let critical = Spring(response: 2 * .pi / Deceleration.fast.decayConstant, dampingRatio: 1)
      let slid = critical.value(target: Double(ends[0]) - 5, initialVelocity: -30, time: 0.2) + 5
      for index in 0..<count {
        let shown = parts.map { batch[$0[index]] ?? .nan }
        #expect(shown[0] == 5 && shown[3] == 5)
        #expect(abs(Double(shown[1]) - sprung) < 1e-4 && abs(Double(shown[2]) - slid) < 1e-4)
      }
      // A spring takes over the velocity that a track was given.
      try batch.animate(parts[0][0], to: 5, .smooth)
      try batch.advance(by: 0.01)
      let thrown = batch[parts[0][0]] ?? .nan
      #expect(thrown < 5)
    }
  }

  @Test("Tracks that are added in motion move as if they were sent to their goals", arguments: KernelSet.available)
  func departures(_ set: KernelSet) throws {
    var batch = try AnimationBatch<SIMD2<Float>>(kernels: set)
    let spring = Spring.bouncy
    let values = (0..<40).map { SIMD2<Float>(Float($0), 1) }
    let goals = (0..<40).map { SIMD2<Float>(50, Float($0)) }
    let velocities = [SIMD2<Float>](repeating: [100, -10], count: 40)
    let tracks = try batch.add(values, velocities: velocities, to: goals, spring)
    let change = batch.latestChange
    let each = try batch.add(values, to: goals, springs: (0..<40).map { $0 % 2 == 0 ? spring : .smooth })
    let one = try batch.add([3, 3], velocity: [7, 7], to: [3, 3], spring)
    for (index, track) in tracks.enumerated() {
      let (value, velocity, target) = (batch[track], batch.velocity(of: track), batch.target(of: track))
      #expect(value == values[index] && velocity == velocities[index] && target == goals[index])
    }
    try batch.advance(to: 0.2)
    for index in 0..<40 {
      for component in 0..<2 {
        let (start, goal) = (Double(values[index][component]), Double(goals[index][component]))
        let thrown =
          start
          + spring.value(
            target: goal - start, initialVelocity: Double(velocities[index][component]), time: 0.2)
        let sent = start + (index % 2 == 0 ? spring : .smooth).value(target: goal - start, time: 0.2)
        let shown = (batch[tracks[index]]?[component] ?? .nan, batch[each[index]]?[component] ?? .nan)
        #expect(abs(Double(shown.0) - thrown) < 1e-3 && abs(Double(shown.1) - sent) < 1e-3)
      }
    }
    // At its goal, but with a velocity.
    let moved = batch[one] ?? .zero
    #expect(moved.x > 3)
    try batch.advance(to: 9)
    let settled = Set(batch.events.filter { $0.kind == .settled && $0.change == change }.map(\.track))
    #expect(settled == Set(tracks))
  }

  @Test("A call with a delay of 0 takes over the state of the last frame, not motions that began since")
  func delaysOfNothing() throws {
    var shown: [Float?] = []
    for isDelayed in [false, true] {
      var batch = try AnimationBatch<Float>()
      let handle = try batch.add(0)
      try batch.advance(to: 1)
      try batch.animate(handle, to: 10, .interpolatingSpring(Spring(duration: 0.5), initialVelocity: 30))
      if isDelayed {
        try batch.retarget([handle], to: [20], delays: [0])
      } else {
        try batch.retarget(handle, to: 20)
      }
      try batch.advance(to: 1.125)
      shown.append(batch[handle])
    }
    #expect(shown[0] == shown[1])
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
      #expect(abs(Double(value) - model.value(at: time)) < 1e-3 + 1e-4 * 100, "at \(time): \(value)")
    }
  }
}

/// Clips take over from other motions, and other motions from clips.
struct ClipHandOverTests {
  /// From 0 to 10 within a second, at an even pace.
  private static func ramp() throws -> Clip {
    try Clip(
      KeyframeTimeline(initialValue: Float(0)) { KeyframeTrack { LinearKeyframe(Float(10), duration: 1) } })
  }

  /// A batch whose tracks play the ramp twice as fast, at 5.
  private struct Playing: ~Copyable {
    var batch: AnimationBatch<Float>
    let tracks: [TrackHandle]
    let goals: [Float]

    init(_ count: Int, _ set: KernelSet) throws {
      var batch = try AnimationBatch<Float>(kernels: set)
      let tracks = try batch.add([Float](repeating: 3, count: count))
      try batch.play(try batch.load(ramp()), on: tracks, Playback(speed: 2))
      try batch.advance(to: 0.25)
      goals = [Float](repeating: 0, count: count)
      self.tracks = tracks
      self.batch = batch
    }

    /// Expects all tracks at a value.
    func expect(_ value: Double, within error: Double, sourceLocation: SourceLocation = #_sourceLocation) {
      for track in tracks {
        let shown = Double(batch[track] ?? .nan)
        #expect(abs(shown - value) < error, sourceLocation: sourceLocation)
      }
    }
  }

  @Test("A clip hands value and velocity to a spring and a slide, the value alone to a curve", arguments: [1, 40])
  func fromClips(_ count: Int) throws {
    for set in KernelSet.available {
      var playing = try Playing(count, set)
      let velocity = playing.batch.velocity(of: playing.tracks[0])
      playing.expect(5, within: 1e-6)
      #expect(velocity == 20)
      try playing.batch.animate(playing.tracks, to: playing.goals, .smooth)
      try playing.batch.advance(to: 0.45)
      let way = Spring.smooth.value(target: -5.0, initialVelocity: 20.0, time: 0.2)
      playing.expect(5 + way, within: 1e-4)

      playing = try Playing(count, set)
      try playing.batch.animate(playing.tracks, to: playing.goals, .linear(duration: 1))
      try playing.batch.advance(to: 0.75)
      playing.expect(5 * (1 - Animation.progress(.linear(duration: 1), at: 0.5)), within: 1e-5)

      playing = try Playing(count, set)
      try playing.batch.decelerate(playing.tracks, by: .fast)
      let end = playing.batch.target(of: playing.tracks[0]) ?? .nan
      #expect(abs(Double(end) - (5 + 20 / Deceleration.fast.decayConstant)) < 1e-5)

      playing = try Playing(count, set)
      try playing.batch.animate(playing.tracks, to: playing.goals, nil)
      playing.expect(0, within: 1e-9)
    }
  }

  @Test("A clip starts with its first value, or from the current value and velocity")
  func toClips() throws {
    for set in KernelSet.available {
      for start in [ClipStart.firstValue, .shownValue] {
        var batch = try AnimationBatch<Float>(kernels: set)
        let track = try batch.add(0)
        let hop = try batch.load(
          Clip(initialValue: Float(0)) { _ in
            KeyframeTrack {
              CubicKeyframe(Float(8), duration: 0.5)
              CubicKeyframe(Float(1), duration: 0.5)
            }
          })
        try batch.animate(track, to: 100, .bouncy)
        try batch.advance(to: 0.2, velocities: true)
        let (value, velocity) = (batch[track] ?? .nan, batch.velocity(of: track) ?? .nan)
        try batch.play(hop, on: track, start: start)
        try batch.advance(to: 0.2 + 1e-4)
        let next = batch[track] ?? .nan
        if start == .shownValue {
          #expect(abs(next - (value + 1e-4 * velocity)) < 1e-3)
        } else {
          #expect(abs(next) < 1e-3)
        }
        try batch.advance(to: 1.3)
        let last = batch[track] ?? .nan
        #expect(abs(last - 1) < 1e-4)
      }
    }
  }

  @Test(
    "A waiting call takes over from the state of a clip at its moment, for any frames", arguments: KernelSet.available)
  func fromClipsLater(_ set: KernelSet) throws {
    for frames in [[0.45], [0.3, 0.45], [0.35, 0.45], [0.3, 0.4, 0.45]] {
      var playing = try Playing(3, set)
      try playing.batch.animate(playing.tracks, to: playing.goals, .smooth, delays: [0.1, 0.1, 0.1])
      for time in frames { try playing.batch.advance(to: time) }
      // At 0.35 s the clip is at 7.
      playing.expect(7 + Spring.smooth.value(target: -7.0, initialVelocity: 20.0, time: 0.1), within: 1e-4)
    }
    // The events of the clip before that moment are reported.
    var playing = try Playing(1, set)
    try playing.batch.animate(playing.tracks, to: playing.goals, .smooth, delays: [0.5])
    try playing.batch.advance(to: 0.8)
    let events = playing.batch.events
    #expect(events.map(\.kind) == [.logicallyComplete, .settled])
    #expect(events.allSatisfy { abs($0.moment - 0.5) < 1e-9 })
  }

  @Test("New tracks after a removal of all tracks do not count as playing clips")
  func afterAllWent() throws {
    var batch = try AnimationBatch<Float>()
    let clip = try batch.load(Self.ramp())
    let tracks = try batch.add([Float](repeating: 0, count: 20))
    try batch.play(clip, on: tracks)
    try batch.advance(to: 0.5)
    batch.removeAll()
    let next = try batch.add(3)
    try batch.advance(to: 2)
    let (shown, velocity, count) = (batch[next], batch.velocity(of: next), batch.events.count)
    #expect(shown == 3 && velocity == 0 && count == 0)
    try batch.play(clip, on: next)
    try batch.advance(to: 2.5)
    let played = batch[next] ?? .nan
    #expect(abs(played - 5) < 1e-5)
  }

  @Test("Compacting keeps what clips show, whether many tracks play one or few each", arguments: [1, 20, 400, 3_000])
  func compacting(_ clipCount: Int) throws {
    // With three values the pieces of a track take about the same number of bytes as its other columns, so that freed
    // memory is taken again.
    let ramp = try Clip(
      KeyframeTimeline(initialValue: SIMD3<Float>()) {
        KeyframeTrack { LinearKeyframe(SIMD3<Float>(10, 20, 30), duration: 1) }
      })
    var batch = try AnimationBatch<SIMD3<Float>>()
    var clips: [ClipID] = []
    for _ in 0..<clipCount { clips.append(try batch.load(ramp)) }
    let tracks = try batch.add([SIMD3<Float>](repeating: [0, 0, 0], count: max(40, 3 * clipCount)))
    for (index, track) in tracks.enumerated() { try batch.play(clips[index % clipCount], on: track) }
    try batch.advance(to: 0.25)
    try batch.remove(tracks.indices.filter { $0 % 3 == 1 }.map { tracks[$0] })
    try batch.compact()
    try batch.advance(to: 0.5)
    for index in tracks.indices where index % 3 != 1 {
      let shown = batch[tracks[index]] ?? [.nan, .nan, .nan]
      #expect((shown - [5, 10, 15]).max() < 1e-5 && (shown - [5, 10, 15]).min() > -1e-5)
    }
  }

  @Test("A clip cannot be unloaded while a track plays it, and can once a spring has taken over")
  func unloading() throws {
    var batch = try AnimationBatch<Float>()
    let track = try batch.add(0)
    let clip = try batch.load(Self.ramp())
    try batch.play(clip, on: track)
    #expect(throws: BatchError.clipInUse(clip)) { try batch.unload(clip) }
    try batch.animate(track, to: 1, .smooth)
    try batch.unload(clip)
    #expect(throws: BatchError.unknownClip(clip)) { try batch.play(clip, on: track) }
  }
}

extension Animation {
  /// How much of a way is covered.
  fileprivate static func progress(_ animation: Animation, at time: Double) -> Double {
    var context = AnimationContext<Double>()
    return animation.animate(value: 1.0, time: time, context: &context) ?? 1
  }
}
