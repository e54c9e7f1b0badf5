// SPDX-License-Identifier: MIT

/// One animation of a glTF 2.0 file: channels that share a clock, each for one property of one node, or for what a pointer
/// of `KHR_animation_pointer` leads to.
public struct GLTFAnimation: Sendable, Equatable {
  /// The property of a node that a channel gives values to, or that it has a pointer to another property.
  public enum Path: String, Sendable, CaseIterable {
    case translation, rotation, scale, weights, pointer
  }

  /// How values follow from keys, as the file spells it.
  public enum Interpolation: String, Sendable, CaseIterable {
    /// Each key's value holds until the next key.
    case step = "STEP"
    /// Straight lines, and great circles for rotations.
    case linear = "LINEAR"
    /// Cubic splines with tangents from the file; rotations are normalised.
    case cubicSpline = "CUBICSPLINE"
  }

  /// Keys: times and the values at them.
  public struct Sampler: Sendable, Equatable {
    /// How values follow from keys.
    public var interpolation: Interpolation
    /// Seconds, at least one, ascending, in [0, 10⁶]. If several keys have the same time, the last one wins.
    public var times: [Double]
    /// The components of an element.
    public var width: Int
    /// The elements, one for each key; cubic splines have three: in-tangent, value, out-tangent, with tangents per
    /// second.
    ///
    /// Rotations are x, y, z, w and of unit length, except in cubic splines, whose result is normalised.
    public var values: [Double]

    /// Keys as a file has them.
    public init(interpolation: Interpolation, times: [Double], width: Int, values: [Double]) {
      self.interpolation = interpolation
      self.times = times
      self.width = width
      self.values = values
    }

    /// The index in `values` of a key's element; `part` is 0 for the in-tangent, 1 for the value, 2 for the
    /// out-tangent.
    package func position(key: Int, part: Int = 1) -> Int {
      (interpolation == .cubicSpline ? key * 3 + part : key) * width
    }
  }

  /// One property of one node, or what a pointer leads to.
  public struct Channel: Sendable, Equatable {
    /// The index of the channel in the file's list; channels without a node or a pointer are left out here.
    public var index: Int
    /// The node's index in the file; −1 with a pointer.
    public var node: Int
    /// The node's name, or `nodes[4]` for a node without one.
    public var nodeName: String
    /// The property.
    public var path: Path
    /// The JSON pointer to what ``Path/pointer`` moves, such as `/materials/0/emissiveFactor`; empty with another path. A bool
    /// has the values 0 and 1.
    public var pointer = ""
    /// The keys.
    public var sampler: Sampler

    /// A channel; a file that is written needs the node, the path and the sampler.
    public init(index: Int = 0, node: Int, nodeName: String = "", path: Path, sampler: Sampler) {
      self.index = index
      self.node = node
      self.nodeName = nodeName
      self.path = path
      self.sampler = sampler
    }
  }

  /// The index of the animation in the file.
  public var index: Int
  /// The name of the animation, or `animations[2]` for an animation without a name.
  public var name: String
  /// The channels, no two for the same property of a node.
  public var channels: [Channel]

  /// An animation; a file that is written needs the name and the channels.
  public init(index: Int = 0, name: String, channels: [Channel]) {
    self.index = index
    self.name = name
    self.channels = channels
  }

  /// The place in the file, for errors.
  package var place: String { "animations[\(index)]" }

  /// The number of values at each time, of all channels.
  public var components: Int { channels.reduce(0) { $0 + $1.sampler.width } }

  /// The time of the last key of all channels, in seconds. The clock starts at 0, even if the first key is later.
  public var duration: Double { channels.reduce(0) { max($0, $1.sampler.times.last ?? 0) } }

  /// A name for each component: `Hip.rotation.x`, `Face.weights[2]`, `/materials/0/emissiveFactor.x`.
  public var labels: [String] {
    channels.flatMap { channel in
      let isPointer = channel.path == .pointer
      let stem = isPointer ? channel.pointer : "\(channel.nodeName).\(channel.path.rawValue)"
      let width = channel.sampler.width
      if isPointer, width == 1 { return [stem] }
      let isArray = channel.path == .weights || isPointer && (width > 4 || stem.hasSuffix("/weights"))
      return (0..<width).map { isArray ? "\(stem)[\($0)]" : "\(stem).\("xyzw".map(String.init)[$0])" }
    }
  }
}
