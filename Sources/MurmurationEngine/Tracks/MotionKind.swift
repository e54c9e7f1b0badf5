// SPDX-License-Identifier: MIT

/// The kind of motion of a track; and of the tracks of a tile: which kernel runs over them.
///
/// Families, such as springs, are kinds, and each clip that many tracks play is a kind of its own.
struct MotionKind: Hashable, Sendable {
  /// The list that the index of a kind refers to.
  private enum Sort: Int32 { case family, clip }

  /// Twice the index, plus the sort.
  private let number: Int32

  private init(_ sort: Sort, _ index: Int) { number = Int32(index) * 2 + sort.rawValue }

  /// A track that stands and follows nothing, or is paused. Frames leave tiles of such tracks out.
  static let still = MotionKind(.family, -1)
  /// Custom animations, whose values are computed track by track, in Double. No tile is of this kind.
  static let called = MotionKind(.family, -2)
  /// Springs of any bounce, and decelerations. Tiles of any tracks.
  static let spring = MotionKind(.family, 0)
  /// Clips of which each track has a copy of the piece that it shows, unless values have many components. Tiles with
  /// no other tracks.
  static let pieces = MotionKind(.family, 1)
  /// Tracks that follow goals, step by step. Tiles with no other tracks.
  static let following = MotionKind(.family, 2)
  /// Effects along curves, on top of a spring or of where the track stood. Tiles with such tracks.
  static let curves = MotionKind(.family, 3)

  /// A number for each family that tiles may have.
  typealias PerFamily<Number> = InlineArray<4, Number>

  /// Tracks that play one clip, whose tables tell the piece of each. Tiles with no other tracks.
  static func clip(_ index: Int) -> MotionKind { MotionKind(.clip, index) }

  /// The index of a family that tiles may have; nil for other kinds.
  var family: Int? { number >= 0 ? index(.family) : nil }

  /// The index of the clip that tracks play; nil for other kinds.
  var clip: Int? { index(.clip) }

  private func index(_ sort: Sort) -> Int? { number & 1 == sort.rawValue ? Int(number >> 1) : nil }

  /// Whether tracks play clips.
  var isClip: Bool { self == .pieces || clip != nil }
}
