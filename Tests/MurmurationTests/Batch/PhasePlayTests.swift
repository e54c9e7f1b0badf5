// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// Phases in batches: values and events of tracks, and hand-overs to and from other motions.
struct PhasePlayTests {
  private static let spring = Animation.bouncy(duration: 0.4)

  private static func sequence(_ animation: Animation? = spring) throws -> PhaseSequence {
    try PhaseSequence([0, 10, -5] as [Float], target: { $0 }, animation: { _ in animation })
  }

  private static func clip() throws -> Clip {
    try Clip(initialValue: Float(0)) { _ in LinearKeyframe(10, duration: 1) }
  }

  // MARK: - Runs

  @Test("A loop whose round lasts no time goes round once, and reports that it stopped")
  func stalledLoops() throws {
    for animation in [nil, Animation.linear(duration: 0), .spring(duration: 0), .easeIn(duration: 0).delay(0)] {
      var batch = try AnimationBatch<Float>()
      batch.reports = .phases
      let track = try batch.add(0)
      let change = try batch.play(try batch.load(try Self.sequence(animation)), on: track, startingAt: 1)
      try batch.advance(to: 2)
      #expect(batch.events.map(\.kind) == [.phase, .phase, .phase, .logicallyComplete, .settled])
      #expect(batch.events.allSatisfy { $0.moment == 1 && $0.change == change })
      #expect(batch.events.prefix(3).map(\.number) == [1, 2, 0])
      #expect(batch[track] == 0)
      try batch.advance(to: 3)
      #expect(batch.events.isEmpty)
      #expect(batch.removeSettled() == 1)
    }
  }

  @Test("A new track with the index of one that played phases stands")
  func indicesOfPlayers() throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([Float](repeating: 0, count: 3))
    try batch.play(try batch.load(try Self.sequence()), on: tracks)
    try batch.advance(to: 0.1)
    try batch.remove(tracks[1])
    let track = try batch.add(7)
    #expect(track.index == tracks[1].index)
    let step = batch.nextStepTime(of: track)
    try batch.advance(to: 10)
    #expect(step == nil && batch[track] == 7)
  }

  // MARK: - Hand-overs

  @Test("The step of a schedule that another one replaces comes to rest, and is found there")
  func replaced() throws {
    var batch = try AnimationBatch<Float>()
    let track = try batch.add(0)
    let id = try batch.load(try Self.sequence())
    try batch.play(id, on: track)
    // No frame looks for the rest of the second step.
    for time in [0.3, 0.5] { try batch.advance(to: time) }
    try batch.play(id, on: track, .triggered)
    try batch.advance(to: 9)
    #expect(batch[track] == -5 && batch.isAtRest(track) == true && batch.events.isEmpty)
    #expect(batch.removeSettled() == 1)
  }

  @Test("A start in the past is made up for, from the current state of the track")
  func pastStarts() throws {
    for animation in [Self.spring, .easeInOut(duration: 0.4)] {
      var batch = try AnimationBatch<Float>()
      batch.reports = .phases
      let tracks = try batch.add([0, 0])
      try batch.animate(tracks[0], to: 30, .smooth)
      try batch.advance(to: 1)
      try batch.play(try batch.load(try Self.sequence(animation)), on: tracks, startingAt: 0.5)
      #expect(throws: BatchError.self) { try batch.advance(to: 0.9) }
      try batch.advance(to: 1.001)
      #expect(batch.events.map(\.moment) == [0.5, 0.9, 0.5, 0.9])
      var model = AnimatedValue(0.0)
      for (goal, moment) in [(10.0, 0.5), (-5, 0.9)] { model.retarget(to: goal, with: animation, at: moment) }
      let (moved, stood) = (batch[tracks[0]] ?? .nan, batch[tracks[1]] ?? .nan)
      #expect(abs(Double(stood) - model.value(at: 1.001)) < 1e-4 && abs(moved) < 40)
      // Back to the step that was taken last, and no further.
      try batch.advance(to: 0.95)
      #expect(throws: BatchError.timeBeforeStart(time: 0.85, start: 0.9)) { try batch.advance(to: 0.85) }
      try batch.advance(to: 1.001)
      #expect(batch[tracks[1]] == stood)
    }
  }

  // MARK: - Refusals

  @Test("A sequence cannot be unloaded while a track plays it; a track that played it before cannot be triggered")
  func unloading() throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([0, 0, 0])
    let id = try batch.load(try Self.sequence())
    try batch.play(id, on: tracks)
    #expect(try batch.sequence(id).phaseCount == 3)
    #expect(throws: BatchError.sequenceInUse(id)) { try batch.unload(id) }
    try batch.animate(tracks[0], to: 1, .smooth)
    try batch.remove(tracks[1])
    try batch.play(try batch.load(try Self.sequence(nil)), on: tracks[2])
    try batch.unload(id)
    #expect(throws: BatchError.unknownSequence(id)) { try batch.unload(id) }
    let next = try batch.load(try Self.sequence(.easeIn))
    // The next track at the index remembers no sequence.
    let heir = try batch.add(0)
    #expect(next != id && heir.index == tracks[1].index)
    for track in [tracks[0], heir] {
      try batch.trigger(track)
      #expect(batch.phase(of: track) == nil)
    }
    batch.removeAll()
    try batch.unload(next)
    try batch.advance(to: 10)
  }

  @Test("A pause stops the clock, whatever the track follows; clips that wait for phases pause too")
  func pauses() throws {
    for animation in [Self.spring, .easeInOut(duration: 0.4)] {
      var batch = try AnimationBatch<Float>()
      var through = try AnimationBatch<Float>()
      let (track, twin) = (try batch.add(0), try through.add(0))
      try batch.play(try batch.load(try Self.sequence(animation)), on: track)
      try through.play(try through.load(try Self.sequence(animation)), on: twin)
      try batch.advance(to: 0.5)
      try through.advance(to: 0.5)
      let value = batch[track]
      try batch.pause([track, track])
      for frame in 1...10 {
        try batch.advance(to: 0.5 + Double(frame) * 0.2)
        #expect(batch[track] == value && batch.velocity(of: track) == 0 && batch.nextStepTime(of: track) == .infinity)
      }
      #expect(throws: BatchError.self) { try batch.advance(to: 0.4) }
      try batch.trigger(track)
      try batch.resume([track, track])
      for frame in 1...50 {
        try batch.advance(to: 2.5 + Double(frame) * 0.03)
        try through.advance(to: 0.5 + Double(frame) * 0.03)
        let (shown, expected) = (batch[track] ?? .nan, through[twin] ?? .nan)
        // A curve is fitted within 2⁻¹⁶ of the way, and goes on after a pause as it is.
        let bound: Float = 1e-4 + 0x1p-16 * 15
        #expect(abs(shown - expected) < bound)
      }
    }
    var batch = try AnimationBatch<Float>()
    let track = try batch.add(0)
    try batch.play(try batch.load(try Self.clip()), on: track)
    try batch.play(try batch.load(try Self.sequence(nil)), on: track, startingAt: 0.5)
    try batch.advance(to: 0.25)
    try batch.pause(track)
    try batch.advance(to: 3)
    #expect(batch[track] == 2.5)
    try batch.resume(track)
    try batch.advance(to: 3.2)
    #expect(abs((batch[track] ?? .nan) - 4.5) < 1e-5)
  }

  @Test("A step that is due at a pause begins from the motion before it, however the clock is rounded")
  func stepsDueAtAPause() throws {
    var random = SplitMix64(seed: 1)
    for _ in 0..<256 {
      var batch = try AnimationBatch<Float>()
      let track = try batch.add(0)
      let phases = [0, 10] as [Float]
      let sequence = try PhaseSequence(phases, target: { $0 }) { phase in
        phase == 0 ? .easeInOut(duration: 0.6) : .smooth(duration: 3)
      }
      try batch.play(try batch.load(sequence), on: track)
      // About two in a hundred of the sums of such moments are rounded down.
      try batch.advance(to: random.uniform(0.5...1))
      let speed = batch.velocity(of: track) ?? .nan
      // The trigger leads back to phase 0 by a curve, which is added to the spring.
      try batch.trigger(track)
      try batch.pause(track)
      try batch.advance(to: random.uniform(5...8))
      try batch.resume(track)
      try batch.advance(by: 1e-9)
      let shown = batch.velocity(of: track) ?? .nan
      #expect(speed > 1 && abs(shown - speed) < 0.01 * speed, "\(shown), not \(speed)")
    }
  }
}
