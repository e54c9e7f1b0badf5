// SPDX-License-Identifier: MIT
// The names are those of the header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase
public import CSurface
import Murmuration
import Surface

@c @implementation
public func murmuration_snapshot_bytes(
  _ snapshot: murmuration_snapshot, _ bytes: UnsafeMutablePointer<UnsafeRawPointer?>?,
  _ count: UnsafeMutablePointer<Int64>?
) -> Int32 {
  guard let bytes else { return failNull("bytes") }
  guard let count else { return failNull("count") }
  return SnapshotObject.kind.with(snapshot) { object in
    status { () throws(BatchError) in
      let made = try object.snapshot.bytes()
      try BatchLimits.checkRoom(for: made.count, of: UInt8.self)
      object.bytes.deallocate()
      object.bytes = .allocate(capacity: made.count)
      _ = object.bytes.initialize(from: made)
      (bytes.pointee, count.pointee) = (UnsafeRawPointer(object.bytes.baseAddress), Int64(made.count))
    }
  }
}

@c @implementation
public func murmuration_snapshot_read(
  _ start: UnsafeRawPointer?, _ count: Int64, _ snapshot: UnsafeMutablePointer<murmuration_snapshot>?
) -> Int32 {
  SnapshotObject.register(snapshot) { snapshot in
    guard count >= 0, count <= .max / 2 else {
      return fail(MURMURATION_INVALID_COUNT, "count must be 0 or more, is \(count)")
    }
    if start == nil, count != 0 { return failNull("bytes") }
    if let fault = roomFault("bytes", Int(count), of: UInt8.self) { return fault }
    let bytes = Array(UnsafeRawBufferPointer(start: start, count: Int(count)))
    return status { () throws(BatchError) in snapshot = try BatchSnapshot(bytes: bytes) }
  }
}

@c @implementation
public func murmuration_batch_from_snapshot(
  _ snapshot: murmuration_snapshot, _ batch: UnsafeMutablePointer<murmuration_batch>?
) -> Int32 {
  guard let batch else { return failNull("batch") }
  return SnapshotObject.kind.with(snapshot) { object in
    var box: EngineBox?
    let status = status { () throws(BatchError) in box = try object.snapshot.box() }
    guard status == ok, let box else { return status }
    return BatchObject.register(box, batch)
  }
}
