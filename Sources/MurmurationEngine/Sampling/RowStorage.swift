// SPDX-License-Identifier: MIT
import Kernels

/// The pieces of a clip as rows, and the values that they give, in one block of memory.
///
/// Groups are padded to whole tiles, so values have gaps between groups. The gaps are closed when values are lent.
struct RowStorage: ~Copyable {
  /// Dimensions that share the boundaries of their pieces.
  struct Group {
    /// The clip's dimensions, ascending.
    let dimensions: [Int]
    let lasts: [Int32]
    let centers: [Int32]
    /// Lanes of a row, whole tiles, and floats from row to row.
    let laneCount: Int
    let stride: Int
    /// Floats from the start of the rows, and of the values.
    let firstRow: Int
    let firstValue: Int

    /// The piece that a tick belongs to.
    ///
    /// - Complexity: O(log n) in the number of pieces.
    func piece(at tick: Int32) -> Int { (0..<lasts.count - 1).endOfPrefix { lasts[$0] < tick } }

    /// The ticks that belong to a piece; it must have some.
    func ticks(of piece: Int) -> ClosedRange<Int32> {
      (piece == 0 ? .min : lasts[piece - 1] + 1)...(piece == lasts.count - 1 ? .max : lasts[piece])
    }

    /// Floats from the start of the rows to the constant coefficient of a piece; the next ones are `stride` apart.
    func element(_ piece: Int, column: Int) -> Int { firstRow + 4 * piece * stride + column }

    /// The columns of the dimensions of a range that are in the group.
    ///
    /// - Complexity: O(log n) in the number of dimensions.
    func columns(of range: Range<Int>) -> Range<Int> { column(at: range.lowerBound)..<column(at: range.upperBound) }

    /// The number of columns, from the first on, whose dimensions follow each other.
    func neighbours(_ columns: Range<Int>) -> Int {
      let first = dimensions[columns.lowerBound]
      if dimensions[columns.upperBound - 1] - first == columns.count - 1 { return columns.count }
      return columns.prefix { dimensions[$0] - first == $0 - columns.lowerBound }.count
    }

    /// The column of the first dimension of the group that is not below `dimension`.
    private func column(at dimension: Int) -> Int { dimensions.indices.endOfPrefix { dimensions[$0] < dimension } }
  }

  let groups: [Group]
  private let timing: ClipTiming
  private let ticksPerSecond: Double
  /// Clip units per second.
  private let rate: Float
  /// The rows of all groups.
  let rows: ConstantColumn<Float>
  private let values: Column<Float>
  private let velocities: Column<Float>
  private let block: MemoryBlock

  /// The rows of a clip.
  ///
  /// - Parameter limit: The most bytes to allocate.
  /// - Throws: ``BatchError/capacityExceeded(_:)`` with the dimensions if the limit is too small, or there is no
  ///   memory.
  init(_ clip: Clip, limit: Int = BatchLimits.maximumBytes) throws(BatchError) {
    let tables = TickClip(clip)
    timing = ClipTiming(clip)
    ticksPerSecond = tables.scale.ticksPerSecond
    rate = Float(ticksPerSecond / ClipTick.unit)
    let stagger = ColumnMemory.stagger / 4
    var (rowCount, valueCount) = (0, 0)
    var groups: [Group] = []
    for track in tables.tracks {
      let width = track.components.count
      let laneCount = (width + laneCountOfTile - 1) / laneCountOfTile * laneCountOfTile
      // With rows at equal offsets within a page, a processor may hold back a load after an unrelated store.
      let stride = laneCount < 1024 ? laneCount : (laneCount + 1023) / 1024 * 1024 + stagger
      groups.append(
        Group(
          dimensions: track.components.map(Int.init), lasts: track.lasts, centers: track.centers, laneCount: laneCount,
          stride: stride, firstRow: rowCount, firstValue: valueCount))
      rowCount += 4 * stride * track.lasts.count
      valueCount += laneCount
    }
    self.groups = groups
    let count = rowCount + 2 * (valueCount + stagger)
    guard MemoryBlock.hasRoom(forBytes: 4 * count, limit: limit) else {
      throw .capacityExceeded(clip.dimensions)
    }
    block = MemoryBlock(byteCount: 4 * count)
    let floats = block.bytes.rebound(to: Float.self)
    rows = floats.constant
    values = floats + rowCount + stagger
    velocities = floats + rowCount + valueCount + 2 * stagger
    for (group, track) in zip(groups, tables.tracks) {
      track.forEachCoefficient { floats[group.element($1, column: $0) + $2 * group.stride] = $3 }
    }
  }

  /// The moment of the clip at a time; before the start and after the end, the moment that is held there.
  func moment(at seconds: Double) -> ClipMoment {
    if seconds < 0 { return ClipMoment(tick: timing.beforeTick, rate: 0) }
    if seconds > timing.duration { return ClipMoment(tick: timing.afterTick, rate: 0) }
    let tick = (Double(ClipTick.start) + seconds * ticksPerSecond).rounded(.toNearestOrEven)
    return ClipMoment(tick: Int32(min(max(tick, Double(ClipTick.start)), Double(ClipTick.end))), rate: rate)
  }

  func pieces(of group: Group) -> PieceRows {
    PieceRows(
      rows: rows + group.firstRow, laneCount: group.laneCount, stride: group.stride,
      value: values + group.firstValue, velocity: velocities + group.firstValue)
  }

  /// Lends the values or velocities of all groups without gaps.
  func withValues<Result>(velocities wantsVelocities: Bool, _ body: (Span<Float>) -> Result) -> Result {
    let source = wantsVelocities ? velocities : values
    if groups.count == 1 {
      let values = unsafe UnsafeBufferPointer(start: source.address, count: groups[0].dimensions.count)
      return unsafe body(values.span)
    }
    var packed: [Float] = []
    for group in groups {
      for column in group.dimensions.indices {
        packed.append(source[group.firstValue + column])
      }
    }
    return body(packed.span)
  }
}

// The storage owns the memory that it points to.
extension RowStorage: @unchecked Sendable {}
