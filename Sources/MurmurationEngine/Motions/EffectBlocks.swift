// SPDX-License-Identifier: MIT
import Kernels

/// The blocks of effects that add up.
struct EffectBlocks: ~Copyable {
  private let dimensions: Int
  private var block: MemoryBlock?
  private(set) var memory: EffectMemory
  private(set) var list = OwnedColumn<EffectBlock>()
  /// The modified animations of effects, by element: lane `l` of block `b` is element 16 b + l. Empty until there is one.
  var programs: [CurveProgram?] = []
  private var free = FreeNumbers()

  /// No blocks; memory comes with the first.
  init(dimensions: Int) {
    self.dimensions = dimensions
    memory = EffectMemory(goals: .empty, clocks: .empty, dimensions: dimensions)
  }

  /// The number of blocks in use.
  var count: Int { list.count - free.count }

  /// Bytes of all blocks.
  var byteCount: Int {
    list.count * (4 * EffectMemory.goalCount(dimensions: dimensions) + EffectMemory.clockBytes)
  }

  /// The number of effects in all blocks.
  var effectCount: Int { list.indices.reduce(0) { $0 + (list[$1].curve < 0 ? 0 : list[$1].lanes.nonzeroBitCount) } }

  subscript(block: Int) -> EffectBlock { list[block] }

  /// The columns of a block.
  @inline(__always)
  func columns(_ block: Int) -> EffectColumns { memory.columns(block) }

  mutating func code(_ coder: inout StateCoder) {
    let count = coder.codedCount(list.count, width: MemoryLayout<EffectBlock>.stride)
    if count != list.count { map(count) }
    list.code(&coder)
    let goals = EffectMemory.goalCount(dimensions: dimensions)
    for number in list.indices where list[number].curve >= 0 {
      coder.code(memory.goals + number * goals, count: goals)
      coder.code(memory.clocks + number * EffectMemory.clockBytes, count: EffectMemory.clockBytes)
    }
    free.code(&coder)
  }

  // MARK: - Blocks

  /// Takes new memory for a number of blocks, and returns the old one.
  @discardableResult
  private mutating func map(_ count: Int) -> MemoryBlock? {
    let goals = EffectMemory.goalCount(dimensions: dimensions)
    let larger = MemoryBlock(byteCount: count * (4 * goals + EffectMemory.clockBytes), alignment: 64)
    memory = EffectMemory(
      goals: larger.bytes.rebound(to: Float.self), clocks: larger.bytes + count * 4 * goals, dimensions: dimensions)
    let old = block.take()
    block = consume larger
    return old
  }

  /// Makes sure that a number of blocks can be taken; false if there is no memory.
  ///
  /// - Parameter tiles: The number of tiles. Each has a block of its own, as far as there is memory: what is never used is
  ///   never touched.
  mutating func makeRoom(for blocks: Int, tiles: Int) -> Bool {
    guard blocks > free.count else { return true }
    let (old, goals) = (list.count, EffectMemory.goalCount(dimensions: dimensions))
    let needed = old + blocks - free.count
    // At least twice the present number, so that taking blocks one by one stays cheap.
    let counts = [max(needed, 2 * old, tiles), needed]
    let bytes = 4 * goals + EffectMemory.clockBytes
    let ofPrograms = programs.isEmpty ? 0 : laneCountOfTile * MemoryLayout<CurveProgram?>.stride
    let fitting = counts.first { count in
      let ofList = max(count, 2 * old) * MemoryLayout<EffectBlock>.stride
      return MemoryBlock.hasRoom(forBlocks: [count * bytes, ofList, count * ofPrograms])
    }
    guard let count = fitting else { return false }
    let before = memory
    let block = map(count)
    memory.goals.update(from: before.goals, count: old * goals)
    memory.clocks.update(from: before.clocks, count: old * EffectMemory.clockBytes)
    _ = consume block
    list.grow(to: count, with: EffectBlock())
    if !programs.isEmpty { programs.grow(to: count * laneCountOfTile, with: nil) }
    free.grow(from: old, to: count)
    return true
  }

  /// Takes a block for effects along a curve, all of whose lanes are vacant; there must be a free one.
  ///
  /// - Parameter tile: The tile, whose own block is the first choice: kernels go through neighbouring blocks more quickly.
  mutating func take(_ curve: Int, for tile: Int) -> Int {
    let isOwn = free.isFree(tile)
    let block = isOwn ? tile : free.takeFirst()
    if isOwn { free.take(block) }
    (list[block].curve, list[block].next) = (Int32(curve), -1)
    return block
  }

  /// Frees a block without effects.
  private mutating func giveBack(_ block: Int) {
    list[block].curve = -1
    free.giveBack(block)
  }

  /// Makes a block the one after another.
  mutating func link(_ block: Int, after other: Int) { list[other].next = Int32(block) }

  /// Ends effects of a block.
  mutating func vacate(_ block: Int, _ left: UInt16) {
    list[block].lanes &= ~left
    if !programs.isEmpty { left.forEachLane { programs[block * laneCountOfTile + $0] = nil } }
    if !list[block].areAlike { left.forEachLane { clear(block, $0) } }
  }

  /// Frees the blocks of a chain that have no effect any more.
  ///
  /// - Parameters:
  ///   - first: The first block of the chain, or −1.
  ///   - last: The last one.
  ///   - end: The last block that may have no effect; nil for the last of all.
  mutating func freeEmpty(from first: inout Int32, to last: inout Int32, through end: Int?) {
    var (before, block) = (-1 as Int32, first)
    while block >= 0 {
      let (this, isEmpty) = (Int(block), list[Int(block)].lanes == 0)
      block = list[this].next
      if !isEmpty {
        before = Int32(this)
      } else {
        giveBack(this)
        if before >= 0 { list[Int(before)].next = block } else { first = block }
        if block < 0 { last = before }
      }
      if this == end { break }
    }
  }

  /// Makes a lane lead nowhere.
  private func clear(_ block: Int, _ lane: Int) {
    let columns = columns(block)
    (columns.origin[lane], columns.rate[lane], columns.scale[lane]) = (0, 0, PlaybackColumns.vacant)
  }

  // MARK: - Effects

  /// Gives lanes of a block an effect, which runs evenly from start to end. Their goals are set by the caller.
  mutating func begin(_ block: Int, _ new: UInt16, _ way: CurveWay) {
    let rate = CurveMotions.rate(from: way.start, to: way.end)
    if list[block].lanes == 0 { (list[block].start, list[block].rate, list[block].end) = (way.start, rate, way.end) }
    let header = list[block]
    if way.program != nil || header.start != way.start || header.end != way.end || header.rate != rate {
      markUnlike(block)
    }
    list[block].lanes |= new
    if !list[block].areAlike { new.forEachLane { set(block, $0, start: way.start, end: way.end, rate: rate) } }
    guard way.program != nil || !programs.isEmpty else { return }
    programs.grow(to: list.count * laneCountOfTile, with: nil)
    new.forEachLane { programs[block * laneCountOfTile + $0] = way.program }
  }

  private func set(_ block: Int, _ lane: Int, start: Double, end: Double, rate: Double) {
    let columns = columns(block)
    (columns.start[lane], columns.end[lane]) = (start, end)
    (columns.origin[lane], columns.rate[lane], columns.scale[lane]) = (start, rate, rate == 0 ? 0 : 1)
  }

  /// Whether no effect is modified, nor was since the effects were removed.
  var modifiesNone: Bool { programs.isEmpty }

  /// The modified animation of an effect; nil if it is a plain curve.
  func program(_ block: Int, _ lane: Int) -> CurveProgram? {
    programs.isEmpty ? nil : programs[block * laneCountOfTile + lane]
  }

  /// Notes that the effects of a block are not alike, or that their clocks are not: each lane has its own from now on.
  mutating func markUnlike(_ block: Int) {
    let header = list[block]
    guard header.areAlike else { return }
    for lane in 0..<laneCountOfTile {
      if header.lanes & 1 << UInt16(lane) == 0 {
        clear(block, lane)
      } else {
        set(block, lane, start: header.start, end: header.end, rate: header.rate)
      }
    }
    list[block].end = .nan
  }

  /// Stops the effects of a block, which are alike, at their goals, or lets them run again.
  mutating func stop(_ block: Int, _ stops: Bool) {
    list[block].rate = stops ? 0 : CurveMotions.rate(from: list[block].start, to: list[block].end)
  }

  /// Frees all blocks.
  mutating func removeAll() {
    programs.removeAll()
    for block in list.indices where list[block].curve >= 0 {
      list[block].lanes = 0
      giveBack(block)
    }
  }
}

// The columns point into memory that the value owns, and the type cannot be copied.
extension EffectBlocks: @unchecked Sendable {}
