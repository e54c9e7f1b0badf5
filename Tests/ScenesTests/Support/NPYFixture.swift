// SPDX-License-Identifier: MIT

/// The bytes of a `.npy` file, put together here as NumPy's documentation says, independent of the writer under test.
struct NPYFixture {
  var version: UInt8 = 1
  var descr = "<f4"
  var fortran = false
  var shape: [Int]
  var values: [Double]

  var bytes: [UInt8] {
    let extents = shape.map { "\($0)," }.joined(separator: " ")
    let dictionary = "{'descr': '\(descr)', 'fortran_order': \(fortran ? "True" : "False"), 'shape': (\(extents)), }\n"
    var bytes: [UInt8] = [0x93] + Array("NUMPY".utf8) + [version, 0]
    let length = dictionary.utf8.count
    bytes += (0..<(version == 1 ? 2 : 4)).map { UInt8(length >> (8 * $0) & 0xFF) }
    bytes += Array(dictionary.utf8)
    for value in values {
      if descr == "<f8" {
        bytes += (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * UInt64($0))) }
      } else {
        bytes += (0..<4).map { UInt8(truncatingIfNeeded: Float(value).bitPattern >> (8 * UInt32($0))) }
      }
    }
    return bytes
  }
}
