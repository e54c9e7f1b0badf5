// SPDX-License-Identifier: MIT
import Murmuration
import MurmurationReference
import TestSupport
import Testing

@testable import Rigs

/// World and joint matrices are within the bound that `NodeMatrices` states of a Double reference, with the same bits on
/// every instruction set and in any company.
struct NodeMatricesTests {
  /// A hierarchy with every kind of node: with a matrix, still, scaled, and moved in each of its properties. Parents come
  /// before and after their children.
  private struct Rig {
    var hierarchy: NodeHierarchy
    var channels: [NodeChannel] = []
    var dimensions = 1
    var inverse: [Float] = []

    init(nodes count: Int, seed: UInt64) throws {
      var random = SplitMix64(seed: seed)
      func vector(_ range: ClosedRange<Double>) -> SIMD3<Float> { SIMD3(random.floats(3, range)) }
      func affine() -> [Float] {
        (0..<3).flatMap { _ in random.floats(3, -1...1) + [0] } + random.floats(3, -4...4) + [1]
      }
      // A random order, in which the parent of each but the first is an earlier one.
      var order = Array(0..<count)
      for index in order.indices.reversed() { order.swapAt(index, Int(random.next() % UInt64(index + 1))) }
      var nodes = [NodeHierarchy.Node](repeating: NodeHierarchy.Node(), count: count)
      for (position, index) in order.enumerated() {
        let parent = position == 0 || random.next() % 9 == 0 ? nil : order[Int(random.next() % UInt64(position))]
        let kind = random.next() % 8
        if kind == 0 {
          nodes[index] = NodeHierarchy.Node(parent: parent, matrix: affine())
        } else {
          nodes[index] = NodeHierarchy.Node(
            parent: parent, translation: vector(-5...5),
            rotation: SIMD4(vector(-1...1), Float(random.uniform(0.1...1))),
            scale: kind < 3 ? vector(0.5...1.5) : [1, 1, 1])
          for property in NodeProperty.allCases where random.next() % 2 == 0 {
            channels.append(NodeChannel(node: index, property: property, dimension: dimensions))
            dimensions += property.dimensions
          }
        }
        inverse += affine()
      }
      hierarchy = try NodeHierarchy(nodes)
    }

    func skin() -> NodeSkin {
      // Joints in another order than nodes, and one of them twice.
      let joints = Array(hierarchy.nodes.indices.reversed().dropLast(hierarchy.nodes.count / 3)) + [0]
      return NodeSkin(joints: joints, inverseBindMatrices: joints.flatMap { inverse[16 * $0..<16 * $0 + 16] })
    }

    /// Columns of poses: the values of an instance do not depend on the number of instances.
    func poses(_ instances: Int, seed: UInt64 = 7) -> [Float] {
      var columns = [Float](repeating: 0, count: dimensions * instances)
      for instance in 0..<instances {
        var random = SplitMix64(seed: seed &+ UInt64(instance) &* 977)
        for dimension in 0..<dimensions { columns[dimension * instances + instance] = Float(random.uniform(-2...2)) }
      }
      return columns
    }
  }

  private static func nodeMatrices(
    _ rig: Rig, _ set: KernelSet? = nil, skin: NodeSkin? = nil, _ layout: NodeMatrices.Layout = .matrices
  ) throws -> NodeMatrices {
    try NodeMatrices(
      rig.hierarchy, channels: rig.channels, dimensions: rig.dimensions, skin: skin, layout: layout, kernels: set)
  }

  /// The matrices of an instance, in the order of the layout.
  private static func matrices(
    _ rig: Rig, _ columns: [Float], _ instances: Int, _ set: KernelSet, skin: NodeSkin? = nil,
    _ layout: NodeMatrices.Layout = .matrices
  ) throws -> [Float] {
    var matrices = try nodeMatrices(rig, set, skin: skin, layout)
    return try written(instances * matrices.matrixCount * matrices.elementCount, over: -9) {
      try matrices.compute(columns.span, instances: instances, into: &$0)
    }
  }

  private static func bits(_ floats: [Float]) -> [UInt32] { floats.map(\.bitPattern) }

  @Test(arguments: KernelSet.available, [1, 7, 16, 17, 33, 100])
  func matricesAreWithinTheBound(_ set: KernelSet, _ instances: Int) throws {
    var worst = 0.0
    for seed in UInt64(1)...UInt64(Effort.draws(quick: 2, soak: 4)) {
      let rig = try Rig(nodes: 5 + 8 * Int(seed), seed: seed)
      let columns = rig.poses(instances)
      for skin in [nil, rig.skin()] {
        let nodes = skin?.joints ?? Array(rig.hierarchy.nodes.indices)
        let whole = try Self.matrices(rig, columns, instances, set, skin: skin)
        let planar = try Self.matrices(rig, columns, instances, set, skin: skin, .planar)
        for instance in 0..<instances {
          for (index, node) in nodes.enumerated() {
            let factor = skin?.inverseBindMatrices.map { Array($0[16 * index..<16 * index + 16]) }
            let expected = NodeReference.world(
              rig.hierarchy, node, factor: factor,
              { channel in
                (0..<channel.property.dimensions).map {
                  Double(columns[(channel.dimension + $0) * instances + instance])
                }
              }, rig.channels)
            let first = 16 * (instance * nodes.count + index)
            worst = max(worst, expected.error { whole[first + $0] })
            #expect([3, 7, 11].allSatisfy { whole[first + $0] == 0 } && whole[first + 15] == 1)
            let same = (0..<12).allSatisfy {
              let element = whole[first + $0 + $0 / 3]
              return planar[(12 * index + $0) * instances + instance].bitPattern == element.bitPattern
            }
            #expect(same, "planar matrices of node \(node) differ")
          }
        }
      }
    }
    #expect(worst <= 1, "\(worst) of the bound")
  }

  @Test func bitsAreThoseOfOneInstanceOnAnySet() throws {
    let rig = try Rig(nodes: 30, seed: 9)
    for skin in [nil, rig.skin()] {
      let count = skin?.joints.count ?? 30
      let expected = try (0..<33).flatMap { instance in
        let poses = rig.poses(33)
        let one = (0..<rig.dimensions).map { poses[$0 * 33 + instance] }
        return Self.bits(try Self.matrices(rig, one, 1, .portable, skin: skin))
      }
      for set in KernelSet.available {
        for instances in [1, 2, 15, 16, 17, 31, 32, 33] {
          let got = try Self.matrices(rig, rig.poses(instances), instances, set, skin: skin)
          #expect(Self.bits(got) == Array(expected[..<(16 * count * instances)]), "\(set), \(instances) instances")
        }
      }
    }
  }

  /// More matrices than the caches hold, in memory that allows stores past them, and by several threads.
  @Test(arguments: KernelSet.available, [NodeMatrices.Layout.matrices, .planar])
  func threadsAndStoresPastTheCachesChangeNoBit(_ set: KernelSet, _ layout: NodeMatrices.Layout) throws {
    let rig = try Rig(nodes: 96, seed: 4)
    let instances = 3_003
    let columns = rig.poses(instances)
    let expected = try Self.matrices(rig, columns, instances, set, layout)
    let stride = layout == .planar ? 3_024 : 96 * 16
    let block = UnsafeMutableRawPointer.allocate(byteCount: 4 * 3_024 * 96 * 16, alignment: 64)
    defer { block.deallocate() }
    for threads in [1, 2, 3, 64] {
      let floats = UnsafeMutableBufferPointer(
        start: block.initializeMemory(as: Float.self, repeating: -9, count: 3_024 * 96 * 16), count: 3_024 * 96 * 16)
      var matrices = try Self.nodeMatrices(rig, set, layout)
      matrices.threadCount = threads
      var span = floats.mutableSpan
      try matrices.compute(columns.span, instances: instances, into: &span, stride: stride)
      let (rows, length) = layout == .planar ? (96 * 12, instances) : (instances, 96 * 16)
      var difference = 0
      for row in 0..<rows {
        for index in 0..<length
        where floats[row * stride + index].bitPattern != expected[row * length + index].bitPattern { difference += 1 }
        for index in length..<stride where floats[row * stride + index] != -9 { difference += 1 }
      }
      #expect(difference == 0, "\(threads) threads")
    }
  }

  // MARK: - Batches

  /// A batch at rest; some of its tracks may follow goals.
  @Test(arguments: KernelSet.available, [false, true])
  func batchesGiveTheBitsOfTheirColumns(_ set: KernelSet, _ someFollow: Bool) throws {
    let rig = try Rig(nodes: 12, seed: 3)
    var batch = try AnimationBatch<Components>(dimensions: rig.dimensions)
    let columns = rig.poses(80)
    let handles = try batch.add(
      (0..<80).map { instance in
        Components((0..<rig.dimensions).map { Double(columns[$0 * 80 + instance]) })
      })
    if someFollow {
      for index in stride(from: 1, to: 80, by: 4) { try batch.follow(handles[index]) }
    }
    try batch.advance(to: 0.1)
    for indices in [0..<80, 3..<40, 17..<18, 5..<5] {
      var values = [Float](repeating: 0, count: rig.dimensions * indices.count)
      for dimension in 0..<rig.dimensions {
        let column = try written(80) { try batch.copyValues(component: dimension, planar: &$0) }
        for (place, index) in indices.enumerated() { values[dimension * indices.count + place] = column[index] }
      }
      for layout in [NodeMatrices.Layout.matrices, .planar] {
        let expected = try Self.matrices(rig, values, indices.count, set, layout)
        var matrices = try Self.nodeMatrices(rig, set, layout)
        let got = try written(expected.count, over: -9) { try matrices.compute(batch, indices: indices, into: &$0) }
        #expect(Self.bits(got) == Self.bits(expected), "\(indices)")
      }
    }
  }

  // MARK: - Odd numbers

  @Test(arguments: KernelSet.available) func quaternionsMayHaveAnyLength(_ set: KernelSet) throws {
    let hierarchy = try NodeHierarchy([NodeHierarchy.Node()])
    let channels = [NodeChannel(node: 0, property: .rotation, dimension: 0)]
    var matrices = try NodeMatrices(hierarchy, channels: channels, dimensions: 4, kernels: set)
    func matrix(_ q: [Float]) throws -> [Float] {
      try written(16, over: -9) { try matrices.compute(q.span, instances: 1, into: &$0) }
    }
    let unit = try matrix([0.1, -0.7, 0.5, 0.5])
    for exponent in [-59, -20, 0, 20, 59] {
      let factor = exponent < 0 ? 1 / Float(1 << -exponent) : Float(1 << exponent)
      // A power of two changes no bit.
      #expect(try matrix([0.1, -0.7, 0.5, 0.5].map { $0 * factor }) == unit)
    }
    let identity: [Float] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    #expect(try matrix([0, 0, 0, 0]) == identity)
    #expect(try matrix([0, 0, 0, -3]) == identity)
  }

  /// Numbers that are not finite stay with their instance, at their node and below.
  @Test(arguments: KernelSet.available, [Float.nan, .infinity])
  func badNumbersStayWithTheirInstance(_ set: KernelSet, _ bad: Float) throws {
    let rig = try Rig(nodes: 20, seed: 6)
    let good = try Self.matrices(rig, rig.poses(40), 40, set)
    for channel in rig.channels {
      var columns = rig.poses(40)
      columns[(channel.dimension + 1) * 40 + 21] = bad
      let got = try Self.matrices(rig, columns, 40, set)
      for instance in 0..<40 {
        for node in 0..<20 {
          var isBelow = false
          var next: Int? = node
          while let index = next {
            isBelow = isBelow || index == channel.node
            next = rig.hierarchy.nodes[index].parent
          }
          let range = 16 * (20 * instance + node)..<16 * (20 * instance + node + 1)
          if instance == 21, isBelow {
            #expect(got[range].contains { !$0.isFinite })
          } else {
            #expect(got[range] == good[range])
          }
        }
      }
    }
  }

  // MARK: - Refusals

  private typealias Node = NodeHierarchy.Node

  private func error(_ make: () throws -> Void) -> NodeError? {
    do {
      try make()
      return nil
    } catch {
      return error as? NodeError
    }
  }

  @Test func hierarchiesAreRefused() {
    let projection = [Float](repeating: 1, count: 16)
    for (nodes, refusal) in [
      ([], nil), ([Node(parent: 1), Node()], nil), ([Node(parent: 0)], .cycle(node: 0)),
      // A long chain does not exhaust the stack.
      ((0..<1 << 14).map { Node(parent: $0 == 0 ? nil : $0 - 1) }, nil),
      ([Node(parent: 2), Node(parent: -1)], .noParent(node: 0, parent: 2, count: 2)),
      ([Node(), Node(parent: -1)], .noParent(node: 1, parent: -1, count: 2)),
      ([Node(rotation: .zero)], .noRotation(node: 0)),
      ([Node(scale: [1, .infinity, 1])], .invalidNumber(node: 0, value: .infinity)),
      ([Node(matrix: [1, 2, 3])], .notAffine("the matrix of node", index: 0)),
      ([Node(), Node(matrix: projection)], .notAffine("the matrix of node", index: 1)),
      ([Node](repeating: Node(), count: 1 << 14 + 1), .tooMany("nodes", 1 << 14 + 1)),
    ] as [([Node], NodeError?)] {
      #expect(error { _ = try NodeHierarchy(nodes) } == refusal)
    }
    let round = [Node(), Node(parent: 3), Node(parent: 1), Node(parent: 2), Node(parent: 1)]
    #expect(error { _ = try NodeHierarchy(round) }.map { "\($0)".contains("below itself") } == true)
  }

  /// A clip, or a rig of many nodes, may have more dimensions than a batch.
  @Test(arguments: KernelSet.available) func aPoseMayHaveMoreDimensionsThanABatch(_ set: KernelSet) throws {
    let count = 2_000
    let hierarchy = try NodeHierarchy((0..<count).map { Node(parent: $0 == 0 ? nil : $0 - 1) })
    let channels = (0..<count).map { NodeChannel(node: $0, property: .translation, dimension: 3 * $0) }
    var matrices = try NodeMatrices(hierarchy, channels: channels, dimensions: 3 * count, kernels: set)
    let instances = 17
    let columns = (0..<3 * count * instances).map { Float($0 / instances % 3 == 1 ? 1 + $0 % instances : 0) }
    var output = [Float](repeating: 0, count: instances * count * 16)
    try matrices.compute(columns.span, instances: instances, into: &output)
    for instance in 0..<instances {
      for node in [0, 1, 1_365, 1_366, 1_999] {
        let origin = output[16 * (instance * count + node) + 12..<16 * (instance * count + node) + 15]
        #expect(Array(origin) == [0, Float((node + 1) * (instance + 1)), 0])
      }
    }
  }

  @Test func channelsAndSkinsAreRefused() throws {
    let unit: [Float] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    let hierarchy = try NodeHierarchy([Node(), Node(parent: 0, matrix: unit)])
    func expect(
      _ refusal: NodeError?, _ channels: [NodeChannel] = [], dimensions: Int = 8, joints: [Int]? = nil,
      inverse: [Float]? = nil
    ) {
      let skin = joints.map { NodeSkin(joints: $0, inverseBindMatrices: inverse) }
      #expect(
        error { _ = try NodeMatrices(hierarchy, channels: channels, dimensions: dimensions, skin: skin) } == refusal)
    }
    let turn = NodeChannel(node: 0, property: .rotation, dimension: 4)
    expect(nil, [turn])
    for count in [0, 1 << 31] { expect(.matrices(.invalidSize(of: "dimensions", count)), [turn], dimensions: count) }
    expect(.noDimension(channel: 0, dimensions: 4..<8, count: 7), [turn], dimensions: 7)
    expect(.movedTwice(node: 0, .rotation), [turn, turn])
    for node in [2, -1] {
      let channel = NodeChannel(node: node, property: .scale, dimension: 0)
      expect(.noNode(of: "channel", index: 0, node: node, count: 2), [channel])
    }
    for dimension in [-1, 6, Int.max, Int.min] {
      let channel = NodeChannel(node: 0, property: .translation, dimension: dimension)
      let thrown = error { _ = try NodeMatrices(hierarchy, channels: [channel], dimensions: 8) }
      guard case .noDimension(0, _, 8) = thrown else {
        Issue.record("dimension \(dimension): \(String(describing: thrown))")
        continue
      }
    }
    expect(.matrixIsMoved(node: 1), [NodeChannel(node: 1, property: .scale, dimension: 0)])
    expect(.noNode(of: "joint", index: 1, node: 2, count: 2), joints: [0, 2])
    expect(
      .matrices(.wrongCount(of: "inverse bind matrices", expected: 32, got: 16)), joints: [0, 1], inverse: unit)
    let bad = unit + unit.map { $0 == 1 ? .infinity : $0 }
    expect(.invalidInverseBind(joint: 1, value: .infinity), joints: [0, 1], inverse: bad)
    let flat = unit.dropLast() + [2]
    expect(.notAffine("the inverse bind matrix of joint", index: 0), joints: [0], inverse: Array(flat))
    expect(nil, joints: [])
  }

  @Test func badCallsWriteNothing() throws {
    let rig = try Rig(nodes: 5, seed: 2)
    var matrices = try Self.nodeMatrices(rig)
    var output = [Float](repeating: -9, count: 5 * 16 * 4)
    let poses = rig.poses(4)
    var refusals: [MatrixError] = []
    func refused(_ body: (inout NodeMatrices, inout MutableSpan<Float>) throws(NodeError) -> Void) {
      var span = output.mutableSpan
      do throws(NodeError) { try body(&matrices, &span) } catch {
        if case .matrices(let reason) = error { refusals.append(reason) }
      }
    }
    refused { (m, span) throws(NodeError) in try m.compute(poses.span, instances: 5, into: &span) }
    refused { (m, span) throws(NodeError) in try m.compute(poses.span, instances: -1, into: &span) }
    refused { (m, span) throws(NodeError) in try m.compute(poses.span, instances: 4, columnStride: 3, into: &span) }
    refused { (m, span) throws(NodeError) in try m.compute(poses.span, instances: 4, into: &span, stride: 79) }
    refused { (m, span) throws(NodeError) in try m.compute(poses.span, instances: 4, into: &span, stride: 81) }
    let batch = try AnimationBatch<Float>()
    refused { (m, span) throws(NodeError) in try m.compute(batch, indices: 0..<4, into: &span) }
    let empty = try AnimationBatch<Components>(dimensions: rig.dimensions)
    refused { (m, span) throws(NodeError) in try m.compute(empty, indices: 0..<4, into: &span) }
    #expect(refusals.count == 7, "\(refusals)")
    #expect(refusals.last == .noTrack(index: 0))
    #expect(output.allSatisfy { $0 == -9 })
    var span = output.mutableSpan
    try matrices.compute(poses.span, instances: 0, into: &span)
    #expect(output.allSatisfy { $0 == -9 })
    span = output.mutableSpan
    try matrices.compute(poses.span, instances: 4, into: &span)
    #expect(output.allSatisfy { $0 != -9 })
  }
}
