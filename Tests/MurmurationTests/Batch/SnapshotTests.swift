// SPDX-License-Identifier: MIT
import Murmuration
import Testing

/// Snapshots and copies: what names mean afterwards. That no bit differs is what programs with rollbacks and copies show, see
/// `SpellingTests`.
struct SnapshotTests {
  /// No handle that was given out since the snapshot names a track again, whatever index the track has.
  @Test func whatWasGivenOutSinceNamesNothing() throws {
    var batch = try AnimationBatch<Float>()
    let phases = try PhaseSequence(dimensions: 1, targets: [[1], [2]], animations: [.smooth, .smooth])
    let old = try batch.add([1, 2, 3])
    try batch.remove(old[1])
    let moment = try batch.snapshot()
    try batch.remove(old[0])
    var since: [TrackHandle] = []
    for _ in 0..<3 { since += try batch.add([4, 5, 6, 7]) }
    let (clip, sequence) = (try batch.load(Clip(curve: .linear)), try batch.load(phases))
    let change = try batch.animate(since[0], to: 9)
    try batch.restore(moment)
    #expect(batch.count == 2 && batch.indexCount == 3)
    let new = try batch.add([Float](repeating: 8, count: 20))
    #expect(Set(new).isDisjoint(with: since) && since.allSatisfy { !batch.contains($0) })
    for handle in since { #expect(throws: BatchError.staleHandle(handle)) { try batch.animate(handle, to: 1) } }
    #expect(old.map { batch[$0] } == [1, nil, 3])
    #expect(try batch.load(Clip(curve: .linear)) != clip && batch.load(phases) != sequence)
    #expect(throws: BatchError.unknownClip(clip)) { try batch.unload(clip) }
    #expect(throws: BatchError.unknownSequence(sequence)) { try batch.unload(sequence) }
    #expect(try batch.animate(old[0], to: 9) > change)
  }

  /// Events and outcomes that were not read are there again.
  @Test func eventsAreThereAgain() throws {
    var batch = try AnimationBatch<Float>()
    let track = try batch.add(0)
    let change = try batch.animate(track, to: 1, .linear(duration: 0.1), completion: .settled)
    try batch.advance(to: 0.5)
    let (events, outcomes) = (batch.events, batch.outcomes)
    #expect(events.count == 2 && outcomes.map(\.change) == [change])
    let moment = try batch.snapshot()
    #expect(moment.time == 0.5)
    try batch.advance(to: 1)
    try batch.restore(moment)
    #expect(batch.events == events && batch.outcomes == outcomes && batch.time == 0.5)
  }

  /// A copy has the same tracks by index, the names of clips and sequences that were loaded, and a way of its own.
  @Test func aCopyGoesItsOwnWay() throws {
    var batch = try AnimationBatch<Float>()
    let clip = try batch.load(Clip(.linear(duration: 1)))
    let tracks = try batch.add([0, 0, 0])
    try batch.remove(tracks[1])
    try batch.play(clip, on: tracks[0])
    try batch.animate(tracks[2], to: 10, .linear(duration: 1), completion: .settled)
    var copy = try batch.copy()
    let others = copy.live
    #expect(others.map(\.index) == [0, 2])
    #expect(throws: BatchError.storeMismatch(tracks[0])) { try copy.stop(tracks[0]) }
    try copy.stop(others[0])
    let ofCopy = try copy.load(Clip(.linear(duration: 2)))
    let ofOriginal = try batch.load(Clip(.linear(duration: 3)))
    #expect(ofCopy != ofOriginal)
    #expect(throws: BatchError.unknownClip(ofOriginal)) { try copy.unload(ofOriginal) }
    try copy.play(clip, on: others[1])
    try batch.advance(to: 0.5)
    try copy.advance(to: 0.5)
    #expect(batch[tracks[0]] == 0.5 && batch[tracks[2]] == 5 && others.map { copy[$0] } == [0, 0.5])
    let outcomes = copy.trackOutcomes
    #expect(outcomes.map(\.track) == [others[1]] && outcomes.map(\.result) == [.replaced])
  }

  /// Particles go back with their lifetimes, and a copy knows the properties.
  @Test func particlesGoBack() throws {
    var sparks = Particles()
    let (place, size) = (try sparks.addProperty(SIMD2<Float>.self), try sparks.addProperty(Float.self))
    let burst = try sparks.add(20, lifetime: 1)
    try sparks[place].animate(burst, to: [1, 2], .linear(duration: 2))
    try sparks.setLifetime(5, of: burst[0])
    var moment = try sparks.snapshot()
    var copy = try sparks.copy()
    try sparks.advance(to: 1)
    #expect(sparks.count == 1)
    try sparks.restore(moment)
    #expect(sparks.count == 20)
    for time in [0.5, 1] {
      try sparks.advance(to: time)
      try copy.advance(to: time)
    }
    try copy[size].set(.all, 3)
    let found = copy.handle(at: 0)
    let other = try #require(found)
    #expect(sparks[place][burst[0]] == [0.5, 1] && sparks[size][burst[0]] == 0)
    #expect(copy[place][other] == [0.5, 1] && copy[size][other] == 3)
    #expect(sparks.expired.count == 19 && copy.expired.count == 19)
    try sparks.snapshot(into: &moment)
    _ = try sparks.addProperty(Float.self)
    #expect(throws: BatchError.snapshotMismatch) { try sparks.restore(moment) }
  }

  @Test func particlesWithoutPropertiesHaveATime() throws {
    var particles = Particles()
    try particles.advance(to: 3)
    let time = try particles.snapshot().time
    #expect(time == 3)
  }

  /// A snapshot is a value: another one of it stays what it was, and memory is used again if there is no other.
  @Test func snapshotsAreValues() throws {
    var batch = try AnimationBatch<Float>()
    let track = try batch.add(0)
    try batch.animate(track, to: 1, .linear(duration: 1))
    var ring = [try batch.snapshot()]
    for frame in 1...4 {
      try batch.advance(to: Double(frame) / 4)
      var moment = ring[frame - 1]
      try batch.snapshot(into: &moment)
      ring.append(moment)
    }
    for (frame, moment) in ring.enumerated().reversed() {
      try batch.restore(moment)
      #expect(batch[track] == Float(frame) / 4 && batch.time == moment.time)
    }
  }

  /// Between a snapshot and its return, memory grew, was given back, and began to hold other kinds of motions.
  @Test func memoryMayDiffer() throws {
    var batch = try AnimationBatch<SIMD2<Float>>()
    let few = try batch.add([SIMD2<Float>](repeating: .zero, count: 30))
    try batch.animate(few, to: [1, 1], .smooth)
    let small = try batch.snapshot()
    let many = try batch.add([SIMD2<Float>](repeating: .zero, count: 1000))
    try batch.animate(many, to: [1, 1], .linear(duration: 1))
    try batch.follow(many[0..<20], with: .smooth)
    let large = try batch.snapshot()
    #expect(large.byteCount > 1030 * 80 && small.byteCount < large.byteCount / 4)
    func show() throws -> [SIMD2<Float>?] {
      try batch.advance(to: 0.4)
      return (few + many).map { batch[$0] }
    }
    let expected = try show()
    for _ in 0..<2 {
      try batch.restore(small)
      #expect(try show() == Array(expected[..<30]) + many.map { _ -> SIMD2<Float>? in nil })
      try batch.compact()
      try batch.restore(large)
      #expect(try show() == expected)
    }
  }

  @Test func refusedSnapshotsChangeNothing() throws {
    var batch = try AnimationBatch<Float>()
    var other = try AnimationBatch<Float>()
    let track = try batch.add(1)
    let moment = try other.snapshot()
    #expect(throws: BatchError.snapshotMismatch) { try batch.restore(moment) }
    var particles = Particles()
    let ofNothing = try particles.snapshot()
    #expect(throws: BatchError.snapshotMismatch) { try batch.restore(ofNothing) }
    #expect(throws: BatchError.snapshotMismatch) { try particles.restore(moment) }
    try other.record()
    #expect(throws: BatchError.isRecorded) { try other.restore(moment) }
    #expect(batch[track] == 1)
  }

  // MARK: - Bytes

  /// Bytes that are cut, damaged, or of another version are refused, wherever the damage is.
  @Test func damagedBytesAreRefused() throws {
    var batch = try AnimationBatch<SIMD2<Float>>()
    let tracks = try batch.add([SIMD2<Float>](repeating: .zero, count: 20))
    try batch.animate(tracks, to: [1, 2], .bouncy, delay: 0.1)
    let bytes = try batch.snapshot().bytes()
    var random = SplitMix64(seed: 1)
    for length in [0, 7, 31, 32, 33, bytes.count - 1] + (0..<200).map({ _ in Int(random.next() % UInt64(bytes.count)) })
    {
      expectRefusal(Array(bytes.prefix(length)))
    }
    expectRefusal(bytes + [0])
    for bit in Array(0..<256) + (0..<2000).map({ _ in Int(random.next() % UInt64(8 * bytes.count)) }) {
      var damaged = bytes
      damaged[bit / 8] ^= 1 << (bit % 8)
      expectRefusal(damaged)
    }
    var later = bytes
    later[9] += 1
    #expect(throws: BatchError.invalidSnapshot(reason: "it is of version 2 with 64 bits, not of 1 with 64")) {
      try BatchSnapshot(bytes: later)
    }
    let again = try BatchSnapshot(bytes: bytes)
    try batch.advance(to: 0.5)
    let shown = batch[tracks[3]]
    try batch.advance(to: 0.2)
    try batch.restore(again)
    try batch.advance(to: 0.5)
    #expect(batch[tracks[3]] == shown)
  }

  private func expectRefusal(_ bytes: [UInt8]) {
    #expect {
      try BatchSnapshot(bytes: bytes)
    } throws: {
      if case BatchError.invalidSnapshot? = $0 as? BatchError { true } else { false }
    }
  }

  /// A custom animation is code, which no bytes hold: under way, waiting, paused, or in phases.
  @Test func customAnimationsAreNotWritten() throws {
    let custom = Animation(Ramp())
    let phases = try PhaseSequence(dimensions: 1, targets: [[1], [2]], animations: [custom, .smooth])
    let starts: [(inout AnimationBatch<Float>, TrackHandle) throws -> Void] = [
      { try $0.animate($1, to: 1, custom) },
      { try $0.animate($1, to: 1, custom, delay: 1) },
      { batch, track in
        try batch.animate(track, to: 1, custom)
        try batch.pause(track)
      },
      { batch, _ in _ = try batch.load(phases) },
    ]
    for start in starts {
      var batch = try AnimationBatch<Float>()
      try start(&batch, try batch.add(0))
      let moment = try batch.snapshot()
      #expect(throws: BatchError.invalidSnapshot(reason: "it holds a custom animation, which is code")) {
        try moment.bytes()
      }
      try batch.restore(moment)
    }
  }

  private struct Ramp: CustomAnimation {
    func animate<V: VectorArithmetic>(value: V, time: Double, context: inout AnimationContext<V>) -> V? {
      time < 1 ? value.scaled(by: time) : nil
    }
  }

  /// A batch of bytes has the clips, and each has a name of its own from then on; values of other sizes are refused.
  @Test func aBatchOfBytesGoesOn() throws {
    var sparks = Particles()
    let (place, size) = (try sparks.addProperty(SIMD2<Float>.self), try sparks.addProperty(Float.self))
    let burst = try sparks.add(20, lifetime: 1)
    try sparks[place].animate(burst, to: [1, 2], .timingCurve(.easeOutBounce, duration: 2))
    try sparks[size].animate(burst, to: 3, .smooth.repeatForever())
    let bytes = try sparks.snapshot().bytes()
    var other = try Particles(BatchSnapshot(bytes: bytes))
    let (otherPlace, otherSize) = (try other.property(SIMD2<Float>.self, at: 0), try other.property(Float.self, at: 1))
    #expect(throws: BatchError.unsupportedValue("Float")) { try other.property(Float.self, at: 0) }
    #expect(throws: BatchError.propertyOutOfRange(2)) { try other.property(Float.self, at: 2) }
    #expect(throws: BatchError.snapshotMismatch) { _ = try AnimationBatch<Float>(BatchSnapshot(bytes: bytes)) }
    for time in [0.25, 0.75, 1] {
      try sparks.advance(to: time)
      try other.advance(to: time)
      #expect(sparks.count == other.count && sparks.count == (time < 1 ? 20 : 0))
      for track in burst where sparks.contains(track) {
        let found = other.handle(at: track.index)
        let copy = try #require(found)
        #expect(sparks[place][track] == other[otherPlace][copy] && sparks[size][track] == other[otherSize][copy])
      }
    }
  }
}
