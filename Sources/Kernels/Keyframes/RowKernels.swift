// SPDX-License-Identifier: MIT
// Many values on one clock, whose pieces begin and end together: one piece of all values is four rows of coefficients.

/// The pieces of values that share their boundaries, as rows.
public struct PieceRows {
  /// Rows: [piece][4][stride], the constant coefficient first.
  public var rows: ConstantColumn<Float>
  /// Lanes of a row, whole tiles.
  public var laneCount: Int
  /// Floats from row to row, a multiple of a tile.
  public var stride: Int
  /// The memory of values and velocities, aligned to a tile.
  public var value: Column<Float>
  public var velocity: Column<Float>

  public init(
    rows: ConstantColumn<Float>, laneCount: Int, stride: Int, value: Column<Float>,
    velocity: Column<Float>
  ) {
    self.rows = rows
    self.laneCount = laneCount
    self.stride = stride
    self.value = value
    self.velocity = velocity
  }
}

extension InstructionSet {
  @export(implementation) @inline(__always)
  static func rowLoop<O: Output, W: StoreWay>(
    _ pieces: PieceRows, piece: Int, distance: Float, rate: Float, _: O.Type, _: W.Type
  ) {
    let (u, rate) = (splat(distance), splat(rate))
    let three = splat(3)
    let x = pieces.rows + 4 &* piece &* pieces.stride
    let (y, z, w) = (x + pieces.stride, x + 2 &* pieces.stride, x + 3 &* pieces.stride)
    var lane = 0
    while lane < pieces.laneCount {
      let (cy, cz, cw) = (load(y, lane), load(z, lane), load(w, lane))
      let slope = fusedMultiplyAdd(fusedMultiplyAdd(cw, u, cz), u, cy)
      W.store(Self.self, fusedMultiplyAdd(slope, u, load(x, lane)), to: pieces.value + lane)
      if O.includesVelocity {
        let derivative = fusedMultiplyAdd(fusedMultiplyAdd(three * cw, u, cz + cz), u, cy)
        W.store(Self.self, fusedMultiplyAdd(derivative, rate, Floats.zero), to: pieces.velocity + lane)
      }
      lane &+= Floats.scalarCount
    }
  }
}

extension InstructionSet {
  @export(implementation) @inline(__always)
  static func evaluateRows<W: StoreWay>(
    _ pieces: PieceRows, piece: Int, distance: Float, rate: Float?, _ way: W.Type
  ) {
    if let rate {
      rowLoop(pieces, piece: piece, distance: distance, rate: rate, ValueAndVelocity.self, way)
    } else {
      rowLoop(pieces, piece: piece, distance: distance, rate: 0, ValueOnly.self, way)
    }
  }

  /// Evaluates one piece of all values: 20 bytes of traffic a value, 24 with velocities.
  ///
  /// - Parameters:
  ///   - distance: Clip units from the piece's centre.
  ///   - rate: Clip units per second, for velocities; nil for values alone.
  @export(implementation) @inline(__always)
  public static func evaluateRows(
    _ pieces: PieceRows, piece: Int, distance: Float, rate: Float?, stores: LaneRun.Stores
  ) {
    switch stores {
    case .ordinary: evaluateRows(pieces, piece: piece, distance: distance, rate: rate, Ordinary.self)
    case .pastCaches:
      evaluateRows(pieces, piece: piece, distance: distance, rate: rate, PastCaches.self)
      fence()
    }
  }
}
