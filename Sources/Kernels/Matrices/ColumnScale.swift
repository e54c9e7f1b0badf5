// SPDX-License-Identifier: MIT

/// A column of weights that is multiplied by a factor for each row, `offset + slope · w`: a layer's weight w, or the
/// share of the lower layers that stays, 1 − share · w.
///
/// `count` is a multiple of ``laneCountOfTile``; source and result may be the same.
public struct ColumnScale {
  public var result: Column<Float>
  public var source: ConstantColumn<Float>
  public var weight: ConstantColumn<Float>
  public var offset: Float
  public var slope: Float
  public var count: Int
  /// The largest magnitude that results may have.
  public var limit: Float

  public init(
    result: Column<Float>, source: ConstantColumn<Float>, weight: ConstantColumn<Float>, offset: Float,
    slope: Float, count: Int, limit: Float
  ) {
    self.result = result
    self.source = source
    self.weight = weight
    self.offset = offset
    self.slope = slope
    self.count = count
    self.limit = limit
  }
}

extension InstructionSet {
  /// Marks lanes that are NaN or beyond a limit in the sign bits: without their signs, the bits of Floats are ordered
  /// as their magnitudes are, with NaN last.
  @export(implementation) @inline(__always)
  static func beyond(_ a: Floats, _ limit: Ints) -> Ints {
    unsafe limit &- (unsafeBitCast(a, to: Ints.self) & Ints(repeating: 0x7FFF_FFFF))
  }

  @export(implementation) @inline(__always)
  static func bits(ofLimit limit: Float) -> Ints { Ints(repeating: Int32(bitPattern: limit.bitPattern)) }

  /// Multiplies a column by factors; false if a result is NaN or beyond the limit.
  @export(implementation) @inline(__always)
  public static func scale(_ column: ColumnScale) -> Bool {
    let limit = bits(ofLimit: column.limit)
    let (offset, slope) = (splat(column.offset), splat(column.slope))
    var signs = Ints.zero
    var row = 0
    while row < column.count {
      let factor = fusedMultiplyAdd(slope, load(column.weight, row), offset)
      let result = load(column.source, row) * factor
      signs |= beyond(result, limit)
      column.result.store(result, at: row)
      row &+= Floats.scalarCount
    }
    return self.signs(signs) == 0
  }

  /// Whether `count` floats are numbers within ± a limit.
  @export(implementation) @inline(__always)
  public static func isWithin(_ limit: Float, _ column: ConstantColumn<Float>, _ count: Int) -> Bool {
    let limit = bits(ofLimit: limit)
    var signs = Ints.zero
    var row = 0
    while row < count {
      signs |= beyond(load(column, row), limit)
      row &+= Floats.scalarCount
    }
    return self.signs(signs) == 0
  }
}
