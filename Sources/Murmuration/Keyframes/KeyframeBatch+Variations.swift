// SPDX-License-Identifier: MIT
import Kernels

extension KeyframeBatch {
  /// Gives an instance a variation: it shows `scale` · value + `offset` of its clip's values, and `scale` · velocity. It
  /// shows with the next advance.
  ///
  /// An instance's own value is not varied. The first call of a batch made without variations takes the memory for them.
  ///
  /// - Parameters:
  ///   - handle: The instance.
  ///   - scale: For each dimension; 1 unless set.
  ///   - offset: For each dimension; 0 unless set.
  /// - Throws: ``BatchError``; nothing changes then.
  public mutating func setVariation<V: TrackValue>(
    _ handle: TrackHandle, scale: V, offset: V
  ) throws(BatchError) {
    try checkDimensions(V.dimensions, of: "scale")
    let row = try slots.row(of: handle)
    try check(scale, of: "scale")
    try check(offset, of: "offset")
    try allowVariations()
    keepVelocities(ofTile: row / laneCountOfTile)
    for dimension in 0..<dimensions {
      vary(row, dimension, scale.component(dimension), offset.component(dimension))
    }
    refresh(row / laneCountOfTile)
  }

  /// Gives instances variations; otherwise as ``setVariation(_:scale:offset:)``.
  ///
  /// - Parameters:
  ///   - handles: The instances.
  ///   - scales: Component-major: all of dimension 0, then all of dimension 1, …
  ///   - offsets: In the same layout.
  /// - Throws: ``BatchError``; nothing changes then.
  public mutating func setVariations(
    _ handles: Span<TrackHandle>, scales: Span<Float>, offsets: Span<Float>
  ) throws(BatchError) {
    try slots.check(handles)
    try checkCount(handles.count * dimensions, scales.count, of: "scales")
    try checkCount(handles.count * dimensions, offsets.count, of: "offsets")
    try BatchLimits.check(scales, of: "scale")
    try BatchLimits.check(offsets, of: "offset")
    try allowVariations()
    for index in handles.indices {
      let row = slots.row(of: handles[index].index)
      keepVelocities(ofTile: row / laneCountOfTile)
      for dimension in 0..<dimensions {
        let element = dimension * handles.count + index
        vary(row, dimension, scales[element], offsets[element])
      }
      refresh(row / laneCountOfTile)
    }
  }

  private func vary(_ row: Int, _ dimension: Int, _ scale: Float, _ offset: Float) {
    let element = dimension * storage.columns.dimensionStride + row
    if let scales = unsafe storage.columns.scale, let offsets = unsafe storage.columns.offset {
      unsafe (scales[element], offsets[element]) = (scale, offset)
    }
  }

  private mutating func allowVariations() throws(BatchError) {
    guard !storage.varies else { return }
    guard PlaybackStorage.hasRoom(dimensions: dimensions, rows: storage.capacity, varies: true) else {
      throw .capacityExceeded(count)
    }
    let varied = PlaybackStorage(dimensions: dimensions, rows: storage.capacity, varies: true)
    copyRows(to: varied)
    storage = varied
  }
}
