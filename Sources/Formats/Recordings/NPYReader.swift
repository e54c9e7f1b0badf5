// SPDX-License-Identifier: MIT

extension Recording {
  /// The recording in a NumPy array file, versions 1 to 3, of floats, integers or booleans of up to 8 bytes, in C or Fortran
  /// order.
  ///
  /// Shapes: `[frames]`, `[frames, tracks]` or `[frames, tracks, dimensions]`; the channels are all dimensions of track
  /// 0, then of track 1, and so on.
  /// - Throws: ``FileError`` with the byte: also for an integer that float64 does not hold.
  public init(npy bytes: [UInt8]) throws(FileError) { try self.init(npy: bytes, framesPerSecond: nil) }

  /// A recording at a known rate.
  init(npy bytes: [UInt8], framesPerSecond: Double?) throws(FileError) {
    let header = try NPYHeader(bytes)
    let shape = header.shape
    guard (1...3).contains(shape.count) else {
      throw FileError(
        "has \(shape.count) dimensions; save it as [frames], [frames, tracks] or [frames, tracks, dimensions]")
    }
    let count = try header.elementCount(in: bytes)
    guard !shape.dropFirst().contains(0) else { throw FileError("holds no channel: its shape is \(shape)") }
    // Only now, with no zero among them, are the other extents known to be within the file's size.
    guard count > 0 else { throw FileError("holds no frame: its shape is \(shape)") }
    let channels = shape.dropFirst().reduce(1, *)
    let values: [Float] = try header.elements(of: bytes, count: count) { number, start throws(FileError) in
      try Recording.checked(number, place: "byte \(start)")
    }
    try self.init(channels: channels, values: values, framesPerSecond: framesPerSecond)
  }
}
