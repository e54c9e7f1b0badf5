// SPDX-License-Identifier: MIT
import Kernels

/// The tracks whose velocity in the column is that of the current time. A frame may leave velocities out.
struct CurrentVelocities: ~Copyable {
  /// Whether the velocities of all tracks are current.
  private(set) var areComplete = true
  /// Whether callers may read the column: the last frame was asked for all velocities, or a call needed them since.
  private(set) var areAsked = true
  /// The number of tracks whose velocities calls needed since the last frame.
  private(set) var neededCount = 0
  /// After a frame without velocities: the lanes of each tile whose velocity was computed or set since.
  private(set) var lanes = OwnedColumn<UInt16>()
  /// Whether some lanes may be marked.
  private(set) var someAreMarked = false

  /// The estimated number of tiles of a run whose velocities take as long as those of one track by itself.
  static let tilesPerTrack = 6

  /// Begins a frame.
  ///
  /// - Parameters:
  ///   - asked: Whether it is asked for velocities.
  ///   - tiles: The number of tiles that were taken.
  ///   - capacity: The number of tiles for which there is memory.
  /// - Returns: Whether it has to compute them. It does so also after calls that needed many: a program that sends tracks
  ///   to new goals in each frame needs them again, and here they take less time than one by one in its calls.
  mutating func begin(asked: Bool, tiles: Int, capacity: Int) -> Bool {
    (areAsked, areComplete) = (asked, asked || neededCount >= max(1, tiles / Self.tilesPerTrack))
    neededCount = 0
    guard !areComplete else { return true }
    lanes.grow(to: capacity, with: 0)
    guard someAreMarked else { return false }
    someAreMarked = false
    for tile in lanes.indices { lanes[tile] = 0 }
    return false
  }

  mutating func code(_ coder: inout StateCoder) {
    lanes.code(&coder)
    coder.code(&areComplete)
    coder.code(&areAsked)
    coder.code(&neededCount)
    coder.code(&someAreMarked)
  }

  /// Makes room for more tiles.
  mutating func grow(to tiles: Int) {
    if !areComplete { lanes.grow(to: tiles, with: 0) }
  }

  /// The lanes of a tile whose velocity is current.
  func current(_ tile: Int) -> UInt16 { areComplete ? .max : lanes[tile] }

  /// Notes that the velocity of a track was set.
  @inline(__always)
  mutating func mark(_ index: Int) {
    guard !areComplete else { return }
    lanes[TileStore.tile(index)] |= TileStore.bit(index)
    someAreMarked = true
  }

  /// Notes that lanes of a tile are evaluated again without velocities.
  mutating func forget(_ evaluated: UInt16, of tile: Int) {
    if !areComplete { lanes[tile] &= ~evaluated }
  }

  /// Notes that the velocities of all lanes of a tile are current.
  @inline(__always)
  mutating func markAll(ofTile tile: Int) {
    guard !areComplete else { return }
    lanes[tile] = .max
    someAreMarked = true
  }

  /// Notes that calls need the velocities of some tracks.
  @inline(__always)
  mutating func need(_ count: Int) { neededCount += count }

  /// Notes that all velocities were computed that were not current, and may be read.
  mutating func complete() { (areComplete, areAsked) = (true, true) }
}
