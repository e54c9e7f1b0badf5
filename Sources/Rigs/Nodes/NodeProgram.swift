// SPDX-License-Identifier: MIT
import Kernels
import Murmuration

/// A hierarchy as steps for the kernel: depth first, so that the block of a node is free again after the nodes below.
///
/// What is computed from columns and what is constant follows from the channels alone, never from values. So every
/// instance takes the same operations in the same order.
struct NodeProgram {
  var steps: [NodeStep] = []
  var outputs: [NodeOutput] = []
  var numbers: [Float] = []
  /// The matrices of fixed nodes, twelve numbers each, and their blocks.
  var fixed: [(block: Int, numbers: [Float])] = []
  /// The number of blocks; in the last one, matrices wait to be turned.
  var blockCount = 0
  /// The number of values of a pose.
  let dimensions: Int
  /// The number of matrices of an instance.
  let matrixCount: Int

  /// The steps that lead to matrices of an instance.
  ///
  /// - Parameters:
  ///   - channels: Checked channels.
  ///   - poseDimensions: The number of values of a pose.
  ///   - nodes: The node of each matrix.
  ///   - factors: A checked matrix of sixteen elements for each matrix; nil for world matrices.
  init(
    _ hierarchy: NodeHierarchy, _ channels: [NodeChannel], poseDimensions: Int, nodes: [Int], factors: [Float]?
  ) {
    (self.dimensions, matrixCount) = (poseDimensions, nodes.count)
    let count = hierarchy.nodes.count
    var dimensions = [[NodeProperty: Int32]](repeating: [:], count: count)
    for channel in channels { dimensions[channel.node][channel.property] = Int32(channel.dimension) }
    // A node is needed if a matrix or a node below needs it.
    var matrices = [[Int]](repeating: [], count: count)
    for (index, node) in nodes.enumerated() { matrices[node].append(index) }
    var isNeeded = matrices.map { !$0.isEmpty }
    var isParent = [Bool](repeating: false, count: count)
    for node in hierarchy.order.reversed() where isNeeded[node] {
      if let parent = hierarchy.nodes[node].parent { (isNeeded[parent], isParent[parent]) = (true, true) }
    }
    var worlds = [AffineMap?](repeating: nil, count: count)
    var blocks = [Int](repeating: 0, count: count)
    let movingBlocks = (hierarchy.depths.max() ?? 0) + 1
    for index in hierarchy.order where isNeeded[index] {
      let node = hierarchy.nodes[index]
      let (local, isStill) = (AffineMap(node), dimensions[index].isEmpty)
      let above = node.parent.flatMap { worlds[$0] }
      if isStill, node.parent == nil || above != nil {
        // The world matrix of a node that nothing moves is computed here, in Double.
        let world = above?.applied(to: local) ?? local
        worlds[index] = world
        blocks[index] = movingBlocks + fixed.count
        fixed.append((blocks[index], world.numbers.map { Float($0) }))
      } else {
        blocks[index] = hierarchy.depths[index]
      }
      let firstOutput = outputs.count
      for matrix in matrices[index] {
        outputs.append(NodeOutput(index: Int32(matrix), factor: factors == nil ? -1 : Int32(numbers.count)))
        if let factors {
          numbers += AffineMap(matrix: factors[16 * matrix..<16 * matrix + 16]).numbers.map { Float($0) }
        }
      }
      let moved = dimensions[index]
      let isScaled = moved[.rotation] != nil && moved[.scale] == nil && node.scale != [1, 1, 1]
      steps.append(
        NodeStep(
          parent: node.parent.map { Int32(blocks[$0]) } ?? -1, block: Int32(blocks[index]),
          translation: moved[.translation] ?? -1, rotation: moved[.rotation] ?? -1, scale: moved[.scale] ?? -1,
          constants: Int32(numbers.count), outputs: Int32(firstOutput)..<Int32(outputs.count),
          isFixed: worlds[index] != nil,
          isStored: isParent[index] || matrices[index].count > 1, isScaled: isScaled))
      // If the scale comes from columns, the constant part is the rotation alone.
      let unscaled = NodeHierarchy.Node(translation: node.translation, rotation: node.rotation)
      let linear = moved[.scale] == nil ? local : AffineMap(unscaled)
      numbers += linear.numbers.map { Float($0) } + [node.scale.x, node.scale.y, node.scale.z]
    }
    blockCount = movingBlocks + fixed.count + 1
  }
}

// MARK: - Memory

extension NodeProgram {
  /// Floats of one part: blocks, and the poses and matrices of one tile.
  var partCount: Int { NodeTiles.blockCount * (blockCount + matrixCount) + laneCountOfTile * dimensions }

  /// Memory for a number of parts, with the matrices of fixed nodes; nil if there is none.
  func scratch(parts: Int) -> FloatBuffer? {
    guard MemoryBlock.hasRoom(forBytes: 4 * parts * partCount) else { return nil }
    let buffer = FloatBuffer(count: parts * partCount)
    for part in 0..<parts {
      let blocks = buffer.start + part * partCount
      for block in 0..<blockCount {
        let corner = blocks + block * NodeTiles.blockCount + 15 * laneCountOfTile
        corner.update(repeating: 1, count: laneCountOfTile)
      }
      for (block, numbers) in fixed {
        for (index, number) in numbers.enumerated() {
          let row = blocks + block * NodeTiles.blockCount + (index + index / 3) * laneCountOfTile
          row.update(repeating: number, count: laneCountOfTile)
        }
      }
    }
    return buffer
  }
}
