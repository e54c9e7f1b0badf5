// SPDX-License-Identifier: MIT
import AnimationModel

/// What a call has a track do: the fastest motion that means what an animation means.
enum MotionRequest: Sendable {
  /// To be at the goal at once.
  case jump
  /// A spring that takes over from what it does, with value and velocity.
  case spring(SpringCoefficients)
  /// A curve from where it stands; where it moves, its effect adds up, which the model computes.
  case curve(UnitCurve, duration: Double)
  /// Anything else, which the model computes.
  case called(Animation)

  /// What an animation means.
  ///
  /// - Throws: ``BatchError/invalidAnimation(index:reason:)`` with the given index if batches do not accept it.
  init(_ animation: Animation?, index: Int = 0) throws(BatchError) {
    guard let animation else {
      self = .jump
      return
    }
    do throws(AnimationDefect) {
      switch animation.structure {
      case .spring(let spring):
        if let defect = BatchLimits.defect(of: spring) { throw AnimationDefect(reason: defect) }
        self = .spring(SpringCoefficients(accepted: spring))
      case .curve(let curve, let duration):
        try Animation.check(curve, duration: duration)
        self = .curve(curve, duration: duration)
      default:
        try animation.check()
        self = .called(animation)
      }
    } catch {
      throw .invalidAnimation(index: index, reason: error.reason)
    }
  }

  /// The columns that it needs.
  var columns: Engine.ColumnGroups {
    switch self {
    case .jump, .called: []
    case .spring: .springs
    case .curve: .curves
    }
  }
}
