// SPDX-License-Identifier: MIT
import Synchronization
import Testing

@testable import Murmuration

/// Handles, indices, rows and errors.
struct SpringBatchLifeTests {
  @Test func rowsStandInTheOrderOfAddingAndFreedOnesAreTakenFirst() throws {
    var batch = try SpringBatch()
    let handles = try (0..<40).map { try batch.add(.smooth, value: Float($0), target: 0) }
    let rows = try handles.map { handle in try batch.rowIndex(of: handle) }
    #expect(rows == Array(0..<40))
    try batch.remove(handles[7])
    try batch.remove(handles[20])
    let (count, rowCount) = (batch.count, batch.rowCount)
    #expect(count == 38 && rowCount == 40)
    let next = try batch.add(.smooth, value: Float(1), target: 0)
    let row = try batch.rowIndex(of: next)
    #expect(row == 20 && next.index == 20)
  }

  @Test func removedTracksReadZeroAndLeaveAHole() throws {
    var batch = try SpringBatch()
    let values: [Float] = [1, 2, 3, 4]
    let targets: [Float] = [50, 60, 70, 80]
    let handles = try batch.add(.bouncy, values: values.span, targets: targets.span)
    try batch.advance(to: 0.1)
    try batch.remove(handles[2])
    for time in [0.1, 0.2, 3] {
      try batch.advance(to: time)
      let values = try batch.values()
      #expect(values[2] == 0 && values[1] != 0)
      let speeds = try batch.velocities()
      #expect(speeds[2] == 0)
      let (hole, other) = (batch.handle(atIndex: 2), batch.handle(atIndex: 1))
      #expect(hole == nil && other == handles[1])
    }
  }

  @Test func handlesGoStaleForEver() throws {
    var batch = try SpringBatch()
    let old = try batch.add(.smooth, value: Float(1), target: 0)
    try batch.remove(old)
    let new = try batch.add(.smooth, value: Float(2), target: 0)
    #expect(new.index == old.index)
    #expect(throws: BatchError.staleHandle(old)) { try batch.remove(old) }
    #expect(throws: BatchError.staleHandle(old)) { try batch.retarget(old, to: Float(1)) }
    #expect(throws: BatchError.staleHandle(old)) { _ = try batch.value(of: old, as: Float.self) }
    let (holdsOld, holdsNew) = (batch.contains(old), batch.contains(new))
    #expect(!holdsOld && holdsNew)
  }

  @Test func handlesOfOtherBatchesAndForgedOnesAreRefused() throws {
    var batch = try SpringBatch()
    var other = try SpringBatch()
    try batch.add(.smooth, value: Float(1), target: 0)
    let foreign = try other.add(.smooth, value: Float(1), target: 0)
    #expect(throws: BatchError.storeMismatch(foreign)) { try batch.remove(foreign) }
    let forged = TrackHandle(slot: .max, generation: .max, store: batch.slots.store)
    #expect(throws: BatchError.staleHandle(forged)) { try batch.remove(forged) }
  }

  @Test func removeAllLeavesNothingMoving() throws {
    var batch = try SpringBatch(dimensions: 2)
    let values = [Float](repeating: 1, count: 2 * 100)
    let handles = try batch.add(.smooth, values: values.span, targets: values.span)
    batch.removeAll()
    try batch.advance(to: 1)
    let (count, holds) = (batch.count, batch.contains(handles[50]))
    #expect(count == 0 && !holds)
    let again = try batch.add(.smooth, value: SIMD2<Float>(1, 1), target: .zero)
    let row = try batch.rowIndex(of: again)
    #expect(row == 0)
  }

  @Test func aCallThatThrowsChangesNothing() throws {
    var batch = try SpringBatch()
    let handle = try batch.add(.bouncy, value: Float(0), target: 1)
    var twin = try SpringBatch()
    let twinHandle = try twin.add(.bouncy, value: Float(0), target: 1)
    try batch.advance(to: 0.1)
    try twin.advance(to: 0.1)
    let bad: [Float] = [.nan, .infinity, -.infinity, 2e15]
    for value in bad {
      #expect(throws: BatchError.self) { try batch.retarget(handle, to: value) }
      #expect(throws: BatchError.self) { try batch.set(handle, value: value, velocity: 0) }
      #expect(throws: BatchError.self) { try batch.set(handle, value: 0, velocity: value) }
      #expect(throws: BatchError.self) { try batch.add(.smooth, value: value, target: 0) }
      #expect(throws: BatchError.self) { try batch.add(.smooth, value: 0, target: 0, velocity: value) }
      let list = [0, value]
      #expect(throws: BatchError.self) { try batch.add(.smooth, values: list.span, targets: list.span) }
      let one = [value]
      #expect(throws: BatchError.self) { try batch.retargetAll(to: one.span) }
      let handles = [handle]
      #expect(throws: BatchError.self) { try batch.retarget(handles.span, to: one.span, spring: .smooth) }
    }
    for time in [Double.nan, .infinity, 1e11, -1e11] {
      #expect(throws: BatchError.self) { try batch.advance(to: time) }
      #expect(throws: BatchError.self) { try batch.advance(by: time) }
    }
    let three: [Float] = [1, 2, 3]
    let two: [Float] = [1, 2]
    #expect(throws: BatchError.wrongCount(of: "targets", expected: 3, got: 2)) {
      try batch.add(.smooth, values: three.span, targets: two.span)
    }
    #expect(throws: BatchError.wrongCount(of: "targets", expected: 1, got: 2)) { try batch.retargetAll(to: two.span) }
    #expect(throws: BatchError.wrongDimensions(of: "target", expected: 1, got: 2)) {
      try batch.retarget(handle, to: SIMD2<Float>(0, 0))
    }
    try batch.advance(to: 0.2)
    try twin.advance(to: 0.2)
    let (count, clock) = (batch.count, batch.time)
    #expect(count == 1 && clock == 0.2)
    #expect(try batch.value(of: handle, as: Float.self) == twin.value(of: twinHandle))
  }

  @Test(arguments: [
    Spring(duration: .nan, bounce: 0), Spring(duration: -1, bounce: 0), Spring(duration: .infinity, bounce: 0),
    Spring(duration: 5e-5, bounce: 0), Spring(duration: 2e6, bounce: 0), Spring(duration: 1, bounce: .nan),
    Spring(duration: 1, bounce: -1), Spring(duration: 1, bounce: -2), Spring(response: 1, dampingRatio: -0.1),
    Spring(mass: 0, stiffness: 1, damping: 1), Spring(mass: 1, stiffness: -1, damping: 1),
    Spring(mass: 1, stiffness: 1, damping: -1), Spring(mass: 1, stiffness: .infinity, damping: 1),
  ])
  func impossibleSpringsAreRefused(_ spring: Spring) throws {
    var batch = try SpringBatch()
    #expect(throws: BatchError.self) { try batch.add(spring, value: Float(0), target: 1) }
    let handle = try batch.add(.smooth, value: Float(0), target: 1)
    #expect(throws: BatchError.self) { try batch.retarget(handle, to: Float(1), spring: spring) }
  }

  @Test(arguments: [
    Spring(duration: 1e-4, bounce: 0), Spring(duration: 1e6, bounce: 0), Spring(duration: 1, bounce: 1),
    Spring(duration: 1, bounce: 1e-12), Spring(duration: 1, bounce: -0x1p-24),
    Spring(duration: 1, bounce: .leastNonzeroMagnitude), Spring(duration: 1, bounce: -1 + 0x1p-24),
    Spring(mass: 1, stiffness: 1, damping: 1e9, allowOverDamping: true),
  ])
  func extremeSpringsAreAccepted(_ spring: Spring) throws {
    var batch = try SpringBatch()
    try batch.hardlyRests()
    let handle = try batch.add(spring, value: Float(1), target: 0, velocity: -3)
    for time in [1e-6, 0.1, 10, 1e4, 1e9] {
      try batch.advance(to: time)
      let value: Float = try batch.value(of: handle)
      let velocity: Float = try batch.velocity(of: handle)
      #expect(value.isFinite && velocity.isFinite)
      if time <= 1e4 {
        let exact = spring.value(fromValue: 1.0, toValue: 0, initialVelocity: -3, time: time)
        #expect(abs(Double(value) - exact) <= 8 * 0x1p-24 * max(1, 3 / spring.naturalFrequency))
      }
    }
  }

  @Test func sizesOutOfRangeAreRefusedBeforeAnythingIsAllocated() {
    #expect(throws: BatchError.invalidDimensions(0)) { _ = try SpringBatch(dimensions: 0) }
    #expect(throws: BatchError.invalidDimensions(65)) { _ = try SpringBatch(dimensions: 65) }
    #expect(throws: BatchError.capacityExceeded(.max)) { _ = try SpringBatch(reservingCapacity: .max) }
    #expect(throws: BatchError.capacityExceeded(-1)) { _ = try SpringBatch(reservingCapacity: -1) }
    #expect(throws: BatchError.capacityExceeded(.max)) {
      var batch = try SpringBatch()
      try batch.reserve(.max)
    }
  }

  @Test func emptyBatchesAndEmptyCallsAreFine() throws {
    var batch = try SpringBatch()
    let none: [Float] = []
    let handles = try batch.add(.smooth, values: none.span, targets: none.span)
    #expect(handles.isEmpty)
    try batch.retargetAll(to: none.span, spring: .bouncy)
    try batch.retarget(handles.span, to: none.span, spring: .bouncy)
    try batch.advance(to: 1)
    let count = try batch.withValues(dimension: 0) { $0.count }
    #expect(count == 0)
    #expect(throws: BatchError.dimensionOutOfRange(1, count: 1)) { try batch.withValues(dimension: 1) { _ in } }
  }

  @Test func aBatchCanBeSentToAnotherThread() async throws {
    let batch = Mutex(try SpringBatch())
    let handle = try batch.withLock { try $0.add(.smooth, value: Float(0), target: 1) }
    try await Task.detached { try batch.withLock { try $0.advance(to: 1) } }.value
    let value: Float = try batch.withLock { try $0.value(of: handle) }
    #expect(value > 0.9)
  }
}
