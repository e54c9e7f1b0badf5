// SPDX-License-Identifier: MIT
import Text

/// Frames as an animation of a `.glb` file, in which each track is a node: components called x, y and z move it, and `scale`
/// makes it larger.
///
/// Without velocities the frames are joined by straight lines; with them by cubics of these velocities. All frames are held
/// in memory until the end.
///
/// A track that is absent in some frames has scale 0 there, which is how glTF hides a node: it appears at its first frame
/// and vanishes at the first frame without it.
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
  /// - Throws: ``FileError`` for tracks that are all absent in all frames, and if the file cannot be written.
  package consuming func finish() throws(FileError) {
    guard values.count * 4 == shape.byteCount else {
      throw FileError(file: path, "\(values.count) values were written, the file has \(shape)")
    }
    var writer = GLTFWriter()
    var channels: [GLTFAnimation.Channel] = []
    for track in 0..<shape.tracks {
      let isPresent = (0..<shape.frames).map { !isAbsent(track, in: $0) }
      let present = isPresent.indices.filter { isPresent[$0] }
      let node = try writer.add(
        GLTFWriter.Node(name: "track \(track)", scale: isPresent.first == true ? [1, 1, 1] : [0, 0, 0], box: 1))
      guard !present.isEmpty else { continue }
      if axes.contains(where: { $0 != nil }) {
        let keys = present.map { Key(frame: $0) }
        channels.append(GLTFAnimation.Channel(node: node, path: .translation, sampler: sampler(track, axes, keys)))
      }
      if let scale {
        let sampler = sampler(track, [scale, scale, scale], Self.keys(hiding: isPresent))
        channels.append(GLTFAnimation.Channel(node: node, path: .scale, sampler: sampler))
      } else if present.count < shape.frames {
        channels.append(GLTFAnimation.Channel(node: node, path: .scale, sampler: visibility(isPresent)))
      }
    }
    guard !channels.isEmpty else {
      throw FileError(file: path, "no track exists in these frames; bake frames in which some do")
    }
    do { try writer.add(GLTFAnimation(name: "bake", channels: channels)) } catch { throw error.inFile(path) }
    try writer.write(to: path)
  }

  /// A key at the time of a frame, with that frame's value, another frame's, or 0.
  private struct Key {
    var frame: Int
    var source: Int?

    init(frame: Int) { (self.frame, source) = (frame, frame) }
    init(frame: Int, holding source: Int?) { (self.frame, self.source) = (frame, source) }
  }

  /// Whether a track has no value in a frame: all its numbers are NaN.
  private func isAbsent(_ track: Int, in frame: Int) -> Bool {
    let start = (frame * shape.tracks + track) * shape.dimensions
    return values[start..<(start + shape.dimensions)].allSatisfy(\.isNaN)
  }

  /// The keys of a value that is 0 while its track is absent. Where that changes there are two keys at one time.
  private static func keys(hiding isPresent: [Bool]) -> [Key] {
    var keys: [Key] = []
    for frame in isPresent.indices {
      let (isHere, wasHere) = (isPresent[frame], frame > 0 ? isPresent[frame - 1] : isPresent[frame])
      if isHere != wasHere { keys.append(Key(frame: frame, holding: wasHere ? frame - 1 : nil)) }
      keys.append(Key(frame: frame, holding: isHere ? frame : nil))
    }
    return keys
  }

  /// Scale 1 from each frame on in which a track appears, and 0 from each on in which it is gone.
  private func visibility(_ isPresent: [Bool]) -> GLTFAnimation.Sampler {
    let changes = isPresent.indices.filter { $0 == 0 || isPresent[$0] != isPresent[$0 - 1] }
    return GLTFAnimation.Sampler(
      interpolation: .step, times: changes.map { times[$0] }, width: 3,
      values: changes.flatMap { [Double](repeating: isPresent[$0] ? 1 : 0, count: 3) })
  }

  /// The keys of a track: a component for each of three; 0 without one. Velocities at keys that hold a value are 0.
  private func sampler(_ track: Int, _ components: [Int?], _ keys: [Key]) -> GLTFAnimation.Sampler {
    let dimensions = hasVelocities ? shape.dimensions / 2 : shape.dimensions
    var numbers: [Double] = []
    for key in keys {
      func append(_ source: Int?, from offset: Int) {
        let start = source.map { ($0 * shape.tracks + track) * shape.dimensions + offset }
        for component in components {
          numbers.append(start.flatMap { start in component.map { Double(values[start + $0]) } } ?? 0)
        }
      }
      let moving = key.source == key.frame ? key.source : nil
      if hasVelocities { append(moving, from: dimensions) }
      append(key.source, from: 0)
      if hasVelocities { append(moving, from: dimensions) }
    }
    return GLTFAnimation.Sampler(
      interpolation: hasVelocities ? .cubicSpline : .linear, times: keys.map { times[$0.frame] }, width: 3,
      values: numbers)
  }
}
