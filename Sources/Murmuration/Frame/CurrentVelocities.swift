// SPDX-License-Identifier: MIT
import Kernels

/// The rows whose velocity in the column is that of the current time. A frame may leave velocities out.
struct CurrentVelocities {
  /// Whether the last frame computed all velocities.
  private var frameHasThem = true
  /// After a frame without velocities: the lanes of each tile whose velocity was computed or set since.
  private(set) var lanes: [UInt16] = []
  /// Whether some lanes may be marked.
  private(set) var someAreMarked = false

  /// Begins a frame.
  mutating func begin(frameHasThem: Bool, tiles: Int) {
    self.frameHasThem = frameHasThem
    guard !frameHasThem else { return }
    if lanes.count < tiles { lanes.append(contentsOf: repeatElement(0, count: tiles - lanes.count)) }
    guard someAreMarked else { return }
    someAreMarked = false
    for tile in lanes.indices { lanes[tile] = 0 }
  }

  /// Makes room for more tiles.
  mutating func grow(to tiles: Int) {
    if !frameHasThem, lanes.count < tiles {
      lanes.append(contentsOf: repeatElement(0, count: tiles - lanes.count))
    }
  }

  /// Whether the velocities of all rows are current.
  var areComplete: Bool { frameHasThem }

  /// The lanes of a tile whose velocity is current.
  func current(_ tile: Int) -> UInt16 { frameHasThem ? .max : lanes[tile] }

  /// Notes that the velocity of a row was set.
  @inline(__always)
  mutating func mark(_ row: Int) {
    guard !frameHasThem else { return }
    lanes[row / laneCountOfTile] |= TileStore.bit(row)
    someAreMarked = true
  }

  /// Notes whether the velocity that a track has brought to its new row is current.
  mutating func set(_ row: Int, isCurrent: Bool) {
    if isCurrent {
      mark(row)
    } else if !frameHasThem {
      lanes[row / laneCountOfTile] &= ~TileStore.bit(row)
    }
  }

  /// Notes that a tile is evaluated again without velocities.
  mutating func forget(_ tile: Int) {
    if !frameHasThem { lanes[tile] = 0 }
  }

  /// Notes that the velocities of all lanes of a tile are current.
  @inline(__always)
  mutating func markAll(ofTile tile: Int) {
    guard !frameHasThem else { return }
    lanes[tile] = .max
    someAreMarked = true
  }

  /// Notes that all velocities of the current time were computed.
  mutating func complete() { frameHasThem = true }
}
