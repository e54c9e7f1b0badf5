// SPDX-License-Identifier: MIT

/// The motion that a call asks for: the fastest one that means the same as its animation.
enum MotionRequest: Sendable {
  /// A jump to the goal.
  case jump
  /// A spring, which takes over the value and velocity of the track.
  case spring(SpringCoefficients)
  /// A curve from where the track stands. If the track moves, the effect of the curve adds to its motion.
  case curve(UnitCurve, duration: Double)
  /// A modified curve, an interpolating spring or a modified spring, which adds its effect as a curve does.
  case program(CurveProgram)
  /// A custom animation, which the model computes.
  case called(Animation)

  /// The animation of a curve or of a modified animation; nil for others.
  var animation: Animation? {
    switch self {
    case .curve(let curve, let duration): .timingCurve(curve, duration: duration)
    case .program(let program): program.progress.animation
    case .jump, .spring, .called: nil
    }
  }

  /// Whether it is no spring.
  var isOther: Bool { if case .spring = self { false } else { true } }

  /// Whether it jumps.
  var jumps: Bool { if case .jump = self { true } else { false } }

  /// The motion of an animation; a jump for nil.
  ///
  /// - Throws: ``BatchError/invalidAnimation(index:reason:)`` with the given index if batches do not accept it.
  @inline(__always)
  init(_ animation: Animation?, index: Int = 0) throws(BatchError) {
    // Found first, without a copy of the animation.
    guard let (curve, duration) = animation?.plainCurve else {
      self = try Self.other(animation, index: index)
      return
    }
    try Self.check(curve, duration: duration, index: index)
    self = .curve(curve, duration: duration)
  }

  /// Throws ``BatchError/invalidAnimation(index:reason:)`` if batches do not accept a curve.
  static func check(_ curve: UnitCurve, duration: Double, index: Int = 0) throws(BatchError) {
    do throws(AnimationDefect) {
      try Animation.check(curve, duration: duration)
    } catch {
      throw .invalidAnimation(index: index, reason: error.reason)
    }
  }

  /// The motion of an animation that is no plain curve.
  private static func other(_ animation: Animation?, index: Int) throws(BatchError) -> MotionRequest {
    guard let animation else { return .jump }
    if let spring = try animation.coefficientsOfSpring(index: index) { return .spring(spring) }
    do throws(AnimationDefect) {
      try animation.check()
    } catch {
      throw .invalidAnimation(index: index, reason: error.reason)
    }
    return CurveProgram(animation).map { .program($0) } ?? .called(animation)
  }

  /// The columns that it needs. A track that stands after a jump is in those of springs.
  var columns: Engine.ColumnGroups {
    switch self {
    case .called, .jump, .spring: .springs
    case .curve, .program: [.springs, .curves]
    }
  }
}

extension Animation {
  /// The coefficients of a spring that is not modified; nil for any other animation.
  ///
  /// - Throws: ``BatchError/invalidAnimation(index:reason:)`` with the given index if batches do not accept the spring.
  func coefficientsOfSpring(index: Int = 0) throws(BatchError) -> SpringCoefficients? {
    do throws(AnimationDefect) {
      guard let spring = plainSpring else { return nil }
      try Self.check(spring, blendDuration: blendDuration)
      return SpringCoefficients(accepted: spring)
    } catch {
      throw .invalidAnimation(index: index, reason: error.reason)
    }
  }
}
