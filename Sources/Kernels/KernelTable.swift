// SPDX-License-Identifier: MIT

/// The kernels of one instruction set, as functions.
///
/// Calling a kernel costs one indirect call for each run of lanes, never for each lane. There is one table for each
/// set, and all callers of kernels refer to it.
@safe
public final class KernelTable: Sendable {
  /// Evaluates a run of lanes with a spring and a start each: columns, run, time, whether to write velocities too.
  public typealias Mixed = @Sendable (SpringColumns, LaneRun, Double, Bool) -> Void
  /// Evaluates a run of lanes with one spring and start: columns, run, a lane that has them, time, whether to write
  /// velocities too.
  public typealias Uniform = @Sendable (SpringColumns, LaneRun, Int, Double, Bool) -> Void
  /// Computes when lanes of a run come to rest: columns, run, tolerance.
  public typealias Rest = @Sendable (SpringColumns, LaneRun, RestTolerance) -> Void

  /// Starts a run anew, each lane with its spring: columns, run, time, targets, their stride from dimension to dimension.
  public typealias Restart = @Sendable (SpringColumns, LaneRun, Double, ConstantColumn<Float>, Int) -> Void

  /// Computes the columns of springs: four numbers for each, their number, limits, rates, decays, natural frequencies. Tells
  /// how many are done.
  public typealias Convert =
    @Sendable (ConstantColumn<Double>, Int, SpringLimits, Column<Double>, Column<Float>, Column<Float>) -> Int

  /// Evaluates runs of instances: columns, runs, tables, time, whether to write velocities too.
  public typealias Clips =
    @Sendable (PlaybackColumns, UnsafeBufferPointer<ClipRun>, ConstantColumn<ClipTable>, Double, Bool) -> Void

  /// Leads tiles by all of their effects: effects, tiles, tables of curves, time, whether to write velocities too.
  public typealias Sums = @Sendable (EffectChains, Range<Int>, ConstantColumn<ClipTable>, Double, Bool) -> Void

  /// Writes vectors whose components are in columns: columns, floats from one to the next, their number, vectors, output,
  /// floats from one vector to the next.
  public typealias Interleave = @Sendable (ConstantColumn<Float>, Int, Int, Int, Column<Float>, Int) -> Void

  /// Writes numbers into vertices: numbers, tracks, the first number of the first vertex, bytes from one vertex to the next.
  public typealias WriteVertices = @Sendable (VertexNumbers, Int, Column<UInt8>, Int) -> Void

  /// Takes a step in tiles of followers.
  public typealias Follow =
    @Sendable (FollowColumns, Range<Int>, FollowGoals, Double, Int?, RestTolerance) -> Bool

  /// Lanes of one vector.
  public let width: Int
  /// For any lanes of springs and decelerations.
  public let evaluateMixed: Mixed
  /// For runs of one spring and start, without a lane at rest; the bits are the same.
  public let evaluateUniform: Uniform
  /// Computes bases of motions in Double: columns, their number, time, results.
  public let evaluateBases: @Sendable (BasisColumns, Int, Double, Column<MotionBasis>) -> Void
  /// Starts a run anew with one spring: columns, run, spring and start, targets, their stride from dimension to dimension.
  public let restartUniform: @Sendable (SpringColumns, LaneRun, UniformStart, ConstantColumn<Float>, Int) -> Void
  public let restartMixed: Restart
  public let convertSprings: Convert
  /// Finds the lanes of a run that are complete: columns, run, time, one answer for each tile.
  public let findDue: @Sendable (SpringColumns, LaneRun, Double, Column<TileDue>) -> Void
  public let computeRest: Rest
  /// Takes a step in tiles of followers: columns, tiles, goals, seconds, the tile whose spring all lanes have, tolerance. Tells
  /// whether there is news.
  public let follow: Follow
  public let interleave: Interleave
  public let writeVertices: WriteVertices
  /// Computes many frames at once.
  public let bake: BakeKernels
  /// For the elements of a caller's own columns.
  public let elements: ElementKernels
  /// Orders the stores of the kernels past the caches before everything that follows. It waits for them, so it is
  /// called once after many runs.
  public let fence: @Sendable () -> Void

  /// Evaluates playing instances: columns, runs of one clip each, the clips' tables, time, whether to write velocities too.
  public let evaluateClips: Clips
  public let evaluateSums: Sums
  /// Finds the playing instances whose columns no longer hold.
  public let intervals: IntervalKernels
  /// Evaluates one piece of values on one clock: rows, piece, clip units from its centre, clip units per second for
  /// velocities, way to store.
  public let evaluateRows: @Sendable (PieceRows, Int, Float, Float?, LaneRun.Stores) -> Void
  /// Matrix products, mixing and blending.
  public let matrices: MatrixKernels
  public let rotations: RotationKernels

  @usableFromInline
  init(
    width: Int, evaluateMixed: @escaping Mixed, evaluateUniform: @escaping Uniform,
    evaluateBases: @escaping @Sendable (BasisColumns, Int, Double, Column<MotionBasis>) -> Void,
    restartUniform: @escaping @Sendable (SpringColumns, LaneRun, UniformStart, ConstantColumn<Float>, Int) -> Void,
    restartMixed: @escaping Restart, convertSprings: @escaping Convert,
    findDue: @escaping @Sendable (SpringColumns, LaneRun, Double, Column<TileDue>) -> Void,
    computeRest: @escaping Rest, follow: @escaping Follow, interleave: @escaping Interleave,
    writeVertices: @escaping WriteVertices, bake: BakeKernels, elements: ElementKernels,
    evaluateClips: @escaping Clips, evaluateSums: @escaping Sums, intervals: IntervalKernels,
    evaluateRows: @escaping @Sendable (PieceRows, Int, Float, Float?, LaneRun.Stores) -> Void,
    matrices: MatrixKernels, rotations: RotationKernels, fence: @escaping @Sendable () -> Void
  ) {
    (self.width, self.matrices, self.fence) = (width, matrices, fence)
    self.evaluateBases = evaluateBases
    (self.evaluateUniform, self.evaluateMixed) = (evaluateUniform, evaluateMixed)
    (self.restartUniform, self.restartMixed, self.convertSprings) = (restartUniform, restartMixed, convertSprings)
    (self.findDue, self.computeRest) = (findDue, computeRest)
    (self.follow, self.interleave, self.writeVertices) = (follow, interleave, writeVertices)
    unsafe (self.bake, self.evaluateClips, self.intervals) = (bake, evaluateClips, intervals)
    self.elements = elements
    (self.evaluateSums, self.evaluateRows) = (evaluateSums, evaluateRows)
    self.rotations = rotations
  }

  /// The kernels of an instruction set. (Embedded Swift has no generic initializers of classes but convenient ones.)
  ///
  /// - Parameter row: A row of a tile of outputs, which decides how many registers a matrix product takes.
  @export(implementation) @inline(__always)
  public convenience init<I: InstructionSet, Row: TileRow>(_ set: I.Type, row: Row.Type) where Row.Lanes == I {
    unsafe self.init(
      width: I.Floats.scalarCount,
      evaluateMixed: { I.evaluateMixed($0, $1, now: $2, velocities: $3) },
      evaluateUniform: { I.evaluateUniform($0, $1, as: $2, now: $3, velocities: $4) },
      evaluateBases: { I.evaluateBases($0, count: $1, now: $2, $3) },
      restartUniform: { I.restartUniform($0, $1, $2, $3, stride: $4) },
      restartMixed: { I.restartMixed($0, $1, now: $2, $3, stride: $4) },
      convertSprings: { I.convertSprings($0, count: $1, within: $2, $3, $4, $5) },
      findDue: { I.findDue($0, $1, now: $2, $3) }, computeRest: { I.computeRest($0, $1, $2) },
      follow: { I.follow($0, $1, $2, step: $3, source: $4, $5) },
      interleave: { I.interleave($0, stride: $1, dimensions: $2, count: $3, to: $4, step: $5) },
      writeVertices: { I.write($0, count: $1, to: $2, stride: $3) }, bake: BakeKernels(set),
      elements: ElementKernels(set),
      evaluateClips: { unsafe I.evaluateClips($0, $1, tables: $2, now: $3, velocities: $4) },
      evaluateSums: { I.evaluateSums($0, $1, tables: $2, now: $3, velocities: $4) },
      intervals: IntervalKernels(set),
      evaluateRows: { I.evaluateRows($0, piece: $1, distance: $2, rate: $3, stores: $4) },
      matrices: MatrixKernels(set, row: row), rotations: RotationKernels(set), fence: { I.fence() })
  }
}
