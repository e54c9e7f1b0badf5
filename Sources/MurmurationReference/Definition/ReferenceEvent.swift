// SPDX-License-Identifier: MIT
package import Murmuration

/// An event that a batch must report about a track, or may.
package struct ReferenceEvent: Equatable, Sendable {
  /// The events at the end of every motion.
  static let completion: Set<AnimationEvent.Kind> = [.logicallyComplete, .settled]

  /// The kind of the event. The first iteration of a playback has no event. If several iterations begin between two frames,
  /// the last of them has one.
  package let kind: AnimationEvent.Kind
  /// The iteration or the phase; 0 for other events.
  package var number = 0
  /// The number of the change that began the motion, or of the call that began the schedule.
  package let change: Int
  /// When it happens, on the batch's clock: from the first right moment to the last. A batch whose clock has passed the
  /// last must have reported it.
  package var moment: ClosedRange<Double>
}
