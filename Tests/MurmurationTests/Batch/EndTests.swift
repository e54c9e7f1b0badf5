// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// An end is reported in the frame that shows it: not before, and not a frame late.
struct EndTests {
  /// Animations from 1 to 3 that begin at 0, and when each shows its target for good.
  static let animations: [(animation: Animation, end: Double)] = [
    (.linear(duration: 0), 0), (.linear(duration: -1), 0), (.linear(duration: 1), 1), (.easeInOut(duration: 0.5), 0.5),
    (.linear(duration: 1).delay(-1), 0), (.linear(duration: 1).delay(-0.5), 0.5), (.linear(duration: 1).delay(-3), 0),
    (.linear(duration: 0).delay(1), 1), (.interpolatingSpring(duration: 0).delay(1), 1),
    (.interpolatingSpring(duration: -1).delay(1), 1), (.spring(duration: 0).delay(1), 1),
    (.interpolatingSpring(duration: 0), 0), (.linear(duration: 0).speed(2).delay(1), 1),
    (.linear(duration: 0).delay(2).speed(2), 1), (.linear(duration: 0).speed(0).delay(0.5), 0.5),
    (.linear(duration: 0).repeatCount(2).delay(1), 1), (.linear(duration: 0).delay(0.5).repeatCount(2), 1.0.nextUp),
    (.linear(duration: 0).delay(0.5).repeatCount(3), 1.5), (.linear(duration: 0.5).repeatCount(2), 1.0.nextUp),
    (.linear(duration: 0.5).repeatCount(3), 1.5), (.linear(duration: 1e-9).delay(1), 1 + 1e-9),
    (.timingCurve(.steps(4, position: .jumpStart), duration: 1).delay(1), 2),
    (Animation(Halves()), 1.0.nextUp), (Animation(Nothing()), 0),
  ]

  /// Half of the way at once, and all of it after a second.
  private struct Halves: CustomAnimation {
    func animate<V: VectorArithmetic>(value: V, time: Double, context: inout AnimationContext<V>) -> V? {
      time <= 1 ? value.scaled(by: 0.5) : nil
    }
  }

  /// Over with its call.
  private struct Nothing: CustomAnimation {
    func animate<V: VectorArithmetic>(value: V, time: Double, context: inout AnimationContext<V>) -> V? { nil }
  }

  private static let times = [0, 0, 0.25, 0.5, 0.5.nextUp, 1.0.nextDown, 1, 1.0.nextUp, 1 + 1e-9, 1.5, 1.75, 2, 3]

  /// Plays frames, and checks that a report and its end come with the frame that first shows the end for good.
  private static func check(
    _ batch: inout AnimationBatch<Float>, _ track: TrackHandle, last: Float, end: Double, since start: Double,
    _ what: String
  ) throws {
    var reports = 0
    for time in times {
      try batch.advance(to: start + time)
      let (shown, settled) = (batch[track], batch.events.filter { $0.kind == .settled && $0.track == track })
      reports += settled.count
      #expect((reports > 0) == (start + time >= end), "\(what): at \(time), \(reports) reports")
      if reports > 0 { #expect(shown == last, "\(what): at \(time)") }
      for event in settled { #expect(event.moment == end, "\(what)") }
    }
    #expect(reports == 1, "\(what)")
  }

  @Test(arguments: animations.indices, [false, true])
  func animationsEndWithTheFrameThatShowsIt(_ index: Int, _ isBulk: Bool) throws {
    let (animation, end) = Self.animations[index]
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([Float](repeating: 1, count: isBulk ? 40 : 1))
    try batch.animate(tracks, to: 3, animation)
    try batch.remove(tracks.dropFirst())
    try Self.check(&batch, tracks[0], last: 3, end: end, since: 0, "\(animation)")
  }

  @Test(arguments: animations.indices) func delayedCallsDoTheSame(_ index: Int) throws {
    let (animation, end) = Self.animations[index]
    var batch = try AnimationBatch<Float>()
    let track = try batch.add(1)
    try batch.advance(to: 0.5)
    try batch.animate(track, to: 3, animation, delay: 1.5)
    try batch.advance(to: 1)
    // The moment of a jump back to the target is the next number after 3.
    let isAfter = end == 1.0.nextUp
    try Self.check(&batch, track, last: 3, end: isAfter ? 3.0.nextUp : 2 + end, since: 2, "\(animation)")
  }

  // MARK: - Clips

  /// Clips of one second from 1, their last values, and whether these show only after the end.
  private static func clips() throws -> [(clip: Clip, last: Float, isAfter: Bool)] {
    [
      (try Clip(initialValue: 1.0) { _ in LinearKeyframe(4.0, duration: 1) }, 4, false),
      (
        try Clip(initialValue: 1.0) { _ in
          LinearKeyframe(4.0, duration: 1)
          MoveKeyframe(7.0)
        }, 7, true
      ),
    ]
  }

  @Test(arguments: [false, true], [(0, 1.0), (0, -1), (1, 1), (1, -1)])
  func clipsEndWithTheFrameThatShowsIt(_ hasOwnTiles: Bool, _ way: (clip: Int, speed: Double)) throws {
    let (clip, last, isAfter) = try Self.clips()[way.clip]
    let speed = way.speed
    // Many iterations that begin in one frame are placed together, by a kernel.
    for (holds, count) in [(true, 1), (true, 20), (false, 1), (false, 20)] {
      for turns in 1...3 {
        var batch = try AnimationBatch<Float>()
        batch.engine.clips.playersBeforeOwnTiles = hasOwnTiles ? 0 : 1000
        let playback = Playback(
          delay: 0.5, speed: 2 * Double(turns) * speed, repetition: .count(turns), autoreverses: true, holdsAfter: holds
        )
        let id = try batch.load(clip)
        let tracks = try batch.add(playing: id, [Playback](repeating: playback, count: count))
        // Backwards, and after an even number of turns, it ends at its start.
        let endsAtStart = (turns % 2 == 0) != (speed < 0)
        let end: Float = !holds ? 1 : endsAtStart ? 1 : last
        let shows = holds && (endsAtStart || !isAfter)
        try Self.check(
          &batch, tracks[0], last: end, end: shows ? 1 : 1.0.nextUp, since: 0,
          "\(count) tracks, \(turns) turns, holds: \(holds)")
      }
    }
  }

  /// The way of the last effect counts, and not that of the whole sum, which leads nowhere here.
  @Test func anEffectThatLeadsBackIsReportedAtItsEnd() throws {
    var batch = try AnimationBatch<Float>()
    let track = try batch.add(2)
    try batch.animate(track, to: 8, .timingCurve(.steps(2), duration: 1))
    try batch.advance(to: 0.125)
    let change = try batch.animate(track, to: 2, .spring(duration: 0.5, bounce: 1).delay(0.25))
    var events: [AnimationEvent] = []
    for frame in 0...200 {
      try batch.advance(to: 0.125 + Double(frame) / 64)
      events += batch.events
      if frame == 20 { #expect(batch[track] == 2) }
      if frame == 32 { #expect(abs((batch[track] ?? 2) - 2) > 0.1) }
    }
    // A spring with a bounce of 1 never settles.
    #expect(events.map(\.kind) == [.logicallyComplete] && events.map(\.change) == [change])
    #expect(events.first?.moment == 0.875)
  }

  @Test func particlesAreReportedWhenTheirClipEndsOnAFrame() throws {
    var sparks = Particles()
    let scale = try sparks.addProperty(Float.self)
    let burst = try sparks.add(scale.start(at: [1]))
    try sparks[scale].play(try sparks[scale].load(Clip(curve: .linear, duration: 1)), on: burst)
    try sparks.advance(to: 1)
    #expect(sparks.events.map(\.track) == burst && sparks.events.map(\.moment) == [1])
    #expect(sparks.removeSettled() == 1)
  }

  // MARK: - Phases

  @Test func phasesJumpWithTheEndOfADelay() throws {
    let jump = Animation.linear(duration: 0).delay(0.5)
    let phases = try PhaseSequence([1, 2, 4] as [Float], target: { $0 }, animation: { _ in jump })
    var batch = try AnimationBatch<Float>()
    let track = try batch.add(1)
    try batch.play(try batch.load(phases), on: [track])
    for (time, value) in [(0, 1), (0.25, 1), (0.5, 2), (0.75, 2), (1, 4), (1.25, 4), (1.5, 1), (1.75, 1), (2.25, 2)] {
      try batch.advance(to: time)
      #expect(batch[track] == Float(value), "at \(time)")
    }
  }

  // MARK: - Lists

  @Test func aListThatGrowsEventByEventIsSeldomCopied() {
    var list = EventList()
    var capacities: Set<Int> = []
    for index in 0..<16_000 {
      list.append(.settled, index: index, 1, at: 0)
      capacities.insert(list.events.capacity)
    }
    #expect(list.events.count == 16_000 && capacities.count < 20)
  }
}
