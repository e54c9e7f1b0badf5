// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

/// A call that fails for one property changes nothing in any, and clocks stay in step.
struct ParticleErrorTests {
  private static let none = TrackHandle(slot: 7, generation: 7, store: 7)

  private struct Fixture: ~Copyable {
    var particles: ParticleBatch
    var handles: [TrackHandle]
  }

  private func fixture() throws -> Fixture {
    var particles = try ParticleBatch(properties: [2, 1])
    var handles = [TrackHandle](repeating: Self.none, count: 3)
    var span = handles.mutableSpan
    let (values, targets) = ((0..<9).map(Float.init), [Float](repeating: -1, count: 9))
    let springs = [Spring.smooth, .bouncy]
    try particles.emit(springs.span, values: values.span, targets: targets.span, handles: &span)
    try particles.advance(to: 0.1)
    return Fixture(particles: particles, handles: handles)
  }

  /// Everything that a caller can see.
  private func state(_ particles: inout ParticleBatch) throws -> [Float] {
    var all = [Float(particles.count), Float(particles.indexCount), Float(particles.time)]
    for property in 0..<2 {
      all.append(Float(try particles.box(property).batch.time))
      all.append(Float(try particles.box(property).batch.count))
      for dimension in 0..<2 - property {
        all += try particles.box(property).batch.values(dimension)
        all += try particles.box(property).batch.velocities(dimension)
      }
    }
    return all
  }

  @Test func aBadEmitAddsNothingAnywhere() throws {
    var fixture = try self.fixture()
    let before = try state(&fixture.particles)
    let good = [Float](repeating: 1, count: 6)
    let broken = Spring(duration: .nan, bounce: 0)
    let (wrongLength, badLast, badFirst) = (Array(good[1...]), good[1...] + [.nan], [.infinity] + good[1...])
    let cases: [([Spring], [Float], [Float], [Float])] = [
      ([.smooth, broken], good, good, []), ([broken, .smooth], good, good, []), ([.smooth], good, good, []),
      ([.smooth, .smooth, .smooth], good, good, []), ([], good, good, []),
      ([.smooth, .smooth], Array(badLast), good, []), ([.smooth, .smooth], good, Array(badLast), []),
      ([.smooth, .smooth], good, good, Array(badLast)), ([.smooth, .smooth], badFirst, good, []),
      ([.smooth, .smooth], wrongLength, good, []), ([.smooth, .smooth], good, wrongLength, []),
      ([.smooth, .smooth], good, good, wrongLength),
    ]
    for (number, (springs, values, targets, velocities)) in cases.enumerated() {
      var handles = [Self.none, Self.none]
      #expect(throws: BatchError.self, "case \(number)") {
        var span = handles.mutableSpan
        try fixture.particles.emit(
          springs.span, values: values.span, targets: targets.span, velocities: velocities.span, handles: &span)
      }
      let after = try state(&fixture.particles)
      #expect(after == before && handles == [Self.none, Self.none], "case \(number)")
    }
    // The properties still give new particles the same handles.
    var handles = [Self.none, Self.none]
    var span = handles.mutableSpan
    try fixture.particles.emit([.smooth, .smooth].span, values: good.span, targets: good.span, handles: &span)
    for handle in handles {
      for property in 0..<2 {
        let isThere = try fixture.particles.box(property).batch.contains(handle)
        #expect(isThere)
      }
    }
  }

  @Test func errorsNameTheirPlace() throws {
    var fixture = try self.fixture()
    let one: [Float] = [1, 2, 3]
    var handles = [Self.none]
    #expect(throws: BatchError.invalidValue(of: "target", index: 2, value: .infinity)) {
      let bad: [Float] = [1, 2, .infinity]
      var span = handles.mutableSpan
      try fixture.particles.emit([.smooth, .smooth].span, values: one.span, targets: bad.span, handles: &span)
    }
    let error = #expect(throws: BatchError.self) {
      let springs = [Spring.smooth, Spring(duration: 2e6, bounce: 0)]
      var span = handles.mutableSpan
      try fixture.particles.emit(springs.span, values: one.span, targets: one.span, handles: &span)
    }
    if case .invalidSpring(index: 1, _)? = error {} else { Issue.record("\(String(describing: error))") }
    for property in [-1, 2, Int.min, Int.max] {
      let handle = fixture.handles[0]
      #expect(throws: BatchError.propertyOutOfRange(property)) {
        try fixture.particles.retarget(property, handle, to: Float(1))
      }
      #expect(throws: BatchError.propertyOutOfRange(property)) { _ = try fixture.particles.settled(property) }
      #expect(throws: BatchError.propertyOutOfRange(property)) {
        _ = try fixture.particles.value(property, of: handle, as: Float.self)
      }
    }
    #expect(throws: BatchError.invalidDimensions(0)) { _ = try ParticleBatch(properties: []) }
    #expect(throws: BatchError.invalidDimensions(0)) { _ = try ParticleBatch(properties: [1, 0]) }
    #expect(throws: BatchError.invalidDimensions(65)) { _ = try ParticleBatch(properties: [1, 65]) }
    #expect(throws: BatchError.capacityExceeded(-1)) {
      _ = try ParticleBatch(properties: [1], reservingCapacity: -1)
    }
  }

  @Test func clocksStayInStep() throws {
    var fixture = try self.fixture()
    let handle = fixture.handles[0]
    try fixture.particles.advance(to: 0.5)
    // The second property alone starts anew, so the clock of neither can go back.
    try fixture.particles.retarget(1, handle, to: Float(4))
    let before = try state(&fixture.particles)
    #expect(throws: BatchError.timeBeforeStart(time: 0.25, start: 0.5)) { try fixture.particles.advance(to: 0.25) }
    #expect(throws: BatchError.timeBeforeStart(time: 0.25, start: 0.5)) { try fixture.particles.advance(by: -0.25) }
    for time in [Double.nan, .infinity, -.infinity, 1.1e10] {
      #expect(throws: BatchError.self) { try fixture.particles.advance(to: time) }
      #expect(throws: BatchError.self) { try fixture.particles.advance(by: time) }
    }
    let after = try state(&fixture.particles)
    #expect(after == before)
    // Small steps are summed up alike.
    for _ in 0..<1_000 {
      try fixture.particles.advance(by: 0.1)
    }
    let times = try (0..<2).map { try fixture.particles.box($0).batch.time }
    #expect(times == [100.5, 100.5])
  }

  @Test func removalsOfWhatIsNotThereRemoveNothing() throws {
    var fixture = try self.fixture()
    var other = try self.fixture()
    let handles = fixture.handles
    try fixture.particles.remove([handles[1]].span)
    let before = try state(&fixture.particles)
    let stale = [handles[0], handles[1]]
    let strange = [handles[0], other.handles[0]]
    #expect(throws: BatchError.staleHandle(handles[1])) { try fixture.particles.remove(stale.span) }
    #expect(throws: BatchError.storeMismatch(other.handles[0])) { try fixture.particles.remove(strange.span) }
    let after = try state(&fixture.particles)
    #expect(after == before)
    // A batch of its own has another store, however it numbers its tracks.
    let alone = try SpringBatch()
    let isThere = alone.contains(handles[0])
    #expect(!isThere)
    try other.particles.advance(to: 1)
  }

}
