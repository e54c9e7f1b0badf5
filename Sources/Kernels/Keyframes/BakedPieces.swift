// SPDX-License-Identifier: MIT

/// The current pieces of some lanes on one clock.
@safe
public struct BakedPieces {
  /// The coefficients of each lane's piece, the constant one first: four columns, readable to a whole tile.
  public var coefficients: UnsafePointer<Float>
  /// Floats from one column to the next.
  public var stride: Int
  /// The tick in the middle of the piece, if all lanes are in one.
  public var center: Int32
  /// The tick in the middle of each lane's piece, if they are in several; readable to a whole tile.
  public var centers: UnsafePointer<Int32>?
  @usableFromInline let room: BakeRoom

  public init(
    coefficients: UnsafePointer<Float>, stride: Int, center: Int32, centers: UnsafePointer<Int32>?, _ room: PieceRoom
  ) {
    unsafe (self.coefficients, self.stride, self.center, self.centers) = (coefficients, stride, center, centers)
    self.room = room.room
  }
}

/// Room for the pieces of some lanes, which are gathered from their rows, and for results.
///
/// The memory is lent: ``byteCount`` bytes that a caller owns.
@safe
public struct PieceRoom {
  /// As in ``BakedPieces``, ``stride`` floats from column to column.
  public let coefficients: UnsafeMutablePointer<Float>
  public let centers: UnsafeMutablePointer<Int32>
  let room: BakeRoom

  /// Lanes that are baked together: their pieces stay in the first cache.
  public static var laneCount: Int { 1024 }
  /// Room for these lanes, for a tile that the next ones begin with, and for a vector after them; columns at about
  /// equal offsets within a page are slow.
  public static var stride: Int { laneCount + 14 * laneCountOfTile }

  /// Bytes of memory that it takes, aligned to 64.
  public static var byteCount: Int { 4 * 5 * stride + BakeRoom.byteCount }

  /// Room in memory of the caller.
  public init(memory: UnsafeMutableRawPointer) {
    unsafe coefficients = memory.assumingMemoryBound(to: Float.self)
    unsafe centers = (memory + 4 * 4 * Self.stride).assumingMemoryBound(to: Int32.self)
    room = unsafe BakeRoom(memory: memory + 4 * 5 * Self.stride)
  }
}

/// A moment of a clip.
public struct ClipMoment {
  public var tick: Int32
  /// Clip units per second, for velocities; 0 where the clip holds.
  public var rate: Float

  public init(tick: Int32, rate: Float) { (self.tick, self.rate) = (tick, rate) }
}
