// SPDX-License-Identifier: MIT
// Effects that add up. A tile is led by one effect after the other, in the caches: its values are written once.

extension InstructionSet {
  /// Leads tiles from the values and velocities that their columns have by all of their effects. Each effect has 4 bytes of
  /// traffic for a lane and dimension, and 20 more for a lane where the lanes of its block differ.
  @export(implementation) @inline(__always)
  public static func evaluateSums(
    _ chains: EffectChains, _ tiles: Range<Int>, tables: ConstantColumn<ClipTable>, now: Double, velocities: Bool
  ) {
    if velocities {
      sumLoop(chains, tiles, tables, now: now, ValueAndVelocity.self)
    } else {
      sumLoop(chains, tiles, tables, now: now, ValueOnly.self)
    }
  }

  @inline(never)
  @export(implementation)
  static func sumLoop<O: Output>(
    _ chains: EffectChains, _ tiles: Range<Int>, _ tables: ConstantColumn<ClipTable>, now: Double, _ output: O.Type
  ) {
    guard !tiles.isEmpty else { return }
    let now = Doubles(repeating: now)
    UnitWay.withLines { way in
      CoveredPart.withParts { sumLoop(chains, tiles, tables, now: now, way, $0, output) }
    }
  }

  /// Computes the covered part of the way of the effects of a block that are alike: that of lane 0 alone.
  @inline(never)
  @export(implementation)
  static func coveredPart<O: Output>(
    of block: EffectBlock, _ tables: ConstantColumn<ClipTable>, now: Doubles, _ way: UnitWay, _: O.Type
  ) -> CoveredPart {
    way.begin(block)
    let (covered, pace) = coveredPart(
      MemoryLookup<Self>(tables[Int(block.curve)].tracks[0]), way.origin, way.rate, way.scale, 0, now: now, O.self)
    Ordinary.store(Self.self, covered, to: way.covered)
    Ordinary.store(Self.self, pace, to: way.pace)
    var part = CoveredPart()
    (part.curve, part.start, part.rate) = (block.curve, block.start, block.rate)
    (part.covered, part.pace) = (way.covered[0], way.pace[0])
    return part
  }

  /// Computes the covered parts of the ways of a vector of lanes, and their rates of change.
  @export(implementation) @inline(__always)
  static func coveredPart<O: Output, L: PieceLookup>(
    _ lookup: L, _ origin: Column<Double>, _ rate: Column<Double>, _ scale: Column<Float>, _ index: Int, now: Doubles,
    _: O.Type
  ) -> (covered: Floats, pace: Floats) where L.Set == Self {
    let rate = load(rate, index)
    let passed = (now - load(origin, index)) * rate
    let ticks = nearestInts(splatDouble(Double(ClipTick.start)) + passed)
    let (pieces, centers) = lookup.find(ticks)
    let cubic = lookup.coefficients(of: lookup.entries(of: pieces), lookup.cubics(ofComponent: 0))
    let u = distances(ticks, from: centers)
    let turn = load(scale, index)
    let isVacant = unsafe unsafeBitCast(turn - splat(PlaybackColumns.vacant + 0.5), to: Ints.self)
    let covered = value(cubic, u, turn, splat(1) - maximum(turn, Floats.zero), Varied.self)
    return (
      clear(covered, whereNegative: isVacant),
      O.includesVelocity ? velocity(cubic, u, turn, narrow(rate) * splat(0x1p-31), Varied.self) : Floats.zero
    )
  }

  @export(implementation) @inline(__always)
  static func sumLoop<O: Output>(
    _ chains: EffectChains, _ tiles: Range<Int>, _ tables: ConstantColumn<ClipTable>, now: Doubles,
    _ way: UnitWay, _ parts: Column<CoveredPart>, _ output: O.Type
  ) {
    let columns = chains.columns
    // The processor does not foresee a chain, so its lines are asked for some blocks ahead.
    var walk = BlockWalk(chains, tiles)
    var (ahead, asked) = (walk, 0)
    // The places in the chain of blocks that are alike, and have not led their tile yet, and where they lead it from.
    var (tile, places, start) = (-1, 0..<0, TileStart(after: columns))

    while walk.block >= 0 {
      if walk.tile != tile || places.upperBound == CoveredPart.count {
        leadTile(chains, tile, start, parts, places, output)
        if walk.tile != tile {
          if !isShort {
            let led = leadTiles(chains, walk.tile..<tiles.upperBound, by: parts[0], output)
            guard led < tiles.upperBound else { return }
            if led > walk.tile {
              walk = BlockWalk(chains, led..<tiles.upperBound)
              (ahead, asked) = (walk, 0)
              guard walk.block >= 0 else { return }
            }
          }
          (tile, start) = (walk.tile, TileStart(columns, walk.tile))
        } else {
          start = TileStart(after: columns)
        }
        places = 0..<0
      }
      while asked < blocksAskedAhead, ahead.block >= 0 {
        chains.memory.prefetch(ahead.block, areAlike: chains.blocks[ahead.block].areAlike)
        chains.blocks.prefetch(ahead.block &+ EffectBlock.tilesAskedAhead)
        ahead.advance()
        asked &+= 1
      }
      let block = chains.blocks[walk.block]
      let place = places.upperBound
      if block.areAlike {
        if !parts[place].isOf(block) {
          parts[place] = coveredPart(of: block, tables, now: now, way, output)
        }
        parts[place].block = Int32(truncatingIfNeeded: walk.block)
        places = unsafe Range(uncheckedBounds: (places.lowerBound, place &+ 1))
        // Narrow vectors take turns from block to block: each waits for its own result.
        if Floats.scalarCount == 4 {
          leadTile(chains, tile, start, parts, places, output)
          (places, start) = (unsafe Range(uncheckedBounds: (place &+ 1, place &+ 1)), TileStart(after: columns))
        }
      } else {
        if !places.isEmpty {
          leadTile(chains, tile, start, parts, places, output)
          start = TileStart(after: columns)
        }
        places = unsafe Range(uncheckedBounds: (place &+ 1, place &+ 1))
        // Looked up only here: where all blocks are alike, two fifths of the samples of a profile were the copy of a table.
        let last = lead(tables[Int(block.curve)].tracks[0], chains, walk, start, now: now, output)
        start = TileStart(after: columns)
        if last > walk.tile {
          guard last &+ 1 < tiles.upperBound else { return }
          walk = BlockWalk(chains, last &+ 1..<tiles.upperBound)
          (ahead, asked) = (walk, 0)
          continue
        }
      }
      walk.advance()
      asked &-= 1
    }
    leadTile(chains, tile, start, parts, places, output)
  }

  /// Leads tiles that have one block each, as long as its effects are alike and their covered part is known, and returns
  /// the first tile that is none of these. Their goals are asked for some tiles ahead.
  @export(implementation) @inline(__always)
  static func leadTiles<O: Output>(
    _ chains: EffectChains, _ tiles: Range<Int>, by part: CoveredPart, _: O.Type
  ) -> Int {
    let (dimensions, columns) = (chains.memory.dimensions, chains.columns)
    let goalCount = EffectMemory.goalCount(dimensions: dimensions)
    var tile = tiles.lowerBound
    while tile < tiles.upperBound {
      let number = Int(chains.first[tile])
      guard number >= 0 else { return tile }
      let block = chains.blocks[number]
      guard block.next < 0, block.areAlike, part.isOf(block) else { return tile }
      chains.blocks.prefetch(number &+ blocksAskedAhead)
      let start = TileStart(columns, tile)
      var (goals, element) = (chains.memory.goals + number &* goalCount, tile &* laneCountOfTile)
      for _ in 0..<dimensions {
        goals.prefetch(blocksAskedAhead &* goalCount)
        for index in stride(from: 0, to: laneCountOfTile, by: Floats.scalarCount) {
          change(columns, at: element &+ index, from: start, O.self) { x, v in
            lead(&x, &v, to: load(goals, index), part, block.lanes, index, O.self)
          }
        }
        (goals, element) = (goals + laneCountOfTile, element &+ columns.dimensionStride)
      }
      tile &+= 1
    }
    return tile
  }

  /// Leads a tile by a block whose lanes have clocks of their own; and then the tiles after it, as long as each has one such
  /// block alone, along the same curve.
  ///
  /// - Parameter walk: The tile and the block.
  /// - Returns: The last tile.
  @export(implementation) @inline(__always)
  static func lead<O: Output, L: PieceLookup>(
    _ track: PieceTable, _ chains: EffectChains, _ walk: BlockWalk, _ start: TileStart, now: Doubles, _: O.Type,
    by _: L.Type
  ) -> Int where L.Set == Self {
    let (lookup, dimensions, columns) = (L(track), chains.memory.dimensions, chains.columns)
    var (tile, number, start, block) = (walk.tile, walk.block, start, chains.blocks[walk.block])
    let (curve, last) = (block.curve, walk.end &- 1)
    while true {
      let effects = chains.memory.columns(number)
      // Blocks that tracks took one by one lie anywhere.
      let later = chains.memory.columns(max(0, Int(chains.first[min(tile &+ ownBlocksAskedAhead, last)])))
      for line in 0..<5 { later.origin.prefetch(8 &* line) }
      for index in stride(from: 0, to: laneCountOfTile, by: Floats.scalarCount) {
        let (covered, pace) = coveredPart(
          lookup, effects.origin, effects.rate, effects.scale, index, now: now, O.self)
        var (goal, element) = (index, tile &* laneCountOfTile &+ index)
        for _ in 0..<dimensions {
          later.offset.prefetch(goal)
          change(columns, at: element, from: start, O.self) { x, v in
            lead(&x, &v, to: load(effects.offset, goal), covered, pace, O.self)
          }
          (goal, element) = (goal &+ laneCountOfTile, element &+ columns.dimensionStride)
        }
      }
      guard !isShort, block.next < 0, chains.first[tile] == number, tile &+ 1 < walk.end else { return tile }
      number = Int(chains.first[tile &+ 1])
      guard number >= 0 else { return tile }
      block = chains.blocks[number]
      guard block.next < 0, block.curve == curve, !block.areAlike else { return tile }
      chains.blocks.prefetch(Int(chains.first[min(tile &+ 2 &* ownBlocksAskedAhead, last)]))
      tile &+= 1
      start = TileStart(columns, tile)
    }
  }

  @export(implementation) @inline(__always)
  public static func lead<O: Output>(
    _ track: PieceTable, _ chains: EffectChains, _ walk: BlockWalk, _ start: TileStart, now: Doubles, _ output: O.Type
  ) -> Int {
    lead(track, chains, walk, start, now: now, output, by: MemoryLookup<Self>.self)
  }

  /// Leads a tile by blocks at consecutive places of its chain, the effects of each of which are alike: values stay in registers
  /// from block to block.
  @inline(never)
  @export(implementation)
  static func leadTile<O: Output>(
    _ chains: EffectChains, _ tile: Int, _ start: TileStart, _ parts: Column<CoveredPart>, _ places: Range<Int>,
    _: O.Type
  ) {
    guard !places.isEmpty else { return }
    let (dimensions, columns) = (chains.memory.dimensions, chains.columns)
    let goalCount = EffectMemory.goalCount(dimensions: dimensions)
    var (goals, element) = (chains.memory.goals, tile &* laneCountOfTile)
    for _ in 0..<dimensions {
      for index in stride(from: 0, to: laneCountOfTile, by: Floats.scalarCount) {
        change(columns, at: element &+ index, from: start, O.self) { x, v in
          for place in places {
            let part = parts[place]
            let goal = load(goals, Int(part.block) &* goalCount &+ index)
            lead(&x, &v, to: goal, part, chains.blocks[Int(part.block)].lanes, index, O.self)
          }
        }
      }
      (goals, element) = (goals + laneCountOfTile, element &+ columns.dimensionStride)
    }
  }

  /// Changes the values of a vector of lanes, and their velocities if these are asked for.
  @export(implementation) @inline(__always)
  static func change<O: Output>(
    _ columns: LedColumns, at element: Int, from start: TileStart, _: O.Type,
    _ body: (_ x: inout Floats, _ v: inout Floats) -> Void
  ) {
    var x = load(start.values, element)
    var v = O.includesVelocity && !start.stands ? load(columns.velocity, element) : Floats.zero
    body(&x, &v)
    Ordinary.store(Self.self, x, to: columns.value + element)
    if O.includesVelocity { Ordinary.store(Self.self, v, to: columns.velocity + element) }
  }

  /// Leads the lanes of a tile from one on that have the effect of a block towards their goals. The others stay.
  @export(implementation) @inline(__always)
  static func lead<O: Output>(
    _ x: inout Floats, _ v: inout Floats, to goal: Floats, _ part: CoveredPart, _ lanes: UInt16, _ index: Int, _: O.Type
  ) {
    var (covered, pace) = (splat(part.covered), splat(part.pace))
    if lanes != .max {
      var bits = Ints.zero
      for lane in bits.indices { bits[lane] = 1 &<< Int32(truncatingIfNeeded: lane) }
      let own = Ints(repeating: Int32(lanes) &>> Int32(truncatingIfNeeded: index)) & bits
      // Negative where a lane has no effect.
      let vacant = own &- Ints(repeating: 1)
      (covered, pace) = (clear(covered, whereNegative: vacant), clear(pace, whereNegative: vacant))
    }
    lead(&x, &v, to: goal, covered, pace, O.self)
  }

  /// Leads values and velocities towards goals: x + p · (goal − x). At p = 1 the result is exactly the goal, whatever x is.
  ///
  /// - Parameters:
  ///   - covered: p.
  ///   - pace: Its rate of change, per second.
  @export(implementation) @inline(__always)
  static func lead<O: Output>(
    _ x: inout Floats, _ v: inout Floats, to goal: Floats, _ covered: Floats, _ pace: Floats, _: O.Type
  ) {
    let left = Floats.zero - covered
    if O.includesVelocity {
      // The sum makes −0 a plain 0, so that lanes at rest have one sign.
      v = fusedMultiplyAdd(goal - x, pace, fusedMultiplyAdd(left, v, v)) + Floats.zero
    }
    x = fusedMultiplyAdd(covered, goal, fusedMultiplyAdd(left, x, x))
  }

  /// Tiles whose lines are on their way while one is led by a block with clocks of its own.
  @export(implementation)
  static var ownBlocksAskedAhead: Int { @inline(__always) get { 6 } }

  /// Blocks whose lines are on their way while one is evaluated. A track with 18 effects, one of 100 000, takes 68 ns with 2
  /// blocks on their way, 63 with 4, and 53 with 8 or 16 (Xeon with AVX-512; the goals lay among the clocks then).
  @export(implementation)
  static var blocksAskedAhead: Int { @inline(__always) get { 8 } }
}
