// SPDX-License-Identifier: MIT
import Kernels

extension SpringBatch: TrackBatch {
  /// Where the tracks stand, and what they show.
  public var columns: TrackColumns {
    unsafe TrackColumns(
      slots: slots, track: storage.track, value: storage.columns.value, velocity: storage.columns.velocity,
      dimensionStride: storage.columns.dimensionStride, rowCount: rowEnd)
  }

  /// Whether a track shares its basis with others.
  public func isInCohort(_ handle: TrackHandle) throws(BatchError) -> Bool {
    cohort(ofRow: try slots.row(of: handle)) != nil
  }

  /// The number of tracks in the cohort of a track.
  ///
  /// - Throws: ``BatchError/notInCohort(_:)`` if it moves alone.
  public func cohortCount(of handle: TrackHandle) throws(BatchError) -> Int {
    guard let place = cohort(ofRow: try slots.row(of: handle)) else {
      throw .notInCohort(handle)
    }
    return cohorts[place].trackCount
  }

  /// The target of a track.
  public func target<V: TrackValue>(of handle: TrackHandle, as type: V.Type = V.self) throws(BatchError) -> V {
    try checkDimensions(V.dimensions, of: "value")
    let row = try slots.row(of: handle)
    return V { unsafe storage.columns.target[$0 * storage.columns.dimensionStride + row] }
  }

  func columnValue(_ row: Int, _ dimension: Int) -> UnsafeMutablePointer<Float> {
    unsafe storage.columns.value + (dimension * storage.columns.dimensionStride + row)
  }

  func columnVelocity(_ row: Int, _ dimension: Int) -> UnsafeMutablePointer<Float> {
    unsafe storage.columns.velocity + (dimension * storage.columns.dimensionStride + row)
  }
}
