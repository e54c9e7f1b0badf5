// SPDX-License-Identifier: MIT
import Kernels

/// The dimensions of a clip on one clock, in the frames of a bake. Lent for its duration.
///
/// Blocks of neighbouring dimensions are taken one after the other, and in each the frames until a piece ends are computed
/// with one call. Pieces are read where they are if those of the block stand together, else copied.
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
    /// The ticks of the piece that was copied last; nil at first.
    var ticks: ClosedRange<Int32>?
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
    let memory = UnsafeMutableRawPointer.allocate(byteCount: PieceRoom.byteCount, alignment: 64)
    defer { unsafe memory.deallocate() }
    let room = unsafe PieceRoom(memory: memory)
    for first in stride(from: 0, to: places.count, by: PieceRoom.laneCount) {
      let end = min(places.count, first + PieceRoom.laneCount)
      var part = output.from(lane: first, frame: 0)
      part.isContinued = first > 0
      // Lanes behind the last that share lines with it in some frame, where rows begin anywhere in a line.
      if output.isStreamed && !output.isAligned {
        part.overlap = min(places.count, end + laneCountOfTile) - end
      }
      bake(first..<end + part.overlap, room, to: part)
    }
    if output.isStreamed {
      table.fence()
    }
  }

  private func bake(_ lanes: Range<Int>, _ room: PieceRoom, to output: BakeOutput) {
    var runs = runs(of: lanes)
    unsafe moments.withUnsafeBufferPointer { moments in
      guard let start = moments.baseAddress else { return }
      var frame = 0
      while frame < moments.count {
        let (pieces, ticks) = unsafe pieces(of: &runs, at: moments[frame].tick, room)
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

  /// The pieces of runs at a tick, and for which ticks they are the right ones.
  private func pieces(of runs: inout [Run], at tick: Int32, _ room: PieceRoom) -> (BakedPieces, ClosedRange<Int32>) {
    if runs.count == 1 {
      let (group, place) = (groups[runs[0].place.group], runs[0].place)
      let piece = group.piece(at: tick)
      let pieces = unsafe BakedPieces(
        coefficients: rows + group.element(piece, column: place.column), stride: group.stride,
        center: group.centers[piece], centers: nil, room)
      return (pieces, group.ticks(of: piece))
    }
    var ticks = Int32.min...Int32.max
    for index in runs.indices {
      let held = runs[index].ticks.flatMap { $0.contains(tick) ? $0 : nil } ?? copy(runs[index], at: tick, to: room)
      runs[index].ticks = held
      ticks = ticks.clamped(to: held)
    }
    let pieces = unsafe BakedPieces(
      coefficients: room.coefficients, stride: PieceRoom.stride, center: 0, centers: room.centers, room)
    return (pieces, ticks)
  }

  /// Copies the piece of a run at a tick, and returns the ticks that belong to it.
  private func copy(_ run: Run, at tick: Int32, to room: PieceRoom) -> ClosedRange<Int32> {
    let group = groups[run.place.group]
    let piece = group.piece(at: tick)
    let element = group.element(piece, column: run.place.column)
    for power in 0..<4 {
      unsafe (room.coefficients + (power * PieceRoom.stride + run.lane)).update(
        from: rows + (element + power * group.stride), count: run.count)
    }
    unsafe (room.centers + run.lane).update(repeating: group.centers[piece], count: run.count)
    return group.ticks(of: piece)
  }
}
