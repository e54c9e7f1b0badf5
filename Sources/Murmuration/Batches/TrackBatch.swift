// SPDX-License-Identifier: MIT
import Kernels

/// What batches of tracks have in common: values and velocities that are read in place or copied out.
///
/// ```swift
/// func sum(_ batch: borrowing some TrackBatch & ~Copyable) throws -> Float {
///   try batch.withValues(dimension: 0) { values in
///     values.indices.reduce(0) { batch.handle(atRow: $1) == nil ? $0 : $0 + values[$1] }
///   }
/// }
/// ```
///
/// ### Indices and rows
/// A track has an *index* for life (``TrackHandle/index``), and stands in a *row* of every column, which a call may change.
/// ``copyValues(dimension:into:)`` goes by indices; ``withValues(dimension:_:)`` lends a column as it is, by rows.
///
/// ``SpringBatch``, ``CurveBatch``, ``KeyframeBatch`` and ``PhaseBatch`` are such batches. Other types cannot be, as nothing
/// else makes ``TrackColumns``.
public protocol TrackBatch: ~Copyable {
  /// Values per track.
  var dimensions: Int { get }
  /// Tracks that live.
  var count: Int { get }
  /// One past the largest index that a track ever had.
  var indexCount: Int { get }
  /// Rows of each column.
  var rowCount: Int { get }
  /// The clock, in seconds.
  var time: Double { get }
  /// Where the tracks stand, and what they show.
  var columns: TrackColumns { get }

  /// Computes the velocities of the current time, where ``SpringBatch/computesVelocities`` left them out. Readers of
  /// velocities do so first.
  mutating func refreshVelocities()
}

/// Where the tracks of a batch stand, and the columns in which they do.
///
/// What batches and those that read them in place pass on; it holds until the batch changes, and has nothing to be used by
/// others.
@safe
public struct TrackColumns {
  let slots: SlotTable
  /// The slot of the track in each row, where there is or was one.
  let track: UnsafePointer<UInt32>
  /// The columns of dimension 0, and floats from one dimension to the next.
  let value: UnsafePointer<Float>
  let velocity: UnsafePointer<Float>
  let dimensionStride: Int
  let rowCount: Int

  func value(_ dimension: Int) -> UnsafePointer<Float> { unsafe value + dimension * dimensionStride }

  func velocity(_ dimension: Int) -> UnsafePointer<Float> { unsafe velocity + dimension * dimensionStride }

  /// Writes a column by index, 0 for indices without a track.
  func copy(_ column: UnsafePointer<Float>, into output: inout MutableSpan<Float>) throws(BatchError) {
    guard output.count >= slots.count else {
      throw .wrongCount(of: "output", expected: slots.count, got: output.count)
    }
    for slot in 0..<slots.count {
      unsafe output[unchecked: slot] = slots.isLive(slot) ? column[slots.row(of: slot)] : 0
    }
  }

  /// The track in a row, or nil if there is none.
  func handle(atRow row: Int) -> TrackHandle? {
    guard 0..<rowCount ~= row else {
      return nil
    }
    // A row keeps the slot of a track that went.
    let slot = unsafe Int(track[row])
    return slot < slots.count && slots.isLive(slot) && slots.row(of: slot) == row ? slots.handle(ofSlot: slot) : nil
  }
}
