// SPDX-License-Identifier: MIT
import Kernels

/// The scales and offsets of tracks that play clips, in columns of their own, which are mapped with the first
/// variation.
final class ClipVariations {
  /// The scale and the offset of each index (dimension 0).
  let scale: Column<Float>
  let offset: Column<Float>
  /// Floats from a scale or an offset to that of the next dimension.
  let dimensionStride: Int
  private let dimensions: Int
  private let memory: ColumnMemory

  static func shape(dimensions: Int) -> ColumnShape { ColumnShape(narrow: 2 * dimensions) }

  /// Memory for at least `count` indices, not initialised; there must be room.
  init(dimensions: Int, count: Int) {
    memory = ColumnMemory(Self.shape(dimensions: dimensions), count: count, isZeroed: false)
    (scale, offset) = (memory.narrow(0, every: 2), memory.narrow(1, every: 2))
    dimensionStride = 2 * memory.narrowStride
    self.dimensions = dimensions
  }

  /// Gives some indices no variation: 1 and −0, with which a fused multiply-add keeps every bit.
  func clear(_ indices: Range<Int>) {
    for dimension in 0..<dimensions {
      let first = indices.lowerBound + dimension * dimensionStride
      (scale + first).update(repeating: 1, count: indices.count)
      (offset + first).update(repeating: -0.0, count: indices.count)
    }
  }

  /// Copies some indices of other variations to those from `index` on.
  func copy(_ indices: Range<Int>, of other: ClipVariations, to index: Int) {
    memory.copy(indices, of: other.memory, to: index)
  }

  func set(_ index: Int, _ dimension: Int, scale: Float, offset: Float) {
    let element = index + dimension * dimensionStride
    (self.scale[element], self.offset[element]) = (scale, offset)
  }

  /// The scale and the offset of an index in a dimension.
  func variation(at index: Int, _ dimension: Int) -> (scale: Double, offset: Double) {
    let element = index + dimension * dimensionStride
    return (Double(scale[element]), Double(offset[element]))
  }
}

// The columns point into memory that the object owns, and one ``ClipMotions`` alone has the object.
extension ClipVariations: @unchecked Sendable {}
