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
    clear(block, 0, laneCountOfTile)
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
    // A block without effects is freed, and cleared when it is taken again.
    if list[block].lanes != 0 { left.forEachLane { clear(block, $0, 1) } }
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

  /// Makes lanes lead nowhere.
  private func clear(_ block: Int, _ lane: Int, _ count: Int) {
    let columns = columns(block)
    (columns.origin + lane).update(repeating: 0, count: count)
    (columns.rate + lane).update(repeating: 0, count: count)
    (columns.scale + lane).update(repeating: PlaybackColumns.vacant, count: count)
    for dimension in 0..<dimensions {
      (columns.offset + (dimension * columns.stride + lane)).update(repeating: 0, count: count)
    }
  }

  // MARK: - Effects

  /// Gives lanes of a block an effect, which runs evenly from start to end. Their goals are set by the caller.
  mutating func begin(_ block: Int, _ new: UInt16, _ way: CurveWay) {
    let (columns, lanes, rate) = (columns(block), list[block].lanes, CurveMotions.rate(from: way.start, to: way.end))
    let isAlike = lanes == 0 || list[block].end == way.end && list[block].start == way.start
    if lanes == 0 { (list[block].start, list[block].rate) = (way.start, rate) }
    list[block].end = isAlike && way.program == nil && list[block].rate == rate ? way.end : .nan
    list[block].lanes |= new
    func set(_ lane: Int, _ count: Int) {
      (columns.origin + lane).update(repeating: way.start, count: count)
      (columns.rate + lane).update(repeating: rate, count: count)
      (columns.start + lane).update(repeating: way.start, count: count)
      (columns.end + lane).update(repeating: way.end, count: count)
      (columns.scale + lane).update(repeating: 1, count: count)
    }
    if new == .max { set(0, laneCountOfTile) } else { new.forEachLane { set($0, 1) } }
    guard way.program != nil || !programs.isEmpty else { return }
    programs.grow(to: list.count * laneCountOfTile, with: nil)
    new.forEachLane { programs[block * laneCountOfTile + $0] = way.program }
  }

  /// Whether no effect is modified, nor was since the effects were removed.
  var modifiesNone: Bool { programs.isEmpty }

  /// The modified animation of an effect; nil if it is a plain curve.
  func program(_ block: Int, _ lane: Int) -> CurveProgram? {
    programs.isEmpty ? nil : programs[block * laneCountOfTile + lane]
  }

  /// Notes that the effects of a block are not alike, or that their clocks are not.
  mutating func markUnlike(_ block: Int) { list[block].end = .nan }

  /// Stops all lanes of a block, whose effects are alike, at their goals, or lets them run again.
  mutating func stop(_ block: Int, _ stops: Bool) {
    let rate = stops ? 0 : CurveMotions.rate(from: list[block].start, to: list[block].end)
    columns(block).rate.update(repeating: rate, count: laneCountOfTile)
    columns(block).scale.update(repeating: stops ? 0 : 1, count: laneCountOfTile)
    list[block].rate = rate
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
