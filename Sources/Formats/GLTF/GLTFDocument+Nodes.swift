// SPDX-License-Identifier: MIT
public import Rigs

extension GLTFDocument {
  /// The number of skins in the file.
  public var skinCount: Int { skins.count }

  /// A skin: its joints, which are indices of nodes, and their inverse bind matrices.
  ///
  /// - Parameter index: The index of the skin in the file.
  /// - Throws: `FileError` with the place in the file and the reason: for a skin that the file lacks, a joint that is no
  ///   node, matrices that are missing, not MAT4 of FLOAT, not finite, or not affine to 2⁻¹⁰.
  public func skin(_ index: Int = 0) throws(FileError) -> NodeSkin {
    guard skins.indices.contains(index) else { throw FileError("has \(skins.count) skins, and no skins[\(index)]") }
    return try skins[index].get()
  }

  /// The nodes of the file with their transforms at rest, in the file's order.
  ///
  /// A node of a file has a matrix, or translation, rotation and scale; those that it lacks, or that have a wrong number
  /// of elements, are those of a node that does not move.
  ///
  /// - Throws: `FileError` with the place in the file and the reason: for a child that is no node, that several nodes
  ///   claim or that stands above itself, and for numbers that ``/Rigs/NodeHierarchy`` refuses.
  /// - Complexity: O(nodes).
  public func hierarchy() throws(FileError) -> NodeHierarchy {
    var parents = [Int?](repeating: nil, count: nodes.count)
    for (index, node) in nodes.enumerated() {
      for child in node.children {
        let place = "nodes[\(index)].children"
        guard nodes.indices.contains(child) else {
          throw FileError(place: place, "names nodes[\(child)] of \(nodes.count)")
        }
        if let other = parents[child] {
          throw FileError(place: place, "claims nodes[\(child)], which stands below nodes[\(other)]")
        }
        parents[child] = index
      }
    }
    var result: [NodeHierarchy.Node] = []
    for (index, node) in nodes.enumerated() { result.append(try Self.node(node, index, below: parents[index])) }
    do throws(NodeError) {
      return try NodeHierarchy(result)
    } catch {
      if case .cycle(let node) = error { throw FileError(place: "nodes[\(node)]", "stands below itself") }
      throw FileError(place: "nodes", "\(error)")
    }
  }

  private static func node(
    _ node: GLTFNodeDescription, _ index: Int, below parent: Int?
  ) throws(FileError) -> NodeHierarchy.Node {
    if var matrix = node.matrix?.map({ Float($0) }) {
      guard GLTFSkinReader.straighten(&matrix, at: 0) else {
        throw FileError(
          place: "nodes[\(index)].matrix", "must be finite and within ±1e15, with the last row 0, 0, 0, 1")
      }
      return NodeHierarchy.Node(parent: parent, matrix: matrix)
    }
    func numbers(_ given: [Double]?, _ rest: [Float]) -> [Float] { given?.map { Float($0) } ?? rest }
    let (t, r) = (numbers(node.translation, [0, 0, 0]), numbers(node.rotation, [0, 0, 0, 1]))
    let s = numbers(node.scale, [1, 1, 1])
    return NodeHierarchy.Node(
      parent: parent, translation: [t[0], t[1], t[2]], rotation: [r[0], r[1], r[2], r[3]], scale: [s[0], s[1], s[2]])
  }
}

extension GLTFAnimation {
  /// The dimensions of the animation's clip that move nodes: a channel for each translation, rotation and scale.
  ///
  /// The clip has ``components`` dimensions, those of the weights of morph targets among them.
  public var nodeChannels: [NodeChannel] {
    var (result, dimension): ([NodeChannel], Int) = ([], 0)
    for channel in channels {
      if let property = NodeProperty(rawValue: channel.path.rawValue) {
        result.append(NodeChannel(node: channel.node, property: property, dimension: dimension))
      }
      dimension += channel.sampler.width
    }
    return result
  }
}
