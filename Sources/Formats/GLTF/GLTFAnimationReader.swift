// SPDX-License-Identifier: MIT
import Text

/// Makes animations from a glTF file's description of them and from its data.
struct GLTFAnimationReader {
  private let description: GLTFDescription
  private(set) var accessors: GLTFAccessors
  /// Samplers that several channels or animations use are made once.
  private var samplers: [SamplerKey: GLTFAnimation.Sampler] = [:]
  private var spare = GLTFAccessors.valueLimit

  private struct SamplerKey: Hashable {
    var input: Int
    var output: Int
    var interpolation: GLTFAnimation.Interpolation
    var path: GLTFAnimation.Path
  }

  /// The latest time of a key, in seconds.
  static let timeLimit = 1e6
  /// The largest magnitude of a value.
  static let valueLimit = Recording.valueLimit
  /// Keys closer than this, in seconds, count as keys at one time: the later one wins.
  static let shortestSegment = 0x1p-30

  /// A reader of a file's animations.
  init(_ description: GLTFDescription, buffers: GLTFBuffers) {
    self.description = description
    accessors = GLTFAccessors(description, buffers: buffers)
  }

  /// Animation `index` of the file. Channels without a node, which only extensions use, are left out.
  mutating func animation(_ index: Int) throws(FileError) -> GLTFAnimation {
    let source = description.animations[index]
    let name = source.name ?? ""
    var animation = GLTFAnimation(index: index, name: name.isEmpty ? "animations[\(index)]" : name, channels: [])
    guard !source.channels.isEmpty else {
      throw FileError(place: "\(animation.place).channels", "must not be empty")
    }
    var taken = Set<[Int]>()
    for (number, channel) in source.channels.enumerated() {
      guard let node = channel.node else { continue }
      let place = "\(animation.place).channels[\(number)]"
      guard let path = GLTFAnimation.Path(rawValue: channel.path) else {
        let known = GLTFAnimation.Path.allCases.map(\.rawValue)
        throw FileError(
          place: "\(place).target.path", DescriptionError.unknown("path", channel.path, known: known))
      }
      guard description.nodes.indices.contains(node) else {
        throw FileError(place: "\(place).target.node", "names nodes[\(node)] of \(description.nodes.count)")
      }
      guard taken.insert([node, GLTFAnimation.Path.allCases.firstIndex(of: path) ?? 0]).inserted else {
        throw FileError(place: "\(place).target", "an earlier channel moves \(path.rawValue) of nodes[\(node)]")
      }
      guard source.samplers.indices.contains(channel.sampler) else {
        throw FileError(place: "\(place).sampler", "names samplers[\(channel.sampler)] of \(source.samplers.count)")
      }
      let samplerPlace = "\(animation.place).samplers[\(channel.sampler)]"
      let sampler = try sampler(source.samplers[channel.sampler], path: path, place: samplerPlace)
      if path == .weights { try checkWeights(of: node, width: sampler.width, place: "\(samplerPlace).output") }
      let nodeName = description.nodes[node].name ?? ""
      animation.channels.append(
        GLTFAnimation.Channel(
          index: number, node: node, nodeName: nodeName.isEmpty ? "nodes[\(node)]" : nodeName, path: path,
          sampler: sampler))
    }
    return animation
  }

  private mutating func sampler(
    _ source: GLTFAnimationDescription.Sampler, path: GLTFAnimation.Path, place: String
  ) throws(FileError) -> GLTFAnimation.Sampler {
    guard let interpolation = GLTFAnimation.Interpolation(rawValue: source.interpolation) else {
      let known = GLTFAnimation.Interpolation.allCases.map(\.rawValue)
      throw FileError(
        place: "\(place).interpolation", DescriptionError.unknown("interpolation", source.interpolation, known: known))
    }
    let key = SamplerKey(input: source.input, output: source.output, interpolation: interpolation, path: path)
    if let sampler = samplers[key] { return sampler }

    let times: [Double]
    do { times = try readTimes(source.input) } catch { throw error.within("\(place).input") }
    var sampler = GLTFAnimation.Sampler(interpolation: interpolation, times: times, width: 0, values: [])
    do {
      try readValues(source.output, path: path, into: &sampler)
    } catch {
      throw error.within("\(place).output")
    }
    samplers[key] = sampler
    return sampler
  }

  // MARK: - Times

  private mutating func readTimes(_ index: Int) throws(FileError) -> [Double] {
    let accessor = try accessors.description(index)
    guard accessor.type == "SCALAR", accessor.componentType == GLTFComponentType.float.rawValue else {
      throw FileError(
        place: "accessors[\(index)]",
        "times must be SCALAR of FLOAT (5126), are \(accessor.type.printable) of \(accessor.componentType)")
    }
    guard accessor.count > 0 else { throw FileError(place: "accessors[\(index)].count", "a track needs a key") }
    var times = try accessors.values(index)
    try take(times.count)
    var previous = 0.0
    for (key, time) in times.enumerated() {
      guard (0...Self.timeLimit).contains(time) else {
        throw FileError(place: "key \(key)", "times must be in [0, 1e6] seconds, is \(NumberText.short(time))")
      }
      guard time >= previous else {
        throw FileError(
          place: "key \(key)",
          "times must ascend, is \(NumberText.short(time)) after \(NumberText.short(previous))")
      }
      if key > 0, time - times[key - 1] < Self.shortestSegment { times[key] = times[key - 1] }
      previous = time
    }
    return times
  }

  // MARK: - Values

  private mutating func readValues(
    _ index: Int, path: GLTFAnimation.Path, into sampler: inout GLTFAnimation.Sampler
  ) throws(FileError) {
    let accessor = try accessors.description(index)
    let type = path.elementType
    guard accessor.type == type else {
      throw FileError(
        place: "accessors[\(index)].type", "must be \(type) for \(path.rawValue), is \(accessor.type.printable)")
    }
    try checkStorage(accessor, path: path, index: index)
    let elements = sampler.times.count * (sampler.interpolation == .cubicSpline ? 3 : 1)
    // A key has one number for each morph target.
    let width = path == .weights ? accessor.count / elements : path.width
    guard accessor.count == (path == .weights ? elements * width : elements), width > 0 else {
      let expected = path == .weights ? "a multiple of \(elements)" : "\(elements)"
      throw FileError(
        place: "accessors[\(index)].count",
        "must be \(expected) for \(sampler.times.count) keys with \(sampler.interpolation.rawValue), is \(accessor.count)"
      )
    }
    sampler.width = width
    sampler.values = try accessors.values(index)
    try take(sampler.values.count)
    for (position, value) in sampler.values.enumerated() where !(value.magnitude <= Self.valueLimit) {
      throw FileError(
        place: "element \(position / width), component \(position % width)",
        "values must be finite and within ±1e15, is \(NumberText.short(value))")
    }
    if path == .rotation { try normalize(&sampler) }
  }

  private func checkStorage(
    _ accessor: GLTFAccessorDescription, path: GLTFAnimation.Path, index: Int
  ) throws(FileError) {
    let place = "accessors[\(index)].componentType"
    switch GLTFComponentType(rawValue: accessor.componentType) {
    case .float: return
    case .byte, .unsignedByte, .short, .unsignedShort:
      guard path == .rotation || path == .weights else {
        throw FileError(place: place, "must be FLOAT (5126) for \(path.rawValue), is \(accessor.componentType)")
      }
      guard accessor.isNormalized else {
        throw FileError(place: "accessors[\(index)].normalized", "must be true for integers")
      }
    default:
      throw FileError(place: place, "must be 5120 to 5123 or 5126 here, is \(accessor.componentType)")
    }
  }

  /// Makes rotations of unit length. Files keep that length only to the precision of their numbers; rotations far from
  /// it are mistakes.
  ///
  /// A rotation has two signs. Linear keys get the one nearer to the key before: then the straight way is the shorter one,
  /// and no component jumps at a key.
  private func normalize(_ sampler: inout GLTFAnimation.Sampler) throws(FileError) {
    for key in sampler.times.indices {
      let start = sampler.position(key: key)
      let range = start..<(start + 4)
      let length = sampler.values[range].reduce(0) { $0 + $1 * $1 }.squareRoot()
      // A rotation in bytes is rounded to within 0.008 of unit length.
      guard abs(length - 1) <= 0.0625 else {
        throw FileError(
          place: "element \(start / 4)", "a rotation must have length 1, has \(NumberText.short(length))")
      }
      // A spline is normalised when it has been evaluated.
      guard sampler.interpolation != .cubicSpline else { continue }
      var factor = 1 / length
      if sampler.interpolation == .linear, key > 0 {
        let dot = range.reduce(0) { $0 + sampler.values[$1 - 4] * sampler.values[$1] }
        if dot < 0 { factor = -factor }
      }
      for position in range { sampler.values[position] *= factor }
    }
  }

  private func checkWeights(of node: Int, width: Int, place: String) throws(FileError) {
    guard let mesh = description.nodes[node].mesh else { return }
    guard description.meshes.indices.contains(mesh) else {
      throw FileError(place: "nodes[\(node)].mesh", "names meshes[\(mesh)] of \(description.meshes.count)")
    }
    let targets = description.meshes[mesh].morphTargets
    guard targets == width else {
      throw FileError(place: place, "gives \(width) weights a key; meshes[\(mesh)] has \(targets) morph targets")
    }
  }

  /// Counts the numbers that a sampler keeps: many samplers may share the data of one accessor.
  private mutating func take(_ count: Int) throws(FileError) {
    guard count <= spare else { throw FileError("samplers make more than \(GLTFAccessors.valueLimit) numbers in all") }
    spare -= count
  }
}

extension GLTFAnimation.Path {
  /// The accessor type of the property's values.
  fileprivate var elementType: String {
    switch self {
    case .translation, .scale: "VEC3"
    case .rotation: "VEC4"
    case .weights: "SCALAR"
    }
  }

  /// The number of components of a value; for weights it follows from the data.
  fileprivate var width: Int {
    switch self {
    case .translation, .scale: 3
    case .rotation: 4
    case .weights: 1
    }
  }
}
