// SPDX-License-Identifier: MIT

/// The type of the elements of a `.npy` file.
struct NPYElement: Equatable {
  enum Kind: Character { case float = "f", signed = "i", unsigned = "u", boolean = "b" }

  var kind: Kind
  /// The bytes of an element.
  var size: Int
  var isBigEndian: Bool

  /// The type that NumPy writes as `<f4`, `>i2`, `|b1`; nil for one whose numbers are not read.
  init?(_ name: String) {
    let letters = Array(name)
    guard letters.count == 3, let kind = Kind(rawValue: letters[1]), let size = letters[2].wholeNumberValue,
      letters[0] == "<" || letters[0] == ">" || letters[0] == "|" && size == 1
    else { return nil }
    let sizes =
      switch kind {
      case .float: [2, 4, 8]
      case .signed, .unsigned: [1, 2, 4, 8]
      case .boolean: [1]
      }
    guard sizes.contains(size) else { return nil }
    (self.kind, self.size, isBigEndian) = (kind, size, letters[0] == ">")
  }

  /// Whether float32 holds each of its numbers.
  var fitsFloat: Bool { kind == .float ? size <= 4 : size <= 2 }

  /// The number of these bits, the lowest first; nil for an integer that float64 does not hold.
  func number(_ bits: UInt64) -> Double? {
    switch (kind, size) {
    case (.float, 2): Self.half(bits)
    case (.float, 4): Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    case (.float, _): Double(bitPattern: bits)
    case (.unsigned, _): Double(exactly: bits)
    case (.boolean, _): bits == 0 ? 0 : 1
    // The sign is moved to the top, and then copied down.
    case (.signed, _): Double(exactly: Int64(bitPattern: bits << (64 - 8 * UInt64(size))) >> (64 - 8 * Int64(size)))
    }
  }

  /// The number in the binary16 format of IEEE 754; `Float16` is not there on all processors.
  private static func half(_ bits: UInt64) -> Double {
    let (exponent, fraction) = (Int(bits >> 10 & 0x1F), Double(bits & 0x3FF))
    let magnitude =
      switch exponent {
      case 0: fraction * 0x1p-24
      case 31: fraction == 0 ? Double.infinity : .nan
      default: Double(sign: .plus, exponent: exponent - 25, significand: fraction + 1024)
      }
    return bits & 0x8000 == 0 ? magnitude : -magnitude
  }
}

extension NPYHeader {
  /// The number of elements.
  /// - Throws: `FileError` unless the bytes after the header are exactly these elements.
  func elementCount(in bytes: [UInt8]) throws(FileError) -> Int {
    var count = 1
    for extent in shape {
      let (product, overflow) = count.multipliedReportingOverflow(by: extent)
      // Bounded by the file's own size, so that no shape asks for more memory than the file has data. Beside an extent of
      // 0 others may have any size.
      guard !overflow, product <= bytes.count || shape.contains(0) else {
        throw FileError(place: "byte \(bytes.count)", "the data are cut short: shape \(shape) needs more")
      }
      count = product
    }
    let expected = dataStart + count * element.size
    guard bytes.count >= expected else {
      throw FileError(place: "byte \(bytes.count)", "the data are cut short: shape \(shape) needs \(expected) bytes")
    }
    guard bytes.count == expected else {
      throw FileError(place: "byte \(expected)", "unexpected bytes after the data")
    }
    return count
  }

  /// The elements in C order, whatever order the file has.
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - count: What ``elementCount(in:)`` returned.
  ///   - convert: Makes an element from a number and the byte where it stands.
  /// - Throws: `FileError` with the byte of an integer that float64 does not hold, and what `convert` throws.
  func elements<Element: ExpressibleByIntegerLiteral>(
    of bytes: [UInt8], count: Int, _ convert: (Double, Int) throws(FileError) -> Element
  ) throws(FileError) -> [Element] {
    var elements = [Element](repeating: 0, count: count)
    for index in 0..<count {
      let start = dataStart + index * element.size
      let place = fortranOrder ? rowMajorIndex(ofColumnMajor: index) : index
      guard let number = number(in: bytes, at: start) else {
        throw FileError(place: "byte \(start)", "is an integer beyond 2⁵³ that float64 does not hold")
      }
      elements[place] = try convert(number, start)
    }
    return elements
  }

  private func number(in bytes: [UInt8], at start: Int) -> Double? {
    var bits: UInt64 = 0
    for offset in 0..<element.size {
      bits = bits << 8 | UInt64(bytes[start + (element.isBigEndian ? offset : element.size - 1 - offset)])
    }
    return element.number(bits)
  }

  private func rowMajorIndex(ofColumnMajor index: Int) -> Int {
    var rest = index
    var place = 0
    var stride = shape.reduce(1, *)
    for extent in shape {
      stride /= extent
      place += rest % extent * stride
      rest /= extent
    }
    return place
  }
}
