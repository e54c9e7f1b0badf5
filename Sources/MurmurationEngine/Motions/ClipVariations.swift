// SPDX-License-Identifier: MIT
import Kernels

/// The scales and offsets of tracks that play clips, in columns of their own, which are mapped with the first
/// variation.
final class ClipVariations {
  /// The scale and the offset of each row (dimension 0).
  let scale: Column<Float>
  let offset: Column<Float>
  /// Floats from a scale or an offset to that of the next dimension.
  let dimensionStride: Int
  private let dimensions: Int
  private let memory: ColumnMemory

  static func shape(dimensions: Int) -> RowShape { RowShape(narrow: 2 * dimensions) }

  /// Memory for at least `rows` rows, not initialised; there must be room.
  init(dimensions: Int, rows: Int) {
    memory = ColumnMemory(Self.shape(dimensions: dimensions), rows: rows, isZeroed: false)
    (scale, offset) = (memory.narrow(0, every: 2), memory.narrow(1, every: 2))
    dimensionStride = 2 * memory.narrowStride
    self.dimensions = dimensions
  }

  /// Gives some rows no variation: 1 and −0, with which a fused multiply-add keeps every bit.
  func clear(_ rows: Range<Int>) {
    for dimension in 0..<dimensions {
      let first = rows.lowerBound + dimension * dimensionStride
      (scale + first).update(repeating: 1, count: rows.count)
      (offset + first).update(repeating: -0.0, count: rows.count)
    }
  }

  /// Copies some rows of other variations to the rows from `row` on.
  func copy(_ rows: Range<Int>, of other: ClipVariations, to row: Int) {
    memory.copyRows(rows, of: other.memory, to: row)
  }

  func set(_ row: Int, _ dimension: Int, scale: Float, offset: Float) {
    let element = row + dimension * dimensionStride
    (self.scale[element], self.offset[element]) = (scale, offset)
  }

  /// The scale and the offset of a row in a dimension.
  func variation(ofRow row: Int, _ dimension: Int) -> (scale: Double, offset: Double) {
    let element = row + dimension * dimensionStride
    return (Double(scale[element]), Double(offset[element]))
  }
}

// The columns point into memory that the object owns, and one ``ClipMotions`` alone has the object.
extension ClipVariations: @unchecked Sendable {}
