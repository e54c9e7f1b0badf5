// SPDX-License-Identifier: MIT
import Kernels
public import Murmuration

/// Blends the poses of several clips, for many instances: values by their weights, rotations on the shortest way.
///
/// ```swift
/// // A joint's position (3) and rotation (x, y, z, w).
/// var blender = try PoseBlender(dimensions: 7, rotations: [3], instances: 1_000)
/// try blender.add(walk, indices: 0..<1_000, weights: walkWeights.span)
/// try blender.add(run, indices: 0..<1_000, weights: runWeights.span)
/// try blender.finish(into: &pose)                                    // 7 columns of 1 000
/// ```
///
/// For each instance, with poses p₁, p₂… in the order in which they are added, and weights wᵢ ≥ 0 that need not sum to 1:
///
/// - a value becomes Σ wᵢ pᵢ / Σ wᵢ;
/// - a rotation becomes Σ ± wᵢ qᵢ, scaled to length 1. Since q and −q are the same rotation, each sign is the one with
///   which wᵢ qᵢ points to the side of the sum so far; at a right angle, which is half a turn, it is +. The result is
///   on the side of the first pose that has a weight. Quaternions need not be of unit length; longer ones weigh more,
///   and those shorter than 10⁻¹⁶ may be taken for a right angle;
/// - where all weights are 0, or all quaternions, the rest pose shows.
///
/// After n poses, results are within (n + 3) · 2⁻²³ of the exact ones. For values, that is relative to the largest magnitude
/// among the poses. For rotations, it is relative to the sum of all wᵢ |qᵢ| over the length of Σ ± wᵢ qᵢ, and holds where
/// quaternions are not within 10⁻⁶ of a right angle. Results have the same bits on every instruction set: a blender has its
/// own kernels and uses no matrix products, unlike a ``Mixer``.
///
/// A blender is used by one owner at a time, and can be sent to another thread.
public struct PoseBlender: ~Copyable, Sendable {
  /// The number of values of each pose.
  public let dimensions: Int
  /// The first of the four dimensions of each rotation, ascending.
  public let rotations: [Int]
  /// The number of instances of each pose.
  public let instanceCount: Int
  /// The instruction set whose kernels run.
  public let kernels: KernelSet

  private let rest: [Float]
  private let values: [Int]
  let stride: Int
  /// The sums of each dimension, and then of the weights.
  private let sums: FloatBuffer
  /// The pose that is added, and its weights.
  let pose: FloatBuffer

  /// The largest weight.
  public static let maximumWeight: Float = 1e6
  /// The largest magnitude of a quaternion's components.
  public static let maximumComponent: Float = 1e6

  /// A blender to which nothing has been added.
  ///
  /// - Parameters:
  ///   - dimensions: Values of each pose, at least 1.
  ///   - rotations: The first dimension of each rotation's x, y, z and w; ascending, without overlap.
  ///   - rest: The pose where all weights are 0, one number for each dimension; nil for zeros, and no rotation. Its
  ///     rotations are scaled to length 1, and must not be 0.
  ///   - instances: The number of instances, at least 0.
  ///   - kernels: The instruction set; nil for the one in force.
  /// - Throws: ``MatrixError``.
  public init(
    dimensions: Int, rotations: [Int] = [], rest: [Float]? = nil, instances: Int, kernels: KernelSet? = nil
  ) throws(MatrixError) {
    let set = try KernelSet.ofMatrices(kernels)
    guard 1...MatrixLimits.maximumSize ~= dimensions else { throw .invalidSize(of: "dimensions", dimensions) }
    guard 0...MatrixLimits.maximumSize ~= instances else { throw .invalidSize(of: "instances", instances) }
    var end = 0
    for first in rotations {
      guard first >= end, first <= dimensions - 4 else {
        throw .invalidRotation(dimension: first, within: end..<dimensions)
      }
      end = first + 4
    }
    try FloatBuffer.check("poses", rows: 2 * (dimensions + 1), columns: instances)
    let size = (dimensions + 1) * FloatBuffer.stride(columns: instances)
    try FloatBuffer.check("poses", buffers: [size, size])
    self.rest = try Self.rest(rest, dimensions, rotations)
    (self.dimensions, self.rotations, instanceCount, self.kernels) = (dimensions, rotations, instances, set)
    let turning = Set(rotations.flatMap { $0..<$0 + 4 })
    values = (0..<dimensions).filter { !turning.contains($0) }
    stride = FloatBuffer.stride(columns: instances)
    sums = FloatBuffer(count: (dimensions + 1) * stride)
    pose = FloatBuffer(count: (dimensions + 1) * stride)
  }

  /// The rest pose with rotations of unit length.
  private static func rest(_ given: [Float]?, _ dimensions: Int, _ rotations: [Int]) throws(MatrixError) -> [Float] {
    var rest = given ?? [Float](repeating: 0, count: dimensions)
    guard rest.count == dimensions else { throw .wrongCount(of: "rest pose", expected: dimensions, got: rest.count) }
    try MatrixError.check(rest, "rest value")
    for first in rotations {
      if given == nil { rest[first + 3] = 1 }
      let length = rest[first..<first + 4].reduce(0.0) { $0 + Double($1) * Double($1) }.squareRoot()
      guard length > 0 else { throw .noRotation(dimension: first) }
      for index in first..<first + 4 {
        rest[index] = Float(Double(rest[index]) / length)
      }
    }
    return rest
  }

  /// Forgets all poses that were added.
  public mutating func removeAll() { sums.start.update(repeating: 0, count: sums.count) }

  /// Adds a pose from columns.
  ///
  /// - Parameters:
  ///   - columns: Dimension after dimension, each with a value for each instance.
  ///   - columnStride: Floats from one dimension to the next; nil for no gaps.
  ///   - weights: A weight for each instance, in 0…``maximumWeight``.
  /// - Throws: ``MatrixError`` for a wrong count, or a number that is not finite or too large; nothing is added then.
  /// - Complexity: O(dimensions · instances).
  public mutating func add(
    _ columns: Span<Float>, stride columnStride: Int? = nil, weights: Span<Float>
  ) throws(MatrixError) {
    let columnStride = try MatrixError.checkedStride(
      columnStride, rows: dimensions, length: instanceCount, count: columns.count, of: ("pose", "pose"))
    let weights = try copy(weights)
    unsafe columns.withUnsafeBufferPointer { columns in
      if let columns = unsafe columns.column {
        for dimension in 0..<dimensions {
          (pose.start + dimension * stride).update(
            from: columns + dimension * columnStride, count: instanceCount)
        }
      }
    }
    try addPose(pose.start, stride, weights: weights)
  }

  /// Writes the blend of the added poses, dimension after dimension; more may be added afterwards.
  ///
  /// - Parameters:
  ///   - output: Takes dimensions × instances values.
  ///   - outputStride: Floats from one dimension to the next; nil for no gaps.
  /// - Throws: ``MatrixError``; nothing is written then.
  public mutating func finish(
    into output: inout some TrackOutput<Float> & ~Copyable & ~Escapable, stride outputStride: Int? = nil
  ) throws(MatrixError) {
    try output.withMutableElements { output throws(MatrixError) in try unsafe finish(output.elements, outputStride) }
  }

  private mutating func finish(
    _ output: UnsafeMutableBufferPointer<Float>, _ outputStride: Int?
  ) throws(MatrixError) {
    let outputStride = try MatrixError.checkedStride(
      outputStride, rows: dimensions, length: instanceCount, count: output.count, of: ("output", "outputs"))
    let table = kernels.table.matrices
    let totals = (sums.start + dimensions * stride).constant
    for dimension in values {
      table.finishValues(columns(dimension, pose.start, stride, totals), rest[dimension])
    }
    for first in rotations {
      let still = SIMD4(rest[first], rest[first + 1], rest[first + 2], rest[first + 3])
      table.finishRotations(columns(first, pose.start, stride, totals), still)
    }
    guard let output = unsafe output.column else { return }
    for dimension in 0..<dimensions {
      (output + dimension * outputStride).update(from: pose.start + dimension * stride, count: instanceCount)
    }
  }

  /// The number of instances, rounded up to whole tiles.
  var paddedCount: Int { (instanceCount + laneCountOfTile - 1) / laneCountOfTile * laneCountOfTile }

  /// The columns of one dimension of a pose, or of four from it on, with weights or their totals.
  private func columns(
    _ dimension: Int, _ pose: Column<Float>, _ poseStride: Int, _ weights: ConstantColumn<Float>
  ) -> PoseColumns {
    PoseColumns(
      pose: pose + dimension * poseStride, poseStride: poseStride, sums: sums.start + dimension * stride,
      sumStride: stride, weights: weights, count: paddedCount)
  }

  /// Copies weights to the column after the pose.
  func copy(_ weights: Span<Float>) throws(MatrixError) -> ConstantColumn<Float> {
    guard weights.count == instanceCount else {
      throw .wrongCount(of: "weights", expected: instanceCount, got: weights.count)
    }
    let column = pose.start + dimensions * stride
    for index in weights.indices { column[index] = weights[index] }
    return column.constant
  }

  /// Adds a pose, unless a number is refused; the pose is only read.
  func addPose(
    _ pose: Column<Float>, _ poseStride: Int, weights: ConstantColumn<Float>
  ) throws(MatrixError) {
    for index in 0..<instanceCount where !(weights[index] >= 0 && weights[index] <= Self.maximumWeight) {
      throw unsafe .invalidWeight(index: index, value: weights[index])
    }
    let table = kernels.table.matrices
    for dimension in values {
      try check(dimension, pose + dimension * poseStride, BatchLimits.maximumMagnitude, table)
    }
    for first in rotations {
      for dimension in first..<first + 4 {
        try check(dimension, pose + dimension * poseStride, Self.maximumComponent, table)
      }
    }
    for dimension in values { table.addValues(columns(dimension, pose, poseStride, weights)) }
    for first in rotations { table.addRotations(columns(first, pose, poseStride, weights)) }
    let total = sums.start + dimensions * stride
    for instance in 0..<instanceCount { total[instance] += weights[instance] * PoseColumns.weightScale }
  }

  private func check(
    _ dimension: Int, _ column: Column<Float>, _ limit: Float, _ table: MatrixKernels
  ) throws(MatrixError) {
    guard !table.isWithin(limit, column.constant, paddedCount) else { return }
    for instance in 0..<instanceCount where !(abs(column[instance]) <= limit) {
      throw unsafe .invalidPose(dimension: dimension, instance: instance, value: column[instance], limit: limit)
    }
  }
}

// Poses that are read where they stand in batches.
extension PoseBlender {
  /// Adds a pose from the values of a batch with the blender's number of dimensions: one instance for each index.
  ///
  /// Values are read in place where the tracks' indices follow each other, as in a batch whose tracks came in bulk and
  /// never changed kind; otherwise they are gathered.
  ///
  /// - Parameters:
  ///   - poses: The tracks whose values are the poses: a batch, or a property of particles.
  ///   - indices: The indices of the tracks, one for each instance; each must have a track.
  ///   - weights: One for each instance, in 0…``maximumWeight``.
  /// - Throws: ``MatrixError``; nothing is added then.
  /// - Complexity: O(dimensions · instances); no allocation after the first call.
  public mutating func add<Poses: AnimatedTracks & ~Copyable>(
    _ poses: borrowing Poses, indices: Range<Int>, weights: Span<Float>
  ) throws(MatrixError) {
    let columns = try columns(poses.columns, indices)
    try addPose(columns.start, columns.stride, weights: copy(weights))
  }

  /// Adds a pose whose weights are values of tracks as well; otherwise it is ``add(_:indices:weights:)``.
  ///
  /// - Parameters:
  ///   - poses: The tracks whose values are the poses: a batch, or a property of particles.
  ///   - indices: The indices of the tracks, one for each instance; each must have a track.
  ///   - weights: The tracks whose values are the weights, each in 0…``maximumWeight``; a spring that overshoots 0 is
  ///     refused.
  ///   - dimension: The dimension of the weights.
  ///   - weightIndices: The indices of the weights' tracks, one for each instance; nil for `indices`.
  /// - Throws: ``MatrixError``; nothing is added then.
  public mutating func add<Poses: AnimatedTracks & ~Copyable, Weights: AnimatedTracks & ~Copyable>(
    _ poses: borrowing Poses, indices: Range<Int>, weights: borrowing Weights, dimension: Int = 0,
    weightIndices: Range<Int>? = nil
  ) throws(MatrixError) {
    let columns = try columns(poses.columns, indices)
    let source = weights.columns
    guard 0..<source.dimensions ~= dimension else {
      throw .outOfRange("dimension", dimension, count: source.dimensions)
    }
    try check(weightIndices ?? indices, source)
    let column = locate(source, dimension, weightIndices ?? indices)
    try addPose(columns.start, columns.stride, weights: column.start.constant)
  }

  /// The columns of a pose, from the first instance on, and floats from one column to the next.
  private typealias Columns = (start: Column<Float>, stride: Int)

  /// The columns of tracks that hold poses.
  private mutating func columns(_ source: TrackColumns, _ indices: Range<Int>) throws(MatrixError) -> Columns {
    guard source.dimensions == dimensions else {
      throw .wrongCount(of: "dimensions", expected: dimensions, got: source.dimensions)
    }
    try check(indices, source)
    return locate(source, 0, indices)
  }

  private func check(_ indices: Range<Int>, _ source: TrackColumns) throws(MatrixError) {
    guard indices.lowerBound >= 0 else { throw .noTrack(index: indices.lowerBound) }
    guard indices.count == instanceCount else {
      throw .wrongCount(of: "indices", expected: instanceCount, got: indices.count)
    }
    try source.checkTracks(indices)
  }

  /// The columns of tracks from a dimension on, in place.
  private func locate(_ source: TrackColumns, _ dimension: Int, _ indices: Range<Int>) -> Columns {
    // Lanes of the last tile may lie beyond the column, but not beyond the memory between columns.
    // Kernels read a pose and do not write it.
    let start = unsafe UnsafeMutablePointer(mutating: (source.value(dimension) + indices.lowerBound).address)
    let count = (dimensions - 1) * source.dimensionStride + paddedCount
    return unsafe (Column(start, count: count), source.dimensionStride)
  }
}
