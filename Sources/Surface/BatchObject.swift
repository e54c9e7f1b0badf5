// SPDX-License-Identifier: MIT
// The names are those of the header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase
public import CSurface
package import Murmuration

/// A batch as the table of objects holds it.
package struct BatchObject {
  /// The engine, which the box owns.
  package let engine: UnsafeMutablePointer<Engine>
  let box: Unmanaged<EngineBox>
  /// Whether the tracks are particles, which other calls add, remove and advance.
  let isProperty: Bool
  /// The events and outcomes that were lent last.
  var events = LentList<murmuration_event>()
  var outcomes = LentList<murmuration_outcome>()
  var trackOutcomes = LentList<murmuration_track_outcome>()
  /// The text that was lent last.
  package var text = LentText()

  /// Gives a batch a number, and writes it.
  package static func register(
    _ box: EngineBox, isProperty: Bool = false, _ number: UnsafeMutablePointer<murmuration_batch>
  ) -> Int32 {
    let object = UnsafeMutablePointer<BatchObject>.allocate(capacity: 1)
    object.initialize(
      to: BatchObject(engine: box.address, box: .passRetained(box), isProperty: isProperty))
    let given = object_register(object, UInt32(OBJECT_BATCH))
    guard given != 0 else {
      free(object)
      return failAsNumbersAreUsed()
    }
    number.pointee = given
    return ok
  }

  /// Ends a batch that this thread has taken, and its number.
  package static func free(_ number: murmuration_batch) {
    let object = object_find(number).pointee.object
    object_retire(number)
    if let object { free(object.assumingMemoryBound(to: BatchObject.self)) }
  }

  private static func free(_ object: UnsafeMutablePointer<BatchObject>) {
    object.pointee.events.free()
    object.pointee.outcomes.free()
    object.pointee.trackOutcomes.free()
    object.pointee.text.free()
    object.pointee.box.release()
    object.deallocate()
  }
}

/// Runs a call about a batch, which this thread takes meanwhile.
///
/// - Parameter changesTracks: Whether the call adds, removes or advances tracks, which a property of particles refuses.
/// - Returns: The status of the call: that of a number that names no batch, of a batch that another thread has taken, or of the
///   error that `body` throws.
@inline(__always)
package func withBatch(
  _ batch: murmuration_batch, changesTracks: Bool = false,
  _ body: (UnsafeMutablePointer<BatchObject>) throws(BatchError) -> Void
) -> Int32 {
  guard let taken = object_take(batch, UInt32(OBJECT_BATCH)) else { return failToTakeBatch(batch) }
  defer { object_give_back(batch, UInt32(OBJECT_BATCH)) }
  let object = taken.assumingMemoryBound(to: BatchObject.self)
  if changesTracks, object.pointee.isProperty { return failAsProperty(batch) }
  do throws(BatchError) { try body(object) } catch { return fail(error) }
  return ok
}

/// Runs a call about the engine of a batch; otherwise as ``withBatch(_:changesTracks:_:)``.
@inline(__always)
func withEngine(
  _ batch: murmuration_batch, changesTracks: Bool = false, _ body: (inout Engine) throws(BatchError) -> Void
) -> Int32 {
  withBatch(batch, changesTracks: changesTracks) { object throws(BatchError) in
    try body(&object.pointee.engine.pointee)
  }
}

/// Runs a call of another module about the engine of a batch or of a property.
package func withAnyEngine(_ batch: murmuration_batch, _ body: (inout Engine) throws(BatchError) -> Void) -> Int32 {
  withEngine(batch) { engine throws(BatchError) in try body(&engine) }
}

/// Fails as a batch could not be taken.
package func failToTakeBatch(_ batch: murmuration_batch) -> Int32 { failToTake(batch, UInt32(OBJECT_BATCH), "batch") }

@inline(never)
private func failAsProperty(_ batch: murmuration_batch) -> Int32 {
  fail(
    MURMURATION_PART_OF_PARTICLES,
    "batch \(batch) is a property of particles, which are added, removed, advanced and freed as a whole")
}

// MARK: - Calls

@c @implementation
public func murmuration_batch_create(
  _ dimensions: Int32, _ capacity: Int32, _ curveTolerance: Double, _ batch: UnsafeMutablePointer<murmuration_batch>?
) -> Int32 {
  guard let batch else { return failNull("batch") }
  do throws(BatchError) {
    return BatchObject.register(
      EngineBox(
        try Engine(
          dimensions: Int(dimensions), capacity: Int(capacity),
          curveTolerance: curveTolerance == 0 ? 0x1p-16 : curveTolerance, kernels: nil)), batch)
  } catch {
    return fail(error)
  }
}

@c @implementation
public func murmuration_batch_free(_ batch: murmuration_batch) -> Int32 {
  let kind = UInt32(OBJECT_BATCH)
  guard let object = object_take(batch, kind) else { return failToTakeBatch(batch) }
  guard !object.assumingMemoryBound(to: BatchObject.self).pointee.isProperty else {
    object_give_back(batch, kind)
    return failAsProperty(batch)
  }
  BatchObject.free(batch)
  return ok
}

@c @implementation
public func murmuration_batch_describe(
  _ batch: murmuration_batch, _ info: UnsafeMutablePointer<murmuration_batch_info>?
) -> Int32 {
  guard let info else { return failNull("info") }
  return withEngine(batch) { engine in
    info.pointee = murmuration_batch_info(
      time: engine.time, dimensions: Int32(engine.dimensions), count: Int32(engine.count),
      index_count: Int32(engine.indexCount),
      event_count: Int32(engine.frameEvents.count), clip_count: Int32(engine.clipCount),
      called_count: Int32(engine.calledCount), thread_count: Int32(engine.threadCount),
      latest_change: engine.lastChange, reports: Int32(engine.reports.rawValue))
  }
}

@c @implementation
public func murmuration_reserve(_ batch: murmuration_batch, _ additional: Int32) -> Int32 {
  withEngine(batch) { engine throws(BatchError) in try engine.reserveRoom(for: Int(additional)) }
}

@c @implementation
public func murmuration_compact(_ batch: murmuration_batch) -> Int32 {
  withEngine(batch) { engine throws(BatchError) in try engine.compact() }
}

@c @implementation
public func murmuration_set_thread_count(_ batch: murmuration_batch, _ count: Int32) -> Int32 {
  withEngine(batch) { engine in engine.threadCount = Int(count) }
}

@c @implementation
public func murmuration_set_rest_tolerance(_ batch: murmuration_batch, _ value: Float, _ velocity: Float) -> Int32 {
  withEngine(batch) { engine throws(BatchError) in
    engine.setRestTolerance(try RestTolerances(value: value, velocity: velocity == 0 ? nil : velocity))
  }
}
