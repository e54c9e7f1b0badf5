// SPDX-License-Identifier: MIT
// Frames that were computed elsewhere, and are written where a bake wants them.

/// A block of results in memory: rows of frames, one for each lane, or rows of lanes, one for each frame.
public struct BakedRows {
  /// The first lane in the first frame. After the end of the last row a vector can be read.
  public let values: Column<Float>
  public let velocities: Column<Float>
  /// ``roomCount`` floats.
  @usableFromInline let room: Column<Float>
  /// Floats from one row to the next.
  public let stride: Int
  @usableFromInline let areLanes: Bool

  /// Floats of room for transposed rows, and for a vector of which only a part is written.
  public static var roomCount: Int { BakeLanes.tableStride + laneCountOfTile }

  public init(values: Column<Float>, velocities: Column<Float>, room: Column<Float>, stride: Int, areLanes: Bool) {
    (self.values, self.velocities, self.room) = (values, velocities, room)
    (self.stride, self.areLanes) = (stride, areLanes)
  }

  /// The rows of frames from a lane on.
  public func from(lane: Int) -> BakedRows {
    BakedRows(values: values + lane, velocities: velocities + lane, room: room, stride: stride, areLanes: false)
  }
}

/// A row that is copied.
@usableFromInline struct CopiedRow<I: InstructionSet>: BakedRow {
  @usableFromInline let row: Column<Float>

  @export(implementation) @inline(__always)
  init(_ row: Column<Float>) { self.row = row }

  @export(implementation) @inline(__always)
  func vector(_ lane: Int) -> I.Floats { I.load(row, lane) }
}

extension InstructionSet {
  /// Writes a row.
  @export(implementation) @inline(__always)
  static func write<R: BakedRow>(
    _ row: R, lanes: Int, to address: Column<Float>, _ output: BakeOutput, spare: Column<Float>
  ) {
    if output.isStreamed {
      StreamedRow.write(row, count: lanes, to: address, output, spare: spare)
    } else {
      StoredRow.write(row, count: lanes, to: address, output, spare: spare)
    }
  }

  /// Writes a block: `lanes` lanes in `frames` frames. If results are stored past the caches, a ``fence()`` must follow the
  /// last call.
  @export(implementation) @inline(__always)
  public static func write(_ rows: BakedRows, lanes: Int, frames: Int, _ output: BakeOutput) {
    write(rows, rows.values, lanes: lanes, frames: frames, to: output.values, output)
    if let velocities = output.velocities {
      write(rows, rows.velocities, lanes: lanes, frames: frames, to: velocities, output)
    }
  }

  @inline(never)
  @export(implementation)
  static func write(
    _ rows: BakedRows, _ results: Column<Float>, lanes: Int, frames: Int, to address: Column<Float>,
    _ output: BakeOutput
  ) {
    let (count, length) = rows.areLanes ? (lanes, frames) : (frames, lanes)
    let (stride, step) =
      rows.areLanes ? (output.laneStride, output.frameStride) : (output.frameStride, output.laneStride)
    if step == 1 {
      copy(results, rows.stride, count: count, length: length, to: address, stride, output, spare: rows.room)
    } else if output.isStreamed {
      // As many frames at a time as there is room for.
      var frame = 0
      while frame < length {
        let part = length &- frame < frameCountOfBake ? length &- frame : frameCountOfBake
        turn(
          results + frame, rowStride: rows.stride, rows: count, count: part, to: rows.room,
          stride: BakeLanes.rowStride)
        copy(
          rows.room, BakeLanes.rowStride, count: part, length: count, to: address + frame &* step, step, output,
          spare: rows.room + BakeLanes.tableStride)
        frame &+= part
      }
    } else {
      turn(results, rowStride: rows.stride, rows: count, count: length, to: address, stride: step)
    }
  }

  /// Copies rows.
  @export(implementation) @inline(__always)
  static func copy(
    _ rows: Column<Float>, _ rowStride: Int, count: Int, length: Int, to address: Column<Float>, _ stride: Int,
    _ output: BakeOutput, spare: Column<Float>
  ) {
    var (row, to) = (rows, address)
    for _ in 0..<count {
      write(CopiedRow<Self>(row), lanes: length, to: to, output, spare: spare)
      row += rowStride
      to += stride
    }
  }
}
