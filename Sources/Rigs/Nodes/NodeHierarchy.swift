// SPDX-License-Identifier: MIT
import Murmuration

/// A property of a node that a pose can move.
public enum NodeProperty: String, Sendable, CaseIterable {
  /// x, y and z.
  case translation
  /// A quaternion: x, y, z, w.
  case rotation
  /// Factors along the axes, before the rotation.
  case scale

  /// The number of values: 4 for a rotation, otherwise 3.
  public var dimensions: Int { self == .rotation ? 4 : 3 }
}

/// A tree, or several, of nodes with their transforms at rest: a rig.
///
/// The local transform of a node is translation · rotation · scale, or a matrix. Its world matrix is that of its parent
/// times its local transform. Vectors are columns, and matrices have their elements column after column, as in glTF.
public struct NodeHierarchy: Sendable, Equatable {
  /// One node.
  public struct Node: Sendable, Equatable {
    /// The index of the node above, which may come later; nil for a root.
    public var parent: Int?
    /// The translation at rest.
    public var translation: SIMD3<Float>
    /// The rotation at rest, a quaternion x, y, z, w of any length but 0.
    public var rotation: SIMD4<Float>
    /// The scale at rest.
    public var scale: SIMD3<Float>
    /// A matrix that stands in place of the three properties: 16 numbers, column after column.
    public var matrix: [Float]?

    /// A node with properties that channels can move.
    public init(
      parent: Int? = nil, translation: SIMD3<Float> = .zero, rotation: SIMD4<Float> = [0, 0, 0, 1],
      scale: SIMD3<Float> = [1, 1, 1]
    ) {
      (self.parent, self.translation, self.rotation, self.scale) = (parent, translation, rotation, scale)
    }

    /// A node that nothing moves against its parent.
    ///
    /// - Parameters:
    ///   - parent: The index of the node above, or `nil` for a root.
    ///   - matrix: 16 numbers, column after column; the last row is 0, 0, 0, 1.
    public init(parent: Int? = nil, matrix: [Float]) {
      self.init(parent: parent)
      self.matrix = matrix
    }
  }

  /// The largest number of nodes, and of joints of a skin.
  public static let maximumCount = 1 << 14

  /// The nodes in the order in which they were given.
  public let nodes: [Node]
  /// The indices of the nodes, depth first: each comes after its parent, and before the next node beside it.
  let order: [Int]
  /// The number of nodes above each node.
  let depths: [Int]

  /// A hierarchy of nodes in any order.
  ///
  /// - Throws: ``NodeError`` for more than ``maximumCount`` nodes, a parent that is no node, a cycle, a number that is not
  ///   finite or beyond ±10¹⁵, a quaternion that is 0, or a matrix that is not affine.
  /// - Complexity: O(nodes).
  public init(_ nodes: [Node]) throws(NodeError) {
    guard nodes.count <= Self.maximumCount else { throw .tooMany("nodes", nodes.count) }
    for (index, node) in nodes.enumerated() { try Self.check(node, index, count: nodes.count) }
    var children = [[Int]](repeating: [], count: nodes.count)
    for index in nodes.indices.reversed() {
      if let parent = nodes[index].parent { children[parent].append(index) }
    }
    // A stack in place of recursion: a chain may be long.
    var waiting = Array(nodes.indices.reversed().filter { nodes[$0].parent == nil })
    var order: [Int] = []
    var depths = [Int](repeating: -1, count: nodes.count)
    while let index = waiting.popLast() {
      order.append(index)
      depths[index] = nodes[index].parent.map { depths[$0] + 1 } ?? 0
      waiting += children[index].reversed()
    }
    if var node = depths.firstIndex(of: -1) {
      // The way up from a node without a root ends in a cycle.
      for _ in nodes.indices { node = nodes[node].parent ?? node }
      throw .cycle(node: node)
    }
    (self.nodes, self.order, self.depths) = (nodes, order, depths)
  }

  private static func check(_ node: Node, _ index: Int, count: Int) throws(NodeError) {
    if let parent = node.parent, !(0..<count ~= parent) {
      throw .noParent(node: index, parent: parent, count: count)
    }
    let (t, r, s) = (node.translation, node.rotation, node.scale)
    for value in node.matrix ?? [t.x, t.y, t.z, r.x, r.y, r.z, r.w, s.x, s.y, s.z] {
      guard abs(value) <= BatchLimits.maximumMagnitude else { throw .invalidNumber(node: index, value: value) }
    }
    if let matrix = node.matrix {
      guard Self.isAffine(matrix) else { throw .notAffine("the matrix of node", index: index) }
    } else if r == .zero {
      throw .noRotation(node: index)
    }
  }

  /// Whether a matrix has sixteen elements and the last row 0, 0, 0, 1.
  static func isAffine(_ matrix: [Float]) -> Bool {
    matrix.count == 16 && matrix[3] == 0 && matrix[7] == 0 && matrix[11] == 0 && matrix[15] == 1
  }
}

/// The dimensions of a pose that move a property of a node: its first dimension and those that follow.
public struct NodeChannel: Sendable, Equatable {
  /// The index of the node.
  public var node: Int
  /// The property that moves.
  public var property: NodeProperty
  /// The dimension of a pose that holds the first value of the property.
  public var dimension: Int

  /// A channel from a dimension of a pose on.
  public init(node: Int, property: NodeProperty, dimension: Int) {
    (self.node, self.property, self.dimension) = (node, property, dimension)
  }
}

/// The joints that move the vertices of a mesh, each with its inverse bind matrix.
///
/// The joint matrix, by which a vertex of the mesh is multiplied for its place in the world, is the world matrix of
/// the joint times its inverse bind matrix. The node of the mesh does not count, as glTF says.
public struct NodeSkin: Sendable, Equatable {
  /// The nodes that are joints, in the order of the mesh's joint indices.
  public var joints: [Int]
  /// The matrix of each joint, 16 numbers after 16, each column after column; nil for unit matrices.
  public var inverseBindMatrices: [Float]?

  /// Joints with their inverse bind matrices.
  public init(joints: [Int], inverseBindMatrices: [Float]? = nil) {
    (self.joints, self.inverseBindMatrices) = (joints, inverseBindMatrices)
  }
}

/// An affine map in Double, for what is computed once.
struct AffineMap {
  /// The linear part, column after column, and the image of the origin.
  var numbers: [Double]

  /// The local transform of a node.
  init(_ node: NodeHierarchy.Node) {
    if let matrix = node.matrix {
      numbers = AffineMap(matrix: matrix).numbers
      return
    }
    let (q, s) = (node.rotation, node.scale)
    let (x, y, z, w) = (Double(q.x), Double(q.y), Double(q.z), Double(q.w))
    let f = 2 / (x * x + y * y + z * z + w * w)
    let (a, b, c) = (Double(s.x), Double(s.y), Double(s.z))
    numbers = [
      a * (1 - f * (y * y + z * z)), a * f * (x * y + w * z), a * f * (x * z - w * y),
      b * f * (x * y - w * z), b * (1 - f * (x * x + z * z)), b * f * (y * z + w * x),
      c * f * (x * z + w * y), c * f * (y * z - w * x), c * (1 - f * (x * x + y * y)),
      Double(node.translation.x), Double(node.translation.y), Double(node.translation.z),
    ]
  }

  /// A matrix of sixteen elements, column after column, without its last row.
  init(matrix: some Collection<Float>) {
    numbers = matrix.enumerated().compactMap { $0 % 4 == 3 ? nil : Double($1) }
  }

  /// First `inner`, then this map.
  func applied(to inner: AffineMap) -> AffineMap {
    var result = inner
    for column in 0..<4 {
      for row in 0..<3 {
        result.numbers[3 * column + row] =
          (0..<3).reduce(column == 3 ? numbers[9 + row] : 0) {
            $0 + numbers[3 * $1 + row] * inner.numbers[3 * column + $1]
          }
      }
    }
    return result
  }
}

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
