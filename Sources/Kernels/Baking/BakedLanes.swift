// SPDX-License-Identifier: MIT
// A block of results with a row for each lane. Frames of one lane are computed together, and the block is transposed
// when it is written if frames are the rows of the output.

/// Results of some lanes in some frames, before they are written.
///
/// The memory is lent: ``byteCount`` bytes that a caller owns.
@safe
public struct BakedLanes {
  /// The value of the first lane in the first frame.
  public let values: UnsafeMutablePointer<Float>
  /// Its velocity.
  public let velocities: UnsafeMutablePointer<Float>
  /// A block of frames of all lanes, a row for each frame.
  @usableFromInline let turned: UnsafeMutablePointer<Float>
  /// The pieces of a lane's frames while they are computed.
  @usableFromInline let pieces: UnsafeMutablePointer<Int32>
  @usableFromInline let distances: UnsafeMutablePointer<Float>
  @usableFromInline let rates: UnsafeMutablePointer<Float>

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
  public init(memory: UnsafeMutableRawPointer) {
    unsafe values = memory.assumingMemoryBound(to: Float.self)
    unsafe velocities = values + Self.capacity * Self.stride
    unsafe distances = velocities + Self.capacity * Self.stride
    unsafe pieces = UnsafeMutableRawPointer(distances + Self.stride).assumingMemoryBound(to: Int32.self)
    unsafe rates = distances + 2 * Self.stride
    unsafe turned = rates + Self.stride
  }
}

/// A row that is copied: a lane of a block, or a frame of a transposed block.
@safe
@usableFromInline struct CopiedRow<I: InstructionSet>: BakedRow {
  @usableFromInline let row: UnsafeMutablePointer<Float>

  @export(implementation) @inline(__always)
  init(_ row: UnsafeMutablePointer<Float>) { unsafe self.row = row }

  @export(implementation) @inline(__always)
  func vector(_ lane: Int) -> I.Floats { unsafe I.load(row, lane) }
}

extension InstructionSet {
  /// Writes one quantity of a block past the caches, frame by frame.
  @export(implementation) @inline(__always)
  static func writeRows(
    _ block: BakedLanes, _ results: UnsafeMutablePointer<Float>, lanes: Int, frames: Int,
    to address: UnsafeMutablePointer<Float>, _ output: BakeOutput
  ) {
    var frame = 0
    while frame < frames {
      let rows = frames &- frame < frameCountOfBake ? frames &- frame : frameCountOfBake
      unsafe turn(
        results + frame, rowStride: BakedLanes.stride, rows: lanes, count: rows, to: block.turned,
        stride: BakeLanes.rowStride)
      for row in 0..<rows {
        unsafe StreamedRow.write(
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
    _ block: BakedLanes, _ results: UnsafeMutablePointer<Float>, lanes: Int, frames: Int,
    to address: UnsafeMutablePointer<Float>, _ output: BakeOutput
  ) {
    if output.laneStride != 1 {
      for lane in 0..<lanes {
        let row = unsafe CopiedRow<Self>(results + lane &* BakedLanes.stride)
        unsafe StoredRow.write(row, count: frames, to: address + lane &* output.laneStride, output, spare: block.turned)
      }
    } else if output.isStreamed {
      unsafe writeRows(block, results, lanes: lanes, frames: frames, to: address, output)
    } else {
      unsafe turn(
        results, rowStride: BakedLanes.stride, rows: lanes, count: frames, to: address, stride: output.frameStride)
    }
  }

  /// Writes the block: `lanes` lanes, at most ``BakedLanes/capacity``, in `frames` frames.
  @export(implementation) @inline(__always)
  public static func writeBlock(_ block: BakedLanes, lanes: Int, frames: Int, _ output: BakeOutput) {
    unsafe writeBlock(block, block.values, lanes: lanes, frames: frames, to: output.values, output)
    if let velocities = unsafe output.velocities {
      unsafe writeBlock(block, block.velocities, lanes: lanes, frames: frames, to: velocities, output)
    }
    if output.isStreamed {
      fence()
    }
  }
}
