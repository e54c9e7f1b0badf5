/// Frames as comma-separated text: a line of names, then a line a frame with all values of track 0, of track 1, and so on.
///
/// Numbers are the shortest text that reads back as the same float32. `Recording(csv:)` reads the file back.
package struct CSVWriter: ~Copyable, FrameWriter {
  private var file: OutputFile
  private var isAtLineStart = true

  /// Opens the file and writes the names of its columns, such as `x0`, `y0`, `x1`.
  package init(_ path: String, shape: FrameShape, components: [String]) throws(SceneError) {
    file = try OutputFile(path)
    for track in 0..<shape.tracks {
      for component in components { try field("\(component)\(track)") }
    }
    try endFrame()
  }

  private mutating func field(_ text: String) throws(SceneError) {
    if !isAtLineStart { try file.write(CollectionOfOne(0x2C)) }
    isAtLineStart = false
    try file.write(text.utf8)
  }

  /// Appends values of the current frame.
  package mutating func write(_ values: [Float]) throws(SceneError) {
    for value in values { try field("\(value)") }
  }

  /// Ends the line.
  package mutating func endFrame() throws(SceneError) {
    isAtLineStart = true
    try file.write(CollectionOfOne(0x0A))
  }

  /// Puts the file in its place.
  package consuming func finish() throws(SceneError) { try file.finish() }
}
