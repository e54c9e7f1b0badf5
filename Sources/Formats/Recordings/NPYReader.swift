// SPDX-License-Identifier: MIT

extension Recording {
  /// The recording in a NumPy array file, versions 1 to 3, of little-endian float32 or float64, in C or Fortran order.
  ///
  /// Shapes: `[frames]`, `[frames, tracks]` or `[frames, tracks, dimensions]`; the channels are all dimensions of track
  /// 0, then of track 1, and so on.
  /// - Throws: `FileError` with the byte.
  package init(npy bytes: [UInt8]) throws(FileError) {
    let header = try NPYHeader(bytes)
    let shape = header.shape
    guard (1...3).contains(shape.count) else {
      throw FileError("has \(shape.count) dimensions; [frames], [frames, tracks] and one more are read")
    }
    var count = 1
    for extent in shape {
      let (product, overflow) = count.multipliedReportingOverflow(by: extent)
      // Bounded by the file's own size, so that no shape asks for more memory than the file has data.
      guard !overflow, product <= bytes.count else {
        throw FileError(place: "byte \(bytes.count)", "the data are cut short: shape \(shape) needs more")
      }
      count = product
    }
    let expected = header.dataStart + count * header.elementSize
    guard bytes.count >= expected else {
      throw FileError(place: "byte \(bytes.count)", "the data are cut short: shape \(shape) needs \(expected) bytes")
    }
    guard bytes.count == expected else {
      throw FileError(place: "byte \(expected)", "unexpected bytes after the data")
    }

    guard !shape.dropFirst().contains(0) else { throw FileError("holds no channel: its shape is \(shape)") }
    // Only now, with no zero among them, are the other extents known to be within the file's size.
    guard count > 0 else { throw FileError("holds no frame: its shape is \(shape)") }
    let channels = shape.dropFirst().reduce(1, *)
    var values = [Float](repeating: 0, count: count)
    for index in 0..<count {
      let start = header.dataStart + index * header.elementSize
      let number = Recording.element(of: bytes, at: start, size: header.elementSize)
      let place = header.fortranOrder ? Recording.rowMajorIndex(ofColumnMajor: index, shape: shape) : index
      values[place] = try Recording.checked(number, place: "byte \(start)")
    }
    try self.init(channels: channels, values: values)
  }

  private static func element(of bytes: [UInt8], at start: Int, size: Int) -> Double {
    var bits: UInt64 = 0
    for offset in 0..<size { bits |= UInt64(bytes[start + offset]) << (8 * UInt64(offset)) }
    return size == 4 ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))) : Double(bitPattern: bits)
  }

  private static func rowMajorIndex(ofColumnMajor index: Int, shape: [Int]) -> Int {
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
