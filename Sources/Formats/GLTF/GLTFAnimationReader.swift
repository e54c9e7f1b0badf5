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
    var storage: GLTFTarget.Storage
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

  /// Animation `index` of the file. Channels without a node or a pointer, which only other extensions use, are left out.
  mutating func animation(_ index: Int) throws(FileError) -> GLTFAnimation {
    let source = description.animations[index]
    let name = source.name ?? ""
    var animation = GLTFAnimation(index: index, name: name.isEmpty ? "animations[\(index)]" : name, channels: [])
    guard !source.channels.isEmpty else {
      throw FileError(place: "\(animation.place).channels", "must not be empty")
    }
    // The targets, and the arrays of those that are elements.
    var (taken, arrays) = (Set<String>(), Set<String>())
    for (number, channel) in source.channels.enumerated() {
      let place = "\(animation.place).channels[\(number)]"
      guard let target = try target(of: channel, place: "\(place).target") else { continue }
      guard taken.insert(target.name).inserted, !arrays.contains(target.name), !taken.contains(target.array) else {
        throw FileError(place: "\(place).target", "an earlier channel moves \(target.name.printable)")
      }
      if !target.array.isEmpty { arrays.insert(target.array) }
      guard source.samplers.indices.contains(channel.sampler) else {
        throw FileError(place: "\(place).sampler", "names samplers[\(channel.sampler)] of \(source.samplers.count)")
      }
      let samplerPlace = "\(animation.place).samplers[\(channel.sampler)]"
      let sampler = try sampler(source.samplers[channel.sampler], of: target, place: samplerPlace)
      if target.path == .weights {
        try checkWeights(of: target.node, width: sampler.width, place: "\(samplerPlace).output")
      }
      guard sampler.width == target.count ?? sampler.width else {
        let count = target.count ?? 0
        throw FileError(place: "\(samplerPlace).output", "gives \(sampler.width) numbers a key, must give \(count)")
      }
      var moved = GLTFAnimation.Channel(index: number, node: target.node, path: target.path, sampler: sampler)
      moved.pointer = target.pointer
      if target.node >= 0 {
        let name = description.nodes[target.node].name ?? ""
        moved.nodeName = name.isEmpty ? "nodes[\(target.node)]" : name
      }
      animation.channels.append(moved)
    }
    return animation
  }

  /// The property that a channel moves; nil if it is one of an extension that is not read.
  private func target(
    of channel: GLTFAnimationDescription.Channel, place: String
  ) throws(FileError) -> GLTFTarget? {
    if let pointer = channel.pointer {
      guard channel.node == nil else { throw FileError(place: "\(place).node", "must not stand beside a pointer") }
      do { return try GLTFTarget.target(of: pointer, in: description) } catch {
        throw error.within("\(place).extensions.KHR_animation_pointer.pointer")
      }
    }
    guard let node = channel.node else { return nil }
    let known = GLTFAnimation.Path.allCases.filter { $0 != .pointer }
    guard let path = known.first(where: { $0.rawValue == channel.path }) else {
      throw FileError(
        place: "\(place).path", DescriptionError.unknown("path", channel.path, known: known.map(\.rawValue)))
    }
    guard description.nodes.indices.contains(node) else {
      throw FileError(place: "\(place).node", "names nodes[\(node)] of \(description.nodes.count)")
    }
    return GLTFTarget(node: node, path)
  }

  private mutating func sampler(
    _ source: GLTFAnimationDescription.Sampler, of target: GLTFTarget, place: String
  ) throws(FileError) -> GLTFAnimation.Sampler {
    guard let interpolation = GLTFAnimation.Interpolation(rawValue: source.interpolation) else {
      let known = GLTFAnimation.Interpolation.allCases.map(\.rawValue)
      throw FileError(
        place: "\(place).interpolation", DescriptionError.unknown("interpolation", source.interpolation, known: known))
    }
    guard !target.storage.isBool || interpolation == .step else {
      throw FileError(place: "\(place).interpolation", "must be STEP for a bool, is \(interpolation.rawValue)")
    }
    let key = SamplerKey(
      input: source.input, output: source.output, interpolation: interpolation, path: target.path,
      storage: target.storage)
    if let sampler = samplers[key] { return sampler }

    let times: [Double]
    do { times = try readTimes(source.input) } catch { throw error.within("\(place).input") }
    var sampler = GLTFAnimation.Sampler(interpolation: interpolation, times: times, width: 0, values: [])
    do {
      try readValues(source.output, of: target, into: &sampler)
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
    _ index: Int, of target: GLTFTarget, into sampler: inout GLTFAnimation.Sampler
  ) throws(FileError) {
    let accessor = try accessors.description(index)
    let (type, what) = (target.storage.type, target.node < 0 ? target.pointer.printable : target.path.rawValue)
    guard accessor.type == type else {
      throw FileError(
        place: "accessors[\(index)].type", "must be \(type) for \(what), is \(accessor.type.printable)")
    }
    try checkStorage(accessor, of: target, index: index)
    let elements = sampler.times.count * (sampler.interpolation == .cubicSpline ? 3 : 1)
    // A key has one number for each morph target.
    let isArray = target.storage.isArray
    let width = isArray ? accessor.count / elements : target.storage.width
    guard accessor.count == (isArray ? elements * width : elements), width > 0 else {
      let expected = isArray ? "a multiple of \(elements)" : "\(elements)"
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
    if target.storage.isBool { sampler.values = sampler.values.map { $0 == 0 ? 0 : 1 } }
    if target.path == .rotation { try normalize(&sampler) }
  }

  private func checkStorage(
    _ accessor: GLTFAccessorDescription, of target: GLTFTarget, index: Int
  ) throws(FileError) {
    let (place, path) = ("accessors[\(index)].componentType", target.path)
    let type = GLTFComponentType(rawValue: accessor.componentType)
    guard !target.storage.isBool else {
      guard type == .unsignedByte else {
        throw FileError(place: place, "must be UNSIGNED_BYTE (5121) for a bool, is \(accessor.componentType)")
      }
      return
    }
    switch type {
    case .float: return
    case .some where target.storage.takesIntegers: return
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
