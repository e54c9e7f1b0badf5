// SPDX-License-Identifier: MIT
import Kernels

// Effects that are added to a spring, to a value, or to the effects before. A track keeps its index, whatever curves are added:
// each effect takes a lane of a block of its tile.
extension CurveMotions {
  /// An effect of a track.
  struct Effect {
    /// The block of its lane.
    let block: EffectBlock
    let columns: EffectColumns
    /// Its element of the columns.
    let element: Int
    let curve: Int
    let program: CurveProgram?

    var start: Double { block.areAlike ? block.start : columns.start[element] }
    var end: Double { block.areAlike ? block.end : columns.end[element] }
    var way: CurveWay { CurveWay(curve: curve, start: start, end: end, program: program) }

    func goal(_ dimension: Int) -> Float { columns.offset[dimension * columns.stride + element] }
  }

  // MARK: - Chains

  /// Calls `body` with each effect of a track, in the order in which they began, and with whether it is the last.
  @inline(__always)
  func forEachEffect(at index: Int, _ body: (Effect, _ isLast: Bool) -> Void) {
    let (tile, lane) = (index / laneCountOfTile, index % laneCountOfTile)
    var block = blockWithEffect(from: first[tile], index)
    while block >= 0 {
      let after = blockWithEffect(from: effects[block].next, index)
      let program = effects.program(block, lane)
      let effect = Effect(
        block: effects[block], columns: effects.columns(block), element: lane, curve: Int(effects[block].curve),
        program: program)
      body(effect, after < 0)
      block = after
    }
  }

  /// The first block of a chain, from one on, in which a track has an effect; −1 if there is none.
  private func blockWithEffect(from first: Int32, _ index: Int) -> Int {
    var block = first
    while block >= 0, effects[Int(block)].lanes & TileStore.bit(index) == 0 { block = effects[Int(block)].next }
    return Int(block)
  }

  /// Whether the effects of a track add to a spring.
  func isOnSpring(_ index: Int) -> Bool { onSprings[index / laneCountOfTile] & TileStore.bit(index) != 0 }

  /// The progress of an effect from its start on.
  func progress(of effect: Effect) -> Progress {
    effect.program?.progress ?? Progress(library.form(at: effect.curve), duration: effect.end - effect.start)
  }

  /// The motion of an effect, as a call asks for it.
  func motion(of effect: Effect) -> MotionRequest {
    if let program = effect.program { return .program(program) }
    guard case .curve(let curve) = library.form(at: effect.curve).base else {
      return .program(CurveProgram(progress(of: effect)))
    }
    return .curve(curve, duration: effect.end - effect.start)
  }

  /// The last effect of a track.
  func lastEffect(at index: Int) -> Effect {
    var last: Effect?
    forEachEffect(at: index) { effect, _ in last = effect }
    return unsafe last.unsafelyUnwrapped
  }

  /// Notes that the clocks of the effects of a track may differ from those of its neighbours.
  mutating func markUnlike(_ index: Int) {
    var block = blockWithEffect(from: first[index / laneCountOfTile], index)
    while block >= 0 {
      effects.markUnlike(block)
      block = blockWithEffect(from: effects[block].next, index)
    }
  }

  /// The number of effects of a track that have not been ended, nor are to be ended by a call at a moment.
  func effectCount(of index: Int, at moment: Double = -.infinity) -> Int {
    var count = 0
    forEachEffect(at: index) { effect, _ in count = moment > effect.end ? 0 : count + 1 }
    return count
  }

  /// Ends effects of lanes of a tile.
  ///
  /// - Parameter end: The last block whose effects end, or nil to end those of all blocks.
  mutating func end(_ lanes: UInt16, _ tile: Int, through end: Int?) {
    onSprings[tile] &= ~lanes
    if end == nil { endOutOfOrder[tile] &= ~lanes }
    var (block, isAnyEmpty) = (Int(first[tile]), false)
    while block >= 0 {
      let left = effects[block].lanes & lanes
      if left != 0 {
        library.users[Int(effects[block].curve)] -= left.nonzeroBitCount
        effects.vacate(block, left)
        isAnyEmpty = isAnyEmpty || effects[block].lanes == 0
      }
      block = block == end ? -1 : Int(effects[block].next)
    }
    if isAnyEmpty { effects.freeEmpty(from: &first[tile], to: &last[tile], through: end) }
  }

  // MARK: - Adding

  /// Adds an effect to those of a track, as it is. There must be room for it.
  mutating func append(_ effect: Effect, to index: Int) {
    let block = append(effect.way, to: index) { effect.goal($0) }
    let (header, old, element) = (effect.block, effect.columns, effect.element)
    if header.areAlike, effects[block].areAlike, effects[block].rate == header.rate { return }
    effects.markUnlike(block)
    let (columns, lane) = (effects.columns(block), index % laneCountOfTile)
    (columns.origin[lane], columns.rate[lane], columns.scale[lane]) =
      header.areAlike
      ? (header.start, header.rate, header.rate == 0 ? 0 : 1)
      : (old.origin[element], old.rate[element], old.scale[element])
  }

  /// The last block whose effect of a track has covered its way at a moment, or −1. No bit depends on the effects up to it any
  /// more.
  private func lastCovered(_ index: Int, at moment: Double) -> Int {
    let (tile, bit) = (index / laneCountOfTile, TileStore.bit(index))
    let endInOrder = endOutOfOrder[tile] & bit == 0
    var (covered, next) = (-1, Int(first[tile]))
    while next >= 0 {
      let block = effects[next]
      if block.lanes & bit != 0 {
        if moment > (block.areAlike ? block.end : effects.columns(next).end[index % laneCountOfTile]) {
          covered = next
        } else if endInOrder {
          break
        }
      }
      next = Int(block.next)
    }
    return covered
  }

  /// A block with a curve and a vacant lane after all effects of a track: the last block, or else the first such one; −1
  /// without one.
  private func vacancy(for curve: Int, _ index: Int) -> Int {
    let (tile, bit) = (index / laneCountOfTile, TileStore.bit(index))
    let last = Int(last[tile])
    guard last >= 0, effects[last].lanes & bit == 0 else { return -1 }
    if effects[last].curve == curve { return last }
    var (fitting, next) = (-1, Int(first[tile]))
    while next >= 0 {
      let block = effects[next]
      if block.lanes & bit != 0 { fitting = -1 } else if fitting < 0, block.curve == curve { fitting = next }
      next = Int(block.next)
    }
    return fitting
  }

  /// Adds an effect to those of a track: in a block of its tile that fits, or in one of its own, for which there must be room.
  /// The effects that have covered their ways at a moment end.
  ///
  /// - Returns: The block of the effect.
  @discardableResult
  private mutating func append(
    _ way: CurveWay, to index: Int, endingBefore moment: Double = -.infinity, goal: (Int) -> Float
  ) -> Int {
    let covered = lastCovered(index, at: moment)
    if covered >= 0 { endCovered(index, through: covered) }
    let vacancy = vacancy(for: way.curve, index)
    let block = vacancy >= 0 ? vacancy : takeBlock(way.curve, index / laneCountOfTile)
    effects.begin(block, TileStore.bit(index), way)
    library.users[way.curve] += 1
    let (columns, lane) = (effects.columns(block), index % laneCountOfTile)
    for dimension in 0..<dimensions { columns.offset[dimension * columns.stride + lane] = goal(dimension) }
    return block
  }

  /// Takes a block for a tile, after the last that it has.
  private mutating func takeBlock(_ curve: Int, _ tile: Int) -> Int {
    let block = effects.take(curve, for: tile)
    if last[tile] < 0 { first[tile] = Int32(block) } else { effects.link(block, after: Int(last[tile])) }
    last[tile] = Int32(block)
    return block
  }

  /// Ends the effects of a track up to the last that has covered its way, which is in a block.
  private mutating func endCovered(_ index: Int, through last: Int) {
    let (goals, lane) = (effects.columns(last), index % laneCountOfTile)
    for dimension in 0..<dimensions {
      columns.under[dimension * columns.stride + index] = goals.offset[dimension * goals.stride + lane]
    }
    end(TileStore.bit(index), index / laneCountOfTile, through: last)
  }

  /// Adds an effect to those of a track, towards a new target. There must be room for it.
  mutating func add(_ way: CurveWay, to index: Int, _ tracks: borrowing TrackStore, target: (Int) -> Float) {
    append(way, to: index, endingBefore: way.start) { dimension in
      let target = target(dimension) + 0
      tracks.columns.target[tracks.element(index, dimension)] = target
      return target
    }
    if way.end < columns.end[index] { endOutOfOrder[index / laneCountOfTile] |= TileStore.bit(index) }
    (columns.start[index], columns.end[index]) = (way.start, way.end)
    setOut(index, at: way.start)
    if effects.modifiesNone {
      columns.from[index] = max(columns.from[index], way.start)
      columns.until[index] = min(columns.until[index], way.end.nextDown)
    } else {
      _ = bring(index, to: way.start, tracks)
    }
    tiles.hold(index, intervals, tracks)
  }

  // MARK: - Full tiles

  /// The state of the chain of a full tile.
  private struct Survey {
    /// Whether all lanes have the same effects, none of which is modified.
    var areAlike = true
    /// If they are alike, the last block whose effects have covered their ways; −1 without one.
    var lastCovered = -1
  }

  /// Looks at the chain of a full tile.
  private func survey(_ tile: Int, at moment: Double) -> Survey {
    var (survey, next) = (Survey(), Int(first[tile]))
    while next >= 0 {
      let block = effects[next]
      effects.list.column.prefetch(next + EffectBlock.tilesAskedAhead)
      // False for NaN too.
      if moment > block.end { survey.lastCovered = next }
      survey.areAlike = survey.areAlike && block.areAlike && block.lanes == .max
      next = Int(block.next)
    }
    return survey
  }

  /// Adds an effect to those of a full tile, towards the targets of consecutive tracks. There must be room for a block.
  ///
  /// - Parameter way: A curve that is not modified.
  mutating func add(
    _ way: CurveWay, toTile tile: Int, _ tracks: borrowing TrackStore, _ targets: InputValues, at first: Int
  ) {
    let (count, indices) = (laneCountOfTile, tile * laneCountOfTile..<(tile + 1) * laneCountOfTile)
    let survey = survey(tile, at: way.start)
    if !survey.areAlike {
      for index in indices {
        let covered = lastCovered(index, at: way.start)
        if covered >= 0 { endCovered(index, through: covered) }
      }
    } else if survey.lastCovered >= 0 {
      endCovered(tile: tile, through: survey.lastCovered)
    }
    let block = takeBlock(way.curve, tile)
    effects.begin(block, .max, way)
    library.users[way.curve] += count
    let goals = effects.columns(block)
    targets.withColumns(of: first..<first + count) { targets, stride in
      for dimension in 0..<dimensions {
        let target = tracks.columns.target + tracks.element(indices.lowerBound, dimension)
        for lane in 0..<count { target[lane] = targets[dimension * stride + lane] + 0 }
        (goals.offset + dimension * goals.stride).update(from: target, count: count)
      }
    }
    for index in indices {
      columns.from[index] = max(columns.from[index], way.start)
      columns.until[index] = min(columns.until[index], way.end.nextDown)
      if way.end < columns.end[index] { endOutOfOrder[tile] |= TileStore.bit(index) }
    }
    setOut(tile: tile, way)
  }

  /// Ends the effects of a tile whose lanes are alike, up to a block whose effects have covered their ways.
  private mutating func endCovered(tile: Int, through last: Int) {
    let goals = effects.columns(last)
    (columns.under + tile * laneCountOfTile).copyTile(
      dimensions, from: goals.offset, every: goals.stride, to: columns.stride)
    end(.max, tile, through: last)
  }

  /// Gives all tracks of a tile whose lanes are alike the columns for a time, as ``bring(_:to:_:reports:)`` gives them to each.
  ///
  /// - Returns: Whether it did. It does not where the last effect has ended.
  mutating func bring(tile: Int, to time: Double, _ tracks: borrowing TrackStore) -> Bool {
    let index = tile * laneCountOfTile
    guard tracks.tiles.live[tile] == .max, time < end(at: index),
      survey(tile, at: time).areAlike
    else { return false }
    // Effects are in the order in which they began.
    var (from, until, block) = (start(at: index), end(at: index).nextDown, Int(first[tile]))
    while effects[block].next >= 0 {
      let (end, isOver) = (effects[block].end, time > effects[block].end)
      if isOver { from = max(from, end.nextUp) } else { until = min(until, end) }
      if isOver != (effects[block].rate == 0) { effects.stop(block, isOver) }
      block = Int(effects[block].next)
    }
    (columns.from + index).update(repeating: from, count: laneCountOfTile)
    (columns.until + index).update(repeating: until, count: laneCountOfTile)
    tiles.moveAll(ofTile: tile)
    return true
  }
}

/// The columns of tiles that effects lead, as a frame lends them to kernels.
struct SumColumns {
  private var chains: EffectChains
  /// See ``CurveMotions/onSprings``.
  private let onSprings: ConstantColumn<UInt16>
  /// The columns of the springs of these tiles, with what is under effects in the place of targets.
  private var springs: SpringColumns
  /// See ``SpringWatch/evaluations``.
  private let evaluations: ConstantColumn<UInt64>

  /// The tiles of a block. All kernels run over a block before the next block, so that its values stay in the caches.
  private static let tilesPerBlock = 128

  init(
    _ chains: EffectChains, onSprings: ConstantColumn<UInt16>, springs: SpringColumns,
    evaluations: ConstantColumn<UInt64>
  ) {
    (self.chains, self.onSprings, self.springs, self.evaluations) = (chains, onSprings, springs, evaluations)
    self.springs.target = chains.columns.under
  }

  /// The same columns with other memory for the outputs of kernels, and for what is under the effects.
  func redirected(
    value: Column<Float>, velocity: Column<Float>, under: Column<Float>, stride: Int
  ) -> SumColumns {
    var columns = self
    columns.chains.columns = LedColumns(
      under: under, standing: .empty, value: value, velocity: velocity, dimensionStride: stride)
    (columns.springs.target, columns.springs.value, columns.springs.velocity) = (under, value, velocity)
    columns.springs.dimensionStride = stride
    return columns
  }

  /// Evaluates some tiles.
  func evaluate(
    _ tiles: Range<Int>, at time: Double, velocities: Bool, _ table: KernelTable, _ tables: ConstantColumn<ClipTable>
  ) {
    unsafe withUnsafeTemporaryAllocation(of: Bool.self, capacity: Self.tilesPerBlock) { memory in
      let flags = unsafe memory.column.unsafelyUnwrapped
      var chains = chains
      var first = tiles.lowerBound
      while first < tiles.upperBound {
        let last = min(first + Self.tilesPerBlock, tiles.upperBound)
        for tile in first..<last { flags[tile - first] = stands(tile) }
        chains.columns.standing = (flags - first).constant
        evaluateSprings(first..<last, standing: chains.columns.standing, at: time, velocities: velocities, table)
        table.evaluateSums(chains, first..<last, tables, time, velocities)
        first = last
      }
    }
  }

  /// Whether no spring moves in a tile.
  private func stands(_ tile: Int) -> Bool { onSprings[tile] == 0 && evaluations[tile] == SpringWatch.asleep }

  /// Evaluates the springs of the tiles in which some move, under effects or beside them.
  private func evaluateSprings(
    _ tiles: Range<Int>, standing: ConstantColumn<Bool>, at time: Double, velocities: Bool, _ table: KernelTable
  ) {
    var tile = tiles.lowerBound
    while tile < tiles.upperBound {
      guard !standing[tile] else {
        tile += 1
        continue
      }
      var end = tile + 1
      while end < tiles.upperBound, !standing[end] { end += 1 }
      table.evaluateMixed(springs, LaneRun(tile..<end), time, velocities)
      tile = end
    }
  }
}
