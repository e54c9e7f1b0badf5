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
  /// Anything else, which the model computes.
  case called(Animation)

  /// Whether it jumps.
  var jumps: Bool { if case .jump = self { true } else { false } }

  /// The motion of an animation; a jump for nil.
  ///
  /// - Throws: ``BatchError/invalidAnimation(index:reason:)`` with the given index if batches do not accept it.
  @inline(__always)
  init(_ animation: Animation?, index: Int = 0) throws(BatchError) {
    do throws(AnimationDefect) {
      // Found first, without a copy of the animation.
      if let (curve, duration) = animation?.plainCurve {
        try Animation.check(curve, duration: duration)
        self = .curve(curve, duration: duration)
        return
      }
      guard let animation else {
        self = .jump
        return
      }
      if let spring = try animation.checkedSpring() {
        self = .spring(SpringCoefficients(accepted: spring))
      } else {
        try animation.check()
        let program = Progress(animation, includesSprings: true).map { CurveProgram($0) }
        if let program, program.isSteady { self = .program(program) } else { self = .called(animation) }
      }
    } catch {
      throw .invalidAnimation(index: index, reason: error.reason)
    }
  }

  /// Whether it may add its effect to the motion of a track.
  var addsUp: Bool {
    switch self {
    case .jump, .spring: false
    case .curve, .program, .called: true
    }
  }

  /// The columns that it needs. A track that stands after a jump has a row of springs.
  var columns: Engine.ColumnGroups {
    switch self {
    case .called: []
    case .jump, .spring: .springs
    case .curve, .program: .curves
    }
  }
}

extension Animation {
  /// The coefficients of a spring that is not modified; nil for any other animation.
  ///
  /// - Throws: ``BatchError/invalidAnimation(index:reason:)`` with the given index if batches do not accept the spring.
  func coefficientsOfSpring(index: Int = 0) throws(BatchError) -> SpringCoefficients? {
    do throws(AnimationDefect) {
      return try checkedSpring().map { SpringCoefficients(accepted: $0) }
    } catch {
      throw .invalidAnimation(index: index, reason: error.reason)
    }
  }
}
