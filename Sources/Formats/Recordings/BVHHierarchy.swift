// SPDX-License-Identifier: MIT
import Text

/// The HIERARCHY section of a BVH file, read a line at a time for the names of its channels and for its skeleton.
///
/// Keywords count in capitals and small letters: programs write `End Site`, `END SITE` and `End`.
struct BVHHierarchy {
  private enum Expected: Equatable { case heading, root, brace, body }

  /// The deepest nesting of joints; real skeletons have about ten levels.
  private static let depthLimit = 64
  /// The most channels; real skeletons have some hundreds.
  private static let channelLimit = 1 << 16
  private static let channelKinds = [
    "Xposition", "Yposition", "Zposition", "Xrotation", "Yrotation", "Zrotation",
  ]

  /// The channels so far, in the order in which a frame holds them.
  private(set) var names: [String] = []
  /// Whether the line `MOTION` was read.
  private(set) var isComplete = false
  private var expected = Expected.heading
  /// The open joints; nil for an end site, which has an offset alone.
  private var joints: [String?] = []
  /// The joints and end sites so far, and the indices of the open ones.
  private(set) var skeleton = Skeleton(width: 0)
  private var open: [Int] = []
  private var pending: String?

  /// Reads the words of one line.
  mutating func read(_ words: [String]) throws(FileError) {
    guard let first = words.first else { return }
    let keyword = first.uppercased()
    // Some programs let the brace follow the name on its line.
    if words.count > 1, words.last == "{", ["ROOT", "JOINT", "END"].contains(keyword) {
      try read(words.dropLast())
      return try read(["{"])
    }
    switch expected {
    case .heading:
      guard words.count == 1, keyword == "HIERARCHY" else { throw FileError("expected HIERARCHY: not a BVH file") }
      expected = .root
    case .root:
      if keyword == "MOTION", words.count == 1 {
        isComplete = true
      } else {
        guard keyword == "ROOT" else { throw FileError("expected ROOT or MOTION") }
        try openJoint(words)
      }
    case .brace:
      guard words == ["{"] else { throw FileError("expected “{” on a line of its own") }
      joints.append(pending)
      var joint = Skeleton.Joint()
      joint.parent = open.last
      joint.isMoved = open.last.map { skeleton.joints[$0].isMoved } ?? false
      open.append(skeleton.joints.count)
      skeleton.joints.append(joint)
      guard joints.count <= Self.depthLimit else {
        throw FileError("joints are nested more than \(Self.depthLimit) deep")
      }
      expected = .body
    case .body: try readBody(keyword, words)
    }
  }

  private mutating func openJoint(_ words: [String]) throws(FileError) {
    guard words.count >= 2 else { throw FileError("\(words[0]) without a name") }
    pending = words.dropFirst().joined(separator: " ").printable
    expected = .brace
  }

  private mutating func readBody(_ keyword: String, _ words: [String]) throws(FileError) {
    switch keyword {
    case "OFFSET":
      let numbers = words.dropFirst().compactMap { ArraySlice($0.utf8).number }
      guard words.count == 4, numbers.count == 3, numbers.allSatisfy(\.isFinite) else {
        throw FileError("OFFSET needs three numbers")
      }
      for axis in 0..<3 { skeleton.joints[open[open.count - 1]].translation[axis].constant = Float(numbers[axis]) }
    case "CHANNELS": try readChannels(words)
    case "JOINT" where joints.last != .some(nil): try openJoint(words)
    // Some programs name their end sites, and others write `End` alone.
    case "END" where (words.count == 1 || words[1].uppercased() == "SITE") && joints.last != .some(nil):
      pending = nil
      expected = .brace
    case "}" where words.count == 1:
      joints.removeLast()
      open.removeLast()
      if joints.isEmpty { expected = .root }
    default: throw FileError("unexpected “\(words[0].printable)” in the hierarchy")
    }
  }

  private mutating func readChannels(_ words: [String]) throws(FileError) {
    guard case .some(.some(let joint)) = joints.last else { throw FileError("an end site has no channels") }
    let kinds = words.dropFirst(2)
    guard words.count >= 2, let count = Int(words[1]), count == kinds.count else {
      throw FileError("CHANNELS states another number of channels than it names")
    }
    guard names.count + count <= Self.channelLimit else {
      throw FileError("names more than \(Self.channelLimit) channels")
    }
    for word in kinds {
      guard let kind = Self.channelKinds.first(where: { $0.uppercased() == word.uppercased() }) else {
        throw FileError("unknown channel “\(word.printable)”")
      }
      addMove(kind)
      names.append("\(joint).\(kind)")
    }
  }

  /// Lets the next channel move the joint that is being read.
  private mutating func addMove(_ kind: String) {
    let axis = kind.hasPrefix("X") ? 0 : kind.hasPrefix("Y") ? 1 : 2
    let joint = open[open.count - 1]
    skeleton.joints[joint].isMoved = true
    if kind.hasSuffix("position") {
      skeleton.joints[joint].translation[axis].index = names.count
    } else {
      skeleton.joints[joint].turns.append((axis, names.count))
    }
    skeleton.width = names.count + 1
  }
}
