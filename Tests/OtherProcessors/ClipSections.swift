// SPDX-License-Identifier: MIT
import Kernels
@testable import Murmuration
@testable import MurmurationEngine

private let times = [0, 0.5, 0.516, 1.25, 0.25, 2]

/// Instances that share clips: of one value, of several tracks, of few pieces and of many.
func sharedClips(_ hash: inout Hash) {
  let count = 1024
  for (index, pieceCounts) in [[4], [2, 7, 40], [1, 33], [130, 3]].enumerated() {
    let clip = drawClip(pieceCounts: pieceCounts, seed: 11 + UInt64(index))
    let tables = ClipTables(clip)!
    for varies in [false, true] {
      let columns = drawInstances(count, dimensions: clip.dimensions, varies: varies, seed: 20 + UInt64(index))
      let runs = [
        ClipRun(firstLane: 0, laneCount: count - 48, clip: 0), ClipRun(firstLane: count - 48, laneCount: 48, clip: 0),
      ]
      for time in times {
        for velocities in [true, false] {
          withUnsafePointer(to: tables.table) { table in
            runs.withUnsafeBufferPointer {
              kernels.evaluateClips(columns, $0, ConstantColumn(table, count: 1), time, velocities)
            }
          }
          hash.add(columns.value, count * clip.dimensions)
          hash.add(columns.velocity, count * clip.dimensions)
        }
      }
    }
    withExtendedLifetime(tables) {}
  }
}

/// Effects that lead on from the shown values: going, going back, at their goals, and vacant. Each tile has two blocks.
func addedClips(_ hash: inout Hash) {
  let (count, tiles) = (256, 16)
  for (index, pieceCounts) in [[4], [33], [130]].enumerated() {
    let clip = drawClip(pieceCounts: pieceCounts, seed: 41 + UInt64(index))
    let tables = ClipTables(clip)!
    let columns = drawInstances(2 * count, dimensions: clip.dimensions, varies: true, seed: 50 + UInt64(index))
    let first = zeroed(tiles, of: Int32.self)
    let blocks = zeroed(2 * tiles, of: EffectBlock.self)
    let memory = EffectMemory(
      goals: zeroed(2 * tiles * EffectMemory.goalCount(dimensions: clip.dimensions), of: Float.self),
      clocks: zeroed(2 * tiles * EffectMemory.clockBytes, of: UInt8.self), dimensions: clip.dimensions)
    for block in 0..<2 * tiles {
      blocks[block] = EffectBlock()
      (blocks[block].curve, blocks[block].next) = (0, block < tiles ? Int32(tiles + block) : -1)
      if block < tiles { first[block] = Int32(block) }
      if block % 3 == 2 {
        // The lanes of some blocks are alike.
        (blocks[block].lanes, blocks[block].end) = (block % 2 == 0 ? .max : 0x5A39, 1)
        (blocks[block].start, blocks[block].rate) = (columns.origin[block] - 0.5, columns.rate[block].magnitude)
      }
      let effects = memory.columns(block)
      for lane in 0..<laneCountOfTile {
        let index = block * laneCountOfTile + lane
        (effects.origin[lane], effects.rate[lane]) = (columns.origin[index] - 0.5, columns.rate[index].magnitude)
        effects.scale[lane] = [1, -1, 0, PlaybackColumns.vacant][lane % 4]
        for dimension in 0..<clip.dimensions {
          effects.offset[dimension * laneCountOfTile + lane] =
            columns.offset?[dimension * columns.dimensionStride + index] ?? 0
        }
      }
    }
    // Some tiles lead from values that stand; the others go on from the values and velocities of the outputs.
    let standing = zeroed(tiles, of: Bool.self)
    for tile in 0..<tiles { standing[tile] = tile % 5 == 1 }
    let chains = EffectChains(
      first: first.constant, blocks: blocks.constant, memory: memory,
      columns: LedColumns(
        under: columns.value, standing: standing.constant, value: columns.value, velocity: columns.velocity,
        dimensionStride: columns.dimensionStride))
    // Each evaluation leads on from the same numbers: again and again, they would grow beyond all bounds.
    let all = clip.dimensions * columns.dimensionStride
    let (values, speeds) = (zeroed(all, of: Float.self), zeroed(all, of: Float.self))
    for element in 0..<all { (values[element], speeds[element]) = (Float(element % 13) - 6, Float(element % 7) - 3) }
    for time in times {
      for velocities in [true, false] {
        columns.value.update(from: values, count: all)
        columns.velocity.update(from: speeds, count: all)
        withUnsafePointer(to: tables.table) { table in
          kernels.evaluateSums(chains, 0..<tiles, ConstantColumn(table, count: 1), time, velocities)
        }
        for dimension in 0..<clip.dimensions {
          hash.add(columns.value + dimension * columns.dimensionStride, count)
          hash.add(columns.velocity + dimension * columns.dimensionStride, count)
        }
      }
    }
    withExtendedLifetime(tables) {}
  }
}

/// Instances that play a clip each, and find their pieces anew whenever they leave them.
func ownClips(_ hash: inout Hash) {
  let count = 2048
  for pieceCounts in [[6], [5, 12]] {
    let clips = (0..<32).map { drawClip(pieceCounts: pieceCounts, seed: 100 + UInt64($0)) }
    let dimensions = clips[0].dimensions
    let clipRecords = clips.map { records(of: $0) }
    let all = count * dimensions
    let pieces = PieceColumns(
      first: zeroed(all), span: zeroed(all), center: zeroed(all), x: zeroed(all), y: zeroed(all), z: zeroed(all),
      w: zeroed(all), piece: zeroed(all), records: zeroed(all), dimensionStride: count, recordStride: count)
    for lane in 0..<count {
      for dimension in 0..<dimensions {
        let first = clipRecords[lane % clips.count][dimension]
        pieces.records[dimension * count + lane] = first.address
        pieces.set(dimension * count + lane, to: first[0], piece: 0)
      }
    }
    for varies in [false, true] {
      var columns = drawInstances(count, dimensions: dimensions, varies: varies, pieces: pieces, seed: 30)
      let empty = zeroed(1, of: ClipTable.self).constant
      let run = [ClipRun(firstLane: 0, laneCount: count, clip: ClipRun.mixed)]
      for (number, time) in times.enumerated() {
        // By turns, pieces are kept and are not.
        columns.jumps = number % 2 == 1
        for velocities in [true, false] {
          run.withUnsafeBufferPointer { kernels.evaluateClips(columns, $0, empty, time, velocities) }
          hash.add(columns.value, all)
          hash.add(columns.velocity, all)
          for element in 0..<all { hash.add(UInt64(truncatingIfNeeded: pieces.piece[element])) }
        }
      }
    }
  }
}

/// Instances of clips with many values, which are evaluated by fours across their components.
func wideClips(_ hash: inout Hash) {
  let count = 256
  let clips = (0..<3).map { drawClip(pieceCounts: [5, 40, 9, 130], components: [17, 3, 4, 1], seed: 200 + $0) }
  let made = clips.map { ClipTables($0)! }
  let tables = zeroed(made.count, of: ClipTable.self)
  for (index, each) in made.enumerated() { tables[index] = each.table }
  let played = zeroed(count, of: Int32.self)
  for index in 0..<count { played[index] = index % 7 == 3 ? -1 : Int32(index / 5 % clips.count) }
  for varies in [false, true] {
    var columns = drawInstances(count, dimensions: clips[0].dimensions, varies: varies, seed: 60)
    columns.clips = played.constant
    let run = [ClipRun(firstLane: 0, laneCount: count, clip: ClipRun.mixed)]
    for time in times {
      for velocities in [true, false] {
        run.withUnsafeBufferPointer { kernels.evaluateClips(columns, $0, tables.constant, time, velocities) }
        hash.add(columns.value, count * clips[0].dimensions)
        hash.add(columns.velocity, count * clips[0].dimensions)
      }
    }
  }
  withExtendedLifetime(made) {}
}
