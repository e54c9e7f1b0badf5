// SPDX-License-Identifier: MIT
import Kernels

/// Which curve the lanes of each tile follow. Every tile is of one kind, so that its lanes share the pieces of their curve.
///
/// Kind 0 is that of tracks which no kernel evaluates. A kind takes its tiles from groups of neighbours that it has claimed,
/// as long as there are groups that nobody has: what a kernel looks up for a curve it then looks up for many lanes.
struct CurveTiles {
  static let own: Int32 = 0
  private static let free: Int32 = -1
  /// Tiles of a group.
  private static let groupSize = 16

  private(set) var kinds: [Int32] = []
  /// The lanes that have a track, lane 0 lowest, and those that move.
  private(set) var live: [UInt16] = []
  private(set) var moving: [UInt16] = []
  /// Tiles of each kind that have a lane free; the last is filled first.
  private var open: [[UInt32]] = [[]]
  /// Where each open tile stands among those.
  private var openPlaces: [UInt32] = []
  /// The tiles of each group that are nobody's, and the kind that has claimed it.
  private var freeInGroup: [UInt16] = []
  private var claims: [Int32] = []
  /// Groups that nobody has claimed; the last is taken first.
  private var spareGroups: [UInt32] = []
  /// The group from which each kind last took a tile.
  private var groups: [Int32] = [-1]
  /// Where the last tile was found that came from no group of its kind.
  private var lastFound = 0
  /// Tracks of each kind.
  private(set) var counts: [Int] = [0]
  /// Whether other tiles have lanes that move than when this was last set to false.
  var hasChanged = true

  /// Tiles there is memory for.
  var capacity: Int { kinds.count }
  /// Tiles that are nobody's.
  private(set) var freeCount = 0

  mutating func grow(to tiles: Int) {
    let more = max(0, tiles - capacity)
    let (old, new) = (freeInGroup.count, (capacity + more + Self.groupSize - 1) / Self.groupSize)
    freeInGroup.append(contentsOf: repeatElement(0, count: new - old))
    claims.append(contentsOf: repeatElement(Self.free, count: new - old))
    spareGroups = (old..<new).reversed().map(UInt32.init) + spareGroups
    for tile in capacity..<capacity + more {
      freeInGroup[tile / Self.groupSize] |= 1 << UInt16(tile % Self.groupSize)
    }
    freeCount += more
    kinds.append(contentsOf: repeatElement(Self.free, count: more))
    live.append(contentsOf: repeatElement(0, count: more))
    moving.append(contentsOf: repeatElement(0, count: more))
    openPlaces.append(contentsOf: repeatElement(0, count: more))
  }

  /// Makes sure that there is a kind.
  mutating func addKind(_ kind: Int) {
    while open.count <= kind {
      open.append([])
      counts.append(0)
      groups.append(-1)
    }
  }

  /// Whether a tile is open or free in which a track of a kind finds a lane.
  func hasRoom(_ kind: Int32) -> Bool { freeCount > 0 || !open[Int(kind)].isEmpty }

  /// Takes a lane in a tile of a kind; there must be an open or a free tile.
  mutating func takeLane(_ kind: Int32) -> Int {
    if open[Int(kind)].isEmpty {
      let tile = take(kind)
      kinds[tile] = kind
      openPlaces[tile] = 0
      open[Int(kind)].append(UInt32(tile))
    }
    let tile = Int(open[Int(kind)][open[Int(kind)].count - 1])
    let lane = (~live[tile]).trailingZeroBitCount
    live[tile] |= 1 << UInt16(lane)
    counts[Int(kind)] += 1
    if live[tile] == .max {
      open[Int(kind)].removeLast()
    }
    return tile * laneCountOfTile + lane
  }

  /// Takes a free tile, of which there must be one.
  private mutating func take(_ kind: Int32) -> Int {
    var group = Int(groups[Int(kind)])
    if group < 0 || claims[group] != kind || freeInGroup[group] == 0 {
      if let spare = spareGroups.popLast() {
        group = Int(spare)
        claims[group] = kind
      } else {
        group = lastFound
        while freeInGroup[group] == 0 {
          group = (group + 1) % freeInGroup.count
        }
        lastFound = group
      }
      groups[Int(kind)] = Int32(group)
    }
    let place = freeInGroup[group].trailingZeroBitCount
    freeInGroup[group] &= ~(1 << UInt16(place))
    freeCount -= 1
    return group * Self.groupSize + place
  }

  /// Gives back a tile without tracks.
  private mutating func giveBack(_ tile: Int) {
    kinds[tile] = Self.free
    let group = tile / Self.groupSize
    freeInGroup[group] |= 1 << UInt16(tile % Self.groupSize)
    freeCount += 1
    if freeInGroup[group] == .max, claims[group] != Self.free {
      claims[group] = Self.free
      spareGroups.append(UInt32(group))
    }
  }

  /// Frees the lane of a track.
  mutating func vacate(_ row: Int) {
    setMoving(row, false)
    let tile = row / laneCountOfTile
    let kind = Int(kinds[tile])
    if live[tile] == .max {
      openPlaces[tile] = UInt32(open[kind].count)
      open[kind].append(UInt32(tile))
    }
    live[tile] &= ~(1 << UInt16(row % laneCountOfTile))
    counts[kind] -= 1
    if live[tile] == 0 {
      // The last of the open ones takes its place among them.
      let last = open[kind].removeLast()
      if Int(last) != tile {
        open[kind][Int(openPlaces[tile])] = last
        openPlaces[Int(last)] = openPlaces[tile]
      }
      giveBack(tile)
    }
  }

  /// Notes whether the track of a lane moves.
  mutating func setMoving(_ row: Int, _ moves: Bool) {
    let tile = row / laneCountOfTile
    let bit = UInt16(1) << UInt16(row % laneCountOfTile)
    let before = moving[tile]
    moving[tile] = moves ? before | bit : before & ~bit
    if (before == 0) != (moving[tile] == 0) {
      hasChanged = true
    }
  }

  /// Whether the track of a lane moves.
  func isMoving(_ row: Int) -> Bool {
    moving[row / laneCountOfTile] & (1 << UInt16(row % laneCountOfTile)) != 0
  }

  func kind(ofRow row: Int) -> Int32 { kinds[row / laneCountOfTile] }

  // MARK: - Compacting

  /// Puts a track into a tile of a kind that is being filled in order.
  mutating func place(_ row: Int, kind: Int32, isMoving: Bool) {
    let tile = row / laneCountOfTile
    if kinds[tile] == Self.free {
      let group = tile / Self.groupSize
      kinds[tile] = kind
      freeInGroup[group] &= ~(1 << UInt16(tile % Self.groupSize))
      freeCount -= 1
      claims[group] = kind
      groups[Int(kind)] = Int32(group)
    }
    live[tile] |= 1 << UInt16(row % laneCountOfTile)
    counts[Int(kind)] += 1
    setMoving(row, isMoving)
  }

  /// Opens the tiles that have a lane free, once all tracks have their places.
  mutating func openPartial() {
    spareGroups.removeAll { claims[Int($0)] != Self.free }
    for tile in kinds.indices where kinds[tile] != Self.free && live[tile] != .max {
      let kind = Int(kinds[tile])
      openPlaces[tile] = UInt32(open[kind].count)
      open[kind].append(UInt32(tile))
    }
  }

  // MARK: - Frames

  /// The tiles in which something moves that a kernel evaluates, as runs of one curve each, and how many tiles there are up
  /// to the end of each.
  func collectRuns(into runs: inout [ClipRun], _ ends: inout [Int]) {
    runs.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    var count = 0
    for tile in kinds.indices where moving[tile] != 0 && kinds[tile] > Self.own {
      let clip = Int(kinds[tile])
      count += 1
      if let last = runs.last, last.clip == clip, last.firstLane + last.laneCount == tile * laneCountOfTile {
        runs[runs.count - 1].laneCount += laneCountOfTile
        ends[ends.count - 1] = count
      } else {
        runs.append(ClipRun(firstLane: tile * laneCountOfTile, laneCount: laneCountOfTile, clip: clip))
        ends.append(count)
      }
    }
  }
}
