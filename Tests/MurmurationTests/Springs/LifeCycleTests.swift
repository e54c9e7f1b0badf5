// SPDX-License-Identifier: MIT
import AnimationModel
import Kernels
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// Tracks that come and go by thousands: handles, indices and the order of both.
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
    #expect(throws: BatchError.wrongCount(of: "springs", expected: 3, got: 2)) {
      try batch.add(three, to: three, springs: [.bouncy, .smooth])
    }
    let count = batch.count
    #expect(two == [Self.blank, Self.blank] && count == 0)
  }

  @Test func indicesOfTracksThatWentAreTakenLowestFirst() throws {
    var batch = try Batch()
    let handles = try emit(&batch, 50)
    let gone = [handles[7], handles[30], handles[8]]
    try batch.remove(gone)
    try batch.remove(handles[49])
    let next = try emit(&batch, 6, mixed: true)
    #expect(next.map(\.index) == [7, 8, 30, 49, 50, 51])
    let (count, holds) = (batch.indexCount, gone.map { batch.contains($0) })
    #expect(count == 52 && holds == [false, false, false])
  }

  @Test func handlesAndIndicesNameTheSameTracks() throws {
    var random = SplitMix64(seed: 81)
    var batch = try Batch()
    var handles = try emit(&batch, 100) + emit(&batch, 40, mixed: true) + emit(&batch, 5)
    for _ in 0..<60 { try batch.remove(handles.remove(at: Int(random.next() % UInt64(handles.count)))) }
    try batch.animate(Array(handles.prefix(30)), to: [Float](repeating: 0.5, count: 30), .smooth)
    try batch.animate(Array(handles[20..<25]), to: [Float](repeating: 1, count: 5), .easeIn)
    for isCompact in [false, true] {
      if isCompact { try batch.compact() }
      var found: Set<TrackHandle> = []
      for index in 0..<batch.indexCount {
        guard let handle = batch.handle(at: index) else { continue }
        found.insert(handle)
        let (back, byIndex) = (batch.index(of: handle), batch.handle(at: handle.index))
        #expect(back == index && byIndex == handle)
      }
      let live = batch.live
      #expect(found == Set(handles) && live.map(\.index) == handles.map(\.index).sorted())
    }
    for place in [-1, Int.min, batch.indexCount, Int.max] {
      let handle = batch.handle(at: place)
      #expect(handle == nil)
    }
  }

  /// A batch finds a track at the index of its handle, whatever came and went before.
  @Test func tracksKeepTheirIndices() throws {
    for mixed in [false, true] {
      var batch = try Batch()
      var handles = try emit(&batch, 100, mixed: mixed) + emit(&batch, 64, mixed: mixed)
      #expect(handles.map(\.index) == Array(0..<164))
      try batch.remove(Array(handles[20..<90]))
      handles.removeSubrange(20..<90)
      handles += try emit(&batch, 90, mixed: mixed)
      try batch.animate(handles[3], to: 2, .linear(duration: 1))
      try batch.pause(Array(handles[30..<50]))
      #expect(handles.allSatisfy { batch.index(of: $0) == $0.index })
      #expect(batch.indexCount == (handles.map(\.index).max() ?? 0) + 1)
    }
  }

  @Test func compactingGivesBackWhatIsBehindTheLastTrack() throws {
    var random = SplitMix64(seed: 82)
    var batch = try Batch()
    var handles: [TrackHandle] = []
    for size in [20, 3, 40] {
      handles += try emit(&batch, size)
      handles += try emit(&batch, size, mixed: true)
      handles.append(try batch.add(1, to: 0, Spring(duration: 1, bounce: -0.5)))
      handles.append(try batch.add(1))
      try batch.animate(handles[handles.count - 1], to: 2, .linear(duration: 1))
      handles.append(try batch.add(1))
    }
    for _ in 0..<50 { try batch.remove(handles.remove(at: Int(random.next() % UInt64(handles.count)))) }
    let last = handles.map(\.index).max() ?? 0
    try batch.remove(handles.filter { $0.index > last / 2 })
    handles.removeAll { $0.index > last / 2 }
    try batch.compact()
    let left = (handles.map(\.index).max() ?? 0) / laneCountOfTile * laneCountOfTile + laneCountOfTile
    #expect(batch.engine.tracks.capacity == left && batch.indexCount == (handles.map(\.index).max() ?? 0) + 1)
    #expect(handles.allSatisfy { batch.index(of: $0) == $0.index } && batch.checkInvariants() == nil)
  }

  @Test(arguments: [false, true]) func compactingKeepsHandlesValuesMotionsAndReports(_ whileMoving: Bool) throws {
    var compacted = try Batch()
    var plain = try Batch()
    let handles = try emit(&compacted, 40) + emit(&compacted, 5) + emit(&compacted, 30, mixed: true)
    let twins = try emit(&plain, 40) + emit(&plain, 5) + emit(&plain, 30, mixed: true)
    for time in [0.1, 0.3, 0.6, 1, 2, 100, 101] {
      try compacted.advance(to: time)
      try plain.advance(to: time)
      let (events, expected) = (compacted.events, plain.events)
      #expect(events.map(\.kind) == expected.map(\.kind) && events.map(\.moment) == expected.map(\.moment))
      if time == 0.1 {
        let chosen = stride(from: 0, to: 75, by: 2)
        try compacted.remove(chosen.map { handles[$0] })
        try plain.remove(chosen.map { twins[$0] })
      }
      if whileMoving || time >= 100 { try compacted.compact() }
      for (handle, twin) in zip(handles, twins) {
        let (rests, restsToo) = (compacted.isAtRest(handle), plain.isAtRest(twin))
        let (end, otherEnd) = (compacted.restTime(of: handle), plain.restTime(of: twin))
        #expect(rests == restsToo && end == otherEnd)
      }
      let (bits, expectedBits) = (compacted.bits(of: handles), plain.bits(of: twins))
      #expect(bits == expectedBits, "at \(time)")
    }
  }

  /// Frames went on over tiles whose tracks were removed, and whose memory was then given back, all before the next frame.
  @Test func whatIsGivenBackIsNotEvaluated() throws {
    var batch = try Batch()
    _ = try emit(&batch, 1_000)
    try batch.advance(to: 0.1)
    batch.removeAll()
    try batch.compact()
    try batch.advance(to: 0.2)
    let broken = batch.checkInvariants()
    #expect(broken == nil, "\(broken ?? "")")
    _ = try emit(&batch, 5)
    try batch.advance(to: 0.3)
    let (evaluated, alsoBroken) = (batch.engine.tracks.frame.count(of: .spring), batch.checkInvariants())
    #expect(evaluated == 1 && alsoBroken == nil)
  }

  @Test func removingEverythingFreesIndicesAndKeepsHandlesStale() throws {
    var batch = try Batch()
    let old = try emit(&batch, 40) + emit(&batch, 3) + emit(&batch, 20, mixed: true)
    try batch.remove(old[5])
    try batch.advance(to: 0.1)
    batch.removeAll()
    let (count, indexCount) = (batch.count, batch.indexCount)
    #expect(count == 0 && indexCount == 0)
    let new = try emit(&batch, 63)
    let holds = old.contains { batch.contains($0) }
    #expect(Set(new.map(\.index)) == Set(0..<63) && !holds)
    try batch.advance(by: 100)
    let settled = batch.settled
    #expect(Set(settled) == Set(new))
  }

  @Test func anIndexWhoseGenerationsAreUsedUpIsRetired() throws {
    // Indices begin with the last generation but two, as no test can remove 2³¹ tracks.
    let last = UInt32(1) << 31 - 1
    var batch = try Batch()
    try batch.engine.adopt(IndexTable(firstGeneration: last - 2))
    let first = try emit(&batch, 3)[1]
    try batch.remove(first)
    let second = try emit(&batch, 1)[0]
    try batch.remove(second)
    let aged = try emit(&batch, 1)[0]
    let names = [first, second, aged]
    #expect(names.map(\.index) == [1, 1, 1] && names.map(\.generation) == [last - 2, last - 1, last])
    let holds = names.map { batch.contains($0) }
    #expect(holds == [false, false, true])
    try batch.remove(aged)
    let isGone = !batch.contains(aged) && batch.handle(at: 1) == nil
    #expect(isGone)
    // Its index is never given again, and everything else goes on.
    let next = try emit(&batch, 20)
    #expect(!next.map(\.index).contains(1))
    try batch.advance(to: 1)
    let values = try batch.values()
    #expect(values[1] == 0 && values.count == 23)
    batch.removeAll()
    let again = try emit(&batch, 20)
    #expect(!again.map(\.index).contains(1))
    for generation in [UInt32.max, last + 1, last, last - 2, 0] {
      let isHeld = batch.contains(TrackHandle(index: 1, generation: generation, store: first.store))
      #expect(!isHeld)
    }
  }

  private struct Way: CustomAnimation {
    func animate<V: VectorArithmetic>(value: V, time: Double, context: inout AnimationContext<V>) -> V? {
      time < 2 ? value.scaled(by: time / 2) : nil
    }
  }

  /// Those that are left are still called, and none is called twice.
  @Test func calledAnimationsEndInAnyOrder() throws {
    var batch = try Batch()
    let tracks = try batch.add([0, 0, 0, 0])
    try batch.animate(tracks, to: [1, 1, 1, 1], Animation(Way()))
    for place in [0, 3, 1] { try batch.remove(tracks[place]) }
    try batch.advance(to: 1)
    let (value, called) = (batch[tracks[2]], batch.engine.called.indices)
    #expect(value == 0.5 && called == [UInt32(tracks[2].index)])
  }
}
