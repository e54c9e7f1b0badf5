// SPDX-License-Identifier: MIT
import Kernels
import Rigs

/// The modes of one kind, whose tracks stand instance by instance in neighbouring rows: row-major [instances × modes].
struct ModeBlock: Sendable {
  /// The indices of the modes in the basis, ascending.
  let modes: [Int]
  /// The row of the first mode of the first instance.
  let firstRow: Int
  /// The index of that mode's track in the batch.
  let firstTrack: Int
  /// [modes × points].
  let shapes: ShapeMatrix

  /// The indices of an instance's tracks.
  func tracks(of instance: Int) -> Range<Int> {
    let first = firstTrack + instance * modes.count
    return first..<first + modes.count
  }
}

/// The shapes of some modes in Float, row-major [modes × points], loaded once.
///
/// Rows begin on lines of 64 bytes: otherwise vectors of AVX-512 would cross lines, and products would take longer.
final class ShapeMatrix: Sendable {
  /// Floats from row to row.
  let stride: Int
  /// The numbers; each row ends with zeros after its points.
  let numbers: FloatBuffer

  init(_ modes: [Int], of basis: ModalBasis) {
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
