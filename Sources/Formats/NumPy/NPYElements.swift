// SPDX-License-Identifier: MIT

extension NPYHeader {
  /// The number of elements.
  /// - Throws: `FileError` unless the bytes after the header are exactly these elements.
  func elementCount(in bytes: [UInt8]) throws(FileError) -> Int {
    var count = 1
    for extent in shape {
      let (product, overflow) = count.multipliedReportingOverflow(by: extent)
      // Bounded by the file's own size, so that no shape asks for more memory than the file has data.
      guard !overflow, product <= bytes.count else {
        throw FileError(place: "byte \(bytes.count)", "the data are cut short: shape \(shape) needs more")
      }
      count = product
    }
    let expected = dataStart + count * elementSize
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
  ///   - count: What ``elementCount(in:)`` returned.
  ///   - convert: Makes an element from a number and the byte where it stands.
  func elements<Element: ExpressibleByIntegerLiteral>(
    of bytes: [UInt8], count: Int, _ convert: (Double, Int) throws(FileError) -> Element
  ) throws(FileError) -> [Element] {
    var elements = [Element](repeating: 0, count: count)
    for index in 0..<count {
      let start = dataStart + index * elementSize
      let place = fortranOrder ? rowMajorIndex(ofColumnMajor: index) : index
      elements[place] = try convert(number(in: bytes, at: start), start)
    }
    return elements
  }

  private func number(in bytes: [UInt8], at start: Int) -> Double {
    var bits: UInt64 = 0
    for offset in 0..<elementSize { bits |= UInt64(bytes[start + offset]) << (8 * UInt64(offset)) }
    return elementSize == 4 ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))) : Double(bitPattern: bits)
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
