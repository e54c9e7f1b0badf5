// SPDX-License-Identifier: MIT
import AnimationModel
import Testing

@testable import Murmuration

/// Sequences, times and handles that make no sense, given to batches of phases.
struct HostilePhaseTests {
  private static func sequence(_ animation: Animation? = .smooth) throws -> PhaseSequence {
    try PhaseSequence([0, 1, 2] as [Float], target: { $0 }, animation: { _ in animation })
  }

  @Test("No phases, and targets and animations of impossible numbers, are refused")
  func badSequencesAreRefused() {
    func expect(_ error: PhaseError, _ targets: [[Float]], _ animations: [Animation?], dimensions: Int = 1) {
      #expect(throws: error) { _ = try PhaseSequence(dimensions: dimensions, targets: targets, animations: animations) }
      #expect(!error.description.isEmpty)
    }
    expect(.noPhases, [], [])
    expect(.invalidDimensions(0), [[]], [nil], dimensions: 0)
    expect(.invalidDimensions(65), [[]], [nil], dimensions: 65)
    expect(.wrongDimensions(phase: 1, expected: 1, got: 2), [[0], [1, 2]], [nil, nil])
    expect(.wrongCount(expected: 2, got: 1), [[0], [1]], [nil])
    expect(.invalidValue(phase: 1, dimension: 0, value: .infinity), [[0], [.infinity]], [nil, nil])
    expect(.tooManyPhases(65_537), Array(repeating: [0], count: 65_537), [])
    let bad: [Animation] = [
      .spring(Spring(duration: 1e-5)), .spring(duration: 0.5, bounce: -1), .linear(duration: .nan),
      .linear(duration: .infinity), .easeIn.delay(.nan), .easeIn.speed(.infinity),
      .easeIn.logicallyComplete(after: .nan), .timingCurve(.nan, 0, 1, 1), .linear(duration: 1e-6),
      // They go on for ever while the sequence does not.
      .linear.repeatForever().logicallyComplete(after: 0.5), .interpolatingSpring(duration: 0.5, bounce: 1),
    ]
    for animation in bad {
      #expect(throws: PhaseError.self, "\(animation)") { _ = try Self.sequence(animation) }
    }
  }

  @Test(
    "A round that lasts no time is gone through once, and stops at phase 0",
    arguments: [nil, Animation.linear(duration: 0), .spring(duration: 0), .easeIn(duration: 0).delay(0)])
  func roundsWithoutDurationStop(animation: Animation?) throws {
    var batch = try PhaseBatch(try Self.sequence(animation))
    batch.reportsPhaseChanges = true
    let handle = try batch.add(startingAt: 1)
    try batch.advance(to: 2)
    #expect(batch.stalled == [handle])
    #expect(batch.phaseChanges.map(\.phase) == [1, 2, 0])
    #expect(try batch.value(of: handle, as: Float.self) == 0)
    try batch.advance(to: 3)
    #expect(batch.stalled.isEmpty)
    #expect(batch.phaseChanges.isEmpty)

    var triggered = try PhaseBatch(try Self.sequence(animation), playback: .triggered)
    let other = try triggered.add()
    try triggered.trigger(other)
    try triggered.advance(to: 1)
    #expect(triggered.completed == [other])
  }

  @Test("A round whose targets are all the same stops too")
  func equalTargetsStop() throws {
    var batch = try PhaseBatch(try PhaseSequence([3, 3, 3] as [Float], target: { $0 }))
    let handle = try batch.add()
    try batch.advance(to: 1)
    #expect(batch.stalled == [handle])
  }

  @Test("One phase never moves") func onePhaseNeverMoves() throws {
    for playback in [PhaseBatch.Playback.loops, .triggered] {
      var batch = try PhaseBatch(try PhaseSequence([3] as [Float], target: { $0 }), playback: playback)
      batch.reportsPhaseChanges = true
      let handle = try batch.add()
      try batch.trigger(handle)
      try batch.advance(to: 100)
      #expect(try batch.value(of: handle, as: Float.self) == 3)
      #expect(batch.phaseChanges.isEmpty && batch.stalled.isEmpty && batch.completed.isEmpty)
    }
  }

  /// An animation without end keeps a track in its phase.
  @Test func anEndlessStepStays() throws {
    let sequence = try PhaseSequence(
      [0, 1, 2] as [Float], target: { $0 }, animation: { $0 == 1 ? .linear.repeatForever() : .smooth })
    #expect(sequence.cycleDuration == .infinity)
    var batch = try PhaseBatch(sequence)
    let handle = try batch.add()
    try batch.advance(to: 1e9)
    #expect(try batch.phase(of: handle) == 1)
    #expect(try batch.nextStepTime(of: handle) == .infinity)
    let value = try batch.value(of: handle, as: Float.self)
    #expect(abs(value) <= 1)
  }

  @Test("10⁹ seconds in one frame cost no more than a few rounds, and lead to where small frames do")
  func aLongSleepIsMadeUpFor() throws {
    for animation in [Animation.bouncy, .easeInOut, .smooth(duration: 1e-4)] {
      let sequence = try Self.sequence(animation)
      let round = sequence.cycleDuration
      var asleep = try PhaseBatch(sequence)
      var awake = try PhaseBatch(sequence)
      let (one, other) = (try asleep.add(), try awake.add())
      // A round and a part of one, after many.
      let end = round * 1000.4
      for frame in 1...100 {
        try awake.advance(to: end * Double(frame) / 100)
      }
      try asleep.advance(to: end)
      #expect(try asleep.phase(of: one) == awake.phase(of: other))
      let error = try asleep.value(of: one, as: Float.self) - awake.value(of: other, as: Float.self)
      #expect(abs(error) < 1e-4)
      try asleep.advance(to: 1e9)
      try asleep.advance(to: 1e10)
      #expect(try asleep.value(of: one, as: Float.self).isFinite)
      #expect(try asleep.nextStepTime(of: one) > 1e10 - 2 * round)
    }
  }

  /// Springs that hardly settle still show after many rounds from where they came: what a long sleep makes up for is that
  /// many rounds, and not about as many; of a track with values of its own, too.
  @Test(arguments: [1, -1.75] as [Float]) func aLongSleepCountsItsRounds(scale: Float) throws {
    let sequence = try Self.sequence(.spring(duration: 0.5, bounce: 0.999))
    let round = sequence.cycleDuration
    for rounds in [67.0, 98, 100, 127] {
      var asleep = try PhaseBatch(sequence)
      var awake = try PhaseBatch(sequence)
      let one = try asleep.add(offset: Float(3), scale: scale)
      let other = try awake.add(offset: Float(3), scale: scale)
      let end = round * (rounds + 0.4)
      for frame in 1...100 {
        try awake.advance(to: end * Double(frame) / 100)
      }
      try asleep.advance(to: end)
      let error = try asleep.value(of: one, as: Float.self) - awake.value(of: other, as: Float.self)
      // Three steps a round, of 8 · 2⁻²⁴ · S each with S below 4 times the scale.
      #expect(abs(error) < Float(3 * rounds + 3) * 8 * 0x1p-24 * 4 * abs(scale), "\(rounds) rounds")
    }
  }

  /// An undamped spring neither settles nor grows beyond what its targets feed it with.
  @Test func undampedSpringsStayFinite() throws {
    var batch = try PhaseBatch(try Self.sequence(.spring(duration: 0.5, bounce: 1)))
    let handle = try batch.add()
    try batch.advance(to: 1e6)
    #expect(try batch.value(of: handle, as: Float.self).isFinite)
  }

  @Test("Calls with impossible numbers, times and sizes change nothing")
  func badCallsChangeNothing() throws {
    var batch = try PhaseBatch(try Self.sequence())
    let handle = try batch.add()
    try batch.advance(to: 1)
    let value = try batch.value(of: handle, as: Float.self)
    #expect(throws: BatchError.invalidTime(.infinity)) { try batch.advance(to: .infinity) }
    #expect(throws: BatchError.self) { try batch.advance(to: .nan) }
    #expect(throws: BatchError.self) { try batch.advance(by: .nan) }
    #expect(throws: BatchError.self) { try batch.advance(to: 0) }
    #expect(throws: BatchError.self) { try batch.add(startingAt: .nan) }
    #expect(throws: BatchError.self) { try batch.add(startingAt: 2e10) }
    #expect(throws: BatchError.invalidValue(of: "offset", index: 0, value: .infinity)) {
      try batch.add(offset: Float.infinity)
    }
    #expect(throws: BatchError.self) { try batch.add(offset: Float(0), scale: .nan) }
    #expect(throws: BatchError.self) { try batch.add(offset: Float(0), scale: 1e15) }
    #expect(throws: BatchError.wrongDimensions(of: "offset", expected: 1, got: 2)) {
      try batch.add(offset: SIMD2<Float>(0, 0))
    }
    let starts = [1.0, 2]
    let offsets: [Float] = [1]
    #expect(throws: BatchError.wrongCount(of: "offsets", expected: 2, got: 1)) {
      try batch.add(startingAt: starts.span, offsets: offsets.span)
    }
    #expect(throws: BatchError.self) { try batch.reserve(.max) }
    #expect(throws: BatchError.self) { try batch.reserve(-1) }
    #expect(throws: BatchError.self) { _ = try PhaseBatch(try Self.sequence(), reservingCapacity: .max) }
    #expect(batch.count == 1)
    #expect(try batch.value(of: handle, as: Float.self) == value)
    #expect(batch.time == 1)
  }

  @Test("Handles of tracks that are gone, of other batches and of nothing are refused")
  func staleHandlesAreRefused() throws {
    for animation in [Animation.smooth, .linear] {
      var batch = try PhaseBatch(try Self.sequence(animation))
      var other = try PhaseBatch(try Self.sequence(animation))
      let (gone, foreign) = (try batch.add(), try other.add())
      try batch.pause(gone)
      try batch.remove(gone)
      let good = try batch.add()
      let forged = TrackHandle(slot: .max, generation: .max, store: good.store)
      for (handle, error) in [
        (gone, BatchError.staleHandle(gone)), (foreign, .storeMismatch(foreign)), (forged, .staleHandle(forged)),
      ] {
        let handles = [good, handle]
        #expect(throws: error) { _ = try batch.value(of: handle, as: Float.self) }
        #expect(throws: error) { _ = try batch.velocity(of: handle, as: Float.self) }
        #expect(throws: error) { _ = try batch.phase(of: handle) }
        #expect(throws: error) { _ = try batch.nextStepTime(of: handle) }
        #expect(throws: error) { _ = try batch.isPaused(handle) }
        #expect(throws: error) { try batch.trigger(handle) }
        #expect(throws: error) { try batch.trigger(handles.span) }
        #expect(throws: error) { try batch.pause(handle) }
        #expect(throws: error) { try batch.resume(handle) }
        #expect(throws: error) { try batch.remove(handle) }
        #expect(throws: error) { try batch.remove(handles.span) }
      }
      #expect(batch.count == 1)
      #expect(try !batch.isPaused(good))
    }
  }

  @Test("The lists of an advance may be walked while tracks come, go and are triggered")
  func listsMayBeWalked() throws {
    for animation in [Animation.smooth, .linear, .linear(duration: 0)] {
      var batch = try PhaseBatch(try Self.sequence(animation), playback: .triggered)
      batch.reportsPhaseChanges = true
      let starts = [Double](repeating: 0, count: 40)
      let handles = try batch.add(startingAt: starts.span)
      try batch.trigger(handles.span)
      try batch.advance(to: 100)
      let (completed, changes) = (batch.completed.count, batch.phaseChanges.count)
      #expect(completed == 40 && changes == 120)
      for change in batch.phaseChanges where batch.contains(change.handle) { try batch.trigger(change.handle) }
      for handle in batch.completed {
        try batch.remove(handle)
        #expect(throws: BatchError.staleHandle(handle)) { try batch.trigger(handle) }
        let heir = try batch.add()
        #expect(heir != handle)
      }
      #expect(batch.completed.count == 40 && batch.count == 40)
      try batch.advance(to: 200)
      #expect(batch.completed.isEmpty && batch.phaseChanges.isEmpty, "those who came wait")
    }
    // A round without duration stops in a list of its own.
    var batch = try PhaseBatch(try Self.sequence(nil))
    for _ in 0..<20 { _ = try batch.add(startingAt: 1) }
    try batch.advance(to: 2)
    for handle in batch.stalled { try batch.remove(handle) }
    #expect(batch.count == 0 && batch.stalled.count == 20)
  }

  @Test("Room for more tracks than there may be is refused", arguments: [Int.max, 1 << 40, -1, .min])
  func room(_ count: Int) throws {
    #expect(throws: BatchError.self) { _ = try PhaseBatch(try Self.sequence(), reservingCapacity: count) }
    var batch = try PhaseBatch(try Self.sequence())
    let handle = try batch.add()
    #expect(throws: BatchError.self) { try batch.reserve(count) }
    try batch.advance(to: 100)
    #expect(try batch.count == 1 && batch.value(of: handle, as: Float.self).isFinite)
  }

  @Test("Any number of threads shows the same, in a task that is cancelled too")
  func threadsAndTasks() async throws {
    func play(_ threads: Int) throws -> [Float] {
      var batch = try PhaseBatch(try Self.sequence(.bouncy))
      batch.threadCount = threads
      let starts = (0..<20_000).map { 1e-4 * Double($0) }
      let handles = try batch.add(startingAt: starts.span)
      for frame in 1...4 { try batch.advance(to: Double(frame) * 0.6) }
      return try handles.map { handle in try batch.value(of: handle, as: Float.self) }
    }
    let expected = try play(1)
    for threads in [0, 3, 1000] {
      #expect(try play(threads) == expected, "\(threads) threads")
    }
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try play(3)
    }
    task.cancel()
    let shown = try await task.value
    #expect(shown == expected)
  }
}
