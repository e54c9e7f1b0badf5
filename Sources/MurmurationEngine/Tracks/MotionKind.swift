// SPDX-License-Identifier: MIT

/// The kind of motion of a track; and of the tracks of a tile, by which it is planned: which kernel runs over them.
///
/// Families, such as springs, are kinds, and each clip that many tracks play is a kind of its own.
struct MotionKind: Hashable, Sendable {
  /// The list that the index of a kind refers to.
  private enum Sort: Int32 { case family, clip }

  /// Twice the index, plus the sort.
  private let number: Int32

  private init(_ sort: Sort, _ index: Int) { number = Int32(index) * 2 + sort.rawValue }

  /// A track that stands and follows nothing, or is paused. No tile is planned for this kind.
  static let still = MotionKind(.family, -1)
  /// Animations whose values are computed track by track, in Double: custom ones, and effects that kernels do not
  /// evaluate. No tile is planned for this kind.
  static let called = MotionKind(.family, -2)
  /// Springs of any bounce, and decelerations. In plans, tiles of any tracks.
  static let spring = MotionKind(.family, 0)
  /// Clips of which each track has a copy of the piece that it shows, unless values have many components. In plans, tiles with
  /// no other tracks.
  static let pieces = MotionKind(.family, 1)
  /// Tracks that follow goals, step by step. In plans, tiles with no other tracks.
  static let following = MotionKind(.family, 2)
  /// Effects along curves, on top of a spring or of where the track stood. In plans, tiles with such tracks.
  static let curves = MotionKind(.family, 3)

  /// A number for each family.
  typealias PerFamily<Number> = InlineArray<4, Number>

  /// Tracks that play one clip, whose tables tell the piece of each. In plans, tiles with no other tracks.
  static func clip(_ index: Int) -> MotionKind { MotionKind(.clip, index) }

  /// The index of a family that tiles are planned for; nil for other kinds.
  var family: Int? { number >= 0 ? index(.family) : nil }

  /// The index of the clip that tracks play; nil for other kinds.
  var clip: Int? { index(.clip) }

  private func index(_ sort: Sort) -> Int? { number & 1 == sort.rawValue ? Int(number >> 1) : nil }

  /// Whether tracks play clips.
  var isClip: Bool { self == .pieces || clip != nil }
}
