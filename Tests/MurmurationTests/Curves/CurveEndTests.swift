// SPDX-License-Identifier: MIT
import AnimationModel
import Testing

@testable import Murmuration

/// Tracks at the end of their motions: events, motions that go on after a seek back, and motions that begin there.
struct CurveEndTests {
  /// Its delay leads beyond its end, also where that is the end of a way back.
  @Test(arguments: [1, 2, 3])
  func anAnimationThatIsOverBeforeItBeginsShowsItsGoalAtOnce(count: Int) throws {
    for base in [Animation.linear(duration: 0.1), .bouncy(duration: 0.05), .interpolatingSpring(duration: 0.05)] {
      var batch = try AnimationBatch<Float>()
      let track = try batch.add(-1)
      try batch.animate(track, to: 5, base.repeatCount(count, autoreverses: true).delay(-2))
      try batch.advance(to: 0)
      #expect(batch[track] == 5)
    }
  }

  /// Going back, tracks that had come to rest move again, called or not, and a bake shows the same.
  @Test func tracksMoveAgainWhenTheClockGoesBack() throws {
    let animations: [Animation] = [
      .smooth.delay(1), .snappy.speed(0.5), .linear(duration: 1).delay(1), .bouncy(duration: 2),
      Animation(CurveEndTests.Staircase()).delay(1),
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
    #expect(shown == before && tracks.allSatisfy { batch.isAtRest($0) == false })
    // A spring of its own is baked with other roundings.
    let isNear = zip(baked.values, before).allSatisfy { abs($0 - ($1 ?? .nan)) <= 0x1p-22 }
    #expect(isNear)
    try batch.advance(to: 30)
    #expect(batch.events.isEmpty)
    // A new change makes the old motion forgotten.
    try batch.animate(tracks[0], to: 2, nil)
    try batch.advance(to: 40)
    try batch.advance(to: 31)
    #expect(batch[tracks[0]] == 2)
  }

  /// A change at the very end of a curve finds it finished: from there on there is one curve, as in the
  /// model.
  @Test func aChangeAtTheEndOfACurveBeginsAnew() throws {
    var twins = try Modelled([1])
    // Binary durations, so that the model finds the exact end.
    let animations: [Animation] = [
      .easeIn(duration: 0.25), .linear(duration: 0.125).delay(0.125), .easeOut(duration: 1).speed(2),
    ]
    for step in 0..<12 {
      let start = twins.batch.time
      try twins.send(to: Float(step * 3 % 7) - 2.5, by: animations[step % 3])
      let (motion, end) = (twins.batch.motion(of: twins.tracks[0]), twins.models[0].endTime)
      #expect(motion == .curve, "step \(step)")
      for part in [0, 0.2, 0.7, 1] {
        try twins.advance(to: part == 1 ? end : start + (end - start) * part)
        // The pieces are within 2⁻¹⁶ of the way, which is 8; roundings add to that.
        #expect(twins.error < 0x1p-13 + 4e-6, "step \(step) at \(twins.batch.time)")
      }
    }
  }

  /// A step that begins where a curve of steps ends leads from its target, however the clock rounds that moment. What goes
  /// on under the curve has the clock of the whole sum: kernels compute a modified spring, and the model what is custom.
  @Test(
    arguments: [
      .spring(duration: 0.2, bounce: 0.9).speed(2.7),
      Animation(CurveEndTests.Staircase()).logicallyComplete(after: 0.2 / 2.7),
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
    #expect(batch[tracks[1]] == 0.5 && batch.velocity(of: tracks[1]) == 0)
  }

  // MARK: - Completion

  /// A called animation, which covers its way in steps of a tenth of a second.
  struct Staircase: CustomAnimation {
    func animate<V: VectorArithmetic>(value: V, time: Double, context: inout AnimationContext<V>) -> V? {
      time >= 0.4 ? nil : value.scaled(by: (time * 10).rounded(.down) / 4)
    }
  }

  /// Completion is reported once, with the first frame from its moment on.
  @Test func completionIsReported() throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([0, 0, 0, 0, 0])
    let animations: [Animation] = [
      .linear(duration: 0.5), .linear(duration: 0.5).logicallyComplete(after: 0.25), .smooth(duration: 0.25),
      Animation(Staircase()), Animation(Staircase()).logicallyComplete(after: 0.2),
    ]
    try batch.animate(tracks, to: [1, 1, 1, 1, 1], animations: animations)
    var (logical, settled): ([Double: [TrackHandle]], [Double: [TrackHandle]]) = ([:], [:])
    for frame in 1...16 {
      try batch.advance(to: Double(frame) / 16)
      for event in batch.events {
        #expect(event.moment <= batch.time && event.moment > batch.time - 1 / 16)
        if event.kind == .logicallyComplete { logical[batch.time, default: []].append(event.track) }
        if event.kind == .settled { settled[batch.time, default: []].append(event.track) }
      }
    }
    #expect(logical == [0.25: [tracks[1], tracks[2], tracks[4]], 0.5: [tracks[0]], 0.4375: [tracks[3]]])
    #expect(settled[0.5]?.contains(tracks[0]) == true && settled[0.5]?.contains(tracks[1]) == true)
    #expect(settled[0.4375] == [tracks[3], tracks[4]] && settled.values.joined().count == 5)
  }

  @Test("Tracks with custom animations are counted until another motion takes over")
  func customAnimationsAreCounted() throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([0, 0, 0])
    try batch.animate(tracks, to: 1, Animation(Staircase()))
    #expect(batch.calledCount == 3)
    try batch.animate(tracks[0], to: 2, .bouncy)
    #expect(batch.calledCount == 2)
    try batch.remove(tracks[1])
    #expect(batch.calledCount == 1)
    try batch.advance(to: 0.25)
    #expect(batch[tracks[2]] == 0.5)
  }
}
