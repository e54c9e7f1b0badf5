// SPDX-License-Identifier: MIT
import Kernels

/// The blocks of effects that add up.
struct EffectBlocks: ~Copyable {
  private let dimensions: Int
  private var block: MemoryBlock?
  private(set) var memory: EffectMemory
  private(set) var list = OwnedColumn<EffectBlock>()
  /// The modified animations of effects, by element: lane `l` of block `b` is element 16 b + l. Empty until there is one.
  private var programs: [CurveProgram?] = []
  private var firstFree: Int32 = -1
  private var freeCount = 0

  /// No blocks; memory comes with the first.
  init(dimensions: Int) {
    self.dimensions = dimensions
    memory = EffectMemory(goals: .empty, clocks: .empty, dimensions: dimensions)
  }

  /// The number of blocks in use.
  var count: Int { list.count - freeCount }

  subscript(block: Int) -> EffectBlock { list[block] }

  /// The columns of a block.
  func columns(_ block: Int) -> EffectColumns { memory.columns(block) }

  // MARK: - Blocks

  /// Makes sure that a number of blocks can be taken; false if there is no memory.
  mutating func makeRoom(for blocks: Int) -> Bool {
    guard blocks > freeCount else { return true }
    let (old, each) = (list.count, 4 * EffectMemory.goalCount(dimensions: dimensions))
    let needed = old + blocks - freeCount
    // At least twice the present number, so that taking blocks one by one stays cheap.
    let counts = [max(needed, 2 * old, 4), needed]
    let bytes = each + EffectMemory.clockBytes
    guard let count = counts.first(where: { MemoryBlock.hasRoom(forBytes: $0 * bytes) }) else { return false }
    let larger = MemoryBlock(byteCount: count * bytes, alignment: 64, isZeroed: false)
    let new = EffectMemory(
      goals: larger.bytes.rebound(to: Float.self), clocks: larger.bytes + count * each, dimensions: dimensions)
    new.goals.update(from: memory.goals, count: old * each / 4)
    (new.goals + old * each / 4).update(repeating: 0, count: (count - old) * each / 4)
    new.clocks.update(from: memory.clocks, count: old * EffectMemory.clockBytes)
    memory = new
    block = consume larger
    list.grow(to: count, with: EffectBlock())
    if !programs.isEmpty { programs.grow(to: count * laneCountOfTile, with: nil) }
    // The first of them is taken first.
    for block in (old..<count).reversed() { giveBack(block) }
    return true
  }

  /// Takes a block for effects along a curve, all of whose lanes are vacant; there must be a free one.
  mutating func take(_ curve: Int) -> Int {
    let block = Int(firstFree)
    firstFree = list[block].next
    freeCount -= 1
    (list[block].curve, list[block].next) = (Int32(curve), -1)
    return block
  }

  /// Frees a block without effects.
  private mutating func giveBack(_ block: Int) {
    (list[block].curve, list[block].next) = (-1, firstFree)
    firstFree = Int32(block)
    freeCount += 1
  }

  /// Makes a block the one after another.
  mutating func link(_ block: Int, after other: Int) { list[other].next = Int32(block) }

  /// Ends effects of a block.
  mutating func vacate(_ block: Int, _ left: UInt16) {
    list[block].lanes &= ~left
    if !programs.isEmpty { left.forEachLane { programs[block * laneCountOfTile + $0] = nil } }
    if !list[block].areAlike { left.forEachLane { clear(block, $0) } }
  }

  /// Frees the blocks of a chain that have no effect any more, and returns the first one that stays, or −1.
  ///
  /// - Parameter last: The last block that may have none; nil for the last of all.
  mutating func freeEmpty(from first: Int32, through last: Int?) -> Int32 {
    var (start, before, block) = (first, -1, Int(first))
    while block >= 0 {
      let (after, isEmpty) = (list[block].next, list[block].lanes == 0)
      let isLast = block == last
      if !isEmpty {
        before = block
      } else {
        giveBack(block)
        if before >= 0 { list[before].next = after } else { start = after }
      }
      if isLast { break }
      block = Int(after)
    }
    return start
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
    (firstFree, freeCount) = (-1, 0)
    programs.removeAll()
    for block in list.indices.reversed() {
      list[block].lanes = 0
      giveBack(block)
    }
  }
}

// The columns point into memory that the value owns, and the type cannot be copied.
extension EffectBlocks: @unchecked Sendable {}
