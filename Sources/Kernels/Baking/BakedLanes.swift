// SPDX-License-Identifier: MIT
/// Results of some lanes in some frames, before they are written.
///
/// The memory is lent: ``byteCount`` bytes that a caller owns.
public struct BakedLanes {
  /// The value of the first lane in the first frame.
  public let values: Column<Float>
  /// The velocity of the first lane in the first frame.
  public let velocities: Column<Float>
  /// As in ``BakedRows``.
  private let room: Column<Float>
  /// The pieces of a lane's frames while they are computed.
  @usableFromInline let pieces: Column<Int32>
  @usableFromInline let distances: Column<Float>
  @usableFromInline let rates: Column<Float>

  /// Lanes that are computed together, without those that the next lanes begin with.
  @export(implementation) public static var laneCount: Int { @inline(__always) get { 32 } }
  @export(implementation) public static var capacity: Int { @inline(__always) get { laneCount &+ laneCountOfTile } }
  /// Frames that are computed together.
  @export(implementation) public static var frameCount: Int { @inline(__always) get { 256 } }
  /// Floats from lane to lane: after the last frame there is room for a vector, so no store is cut.
  @export(implementation) public static var stride: Int { @inline(__always) get { frameCount &+ laneCountOfTile } }

  /// Bytes of memory that a block takes, aligned to 64.
  public static var byteCount: Int { 4 * ((2 * capacity + 3) * stride + BakedRows.roomCount) }

  /// A block in memory of the caller.
  public init(memory: Column<UInt8>) {
    let count = Self.capacity * Self.stride
    values = memory.elements(of: Float.self, count: count)
    velocities = memory.elements(of: Float.self, at: 4 * count, count: count)
    let row = { (row: Int) in
      memory.elements(of: Float.self, at: 8 * count + 4 * row * Self.stride, count: Self.stride)
    }
    (distances, pieces, rates) = (row(0), row(1).rebound(to: Int32.self), row(2))
    room = memory.elements(of: Float.self, at: 8 * count + 12 * Self.stride, count: BakedRows.roomCount)
  }

  /// The results, a row for each lane.
  public var rows: BakedRows {
    BakedRows(values: values, velocities: velocities, room: room, stride: Self.stride, areLanes: true)
  }
}
