// SPDX-License-Identifier: MIT
import AnimationModel
import Murmuration
import Testing

/// Runs that wait for a trigger, pauses, and departures.
struct PhaseTriggerTests {
  private static func sequence() throws -> PhaseSequence {
    try PhaseSequence([0, 10, -5] as [Float], target: { $0 }, animation: { _ in .bouncy(duration: 0.4) })
  }

  /// What a model shows whose target is changed at the given times.
  private static func model(_ steps: [(Double, Double)], at time: Double) -> Double {
    var value = AnimatedValue(0.0)
    for (target, moment) in steps where moment <= time {
      value.retarget(to: target, with: .bouncy(duration: 0.4), at: moment)
    }
    return value.value(at: time)
  }

  @Test func aRunGoesOnceThroughAllPhases() throws {
    var batch = try PhaseBatch(try Self.sequence(), playback: .triggered)
    batch.reportsPhaseChanges = true
    let (one, other) = (try batch.add(), try batch.add())
    try batch.advance(to: 5)
    #expect(batch.phaseChanges.isEmpty)
    #expect(try batch.value(of: one, as: Float.self) == 0)
    try batch.trigger(one)
    let steps = [(10.0, 5.0), (-5.0, 5.4), (0.0, 5.8)]
    var phases: [Int] = []
    var completed: [Double] = []
    for frame in 1...140 {
      try batch.advance(to: 5 + Double(frame) / 64)
      phases += batch.phaseChanges.map(\.phase)
      if batch.completed == [one] { completed.append(batch.time) }
      let error = Double(try batch.value(of: one, as: Float.self)) - Self.model(steps, at: batch.time)
      // The model is at rest when a ten-thousandth of the way is left.
      #expect(abs(error) < 2e-3)
      #expect(try batch.value(of: other, as: Float.self) == 0)
    }
    #expect(phases == [1, 2, 0])
    // At 6.2 s the run is complete: with the first frame from then on.
    #expect(completed == [5 + 77.0 / 64])
    try batch.trigger(one)
    try batch.advance(by: 0.01)
    #expect(batch.phaseChanges.map(\.phase) == [1])
  }

  @Test func aTriggerOnTheWayReturnsToTheFirstPhase() throws {
    var batch = try PhaseBatch(try Self.sequence(), playback: .triggered)
    batch.reportsPhaseChanges = true
    let handle = try batch.add()
    try batch.trigger(handle)
    try batch.advance(to: 0.25)
    try batch.trigger(handle)
    // Another at the same moment is the same one.
    try batch.trigger(handle)
    var changes: [PhaseChange] = []
    let steps = [(10.0, 0.0), (0.0, 0.25), (10.0, 0.65), (-5.0, 1.05), (0.0, 1.45)]
    for frame in 1...128 {
      try batch.advance(to: 0.25 + Double(frame) / 64)
      changes += batch.phaseChanges
      let error = Double(try batch.value(of: handle, as: Float.self)) - Self.model(steps, at: batch.time)
      #expect(abs(error) < 2e-3)
    }
    #expect(changes.map(\.phase) == [0, 1, 2, 0])
    #expect(zip(changes.map(\.time), [0.25, 0.65, 1.05, 1.45]).allSatisfy { abs($0 - $1) < 1e-12 })
  }

  @Test func aPauseStopsTheClock() throws {
    for animation in [Animation.bouncy(duration: 0.4), .easeInOut(duration: 0.4)] {
      let sequence = try PhaseSequence([0, 10, -5] as [Float], target: { $0 }, animation: { _ in animation })
      var paused = try PhaseBatch(sequence)
      var through = try PhaseBatch(sequence)
      let handle = try paused.add()
      let twin = try through.add()
      try paused.advance(to: 0.5)
      try through.advance(to: 0.5)
      try paused.pause(handle)
      try paused.pause(handle)
      #expect(try paused.isPaused(handle))
      let value = try paused.value(of: handle, as: Float.self)
      for frame in 1...10 {
        try paused.advance(to: 0.5 + Double(frame) * 0.2)
        #expect(try paused.value(of: handle, as: Float.self) == value)
        #expect(try paused.velocity(of: handle, as: Float.self) == 0)
      }
      #expect(try paused.nextStepTime(of: handle) == .infinity)
      try paused.resume(handle)
      try paused.resume(handle)
      for frame in 1...50 {
        try paused.advance(to: 2.5 + Double(frame) * 0.03)
        try through.advance(to: 0.5 + Double(frame) * 0.03)
        let error = try paused.value(of: handle, as: Float.self) - through.value(of: twin, as: Float.self)
        #expect(abs(error) < 1e-4)
      }
    }
  }

  @Test func tracksComeAndGo() throws {
    var batch = try PhaseBatch(try Self.sequence())
    let starts = (0..<100).map { Double($0) * 0.01 }
    let handles = try batch.add(startingAt: starts.span)
    try batch.advance(to: 1)
    let some = stride(from: 0, to: 100, by: 2).map { handles[$0] }
    try batch.remove(some.span)
    #expect(batch.count == 50)
    let contains = batch.contains(handles[0])
    #expect(!contains)
    let starting = (0..<60).map { 1 + Double($0) * 0.01 }
    try batch.add(startingAt: starting.span)
    #expect(batch.count == 110)
    try batch.advance(to: 4)
    var single = try PhaseBatch(try Self.sequence())
    let twin = try single.add(startingAt: starts[51])
    try single.advance(to: 4)
    #expect(
      try batch.value(of: handles[51], as: Float.self) == single.value(of: twin, as: Float.self))
    batch.removeAll()
    #expect(batch.count == 0)
    try batch.advance(to: 5)
  }
}
