// SPDX-License-Identifier: MIT
import AnimationModel
import Kernels
import TestSupport
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// Tracks that come and go by thousands: handles, indices and the order of both, and the memory that they take.
struct LifeCycleTests {
  private typealias Batch = AnimationBatch<Float>
  private static let blank = TrackHandle(index: 7, generation: 7, store: 7)

  /// Adds tracks with handles in memory of the caller.
  private func emit(_ batch: inout Batch, _ count: Int, mixed: Bool = false) throws -> [TrackHandle] {
    let (values, zeros) = ((0..<count).map { Float($0) }, [Float](repeating: 0, count: count))
    var handles = [TrackHandle](repeating: Self.blank, count: count)
    var span = handles.mutableSpan
    if mixed {
      let springs = [Spring](repeating: .bouncy, count: count)
      try batch.add(planar: values.span, toPlanar: zeros.span, springs: springs.span, handles: &span)
    } else {
      try batch.add(values.span, to: zeros.span, .bouncy, handles: &span)
    }
    return handles
  }

  /// Removes a track of a list at random.
  private func removeOne(of handles: inout [TrackHandle], _ batch: inout Batch, _ random: inout SplitMix64) throws {
    try batch.remove(handles.remove(at: Int(random.next() % UInt64(handles.count))))
  }

  // MARK: - Handles and indices

  @Test(arguments: [0, 1, 15, 16, 17, 100], [false, true]) func emittingIsAddingIntoMemoryOfTheCaller(
    _ count: Int, _ mixed: Bool
  ) throws {
    var batch = try Batch()
    var other = try Batch()
    let handles = try emit(&batch, count, mixed: mixed)
    let (values, zeros) = ((0..<count).map { Float($0) }, [Float](repeating: 0, count: count))
    let springs = [Spring](repeating: .bouncy, count: count)
    let twins =
      mixed ? try other.add(values, to: zeros, springs: springs) : try other.add(values, to: zeros, .bouncy)
    #expect(handles.map(\.index) == Array(0..<count) && twins.map(\.index) == Array(0..<count))
    try batch.advance(to: 0.3)
    try other.advance(to: 0.3)
    let (bits, expected) = (try batch.bits(), try other.bits())
    #expect(bits == expected)
  }

  @Test func handlesForAnotherNumberOfTracksAreRefused() throws {
    var batch = try Batch()
    let three: [Float] = [1, 2, 3]
    var two = [Self.blank, Self.blank]
    #expect(throws: BatchError.wrongCount(of: "handles", expected: 3, got: 2)) {
      var span = two.mutableSpan
      try batch.add(three.span, handles: &span)
    }
    #expect(throws: BatchError.wrongCount(of: "values", expected: 2, got: 3)) {
      var span = two.mutableSpan
      try batch.add(three.span, to: three.span, .bouncy, handles: &span)
    }
    let clip = try batch.load(Clip(curve: .linear))
    #expect(throws: BatchError.wrongCount(of: "playbacks", expected: 2, got: 3)) {
      var span = two.mutableSpan
      try batch.add(playing: clip, [Playback(), Playback(), Playback()].span, handles: &span)
    }
    #expect(throws: BatchError.wrongCount(of: "clips", expected: 2, got: 1)) {
      try batch.add(playing: [clip], [Playback(), Playback()])
    }
    #expect(two == [Self.blank, Self.blank] && batch.count == 0)
  }

  @Test func anIndexWhoseGenerationsAreUsedUpIsRetired() throws {
    // Indices begin with the last generation but two, as no test can remove 2³¹ tracks.
    let last = UInt32(1) << 31 - 1
    var batch = try Batch()
    try batch.engine.adopt(IndexTable(firstGeneration: last - 2), indexCount: 0)
    let first = try emit(&batch, 3)[1]
    try batch.remove(first)
    let second = try emit(&batch, 1)[0]
    try batch.remove(second)
    let aged = try emit(&batch, 1)[0]
    let names = [first, second, aged]
    #expect(names.map(\.index) == [1, 1, 1] && names.map(\.generation) == [last - 2, last - 1, last])
    #expect(names.map { batch.contains($0) } == [false, false, true])
    try batch.remove(aged)
    #expect(!batch.contains(aged) && batch.handle(at: 1) == nil)
    // Its index is never given again, and everything else goes on.
    #expect(try !emit(&batch, 20).map(\.index).contains(1))
    try batch.advance(to: 1)
    let values = try batch.values()
    #expect(values[1] == 0 && values.count == 23)
    batch.removeAll()
    #expect(try !emit(&batch, 20).map(\.index).contains(1))
    for generation in [UInt32.max, last + 1, last, last - 2, 0] {
      #expect(batch.contains(TrackHandle(index: 1, generation: generation, store: first.store)) == false)
    }
  }

  @Test func removedTracksReadZeroAndLeaveAHole() throws {
    var batch = try Batch()
    let handles = try batch.add([1, 2, 3, 4], to: [50, 60, 70, 80], .bouncy)
    try batch.advance(to: 0.1)
    try batch.remove(handles[2])
    for time in [0.1, 0.2, 3] {
      try batch.advance(to: time, velocities: true)
      let (values, speeds) = (try batch.values(), try batch.velocities())
      #expect(values[2] == 0 && values[1] != 0 && speeds[2] == 0 && batch.handle(at: 2) == nil)
    }
  }

  @Test func removingEverythingFreesIndicesAndKeepsHandlesStale() throws {
    var batch = try Batch()
    let old = try emit(&batch, 40) + emit(&batch, 3) + emit(&batch, 20, mixed: true)
    try batch.remove(old[5])
    try batch.advance(to: 0.1)
    batch.removeAll()
    #expect(batch.count == 0 && batch.indexCount == 0)
    let new = try emit(&batch, 63)
    #expect(Set(new.map(\.index)) == Set(0..<63) && !old.contains { batch.contains($0) })
    try batch.advance(by: 100)
    #expect(Set(batch.settled) == Set(new))
  }

  /// Those that are left are still called, and none is called twice.
  @Test func calledAnimationsEndInAnyOrder() throws {
    var batch = try Batch()
    let tracks = try batch.add([0, 0, 0, 0])
    try batch.animate(tracks, to: 1, Animation(ClipAnimationTests.Wobble()))
    for place in [0, 3, 1] { try batch.remove(tracks[place]) }
    try batch.advance(to: 1)
    #expect(batch[tracks[2]] == 0.5 && batch.engine.called.indices == [UInt32(tracks[2].index)])
  }

  // MARK: - Memory

  @Test func compactingGivesBackWhatIsBehindTheLastTrack() throws {
    var random = SplitMix64(seed: 82)
    var batch = try Batch()
    var handles: [TrackHandle] = []
    for size in [20, 3, 40] {
      handles += try emit(&batch, size)
      handles += try emit(&batch, size, mixed: true)
      handles += [try batch.add(1, to: 0, Spring(duration: 1, bounce: -0.5)), try batch.add(1), try batch.add(1)]
      try batch.animate(handles[handles.count - 1], to: 2, .linear(duration: 1))
    }
    for _ in 0..<50 { try removeOne(of: &handles, &batch, &random) }
    let middle = (handles.map(\.index).max() ?? 0) / 2
    try batch.remove(handles.filter { $0.index > middle })
    handles.removeAll { $0.index > middle }
    try batch.compact()
    let last = handles.map(\.index).max() ?? 0
    #expect(batch.engine.tracks.capacity == (last / laneCountOfTile + 1) * laneCountOfTile)
    #expect(batch.indexCount == last + 1 && batch.checkInvariants() == nil)
    #expect(handles.allSatisfy { batch.index(of: $0) == $0.index })
  }

  /// Frames went on over tiles whose tracks were removed, and whose memory was then given back, all before the next frame.
  @Test func whatIsGivenBackIsNotEvaluated() throws {
    var batch = try Batch()
    _ = try emit(&batch, 1_000)
    try batch.advance(to: 0.1)
    batch.removeAll()
    try batch.compact()
    try batch.advance(to: 0.2)
    #expect(batch.checkInvariants() == nil)
    _ = try emit(&batch, 5)
    try batch.advance(to: 0.3)
    #expect(batch.engine.tracks.frame.count(of: .spring) == 1 && batch.checkInvariants() == nil)
  }

  /// Tracks with one spring and with springs of their own come and go at random for many frames; the number of live tracks
  /// stays about the same.
  @Test(arguments: [1, 2]) func indicesStayWithinTwiceTheTracksThatLive(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var batch = try Batch()
    var live: [TrackHandle] = []
    var (mostLive, sinceWarmUp) = (0, 0)
    for frame in 0..<Effort.draws(quick: 400, soak: 2_000) {
      let size = [1, 7, 20, 100, 400][Int(random.next() % 5)]
      live += try emit(&batch, size, mixed: seed % 2 == 0 && frame % 3 == 0)
      mostLive = max(mostLive, live.count)
      // The more tracks there are, the more are removed, chosen at random, so that tiles thin out.
      live.shuffle(using: &random)
      let gone = Array(live.suffix(live.count > 3_000 ? live.count - 3_000 + size : size / 2))
      live.removeLast(gone.count)
      try batch.remove(gone)
      try batch.advance(by: 1.0 / 60)
      if frame == 200 { sinceWarmUp = batch.engine.tracks.capacity }
      // New tracks fill holes where there are many, and each kind may have a few tiles that are not full.
      #expect(batch.count == live.count && batch.indexCount <= 2 * mostLive + 16 * 64, "frame \(frame)")
    }
    let capacity = batch.engine.tracks.capacity
    #expect(capacity <= 2 * sinceWarmUp && capacity <= 4 * mostLive + 16 * 128)
    try batch.compact()
    #expect(batch.indexCount == (live.map(\.index).max() ?? 0) + 1)
  }

  @Test func reservingMakesTheRoomAndNoMore() throws {
    var batch = try AnimationBatch<SIMD3<Float>>()
    try batch.reserve(1_000)
    let capacity = batch.engine.tracks.capacity
    #expect(capacity >= 1_000 && capacity <= 1_000 + 16 * 4)
    let zeros = [SIMD3<Float>](repeating: .zero, count: 1_000)
    let handles = try batch.add(zeros, to: zeros, .bouncy)
    #expect(batch.engine.tracks.capacity == capacity)
    try batch.reserve(0)
    try batch.remove(Array(handles.dropFirst(10)))
    try batch.compact()
    #expect(batch.engine.tracks.capacity == 16)
  }
}
