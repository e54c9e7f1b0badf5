// SPDX-License-Identifier: MIT

/// A player's note for the check: a watched track got a new target.
///
/// The batch decides when exactly a track comes to rest, within its promise. The reference must know whether a track was at
/// rest, since the next motion starts from there.
package struct RetargetNote {
  /// The index of the track in its group.
  package var track: Int
  /// The time in seconds.
  package var time: Double
  /// Whether the track was at rest before.
  package var wasAtRest: Bool
}
