// SPDX-License-Identifier: MIT

/// Modes of one kind, whose tracks stand instance by instance in neighbouring rows: row-major [instances × modes].
struct ModeBlock: Sendable {
  /// Their numbers in the basis, ascending.
  let modes: [Int]
  /// The row of the first mode of the first instance.
  let firstRow: Int
  /// Its index in the batch.
  let firstTrack: Int
  /// [modes × points].
  let shapes: ShapeMatrix

  /// The indices of an instance's tracks.
  func tracks(of instance: Int) -> Range<Int> {
    let first = firstTrack + instance * modes.count
    return first..<first + modes.count
  }
}

/// Shapes of some modes in Float, row-major [modes × points], loaded once.
///
/// Rows are a multiple of 64 bytes apart, and never of 4 KiB: rows at equal offsets within a page get into each other's way.
struct ShapeMatrix: Sendable {
  /// Floats from row to row.
  let stride: Int
  let numbers: [Float]

  init(_ modes: [Int], of basis: ModalBasis) {
    let points = basis.pointCount
    var stride = (points + 15) / 16 * 16
    if stride.isMultiple(of: 1024) {
      stride += 16
    }
    var numbers = [Float](repeating: 0, count: modes.count * stride)
    for (row, mode) in modes.enumerated() {
      for point in 0..<points {
        numbers[row * stride + point] = Float(basis.shapes[mode * points + point])
      }
    }
    self.stride = stride
    self.numbers = numbers
  }
}
