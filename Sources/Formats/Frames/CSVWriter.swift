// SPDX-License-Identifier: MIT

/// Frames as comma-separated text: a line of names, then a line a frame with all values of track 0, of track 1, and so on.
///
/// Each number is the shortest text that reads back as the same float32. `Recording(csv:)` reads the file back.
package struct CSVWriter: ~Copyable, FrameWriter {
  private var file: OutputFile
  private var isAtLineStart = true

  /// Opens the file and writes the names of its columns, such as `x0`, `y0`, `x1`.
  package init(_ path: String, shape: FrameShape, components: [String]) throws(FileError) {
    var file = try OutputFile(path)
    for track in 0..<shape.tracks {
      for (index, component) in components.enumerated() {
        try file.write("\(track + index == 0 ? "" : ",")\(component)\(track)".utf8)
      }
    }
    try file.write(CollectionOfOne(0x0A))
    self.file = file
  }

  /// Appends values of the current frame.
  package mutating func write(_ values: [Float]) throws(FileError) {
    for value in values {
      try file.write(isAtLineStart ? "\(value)".utf8 : ",\(value)".utf8)
      isAtLineStart = false
    }
  }

  /// Ends the line.
  package mutating func endFrame() throws(FileError) {
    isAtLineStart = true
    try file.write(CollectionOfOne(0x0A))
  }

  /// Moves the file to its path.
  package consuming func finish() throws(FileError) { try file.finish() }
}
