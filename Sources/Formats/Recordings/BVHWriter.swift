// SPDX-License-Identifier: MIT

extension Recording {
  /// The recording as a Biovision (BVH) file, which ``init(bvh:lenient:)`` reads back as the same recording.
  ///
  /// The values may be others than those that were read, such as those of springs that follow them. A joint without channels
  /// has no name here, so it gets one, and one at the end of a limb becomes an end site.
  /// - Throws: ``FileError`` for a recording without the skeleton and the names of a BVH file, without a rate, or with
  ///   values that are not finite.
  /// - Complexity: O(n) in the number of values; the text is held in memory.
  public func bvh() throws(FileError) -> [UInt8] {
    guard let skeleton, names.count == channels else { throw FileError("has no skeleton with names for its channels") }
    guard let rate = framesPerSecond, rate >= 1e-4, rate <= 1e4 else {
      throw FileError("has no rate of 1e-4 to 1e4 frames a second")
    }
    if let index = values.firstIndex(where: { !(abs($0) <= Float(Recording.valueLimit)) }) {
      throw FileError(
        place: "frame \(index / channels), \(names[index % channels])", "values must be finite and within ±1e15")
    }
    var text = "HIERARCHY\n"
    try BVHHierarchyWriter(skeleton: skeleton, names: names).write(to: &text)
    text += "MOTION\nFrames: \(frames)\nFrame Time: \(Recording.frameTime(rate))\n"
    for frame in 0..<frames {
      for channel in 0..<channels {
        if channel > 0 { text += " " }
        text += "\(value(frame: frame, channel: channel))"
      }
      text += "\n"
    }
    return Array(text.utf8)
  }

  /// The seconds of a frame from which the same rate is read.
  private static func frameTime(_ rate: Double) -> Double {
    let time = 1 / rate
    return [time, time.nextUp, time.nextDown].first { 1 / $0 == rate } ?? time
  }
}

/// Writes the joints of a skeleton, each within the one above it.
private struct BVHHierarchyWriter {
  private let skeleton: Skeleton
  /// The joints below each, and those below none.
  private var children: [[Int]]
  private var roots: [Int] = []
  /// The channels of each joint, in the order of the values: an index and a kind.
  private var channels: [[(index: Int, kind: String)]]
  private var jointNames: [String]

  init(skeleton: Skeleton, names: [String]) throws(FileError) {
    self.skeleton = skeleton
    let joints = skeleton.joints
    children = joints.map { _ in [] }
    channels = children.map { _ in [] }
    jointNames = joints.indices.map { "joint\($0)" }
    for (index, joint) in joints.enumerated() {
      if let parent = joint.parent { children[parent].append(index) } else { roots.append(index) }
      guard joint.matrix == nil, joint.rotation.allSatisfy({ $0.index < 0 }), joint.scale.allSatisfy({ $0.index < 0 })
      else {
        throw FileError(place: "joint \(index)", "is no joint of a BVH file: it has a quaternion, a scale or a matrix")
      }
      for (axis, source) in joint.translation.enumerated() where source.index >= 0 {
        channels[index].append((source.index, "\("XYZ".map(String.init)[axis])position"))
      }
      for turn in joint.turns { channels[index].append((turn.value, "\("XYZ".map(String.init)[turn.axis])rotation")) }
      channels[index].sort { $0.index < $1.index }
      if let first = channels[index].first, names.indices.contains(first.index) {
        // `Left.Leg.Xrotation`: the kind follows the last point.
        jointNames[index] = String(names[first.index].dropLast(first.kind.count + 1))
      }
    }
    // A file states the channels in the order of the joints.
    guard channels.joined().map(\.index) == Array(names.indices) else {
      throw FileError("its channels are not in the order of its joints")
    }
  }

  func write(to text: inout String) {
    // Joints in the order of the file, each followed by what closes it: a stack instead of recursion.
    var waiting: [(joint: Int?, depth: Int)] = roots.reversed().map { ($0, 0) }
    while let (joint, depth) = waiting.popLast() {
      let indent = String(repeating: "  ", count: depth)
      guard let joint else {
        text += "\(indent)}\n"
        continue
      }
      let isEnd = depth > 0 && children[joint].isEmpty && channels[joint].isEmpty
      text += "\(indent)\(isEnd ? "End Site" : "\(depth == 0 ? "ROOT" : "JOINT") \(jointNames[joint])")\n\(indent){\n"
      let offset = skeleton.joints[joint].translation.map { "\($0.constant)" }.joined(separator: " ")
      text += "\(indent)  OFFSET \(offset)\n"
      if !isEnd {
        let kinds = channels[joint].map { " \($0.kind)" }.joined()
        text += "\(indent)  CHANNELS \(channels[joint].count)\(kinds)\n"
      }
      waiting.append((nil, depth))
      for child in children[joint].reversed() { waiting.append((child, depth + 1)) }
    }
  }
}
