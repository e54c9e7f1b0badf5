// SPDX-License-Identifier: MIT
import Kernels

/// The springs and decelerations of a batch: their columns, and when they come to rest.
///
/// A deceleration has the formula of a spring without stiffness, towards its projected end.
struct SpringMotions: ~Copyable {
  let dimensions: Int
  let table: KernelTable
  /// The columns that springs have besides those of every track; nil until the first spring.
  private var memory: ColumnMemory?
  /// Rows of these columns.
  private var capacity = 0
  private var attached: SpringColumns?
  var watch = SpringWatch()
  var latest = LatestSpring()
  /// The tolerances within which a motion counts as at rest.
  private(set) var tolerance = RestTolerances() { didSet { perTolerance = tolerance.kernel.perValue } }
  /// One over the largest distance from the target at rest.
  private(set) var perTolerance = RestTolerances().kernel.perValue
  /// No motion started after this moment.
  var latestStart = -BatchLimits.maximumTime

  private static let narrowColumns = 3

  static func shape(dimensions: Int) -> RowShape {
    // About half the stagger of columns, so that these columns are some lines apart from the columns of every track.
    RowShape(wide: 2, narrow: narrowColumns + 2 * dimensions, leadingLines: 6, tileBytes: SpringWatch.tileBytes)
  }

  /// No motions; memory comes with the first.
  init(dimensions: Int, table: KernelTable) {
    self.dimensions = dimensions
    self.table = table
  }

  // MARK: - Memory

  /// Whether there is memory for springs.
  var isMapped: Bool { capacity > 0 }

  /// The columns; there must have been a spring.
  var columns: SpringColumns { unsafe attached.unsafelyUnwrapped }

  /// Maps columns for all rows of a store; there must be memory.
  mutating func attach(to tracks: borrowing TrackStore) {
    guard capacity != tracks.capacity else { return }
    let larger = ColumnMemory(Self.shape(dimensions: dimensions), rows: tracks.capacity)
    let new = Self.columns(larger, dimensions, tracks)
    if isMapped { larger.copyRows(0..<tracks.tiles.end * laneCountOfTile, of: memory!, to: 0) }
    memory = consume larger
    attached = new
    capacity = tracks.capacity
    watch.grow(to: tracks.tiles.capacity)
  }

  private static func columns(
    _ memory: borrowing ColumnMemory, _ dimensions: Int, _ tracks: borrowing TrackStore
  ) -> SpringColumns {
    let common = tracks.columns
    return SpringColumns(
      start: memory.wide(0), rate: memory.wide(1), decay: memory.narrow(0), restAge: memory.narrow(1),
      logicalAge: memory.narrow(2),
      displacement: memory.narrow(narrowColumns, every: 2), amplitude: memory.narrow(narrowColumns + 1, every: 2),
      startStride: 2 * memory.narrowStride, target: common.target, value: common.value, velocity: common.velocity,
      dimensionStride: common.dimensionStride, dimensions: dimensions)
  }

  /// Copies the displacement and amplitude of a row, perhaps of other springs.
  func copyStart(_ row: Int, of old: Int, _ other: borrowing SpringMotions) {
    let (new, columns) = (columns, other.columns)
    for dimension in 0..<dimensions {
      let (to, from) = (dimension * new.startStride + row, dimension * columns.startStride + old)
      new.displacement[to] = columns.displacement[from]
      new.amplitude[to] = columns.amplitude[from]
    }
  }

  // MARK: - What a row follows

  /// The coefficients that a row of springs follows.
  func coefficients(ofRow row: Int) -> SpringCoefficients {
    SpringCoefficients(rate: columns.rate[row], decay: columns.decay[row])
  }

  /// Whether the motion of a row of springs began without a velocity, where the track stood, or jumped.
  ///
  /// The amplitude tells, up to its rounding.
  func setOutFromRest(_ row: Int) -> Bool {
    let coefficients = coefficients(ofRow: row)
    let (rule, columns) = (AmplitudeRule(coefficients), columns)
    return coefficients.isJump
      || (0..<dimensions).allSatisfy { dimension in
        let element = dimension * columns.startStride + row
        let standing = rule.amplitude(displacement: columns.displacement[element], velocity: 0)
        return abs(columns.amplitude[element] - standing) <= 0x1p-21 * abs(standing)
      }
  }

  // MARK: - Rows

  /// Takes the row of the next index, to which a track must be admitted then.
  ///
  /// - Parameter moves: Whether the track follows a spring at once; otherwise it stands.
  @inline(__always)
  mutating func takeRow(_ tracks: inout TrackStore, moves: Bool) -> Int {
    let row = tracks.rows.next
    take(row, &tracks, moves: moves)
    return row
  }

  /// Takes a row for a track.
  @inline(__always)
  mutating func take(_ row: Int, _ tracks: inout TrackStore, moves: Bool) {
    if tracks.take(row) { watch.begin(TileStore.tile(row)) }
    if moves { tracks.tiles.setMoving(row, true) } else { clearStart(row) }
  }

  /// Takes a tile with all its lanes for tracks that stand.
  mutating func takeTile(_ tracks: inout TrackStore) -> Int {
    let tile = tracks.takeTile()
    stand(tile: tile)
    return tile
  }

  /// Makes the tracks of a full tile of springs stand at their targets.
  mutating func stand(tile: Int) {
    watch.begin(tile)
    clearStarts(ofTile: tile)
  }

  /// Ends the spring of a row, whose track stands at its target from now on.
  mutating func stand(_ row: Int, _ tracks: inout TrackStore) {
    tracks.tiles.setMoving(row, false)
    clearStart(row)
    if tracks.tiles.moving[TileStore.tile(row)] == 0 { watch.sleep(TileStore.tile(row)) }
  }

  /// Makes a row show its target, or what is under its effects, with any spring.
  mutating func clearStart(_ row: Int) {
    let columns = columns
    columns.start[row] = -BatchLimits.maximumTime
    var own = row
    for _ in 0..<dimensions {
      (columns.displacement[own], columns.amplitude[own]) = (0, 0)
      own &+= columns.startStride
    }
    watch.change(row, leastRestAge: .infinity)
  }

  /// Makes the rows of a tile show their targets with any spring, at all times: the factors of a motion that began long ago
  /// are finite.
  private func clearStarts(ofTile tile: Int) {
    let (row, count) = (tile * laneCountOfTile, laneCountOfTile)
    (columns.start + row).update(repeating: -BatchLimits.maximumTime, count: count)
    for dimension in 0..<dimensions {
      (columns.displacement + (dimension * columns.startStride + row)).update(repeating: 0, count: count)
      (columns.amplitude + (dimension * columns.startStride + row)).update(repeating: 0, count: count)
    }
  }

  // MARK: - Starts

  /// Gives a row a spring, and starts its motion at a time; its displacement and amplitude are in its columns.
  mutating func begin(_ row: Int, _ spring: SpringCoefficients, at start: Double, _ tracks: borrowing TrackStore) {
    var distance = Float(0)
    for dimension in 0..<dimensions {
      distance += columns.displacement[dimension * columns.startStride + row].magnitude
    }
    latest.prepare(spring)
    begin(row, at: start, from: distance, tracks)
  }

  /// Gives a row a spring, and starts its motion to a target at a time, from the value and velocity that its columns show.
  @inline(__always)
  mutating func begin(
    _ row: Int, _ spring: SpringCoefficients, at start: Double, _ tracks: borrowing TrackStore, target: (Int) -> Float
  ) {
    latest.prepare(spring)
    begin(row, at: start, from: self.start(row, latest.start.rule, target: target), tracks)
  }

  /// Gives a row a target, with the displacement and amplitude of a motion from the value and velocity that its columns
  /// show.
  ///
  /// - Returns: The sum of the displacements of all dimensions, without their signs.
  @inline(__always)
  func start(_ row: Int, _ rule: AmplitudeRule, target: (Int) -> Float) -> Float {
    let columns = columns
    var (element, own, distance) = (row, row, Float(0))
    for dimension in 0..<dimensions {
      // A target of −0 becomes a plain 0. Otherwise the sign of a value at rest would change with the phase.
      let target = target(dimension) + 0
      let displacement = rule.jumps ? 0 : columns.value[element] - target
      columns.amplitude[own] = rule.amplitude(displacement: displacement, velocity: columns.velocity[element])
      columns.target[element] = target
      columns.displacement[own] = displacement
      distance += displacement.magnitude
      (element, own) = (element &+ columns.dimensionStride, own &+ columns.startStride)
    }
    return distance
  }

  /// Gives a row the latest spring, and starts its motion at a time.
  ///
  /// - Parameter distance: See ``start(_:_:target:)``, which has set its displacement and amplitude.
  @inline(__always)
  private mutating func begin(_ row: Int, at start: Double, from distance: Float, _ tracks: borrowing TrackStore) {
    columns.start[row] = start
    columns.rate[row] = latest.start.coefficients.rate
    columns.decay[row] = latest.start.coefficients.decay
    let (tile, logicalAge) = (TileStore.tile(row), latest.start.logicalAge)
    noteStart(at: start)
    let restAge = latest.start.leastRestAge(displacement: distance * perTolerance)
    (columns.restAge[row], columns.logicalAge[row]) = (restAge, logicalAge)
    let wasAsleep = watch.expect(
      tile, lanes: TileStore.bit(row), latest.start, at: start, leastAge: min(restAge, logicalAge),
      live: tracks.tiles.live[tile])
    if wasAsleep { tracks.frame.mark(tile) }
  }

  /// Starts the motions of all lanes of neighbouring tiles at a time with one spring, towards the targets of consecutive
  /// tracks.
  mutating func begin(
    _ tiles: Range<Int>, _ spring: SpringStart, keepsSpring: Bool, at start: Double, _ targets: InputValues,
    from first: Int, _ tracks: borrowing TrackStore
  ) {
    let lanes = tiles.count * laneCountOfTile
    // Three columns are read and three written for each dimension.
    let run = LaneRun(tiles, stores: .init(touching: (20 + 24 * dimensions) * lanes))
    let uniform = UniformStart(
      start: start, rate: spring.coefficients.rate, decay: spring.coefficients.decay, rule: spring.rule,
      keepsSpring: keepsSpring)
    targets.withColumns(of: first..<first + lanes) { targets, stride in
      table.restartUniform(columns, run, uniform, targets, stride)
    }
    if run.stores != .ordinary { table.fence() }
    expect(tiles, spring, at: start, tracks)
  }

  /// Notes that motions start at a time.
  mutating func noteStart(at start: Double) { latestStart = max(latestStart, start) }

  /// Notes that motions begin in all lanes of tiles.
  ///
  /// - Parameter spring: The spring of all; nil for the springs that they have.
  mutating func expect(
    _ tiles: Range<Int>, _ spring: SpringStart?, at start: Double, _ tracks: borrowing TrackStore
  ) {
    noteStart(at: start)
    if watch.expect(tiles, spring, at: start) { for tile in tiles { tracks.frame.mark(tile) } }
  }

  /// Lets all lanes of a tile go on from the starts in their columns, with the springs that they have.
  ///
  /// - Parameter reported: The lanes whose completions were reported.
  mutating func goOn(_ tile: Int, _ reported: SpringWatch.Lanes, _ tracks: borrowing TrackStore) {
    let row = tile * laneCountOfTile
    let (first, start) = (coefficients(ofRow: row), columns.start[row])
    var (areAlike, earliest, leastRestAge) = (true, start, first.leastRestAge)
    noteStart(at: start)
    for row in row + 1..<row + laneCountOfTile {
      let (spring, laneStart) = (coefficients(ofRow: row), columns.start[row])
      areAlike = areAlike && spring == first && laneStart == start
      // Lane by lane, as slides may be among them.
      if spring != first { leastRestAge = min(leastRestAge, spring.leastRestAge) }
      (earliest, latestStart) = (min(earliest, laneStart), max(latestStart, laneStart))
    }
    watch.setLeastRestAge(ofTile: tile, leastRestAge)
    expect(tile..<tile + 1, areAlike ? latest.start(first) : nil, at: earliest, tracks)
    watch.setReported(tile: tile, reported)
  }

  /// Makes the next frame look at a tile.
  mutating func wake(_ tile: Int, _ tracks: borrowing TrackStore) {
    if watch.isAsleep(tile) { tracks.frame.mark(tile) }
    watch.wake(tile)
  }

  /// Turns a deceleration of a row into a spring, which leads to any target: the critically damped one that
  /// decays as fast.
  mutating func leadToAnyTarget(_ row: Int) {
    let coefficients = coefficients(ofRow: row)
    if coefficients.isDeceleration { setSpring(row, coefficients.toAnyTarget) }
  }

  /// Gives a row a spring, with which a motion is about to begin.
  mutating func setSpring(_ row: Int, _ spring: SpringCoefficients) {
    (columns.rate[row], columns.decay[row]) = (spring.rate, spring.decay)
    watch.change(row, leastRestAge: spring.leastRestAge)
  }

  /// Gives the lanes of neighbouring tiles the springs of a list from one on, with which motions are about to begin.
  mutating func setSprings(_ tiles: Range<Int>, _ list: SpringList, from first: Int) {
    let row = tiles.lowerBound * laneCountOfTile
    list.copy(from: first, to: columns.rate + row, columns.decay + row, count: tiles.count * laneCountOfTile)
    for tile in tiles {
      let index = first + (tile - tiles.lowerBound) * laneCountOfTile
      watch.setLeastRestAge(ofTile: tile, list.leastRestAge(ofTileFrom: index))
    }
  }

  // MARK: - Under curves and in pauses

  /// Whether all tracks of a full tile move by springs that began before a moment.
  func allMove(_ tile: Int, since moment: Double) -> Bool {
    let first = tile * laneCountOfTile
    return (first..<first + laneCountOfTile).allSatisfy {
      columns.start[$0] < moment && columns.decay[$0].sign == .plus && columns.rate[$0] != 0
    }
  }

  /// Lets the spring of a row go on under curves, or after a pause: no frame watches for its rest.
  mutating func goOnUnwatched(_ row: Int) {
    columns.decay[row] = columns.decay[row].magnitude
    watch.change(row, leastRestAge: .infinity)
    letLast(TileStore.tile(row), TileStore.bit(row))
  }

  /// Makes the springs of lanes of a tile never complete and never rest, after the ages of the tile were computed.
  func letLast(_ tile: Int, _ lanes: UInt16) {
    lanes.forEachLane { lane in
      let row = tile * laneCountOfTile + lane
      (columns.restAge[row], columns.logicalAge[row]) = (.infinity, .infinity)
    }
  }

  /// Copies the spring of a row of other springs to a row that does not move by it: under curves, or in a pause.
  mutating func copyMotion(_ row: Int, of old: Int, _ other: borrowing SpringMotions) {
    let (new, from) = (columns, other.columns)
    (new.start[row], new.rate[row], new.decay[row]) = (from.start[old], from.rate[old], from.decay[old].magnitude)
    copyStart(row, of: old, other)
    goOnUnwatched(row)
  }

  // MARK: - Rest

  /// Changes the tolerances of rest, for motions under way too.
  mutating func setTolerance(_ tolerance: RestTolerances, _ tracks: borrowing TrackStore) {
    self.tolerance = tolerance
    wakeAll(tracks)
  }

  /// Wakes all springs: the next frame evaluates them and looks at them.
  mutating func wakeAll(_ tracks: borrowing TrackStore) {
    for tile in 0..<tracks.tiles.end where tracks.tiles.moving[tile] != 0 {
      wake(tile, tracks)
    }
  }
}

// The columns point into memory that the value owns, and the type cannot be copied.
extension SpringMotions: @unchecked Sendable {}
