// SPDX-License-Identifier: MIT
import Kernels

/// The dimensions of a clip on one clock, in the frames of a bake. Lent for its duration.
///
/// Blocks of neighbouring dimensions are taken one after the other, and in each the frames until a piece ends are computed
/// with one call. The pieces of a block are read in place if they are neighbours in memory; otherwise they are copied.
struct RowFrames {
  private let table: KernelTable
  private let groups: [RowStorage.Group]
  private let rows: ConstantColumn<Float>
  private let moments: [ClipMoment]
  private let laneCount: Int
  /// All lanes as runs, in order.
  private let runs: [Run]

  /// Lanes with consecutive columns in a group.
  private struct Run {
    let group: Int
    var column: Int
    var lanes: Range<Int>
    /// The ticks of the piece that was copied last; nil at first.
    var ticks: ClosedRange<Int32>?

    /// The part within some lanes. Its lanes are counted from the first of these.
    func clamped(to range: Range<Int>) -> Run {
      let part = lanes.clamped(to: range)
      return Run(
        group: group, column: column + part.lowerBound - lanes.lowerBound,
        lanes: part.lowerBound - range.lowerBound..<part.upperBound - range.lowerBound)
    }
  }

  init(_ storage: borrowing RowStorage, _ dimensions: Range<Int>, _ moments: [ClipMoment], _ table: KernelTable) {
    (self.table, self.moments, groups, laneCount) = (table, moments, storage.groups, dimensions.count)
    rows = storage.rows
    var runs: [Run] = []
    for (index, group) in groups.enumerated() {
      var columns = group.columns(of: dimensions)
      while let column = columns.first {
        let (lane, count) = (group.dimensions[column] - dimensions.lowerBound, group.neighbours(columns))
        runs.append(Run(group: index, column: column, lanes: lane..<lane + count))
        columns.removeFirst(count)
      }
    }
    self.runs = runs.sorted { $0.lanes.lowerBound < $1.lanes.lowerBound }
  }

  /// Bakes everything.
  func bake(to output: BakeOutput) {
    let memory = MemoryBlock(byteCount: PieceRoom.byteCount, alignment: 64, isZeroed: false)
    let room = PieceRoom(memory: memory.bytes)
    var run = 0
    for first in stride(from: 0, to: laneCount, by: PieceRoom.laneCount) {
      let end = min(laneCount, first + PieceRoom.laneCount)
      var part = output.from(lane: first, frame: 0)
      part.isContinued = first > 0
      // If rows begin anywhere in a line, lanes after the last one share lines with it in some frame.
      if output.isStreamed && !output.isAligned {
        part.overlap = min(laneCount, end + laneCountOfTile) - end
      }
      while runs[run].lanes.upperBound <= first { run += 1 }
      let lanes = first..<end + part.overlap
      var own = runs[run...].prefix { $0.lanes.lowerBound < lanes.upperBound }.map { $0.clamped(to: lanes) }
      bake(&own, count: lanes.count, room, to: part)
    }
    if output.isStreamed {
      table.fence()
    }
  }

  private func bake(_ runs: inout [Run], count: Int, _ room: PieceRoom, to output: BakeOutput) {
    moments.withConstantColumn { start in
      var frame = 0
      while frame < moments.count {
        let (pieces, ticks) = pieces(of: &runs, at: start[frame].tick, room)
        var end = frame + 1
        while end < moments.count, ticks.contains(start[end].tick) { end += 1 }
        table.bake.pieces(pieces, count, start + frame, end - frame, output.from(lane: 0, frame: frame))
        frame = end
      }
    }
  }

  /// The pieces of runs at a tick, and the ticks for which they are the right ones.
  private func pieces(of runs: inout [Run], at tick: Int32, _ room: PieceRoom) -> (BakedPieces, ClosedRange<Int32>) {
    if runs.count == 1 {
      let group = groups[runs[0].group]
      let piece = group.piece(at: tick)
      let pieces = BakedPieces(
        coefficients: rows + group.element(piece, column: runs[0].column), stride: group.stride,
        center: group.centers[piece], centers: nil, room)
      return (pieces, group.ticks(of: piece))
    }
    var ticks = Int32.min...Int32.max
    for index in runs.indices {
      let held = runs[index].ticks.flatMap { $0.contains(tick) ? $0 : nil } ?? copy(runs[index], at: tick, to: room)
      runs[index].ticks = held
      ticks = ticks.clamped(to: held)
    }
    let pieces = BakedPieces(
      coefficients: room.coefficients.constant, stride: PieceRoom.stride, center: 0, centers: room.centers.constant,
      room)
    return (pieces, ticks)
  }

  /// Copies the piece of a run at a tick, and returns the ticks that belong to it.
  private func copy(_ run: Run, at tick: Int32, to room: PieceRoom) -> ClosedRange<Int32> {
    let group = groups[run.group]
    let piece = group.piece(at: tick)
    let (element, lane) = (group.element(piece, column: run.column), run.lanes.lowerBound)
    for power in 0..<4 {
      (room.coefficients + (power * PieceRoom.stride + lane)).update(
        from: rows + (element + power * group.stride), count: run.lanes.count)
    }
    (room.centers + lane).update(repeating: group.centers[piece], count: run.lanes.count)
    return group.ticks(of: piece)
  }
}
