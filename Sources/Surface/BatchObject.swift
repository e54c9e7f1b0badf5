// SPDX-License-Identifier: MIT
// The names are those of the header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase
public import CSurface
import Murmuration

/// A batch as the table of objects holds it.
struct BatchObject {
  /// The engine, which the box owns.
  let engine: UnsafeMutablePointer<Engine>
  let box: Unmanaged<EngineBox>
  /// Memory for the events that were lent last.
  var events: UnsafeMutableBufferPointer<murmuration_event>

  /// Puts an engine into memory of its own.
  static func make(_ engine: consuming Engine) -> UnsafeMutablePointer<BatchObject> {
    let box = EngineBox(engine)
    let object = UnsafeMutablePointer<BatchObject>.allocate(capacity: 1)
    object.initialize(
      to: BatchObject(
        engine: box.address, box: .passRetained(box), events: UnsafeMutableBufferPointer(start: nil, count: 0)))
    return object
  }

  /// Frees an object and its engine.
  static func free(_ object: UnsafeMutablePointer<BatchObject>) {
    object.pointee.events.baseAddress?.deallocate()
    object.pointee.box.release()
    object.deallocate()
  }
}

/// Runs a call about a batch, which this thread takes meanwhile.
///
/// - Returns: The status of the call: that of a number that names no batch, of a batch that another thread has taken, or of the
///   error that `body` throws.
@inline(__always)
func withBatch(
  _ batch: murmuration_batch, _ body: (UnsafeMutablePointer<BatchObject>) throws(BatchError) -> Void
) -> Int32 {
  guard let object = object_take(batch, UInt32(OBJECT_BATCH)) else { return failToTake(batch, UInt32(OBJECT_BATCH)) }
  defer { object_give_back(batch, UInt32(OBJECT_BATCH)) }
  do throws(BatchError) { try body(object.assumingMemoryBound(to: BatchObject.self)) } catch { return fail(error) }
  return ok
}

/// Runs a call about the engine of a batch; otherwise as ``withBatch(_:_:)``.
@inline(__always)
func withEngine(_ batch: murmuration_batch, _ body: (inout Engine) throws(BatchError) -> Void) -> Int32 {
  withBatch(batch) { object throws(BatchError) in try body(&object.pointee.engine.pointee) }
}

/// Fails as an object could not be taken.
@inline(never)
func failToTake(_ number: UInt32, _ kind: UInt32) -> Int32 {
  let name = kind == UInt32(OBJECT_BATCH) ? "batch" : "set of trackers"
  return object_exists(number, kind)
    ? fail(MURMURATION_BUSY, "another call about \(name) \(number) is under way")
    : fail(MURMURATION_UNKNOWN_OBJECT, "there is no \(name) \(number): it was freed, or never existed")
}

// MARK: - Calls

@c @implementation
public func murmuration_batch_create(
  _ dimensions: Int32, _ capacity: Int32, _ curveTolerance: Double, _ batch: UnsafeMutablePointer<murmuration_batch>?
) -> Int32 {
  guard let batch else { return failNull("batch") }
  let object: UnsafeMutablePointer<BatchObject>
  do throws(BatchError) {
    object = BatchObject.make(
      try Engine(
        dimensions: Int(dimensions), capacity: Int(capacity),
        curveTolerance: curveTolerance == 0 ? 0x1p-16 : curveTolerance,
        kernels: nil))
  } catch {
    return fail(error)
  }
  let number = object_register(object, UInt32(OBJECT_BATCH))
  guard number != 0 else {
    BatchObject.free(object)
    return fail(MURMURATION_TOO_MANY_OBJECTS, "all numbers for batches and trackers are used, or memory is")
  }
  batch.pointee = number
  return ok
}

@c @implementation
public func murmuration_batch_free(_ batch: murmuration_batch) -> Int32 {
  guard let object = object_take(batch, UInt32(OBJECT_BATCH)) else { return failToTake(batch, UInt32(OBJECT_BATCH)) }
  object_retire(batch)
  BatchObject.free(object.assumingMemoryBound(to: BatchObject.self))
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
      index_count: Int32(engine.indexCount), row_count: Int32(engine.rowCount),
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
