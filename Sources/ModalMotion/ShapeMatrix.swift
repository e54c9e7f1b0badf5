// SPDX-License-Identifier: MIT
import Kernels
import Rigs

/// The shapes of some modes in Float, row-major [modes × points], loaded once.
///
/// Rows begin on lines of 64 bytes: otherwise vectors of AVX-512 would cross lines, and products would take longer.
final class ShapeMatrix: Sendable {
  /// Floats from row to row.
  let stride: Int
  /// The numbers; each row ends with zeros after its points.
  let numbers: FloatBuffer

  /// - Throws: ``ModalError/matrices(_:)`` if there is no memory for them.
  init(_ modes: Range<Int>, of basis: ModalBasis) throws(ModalError) {
    let points = basis.pointCount
    do throws(MatrixError) {
      try FloatBuffer.check("shapes of modes", rows: modes.count, columns: points)
    } catch {
      throw .matrices(error)
    }
    stride = FloatBuffer.stride(columns: points)
    numbers = FloatBuffer(count: modes.count * stride)
    for (row, mode) in modes.enumerated() {
      for point in 0..<points {
        numbers.start[row * stride + point] = Float(basis.shapes[mode * points + point])
      }
    }
  }
}
