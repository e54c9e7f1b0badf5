// SPDX-License-Identifier: MIT

/// What a player notes for the check when a watched track gets a new target.
///
/// When exactly a track rests is the batch's business, within what it promises: the reference has to be told, since the
/// next motion starts from there.
struct RetargetNote {
  /// The number of the track in its group.
  var track: Int
  /// When, in seconds.
  var time: Double
  /// Whether the track was at rest before.
  var wasAtRest: Bool
}
