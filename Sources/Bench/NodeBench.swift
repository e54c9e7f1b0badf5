// SPDX-License-Identifier: MIT
import CYardsticks
import Kernels
import Murmuration
import Rigs

/// The world and joint matrices of a crowd beside their bare traffic and their bare arithmetic, by turns.
///
/// The rig has the joints and the moving properties of Khronos' fox: 24 joints, of which 20 turn and one is also
/// translated.
final class NodeBench {
  private static let parents = [
    -1, 0, 1, 2, 3, 4, 5, 4, 7, 8, 4, 10, 11, 2, 13, 14, 2, 16, 17, 18, 2, 20, 21, 22,
  ]
  /// The joints that do not turn: the two at the root, and the tips of the hind feet.
  private static let still = [0, 1, 19, 23]
  private static let dimensions = 83

  private let instances: Int
  private let stride: Int
  private let poses: UnsafeMutableBufferPointer<Float>
  private let result: UnsafeMutableBufferPointer<Float>

  /// One computation, which a closure shares.
  private final class Box {
    var matrices: NodeMatrices
    init(_ matrices: consuming NodeMatrices) { self.matrices = matrices }
  }

  init(instances: Int) {
    self.instances = instances
    // Whole lines, and an odd number of them.
    stride = (instances + 31) / 32 * 32 + 16
    poses = Self.floats(Self.dimensions * stride)
    result = Self.floats(Self.parents.count * 16 * stride)
    var random = SplitMix64(seed: 18)
    for place in poses.indices { poses[place] = Float(random.uniform(-1...1)) }
    for place in result.indices { result[place] = 0 }
  }

  deinit {
    poses.deallocate()
    result.deallocate()
  }

  private static func floats(_ count: Int) -> UnsafeMutableBufferPointer<Float> {
    UnsafeMutableRawBufferPointer.allocate(byteCount: 4 * count, alignment: 1 << 21).bindMemory(to: Float.self)
  }

  /// What is computed: the order of the elements, and whether each matrix is multiplied by an inverse bind matrix.
  private static let ways: [(name: String, layout: NodeMatrices.Layout, isSkin: Bool)] = [
    ("nodes.world", .matrices, false), ("nodes.world.planar", .planar, false), ("nodes.joints", .matrices, true),
  ]

  func measure(rounds: Int, sets: [KernelSet]) throws -> [NodeResult] {
    var comparison = Comparison<any Error>()
    for way in Self.ways {
      for set in sets {
        let box = try Box(Self.matrices(way.layout, isSkin: way.isSkin, set))
        let (poses, result, instances, stride) = (poses, result, instances, stride)
        comparison.add("\(way.name)|\(set.rawValue)") {
          let columns = UnsafeBufferPointer(poses).span
          var output = result.mutableSpan
          let outputStride = way.layout == .planar ? stride : nil
          try box.matrices.compute(
            columns, instances: instances, columnStride: stride, into: &output, stride: outputStride)
        }
      }
      addSpreads(way.name, way.layout, to: &comparison)
    }
    addMultiplyAdds(to: &comparison)
    try comparison.run(rounds: rounds, turn: 5e6)
    // A figure counts only if there was something to compute.
    guard result.contains(where: { $0 != 0 }), !result.contains(where: \.isNaN) else {
      throw BenchError.disagreement(index: 0, kernel: 0, scalar: 0)
    }
    return results(of: comparison)
  }

  private static func matrices(
    _ layout: NodeMatrices.Layout, isSkin: Bool, _ set: KernelSet
  ) throws -> NodeMatrices {
    let nodes = parents.enumerated().map { index, parent in
      NodeHierarchy.Node(parent: parent < 0 ? nil : parent, translation: [Float(index % 5), 1, 0.5])
    }
    var channels: [NodeChannel] = []
    var dimension = 0
    for joint in parents.indices where !still.contains(joint) {
      if joint == 2 {
        channels.append(NodeChannel(node: joint, property: .translation, dimension: dimension))
        dimension += 3
      }
      channels.append(NodeChannel(node: joint, property: .rotation, dimension: dimension))
      dimension += 4
    }
    let inverse = parents.indices.flatMap { joint -> [Float] in
      [1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, Float(joint), -2, 3, 1]
    }
    let skin = NodeSkin(joints: Array(parents.indices), inverseBindMatrices: inverse)
    return try NodeMatrices(
      NodeHierarchy(nodes), channels: channels, dimensions: dimensions, skin: isSkin ? skin : nil, layout: layout,
      kernels: set)
  }

  // MARK: - Yardsticks

  private static let fused = "yardstick.fused"
  /// Multiply-adds of one measurement of them.
  private static let fusedCount = 1_200_000

  private static func floatsWritten(_ layout: NodeMatrices.Layout) -> Int {
    parents.count * (layout == .planar ? 12 : 16)
  }

  private func addSpreads(
    _ name: String, _ layout: NodeMatrices.Layout, to comparison: inout Comparison<any Error>
  ) {
    var index = 0
    while let spread = yardstick_spread_at(index) {
      let (reads, writes) = (Self.dimensions * instances, Self.floatsWritten(layout) * instances)
      let way = String(cString: yardstick_spread_name(index))
      comparison.add("yardstick.spread|\(name)|\(way)") { [self] in
        spread(result.baseAddress, poses.baseAddress, reads, writes)
      }
      index += 1
    }
  }

  private func addMultiplyAdds(to comparison: inout Comparison<any Error>) {
    var index = 0
    while let compute = yardstick_fused_at(index) {
      comparison.add("\(Self.fused)|\(String(cString: yardstick_fused_name(index)))") { [self] in
        // The result is used, so that it is computed.
        if compute(Self.fusedCount, 0.5).isNaN { result[0] = 0 }
      }
      index += 1
    }
  }

  /// Operations on lanes, each of which takes the place of a multiply-add: 27 for a rotation, of which one is a division,
  /// and 36 for a product of two matrices.
  private static func operations(isSkin: Bool) -> Int {
    (parents.count - still.count) * 27 + (parents.count - 2 + (isSkin ? parents.count : 0)) * 36
  }

  // MARK: - Rows

  private func results(of comparison: Comparison<any Error>) -> [NodeResult] {
    let best = { (prefix: String) in
      comparison.entries.filter { $0.name.hasPrefix(prefix) }.map(\.best).min()
    }
    let count = Double(instances * Self.parents.count)
    var results: [NodeResult] = []
    for way in Self.ways {
      let bytes = 4 * (Self.dimensions + Self.floatsWritten(way.layout))
      let prefix = "yardstick.spread|\(way.name)|"
      let spreads = comparison.entries.filter { $0.name.hasPrefix(prefix) }
      guard let fastest = spreads.min(by: { $0.best < $1.best }) else { continue }
      let spread = fastest.best
      let arithmetic = best(Self.fused).map {
        $0 / Double(Self.fusedCount) * Double(Self.operations(isSkin: way.isSkin) * instances)
      }
      for entry in comparison.entries where entry.name.hasPrefix(way.name + "|") {
        let limit = max(spread, arithmetic ?? 0)
        results.append(
          NodeResult(
            name: way.name, isa: String(entry.name.dropFirst(way.name.count + 1)), instances: instances,
            nodes: Self.parents.count, nsPerNode: entry.best / count, medianNsPerNode: entry.median / count,
            bytesPerNode: Double(bytes) / Double(Self.parents.count),
            spread: String(fastest.name.dropFirst(prefix.count)),
            spreadNsPerNode: spread / count,
            multiplyAddNsPerNode: arithmetic.map { $0 / count }, ratioToLimit: limit / entry.best))
      }
    }
    return results
  }
}
