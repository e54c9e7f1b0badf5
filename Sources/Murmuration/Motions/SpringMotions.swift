// SPDX-License-Identifier: MIT
import AnimationModel
import Kernels

/// The springs and decelerations of a batch: their columns, the cohorts that share a basis, and when they come to rest.
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
  var cohorts = CohortTable()
  var watch = SpringWatch()
  /// The tolerances within which a motion counts as at rest.
  private(set) var tolerance = RestTolerances()
  /// No motion started after this moment.
  var latestStart = -BatchLimits.maximumTime
  /// Whether a tile fell asleep or woke since the plan was made.
  var planIsStale = false

  private static let narrowColumns = 4

  static func shape(dimensions: Int) -> RowShape {
    // About half the stagger of columns, so that these columns are some lines apart from the columns of every track.
    RowShape(wide: 2, narrow: narrowColumns + 2 * dimensions, leadingLines: 6)
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
      logicalAge: memory.narrow(2), member: memory.narrow(3, as: Int32.self),
      displacement: memory.narrow(narrowColumns, every: 2), amplitude: memory.narrow(narrowColumns + 1, every: 2),
      startStride: 2 * memory.narrowStride, target: common.target, value: common.value, velocity: common.velocity,
      dimensionStride: common.dimensionStride, dimensions: dimensions)
  }

  /// Moves the columns of tracks to their new rows in a compacted store.
  mutating func compact(_ moves: [TrackStore.Move], _ tracks: borrowing TrackStore) {
    guard isMapped else { return }
    let compacted = ColumnMemory(Self.shape(dimensions: dimensions), rows: tracks.capacity)
    let new = Self.columns(compacted, dimensions, tracks)
    var newWatch = SpringWatch()
    newWatch.grow(to: tracks.tiles.capacity)
    for move in moves {
      let kind = tracks.tiles.kind(ofRow: move.newRow)
      guard kind.isSpring || kind.isCurve || kind == .following else { continue }
      compacted.copyRows(move.row..<move.row + 1, of: memory!, to: move.newRow)
      guard kind.isMixed else { continue }
      newWatch.copy(move.newRow, of: watch, move.row)
      if let change = watch.change(ofRow: move.row) { tracks.columns.change[move.newRow] = change }
    }
    memory = consume compacted
    attached = new
    capacity = tracks.capacity
    watch = newWatch
    planIsStale = true
  }

  /// A cohort without tracks that moves as another does.
  mutating func openCopy(of cohort: Int) -> Int {
    let copy = cohorts.openCopy(of: cohort, isShared: cohorts[cohort].trackCount < laneCountOfTile)
    cohorts[copy].change = cohorts[cohort].change
    return copy
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

  /// The cohort that a row follows, or nil if it has a start of its own.
  func cohort(ofRow row: Int, _ tracks: borrowing TrackStore) -> Int? {
    let kind = tracks.tiles.kind(ofRow: row)
    assert(kind.isSpring)
    if let cohort = kind.cohort { return cohort }
    return kind == .shared ? Int(columns.member[row]) : nil
  }

  /// The coefficients that a row of springs follows.
  func coefficients(ofRow row: Int, _ tracks: borrowing TrackStore) -> SpringCoefficients {
    if let cohort = cohort(ofRow: row, tracks) { return cohorts[cohort].coefficients }
    return SpringCoefficients(
      isOverdamped: tracks.tiles.kind(ofRow: row) == .overdamped, rate: columns.rate[row], decay: columns.decay[row])
  }

  /// When the motion of a row of springs began.
  func start(ofRow row: Int, _ tracks: borrowing TrackStore) -> Double {
    cohort(ofRow: row, tracks).map { cohorts[$0].start } ?? columns.start[row]
  }

  /// Whether the motion of a row of springs began without a velocity, where the track stood, or jumped.
  ///
  /// The amplitude tells, up to the rounding of the decay that the columns hold.
  func setOutFromRest(_ row: Int, _ tracks: borrowing TrackStore) -> Bool {
    let coefficients = coefficients(ofRow: row, tracks)
    let (rule, columns) = (AmplitudeRule(coefficients), columns)
    return coefficients.isJump
      || (0..<dimensions).allSatisfy { dimension in
        let element = dimension * columns.startStride + row
        let standing = rule.amplitude(displacement: columns.displacement[element], velocity: 0)
        return abs(columns.amplitude[element] - standing) <= 0x1p-21 * abs(standing)
      }
  }

  // MARK: - Rows

  /// Takes a row of a family of springs for a track.
  @inline(__always)
  mutating func takeRow(_ kind: MotionKind, _ tracks: inout TrackStore) -> Int {
    let (row, isFirst) = tracks.takeRow(kind)
    if isFirst {
      let tile = row / laneCountOfTile
      watch.begin(tile)
      if kind == .shared {
        // Lanes without a track are evaluated too, so they need the index of an existing basis.
        (columns.member + tile * laneCountOfTile).update(repeating: 0, count: laneCountOfTile)
      }
    }
    return row
  }

  /// Takes the next row of a cohort that is being founded.
  mutating func takeRow(inCohort cohort: Int, _ tracks: inout TrackStore) -> Int {
    cohorts.join(cohort)
    if cohorts[cohort].isShared {
      let row = takeRow(.shared, &tracks)
      columns.member[row] = Int32(cohort)
      return row
    }
    return tracks.takeRow(.cohort(cohort), inOrder: &cohorts[cohort].openRow)
  }

  /// Takes a whole tile for a cohort that is being founded and whose tiles are full.
  mutating func takeTile(inCohort cohort: Int, _ tracks: inout TrackStore) -> Int {
    let tile = tracks.takeTile(.cohort(cohort))
    cohorts.join(cohort, trackCount: laneCountOfTile)
    cohorts[cohort].openRow = (tile + 1) * laneCountOfTile
    return tile
  }

  /// Subtracts the track of a row, or the tracks of a whole tile, from the count of a cohort.
  mutating func leave(_ cohort: Int, trackCount: Int = 1) { cohorts.leave(cohort, trackCount: trackCount) }

  /// Moves a track from a small cohort to another small one, in place.
  mutating func move(_ row: Int, toSharedCohort cohort: Int) {
    cohorts.leave(Int(columns.member[row]))
    columns.member[row] = Int32(cohort)
    cohorts.join(cohort)
    planIsStale = true
  }

  /// Gives a tile to a cohort, with all its tracks.
  mutating func take(_ tile: Int, forCohort cohort: Int, _ tracks: inout TrackStore) {
    cohorts.join(cohort, trackCount: tracks.tiles.live[tile].nonzeroBitCount)
    leave(tile: tile, tracks)
    tracks.relabel(tile, .cohort(cohort))
  }

  /// Subtracts the tracks of a tile from the counts of the cohorts that they are in. A tile that cohorts share must be full.
  mutating func leave(tile: Int, _ tracks: borrowing TrackStore) {
    let (kind, lanes) = (tracks.tiles.kinds[tile], tracks.tiles.live[tile])
    if let old = kind.cohort {
      cohorts.leave(old, trackCount: lanes.nonzeroBitCount)
    } else if kind == .shared {
      for lane in 0..<laneCountOfTile { cohorts.leave(Int(columns.member[tile * laneCountOfTile + lane])) }
    }
  }

  // MARK: - Cohorts

  /// A cohort without tracks that starts at a time.
  mutating func openCohort(_ coefficients: SpringCoefficients, trackCount: Int, at start: Double, change: UInt32) -> Int
  {
    latestStart = max(latestStart, start)
    let cohort = cohorts.open(coefficients, start: start, isShared: trackCount < laneCountOfTile)
    cohorts[cohort].change = change
    return cohort
  }

  /// Forgets a cohort that no track joined.
  mutating func closeIfEmpty(_ cohort: Int) {
    if cohorts[cohort].trackCount == 0 { cohorts.close(cohort) }
  }

  /// Makes all tracks of a store one cohort that starts at a time, and returns it.
  mutating func gatherAll(
    _ coefficients: SpringCoefficients, at start: Double, change: UInt32, _ tracks: inout TrackStore
  ) -> Int {
    latestStart = start
    if let sole = cohorts.soleCohort(trackCount: tracks.count), !cohorts[sole].isShared {
      cohorts.restart(sole, coefficients, start: start)
      cohorts[sole].change = change
      return sole
    }
    cohorts.removeAll()
    let cohort = cohorts.open(coefficients, start: start, isShared: false)
    cohorts[cohort].change = change
    cohorts.join(cohort, trackCount: tracks.count)
    tracks.relabelAll(.cohort(cohort))
    return cohort
  }

  /// Starts every cohort anew with the spring that it has.
  mutating func restartAllCohorts(at start: Double, change: UInt32) {
    latestStart = start
    cohorts.restartAll(at: start)
    for cohort in cohorts.indices { cohorts[cohort].change = change }
  }

  /// Takes the extent of motions that start in a cohort into account.
  mutating func include(_ extent: Extent, inCohort cohort: Int) { cohorts[cohort].include(extent) }

  mutating func setLeaving(_ cohort: Int, _ count: Int) { cohorts[cohort].leaving = count }
  mutating func setSuccessor(_ cohort: Int, _ successor: Int) { cohorts[cohort].successor = successor }

  // MARK: - Starts

  /// Gives a row coefficients of its own, and starts its motion at a time.
  mutating func begin(_ row: Int, _ coefficients: SpringCoefficients, at start: Double) {
    columns.rate[row] = coefficients.rate
    columns.decay[row] = coefficients.decay
    restart(row, at: start)
  }

  /// Starts the motion of a mixed row anew, with the coefficients that it has.
  @inline(__always)
  mutating func restart(_ row: Int, at start: Double) {
    columns.start[row] = start
    columns.decay[row] = columns.decay[row].magnitude
    expect(row / laneCountOfTile, lanes: TileStore.bit(row))
    latestStart = max(latestStart, start)
  }

  /// Notes that motions start at a time.
  mutating func noteStart(at start: Double) { latestStart = max(latestStart, start) }

  /// Notes that motions begin in lanes of a mixed tile, so that the next frame looks at the tile.
  mutating func expect(_ tile: Int, lanes: UInt16) {
    if watch.expect(tile, lanes: lanes) { planIsStale = true }
  }

  /// Notes that one call begins motions in all lanes of mixed tiles, so that the next frame looks at the tiles.
  mutating func expect(_ tiles: Range<Int>, change: UInt32) {
    if watch.expect(tiles, change: change) { planIsStale = true }
  }

  /// Turns a deceleration of a mixed row into a spring, which leads to any target: the critically damped one that
  /// decays as fast.
  func leadToAnyTarget(_ row: Int, _ tracks: borrowing TrackStore) {
    let coefficients = coefficients(ofRow: row, tracks)
    if coefficients.isDeceleration {
      columns.rate[row] = coefficients.toAnyTarget.rate
      columns.decay[row] = coefficients.toAnyTarget.decay
    }
  }

  /// Starts one dimension of a row towards a target, from the value and velocity that its columns show.
  ///
  /// - Returns: The magnitudes of displacement and amplitude.
  @discardableResult
  func start(_ row: Int, _ dimension: Int, target: Float, _ rule: AmplitudeRule) -> Extent {
    let columns = columns
    let element = dimension * columns.dimensionStride + row
    let start = dimension * columns.startStride + row
    // A target of −0 becomes a plain 0. Otherwise the sign of a value at rest would change with the phase.
    let target = target + 0
    let displacement = rule.jumps ? 0 : columns.value[element] - target
    let amplitude = rule.amplitude(displacement: displacement, velocity: columns.velocity[element])
    columns.target[element] = target
    columns.displacement[start] = displacement
    columns.amplitude[start] = amplitude
    return Extent(displacement: displacement.magnitude, amplitude: amplitude.magnitude)
  }

  /// Starts the rows of neighbouring tiles of a cohort towards the targets of consecutive tracks.
  func start(tiles: Range<Int>, _ targets: InputValues, from first: Int, _ rule: AmplitudeRule) -> Extent {
    let lanes = tiles.count * laneCountOfTile
    let run = LaneRun(firstLane: tiles.lowerBound * laneCountOfTile, laneCount: lanes)
    return targets.withColumns(of: first..<first + lanes) { targets, stride in
      table.restartCohort(columns, run, rule, targets, stride)
    }
  }

  // MARK: - Rest

  /// Changes the tolerances of rest, for motions under way too.
  mutating func setTolerance(_ tolerance: RestTolerances, _ tracks: borrowing TrackStore) {
    self.tolerance = tolerance
    for cohort in cohorts.indices { cohorts[cohort].forgetRest() }
    wakeAll(tracks)
  }

  /// Wakes all springs: the next frame evaluates them and looks at them.
  mutating func wakeAll(_ tracks: borrowing TrackStore) {
    for cohort in cohorts.indices { cohorts[cohort].isAsleep = false }
    for tile in 0..<tracks.tiles.end where tracks.tiles.kinds[tile].isMixed { watch.wake(tile) }
    planIsStale = true
  }

  // MARK: - Everything

  /// Forgets every motion.
  mutating func removeAll() { cohorts.removeAll() }
}

// The columns point into memory that the value owns, and the type cannot be copied.
extension SpringMotions: @unchecked Sendable {}
