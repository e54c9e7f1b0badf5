// SPDX-License-Identifier: MIT

/// What the tracks of a tile do: which kernel runs over them, and which data they share.
///
/// Most kinds take any track whose motion is of that kind. Each cohort is a kind of its own, whose tiles have the tracks of
/// that cohort alone.
struct MotionKind: Hashable, Sendable {
  private let number: Int32

  /// No track: the tile is free.
  static let free = MotionKind(number: -1)
  /// Tracks that stand at their targets and follow nothing.
  static let still = MotionKind(number: 0)
  /// Tracks of cohorts too small for tiles of their own.
  static let shared = MotionKind(number: 1)
  /// Springs with a start of their own, bounce ≥ 0.
  static let oscillating = MotionKind(number: 2)
  /// Springs with a start of their own, bounce < 0, and decelerations.
  static let overdamped = MotionKind(number: 3)

  /// Animations whose values the model computes, track by track: curves and springs whose effects add up, custom ones.
  static let called = MotionKind(number: 4)

  /// Clips that share tiles, each track with a copy of the piece that it shows.
  static let pieces = MotionKind(number: 5)

  /// How many kinds take any track of theirs.
  static let familyCount = 6

  /// The tracks of one cohort.
  static func cohort(_ index: Int) -> MotionKind { MotionKind(number: Int32(familyCount + 2 * index)) }

  /// The tracks that play one clip, which many play.
  static func clip(_ index: Int) -> MotionKind { MotionKind(number: Int32(familyCount + 2 * index + 1)) }

  /// The number of a kind that takes any track of its; nil for a cohort, for a clip and for a free tile.
  var family: Int? { 0..<Int32(Self.familyCount) ~= number ? Int(number) : nil }

  /// The cohort whose tracks these are; nil for other kinds.
  var cohort: Int? { number >= Int32(Self.familyCount) && isEven ? (Int(number) - Self.familyCount) / 2 : nil }

  /// The clip that these tracks play, all of them; nil for other kinds.
  var clip: Int? { number > Int32(Self.familyCount) && !isEven ? (Int(number) - Self.familyCount) / 2 : nil }

  private var isEven: Bool { number & 1 == 0 }

  /// The list of tiles with a free lane in which a track of the kind finds one; nil for cohorts, which are filled in order.
  var openList: Int? { family ?? clip.map { Self.familyCount + $0 } }

  /// Whether each track has a spring and a start of its own.
  var isMixed: Bool { self == .oscillating || self == .overdamped }

  /// Whether tracks follow springs or decelerations.
  var isSpring: Bool { 0 < number && number < 4 || number >= Int32(Self.familyCount) && isEven }

  /// Whether tracks play clips.
  var isClip: Bool { self == .pieces || clip != nil }

  /// Where tracks of the kind come when rows are put in order.
  var order: Int32 { number }
}
