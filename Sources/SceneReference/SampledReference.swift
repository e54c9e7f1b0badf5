// SPDX-License-Identifier: MIT
import MurmurationReference
import Scenes

/// The motion of some tracks of a group by the model, without any notes of the player.
protocol SampledReference {
  /// The index of the group in its scene.
  var index: Int { get }
  /// The indices of the tracks, ascending.
  var tracks: [Int] { get }

  /// Plays the motion until `time`.
  mutating func play(to time: Double) throws
  /// The state of a component of the track at a position of `tracks` at `time`, and how far a batch may be from it.
  func sample(_ position: Int, _ component: Int, at time: Double) -> MotionSample
}
