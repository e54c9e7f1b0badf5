// SPDX-License-Identifier: MIT
import Kernels

/// The dimensions of a clip on one clock, in the frames of a bake. Lent for its duration.
///
/// Blocks of neighbouring dimensions are taken one after the other. Each has a copy of the pieces that its lanes are in; frames
/// until one of them ends are computed with one call.
@safe
struct RowFrames {
  private let table: KernelTable
  private let groups: [RowStorage.Group]
  private let rows: UnsafePointer<Float>
  /// Where the dimensions are kept.
  private let places: [Place]
  private let moments: [ClipMoment]

  /// A dimension's group, and its column there.
  private struct Place {
    var group = 0
    var column = 0
  }

  /// Lanes whose columns follow each other in a group.
  private struct Run {
    let place: Place
    let lane: Int
    var count = 1
    /// The ticks of the piece that was copied last: none at first.
    var from = Int32.max
    var until = Int32.min
  }

  init(_ storage: borrowing RowStorage, _ dimensions: Range<Int>, _ moments: [ClipMoment], _ table: KernelTable) {
    (self.table, self.moments, groups) = (table, moments, storage.groups)
    unsafe rows = storage.start
    var places = Array(repeating: Place(), count: dimensions.count)
    for (index, group) in groups.enumerated() {
      for column in group.columns(of: dimensions) {
        places[group.dimensions[column] - dimensions.lowerBound] = Place(group: index, column: column)
      }
    }
    self.places = places
  }

  /// Bakes everything.
  func bake(to output: BakeOutput) {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: BakedPieces.byteCount, alignment: 64)
    defer { unsafe memory.deallocate() }
    let pieces = unsafe BakedPieces(memory: memory)
    for first in stride(from: 0, to: places.count, by: BakedPieces.laneCount) {
      let end = min(places.count, first + BakedPieces.laneCount)
      var part = unsafe output.from(lane: first, frame: 0)
      part.isContinued = first > 0
      // Lanes behind the last that share lines with it in some frame, where rows begin anywhere in a line.
      if output.isStreamed && !output.isAligned {
        part.overlap = min(places.count, end + laneCountOfTile) - end
      }
      bake(first..<end + part.overlap, pieces, to: part)
    }
    if output.isStreamed {
      table.fence()
    }
  }

  private func bake(_ lanes: Range<Int>, _ pieces: BakedPieces, to output: BakeOutput) {
    var runs = runs(of: lanes)
    unsafe moments.withUnsafeBufferPointer { moments in
      guard let start = moments.baseAddress else { return }
      var frame = 0
      while frame < moments.count {
        let ticks = unsafe move(&runs, to: moments[frame].tick, pieces)
        var end = frame + 1
        while end < moments.count, unsafe ticks.contains(moments[end].tick) { end += 1 }
        unsafe table.bakePieces(
          pieces, lanes.count, start + frame, end - frame, output.from(lane: 0, frame: frame))
        frame = end
      }
    }
  }

  /// The runs of some lanes, which are counted from the first of them.
  private func runs(of lanes: Range<Int>) -> [Run] {
    var runs: [Run] = []
    for lane in lanes {
      let place = places[lane]
      if let last = runs.last, last.place.group == place.group, last.place.column + last.count == place.column {
        runs[runs.count - 1].count += 1
      } else {
        runs.append(Run(place: place, lane: lane - lanes.lowerBound))
      }
    }
    return runs
  }

  /// Copies the pieces of runs at a tick, and returns for which ticks they are the right ones.
  private func move(_ runs: inout [Run], to tick: Int32, _ pieces: BakedPieces) -> ClosedRange<Int32> {
    var (from, until) = (Int32.min, Int32.max)
    for index in runs.indices {
      if tick < runs[index].from || runs[index].until < tick {
        copy(&runs[index], at: tick, to: pieces)
      }
      from = max(from, runs[index].from)
      until = min(until, runs[index].until)
    }
    return from...until
  }

  private func copy(_ run: inout Run, at tick: Int32, to pieces: BakedPieces) {
    let group = groups[run.place.group]
    let piece = group.piece(at: tick)
    (run.from, run.until) = group.ticks(of: piece)
    let row = group.firstRow + 4 * piece * group.stride + run.place.column
    for power in 0..<4 {
      unsafe (pieces.coefficients + (power * BakedPieces.stride + run.lane)).update(
        from: rows + (row + power * group.stride), count: run.count)
    }
    unsafe (pieces.centers + run.lane).update(repeating: group.centers[piece], count: run.count)
  }
}
