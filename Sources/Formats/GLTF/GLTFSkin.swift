// SPDX-License-Identifier: MIT
import Murmuration
import Rigs
import Text

/// A skin as a file describes it.
struct GLTFSkinDescription: Decodable {
  var joints: [Int]
  var inverseBindMatrices: Int?

  private enum Key: String, CodingKey, CaseIterable { case joints, inverseBindMatrices }

  init(from decoder: any Decoder) throws {
    let fields = try StrictFields(peekingAt: decoder, keys: Key.self)
    joints = try fields.value(.joints)
    inverseBindMatrices =
      fields.has(.inverseBindMatrices)
      ? try fields.integer(.inverseBindMatrices, in: 0...GLTFDescription.countLimit) : nil
  }
}

/// Makes skins from a file's descriptions of them and from its data.
struct GLTFSkinReader {
  let nodeCount: Int
  var accessors: GLTFAccessors

  /// How far the last row of a matrix may be from 0, 0, 0, 1: some exporters round it.
  static let edgeTolerance: Float = 0x1p-10

  /// A skin with its matrices.
  ///
  /// - Parameter place: The place of the skin in the file, for errors.
  mutating func skin(_ source: GLTFSkinDescription, place: String) throws(FileError) -> NodeSkin {
    guard !source.joints.isEmpty else { throw FileError(place: "\(place).joints", "must not be empty") }
    for (number, joint) in source.joints.enumerated() {
      guard 0..<nodeCount ~= joint else {
        throw FileError(place: "\(place).joints[\(number)]", "names nodes[\(joint)] of \(nodeCount)")
      }
    }
    guard let index = source.inverseBindMatrices else { return NodeSkin(joints: source.joints) }
    do throws(FileError) {
      let accessor = try accessors.description(index)
      guard accessor.type == "MAT4", accessor.componentType == GLTFComponentType.float.rawValue else {
        throw FileError(
          place: "accessors[\(index)]",
          "must be MAT4 of FLOAT (5126) here, is \(accessor.type.printable) of \(accessor.componentType)")
      }
      guard accessor.count >= source.joints.count else {
        throw FileError(
          place: "accessors[\(index)].count", "\(source.joints.count) joints have \(accessor.count) matrices")
      }
      var numbers = try accessors.values(index).prefix(16 * source.joints.count).map { Float($0) }
      for joint in source.joints.indices {
        guard GLTFSkinReader.straighten(&numbers, at: 16 * joint) else {
          throw FileError(
            place: "accessors[\(index)], element \(joint)",
            "must be finite and within ±1e15, with the last row 0, 0, 0, 1")
        }
      }
      return NodeSkin(joints: source.joints, inverseBindMatrices: numbers)
    } catch {
      throw error.within("\(place).inverseBindMatrices")
    }
  }

  /// Makes the last row of a matrix 0, 0, 0, 1 where it is close to that; false where it is not, or where a number is
  /// not finite or too large.
  static func straighten(_ numbers: inout [Float], at first: Int) -> Bool {
    for index in 0..<16 where !(abs(numbers[first + index]) <= Float(Recording.valueLimit)) { return false }
    for index in [3, 7, 11, 15] {
      let exact: Float = index == 15 ? 1 : 0
      guard abs(numbers[first + index] - exact) <= edgeTolerance else { return false }
      numbers[first + index] = exact
    }
    return true
  }
}
