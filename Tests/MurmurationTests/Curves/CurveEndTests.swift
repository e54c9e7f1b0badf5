// SPDX-License-Identifier: MIT
import AnimationModel
import Testing

@testable import Murmuration

/// Tracks at the end of their motions: events, motions that go on after a seek back, and motions that begin there.
struct CurveEndTests {
  /// A motion without duration is reported like any other: with the next frame, and once.
  @Test(arguments: [Animation.linear(duration: 0), .spring(duration: 0), .spring(duration: 0).delay(0)])
  func whatTakesNoTimeIsReported(animation: Animation) throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([0, 0])
    try batch.animate(tracks[1], to: 5, .easeIn(duration: 9))
    try batch.advance(to: 1)
    for track in tracks { try batch.animate(track, to: 1, animation) }
    // A call to its current goal changes nothing.
    try batch.animate(tracks[0], to: 1, animation)
    var seen: [AnimationEvent] = []
    for frame in 1...9 {
      try batch.advance(to: 1 + Double(frame) / 60)
      seen += batch.events
    }
    for kind in [AnimationEvent.Kind.logicallyComplete, .settled] {
      #expect(seen.filter { $0.kind == kind }.map(\.track) == tracks, "\(kind)")
    }
    let shown = tracks.map { batch[$0] }
    #expect(shown == [1, 1])
  }

  /// Its delay leads beyond its end, also where that is the end of a way back.
  @Test(arguments: [1, 2, 3])
  func anAnimationThatIsOverBeforeItBeginsShowsItsGoalAtOnce(count: Int) throws {
    for base in [Animation.linear(duration: 0.1), .bouncy(duration: 0.05), .interpolatingSpring(duration: 0.05)] {
      var batch = try AnimationBatch<Float>()
      let track = try batch.add(-1)
      try batch.animate(track, to: 5, base.repeatCount(count, autoreverses: true).delay(-2))
      try batch.advance(to: 0)
      let shown = batch[track]
      #expect(shown == 5)
    }
  }

  /// Going back, tracks that had come to rest move again, called or not, and a bake shows the same.
  @Test func tracksMoveAgainWhenTheClockGoesBack() throws {
    let animations: [Animation] = [
      .smooth.delay(1), .snappy.speed(0.5), .linear(duration: 1).delay(1), .bouncy(duration: 2),
      Animation(CurveBatchTests.Staircase()).delay(1),
    ]
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([0, 0, 0, 0, 0])
    try batch.animate(tracks, to: [1, 1, 1, 1, 1], animations: animations)
    try batch.advance(to: 1.2)
    let before = tracks.map { batch[$0] }
    try batch.advance(to: 30)
    #expect(batch.events.filter { $0.kind == .settled }.count == 5)
    let baked = try Baked(batch, BakeRequest(at: [1.2], indices: 0..<5))
    try batch.advance(to: 1.2)
    let shown = tracks.map { batch[$0] }
    let rests = tracks.map { batch.isAtRest($0) }
    #expect(shown == before && rests.allSatisfy { $0 == false })
    // A spring of its own is baked with other roundings.
    let isNear = zip(baked.values, before).allSatisfy { abs($0 - ($1 ?? .nan)) <= 0x1p-22 }
    #expect(isNear)
    try batch.advance(to: 30)
    #expect(batch.events.isEmpty)
    // A new change makes the old motion forgotten.
    try batch.animate(tracks[0], to: 2, nil)
    try batch.advance(to: 40)
    try batch.advance(to: 31)
    let last = batch[tracks[0]]
    #expect(last == 2)
  }

  /// A change at the very end of a curve finds it finished: from there on there is one curve, as in the
  /// model.
  @Test func aChangeAtTheEndOfACurveBeginsAnew() throws {
    var batch = try AnimationBatch<Float>()
    let track = try batch.add(1)
    var model = AnimatedValue(1.0)
    // Binary durations, so that the model finds the exact end.
    let animations: [Animation] = [
      .easeIn(duration: 0.25), .linear(duration: 0.125).delay(0.125), .easeOut(duration: 1).speed(2),
    ]
    var (goal, end) = (Float(1), 0.0)
    for step in 0..<12 {
      goal = Float(step * 3 % 7) - 2.5
      let animation = animations[step % 3]
      try batch.animate(track, to: goal, animation)
      model.retarget(to: Double(goal), with: animation, at: end)
      let motion = batch.motion(of: track)
      #expect(motion == .curve, "step \(step)")
      let length = model.endTime - end
      for part in [0, 0.2, 0.7, 1] {
        try batch.advance(to: part == 1 ? model.endTime : end + length * part)
        let error = abs(Double(batch[track] ?? .nan) - model.value(at: batch.time))
        // The pieces are within 2⁻¹⁶ of the way, which is 8; roundings add to that.
        #expect(error < 8 * 0x1p-16 + 4e-6, "step \(step) at \(batch.time)")
      }
      end = model.endTime
    }
  }

  /// A step that begins where a curve of steps ends leads from its target, however the clock rounds that moment. What goes
  /// on under the curve has the clock of the whole sum: kernels compute a modified spring, and the model what is custom.
  @Test(
    arguments: [
      .spring(duration: 0.2, bounce: 0.9).speed(2.7),
      Animation(CurveBatchTests.Staircase()).logicallyComplete(after: 0.2 / 2.7),
    ] as [Animation])
  func whatFollowsACurveOfStepsBeginsAtItsTarget(under: Animation) throws {
    let goals: [Float] = [4, 1, 2]
    let animations: [Animation] = [
      .linear(duration: 0.3125), under, .timingCurve(.steps(3, position: .jumpBoth), duration: 0.8125),
    ]
    let sequence = try PhaseSequence([0, 1, 2], target: { goals[$0] }, animation: { animations[$0] })
    for draw in 0..<64 {
      var batch = try AnimationBatch<Float>()
      let track = try batch.add(0)
      let phases = try batch.load(sequence)
      try batch.advance(to: 0.37 + Double(draw) * 0.0813)
      try batch.play(phases, on: track)
      try batch.advance(to: batch.time + 0.01)
      while batch.phase(of: track) != 0, let next = batch.nextStepTime(of: track) { try batch.advance(to: next) }
      let start = batch.time
      try batch.advance(to: start + 0.3125 / 4)
      let value = try #require(batch[track])
      #expect(abs(value - 2.5) < 1e-3, "begun at \(0.37 + Double(draw) * 0.0813): \(value)")
    }
  }

  /// A track that waits with a curve, after a motion, stands in the next frame, though the only track of its tile that
  /// moved is gone before it.
  @Test func whatWaitsStandsThoughItsNeighbourIsGone() throws {
    var batch = try AnimationBatch<Float>()
    let clip = try batch.load(Clip(curve: .linear, duration: 1))
    let tracks = try batch.add(playing: clip, [Playback(), Playback()])
    try batch.advance(to: 0.5)
    try batch.animate(tracks, to: [3, 3], animations: [.easeIn(duration: 2), .easeIn(duration: 2).delay(0.25)])
    try batch.remove(tracks[0])
    try batch.advance(to: 0.53125)
    let (value, velocity) = (batch[tracks[1]], batch.velocity(of: tracks[1]))
    #expect(value == 0.5 && velocity == 0)
  }
}
