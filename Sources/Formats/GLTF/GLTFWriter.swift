// SPDX-License-Identifier: MIT
import Text

/// Animations and the nodes that they move, written as a binary glTF 2.0 file (`.glb`), which any viewer plays.
///
/// ```swift
/// var writer = GLTFWriter()
/// let door = try writer.add(GLTFWriter.Node(name: "door"))
/// let swing = try Clip(.spring(.bouncy))
/// let sampler = try GLTFAnimation.Sampler(swing, dimensions: [0, 0, 0])
/// let scale = GLTFAnimation.Channel(node: door, path: .scale, sampler: sampler)
/// try writer.add(GLTFAnimation(name: "grow", channels: [scale]))
/// try writer.write(to: path)
/// ```
///
/// Times and values are stored as float32. ``GLTFDocument`` reads the animations back with the same numbers, but for
/// rotations, which it makes of unit length.
public struct GLTFWriter: Sendable {
  /// A node: its place at rest in the node above it.
  public struct Node: Sendable, Equatable {
    /// The name; empty for none.
    public var name: String
    /// The index of the node above, which was added before; nil for a root.
    public var parent: Int?
    /// The offset: x, y, z.
    public var translation: SIMD3<Float>
    /// The rotation as a unit quaternion: x, y, z, w.
    public var rotation: SIMD4<Float>
    /// The factors of the three axes.
    public var scale: SIMD3<Float>
    /// A matrix in place of these three: 16 numbers, column after column; nil for none. Weights alone can move then.
    public var matrix: [Float]?
    /// The edge of the box that shows the node in a viewer; 0 for none. A node whose weights are animated shows one in any
    /// case: weights belong to a mesh.
    public var box: Float

    /// A node at rest.
    public init(
      name: String = "", parent: Int? = nil, translation: SIMD3<Float> = [0, 0, 0],
      rotation: SIMD4<Float> = [0, 0, 0, 1],
      scale: SIMD3<Float> = [1, 1, 1], box: Float = 1
    ) {
      (self.name, self.parent, self.translation, self.rotation) = (name, parent, translation, rotation)
      (self.scale, self.box) = (scale, box)
    }
  }

  /// The nodes so far; a node's index is its place.
  public private(set) var nodes: [Node] = []
  /// The animations so far.
  public private(set) var animations: [GLTFAnimation] = []
  /// The number of weights of each node whose weights are animated.
  private var weights: [Int: Int] = [:]
  private var numbers = 0

  /// The most nodes.
  public static let nodeLimit = 1 << 16
  /// The most numbers of all samplers, times included.
  public static let numberLimit = GLTFAccessors.valueLimit

  /// A file without nodes.
  public init() {}

  /// Adds a node and returns its index.
  /// - Throws: ``FileError`` for a node above that is not there yet, numbers that are not finite, a rotation that is not of
  ///   unit length within 1 %, and too many nodes.
  @discardableResult
  public mutating func add(_ node: Node) throws(FileError) -> Int {
    let place = "nodes[\(nodes.count)]"
    guard nodes.count < Self.nodeLimit else { throw FileError(place: place, "\(Self.nodeLimit) nodes is the limit") }
    if let parent = node.parent, !nodes.indices.contains(parent) {
      throw FileError(place: "\(place).parent", "must be one of the \(nodes.count) nodes before, is \(parent)")
    }
    let all = [node.translation.x, node.translation.y, node.translation.z, node.scale.x, node.scale.y, node.scale.z]
    guard all.allSatisfy({ abs($0) <= Float(GLTFAnimationReader.valueLimit) }), (0...1e15).contains(node.box) else {
      throw FileError(place: place, "translation, scale and box must be finite and within ±1e15")
    }
    if let matrix = node.matrix {
      var straight = matrix
      guard matrix.count == 16, GLTFSkinReader.straighten(&straight, at: 0) else {
        throw FileError(place: "\(place).matrix", "must have 16 finite numbers within ±1e15, the last row 0, 0, 0, 1")
      }
    }
    guard abs((node.rotation * node.rotation).sum() - 1) <= 0.02 else {
      throw FileError(place: "\(place).rotation", "must have length 1")
    }
    nodes.append(node)
    return nodes.count - 1
  }

  /// Adds an animation of nodes that were added before. Of the indices and names of its parts, its own name alone is used.
  ///
  /// Of keys at one time, as float32, the first is moved to the moment before, so that the file has ascending times.
  /// - Throws: ``FileError`` with the channel and the key: for what ``GLTFDocument`` would refuse, and for too many numbers.
  public mutating func add(_ animation: GLTFAnimation) throws(FileError) {
    let place = "animations[\(animations.count)]"
    guard !animation.channels.isEmpty else { throw FileError(place: "\(place).channels", "must not be empty") }
    var taken = Set<[Int]>()
    var total = 0
    var weights = weights
    var stored = animation
    for (index, channel) in animation.channels.enumerated() {
      let channelPlace = "\(place).channels[\(index)]"
      guard channel.path != .pointer else {
        throw FileError(place: channelPlace, "moves \(channel.pointer.printable); nodes alone are written")
      }
      guard nodes.indices.contains(channel.node) else {
        throw FileError(place: "\(channelPlace).node", "names nodes[\(channel.node)] of \(nodes.count)")
      }
      guard channel.path == .weights || nodes[channel.node].matrix == nil else {
        throw FileError(place: channelPlace, "moves \(channel.path.rawValue) of a node with a matrix")
      }
      let path = GLTFAnimation.Path.allCases.firstIndex(of: channel.path) ?? 0
      guard taken.insert([channel.node, path]).inserted else {
        throw FileError(
          place: channelPlace, "an earlier channel moves \(channel.path.rawValue) of nodes[\(channel.node)]")
      }
      do { try GLTFWriter.check(channel.sampler, path: channel.path) } catch { throw error.within(channelPlace) }
      if channel.path == .weights {
        guard weights[channel.node] ?? channel.sampler.width == channel.sampler.width else {
          throw FileError(place: channelPlace, "another animation gives nodes[\(channel.node)] other weights")
        }
        weights[channel.node] = channel.sampler.width
      }
      total += channel.sampler.times.count + channel.sampler.values.count
      guard numbers + total <= Self.numberLimit else {
        throw FileError(place: channelPlace, "makes more than \(Self.numberLimit) numbers in all")
      }
      stored.channels[index].sampler = channel.sampler.ascending
    }
    self.weights = weights
    numbers += total
    animations.append(stored)
  }

  private static func check(_ sampler: GLTFAnimation.Sampler, path: GLTFAnimation.Path) throws(FileError) {
    let width = path == .weights ? sampler.width : path == .rotation ? 4 : 3
    guard sampler.width == width, width > 0 else {
      throw FileError("\(path.rawValue) has \(width) components, the sampler \(sampler.width)")
    }
    let elements = sampler.times.count * (sampler.interpolation == .cubicSpline ? 3 : 1)
    guard !sampler.times.isEmpty, sampler.values.count == elements * width else {
      throw FileError("\(sampler.times.count) keys have \(sampler.values.count) numbers")
    }
    var previous = 0.0
    for (key, time) in sampler.times.enumerated() {
      guard time >= previous, time <= GLTFAnimationReader.timeLimit else {
        throw FileError(place: "key \(key)", "times must ascend in [0, 1e6] seconds, is \(NumberText.short(time))")
      }
      previous = time
    }
    for (position, value) in sampler.values.enumerated() where !(abs(value) <= GLTFAnimationReader.valueLimit) {
      throw FileError(
        place: "element \(position / width), component \(position % width)",
        "values must be finite and within ±1e15, is \(NumberText.short(value))")
    }
    guard path == .rotation else { return }
    for key in sampler.times.indices {
      let start = sampler.position(key: key)
      let length = sampler.values[start..<(start + 4)].reduce(0) { $0 + $1 * $1 }.squareRoot()
      guard abs(length - 1) <= 0.0625 else {
        throw FileError(place: "key \(key)", "a rotation must have length 1, has \(NumberText.short(length))")
      }
    }
  }

  // MARK: - Writing

  /// Writes the file at `path`, whole or not at all.
  /// - Throws: ``FileError`` as ``glb()`` does, and if the file cannot be written.
  public func write(to path: String) throws(FileError) {
    let bytes: [UInt8]
    do { bytes = try glb() } catch { throw error.inFile(path) }
    var file = try OutputFile(path)
    try file.write(bytes)
    try file.finish()
  }

  /// The bytes of the file.
  /// - Throws: ``FileError`` without a node.
  /// - Complexity: O(n) in the number of numbers; all are held in memory.
  public func glb() throws(FileError) -> [UInt8] {
    guard !nodes.isEmpty else { throw FileError("a file needs a node") }
    var encoder = GLBEncoder()
    let animations = animations.map { animation in
      var (samplers, channels): ([String], [String]) = ([], [])
      for (index, channel) in animation.channels.enumerated() {
        let input = encoder.times(channel.sampler.times)
        let output = encoder.values(channel.sampler.values, path: channel.path)
        samplers.append(
          #"{"input":\#(input),"output":\#(output),"interpolation":"\#(channel.sampler.interpolation.rawValue)"}"#)
        channels.append(
          #"{"sampler":\#(index),"target":{"node":\#(channel.node),"path":"\#(channel.path.rawValue)"}}"#)
      }
      return #"{"name":\#(NumberText.jsonString(animation.name)),"#
        + #""channels":[\#(channels.joined(separator: ","))],"samplers":[\#(samplers.joined(separator: ","))]}"#
    }
    var children: [Int: [Int]] = [:]
    for (index, node) in nodes.enumerated() {
      if let parent = node.parent { children[parent, default: []].append(index) }
    }
    let nodeTexts = nodes.indices.map { index in
      let node = nodes[index]
      let targets = weights[index] ?? 0
      let box = node.box > 0 ? node.box : targets > 0 ? 1 : 0
      var fields: [String] = []
      if !node.name.isEmpty { fields.append(#""name":\#(NumberText.jsonString(node.name))"#) }
      if let below = children[index] { fields.append(#""children":[\#(GLBEncoder.list(below))]"#) }
      if let matrix = node.matrix {
        fields.append(#""matrix":[\#(matrix.map { "\($0)" }.joined(separator: ","))]"#)
      } else {
        fields += Self.transform(node)
      }
      if box > 0 { fields.append(#""mesh":\#(encoder.mesh(box: box, targets: targets))"#) }
      return "{\(fields.joined(separator: ","))}"
    }
    let roots = nodes.indices.filter { nodes[$0].parent == nil }
    var parts = [
      #""asset":{"version":"2.0","generator":"Murmuration"}"#, #""scene":0"#,
      #""scenes":[{"nodes":[\#(GLBEncoder.list(roots))]}]"#, #""nodes":[\#(nodeTexts.joined(separator: ","))]"#,
    ]
    if !animations.isEmpty { parts.append(#""animations":[\#(animations.joined(separator: ","))]"#) }
    return encoder.file(parts)
  }

  private static func transform(_ node: Node) -> [String] {
    var fields: [String] = []
    if node.translation != [0, 0, 0] { fields.append(#""translation":[\#(GLBEncoder.list(node.translation))]"#) }
    if node.rotation != [0, 0, 0, 1] { fields.append(#""rotation":[\#(GLBEncoder.list(node.rotation))]"#) }
    if node.scale != [1, 1, 1] { fields.append(#""scale":[\#(GLBEncoder.list(node.scale))]"#) }
    return fields
  }
}

extension GLTFAnimation.Sampler {
  /// The keys with times that ascend as float32. Of keys at one time the first shows just before it, and the last at it.
  fileprivate var ascending: GLTFAnimation.Sampler {
    let rounded = times.map { Float($0) }
    guard zip(rounded, rounded.dropFirst()).contains(where: { $0 >= $1 }) else { return self }
    var kept: [(key: Int, time: Float)] = []
    for key in times.indices {
      let isFirst = key == 0 || rounded[key - 1] < rounded[key]
      let isLast = key == times.count - 1 || rounded[key] < rounded[key + 1]
      let time = isLast ? rounded[key] : rounded[key].nextDown
      if (isFirst || isLast) && time >= 0 && time > kept.last?.time ?? -1 { kept.append((key, time)) }
    }
    var sampler = self
    sampler.times = kept.map { Double($0.time) }
    let size = interpolation == .cubicSpline ? 3 * width : width
    sampler.values = kept.flatMap { values[($0.key * size)..<(($0.key + 1) * size)] }
    return sampler
  }
}
