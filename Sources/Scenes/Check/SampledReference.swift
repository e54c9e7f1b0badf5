// SPDX-License-Identifier: MIT
import Reference

/// Some tracks of a group as the model moves them, where nothing has to be known of the player.
protocol SampledReference {
  /// The number of the group in its scene.
  var index: Int { get }
  /// The numbers of the tracks, ascending.
  var tracks: [Int] { get }

  /// Plays what happens until `time`.
  mutating func play(to time: Double) throws
  /// What a component of the track at a place of `tracks` shows at `time`, and how far a batch may be from it.
  func sample(_ position: Int, _ component: Int, at time: Double) -> MotionSample
}
