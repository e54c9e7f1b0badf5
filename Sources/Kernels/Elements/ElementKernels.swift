// SPDX-License-Identifier: MIT

/// The kernels of one instruction set for the elements of a caller's own columns, which may begin at any address.
///
/// Counts are multiples of ``laneCountOfTile``. A program that is compiled with `REAL_TIME_ONLY` has none of them, as for
/// ``BakeKernels``.
@safe
public struct ElementKernels: Sendable {
  #if !REAL_TIME_ONLY
    /// Evaluates springs at ages: elements, their number, seconds that are added to all ages.
    public let evaluate: @Sendable (SpringElements, Int, Double) -> Void
    /// Takes a step: elements, their number, seconds.
    public let step: @Sendable (StepElements, Int, Double) -> Void
    /// Computes the factors of a step, to be kept: springs, their number, seconds, factors.
    public let keepSteps: @Sendable (SpringNumbers, Int, Double, StepNumbers) -> Void
    /// Evaluates a curve: its pieces, elements, their number.
    public let ease: @Sendable (PieceTable, EaseElements, Int) -> Void
    /// Converts colours in place.
    public let convertColors: @Sendable (ColorColumns, ColorSteps) -> Void
  #endif

  @export(implementation) @inline(__always)
  init<I: InstructionSet>(_: I.Type) {
    #if !REAL_TIME_ONLY
      evaluate = { I.evaluateElements($0, count: $1, now: $2) }
      step = { I.stepElements($0, count: $1, seconds: $2) }
      keepSteps = { I.keepSteps($0, count: $1, seconds: $2, $3) }
      ease = { I.easeElements($0, $1, count: $2) }
      convertColors = { I.convert($0, $1) }
    #endif
  }
}

/// A column of the numbers of some elements, or one number for all of them: then it is a tile that holds the number in all
/// lanes.
public struct ElementColumn {
  public var column: ConstantColumn<Float>
  /// The bits of an element's index by which its number is found.
  @usableFromInline var mask: Int

  /// A number for each element.
  public init(_ column: ConstantColumn<Float>) { (self.column, mask) = (column, -1) }

  /// One number for all elements.
  public init(tile: ConstantColumn<Float>) { (column, mask) = (tile, laneCountOfTile &- 1) }

  @export(implementation) @inline(__always)
  func lanes<I: InstructionSet>(_: I.Type, _ index: Int) -> I.Floats { I.load(column, index & mask) }
}

/// The springs of some elements, or one spring for all of them in all lanes of a tile.
public struct SpringNumbers: BitwiseCopyable {
  /// κ and the decay rate, as in `SpringColumns`.
  public var rate: Column<Double>
  public var decay: Column<Float>
  /// 1/κ; 0 for a spring of duration 0.
  public var perκ: Column<Double>
  /// The sum of both decay rates and ω₀², as in `FollowColumns`.
  public var damping: Column<Float>
  public var squaredFrequency: Column<Float>
  /// Whether there is one spring for all elements.
  public var isUniform: Bool

  public init(
    rate: Column<Double>, decay: Column<Float>, perκ: Column<Double>, damping: Column<Float>,
    squaredFrequency: Column<Float>, isUniform: Bool
  ) {
    (self.rate, self.decay, self.perκ) = (rate, decay, perκ)
    (self.damping, self.squaredFrequency, self.isUniform) = (damping, squaredFrequency, isUniform)
  }

  /// The springs of the elements from one on.
  public func from(_ index: Int) -> SpringNumbers {
    isUniform
      ? self
      : SpringNumbers(
        rate: rate + index, decay: decay + index, perκ: perκ + index, damping: damping + index,
        squaredFrequency: squaredFrequency + index, isUniform: false)
  }
}

#if !REAL_TIME_ONLY
  /// Elements that move by springs. A result may be written where an input of the same element stands.
  public struct SpringElements {
    public var springs: SpringNumbers
    /// Values, velocities per second and targets at age 0.
    public var values, velocities, targets: ElementColumn
    /// Seconds, 0 or more.
    public var ages: ElementColumn
    /// Output.
    public var newValues: Column<Float>
    /// Output; nil for values alone.
    public var newVelocities: Column<Float>?

    public init(
      springs: SpringNumbers, values: ElementColumn, velocities: ElementColumn, targets: ElementColumn,
      ages: ElementColumn, newValues: Column<Float>, newVelocities: Column<Float>?
    ) {
      (self.springs, self.values, self.velocities) = (springs, values, velocities)
      (self.targets, self.ages, self.newValues, self.newVelocities) = (targets, ages, newValues, newVelocities)
    }
  }

  /// The factors of a step of each spring.
  public struct StepNumbers: BitwiseCopyable {
    /// The first of ``FollowColumns/factorCount`` columns.
    public var factors: Column<Float>
    /// Floats from a factor to the next one.
    public var stride: Int

    public init(_ factors: Column<Float>, stride: Int) { (self.factors, self.stride) = (factors, stride) }

    /// The factors of the elements from one on.
    public func from(_ index: Int) -> StepNumbers { StepNumbers(factors + index, stride: stride) }
  }

  /// Elements that take a step towards their targets.
  public struct StepElements {
    public var springs: SpringNumbers
    /// The factors of the springs, if they are kept.
    public var steps: StepNumbers?
    /// Changed in place.
    public var values, velocities: Column<Float>
    public var targets: ElementColumn

    public init(
      springs: SpringNumbers, steps: StepNumbers?, values: Column<Float>, velocities: Column<Float>,
      targets: ElementColumn
    ) {
      (self.springs, self.steps) = (springs, steps)
      (self.values, self.velocities, self.targets) = (values, velocities, targets)
    }
  }

  /// Elements whose progress in time becomes progress in value.
  public struct EaseElements {
    public var progress: ElementColumn
    /// Where values begin and end; nil for shares of the way.
    public var range: (from: ElementColumn, to: ElementColumn)?
    /// Output.
    public var values: Column<Float>
    /// The shares of a progress of 0 or less, and of 1 or more.
    public var first, last: Float

    public init(
      progress: ElementColumn, range: (from: ElementColumn, to: ElementColumn)?, values: Column<Float>, first: Float,
      last: Float
    ) {
      (self.progress, self.range, self.values, self.first, self.last) = (progress, range, values, first, last)
    }
  }
#endif
