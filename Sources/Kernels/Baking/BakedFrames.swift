// SPDX-License-Identifier: MIT
// Frames whose lanes are neighbours in memory are computed row by row. Each row goes to the output, or, where lanes are
// the rows of the output, into a block that is transposed.

/// Frames of some lanes, with a row for each frame.
public protocol BakedFrames {
  associatedtype Row: BakedRow
  /// The lanes of a frame from `first` on.
  func row(_ frame: Int, first: Int) -> Row
}

/// Room for a block of results, a row for each frame, and for a vector of which only a part is written.
public struct BakeRoom {
  @usableFromInline let tile: Column<Float>
  @usableFromInline let spare: Column<Float>

  /// Bytes of memory that it takes, aligned to 64.
  static var byteCount: Int { 4 * (BakeLanes.tableStride + laneCountOfTile) }

  init(memory: Column<UInt8>) {
    tile = memory.elements(of: Float.self, count: BakeLanes.tableStride)
    spare = memory.elements(of: Float.self, at: 4 * BakeLanes.tableStride, count: laneCountOfTile)
  }
}

extension InstructionSet {
  /// Writes rows of lanes from `lane` on, four frames at a time: their common inputs are read once.
  @inline(never)
  @export(implementation)
  static func writeRows<F: BakedFrames, W: StoreWay>(
    of frames: F, _ range: Range<Int>, lane: Int, count: Int, to address: Column<Float>, stride: Int,
    _ room: BakeRoom, _ way: W.Type
  ) where F.Row.I == Self {
    var to = address
    var frame = range.lowerBound
    while frame &+ 4 <= range.upperBound {
      let (a, b) = (frames.row(frame, first: lane), frames.row(frame &+ 1, first: lane))
      let (c, d) = (frames.row(frame &+ 2, first: lane), frames.row(frame &+ 3, first: lane))
      let end = count &- count % Floats.scalarCount
      var index = 0
      while index < end {
        let (p, q, r, s) = (a.vector(index), b.vector(index), c.vector(index), d.vector(index))
        W.store(Self.self, p, to: to + index)
        W.store(Self.self, q, to: to + (stride &+ index))
        W.store(Self.self, r, to: to + (2 &* stride &+ index))
        W.store(Self.self, s, to: to + (3 &* stride &+ index))
        index &+= Floats.scalarCount
      }
      if end < count {
        StoredRow.writePart(a, end, count, to: to, spare: room.spare)
        StoredRow.writePart(b, end, count, to: to + stride, spare: room.spare)
        StoredRow.writePart(c, end, count, to: to + 2 &* stride, spare: room.spare)
        StoredRow.writePart(d, end, count, to: to + 3 &* stride, spare: room.spare)
      }
      to += 4 &* stride
      frame &+= 4
    }
    while frame < range.upperBound {
      let row = frames.row(frame, first: lane)
      let end = count &- count % Floats.scalarCount
      var index = 0
      while index < end {
        W.store(Self.self, row.vector(index), to: to + index)
        index &+= Floats.scalarCount
      }
      if end < count { StoredRow.writePart(row, end, count, to: to, spare: room.spare) }
      to += stride
      frame &+= 1
    }
  }

  /// Writes rows of lanes past the caches; a row may begin anywhere in a line.
  @inline(never)
  @export(implementation)
  static func writeRowsOffLines<F: BakedFrames>(
    of frames: F, _ range: Range<Int>, count: Int, to address: Column<Float>, _ output: BakeOutput,
    _ room: BakeRoom
  ) where F.Row.I == Self {
    var to = address
    for frame in range {
      StreamedRow.write(frames.row(frame, first: 0), count: count, to: to, output, spare: room.spare)
      to += output.frameStride
    }
  }

  /// Writes `count` lanes in `frameCount` frames, in the order of the output.
  @export(implementation) @inline(__always)
  static func write<F: BakedFrames>(
    _ frames: F, count: Int, frameCount: Int, to address: Column<Float>, _ output: BakeOutput,
    _ room: BakeRoom
  ) where F.Row.I == Self {
    if output.laneStride == 1 {
      let all = 0..<frameCount
      if !output.isStreamed {
        writeRows(
          of: frames, all, lane: 0, count: count, to: address, stride: output.frameStride, room, Ordinary.self)
      } else if unsafe (Int(bitPattern: address.address) | 4 &* output.frameStride) & 63 == 0 {
        writeRows(
          of: frames, all, lane: 0, count: count, to: address, stride: output.frameStride, room, PastCaches.self)
      } else {
        writeRowsOffLines(of: frames, all, count: count, to: address, output, room)
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
          room, Ordinary.self)
        turn(
          room.tile, rows: rows, count: part, to: address + (lane &* output.laneStride &+ frame),
          stride: output.laneStride)
        frame &+= rows
      }
      lane &+= part
    }
  }
}
