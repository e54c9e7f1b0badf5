// SPDX-License-Identifier: MIT

/// The basis of a motion at one time, rounded from Double: the factors of displacement and amplitude in the value and
/// in the velocity.
public struct MotionBasis: Sendable, Equatable, BitwiseCopyable {
  public var valueOfDisplacement: Float
  public var valueOfAmplitude: Float
  public var velocityOfDisplacement: Float
  public var velocityOfAmplitude: Float

  public init(
    valueOfDisplacement: Float, valueOfAmplitude: Float, velocityOfDisplacement: Float, velocityOfAmplitude: Float
  ) {
    self.valueOfDisplacement = valueOfDisplacement
    self.valueOfAmplitude = valueOfAmplitude
    self.velocityOfDisplacement = velocityOfDisplacement
    self.velocityOfAmplitude = velocityOfAmplitude
  }

  /// The basis of a motion that is over.
  public static let rest = MotionBasis(
    valueOfDisplacement: 0, valueOfAmplitude: 0, velocityOfDisplacement: 0, velocityOfAmplitude: 0)
}

/// The columns of numbers that bases of motions follow from, padded to whole tiles.
public struct BasisColumns {
  /// Seconds on the batch's clock.
  public var start: ConstantColumn<Double>
  /// As in `SpringColumns`: negative for oscillating springs, positive for overdamped ones.
  public var rate: ConstantColumn<Double>
  /// The decay rate, per second.
  public var α: ConstantColumn<Double>
  /// κ, per second.
  public var κ: ConstantColumn<Double>

  public init(
    start: ConstantColumn<Double>, rate: ConstantColumn<Double>, α: ConstantColumn<Double>, κ: ConstantColumn<Double>
  ) {
    self.start = start
    self.rate = rate
    self.α = α
    self.κ = κ
  }
}

/// The bases of a vector of motions.
@usableFromInline struct BasisVector<I: InstructionSet> {
  @usableFromInline var values: (displacement: I.Floats, amplitude: I.Floats)
  @usableFromInline var velocities: (displacement: I.Floats, amplitude: I.Floats)

  @export(implementation) @inline(__always)
  init(start: I.Doubles, rate: I.Doubles, α: I.Doubles, κ: I.Doubles, now: Double) {
    let now = I.splatDouble(now)
    self.init(Transition(rate: rate, α: α, age: now - start), α: α, κ: κ)
  }

  @export(implementation) @inline(__always)
  init(_ to: Transition<I>, α: I.Doubles, κ: I.Doubles) {
    values = (I.narrow(to.c), I.narrow(to.s))
    velocities = (I.narrow(I.Doubles.zero - α * to.c - κ * to.g), I.narrow(κ * to.d - α * to.s))
  }

  /// Replaces the basis by the basis of rest in some lanes.
  @export(implementation) @inline(__always)
  mutating func clear(where gone: I.Ints) {
    values = (I.clear(values.displacement, where: gone), I.clear(values.amplitude, where: gone))
    velocities = (I.clear(velocities.displacement, where: gone), I.clear(velocities.amplitude, where: gone))
  }

  @export(implementation) @inline(__always)
  subscript(lane: Int) -> MotionBasis {
    MotionBasis(
      valueOfDisplacement: values.displacement[lane], valueOfAmplitude: values.amplitude[lane],
      velocityOfDisplacement: velocities.displacement[lane], velocityOfAmplitude: velocities.amplitude[lane])
  }
}

extension InstructionSet {
  /// The basis in one lane of a vector of motions.
  @export(implementation) @inline(__always)
  public static func basis(
    start: Doubles, rate: Doubles, α: Doubles, κ: Doubles, now: Double, lane: Int
  ) -> MotionBasis {
    BasisVector<Self>(start: start, rate: rate, α: α, κ: κ, now: now)[lane]
  }

  /// Computes the bases of `count` motions at a time, padded to whole tiles, in Double.
  @export(implementation) @inline(__always)
  public static func evaluateBases(
    _ columns: BasisColumns, count: Int, now: Double, _ bases: Column<MotionBasis>
  ) {
    var index = 0
    while index < count {
      let vector = BasisVector<Self>(
        start: columns.start.lanes(at: index, as: Doubles.self),
        rate: columns.rate.lanes(at: index, as: Doubles.self),
        α: columns.α.lanes(at: index, as: Doubles.self),
        κ: columns.κ.lanes(at: index, as: Doubles.self), now: now)
      for lane in 0..<Floats.scalarCount {
        bases[index &+ lane] = vector[lane]
      }
      index &+= Floats.scalarCount
    }
  }
}
