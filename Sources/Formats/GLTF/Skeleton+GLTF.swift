// SPDX-License-Identifier: MIT

extension Skeleton {
  /// The nodes of a file as a skeleton. `column` returns the index of the value that moves a component of a node, or nil
  /// if nothing moves it.
  ///
  /// Nodes that are not below a root, or that several nodes claim, stand below the first that claims them, or are left
  /// out.
  package init(
    _ nodes: [GLTFNodeDescription], width: Int,
    column: (_ node: Int, _ path: GLTFAnimation.Path, _ component: Int) -> Int?
  ) {
    self.init(width: width)
    var isChild = Array(repeating: false, count: nodes.count)
    for node in nodes {
      for child in node.children where nodes.indices.contains(child) { isChild[child] = true }
    }
    var isPlaced = isChild.map { _ in false }
    // A stack instead of recursion: a hostile file may be deep.
    var waiting = nodes.indices.reversed().filter { !isChild[$0] }.map { (node: $0, parent: Int?.none) }
    while let (index, parent) = waiting.popLast() {
      guard !isPlaced[index] else { continue }
      isPlaced[index] = true
      let joint = Skeleton.joint(nodes[index], above: parent.map { joints[$0] }) { column(index, $0, $1) }
      for child in nodes[index].children.reversed() where nodes.indices.contains(child) && !isPlaced[child] {
        waiting.append((child, joints.count))
      }
      joints.append(joint)
      joints[joints.count - 1].parent = parent
    }
  }

  private static func joint(
    _ node: GLTFNodeDescription, above: Skeleton.Joint?, column: (GLTFAnimation.Path, Int) -> Int?
  ) -> Skeleton.Joint {
    var joint = Skeleton.Joint()
    joint.isMoved = above?.isMoved ?? false
    func fill(_ sources: inout [Skeleton.Source], _ rest: [Double]?, _ path: GLTFAnimation.Path) {
      for component in sources.indices {
        if let rest { sources[component].constant = Float(rest[component]) }
        if let index = column(path, component) { (sources[component].index, joint.isMoved) = (index, true) }
      }
    }
    var (translation, rotation, scale) = (joint.translation, joint.rotation, joint.scale)
    fill(&translation, node.translation, .translation)
    fill(&rotation, node.rotation, .rotation)
    fill(&scale, node.scale, .scale)
    (joint.translation, joint.rotation, joint.scale) = (translation, rotation, scale)
    let moves = [translation, rotation, scale].contains { $0.contains { $0.index >= 0 } }
    if let m = node.matrix?.map({ Float($0) }), !moves {
      joint.matrix = Transform(
        x: [m[0], m[1], m[2]], y: [m[4], m[5], m[6]], z: [m[8], m[9], m[10]], origin: [m[12], m[13], m[14]])
    }
    return joint
  }
}
