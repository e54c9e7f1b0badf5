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
@safe
public struct BakeRoom {
  @usableFromInline let tile: UnsafeMutablePointer<Float>
  @usableFromInline let spare: UnsafeMutablePointer<Float>

  /// Bytes of memory that it takes, aligned to 64.
  static var byteCount: Int { 4 * (BakeLanes.tableStride + laneCountOfTile) }

  init(memory: UnsafeMutableRawPointer) {
    unsafe tile = memory.assumingMemoryBound(to: Float.self)
    unsafe spare = tile + BakeLanes.tableStride
  }
}

extension InstructionSet {
  /// Writes rows of lanes from `lane` on, four frames at a time: their common inputs are read once.
  @inline(never)
  @export(implementation)
  static func writeRows<F: BakedFrames, W: StoreWay>(
    of frames: F, _ range: Range<Int>, lane: Int, count: Int, to address: UnsafeMutablePointer<Float>, stride: Int,
    _ room: BakeRoom, _ way: W.Type
  ) where F.Row.I == Self {
    var to = unsafe address
    var frame = range.lowerBound
    while frame &+ 4 <= range.upperBound {
      let (a, b) = (frames.row(frame, first: lane), frames.row(frame &+ 1, first: lane))
      let (c, d) = (frames.row(frame &+ 2, first: lane), frames.row(frame &+ 3, first: lane))
      let end = count &- count % Floats.scalarCount
      var index = 0
      while index < end {
        let (p, q, r, s) = (a.vector(index), b.vector(index), c.vector(index), d.vector(index))
        unsafe W.store(Self.self, p, to: to + index)
        unsafe W.store(Self.self, q, to: to + (stride &+ index))
        unsafe W.store(Self.self, r, to: to + (2 &* stride &+ index))
        unsafe W.store(Self.self, s, to: to + (3 &* stride &+ index))
        index &+= Floats.scalarCount
      }
      if end < count {
        unsafe StoredRow.writePart(a, end, count, to: to, spare: room.spare)
        unsafe StoredRow.writePart(b, end, count, to: to + stride, spare: room.spare)
        unsafe StoredRow.writePart(c, end, count, to: to + 2 &* stride, spare: room.spare)
        unsafe StoredRow.writePart(d, end, count, to: to + 3 &* stride, spare: room.spare)
      }
      unsafe to += 4 &* stride
      frame &+= 4
    }
    while frame < range.upperBound {
      let row = frames.row(frame, first: lane)
      let end = count &- count % Floats.scalarCount
      var index = 0
      while index < end {
        unsafe W.store(Self.self, row.vector(index), to: to + index)
        index &+= Floats.scalarCount
      }
      if end < count { unsafe StoredRow.writePart(row, end, count, to: to, spare: room.spare) }
      unsafe to += stride
      frame &+= 1
    }
  }

  /// Writes rows of lanes past the caches; a row may begin anywhere in a line.
  @inline(never)
  @export(implementation)
  static func writeRowsOffLines<F: BakedFrames>(
    of frames: F, _ range: Range<Int>, count: Int, to address: UnsafeMutablePointer<Float>, _ output: BakeOutput,
    _ room: BakeRoom
  ) where F.Row.I == Self {
    var to = unsafe address
    for frame in range {
      unsafe StreamedRow.write(frames.row(frame, first: 0), count: count, to: to, output, spare: room.spare)
      unsafe to += output.frameStride
    }
  }

  /// Writes `count` lanes in `frameCount` frames, in the order of the output.
  @export(implementation) @inline(__always)
  static func write<F: BakedFrames>(
    _ frames: F, count: Int, frameCount: Int, to address: UnsafeMutablePointer<Float>, _ output: BakeOutput,
    _ room: BakeRoom
  ) where F.Row.I == Self {
    if output.laneStride == 1 {
      let all = 0..<frameCount
      if !output.isStreamed {
        unsafe writeRows(
          of: frames, all, lane: 0, count: count, to: address, stride: output.frameStride, room, Ordinary.self)
      } else if (Int(bitPattern: address) | 4 &* output.frameStride) & 63 == 0 {
        unsafe writeRows(
          of: frames, all, lane: 0, count: count, to: address, stride: output.frameStride, room, PastCaches.self)
      } else {
        unsafe writeRowsOffLines(of: frames, all, count: count, to: address, output, room)
      }
      return
    }
    var lane = 0
    while lane < count {
      let part = count &- lane < laneCountOfBake ? count &- lane : laneCountOfBake
      var frame = 0
      while frame < frameCount {
        let rows = frameCount &- frame < frameCountOfBake ? frameCount &- frame : frameCountOfBake
        unsafe writeRows(
          of: frames, frame..<frame &+ rows, lane: lane, count: part, to: room.tile, stride: BakeLanes.rowStride,
          room, Ordinary.self)
        unsafe turn(
          room.tile, rows: rows, count: part, to: address + (lane &* output.laneStride &+ frame),
          stride: output.laneStride)
        frame &+= rows
      }
      lane &+= part
    }
  }
}
