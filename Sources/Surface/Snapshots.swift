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
    try snapshot.take(1) { _ in object.pointee.box.takeUnretainedValue() }
  }
}

@c @implementation
public func murmuration_snapshot_free(_ snapshot: murmuration_snapshot) -> Int32 { SnapshotObject.kind.free(snapshot) }

@c @implementation
public func murmuration_restore(_ batch: murmuration_batch, _ snapshot: murmuration_snapshot) -> Int32 {
  SnapshotObject.kind.with(snapshot) { held in
    withBatch(batch, changesTracks: true) { object throws(BatchError) in
      try held.snapshot.give(1) { _ in object.pointee.box.takeUnretainedValue() }
    }
  }
}
