// SPDX-License-Identifier: MIT

/// The storage of an accessor's components; the raw values are glTF's. All are little-endian.
enum GLTFComponentType: Int {
  case byte = 5120
  case unsignedByte = 5121
  case short = 5122
  case unsignedShort = 5123
  case unsignedInt = 5125
  case float = 5126

  /// The bytes of a component.
  var size: Int {
    switch self {
    case .byte, .unsignedByte: 1
    case .short, .unsignedShort: 2
    case .unsignedInt, .float: 4
    }
  }

  /// The component at `start`; an integer is not normalised.
  ///
  /// `start` counts from the first byte of `bytes`, and all bytes of the component must be there.
  func number(in bytes: ArraySlice<UInt8>, at start: Int) -> Double {
    let first = bytes.startIndex + start
    var bits: UInt32 = 0
    for offset in 0..<size { bits |= UInt32(bytes[first + offset]) << (8 * UInt32(offset)) }
    return switch self {
    case .byte: Double(Int8(truncatingIfNeeded: bits))
    case .short: Double(Int16(truncatingIfNeeded: bits))
    case .unsignedByte, .unsignedShort, .unsignedInt: Double(bits)
    case .float: Double(Float(bitPattern: bits))
    }
  }

  /// The normalised value of an integer component: −1 to 1, or 0 to 1. Source: specification, section 3.6.2.2.
  func normalized(_ number: Double) -> Double {
    switch self {
    case .byte: max(number / 127, -1)
    case .unsignedByte: number / 255
    case .short: max(number / 32767, -1)
    case .unsignedShort: number / 65535
    case .unsignedInt, .float: number
    }
  }
}
