// SPDX-License-Identifier: MIT

/// The kind of motion of the tracks of a tile: which kernel runs over them, and which data they share.
///
/// A family, such as all springs, takes any track with such a motion. Each clip that many tracks play is a kind of its own,
/// and its tiles take its tracks alone.
struct MotionKind: Hashable, Sendable {
  /// The list that the index of a kind refers to.
  private enum Sort: Int32 { case family, clip }

  /// Twice the index, plus the sort.
  private let number: Int32

  private init(_ sort: Sort, _ index: Int) { number = Int32(index) * 2 + sort.rawValue }

  /// No track: the tile is free.
  static let free = MotionKind(.family, -1)
  /// A track that stands and follows nothing, or is paused: a track in a tile of springs. No tile is of this kind.
  static let still = MotionKind(.family, -2)
  /// Springs of any bounce, decelerations, and tracks that stand. Tracks of ``curves`` and
  /// of ``following``, and ``called`` ones, are among them.
  static let spring = MotionKind(.family, 0)
  /// Animations whose values are computed track by track, in Double: custom ones, and effects that kernels do not
  /// evaluate. A track in a tile of springs; no tile is of this kind.
  static let called = MotionKind(.family, -3)
  /// Clips that share tiles. Each track has a copy of the piece that it shows, unless values have many components.
  static let pieces = MotionKind(.family, 1)
  /// Tracks that follow goals, step by step: tracks in tiles of springs. In plans, tiles with such tracks and no others.
  static let following = MotionKind(.family, 2)
  /// Effects along curves, on top of a spring or of where the track stood: a track in a tile of springs. In plans, tiles
  /// with such tracks.
  static let curves = MotionKind(.family, 3)

  /// A number for each family: a kind whose tiles take any track with such a motion.
  typealias PerFamily<Number> = InlineArray<4, Number>
  static var familyCount: Int { PerFamily<Int>.count }

  /// The tracks of one clip that many tracks play.
  static func clip(_ index: Int) -> MotionKind { MotionKind(.clip, index) }

  /// The index of a family; nil for other kinds, and for a free tile.
  var family: Int? { number >= 0 ? index(.family) : nil }

  /// The index of the clip that all tracks of a tile play; nil for other kinds.
  var clip: Int? { index(.clip) }

  private func index(_ sort: Sort) -> Int? { number & 1 == sort.rawValue ? Int(number >> 1) : nil }

  /// The index of the list of tiles that have a free lane for the kind; nil for free tiles.
  @inline(__always)
  var openList: Int? {
    family ?? clip.map { Self.familyCount + $0 }
  }

  /// Whether tracks play clips.
  var isClip: Bool { self == .pieces || clip != nil }

  /// The position of the kind when rows are put in order.
  var order: Int32 { number }
}
