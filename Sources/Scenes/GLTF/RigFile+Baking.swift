// SPDX-License-Identifier: MIT
package import Formats
package import Murmuration
import Rigs

extension RigFile {
  /// The pointers of the animations to properties that are not of nodes. A bake leaves them out.
  package var unwrittenTargets: [String] {
    let pointers = parts.flatMap { $0.animation.channels.map(\.pointer) }
    return pointers.reduce(into: []) { if !$1.isEmpty, !$0.contains($1) { $0.append($1) } }
  }

  /// The nodes of the file with their names and their transforms at rest, and its animations at given times: keys with
  /// straight lines and great circles between them, or with cubics of the velocities. Steps stay steps, at these times.
  ///
  /// Each animation is played once, and gets a key at its own end if that lies within the times.
  /// - Parameters:
  ///   - times: The times of keys, ascending, in seconds from the start of each animation; the first becomes 0.
  ///   - end: The end of the times: that of the frame after the last.
  ///   - velocities: Whether keys have velocities.
  ///   - kernels: The instruction set.
  ///   - isStopped: Whether to give up, asked before each animation.
  /// - Throws: `FileError` for what ``GLTFDocument/hierarchy()`` and ``GLTFWriter`` refuse, and for animations that move
  ///   no node.
  package func baked(
    at times: [Double], before end: Double, velocities: Bool, kernels: KernelSet, unless isStopped: () -> Bool
  ) throws(FileError) -> GLTFWriter {
    var writer = GLTFWriter()
    let indices = try add(nodesTo: &writer)
    // As files round keys to float32: a step at frame 7 of 24 a second, or an end, may lie just behind 7/24.
    let (times, end) = (times.map { Double(Float($0)) }, Double(Float(end)))
    for part in parts {
      if isStopped() { return writer }
      var keys = times.filter { $0 <= part.clip.duration }
      if end >= part.clip.duration, let last = keys.last, last < part.clip.duration { keys.append(part.clip.duration) }
      if keys.isEmpty { keys = [times[0]] }
      guard part.animation.channels.contains(where: { $0.path != .pointer }) else { continue }
      guard keys.count * part.animation.components * (velocities ? 3 : 1) <= GLTFWriter.numberLimit else {
        throw FileError(place: part.animation.place, "makes more than \(GLTFWriter.numberLimit) numbers")
      }
      let samples = try Self.samples(part, at: keys, kernels)
      var animation = GLTFAnimation(name: part.name, channels: [])
      var dimension = 0
      for channel in part.animation.channels {
        defer { dimension += channel.sampler.width }
        guard channel.path != .pointer else { continue }
        var sampler = channel.sampler
        let isCubic = velocities && sampler.interpolation != .step
        if sampler.interpolation != .step { sampler.interpolation = isCubic ? .cubicSpline : .linear }
        sampler.times = keys.map { $0 - times[0] }
        let range = dimension..<(dimension + sampler.width)
        sampler.values = samples.flatMap { sample in
          let slopes = isCubic ? Array(sample.velocities[range]) : []
          return slopes + sample.values[range] + slopes
        }
        animation.channels.append(
          GLTFAnimation.Channel(node: indices[channel.node], path: channel.path, sampler: sampler))
      }
      try writer.add(animation)
    }
    guard !writer.animations.isEmpty else { throw FileError("its animations move no node") }
    return writer
  }

  /// Frames of the animations, each of which is a track that is played once and stays at its end then.
  ///
  /// A track has one value for each component of the file. Its velocities, if asked for, come after its values. Components
  /// that its animation does not move are NaN.
  /// - Parameters:
  ///   - times: The times of the frames, in seconds from the start of each animation.
  ///   - isStopped: Whether to give up, asked before each animation.
  package func frames(
    at times: [Double], velocities: Bool, kernels: KernelSet, unless isStopped: () -> Bool
  ) throws(FileError) -> [Float] {
    let width = labels.count * (velocities ? 2 : 1)
    var frames = [Float](repeating: .nan, count: times.count * parts.count * width)
    for (track, part) in parts.enumerated() {
      if isStopped() { return frames }
      // As files round keys to float32.
      let samples = try Self.samples(part, at: times.map { min(Double(Float($0)), part.clip.duration) }, kernels)
      for (frame, sample) in samples.enumerated() {
        let start = (frame * parts.count + track) * width
        for (dimension, column) in columns[track].enumerated() {
          frames[start + column] = Float(sample.values[dimension])
          guard velocities else { continue }
          let hasEnded = times[frame] > part.clip.duration
          frames[start + labels.count + column] = hasEnded ? 0 : Float(sample.velocities[dimension])
        }
      }
    }
    return frames
  }

  /// Adds the nodes of the file, each after the one above it, and returns their new indices.
  private func add(nodesTo writer: inout GLTFWriter) throws(FileError) -> [Int] {
    let nodes = try document.hierarchy().nodes
    var children = [[Int]](repeating: [], count: nodes.count)
    for (index, node) in nodes.enumerated() { if let parent = node.parent { children[parent].append(index) } }
    var indices = [Int](repeating: 0, count: nodes.count)
    // A stack in place of recursion: a chain may be long.
    var waiting = Array(nodes.indices.filter { nodes[$0].parent == nil }.reversed())
    while let index = waiting.popLast() {
      let node = nodes[index]
      let length = (node.rotation * node.rotation).sum().squareRoot()
      var written = GLTFWriter.Node(
        name: document.nodes[index].name ?? "", parent: node.parent.map { indices[$0] },
        translation: node.translation, rotation: abs(length - 1) > 0.005 ? node.rotation / length : node.rotation,
        scale: node.scale, box: 0)
      written.matrix = node.matrix
      indices[index] = try writer.add(written)
      waiting += children[index].reversed()
    }
    return indices
  }

  /// The values and velocities of an animation at some times, in the order of its dimensions.
  private static func samples(
    _ part: GLTFScene.Part, at times: [Double], _ kernels: KernelSet
  ) throws(FileError) -> [(values: [Double], velocities: [Double])] {
    do {
      var sampler = try ClipSampler(part.clip, kernels: kernels)
      let order = sampler.order
      func ordered(_ span: Span<Float>) -> [Double] {
        var numbers = [Double](repeating: 0, count: order.count)
        for (place, dimension) in order.enumerated() { numbers[dimension] = Double(span[place]) }
        return numbers
      }
      var samples: [(values: [Double], velocities: [Double])] = []
      for time in times {
        try sampler.sample(at: time)
        samples.append((sampler.withValues(ordered), sampler.withVelocities(ordered)))
      }
      return samples
    } catch { throw FileError(place: part.animation.place, "\(error)") }
  }
}
