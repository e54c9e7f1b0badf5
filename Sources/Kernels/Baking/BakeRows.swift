// SPDX-License-Identifier: MIT
// Rows of results: one frame of neighbouring lanes each. A result is a multiply-add of two coefficients and two numbers
// of a lane; the numbers are the same in all frames of a block.

/// The quantity of a row.
public protocol BakedQuantity {
  static func combine<I: InstructionSet>(
    _ set: I.Type, _ c: I.Floats, _ p: I.Floats, _ s: I.Floats, _ q: I.Floats
  ) -> I.Floats
  static func finish<I: InstructionSet>(_ set: I.Type, _ sum: I.Floats, _ target: I.Floats) -> I.Floats
}

/// Values. The target is added last, so there is one rounding at its magnitude.
public enum BakedValue: BakedQuantity {
  @export(implementation) @inline(__always)
  public static func combine<I: InstructionSet>(
    _ set: I.Type, _ c: I.Floats, _ p: I.Floats, _ s: I.Floats, _ q: I.Floats
  ) -> I.Floats {
    I.fusedMultiplyAdd(c, p, s * q)
  }

  @export(implementation) @inline(__always)
  public static func finish<I: InstructionSet>(_ set: I.Type, _ sum: I.Floats, _ target: I.Floats) -> I.Floats {
    sum + target
  }
}

/// Velocities: the inner sum makes −0 a plain 0, so that the velocity at rest has one sign.
public enum BakedVelocity: BakedQuantity {
  @export(implementation) @inline(__always)
  public static func combine<I: InstructionSet>(
    _ set: I.Type, _ c: I.Floats, _ p: I.Floats, _ s: I.Floats, _ q: I.Floats
  ) -> I.Floats {
    I.fusedMultiplyAdd(c, p, I.fusedMultiplyAdd(s, q, I.Floats.zero))
  }

  @export(implementation) @inline(__always)
  public static func finish<I: InstructionSet>(_ set: I.Type, _ sum: I.Floats, _ target: I.Floats) -> I.Floats {
    sum
  }
}

/// The source of the results of a row: the vector of lanes that begins with a lane.
public protocol BakedRow {
  associatedtype I: InstructionSet
  func vector(_ lane: Int) -> I.Floats
}

/// A frame of lanes that each have coefficients of their own.
@usableFromInline struct LanesRow<I: InstructionSet, Q: BakedQuantity>: BakedRow {
  @usableFromInline let lanes: BakeLanes
  @usableFromInline let c: Column<Float>
  @usableFromInline let s: Column<Float>
  @usableFromInline let frame: Int

  /// Row `row` of the tables, for a frame of the bake.
  @export(implementation) @inline(__always)
  init(_ lanes: BakeLanes, _ tables: Column<Float>, row: Int, frame: Int) {
    (self.lanes, self.frame) = (lanes, frame)
    c = tables + row &* BakeLanes.rowStride
    s = c + BakeLanes.tableStride
  }

  @export(implementation) @inline(__always)
  func vector(_ lane: Int) -> I.Floats {
    let sum = Q.combine(
      I.self, I.load(c, lane), I.load(lanes.anchorPosition, lane), I.load(s, lane), I.load(lanes.anchorTurned, lane))
    return Q.finish(
      I.self, I.clear(sum, where: I.rests(I.load(lanes.restFrame, lane), in: frame)), I.load(lanes.target, lane))
  }
}

extension InstructionSet {
  /// All bits set where a lane is at rest in a frame, given its first frame at rest.
  @export(implementation) @inline(__always)
  static func rests(_ restFrame: Ints, in frame: Int) -> Ints {
    (restFrame &+ Ints(repeating: ~Int32(truncatingIfNeeded: frame))) &>> Ints(repeating: 31)
  }
}

/// A way to write a row.
public protocol RowWay {
  /// Writes `count` lanes of a row; `spare` has room for a vector.
  static func write<R: BakedRow>(
    _ row: R, count: Int, to address: Column<Float>, _ output: BakeOutput,
    spare: Column<Float>)
}

extension RowWay {
  /// Writes the lanes of a row from `first` to `end`, less than a vector, to any address.
  @export(implementation) @inline(__always)
  static func writePart<R: BakedRow>(
    _ row: R, _ first: Int, _ end: Int, to address: Column<Float>, spare: Column<Float>
  ) {
    Ordinary.store(R.I.self, row.vector(first), to: spare)
    var lane = first
    while lane < end {
      address[lane] = spare[lane &- first]
      lane &+= 1
    }
  }
}

/// Through the caches.
public enum StoredRow: RowWay {
  @export(implementation) @inline(__always)
  public static func write<R: BakedRow>(
    _ row: R, count: Int, to address: Column<Float>, _ output: BakeOutput,
    spare: Column<Float>
  ) {
    var lane = 0
    while lane &+ R.I.Floats.scalarCount <= count {
      Ordinary.store(R.I.self, row.vector(lane), to: address + lane)
      lane &+= R.I.Floats.scalarCount
    }
    if lane < count {
      writePart(row, lane, count, to: address, spare: spare)
    }
  }
}

/// Past the caches. A line that a row shares with lanes before it is written with those lanes; a line that it shares
/// with lanes after it is written whole. So each line is written once.
public enum StreamedRow: RowWay {
  /// Floats from an address to the next line.
  @export(implementation) @inline(__always)
  static func untilLine(_ address: Column<Float>) -> Int {
    unsafe ((0 &- Int(bitPattern: address.address)) & 63) &>> 2
  }

  @export(implementation) @inline(__always)
  public static func write<R: BakedRow>(
    _ row: R, count: Int, to address: Column<Float>, _ output: BakeOutput,
    spare: Column<Float>
  ) {
    let width = R.I.Floats.scalarCount
    let untilLine = untilLine(address)
    var end = count
    if output.overlap > 0 {
      let own = count &- output.overlap
      let line = own &+ Self.untilLine(address + own)
      end = line < count ? line : count
    }
    var lane = 0
    if output.isContinued {
      lane = untilLine
    } else {
      let head = untilLine < end ? untilLine : end
      while lane < head {
        let next = lane &+ width < head ? lane &+ width : head
        writePart(row, lane, next, to: address, spare: spare)
        lane = next
      }
    }
    while lane &+ width <= end {
      PastCaches.store(R.I.self, row.vector(lane), to: address + lane)
      lane &+= width
    }
    if lane < end {
      writePart(row, lane, end, to: address, spare: spare)
    }
  }
}

extension InstructionSet {
  /// Transposes a block of results: `rows` frames of `count` lanes become `count` rows of frames, or the other way
  /// round.
  @export(implementation) @inline(__always)
  static func turn(
    _ tile: Column<Float>, rowStride: Int = BakeLanes.rowStride, rows: Int, count: Int,
    to output: Column<Float>, stride: Int
  ) {
    var lane = 0
    while lane &+ 16 <= count {
      var row = 0
      while row &+ 16 <= rows {
        turnSixteen(tile + (row &* rowStride &+ lane), rowStride, to: output + (lane &* stride &+ row), stride)
        row &+= 16
      }
      if row < rows {
        turnPart(
          tile + (row &* rowStride &+ lane), rowStride: rowStride, rows: rows &- row, count: 16,
          to: output + (lane &* stride &+ row), stride: stride)
      }
      lane &+= 16
    }
    if lane < count {
      turnPart(
        tile + lane, rowStride: rowStride, rows: rows, count: count &- lane, to: output + lane &* stride,
        stride: stride)
    }
  }

  @export(implementation) @inline(__always)
  public static func turnSixteen(
    _ rows: Column<Float>, _ stride: Int, to columns: Column<Float>, _ columnStride: Int
  ) {
    turnPart(rows, rowStride: stride, rows: 16, count: 16, to: columns, stride: columnStride)
  }

  @export(implementation) @inline(__always)
  static func turnPart(
    _ tile: Column<Float>, rowStride: Int, rows: Int, count: Int,
    to output: Column<Float>, stride: Int
  ) {
    var lane = 0
    while lane &+ 4 <= count {
      var row = 0
      while row &+ 4 <= rows {
        let from = tile + (row &* rowStride &+ lane)
        let a = from.lanes(at: 0, as: SIMD4<Float>.self)
        let b = from.lanes(at: rowStride, as: SIMD4<Float>.self)
        let c = from.lanes(at: 2 &* rowStride, as: SIMD4<Float>.self)
        let d = from.lanes(at: 3 &* rowStride, as: SIMD4<Float>.self)
        let to = output + (lane &* stride &+ row)
        to.store(SIMD4(a[0], b[0], c[0], d[0]), at: 0)
        to.store(SIMD4(a[1], b[1], c[1], d[1]), at: stride)
        to.store(SIMD4(a[2], b[2], c[2], d[2]), at: 2 &* stride)
        to.store(SIMD4(a[3], b[3], c[3], d[3]), at: 3 &* stride)
        row &+= 4
      }
      while row < rows {
        for index in 0..<4 {
          output[(lane &+ index) &* stride &+ row] = tile[row &* rowStride &+ lane &+ index]
        }
        row &+= 1
      }
      lane &+= 4
    }
    while lane < count {
      for row in 0..<rows {
        output[lane &* stride &+ row] = tile[row &* rowStride &+ lane]
      }
      lane &+= 1
    }
  }
}
