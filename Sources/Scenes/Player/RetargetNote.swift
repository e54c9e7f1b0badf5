// SPDX-License-Identifier: MIT

/// A note of a player for the check: a watched track got a new target.
///
/// The batch decides when exactly a track comes to rest, within its promise. The reference has to know it, since the
/// next motion starts from there.
struct RetargetNote {
  /// The index of the track in its group.
  var track: Int
  /// The time in seconds.
  var time: Double
  /// Whether the track was at rest before.
  var wasAtRest: Bool
}
