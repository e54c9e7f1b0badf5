// SPDX-License-Identifier: MIT
import Text

/// Frames as an animation of a `.glb` file, in which each track is a node: components called x, y and z move it, and `scale`
/// makes it larger.
///
/// Without velocities the frames are joined by straight lines; with them by cubics of these velocities. All frames are held
/// in memory until the end.
package struct GLBFrameWriter: ~Copyable, FrameWriter {
  private let path: String
  private let shape: FrameShape
  private let hasVelocities: Bool
  private let times: [Double]
  /// The index of the component of each axis, and of the scale.
  private let axes: [Int?]
  private let scale: Int?
  private var values: [Float] = []

  /// A writer of frames at these times, in seconds.
  /// - Throws: ``FileError`` for a component of another name, and for too many tracks or numbers.
  package init(
    _ path: String, shape: FrameShape, components: [String], hasVelocities: Bool, times: [Double]
  ) throws(FileError) {
    if let other = components.first(where: { !["x", "y", "z", "scale"].contains($0) }) {
      throw FileError(
        file: path, "a node of a .glb file has no place for “\(other.printable)”; x, y, z and scale are written")
    }
    guard shape.tracks <= GLTFWriter.nodeLimit else {
      throw FileError(file: path, "\(shape.tracks) tracks are too many nodes; \(GLTFWriter.nodeLimit) is the limit")
    }
    let (count, overflow) = shape.frames.multipliedReportingOverflow(by: shape.tracks)
    let parts = hasVelocities ? 9 : 3
    let paths = components.contains("scale") ? 2 : 1
    guard !overflow, count <= GLTFWriter.numberLimit / (parts * paths) - shape.frames else {
      throw FileError(
        file: path, "\(shape.frames) frames of \(shape.tracks) tracks are more than \(GLTFWriter.numberLimit) numbers")
    }
    self.path = path
    self.shape = shape
    self.hasVelocities = hasVelocities
    self.times = times
    axes = ["x", "y", "z"].map { components.firstIndex(of: $0) }
    scale = components.firstIndex(of: "scale")
  }

  /// Appends values of whole tracks.
  package mutating func write(_ values: [Float]) { self.values += values }

  /// Ends a frame; the shape of the whole is checked at the end.
  package mutating func endFrame() {}

  /// Writes the file; all frames must have been written.
  /// - Throws: ``FileError`` for an absent value, and if the file cannot be written.
  package consuming func finish() throws(FileError) {
    guard values.count * 4 == shape.byteCount else {
      throw FileError(file: path, "\(values.count) values were written, the file has \(shape)")
    }
    var writer = GLTFWriter()
    var channels: [GLTFAnimation.Channel] = []
    for track in 0..<shape.tracks {
      let node = try writer.add(GLTFWriter.Node(name: "track \(track)", box: 1))
      if axes.contains(where: { $0 != nil }) {
        channels.append(GLTFAnimation.Channel(node: node, path: .translation, sampler: sampler(track, axes)))
      }
      if let scale {
        channels.append(
          GLTFAnimation.Channel(node: node, path: .scale, sampler: sampler(track, [scale, scale, scale])))
      }
    }
    do { try writer.add(GLTFAnimation(name: "bake", channels: channels)) } catch { throw error.inFile(path) }
    try writer.write(to: path)
  }

  /// The keys of a track: a component for each of three; 0 without one.
  private func sampler(_ track: Int, _ components: [Int?]) -> GLTFAnimation.Sampler {
    let dimensions = hasVelocities ? shape.dimensions / 2 : shape.dimensions
    var numbers: [Double] = []
    for frame in 0..<shape.frames {
      let start = (frame * shape.tracks + track) * shape.dimensions
      func append(_ first: Int) {
        for component in components { numbers.append(component.map { Double(values[first + $0]) } ?? 0) }
      }
      if hasVelocities { append(start + dimensions) }
      append(start)
      if hasVelocities { append(start + dimensions) }
    }
    return GLTFAnimation.Sampler(
      interpolation: hasVelocities ? .cubicSpline : .linear, times: times, width: 3, values: numbers)
  }
}
