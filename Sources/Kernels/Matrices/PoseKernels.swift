// SPDX-License-Identifier: MIT

/// Columns of poses that are blended: one for a value, four side by side at a stride for a rotation (x, y, z, w).
///
/// `count` is a multiple of ``laneCountOfTile``; strides are in floats. Sums and outputs may be the same.
public struct PoseColumns {
  /// The pose that is added, or the memory of the result.
  public var pose: Column<Float>
  public var poseStride: Int
  public var sums: Column<Float>
  public var sumStride: Int
  /// The weights of the pose, or their totals.
  public var weights: ConstantColumn<Float>
  public var count: Int

  /// The factor of weights in sums and totals, with which the smallest weights do not lose digits to underflow. The
  /// largest sums stay within Float for 10⁷ poses.
  @export(implementation)
  public static var weightScale: Float { 0x1p32 }

  public init(
    pose: Column<Float>, poseStride: Int, sums: Column<Float>, sumStride: Int,
    weights: ConstantColumn<Float>, count: Int
  ) {
    self.pose = pose
    self.poseStride = poseStride
    self.sums = sums
    self.sumStride = sumStride
    self.weights = weights
    self.count = count
  }
}

extension InstructionSet {
  /// Adds `weight · value` to a sum, at the scale of sums.
  @export(implementation) @inline(__always)
  public static func addValues(_ columns: PoseColumns) {
    let scale = splat(PoseColumns.weightScale)
    var row = 0
    while row < columns.count {
      let weight = load(columns.weights, row) * scale
      columns.sums.store(fusedMultiplyAdd(weight, load(columns.pose, row), load(columns.sums, row)), at: row)
      row &+= Floats.scalarCount
    }
  }

  /// Adds `±weight · q` to a sum of quaternions, with the sign that makes it point to the side of the sum: q and −q are
  /// the same rotation, and this sign takes the shorter of the two ways between rotations.
  @export(implementation) @inline(__always)
  public static func addRotations(_ columns: PoseColumns) {
    let (stride, sumStride) = (columns.poseStride, columns.sumStride)
    let (scale, sign) = (splat(PoseColumns.weightScale), Ints(repeating: Int32.min))
    var row = 0
    while row < columns.count {
      let pose = columns.pose + row
      let (x, y) = (load(pose, 0), load(pose, stride))
      let (z, w) = (load(pose, 2 &* stride), load(pose, 3 &* stride))
      let sums = columns.sums + row
      let (a, b) = (load(sums, 0), load(sums, sumStride))
      let (c, d) = (load(sums, 2 &* sumStride), load(sums, 3 &* sumStride))
      // A −0 becomes 0, so that a quaternion at a right angle keeps its sign.
      let products = fusedMultiplyAdd(x, a, fusedMultiplyAdd(y, b, fusedMultiplyAdd(z, c, w * d))) + Floats.zero
      let turn = unsafe unsafeBitCast(products, to: Ints.self) & sign
      let scaled = load(columns.weights, row) * scale
      let weight = unsafe unsafeBitCast(unsafeBitCast(scaled, to: Ints.self) ^ turn, to: Floats.self)
      sums.store(fusedMultiplyAdd(weight, x, a), at: 0)
      sums.store(fusedMultiplyAdd(weight, y, b), at: sumStride)
      sums.store(fusedMultiplyAdd(weight, z, c), at: 2 &* sumStride)
      sums.store(fusedMultiplyAdd(weight, w, d), at: 3 &* sumStride)
      row &+= Floats.scalarCount
    }
  }

  /// `a`, or `b` where a lane of `magnitude` ≥ 0 is 0.
  @export(implementation) @inline(__always)
  static func choose(_ a: Floats, orWhereZero magnitude: Floats, _ b: Floats) -> Floats {
    // The bits of a number ≥ 0, less one, are negative for 0 only.
    let isZero = unsafe (unsafeBitCast(magnitude, to: Ints.self) &- Ints(repeating: 1)) &>> Ints(repeating: 31)
    return select(isZero, b, a)
  }

  /// Divides sums of values by the total weight; `rest` where the total is 0.
  @export(implementation) @inline(__always)
  public static func finishValues(_ columns: PoseColumns, rest: Float) {
    var row = 0
    while row < columns.count {
      let total = load(columns.weights, row)
      columns.pose.store(choose(load(columns.sums, row) / total, orWhereZero: total, splat(rest)), at: row)
      row &+= Floats.scalarCount
    }
  }

  /// Scales sums of quaternions to length 1; `rest` where they are 0.
  @export(implementation) @inline(__always)
  public static func finishRotations(_ columns: PoseColumns, rest: SIMD4<Float>) {
    let (stride, sumStride) = (columns.poseStride, columns.sumStride)
    var row = 0
    while row < columns.count {
      let sums = columns.sums + row
      var (x, y) = (load(sums, 0), load(sums, sumStride))
      var (z, w) = (load(sums, 2 &* sumStride), load(sums, 3 &* sumStride))
      let largest = maximum(maximum(magnitude(x), magnitude(y)), maximum(magnitude(z), magnitude(w)))
      // Divided by the largest first, so that no square is too large or too small.
      (x, y, z, w) = (x / largest, y / largest, z / largest, w / largest)
      let length = squareRoot(fusedMultiplyAdd(x, x, fusedMultiplyAdd(y, y, fusedMultiplyAdd(z, z, w * w))))
      let pose = columns.pose + row
      pose.store(choose(x / length, orWhereZero: largest, splat(rest.x)), at: 0)
      pose.store(choose(y / length, orWhereZero: largest, splat(rest.y)), at: stride)
      pose.store(choose(z / length, orWhereZero: largest, splat(rest.z)), at: 2 &* stride)
      pose.store(choose(w / length, orWhereZero: largest, splat(rest.w)), at: 3 &* stride)
      row &+= Floats.scalarCount
    }
  }
}
