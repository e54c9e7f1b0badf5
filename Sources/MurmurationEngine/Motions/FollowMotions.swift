// SPDX-License-Identifier: MIT
import Kernels

/// The tracks that follow goals: the column of goals, the leaders, and the state of each tile.
///
/// Goals have a column for each dimension, where programs write them in place. The springs are in the columns of
/// ``SpringMotions``.
struct FollowMotions: ~Copyable {
  let dimensions: Int
  /// The number of first dimensions that steps move. The others stay 0.
  var steppedDimensions: Int
  /// The number of tracks that follow now.
  private(set) var count = 0
  /// For each track its damping, its squared frequency, and the factors of a step.
  private var columnMemory: ColumnMemory?
  /// The goals by index.
  private var goalMemory: ColumnMemory?
  /// For each tile its state, and the step for which its factors were computed.
  private var tileMemory: MemoryBlock?
  private var mapped: Mapped?
  private var mappedGoals: (first: Column<Float>, stride: Int)?
  /// The number of indices of the columns, and of the goals.
  private var capacity = 0
  private(set) var goalCapacity = 0
  /// The spring of each tile, by a number; 0 if its lanes have several.
  private(set) var springs: [UInt32] = []
  private var latest = LatestSpring()
  /// The track whose value is the goal of an index; a handle of no track where nothing leads. Empty until a track is led.
  private var leaders: [TrackHandle] = []
  /// The offsets from the values of leaders, by index and dimension.
  private var offsets: [Float] = []
  /// Tracks that were stepped through a frame by a call that was due within it, and what they show in the end.
  private var stepped: [(index: Int, state: [(value: Float, velocity: Float)])] = []
  /// The number of leaders.
  private(set) var leaderCount = 0
  /// In an engine of copies: the tracks that followed and move by springs instead until their first step of phases.
  var copies: Set<Int> = []
  /// Whether a caller may change goals in place at any time.
  var areLent = false
  /// The seconds from the frame before to the last one. The differences of times that are a frame apart vary in their last
  /// bits, so steps of frames, below a second, are rounded to 34 bits: equal ones have the factors of the frame before.
  private(set) var step = 0.0
  /// The step before, which took time.
  private var stepBefore = 0.0

  private static let columnCount = 2 + FollowColumns.factorCount

  /// Bytes of each block for a number of indices; nil for what cannot be counted.
  static func bytes(count: Int) -> [Int?] {
    [ColumnMemory.bytes(ColumnShape(narrow: columnCount), count: count), count / laneCountOfTile * bytesOfTile]
  }

  init(dimensions: Int) { (self.dimensions, steppedDimensions) = (dimensions, dimensions) }

  // MARK: - Memory

  /// Whether a track ever followed.
  var isMapped: Bool { goalCapacity > 0 }

  /// Makes room for the goals of a number of indices. They move in memory only if there was none.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)``; nothing changes then.
  mutating func reserveGoals(_ indices: Int) throws(BatchError) {
    guard indices > goalCapacity else { return }
    let count = goalCapacity == 0 ? indices : max(indices, 2 * goalCapacity)
    guard ColumnMemory.hasRoom(ColumnShape(narrow: dimensions), count: count) else { throw .capacityExceeded(count) }
    let larger = ColumnMemory(ColumnShape(narrow: dimensions), count: count)
    if goalCapacity > 0 { larger.copy(0..<goalCapacity, of: goalMemory!, to: 0) }
    goalCapacity = larger.capacity
    mappedGoals = (larger.narrow(0, every: 1), larger.narrowStride)
    goalMemory = consume larger
  }

  /// Maps columns for all indices of a store; there must be memory.
  mutating func attach(to tracks: borrowing TrackStore) {
    guard capacity != tracks.capacity else { return }
    let indexCount = tracks.capacity
    let (tileCount, keptTiles) = (indexCount / laneCountOfTile, min(capacity, indexCount) / laneCountOfTile)
    let block = MemoryBlock(byteCount: tileCount * Self.bytesOfTile, alignment: 64)
    let columns = ColumnMemory(ColumnShape(narrow: Self.columnCount), count: indexCount)
    if keptTiles > 0 {
      block.bytes.elements(of: FollowTile.self, count: keptTiles).update(from: tiles, count: keptTiles)
      columns.copy(0..<keptTiles * laneCountOfTile, of: columnMemory!, to: 0)
    }
    mapped = Mapped(
      tiles: block.bytes.elements(of: FollowTile.self, count: tileCount),
      steps: block.bytes.elements(
        of: Double.self, at: tileCount * MemoryLayout<FollowTile>.stride, count: tileCount),
      damping: columns.narrow(0), squaredFrequency: columns.narrow(1), factors: columns.narrow(2, every: 1),
      factorStride: columns.narrowStride)
    columnMemory = consume columns
    tileMemory = consume block
    capacity = indexCount
    // Factors are computed anew.
    steps.update(repeating: .nan, count: tileCount)
    springs = Array(springs.prefix(keptTiles)) + Array(repeating: 0, count: tileCount - keptTiles)
  }

  private static let bytesOfTile = MemoryLayout<Double>.stride + MemoryLayout<FollowTile>.stride

  private struct Mapped {
    let tiles: Column<FollowTile>
    let steps: Column<Double>
    let damping: Column<Float>
    let squaredFrequency: Column<Float>
    let factors: Column<Float>
    let factorStride: Int
  }

  /// The states of tiles. A track must have followed, or there are no columns.
  var tiles: Column<FollowTile> { unsafe mapped.unsafelyUnwrapped.tiles }

  /// The step for which the factors of each tile were computed.
  private var steps: Column<Double> { unsafe mapped.unsafelyUnwrapped.steps }

  /// Whether factors are kept for later frames: the step is that of the frame before. With steps that vary, they would be
  /// written to memory for nothing.
  var keepsFactors: Bool { step == stepBefore }

  /// The columns as kernels take them, with the factors of all tracks.
  func columns(
    _ tracks: borrowing TrackStore, _ springs: SpringColumns
  ) -> FollowColumns {
    let mapped = unsafe mapped.unsafelyUnwrapped
    return FollowColumns(
      value: tracks.columns.value, velocity: tracks.columns.velocity, dimensionStride: tracks.columns.dimensionStride,
      dimensions: steppedDimensions, rate: springs.rate, decay: springs.decay, damping: mapped.damping,
      squaredFrequency: mapped.squaredFrequency, factors: mapped.factors, factorStride: mapped.factorStride,
      steps: mapped.steps, tiles: mapped.tiles, lanes: tracks.tiles.following.column.constant)
  }

  /// The tracks have been coded before, and there is room for the goals, which do not move in memory.
  mutating func code(_ coder: inout StateCoder, _ tracks: borrowing TrackStore) {
    if !coder.coded(capacity > 0) {
      columnMemory = nil
      tileMemory = nil
      (mapped, capacity) = (nil, 0)
    } else {
      attach(to: tracks)
      columnMemory!.code(&coder, tracks.tiles.end * laneCountOfTile)
      coder.code(tiles, count: capacity / laneCountOfTile)
      coder.code(steps, count: capacity / laneCountOfTile)
    }
    let goalCount = coder.coded(goalCapacity)
    if goalCount > 0 { goalMemory!.code(&coder, goalCount) }
    coder.code(&springs)
    coder.code(&leaders)
    coder.code(&offsets)
    coder.code(&count)
    coder.code(&leaderCount)
    coder.code(&latest.start)
    coder.code(&step)
    coder.code(&stepBefore)
    coder.code(&steppedDimensions)
  }

  /// Names the leaders of a copy by handles of its own.
  mutating func renameLeaders(_ store: UInt32) {
    for index in leaders.indices where leaders[index] != .noTrack { leaders[index] = leaders[index].renamed(store) }
  }

  // MARK: - Goals

  /// The goals of all indices: dimension 0, and the distance to the next dimension.
  var goals: (first: Column<Float>, stride: Int) { unsafe mappedGoals.unsafelyUnwrapped }

  func goal(_ index: Int, _ dimension: Int) -> Float { goals.first[dimension * goals.stride + index] }

  func setGoal(_ index: Int, _ dimension: Int, _ goal: Float) {
    goals.first[dimension * goals.stride + index] = goal + 0
  }

  // MARK: - Leaders

  /// The track that leads an index.
  func leader(_ index: Int) -> TrackHandle? {
    index < leaders.count && leaders[index] != .noTrack ? leaders[index] : nil
  }

  func offset(_ index: Int, _ dimension: Int) -> Float { offsets[index * dimensions + dimension] }

  /// Lets a track lead an index from now on.
  mutating func setLeader(_ index: Int, _ leader: TrackHandle, _ offset: (Int) -> Float) {
    leaders.grow(to: index + 1, with: .noTrack)
    offsets.grow(to: (index + 1) * dimensions, with: 0)
    keepLeader(index, leader)
    for dimension in 0..<dimensions { offsets[index * dimensions + dimension] = offset(dimension) }
  }

  /// Lets the track that led an index lead it again.
  mutating func keepLeader(_ index: Int, _ leader: TrackHandle?) {
    guard let leader else { return }
    if leaders[index] == .noTrack { leaderCount += 1 }
    leaders[index] = leader
  }

  /// The indices that a track may lead; none if no track leads.
  var ledIndices: Range<Int> { leaderCount == 0 ? 0..<0 : leaders.indices }

  /// Ends the lead over an index.
  mutating func release(_ index: Int) {
    guard leader(index) != nil else { return }
    leaders[index] = .noTrack
    leaderCount -= 1
  }

  // MARK: - Tracks

  /// Makes a track follow with a spring.
  ///
  /// - Parameters:
  ///   - isFirst: Whether no other track of the tile follows.
  ///   - joins: Whether the track did not follow before.
  mutating func begin(
    _ index: Int, _ coefficients: SpringCoefficients, _ columns: SpringColumns, isFirst: Bool, joins: Bool
  ) {
    let (tile, number) = (index / laneCountOfTile, latest.start(coefficients).number)
    if isFirst { springs[tile] = number } else if springs[tile] != number { springs[tile] = 0 }
    setSpring(index..<index + 1, coefficients, columns)
    wake(index)
    if joins {
      count += 1
      tiles[tile].stray &= ~TileStore.bit(index)
    }
  }

  /// Makes all lanes of a full tile follow with one spring.
  ///
  /// - Parameter joining: The number of its tracks that did not follow before.
  mutating func begin(tile: Int, _ coefficients: SpringCoefficients, _ columns: SpringColumns, joining: Int) {
    let index = tile * laneCountOfTile
    setSpring(index..<index + laneCountOfTile, coefficients, columns)
    springs[tile] = latest.start(coefficients).number
    // A lost goal that was reported stays reported.
    if joining > 0 { tiles[tile] = FollowTile() } else { tiles[tile].resting = 0 }
    count += joining
  }

  /// Sets the spring of some lanes of a tile, whose factors are computed anew then.
  private func setSpring(_ indices: Range<Int>, _ coefficients: SpringCoefficients, _ columns: SpringColumns) {
    let mapped = unsafe mapped.unsafelyUnwrapped
    let (index, count) = (indices.lowerBound, indices.count)
    (columns.rate + index).update(repeating: coefficients.rate, count: count)
    (columns.decay + index).update(repeating: coefficients.decay, count: count)
    // What the two columns say, so that a track has the same bits after it was moved.
    let spring = SpringCoefficients(rate: coefficients.rate, decay: coefficients.decay)
    (mapped.damping + index).update(repeating: spring.damping, count: count)
    (mapped.squaredFrequency + index).update(repeating: spring.squaredFrequency, count: count)
    steps[index / laneCountOfTile] = .nan
  }

  /// Notes that the state of a track was changed.
  func wake(_ index: Int) { tiles[index / laneCountOfTile].resting &= ~TileStore.bit(index) }

  /// Whether a track was at rest in the last frame.
  func isAtRest(_ index: Int) -> Bool { resting(index / laneCountOfTile) & TileStore.bit(index) != 0 }

  /// The tracks of a tile that were at rest in the last frame.
  func resting(_ tile: Int) -> UInt16 { tiles[tile].resting }

  /// Notes that a track follows no longer.
  mutating func leave(_ index: Int) {
    count -= 1
    release(index)
  }

  mutating func removeAll() {
    count = 0
    leaders.removeAll()
    leaderCount = 0
    offsets.removeAll()
    stepped.removeAll()
  }

  /// Sets the seconds from the frame before to this one.
  mutating func setStep(_ seconds: Double) {
    if step > 0 { stepBefore = step }
    let bitsLeft = UInt64(Double.significandBitCount - 33)
    let rounded = (seconds.bitPattern + 1 << (bitsLeft - 1)) & ~(1 << bitsLeft - 1)
    step = 0x1p-32..<1 ~= seconds ? Double(bitPattern: rounded) : seconds
  }

  // MARK: - Calls within a frame

  /// Takes a step of a track by itself, before a frame: a call is due on the way.
  func step(
    _ index: Int, _ coefficients: SpringCoefficients, by seconds: Double, _ tracks: borrowing TrackStore
  ) {
    guard seconds > 0 else { return }
    let basis = coefficients.basis(age: seconds)
    let rule = AmplitudeRule(coefficients)
    for dimension in 0..<dimensions {
      let element = tracks.element(index, dimension)
      let goal = goal(index, dimension)
      guard abs(goal) <= BatchLimits.maximumMagnitude else {
        tracks.columns.velocity[element] = 0
        continue
      }
      let displacement = tracks.columns.value[element] - goal
      let amplitude = rule.amplitude(displacement: displacement, velocity: tracks.columns.velocity[element])
      let shown = rule.jumps ? (0, 0) : basis.applied(displacement, amplitude)
      tracks.columns.value[element] = shown.0 + goal
      tracks.columns.velocity[element] = shown.1
    }
  }

  /// Keeps the state of a track through the step of all tracks.
  mutating func keep(_ index: Int, _ tracks: borrowing TrackStore) {
    stepped.append(
      (
        index,
        (0..<dimensions).map { dimension in
          let element = tracks.element(index, dimension)
          return (tracks.columns.value[element], tracks.columns.velocity[element])
        }
      ))
  }

  /// Gives tracks back the states that were kept.
  mutating func restore(_ tracks: borrowing TrackStore) {
    for (index, state) in stepped {
      tracks.show(index) { state[$0] }
      wake(index)
      tiles[index / laneCountOfTile].arrived &= ~TileStore.bit(index)
    }
    stepped.clear()
  }
}

// The columns point into memory that the value owns, and the type cannot be copied.
extension FollowMotions: @unchecked Sendable {}
