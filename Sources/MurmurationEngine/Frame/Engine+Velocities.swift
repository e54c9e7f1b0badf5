// SPDX-License-Identifier: MIT
import CProcessor
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
  /// - Returns: Whether it has to compute them. It does so also after calls that needed many: a program that sends tracks
  ///   to new goals in each frame needs them again, and here they take less time than one by one in its calls.
  mutating func begin(asked: Bool, tiles: Int) -> Bool {
    (areAsked, areComplete) = (asked, asked || neededCount >= max(1, tiles / Self.tilesPerTrack))
    neededCount = 0
    guard !areComplete else { return true }
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

  /// Makes room for more tiles; there must be memory.
  mutating func grow(to tiles: Int) { lanes.grow(to: tiles, with: 0) }

  /// The lanes of a tile whose velocity is current.
  func current(_ tile: Int) -> UInt16 { areComplete ? .max : lanes[tile] }

  /// Notes that the velocity of a track was set.
  @inline(__always)
  mutating func mark(_ index: Int) { mark(TileStore.bit(index), of: TileStore.tile(index)) }

  /// Notes that the velocities of lanes of a tile are current.
  @inline(__always)
  mutating func mark(_ current: UInt16, of tile: Int) {
    guard !areComplete else { return }
    lanes[tile] |= current
    someAreMarked = true
  }

  /// Notes that lanes of a tile are evaluated again without velocities.
  mutating func forget(_ evaluated: UInt16, of tile: Int) {
    if !areComplete { lanes[tile] &= ~evaluated }
  }

  /// Notes that calls need the velocities of some tracks.
  @inline(__always)
  mutating func need(_ count: Int) { neededCount += count }

  /// Notes that all velocities were computed that were not current, and may be read.
  mutating func complete() { (areComplete, areAsked) = (true, true) }
}

// Velocities that the last frame left out: the kernels of the frame compute them when they are read or taken over.
extension Engine {
  /// Computes the velocities of the current time, if the last frame left them out.
  mutating func computeAllVelocities() {
    velocities.need(tracks.tiles.end * laneCountOfTile)
    if !velocities.areComplete { computeVelocities(of: 0..<tracks.tiles.end) }
    velocities.complete()
  }

  /// Computes the velocities of the tiles between picked tracks if computing those of the tracks one by one would take longer.
  ///
  /// - Returns: Whether the velocities of all picked tracks are current.
  mutating func computeVelocitiesOfPicked() -> Bool {
    velocities.need(picks.count)
    guard !velocities.areComplete else { return true }
    let tiles = picks.tiles
    guard picks.count * CurrentVelocities.tilesPerTrack >= tiles.count else { return false }
    computeVelocities(of: tiles)
    return true
  }

  /// Computes the velocity of a track, if the last frame left velocities out.
  @inline(__always)
  mutating func computeVelocity(at index: Int) {
    let (tile, bit) = (TileStore.tile(index), TileStore.bit(index))
    velocities.need(1)
    guard !velocities.areComplete, currentVelocities(tile) & bit == 0 else { return }
    if standing(tile) & bit != 0 {
      for dimension in 0..<dimensions { tracks.columns.velocity[tracks.element(index, dimension)] = 0 }
      velocities.mark(index)
    } else {
      computeVelocities(of: tile..<tile + 1)
    }
  }

  /// Computes the velocities of some tiles.
  private mutating func computeVelocities(of tiles: Range<Int>) {
    var tile = tiles.lowerBound
    while tile < tiles.upperBound {
      // Those at the start whose tracks follow springs or stand, and lack their velocities.
      let springs = tiles.suffix(from: tile).prefix {
        tracks.tiles.moving[$0] != 0 && tracks.tiles.led[$0] | tracks.tiles.kept[$0] | velocities.current($0) == 0
      }
      if springs.isEmpty { computeVelocities(ofTile: tile) } else { computeVelocities(ofSprings: springs) }
      tile += max(1, springs.count)
    }
  }

  private mutating func computeVelocities(ofSprings tiles: Range<Int>) {
    for tile in tiles { velocities.mark(.max, of: tile) }
    var columns = springs.columns
    // The values stay as they are: kernels write a value before its velocity, and here both to the same element.
    columns.value = columns.velocity
    // What sleeps shows its velocity of 0.
    if tiles.count == 1 {
      guard !springs.watch.isAsleep(tiles.lowerBound) else { return }
      return table.evaluate(columns, LaneRun(tiles), uniformLane: nil, at: time, velocities: true)
    }
    springs.watch.loan(tracks.tiles).forEachStretch(tiles) { tiles, uniformLane in
      table.evaluate(columns, LaneRun(tiles), uniformLane: uniformLane, at: time, velocities: true)
    }
  }

  /// The lanes of a tile whose clips or curves show their targets.
  private func standing(_ tile: Int) -> UInt16 {
    (tracks.tiles.playing[tile] == 0 ? 0 : clips.tiles.own[tile])
      | (tracks.tiles.led[tile] == 0 ? 0 : curves.tiles.own[tile])
  }

  /// The lanes of a tile whose velocities the column has.
  private func currentVelocities(_ tile: Int) -> UInt16 {
    let playing = tracks.tiles.playing[tile]
    let areComputed = playing != 0 && clips.tiles.isEvaluated[tile]
    return velocities.current(tile) | tracks.tiles.kept[tile] & ~(areComputed ? playing : 0)
  }

  private mutating func computeVelocities(ofTile tile: Int) {
    let missing = tracks.tiles.live[tile] & ~currentVelocities(tile)
    guard missing != 0 else { return }
    velocities.mark(.max, of: tile)
    withVelocities(ofTile: tile) { computed in
      (tracks.columns.velocity + tile * laneCountOfTile).writeTile(
        missing, dimensions, from: computed, to: tracks.columns.dimensionStride)
    }
  }

  /// Lends the velocities of a tile at the current time, computed by the kernel of the frame: dimension 0 of all lanes,
  /// then dimension 1, … The velocities of tracks whose motion began at this very time are in the columns instead.
  func withVelocities<Result>(ofTile tile: Int, _ body: (Column<Float>) -> Result) -> Result {
    withStates(ofTile: tile) { _, velocities in
      velocities.writeTile(standing(tile), dimensions, from: nil, to: laneCountOfTile)
      return body(velocities)
    }
  }

  /// Lends the values and the velocities of a tile at the current time, computed by the kernel of the frame.
  func withStates<Result>(
    ofTile tile: Int, _ body: (_ values: Column<Float>, _ velocities: Column<Float>) -> Result
  ) -> Result {
    let count = laneCountOfTile * dimensions
    return withTemporaryLines(of: 3 * count) { start in
      let index = tile * laneCountOfTile
      // The kernel adds an index to these addresses, as to those of columns.
      let (value, velocity) = (start + count - index, start + 2 * count - index)
      let (isLed, playing) = (tracks.tiles.led[tile] != 0, tracks.tiles.playing[tile])
      let targets = isLed ? curves.columns.under : tracks.columns.target
      start.copyTile(dimensions, from: targets + index, every: tracks.columns.dimensionStride)
      // Springs of rotations leave out a component, which is 0.
      for dimension in springs.evaluatedDimensions..<dimensions {
        let own = dimension * laneCountOfTile
        (start + (count + own)).update(repeating: 0, count: laneCountOfTile)
        (start + (2 * count + own)).update(repeating: 0, count: laneCountOfTile)
      }
      if isLed {
        let columns = curves.sums(tracks, springs).redirected(
          value: value, velocity: velocity, under: start - index, stride: laneCountOfTile)
        curves.library.tables.withConstantColumn { tables in
          columns.evaluate(tile..<tile + 1, at: time, velocities: true, table, tables)
        }
      } else {
        var columns = springs.columns
        (columns.target, columns.value, columns.velocity) = (start - index, value, velocity)
        columns.dimensionStride = laneCountOfTile
        table.evaluate(columns, LaneRun(tile..<tile + 1), uniformLane: nil, at: time, velocities: true)
      }
      if playing != 0 { evaluateClips(ofTile: tile, playing, to: value, velocity) }
      return body(start + count, start + 2 * count)
    }
  }

  /// Lends the velocity of a track at the current time, by component.
  func withVelocity<Result>(at index: Int, _ body: ((Int) -> Float) -> Result) -> Result {
    let (tile, lane) = (TileStore.tile(index), index % laneCountOfTile)
    if currentVelocities(tile) & TileStore.bit(index) == 0 {
      return withVelocities(ofTile: tile) { computed in
        body { computed[$0 * laneCountOfTile + lane] }
      }
    }
    return body { tracks.columns.velocity[tracks.element(index, $0)] }
  }

  /// Writes the values and velocities of the clips of a tile to lines, whose addresses are as those of columns.
  private func evaluateClips(ofTile tile: Int, _ playing: UInt16, to value: Column<Float>, _ velocity: Column<Float>) {
    guard let run = ClipRun(tracks.tiles.clipKinds[tile], tile..<tile + 1) else { return }
    var columns = clips.kernel
    let (count, index) = (dimensions * laneCountOfTile, tile * laneCountOfTile)
    withTemporaryLines(of: 2 * count) { start in
      (columns.value, columns.velocity) = (start - index, start + count - index)
      columns.dimensionStride = laneCountOfTile
      evaluate(run, columns)
      (value + index).writeTile(playing, dimensions, from: start, to: laneCountOfTile)
      (velocity + index).writeTile(playing, dimensions, from: start + count, to: laneCountOfTile)
    }
  }

  private func evaluate(_ run: ClipRun, _ columns: PlaybackColumns) {
    clips.library.tables.withConstantColumn { tables in
      unsafe withUnsafePointer(to: run) { run in
        unsafe table.evaluateClips(columns, UnsafeBufferPointer(start: run, count: 1), tables, time, true)
      }
    }
  }
}

/// Lends memory for `count` floats that begins on a line of 64 bytes. Up to 240 floats are on the stack, whose
/// alignment of 16 bytes is not enough, so the address is rounded up here.
func withTemporaryLines<Result>(of count: Int, _ body: (Column<Float>) -> Result) -> Result {
  unsafe withUnsafeTemporaryAllocation(byteCount: 4 * count + 64, alignment: 16) { memory in
    let start = unsafe memory.baseAddress.unsafelyUnwrapped.alignedUp(toMultipleOf: 64)
    return unsafe body(Column(start.bindMemory(to: Float.self, capacity: count), count: count))
  }
}
