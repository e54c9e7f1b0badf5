// SPDX-License-Identifier: MIT

/// Frames as the arrays of a `.npz` file: `times` in seconds (float64), `values`, and `velocities` per second if there are any
/// (float32, the shape of the values).
package struct NPZFrameWriter: ~Copyable, FrameWriter {
  private var archive: NPZWriter
  /// The numbers of a value, and of a track in a frame.
  private let dimensions: Int
  private let width: Int
  private var values: [Float] = []
  private var velocities: [Float] = []

  /// Opens the file.
  /// - Parameters:
  ///   - shape: The shape of what is written; with velocities a track's values stand before its velocities, and
  ///     `dimensions` counts both.
  ///   - times: The time of each frame, in seconds.
  ///   - isCompressed: Whether the arrays are deflated; they stay in memory then until the end.
  package init(
    _ path: String, shape: FrameShape, hasVelocities: Bool, times: [Double], isCompressed: Bool = false
  ) throws(FileError) {
    width = shape.dimensions
    dimensions = hasVelocities ? width / 2 : width
    let extents = [shape.frames, shape.tracks, dimensions]
    var archive = try NPZWriter(
      path,
      entries: [("times", [times.count], NumPyType.float64), ("values", extents, .float32)]
        + (hasVelocities ? [("velocities", extents, .float32)] : []), isCompressed: isCompressed)
    try archive.append(times, to: 0)
    self.archive = archive
  }

  /// Appends values of whole tracks.
  package mutating func write(_ numbers: [Float]) throws(FileError) {
    guard width > dimensions else { return try archive.append(numbers, to: 1) }
    values.removeAll(keepingCapacity: true)
    velocities.removeAll(keepingCapacity: true)
    for start in stride(from: 0, to: numbers.count, by: width) {
      values += numbers[start..<(start + dimensions)]
      velocities += numbers[(start + dimensions)..<(start + width)]
    }
    try archive.append(values, to: 1)
    try archive.append(velocities, to: 2)
  }

  /// Ends a frame; the shape of the whole is checked at the end.
  package mutating func endFrame() {}

  /// Moves the file to its path; all frames must have been written.
  package consuming func finish() throws(FileError) { try archive.finish() }
}
