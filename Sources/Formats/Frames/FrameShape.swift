// SPDX-License-Identifier: MIT

/// The shape of a run's output: frames, tracks, and values of a track.
package struct FrameShape: Equatable, Sendable {
  /// The number of frames.
  package var frames: Int
  /// The number of tracks.
  package var tracks: Int
  /// The number of values of a track.
  package var dimensions: Int

  /// A shape of the given extents.
  package init(frames: Int, tracks: Int, dimensions: Int) {
    self.frames = frames
    self.tracks = tracks
    self.dimensions = dimensions
  }

  /// The bytes of all values as float32.
  package var byteCount: Int { frames * tracks * dimensions * MemoryLayout<Float>.size }
}

/// An output to which frames are written, one after another.
package protocol FrameWriter: ~Copyable {
  /// Appends values of the current frame: all values of one track, then of the next, and so on.
  ///
  /// A frame may come in parts of whole tracks.
  mutating func write(_ values: [Float]) throws(FileError)

  /// Ends a frame.
  mutating func endFrame() throws(FileError)

  /// Moves the file to its path; without this call, no file is left.
  consuming func finish() throws(FileError)
}
