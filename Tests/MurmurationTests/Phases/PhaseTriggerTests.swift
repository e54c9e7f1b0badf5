// SPDX-License-Identifier: MIT
import AnimationModel
import Murmuration
import Testing

/// Runs that wait for a trigger.
struct PhaseTriggerTests {
  @Test func aTriggerOnTheWayReturnsToTheFirstPhase() throws {
    let spring = Animation.bouncy(duration: 0.4)
    var batch = try AnimationBatch<Float>()
    batch.reports = .phases
    let track = try batch.add(0)
    let sequence = try PhaseSequence([0, 10, -5] as [Float], target: { $0 }, animation: { _ in spring })
    try batch.play(try batch.load(sequence), on: track, .triggered)
    try batch.trigger([track])
    try batch.advance(to: 0.25)
    try batch.trigger([track])
    // A second trigger at the same moment changes nothing, even in one call.
    try batch.trigger([track, track])
    var steps: [AnimationEvent] = []
    let moments = [0, 0.25, 0.65, 1.05, 1.45]
    for frame in 1...128 {
      try batch.advance(to: 0.25 + Double(frame) / 64)
      steps += batch.events.filter { $0.kind == .phase }
      var model = AnimatedValue(0.0)
      for (goal, moment) in zip([10.0, 0, 10, -5, 0], moments) where moment <= batch.time {
        model.retarget(to: goal, with: spring, at: moment)
      }
      // The model is at rest when a ten-thousandth of the way is left.
      #expect(abs(Double(batch[track] ?? .nan) - model.value(at: batch.time)) < 2e-3)
    }
    #expect(steps.map(\.number) == [0, 1, 2, 0])
    #expect(zip(steps, moments.dropFirst()).allSatisfy { abs($0.moment - $1) < 1e-12 })
  }

  @Test(arguments: [false, true]) func aRunThatIsTriggeredTwiceAtItsStartIsOneRun(_ isOneCall: Bool) throws {
    var batch = try AnimationBatch<Float>()
    batch.reports = .phases
    let track = try batch.add(0)
    let sequence = try PhaseSequence([0, 10, -5] as [Float], target: { $0 }, animation: { _ in .bouncy })
    try batch.play(try batch.load(sequence), on: track, .triggered)
    let change = try batch.trigger(isOneCall ? [track, track] : [track])
    if !isOneCall { try batch.trigger([track]) }
    var events: [AnimationEvent] = []
    for frame in 1...200 {
      try batch.advance(to: Double(frame) / 64)
      events += batch.events
    }
    #expect(events.map(\.kind) == [.phase, .phase, .phase, .logicallyComplete, .settled])
    #expect(events.prefix(3).map(\.number) == [1, 2, 0] && events.allSatisfy { $0.change == change })
  }

  /// A call that would take over within the run does so without the trigger.
  @Test func aTriggerCancelsTheCallThatWaits() throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([0, 0])
    let sequence = try PhaseSequence(
      [0, 10, -5] as [Float], target: { $0 }, animation: { _ in .smooth(duration: 0.3) })
    try batch.play(try batch.load(sequence), on: tracks, .triggered)
    try batch.animate(tracks, to: 50, .smooth, delay: 0.2)
    try batch.trigger(tracks[0])
    try batch.advance(to: 5)
    #expect(tracks.map { batch.target(of: $0) } == [0, 50])
  }
}
