// SPDX-License-Identifier: MIT
import AnimationModel

/// What a call has a track do: the fastest motion that means what an animation means.
enum MotionRequest: Sendable {
  /// To be at the goal at once.
  case jump
  /// A spring that takes over from what it does, with value and velocity.
  case spring(SpringCoefficients)
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
    if case .spring(let spring) = animation.structure {
      if let defect = BatchLimits.defect(of: spring) { throw .invalidAnimation(index: index, reason: defect) }
      self = .spring(SpringCoefficients(accepted: spring))
      return
    }
    do throws(AnimationDefect) { try animation.check() } catch {
      throw .invalidAnimation(index: index, reason: error.reason)
    }
    self = .called(animation)
  }
}
