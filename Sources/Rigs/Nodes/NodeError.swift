// SPDX-License-Identifier: MIT

/// Why a hierarchy, or the computation of its matrices, is refused; nothing has been written when it is thrown.
public enum NodeError: Error, Equatable, Sendable, CustomStringConvertible {
  /// There are more nodes or joints than ``NodeHierarchy/maximumCount``.
  case tooMany(String, Int)
  /// The parent of a node is no node.
  case noParent(node: Int, parent: Int, count: Int)
  /// A node stands below itself.
  case cycle(node: Int)
  /// A number of a node at rest is not finite, or beyond ``/Murmuration/BatchLimits/maximumMagnitude``.
  case invalidNumber(node: Int, value: Float)
  /// The quaternion of a node at rest is 0, which is no rotation.
  case noRotation(node: Int)
  /// A matrix has other than sixteen elements, or a last row other than 0, 0, 0, 1.
  case notAffine(String, index: Int)
  /// A channel moves a property of a node that has a matrix in place of properties.
  case matrixIsMoved(node: Int)
  /// Two channels move the same property of a node.
  case movedTwice(node: Int, NodeProperty)
  /// A channel names no node, or a skin does.
  case noNode(of: String, index: Int, node: Int, count: Int)
  /// The dimensions of a channel are not within those of a pose.
  case noDimension(channel: Int, dimensions: Range<Int>, count: Int)
  /// An inverse bind matrix has a number that is not finite, or beyond ``/Murmuration/BatchLimits/maximumMagnitude``.
  case invalidInverseBind(joint: Int, value: Float)
  /// A buffer, a stride, a track or an instruction set is refused.
  case matrices(MatrixError)

  /// The reason in words, with the offending value.
  public var description: String {
    switch self {
    case .tooMany(let what, let count):
      "there must be at most \(NodeHierarchy.maximumCount) \(what), there are \(count)"
    case .noParent(let node, let parent, let count):
      "the parent of node \(node) must be within 0..<\(count), is \(parent)"
    case .cycle(let node): "node \(node) stands below itself"
    case .invalidNumber(let node, let value):
      "the numbers of node \(node) must be finite and within ±1e15, one is \(value)"
    case .noRotation(let node): "the quaternion of node \(node) is 0, which is no rotation"
    case .notAffine(let what, let index):
      "\(what) \(index) must have 16 numbers, of which the 4th, 8th and 12th are 0 and the 16th is 1"
    case .matrixIsMoved(let node): "node \(node) has a matrix, so no channel can move its properties"
    case .movedTwice(let node, let property): "two channels move the \(property.rawValue) of node \(node)"
    case .noNode(let what, let index, let node, let count):
      "\(what) \(index) names node \(node), which must be within 0..<\(count)"
    case .noDimension(let channel, let dimensions, let count):
      "channel \(channel) takes the dimensions \(dimensions), which must be within 0..<\(count)"
    case .invalidInverseBind(let joint, let value):
      "the inverse bind matrix of joint \(joint) must be finite and within ±1e15, one number is \(value)"
    case .matrices(let error): "\(error)"
    }
  }
}
