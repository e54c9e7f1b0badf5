// SPDX-License-Identifier: MIT
import TestSupport
import Testing

@testable import Murmuration

/// Clocks that stand or jump, times that are not finite, and buffers of the wrong size.
struct HostileClockTests {
  private static func fill(_ batch: inout SpringBatch, _ count: Int = 40) throws {
    var random = SplitMix64(seed: 111)
    let motions = (0..<count).map { index in
      Motion(Motion.Regime.allCases[index % Motion.Regime.allCases.count], &random)
    }
    let (values, targets) = (motions.map(\.value), motions.map(\.target))
    let springs = motions.map(\.spring)
    try batch.add(springs.span, values: values.span, targets: targets.span)
    try batch.add(.bouncy, values: values.span, targets: targets.span)
  }

  @Test func noTimeChangesNothing() throws {
    var batch = try SpringBatch()
    try Self.fill(&batch)
    try batch.advance(to: 0)
    let start = try batch.bits()
    for time in [0.0, 0.3, 5, 1_000] {
      try batch.advance(to: time)
      let before = try batch.bits()
      for _ in 0..<3 {
        try batch.advance(to: time)
        try batch.advance(by: 0)
        try batch.advance(by: -0.0)
        let (after, clock) = (try batch.bits(), batch.time)
        let isQuiet = batch.logicallyComplete.isEmpty && batch.settled.isEmpty
        #expect(after == before && clock == time && isQuiet)
      }
      #expect((before == start) == (time == 0))
    }
  }

  /// Going back is seeking; see also `SeekTests`.
  @Test func aStepBackIsTheEarlierTime() throws {
    var batch = try SpringBatch()
    try Self.fill(&batch)
    try batch.advance(to: 0.25)
    let expected = try batch.bits()
    try batch.advance(by: 0.5)
    try batch.advance(by: -0.5)
    let (got, clock) = (try batch.bits(), batch.time)
    #expect(got == expected && clock == 0.25)
    #expect(throws: BatchError.timeBeforeStart(time: -0.25, start: 0)) { try batch.advance(by: -0.5) }
    let (kept, keptClock) = (try batch.bits(), batch.time)
    #expect(kept == expected && keptClock == 0.25)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, .greatestFiniteMagnitude, 1.0000001e10, -1.0000001e10])
  func timesThatAreNotFiniteOrBeyondTheClockAreRefused(_ time: Double) throws {
    var batch = try SpringBatch()
    try Self.fill(&batch)
    try batch.advance(to: 100)
    let (before, complete) = (try batch.bits(), batch.settled)
    #expect(!complete.isEmpty)
    #expect(throws: BatchError.self) { try batch.advance(to: time) }
    #expect(throws: BatchError.self) { try batch.advance(by: time) }
    let (after, clock, kept) = (try batch.bits(), batch.time, batch.settled)
    #expect(after == before && clock == 100 && kept == complete)
    try batch.advance(to: 101)
  }

  @Test func theClockEndsWhereItSays() throws {
    var batch = try SpringBatch()
    try batch.advance(to: 9.999_999_999e9)
    try Self.fill(&batch)
    try batch.advance(by: 1)
    #expect(throws: BatchError.self) { try batch.advance(by: 1e-5) }
    let clock = batch.time
    #expect(clock == 1e10)
  }

  @Test func afterAVeryLongStepEverythingIsAtItsTarget() throws {
    var batch = try SpringBatch()
    try Self.fill(&batch)
    let targets = try (0..<batch.indexCount).map { index in
      guard let handle = batch.handle(atIndex: index) else { return Float.nan }
      return try batch.target(of: handle, as: Float.self)
    }
    try batch.advance(by: 1e9)
    let (values, velocities) = (try batch.values(), try batch.velocities())
    #expect(values == targets && velocities.allSatisfy { $0.bitPattern == 0 })
    let (complete, settled, count) = (batch.logicallyComplete.count, batch.settled.count, batch.count)
    #expect(complete == count && settled == count)
  }

  @Test func aMillionTinyStepsAreOne() throws {
    var steps = try SpringBatch()
    var leap = try SpringBatch()
    try Self.fill(&steps, 3)
    try Self.fill(&leap, 3)
    let count = Effort.draws(quick: 100_000, soak: 1_000_000)
    for _ in 0..<count {
      try steps.advance(by: 0.1 / Double(count))
    }
    try leap.advance(to: 0.1)
    let clock = steps.time
    #expect(abs(clock - 0.1) <= 0x1p-54)
    for (one, other) in zip(try steps.values(), try leap.values()) {
      #expect(abs(one - other) <= 8 * 0x1p-24 * 600)
    }
  }

  /// Frames of a month at 240 a second, sought at random.
  @Test(arguments: [false, true]) func aMonthLaterThePhaseIsRight(_ inCohort: Bool) throws {
    var random = SplitMix64(seed: 112)
    var batch = try SpringBatch()
    let spring = Spring(duration: 0.05, bounce: 1)
    let handle = try Motion(value: 1, target: 0, velocity: 30, spring: spring).add(to: &batch, inCohort: inCohort)
    let scale = max(1, 30 / spring.naturalFrequency)
    for trial in 0..<500 {
      let frame = trial == 0 ? 30 * 86_400 * 240 : Int(random.next() % (30 * 86_400 * 240)) + 1
      let time = Double(frame) / 240
      try batch.advance(to: time)
      var (value, velocity) = (1.0, 30.0)
      spring.update(value: &value, velocity: &velocity, target: 0, deltaTime: time)
      let (x, v): (Float, Float) = (try batch.value(of: handle), try batch.velocity(of: handle))
      #expect(abs(Double(x) - value) <= 8 * 0x1p-24 * scale, "frame \(frame)")
      #expect(abs(Double(v) - velocity) <= 8 * 0x1p-24 * scale * spring.naturalFrequency, "frame \(frame)")
    }
  }

  @Test func nothingIsReadAndAdvancedWithoutTracks() throws {
    var batch = try SpringBatch(dimensions: 3)
    try batch.advance(to: 1)
    try batch.advance(to: -1e10)
    try batch.compact()
    batch.removeAll()
    let none: [Float] = []
    let (values, velocities) = (try batch.values(2), try batch.velocities(2))
    #expect(values.isEmpty && velocities.isEmpty)
    try batch.retarget(0..<0, to: none.span, spring: .smooth)
    try batch.set([TrackHandle]().span, values: none.span, velocities: none.span)
    try batch.remove([TrackHandle]().span)
    let isEmpty = try batch.withVelocities(dimension: 0) { $0.isEmpty }
    #expect(isEmpty && batch.logicallyComplete.isEmpty)
  }

  /// Every number of tracks around the widths of vectors and tiles, and every lane.
  @Test(arguments: KernelSet.available) func anyNumberOfTracksGivesTheBitsOfOne(_ set: KernelSet) throws {
    var random = SplitMix64(seed: 113)
    let motions = (0..<65).map { index in
      Motion(Motion.Regime.allCases[index % Motion.Regime.allCases.count], &random)
    }
    let shared = motions[0].spring
    var expected: [(alone: [UInt32], cohort: [UInt32])] = []
    for motion in motions {
      var batch = try SpringBatch(kernels: .portable)
      let alone = try motion.add(to: &batch, inCohort: false)
      var other = motion
      other.spring = shared
      let cohort = try other.add(to: &batch, inCohort: true)
      try batch.advance(to: 0.4)
      expected.append((try batch.bits(of: alone), try batch.bits(of: cohort)))
    }
    for count in 1...65 {
      let (values, targets) = (motions.prefix(count).map(\.value), motions.prefix(count).map(\.target))
      let (velocities, springs) = (motions.prefix(count).map(\.velocity), motions.prefix(count).map(\.spring))
      var batch = try SpringBatch(kernels: set)
      let alone = try batch.add(
        springs.span, values: values.span, targets: targets.span, velocities: velocities.span)
      let cohort = try batch.add(shared, values: values.span, targets: targets.span, velocities: velocities.span)
      try batch.advance(to: 0.4)
      for index in 0..<count {
        let bits = (try batch.bits(of: alone[index]), try batch.bits(of: cohort[index]))
        #expect(bits.0 == expected[index].alone && bits.1 == expected[index].cohort, "\(index) of \(count)")
      }
    }
  }

  // MARK: - Buffers

  @Test(arguments: [1, 2, 3]) func buffersMayBeginAnywhere(_ offset: Int) throws {
    var batch = try SpringBatch()
    var odd = try SpringBatch()
    let numbers = (0..<40).map { Float($0) - 20 }
    let padded = [Float](repeating: .nan, count: offset) + numbers
    try batch.add(.bouncy, values: numbers.span, targets: numbers.span, velocities: numbers.span)
    let part = padded.span.extracting(droppingFirst: offset)
    try odd.add(.bouncy, values: part, targets: part, velocities: part)
    try batch.advance(to: 0.1)
    try odd.advance(to: 0.1)
    try batch.retargetAll(to: numbers.span)
    try odd.retargetAll(to: part)
    try batch.advance(to: 0.2)
    try odd.advance(to: 0.2)
    var output = [Float](repeating: .nan, count: 40 + offset)
    try output.withUnsafeMutableBufferPointer { buffer in
      var rest = MutableSpan(_unsafeElements: UnsafeMutableBufferPointer(rebasing: buffer[offset...]))
      try odd.copyValues(dimension: 0, into: &rest)
    }
    let expected = try batch.values()
    #expect(Array(output.dropFirst(offset)) == expected && output.prefix(offset).allSatisfy(\.isNaN))
  }

  @Test func aShortBufferIsLeftAloneAndTheRestOfALongOneIsKept() throws {
    var batch = try SpringBatch(dimensions: 2)
    let numbers = [Float](repeating: 1, count: 2 * 20)
    try batch.add(.bouncy, values: numbers.span, targets: numbers.span, velocities: numbers.span)
    try batch.advance(to: 0.1)
    for (count, isLong) in [(0, false), (19, false), (20, true), (23, true)] {
      var output = [Float](repeating: -7, count: count)
      var span = output.mutableSpan
      if isLong {
        try batch.copyValues(dimension: 1, into: &span)
        try batch.copyVelocities(dimension: 0, into: &span)
      } else {
        #expect(throws: BatchError.wrongCount(of: "output", expected: 20, got: count)) {
          try batch.copyValues(dimension: 1, into: &span)
        }
        #expect(throws: BatchError.wrongCount(of: "output", expected: 20, got: count)) {
          try batch.copyVelocities(dimension: 1, into: &span)
        }
      }
      #expect(output.dropFirst(isLong ? 20 : 0).allSatisfy { $0 == -7 })
      #expect(!isLong || output.prefix(20).allSatisfy { $0 != -7 })
    }
    for dimension in [-1, 2, Int.max, Int.min] {
      var output = [Float](repeating: 0, count: 20)
      var span = output.mutableSpan
      let refusal = BatchError.dimensionOutOfRange(dimension, count: 2)
      #expect(throws: refusal) { try batch.copyValues(dimension: dimension, into: &span) }
      #expect(throws: refusal) { try batch.copyVelocities(dimension: dimension, into: &span) }
      #expect(throws: refusal) { try batch.withValues(dimension: dimension) { _ in } }
      #expect(throws: refusal) { try batch.withVelocities(dimension: dimension) { _ in } }
      #expect(throws: refusal) { try batch.withUnsafeValues(dimension: dimension) { _ in } }
    }
  }

  @Test func spansOfTheWrongSizeAreRefusedByEveryCall() throws {
    var batch = try SpringBatch(dimensions: 2)
    let numbers = [Float](repeating: 1, count: 6)
    let handles = try batch.add(.bouncy, values: numbers.span, targets: numbers.span)
    try batch.advance(to: 0.1)
    let before = try batch.bits()
    let springs = [Spring](repeating: .smooth, count: 3)
    for count in [0, 1, 5, 7, 12] {
      let wrong = [Float](repeating: 1, count: count)
      let refusal = BatchError.self
      #expect(throws: refusal) { try batch.add(.smooth, values: numbers.span, targets: wrong.span) }
      if count > 0 {
        #expect(throws: refusal) {
          try batch.add(.smooth, values: numbers.span, targets: numbers.span, velocities: wrong.span)
        }
      }
      #expect(throws: refusal) { try batch.add(springs.span, values: wrong.span, targets: wrong.span) }
      #expect(throws: refusal) { try batch.retarget(handles.span, to: wrong.span) }
      #expect(throws: refusal) { try batch.retarget(handles.span, to: wrong.span, springs: springs.span) }
      #expect(throws: refusal) { try batch.retarget(0..<3, to: wrong.span) }
      #expect(throws: refusal) { try batch.retargetAll(to: wrong.span) }
      #expect(throws: refusal) { try batch.set(handles.span, values: wrong.span, velocities: numbers.span) }
      #expect(throws: refusal) { try batch.set(handles.span, values: numbers.span, velocities: wrong.span) }
    }
    let two = Array(springs.prefix(2))
    #expect(throws: BatchError.wrongCount(of: "springs", expected: 3, got: 2)) {
      try batch.retarget(handles.span, to: numbers.span, springs: two.span)
    }
    let (after, count) = (try batch.bits(), batch.count)
    #expect(after == before && count == 3)
  }
}
