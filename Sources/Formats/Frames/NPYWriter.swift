// SPDX-License-Identifier: MIT

/// Frames as a NumPy array of float32, shape `[frames, tracks, dimensions]`.
package struct NPYWriter: ~Copyable, FrameWriter {
  private var file: OutputFile
  private let shape: FrameShape
  private var frames = 0
  private var valuesInFrame = 0

  /// Opens the file and writes the header, which states the whole shape.
  package init(_ path: String, shape: FrameShape) throws(FileError) {
    let header = NPYHeader.bytes(shape: [shape.frames, shape.tracks, shape.dimensions], type: .float32)
    var file = try OutputFile(path)
    try file.reserve(header.count + shape.byteCount)
    try file.write(header)
    self.file = file
    self.shape = shape
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
