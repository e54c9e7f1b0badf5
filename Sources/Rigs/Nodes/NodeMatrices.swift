// SPDX-License-Identifier: MIT
import Kernels
public import Murmuration

/// The world matrices of a hierarchy's nodes, or the joint matrices of a skin, for many instances at once.
///
/// ```swift
/// let rig = try NodeHierarchy([
///   NodeHierarchy.Node(),  // a hip
///   NodeHierarchy.Node(parent: 0, translation: [0, -2, 0]),  // the knee below it
///   NodeHierarchy.Node(parent: 1, translation: [0, -2, 0]),  // the foot
/// ])
/// let channels = [
///   NodeChannel(node: 0, property: .rotation, dimension: 0), NodeChannel(node: 1, property: .rotation, dimension: 4),
/// ]
/// var matrices = try NodeMatrices(rig, channels: channels, dimensions: 8)
/// try matrices.compute(legs, indices: 0..<1_000, into: &upload)  // [instance][node][16]
/// ```
///
/// A *pose* has a value for each dimension, and the channels say which dimensions move which property of a node. What
/// no channel moves stays at rest.
///
/// - Quaternions may have any length from 10⁻¹⁸ to 10¹⁸: each is divided by its length. That of 0 turns nothing.
/// - A value that is not finite makes the matrices of its instance, at this node and below it, no numbers; other
///   instances are not touched.
/// - With S the product of the largest scales on the way from the root to a node, and L the sum of the lengths of its
///   translations, each times the scales above it: the elements of the linear part are within 8(n + 1) · 2⁻²⁴ · S of the
///   exact ones after n nodes, those of the origin within 8(n + 1) · 2⁻²⁴ · L.
/// - Matrices have the same bits on every instruction set, for any number of instances and threads, and for poses that
///   are read in place or copied.
///
/// It is used by one owner at a time, and can be sent to another thread.
public struct NodeMatrices: ~Copyable, Sendable {
  /// The order of the matrices' elements.
  public enum Layout: Sendable {
    /// [instance][matrix][16]: matrices of four columns of four, column after column, as graphics processors take them.
    case matrices
    /// [matrix][12][instance]: a column of instances for each element, without the last row of a matrix.
    case planar
  }

  /// The nodes.
  public let hierarchy: NodeHierarchy
  /// The number of values of a pose.
  public var dimensions: Int { program.dimensions }
  /// The number of matrices of an instance: nodes, or joints of the skin.
  public var matrixCount: Int { program.matrixCount }
  /// The order of the elements.
  public let layout: Layout
  /// The instruction set whose kernels run.
  public let kernels: KernelSet
  /// The number of threads that compute, the caller's included; 1…64, other numbers are taken for the nearest. It
  /// changes no bit. Few instances stay with the caller. If there is no memory for what each thread needs, the number stays.
  public var threadCount: Int {
    get { workers?.count ?? 1 }
    set {
      let count = min(max(newValue, 1), 64)
      guard count != threadCount,
        let scratch = program.scratch(parts: count > 1 ? Self.partsOfThread * count : 1)
      else { return }
      workers = count > 1 ? WorkerPool(count: count) : nil
      self.scratch = scratch
    }
  }

  private let program: NodeProgram
  private var workers: WorkerPool?
  /// The blocks of each part, then its poses and matrices of one tile.
  private var scratch: FloatBuffer

  /// The floats of a matrix: 16, or 12 columns if planar.
  public var elementCount: Int { layout == .planar ? 12 : 16 }

  /// Matrices for a hierarchy that poses move.
  ///
  /// - Parameters:
  ///   - hierarchy: The nodes with their transforms at rest.
  ///   - channels: The dimensions of a pose that move nodes; a property of a node has at most one channel.
  ///   - dimensions: The number of values of a pose, at least 1; channels need not use all.
  ///   - skin: The joints whose joint matrices are computed; nil for the world matrices of all nodes in their order.
  ///   - layout: The order of the elements.
  ///   - kernels: The instruction set; nil for the one in force.
  /// - Throws: ``NodeError``.
  /// - Complexity: O(nodes + channels + joints).
  public init(
    _ hierarchy: NodeHierarchy, channels: [NodeChannel], dimensions: Int, skin: NodeSkin? = nil,
    layout: Layout = .matrices, kernels: KernelSet? = nil
  ) throws(NodeError) {
    let set: KernelSet
    do throws(MatrixError) { set = try .ofMatrices(kernels) } catch { throw .matrices(error) }
    guard 1...MatrixLimits.maximumSize ~= dimensions else {
      throw .matrices(.invalidSize(of: "dimensions", dimensions))
    }
    try Self.check(channels, hierarchy, dimensions: dimensions)
    if let skin { try Self.check(skin, hierarchy) }
    let nodes = skin?.joints ?? Array(hierarchy.nodes.indices)
    let program = NodeProgram(
      hierarchy, channels, poseDimensions: dimensions, nodes: nodes, factors: skin?.inverseBindMatrices)
    guard let scratch = program.scratch(parts: 1) else {
      throw .matrices(.invalidSize(of: "numbers of nodes and poses", program.partCount))
    }
    (self.hierarchy, self.layout, self.kernels, self.program) = (hierarchy, layout, set, program)
    self.scratch = scratch
  }

  private static func check(
    _ channels: [NodeChannel], _ hierarchy: NodeHierarchy, dimensions: Int
  ) throws(NodeError) {
    let count = hierarchy.nodes.count
    var moved = [Set<NodeProperty>](repeating: [], count: count)
    for (index, channel) in channels.enumerated() {
      guard 0..<count ~= channel.node else {
        throw .noNode(of: "channel", index: index, node: channel.node, count: count)
      }
      let last = dimensions - channel.property.dimensions
      guard channel.dimension >= 0, channel.dimension <= last else {
        let end = channel.dimension.addingReportingOverflow(channel.property.dimensions)
        let range = channel.dimension..<(end.overflow ? .max : end.partialValue)
        throw .noDimension(channel: index, dimensions: range, count: dimensions)
      }
      guard hierarchy.nodes[channel.node].matrix == nil else { throw .matrixIsMoved(node: channel.node) }
      guard moved[channel.node].insert(channel.property).inserted else {
        throw .movedTwice(node: channel.node, channel.property)
      }
    }
  }

  private static func check(_ skin: NodeSkin, _ hierarchy: NodeHierarchy) throws(NodeError) {
    let count = hierarchy.nodes.count
    guard skin.joints.count <= NodeHierarchy.maximumCount else { throw .tooMany("joints", skin.joints.count) }
    for (index, node) in skin.joints.enumerated() {
      guard 0..<count ~= node else { throw .noNode(of: "joint", index: index, node: node, count: count) }
    }
    guard let numbers = skin.inverseBindMatrices else { return }
    guard numbers.count == 16 * skin.joints.count else {
      throw .matrices(
        .wrongCount(of: "inverse bind matrices", expected: 16 * skin.joints.count, got: numbers.count))
    }
    for (index, value) in numbers.enumerated() where !(abs(value) <= BatchLimits.maximumMagnitude) {
      throw .invalidInverseBind(joint: index / 16, value: value)
    }
    for joint in skin.joints.indices {
      guard NodeHierarchy.isAffine(Array(numbers[16 * joint..<16 * joint + 16])) else {
        throw .notAffine("the inverse bind matrix of joint", index: joint)
      }
    }
  }

  // MARK: - Computing

  /// Computes matrices from poses in a batch with the number of dimensions: one instance for each index.
  ///
  /// Poses are read in place where the tracks' indices follow each other, as in a batch whose tracks came in bulk and
  /// never changed kind; otherwise they are gathered.
  ///
  /// - Parameters:
  ///   - poses: The tracks whose values are the poses: a batch, or a property of particles.
  ///   - indices: The indices of the tracks, one for each instance; each must have a track.
  ///   - output: Takes instances × ``matrixCount`` × ``elementCount`` floats in the order of the ``layout``. Whole lines
  ///     are written at a time if it begins on a multiple of 64 bytes.
  ///   - stride: Floats from one instance to the next, or from one column to the next if planar; nil for no gaps. A
  ///     multiple of 1 024 is slow.
  /// - Throws: ``NodeError/matrices(_:)``; nothing is written then.
  /// - Complexity: O(nodes · instances); no allocation after the first call.
  public mutating func compute<Poses: AnimatedTracks & ~Copyable>(
    _ poses: borrowing Poses, indices: Range<Int>, into output: inout some TrackOutput<Float> & ~Copyable & ~Escapable,
    stride: Int? = nil
  ) throws(NodeError) {
    let source = poses.columns
    do throws(MatrixError) {
      guard source.dimensions == dimensions else {
        throw .wrongCount(of: "dimensions", expected: dimensions, got: source.dimensions)
      }
      try source.checkTracks(indices)
      let poses = NodePoses(start: source.value + indices.lowerBound, stride: source.dimensionStride)
      try output.withMutableElements { output throws(MatrixError) in
        try unsafe run(poses, indices.count, output.elements, stride)
      }
    } catch {
      throw .matrices(error)
    }
  }

  /// Computes matrices from columns of poses.
  ///
  /// - Parameters:
  ///   - columns: Dimension after dimension, each with a value for each instance.
  ///   - instances: The number of instances, at least 0.
  ///   - columnStride: Floats from one dimension to the next; nil for no gaps.
  ///   - output: The matrices, as for ``compute(_:indices:into:stride:)``.
  ///   - stride: Floats from one instance to the next, or from one column to the next if planar; nil for no gaps.
  /// - Throws: ``NodeError/matrices(_:)``; nothing is written then.
  /// - Complexity: O(nodes · instances); no allocation.
  public mutating func compute(
    _ columns: Span<Float>, instances: Int, columnStride: Int? = nil,
    into output: inout some TrackOutput<Float> & ~Copyable & ~Escapable, stride: Int? = nil
  ) throws(NodeError) {
    do throws(MatrixError) {
      guard 0...MatrixLimits.maximumSize ~= instances else { throw .invalidSize(of: "instances", instances) }
      let inputStride = try MatrixError.checkedStride(
        columnStride, rows: dimensions, length: instances, count: columns.count, of: ("pose", "poses"))
      try output.withMutableElements { output throws(MatrixError) in
        try unsafe columns.withUnsafeBufferPointer { columns throws(MatrixError) in
          let poses = unsafe columns.column.map { NodePoses(start: $0, stride: inputStride) }
          try unsafe run(poses, instances, output.elements, stride)
        }
      }
    } catch {
      throw .matrices(error)
    }
  }

  private func checkedStride(_ stride: Int?, instances: Int, _ count: Int) throws(MatrixError) -> Int {
    let each = matrixCount * elementCount
    return try MatrixError.checkedStride(
      stride, rows: layout == .planar ? each : instances, length: layout == .planar ? instances : each, count: count,
      of: ("output", "matrices"))
  }

  /// The matrices from which on several threads share the work: about 100 µs of it.
  private static let parallelMatrices = 1 << 16
  /// Parts for each thread, so that one that wakes late finds some; each has memory of its own.
  private static let partsOfThread = 2

  /// Computes matrices, unless there is no room for them, or nothing to compute.
  private func run(
    _ poses: NodePoses?, _ instances: Int, _ output: UnsafeMutableBufferPointer<Float>, _ stride: Int?
  ) throws(MatrixError) {
    let stride = try checkedStride(stride, instances: instances, output.count)
    guard instances > 0, matrixCount > 0, let poses, let result = unsafe output.column else { return }
    program.steps.withConstantColumn { steps in
      program.outputs.withConstantColumn { outputs in
        program.numbers.withConstantColumn { numbers in
          let tiles = NodeTiles(
            steps: steps, stepCount: program.steps.count, outputs: outputs, numbers: numbers,
            blocks: scratch.start, turningBlock: program.blockCount - 1, values: poses.start,
            valueStride: poses.stride, result: result, resultStride: stride, isPlanar: layout == .planar,
            tileCount: 0, stores: stores(instances, result, stride))
          execute(
            NodeJob(
              tiles: tiles, poses: poses, instances: instances, program: program,
              transform: kernels.table.matrices.transformNodes))
        }
      }
    }
  }

  private func execute(_ job: NodeJob) {
    guard let workers, job.instances * matrixCount >= Self.parallelMatrices else { return job.run(part: 0, of: 1) }
    var job = job
    let parts = min(Self.partsOfThread * workers.count, job.tileCount)
    unsafe withUnsafeMutablePointer(to: &job) { job in
      unsafe workers.run(job, parts: parts) { job, index, count in
        unsafe job.assumingMemoryBound(to: NodeJob.self).pointee.run(part: index, of: count)
      }
    }
  }

  /// Past the caches where the matrices are more than these hold and every store is a whole line.
  private func stores(_ instances: Int, _ result: Column<Float>, _ stride: Int) -> LaneRun.Stores {
    let bytes = 4 * instances * (matrixCount * elementCount + dimensions)
    let isAligned = unsafe (UInt(bitPattern: result.address) | UInt(4 * stride)) % 64 == 0
    return isAligned && bytes > MatrixLimits.nodeBytesInCaches ? .pastCaches : .ordinary
  }
}

extension MatrixLimits {
  /// The bytes of poses and matrices up to which matrices are stored through the caches.
  ///
  /// Nanoseconds for a node of an instance of a fox of 24 joints, with AVX-512 on a Zen 5 core with 32 MiB of third
  /// cache: 10 000 instances (19 MB) take 1.4 to 4.5 through the caches, and 1.4 to 1.5 past them.
  static let nodeBytesInCaches = 1 << 24
}

/// Where poses stand.
struct NodePoses {
  /// The first instance in dimension 0, and floats from one dimension to the next.
  let start: ConstantColumn<Float>
  let stride: Int
}

/// One computation, for the threads that share it.
private struct NodeJob {
  /// The tiles of the first part, whose memory comes before that of the others.
  var tiles: NodeTiles
  let poses: NodePoses
  let instances: Int
  let program: NodeProgram
  let transform: @Sendable (NodeTiles) -> Void

  var tileCount: Int { (instances + laneCountOfTile - 1) / laneCountOfTile }

  /// Computes a part of the tiles: whole tiles in place, and the last instances from a copy of their poses.
  func run(part: Int, of parts: Int) {
    var tile = tileCount * part / parts
    let end = tileCount * (part + 1) / parts
    var tiles = tiles
    tiles.blocks += part * program.partCount
    let count = min(end, instances / laneCountOfTile) - tile
    if count > 0 {
      tiles.values = poses.start + tile * laneCountOfTile
      tiles.result = result(ofTile: tile)
      tiles.tileCount = count
      transform(tiles)
      tile += count
    }
    while tile < end {
      copyTile(tile, tiles)
      tile += 1
    }
  }

  private func result(ofTile tile: Int) -> Column<Float> {
    tiles.result + tile * laneCountOfTile * (tiles.isPlanar ? 1 : tiles.resultStride)
  }

  /// Computes a tile from a copy of its poses.
  private func copyTile(_ tile: Int, _ part: NodeTiles) {
    var tiles = part
    let first = tile * laneCountOfTile
    let count = min(laneCountOfTile, instances - first)
    let values = tiles.blocks + NodeTiles.blockCount * (program.blockCount + program.matrixCount)
    for dimension in 0..<program.dimensions {
      (values + dimension * laneCountOfTile).update(
        from: poses.start + (dimension * poses.stride + first), count: count)
    }
    (tiles.values, tiles.valueStride, tiles.tileCount) = (values.constant, laneCountOfTile, 1)
    if count == laneCountOfTile {
      tiles.result = result(ofTile: tile)
      return transform(tiles)
    }
    // The last instances: a whole tile is computed, and some of it is copied.
    let matrices = tiles.blocks + NodeTiles.blockCount * program.blockCount
    (tiles.result, tiles.stores) = (matrices, .ordinary)
    let width = 16 * program.matrixCount
    tiles.resultStride = tiles.isPlanar ? laneCountOfTile : width
    transform(tiles)
    let (rowCount, length) = tiles.isPlanar ? (12 * program.matrixCount, count) : (count, width)
    for row in 0..<rowCount {
      (result(ofTile: tile) + row * self.tiles.resultStride).update(
        from: matrices + row * tiles.resultStride, count: length)
    }
  }
}
