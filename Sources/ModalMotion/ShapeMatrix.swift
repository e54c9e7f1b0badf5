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

  init(_ modes: Range<Int>, of basis: ModalBasis) {
    let points = basis.pointCount
    stride = FloatBuffer.stride(columns: points)
    numbers = FloatBuffer(count: modes.count * stride)
    for (row, mode) in modes.enumerated() {
      for point in 0..<points {
        numbers.start[row * stride + point] = Float(basis.shapes[mode * points + point])
      }
    }
  }
}
