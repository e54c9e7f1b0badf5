// SPDX-License-Identifier: MIT
// The names are those of the header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase
public import CSurface
package import Murmuration

/// A snapshot as the table of objects holds it.
package final class SnapshotObject {
  package var snapshot: BatchSnapshot
  /// Bytes that are lent.
  package var bytes = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)

  package init(_ snapshot: BatchSnapshot) { self.snapshot = snapshot }

  deinit { bytes.deallocate() }

  package static let kind = ObjectKind<SnapshotObject>(OBJECT_SNAPSHOT, "snapshot")

  /// Gives a new snapshot a number, and writes it.
  ///
  /// - Parameter take: Takes the snapshot, and returns a status.
  package static func register(
    _ number: UnsafeMutablePointer<murmuration_snapshot>?, _ take: (inout BatchSnapshot) -> Int32
  ) -> Int32 {
    guard let number else { return failNull("snapshot") }
    var snapshot = BatchSnapshot()
    let status = take(&snapshot)
    return status == ok ? kind.register(SnapshotObject(snapshot), number) : status
  }
}

@c @implementation
public func murmuration_batch_copy(
  _ batch: murmuration_batch, _ copy: UnsafeMutablePointer<murmuration_batch>?
) -> Int32 {
  guard let copy else { return failNull("copy") }
  var made: EngineBox?
  let status = withBatch(batch, changesTracks: true) { object throws(BatchError) in
    made = try EngineBox(copyOf: object.pointee.box.takeUnretainedValue(), store: IndexTable.newStore())
  }
  guard status == ok, let made else { return status }
  return BatchObject.register(made, copy)
}

@c @implementation
public func murmuration_snapshot_create(
  _ batch: murmuration_batch, _ snapshot: UnsafeMutablePointer<murmuration_snapshot>?
) -> Int32 {
  SnapshotObject.register(snapshot) { snapshot in take(&snapshot, batch) }
}

@c @implementation
public func murmuration_snapshot_update(_ snapshot: murmuration_snapshot, _ batch: murmuration_batch) -> Int32 {
  SnapshotObject.kind.with(snapshot) { object in take(&object.snapshot, batch) }
}

/// Makes a snapshot one of a batch now.
private func take(_ snapshot: inout BatchSnapshot, _ batch: murmuration_batch) -> Int32 {
  withBatch(batch, changesTracks: true) { object throws(BatchError) in
    try snapshot.take(TrackEngines(object.pointee.box.takeUnretainedValue()))
  }
}

@c @implementation
public func murmuration_snapshot_free(_ snapshot: murmuration_snapshot) -> Int32 { SnapshotObject.kind.free(snapshot) }

@c @implementation
public func murmuration_restore(_ batch: murmuration_batch, _ snapshot: murmuration_snapshot) -> Int32 {
  SnapshotObject.kind.with(snapshot) { held in
    withBatch(batch, changesTracks: true) { object throws(BatchError) in
      try held.snapshot.give(TrackEngines(object.pointee.box.takeUnretainedValue()))
    }
  }
}

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
