// SPDX-License-Identifier: MIT

/// Frames as a NumPy array of float32, shape `[frames, tracks, dimensions]`.
package struct NPYWriter: ~Copyable, FrameWriter {
  private var file: OutputFile
  private let shape: FrameShape
  private var frames = 0
  private var valuesInFrame = 0

  /// Opens the file and writes the header, which states the whole shape.
  package init(_ path: String, shape: FrameShape) throws(FileError) {
    let header = NPYWriter.header(shape)
    var file = try OutputFile(path)
    try file.reserve(header.count + shape.byteCount)
    try file.write(header)
    self.file = file
    self.shape = shape
  }

  /// The header of version 1: padded with spaces so that the data begin at a multiple of 64 bytes.
  static func header(_ shape: FrameShape) -> [UInt8] {
    let extents = "\(shape.frames), \(shape.tracks), \(shape.dimensions)"
    let dictionary = "{'descr': '<f4', 'fortran_order': False, 'shape': (\(extents)), }"
    let length = (10 + dictionary.utf8.count + 1 + 63) / 64 * 64 - 10
    let padding = String(repeating: " ", count: length - dictionary.utf8.count - 1)
    let start: [UInt8] = [0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(length & 0xFF), UInt8(length >> 8)]
    return start + Array("\(dictionary)\(padding)\n".utf8)
  }

  /// Appends values of the current frame.
  package mutating func write(_ values: [Float]) throws(FileError) {
    valuesInFrame += values.count
    try file.write(floats: values)
  }

  /// Ends a frame, which must have all its values.
  package mutating func endFrame() throws(FileError) {
    guard valuesInFrame == shape.tracks * shape.dimensions else {
      throw FileError("a frame of \(valuesInFrame) values was written, the file has \(shape)")
    }
    valuesInFrame = 0
    frames += 1
  }

  /// Moves the file to its path; all frames must have been written.
  package consuming func finish() throws(FileError) {
    guard frames == shape.frames else { throw FileError("\(frames) frames were written, the file has \(shape)") }
    try file.finish()
  }
}
