// SPDX-License-Identifier: MIT
// A block of results with a row for each lane. Frames of one lane are computed together, and the block is transposed
// when it is written if frames are the rows of the output.

/// Results of some lanes in some frames, before they are written.
///
/// The memory is lent: ``byteCount`` bytes that a caller owns.
public struct BakedLanes {
  /// The value of the first lane in the first frame.
  public let values: Column<Float>
  /// The velocity of the first lane in the first frame.
  public let velocities: Column<Float>
  /// A block of frames of all lanes, a row for each frame.
  @usableFromInline let turned: Column<Float>
  /// The pieces of a lane's frames while they are computed.
  @usableFromInline let pieces: Column<Int32>
  @usableFromInline let distances: Column<Float>
  @usableFromInline let rates: Column<Float>

  /// Lanes that are computed together, without those that the next lanes begin with.
  @export(implementation) public static var laneCount: Int { @inline(__always) get { 32 } }
  @export(implementation) public static var capacity: Int { @inline(__always) get { laneCount &+ laneCountOfTile } }
  /// Frames that are computed together.
  @export(implementation) public static var frameCount: Int { @inline(__always) get { 256 } }
  /// Floats from lane to lane: after the last frame there is room for a vector, so no store is cut.
  @export(implementation) public static var stride: Int { @inline(__always) get { frameCount &+ laneCountOfTile } }

  /// Bytes of memory that a block takes, aligned to 64.
  public static var byteCount: Int { 4 * ((2 * capacity + 3) * stride + turnedCount) }

  /// Floats of a transposed block, and of a vector after it.
  private static var turnedCount: Int { frameCountOfBake * BakeLanes.rowStride + laneCountOfTile }

  /// A block in memory of the caller.
  public init(memory: Column<UInt8>) {
    let count = Self.capacity * Self.stride
    values = memory.elements(of: Float.self, count: count)
    velocities = memory.elements(of: Float.self, at: 4 * count, count: count)
    let row = { (row: Int) in
      memory.elements(of: Float.self, at: 8 * count + 4 * row * Self.stride, count: Self.stride)
    }
    (distances, pieces, rates) = (row(0), row(1).rebound(to: Int32.self), row(2))
    turned = memory.elements(of: Float.self, at: 8 * count + 12 * Self.stride, count: Self.turnedCount)
  }
}

/// A row that is copied: a lane of a block, or a frame of a transposed block.
@usableFromInline struct CopiedRow<I: InstructionSet>: BakedRow {
  @usableFromInline let row: Column<Float>

  @export(implementation) @inline(__always)
  init(_ row: Column<Float>) { self.row = row }

  @export(implementation) @inline(__always)
  func vector(_ lane: Int) -> I.Floats { I.load(row, lane) }
}

extension InstructionSet {
  /// Writes one quantity of a block past the caches, frame by frame.
  @export(implementation) @inline(__always)
  static func writeRows(
    _ block: BakedLanes, _ results: Column<Float>, lanes: Int, frames: Int,
    to address: Column<Float>, _ output: BakeOutput
  ) {
    var frame = 0
    while frame < frames {
      let rows = frames &- frame < frameCountOfBake ? frames &- frame : frameCountOfBake
      turn(
        results + frame, rowStride: BakedLanes.stride, rows: lanes, count: rows, to: block.turned,
        stride: BakeLanes.rowStride)
      for row in 0..<rows {
        StreamedRow.write(
          CopiedRow<Self>(block.turned + row &* BakeLanes.rowStride), count: lanes,
          to: address + (frame &+ row) &* output.frameStride, output,
          spare: block.turned + frameCountOfBake &* BakeLanes.rowStride)
      }
      frame &+= rows
    }
  }

  /// Writes one quantity of a block.
  @export(implementation) @inline(__always)
  static func writeBlock(
    _ block: BakedLanes, _ results: Column<Float>, lanes: Int, frames: Int,
    to address: Column<Float>, _ output: BakeOutput
  ) {
    if output.laneStride != 1 {
      for lane in 0..<lanes {
        let row = CopiedRow<Self>(results + lane &* BakedLanes.stride)
        StoredRow.write(row, count: frames, to: address + lane &* output.laneStride, output, spare: block.turned)
      }
    } else if output.isStreamed {
      writeRows(block, results, lanes: lanes, frames: frames, to: address, output)
    } else {
      turn(
        results, rowStride: BakedLanes.stride, rows: lanes, count: frames, to: address, stride: output.frameStride)
    }
  }

  /// Writes the block: `lanes` lanes, at most ``BakedLanes/capacity``, in `frames` frames.
  @export(implementation) @inline(__always)
  public static func writeBlock(_ block: BakedLanes, lanes: Int, frames: Int, _ output: BakeOutput) {
    writeBlock(block, block.values, lanes: lanes, frames: frames, to: output.values, output)
    if let velocities = output.velocities {
      writeBlock(block, block.velocities, lanes: lanes, frames: frames, to: velocities, output)
    }
    if output.isStreamed {
      fence()
    }
  }
}
