// SPDX-License-Identifier: MIT
import Kernels

/// The springs and decelerations of a batch: their columns, and when they come to rest.
///
/// A deceleration has the formula of a spring without stiffness, towards its projected end.
struct SpringMotions: ~Copyable {
  let dimensions: Int
  /// The number of first dimensions that kernels evaluate. The others stay 0.
  var evaluatedDimensions: Int
  let table: KernelTable
  /// The columns that springs have besides those of every track; nil until the first spring.
  private var memory: ColumnMemory?
  /// Indices of these columns.
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

  static func shape(dimensions: Int) -> ColumnShape {
    // About half the stagger of columns, so that these columns are some lines apart from the columns of every track.
    ColumnShape(wide: 2, narrow: narrowColumns + 2 * dimensions, leadingLines: 6, tileBytes: SpringWatch.tileBytes)
  }

  /// No motions; memory comes with the first.
  init(dimensions: Int, table: KernelTable) {
    self.dimensions = dimensions
    evaluatedDimensions = dimensions
    self.table = table
  }

  // MARK: - Memory

  /// Whether there is memory for springs.
  var isMapped: Bool { capacity > 0 }

  /// The columns; there must have been a spring.
  var columns: SpringColumns { unsafe attached.unsafelyUnwrapped }

  /// Maps columns for all indices of a store; there must be memory.
  mutating func attach(to tracks: borrowing TrackStore) {
    guard capacity != tracks.capacity else { return }
    let larger = ColumnMemory(Self.shape(dimensions: dimensions), count: tracks.capacity)
    if isMapped { larger.copy(0..<tracks.tiles.end * laneCountOfTile, of: memory!, to: 0) }
    let (common, own) = (tracks.columns, Self.narrowColumns)
    attached = SpringColumns(
      start: larger.wide(0), rate: larger.wide(1), decay: larger.narrow(0), restAge: larger.narrow(1),
      logicalAge: larger.narrow(2), displacement: larger.narrow(own, every: 2),
      amplitude: larger.narrow(own + 1, every: 2), startStride: 2 * larger.narrowStride, target: common.target,
      value: common.value, velocity: common.velocity, dimensionStride: common.dimensionStride,
      dimensions: evaluatedDimensions)
    memory = consume larger
    capacity = tracks.capacity
    watch.grow(to: tracks.tiles.capacity)
  }

  /// Copies the displacement and amplitude of a track, perhaps of other springs.
  func copyStart(_ index: Int, of old: Int, _ other: borrowing SpringMotions) {
    let (new, columns) = (columns, other.columns)
    for dimension in 0..<dimensions {
      let (to, from) = (dimension * new.startStride + index, dimension * columns.startStride + old)
      new.displacement[to] = columns.displacement[from]
      new.amplitude[to] = columns.amplitude[from]
    }
  }

  /// Takes over the state of other motions. The tracks have been taken over before.
  mutating func code(_ coder: inout StateCoder, _ tracks: borrowing TrackStore) {
    let isMapped = coder.coded(isMapped)
    if !isMapped || capacity != tracks.capacity {
      memory = nil
      (attached, capacity) = (nil, 0)
    }
    coder.code(&evaluatedDimensions)
    if isMapped {
      attach(to: tracks)
      memory!.code(&coder, tracks.tiles.end * laneCountOfTile)
    }
    watch.code(&coder)
    coder.code(&latest.start)
    let tolerance = coder.coded(tolerance)
    if coder.isReading { self.tolerance = tolerance }
    coder.code(&latestStart)
  }

  // MARK: - What a track follows

  /// The coefficients that a track with a spring follows.
  func coefficients(at index: Int) -> SpringCoefficients {
    SpringCoefficients(rate: columns.rate[index], decay: columns.decay[index])
  }

  /// Whether the motion of a track with a spring began without a velocity, where the track stood, or jumped.
  ///
  /// The amplitude tells, up to its rounding.
  func setOutFromRest(_ index: Int) -> Bool {
    let coefficients = coefficients(at: index)
    let (rule, columns) = (AmplitudeRule(coefficients), columns)
    return coefficients.isJump
      || (0..<dimensions).allSatisfy { dimension in
        let element = dimension * columns.startStride + index
        let standing = rule.amplitude(displacement: columns.displacement[element], velocity: 0)
        return abs(columns.amplitude[element] - standing) <= 0x1p-21 * abs(standing)
      }
  }

  // MARK: - Tracks

  /// Takes the next index, to which a track must be admitted then.
  ///
  /// - Parameter moves: Whether the track follows a spring at once; otherwise it stands.
  @inline(__always)
  mutating func takeIndex(_ tracks: inout TrackStore, moves: Bool) -> Int {
    let index = tracks.indices.next
    take(index, &tracks, moves: moves)
    return index
  }

  /// Takes an index for a track.
  @inline(__always)
  mutating func take(_ index: Int, _ tracks: inout TrackStore, moves: Bool) {
    if tracks.take(index) { watch.begin(TileStore.tile(index)) }
    if moves { tracks.tiles.setMoving(index, true) } else { clearStart(index) }
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

  /// Ends the spring of a track, which stands at its target from now on.
  mutating func stand(_ index: Int, _ tracks: inout TrackStore) {
    tracks.tiles.setMoving(index, false)
    clearStart(index)
    if tracks.tiles.moving[TileStore.tile(index)] == 0 { watch.sleep(TileStore.tile(index)) }
  }

  /// Makes a track show its target, or what is under its effects, with any spring.
  mutating func clearStart(_ index: Int) {
    let columns = columns
    columns.start[index] = -BatchLimits.maximumTime
    var own = index
    for _ in 0..<dimensions {
      (columns.displacement[own], columns.amplitude[own]) = (0, 0)
      own &+= columns.startStride
    }
    watch.change(index, leastRestAge: .infinity)
  }

  /// Makes the lanes of a tile show their targets with any spring, at all times: the factors of a motion that began long ago
  /// are finite.
  private func clearStarts(ofTile tile: Int) {
    let (index, count) = (tile * laneCountOfTile, laneCountOfTile)
    (columns.start + index).update(repeating: -BatchLimits.maximumTime, count: count)
    for dimension in 0..<dimensions {
      (columns.displacement + (dimension * columns.startStride + index)).update(repeating: 0, count: count)
      (columns.amplitude + (dimension * columns.startStride + index)).update(repeating: 0, count: count)
    }
  }

  // MARK: - Starts

  /// Gives a track a spring, and starts its motion at a time; its displacement and amplitude are in its columns.
  mutating func begin(_ index: Int, _ spring: SpringCoefficients, at start: Double, _ tracks: borrowing TrackStore) {
    var distance = Float(0)
    for dimension in 0..<dimensions {
      distance += columns.displacement[dimension * columns.startStride + index].magnitude
    }
    latest.prepare(spring)
    begin(index, at: start, from: distance, tracks)
  }

  /// Gives a track a spring, and starts its motion to a target at a time, from the value and velocity that its columns show.
  @inline(__always)
  mutating func begin(
    _ index: Int, _ spring: SpringCoefficients, at start: Double, _ tracks: borrowing TrackStore, target: (Int) -> Float
  ) {
    latest.prepare(spring)
    begin(index, at: start, from: self.start(index, latest.start.rule, target: target), tracks)
  }

  /// Gives a track a target, with the displacement and amplitude of a motion from the value and velocity that its columns
  /// show.
  ///
  /// - Returns: The sum of the displacements of all dimensions, without their signs.
  @inline(__always)
  func start(_ index: Int, _ rule: AmplitudeRule, target: (Int) -> Float) -> Float {
    let columns = columns
    var (element, own, distance) = (index, index, Float(0))
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

  /// Gives a track the latest spring, and starts its motion at a time.
  ///
  /// - Parameter distance: See ``start(_:_:target:)``, which has set its displacement and amplitude.
  @inline(__always)
  private mutating func begin(_ index: Int, at start: Double, from distance: Float, _ tracks: borrowing TrackStore) {
    columns.start[index] = start
    columns.rate[index] = latest.start.coefficients.rate
    columns.decay[index] = latest.start.coefficients.decay
    let (tile, logicalAge) = (TileStore.tile(index), latest.start.logicalAge)
    noteStart(at: start)
    let restAge = latest.start.leastRestAge(displacement: distance * perTolerance)
    (columns.restAge[index], columns.logicalAge[index]) = (restAge, logicalAge)
    let wasAsleep = watch.expect(
      tile, lanes: TileStore.bit(index), latest.start, at: start, leastAge: min(restAge, logicalAge),
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
    let index = tile * laneCountOfTile
    let (first, start) = (coefficients(at: index), columns.start[index])
    var (areAlike, earliest, leastRestAge) = (true, start, first.leastRestAge)
    noteStart(at: start)
    for index in index + 1..<index + laneCountOfTile {
      let (spring, laneStart) = (coefficients(at: index), columns.start[index])
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

  /// Gives a track a spring, with which a motion is about to begin.
  mutating func setSpring(_ index: Int, _ spring: SpringCoefficients) {
    (columns.rate[index], columns.decay[index]) = (spring.rate, spring.decay)
    watch.change(index, leastRestAge: spring.leastRestAge)
  }

  /// Gives the lanes of neighbouring tiles the springs of a list from one on, with which motions are about to begin.
  mutating func setSprings(_ tiles: Range<Int>, _ list: SpringList, from first: Int) {
    let index = tiles.lowerBound * laneCountOfTile
    list.copy(from: first, to: columns.rate + index, columns.decay + index, count: tiles.count * laneCountOfTile)
    for tile in tiles {
      let position = first + (tile - tiles.lowerBound) * laneCountOfTile
      watch.setLeastRestAge(ofTile: tile, list.leastRestAge(ofTileFrom: position))
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

  /// Lets the spring of a track go on under curves, or after a pause: no frame watches for its rest.
  mutating func goOnUnwatched(_ index: Int) {
    columns.decay[index] = columns.decay[index].magnitude
    watch.change(index, leastRestAge: .infinity)
    letLast(TileStore.tile(index), TileStore.bit(index))
  }

  /// Makes the springs of lanes of a tile never complete and never rest, after the ages of the tile were computed.
  func letLast(_ tile: Int, _ lanes: UInt16) {
    lanes.forEachLane { lane in
      let index = tile * laneCountOfTile + lane
      (columns.restAge[index], columns.logicalAge[index]) = (.infinity, .infinity)
    }
  }

  /// Copies the spring of a track of other springs to a track that does not move by it: under curves, or in a pause.
  mutating func copyMotion(_ index: Int, of old: Int, _ other: borrowing SpringMotions) {
    let (new, from) = (columns, other.columns)
    (new.start[index], new.rate[index], new.decay[index]) = (from.start[old], from.rate[old], from.decay[old].magnitude)
    copyStart(index, of: old, other)
    goOnUnwatched(index)
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
