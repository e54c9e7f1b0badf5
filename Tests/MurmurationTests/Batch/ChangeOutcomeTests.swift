// SPDX-License-Identifier: MIT
import Murmuration
import Testing

/// Every change that asks for its completion ends once, for each of its tracks and as a whole.
struct ChangeOutcomeTests {
  typealias Batch = AnimationBatch<Float>

  private func counts(_ outcome: ChangeOutcome?) -> [Int]? { outcome.map { [$0.completed, $0.replaced, $0.removed] } }

  /// Advances in steps, and returns what ended.
  private func run(_ batch: inout Batch, until end: Double, step: Double = 1.0 / 60) throws -> [ChangeOutcome] {
    var outcomes: [ChangeOutcome] = []
    while batch.time < end {
      try batch.advance(to: min(batch.time + step, end))
      outcomes += batch.outcomes
    }
    return outcomes
  }

  @Test func tracksAreCompleteReplacedOrRemoved() throws {
    var batch = try Batch()
    let tracks = try batch.add([0, 0, 0, 0, 0, 0])
    let change = try batch.animate(tracks, to: 10, .smooth(duration: 0.5), completion: .logicallyComplete)
    try batch.advance(to: 0.1)
    #expect(batch.outcomes.isEmpty && batch.trackOutcomes.isEmpty)
    try batch.animate(tracks[0], to: 3, .smooth)
    try batch.set(tracks[1], 4)
    try batch.stop(tracks[2])
    try batch.remove(tracks[3])
    let again = try batch.add(1)
    #expect(again.index == tracks[3].index)
    try batch.advance(to: 0.2)
    #expect(batch.outcomes.isEmpty)
    #expect(batch.trackOutcomes.map(\.result) == [.replaced, .replaced, .replaced, .removed])
    #expect(
      batch.trackOutcomes.map(\.track) == Array(tracks[0..<4]) && batch.trackOutcomes.allSatisfy { $0.change == change }
    )
    let outcomes = try run(&batch, until: 3)
    #expect(outcomes.count == 1 && outcomes[0].change == change && counts(outcomes[0]) == [2, 3, 1])
    #expect(!outcomes[0].isComplete)
    try batch.animate(tracks[4...], to: 0, .smooth)
    #expect(try run(&batch, until: 6).isEmpty)
  }

  @Test(arguments: [CompletionCriteria.logicallyComplete, .settled])
  func aChangeEndsWithItsEvent(_ criteria: CompletionCriteria) throws {
    var batch = try Batch()
    let tracks = try batch.add([0, 5, 9, 0, 0])
    let clip = try batch.load(Clip(curve: .easeInOut, duration: 0.7))
    let phases = try PhaseSequence([0, 1], target: { Float($0) }, animation: { _ in .linear(duration: 0.1) })
    try batch.play(try batch.load(phases), on: tracks[4], .triggered)
    let changes = [
      try batch.animate(tracks[0], to: 10, .bouncy, completion: criteria),
      try batch.animate(tracks[1], to: 10, .easeOut(duration: 0.3).repeatCount(2), completion: criteria),
      try batch.play(clip, on: tracks[2], completion: criteria),
      try batch.decelerate(tracks[3], velocity: 100, by: .fast, completion: criteria),
      try batch.trigger(tracks[4], completion: criteria),
    ]
    var ends: [ChangeID: Double] = [:]
    var events: [ChangeID: Double] = [:]
    for frame in 1...600 {
      try batch.advance(to: Double(frame) / 60)
      for outcome in batch.outcomes {
        ends[outcome.change] = batch.time
        #expect(outcome.isComplete)
      }
      let kind: AnimationEvent.Kind = criteria == .settled ? .settled : .logicallyComplete
      for event in batch.events where event.kind == kind { events[event.change] = batch.time }
    }
    #expect(ends.count == 5 && ends == events && Set(changes) == Set(ends.keys))
  }

  @Test func changesWithoutAMotionAreCompleteAtOnce() throws {
    var batch = try Batch()
    let tracks = try batch.add([0, 1])
    let calls: [(inout Batch) throws -> ChangeID] = [
      { try $0.animate(tracks, to: [0, 1], .smooth, completion: .settled) },  // at their goals
      { try $0.animate(tracks, to: 4, nil, completion: .settled) },  // a jump
      { try $0.retarget(tracks, to: 4, completion: .logicallyComplete) },
      { try $0.animate([], to: 4, .smooth, completion: .settled) },  // no tracks
    ]
    for call in calls {
      let change = try call(&batch)
      #expect(batch.outcomes.map(\.change).last == change && batch.outcomes.last?.isComplete == true)
      let before = batch.outcomes
      // The next advance tells it too, and no other.
      try batch.advance(to: batch.time)
      #expect(batch.outcomes == before && batch.outcomes.count == 1)
      try batch.advance(to: batch.time)
      #expect(batch.outcomes.isEmpty)
    }
    // .smooth goes on to the goal that .bouncy asks for again.
    try batch.animate(tracks, to: 9, .smooth)
    let same = try batch.animate(tracks, to: 9, .bouncy, completion: .settled)
    try batch.advance(to: 0.1)
    #expect(batch.outcomes.map(\.change) == [same] && counts(batch.outcomes[0]) == [2, 0, 0])
    // A curve of no length, and a spring of none, end with the next frame.
    let curve = try batch.animate(tracks, to: 2, .linear(duration: 0), completion: .settled)
    let outcomes = try run(&batch, until: 0.3)
    #expect(outcomes.map(\.change) == [curve] && outcomes[0].isComplete)
  }

  @Test func delaysEndWhenTheirMotionsDo() throws {
    var batch = try Batch()
    let tracks = try batch.add([0, 0, 0, 7])
    let change = try batch.animate(tracks, to: 7, .linear(duration: 0.5), delay: 0.5, completion: .settled)
    try batch.advance(to: 0.2)
    try batch.cancelDelays(of: tracks[0])
    try batch.animate(tracks[1], to: 3, .smooth)
    #expect(batch.outcomes.isEmpty)
    let outcomes = try run(&batch, until: 1.2)
    #expect(outcomes.count == 1 && outcomes.first?.change == change && counts(outcomes.first) == [2, 2, 0])
  }

  @Test func aCancelledDelayEndsItsChange() throws {
    var batch = try Batch()
    let track = try batch.add(0)
    let change = try batch.animate(track, to: 1, .smooth, delay: 5, completion: .settled)
    try batch.advance(to: 1)
    try batch.cancelDelays(of: track)
    try batch.advance(to: 2)
    #expect(batch.outcomes.map(\.change) == [change] && counts(batch.outcomes.first) == [0, 1, 0])
  }

  /// A call that waits for a paused track is under way until it has begun and ended.
  @Test(arguments: ["still", "spring", "curve", "clip", "follower"], [true, false])
  func aDelayThatAPauseHoldsGoesOn(motion: String, isPausedFirst: Bool) throws {
    var batch = try Batch()
    let (track, other) = (try batch.add(0), try batch.add(0))
    switch motion {
    case "spring": try batch.animate(track, to: 1, .smooth(duration: 2))
    case "curve": try batch.animate(track, to: 1, .linear(duration: 2))
    case "clip": try batch.play(try batch.load(Clip(curve: .linear, duration: 2)), on: track)
    case "follower": try batch.follow(track)
    // What only stands cannot be paused.
    default: if isPausedFirst { return }
    }
    try batch.advance(to: 0.1)
    if isPausedFirst { try batch.pause(track) }
    let change = try batch.animate(track, to: 2, .linear(duration: 0.1), delay: 0.5, completion: .settled)
    try batch.pause(track)
    try batch.animate(other, to: 1, .smooth)
    #expect(try batch.outcomes.isEmpty && run(&batch, until: 3).isEmpty)
    try batch.resume(track)
    let outcomes = try run(&batch, until: 5)
    #expect(outcomes.map(\.change) == [change] && counts(outcomes.first) == [1, 0, 0] && batch[track] == 2)
  }

  /// A call without a motion is complete when it is due, as it is at once without a delay.
  @Test func dueCallsWithoutAMotionAreComplete() throws {
    let calls: [(inout Batch, TrackHandle) throws -> ChangeID] = [
      { try $0.animate($1, to: 4, nil, delay: 0.5, completion: .settled) },
      { try $0.animate($1, to: 0, .smooth, delay: 0.5, completion: .settled) },
      { batch, track in
        try batch.follow(track)
        return try batch.retarget(track, to: 4, delay: 0.5, completion: .settled)
      },
    ]
    for (number, call) in calls.enumerated() {
      var batch = try Batch()
      let change = try call(&batch, try batch.add(0))
      try batch.advance(to: 0.4)
      #expect(batch.outcomes.isEmpty, "call \(number)")
      try batch.advance(to: 0.6)
      #expect(batch.outcomes.map(\.change) == [change] && counts(batch.outcomes.first) == [1, 0, 0], "call \(number)")
    }
    var rotations = try RotationBatch()
    let head = try rotations.add(.identity)
    let turn = Rotation(axis: SIMD3(0, 0, 1), angle: .degrees(90)) ?? .identity
    let change = try rotations.animate(head, to: turn, nil, delay: 0.5, completion: .settled)
    try rotations.advance(to: 0.6)
    #expect(rotations.outcomes.map(\.change) == [change] && counts(rotations.outcomes.first) == [1, 0, 0])
  }

  /// A track at the index of one that is gone has no change before.
  @Test(arguments: [1, 16]) func aNewTrackHasNoChange(count: Int) throws {
    var batch = try Batch()
    let old = try batch.add([Float](repeating: 0, count: count))
    let change = try batch.animate(old, to: 1, .smooth)
    try batch.remove(old)
    let new = try batch.add([Float](repeating: 0, count: count))
    #expect(try batch.animate(new[count - 1], to: 0, .smooth) == 0 && change == 1)
  }

  @Test func twoChangesOfATrackEndInOneFrame() throws {
    var batch = try Batch()
    let track = try batch.add(0)
    let first = try batch.animate(track, to: 1, .linear(duration: 0.1), completion: .settled)
    let second = try batch.animate(track, to: 2, .linear(duration: 0.1), delay: 0.2, completion: .settled)
    try batch.advance(to: 5)
    #expect(Set(batch.outcomes.map(\.change)) == [first, second] && batch.outcomes.allSatisfy(\.isComplete))
  }

  @Test func whatNeverEndsIsTold() throws {
    var batch = try Batch()
    let tracks = try batch.add([0, 0, 0])
    try batch.animate(tracks[0], to: 1, .linear(duration: 0.1).repeatForever(), completion: .settled)
    try batch.animate(tracks[1], to: 1, .spring(Spring(mass: 1, stiffness: 100, damping: 0)), completion: .settled)
    try batch.animate(tracks[2], to: 1, .smooth, completion: .settled)
    try batch.advance(to: 0.1)
    try batch.pause(tracks[2])
    #expect(try run(&batch, until: 20, step: 0.5).isEmpty)
    batch.removeAll()
    try batch.advance(to: 21)
    #expect(batch.outcomes.count == 3 && batch.outcomes.allSatisfy { $0.removed == 1 })
  }

  @Test func aTrackThatIsNamedTwiceEndsOnce() throws {
    var batch = try Batch()
    let track = try batch.add(0)
    try batch.animate([track, track], to: [1, 2], .smooth, completion: .settled)
    let outcomes = try run(&batch, until: 5)
    #expect(outcomes.count == 1 && counts(outcomes.first) == [1, 0, 0])
  }

  @Test func manyChangesAreToldApart() throws {
    var batch = try Batch()
    let tracks = try batch.add([Float](repeating: 0, count: 500))
    var changes: [ChangeID] = []
    for (index, track) in tracks.enumerated() {
      let ease = Animation.easeOut(duration: 0.2 + 0.002 * Double(index % 7))
      changes.append(try batch.animate(track, to: 1, ease, completion: .settled))
    }
    let outcomes = try run(&batch, until: 1)
    #expect(outcomes.count == 500 && Set(outcomes.map(\.change)) == Set(changes) && outcomes.allSatisfy(\.isComplete))
  }
}
