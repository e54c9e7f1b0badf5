// SPDX-License-Identifier: MIT

/// The current pieces of some lanes on one clock.
public struct BakedPieces {
  /// The coefficients of each lane's piece, the constant one first: four columns, readable to a whole tile.
  public var coefficients: ConstantColumn<Float>
  /// Floats from one column to the next.
  public var stride: Int
  /// The tick in the middle of the piece, if all lanes are in one.
  public var center: Int32
  /// The tick in the middle of each lane's piece, if they are in several; readable to a whole tile.
  public var centers: ConstantColumn<Int32>?
  @usableFromInline let room: BakeRoom

  public init(
    coefficients: ConstantColumn<Float>, stride: Int, center: Int32, centers: ConstantColumn<Int32>?, _ room: PieceRoom
  ) {
    (self.coefficients, self.stride, self.center, self.centers) = (coefficients, stride, center, centers)
    self.room = room.room
  }
}

/// Room for the pieces of some lanes, which are gathered from their rows, and for results.
///
/// The memory is lent: ``byteCount`` bytes that a caller owns.
public struct PieceRoom {
  /// As in ``BakedPieces``, ``stride`` floats from column to column.
  public let coefficients: Column<Float>
  public let centers: Column<Int32>
  let room: BakeRoom

  /// Lanes that are baked together: their pieces stay in the first cache.
  public static var laneCount: Int { 1024 }
  /// Room for these lanes, for a tile that the next ones begin with, and for a vector after them; columns at about
  /// equal offsets within a page are slow.
  public static var stride: Int { laneCount + 14 * laneCountOfTile }

  /// Bytes of memory that it takes, aligned to 64.
  public static var byteCount: Int { 4 * 5 * stride + BakeRoom.byteCount }

  /// Room in memory of the caller.
  public init(memory: Column<UInt8>) {
    coefficients = memory.elements(of: Float.self, count: 4 * Self.stride)
    centers = memory.elements(of: Int32.self, at: 4 * 4 * Self.stride, count: Self.stride)
    room = BakeRoom(memory: memory + 4 * 5 * Self.stride)
  }
}

/// A moment of a clip.
public struct ClipMoment {
  public var tick: Int32
  /// Clip units per second, for velocities; 0 where the clip holds.
  public var rate: Float

  public init(tick: Int32, rate: Float) { (self.tick, self.rate) = (tick, rate) }
}
