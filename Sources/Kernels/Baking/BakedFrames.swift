// SPDX-License-Identifier: MIT
// Frames whose lanes are neighbours in memory are computed row by row: each row goes where it belongs, or, where lanes are
// the rows of the output, into a block that is turned.

/// Frames of some lanes, a row each.
public protocol BakedFrames {
  associatedtype Row: BakedRow
  /// The lanes of a frame from `first` on.
  func row(_ frame: Int, first: Int) -> Row
}

/// Room for a block of results, a row a frame, and for a vector of which a part is wanted.
public struct BakeRoom {
  @usableFromInline let tile: UnsafeMutablePointer<Float>
  @usableFromInline let spare: UnsafeMutablePointer<Float>

  /// Bytes of memory that it takes, aligned to 64.
  static var byteCount: Int { 4 * (BakeLanes.tableStride + laneCountOfTile) }

  init(memory: UnsafeMutableRawPointer) {
    tile = memory.assumingMemoryBound(to: Float.self)
    spare = tile + BakeLanes.tableStride
  }
}

extension InstructionSet {
  /// Writes rows of lanes from `lane` on.
  @inline(never)
  @inlinable
  static func writeRows<F: BakedFrames, W: RowWay>(
    of frames: F, _ range: Range<Int>, lane: Int, count: Int, to address: UnsafeMutablePointer<Float>, stride: Int,
    _ output: BakeOutput, _ room: BakeRoom, _: W.Type
  ) where F.Row.I == Self {
    var to = address
    var frame = range.lowerBound
    while frame < range.upperBound {
      W.write(frames.row(frame, first: lane), count: count, to: to, output, spare: room.spare)
      to += stride
      frame &+= 1
    }
  }

  /// Writes `count` lanes in `frameCount` frames, in the order that the output has.
  @inlinable @inline(__always)
  static func write<F: BakedFrames>(
    _ frames: F, count: Int, frameCount: Int, to address: UnsafeMutablePointer<Float>, _ output: BakeOutput,
    _ room: BakeRoom
  ) where F.Row.I == Self {
    if output.laneStride == 1 {
      if output.isStreamed {
        writeRows(
          of: frames, 0..<frameCount, lane: 0, count: count, to: address, stride: output.frameStride, output, room,
          StreamedRow.self)
      } else {
        writeRows(
          of: frames, 0..<frameCount, lane: 0, count: count, to: address, stride: output.frameStride, output, room,
          StoredRow.self)
      }
      return
    }
    var lane = 0
    while lane < count {
      let part = count &- lane < laneCountOfBake ? count &- lane : laneCountOfBake
      var frame = 0
      while frame < frameCount {
        let rows = frameCount &- frame < frameCountOfBake ? frameCount &- frame : frameCountOfBake
        writeRows(
          of: frames, frame..<frame &+ rows, lane: lane, count: part, to: room.tile, stride: BakeLanes.rowStride,
          output, room, StoredRow.self)
        turn(
          room.tile, rows: rows, count: part, to: address + (lane &* output.laneStride &+ frame),
          stride: output.laneStride)
        frame &+= rows
      }
      lane &+= part
    }
  }
}
