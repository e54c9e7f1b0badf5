// SPDX-License-Identifier: MIT

/// The pieces that some lanes on one clock are in, gathered from wherever they stand.
///
/// The memory is lent: ``byteCount`` bytes that a caller owns.
public struct BakedPieces {
  /// The coefficients of each lane's piece, the constant one first: four columns, ``stride`` floats apart.
  public let coefficients: UnsafeMutablePointer<Float>
  /// The tick in the middle of each lane's piece.
  public let centers: UnsafeMutablePointer<Int32>
  @usableFromInline let room: BakeRoom

  /// Lanes that are baked together: their pieces stay in the first cache.
  public static var laneCount: Int { 1024 }
  /// Lanes that there is room for: those, and a tile that the next ones begin with.
  public static var capacity: Int { laneCount + laneCountOfTile }
  /// Floats from one column to the next: columns at about the same place within a page are slow.
  @inlinable public static var stride: Int { @inline(__always) get { 1024 &+ 14 &* laneCountOfTile } }

  /// Bytes of memory that they take, aligned to 64.
  public static var byteCount: Int { 4 * 5 * stride + BakeRoom.byteCount }

  /// Room in memory of the caller.
  public init(memory: UnsafeMutableRawPointer) {
    coefficients = memory.assumingMemoryBound(to: Float.self)
    centers = (memory + 4 * 4 * Self.stride).assumingMemoryBound(to: Int32.self)
    room = BakeRoom(memory: memory + 4 * 5 * Self.stride)
  }
}

/// A moment of a clip.
public struct ClipMoment {
  public var tick: Int32
  /// Clip units per second, for velocities; 0 where everything holds.
  public var rate: Float

  public init(tick: Int32, rate: Float) { (self.tick, self.rate) = (tick, rate) }
}
