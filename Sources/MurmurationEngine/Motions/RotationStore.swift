// SPDX-License-Identifier: MIT
import CProcessor
import Kernels

/// The goals of tracks that are rotations, and the quaternions that they show.
///
/// In an engine of rotations, the value of a track is its offset from its goal, in the tangent space of the goal (see
/// `RotationKernels.swift`), and motions lead it to 0. So springs, curves, delays and following are those of any value.
/// Tracks that play clips have the quaternions of their clips as values.
struct RotationStore: ~Copyable {
  static let shape = ColumnShape(narrow: 8, leadingLines: 9, tileBytes: 4)
  private var memory: ColumnMemory?
  private var capacity = 0
  /// The goals and the quaternions that are shown, component by component.
  private(set) var goal = Column<Float>.empty
  private(set) var shown = Column<Float>.empty
  /// Floats from a component to the next.
  private(set) var stride = 0
  /// The lanes of each tile whose values are quaternions.
  var quaternions = OwnedColumn<UInt16>()

  /// Maps columns for all indices of a store; there must be memory.
  mutating func attach(to tracks: borrowing TrackStore) {
    guard capacity != tracks.capacity else { return }
    let columns = ColumnMemory(Self.shape, count: tracks.capacity)
    if capacity > 0 { columns.copy(0..<min(capacity, tracks.capacity), of: memory!, to: 0) }
    (goal, shown) = (columns.narrow(0, every: 1), columns.narrow(4, every: 1))
    (stride, capacity) = (columns.narrowStride, tracks.capacity)
    memory = consume columns
    quaternions.grow(to: tracks.tiles.capacity, with: 0)
  }

  /// The tracks have been coded before.
  mutating func code(_ coder: inout StateCoder, _ tracks: borrowing TrackStore) {
    guard coder.coded(capacity > 0) else { return }
    attach(to: tracks)
    memory!.code(&coder, tracks.tiles.end * laneCountOfTile)
    quaternions.code(&coder)
  }

  /// The columns as kernels take them.
  func columns(_ tracks: borrowing TrackStore) -> RotationColumns {
    RotationColumns(
      value: tracks.columns.value, velocity: tracks.columns.velocity, dimensionStride: tracks.columns.dimensionStride,
      goal: goal, shown: shown, stride: stride)
  }

  /// Sets the goal of a track to a quaternion of any length, rounded as kernels do.
  func setGoal(_ index: Int, _ component: (Int) -> Float) {
    let unit = Self.unit(component)
    for part in 0..<4 { goal[part * stride + index] = unit[part] }
  }

  /// Whether the goal of a track is a quaternion of any length, or its negative.
  func hasGoal(_ index: Int, _ component: (Int) -> Float) -> Bool {
    let unit = Self.unit(component)
    return goal(of: index) == unit || goal(of: index) == -unit
  }

  func goal(of index: Int) -> SIMD4<Float> { SIMD4 { goal[$0 * stride + index] } }
  func shown(by index: Int) -> SIMD4<Float> { SIMD4 { shown[$0 * stride + index] } }

  /// A quaternion at length 1.
  private static func unit(_ component: (Int) -> Float) -> SIMD4<Float> {
    let q = SIMD4(component(0), component(1), component(2), component(3))
    let squares = q * q
    let n = (squares.x + squares.y) + (squares.z + squares.w)
    return q * (abs(n - 1) <= RotationLimits.nearOne ? 1.5 - 0.5 * n : 1 / n.squareRoot())
  }
}

extension KernelTable {
  /// Shows neighbouring tiles of rotations.
  func show(_ columns: RotationColumns, _ tiles: Range<Int>, _ quaternions: ConstantColumn<UInt16>) {
    var tile = tiles.lowerBound
    while tile < tiles.upperBound {
      let lanes = quaternions[tile]
      let end = (tile..<tiles.upperBound).first { quaternions[$0] != lanes } ?? tiles.upperBound
      if lanes == 0 || lanes == .max {
        rotations.show(columns, LaneRun(tile..<end), lanes != 0)
      } else {
        for mixed in tile..<end { showMixed(columns, mixed, lanes) }
      }
      tile = end
    }
  }

  /// Shows a tile in which the values of some lanes are quaternions.
  private func showMixed(_ columns: RotationColumns, _ tile: Int, _ quaternions: UInt16) {
    let index = tile * laneCountOfTile
    rotations.show(columns, LaneRun(tile..<tile + 1), true)
    withTemporaryLines(of: 4 * laneCountOfTile) { lines in
      var apart = columns
      (apart.shown, apart.stride) = (lines, laneCountOfTile)
      (apart.goal, apart.value) = (columns.goal + index, columns.value + index)
      withTemporaryLines(of: 4 * laneCountOfTile) { goals in
        goals.copyTile(4, from: columns.goal + index, every: columns.stride)
        apart.goal = goals
        rotations.show(apart, LaneRun(0..<1), false)
      }
      (columns.shown + index).writeTile(~quaternions, 4, from: lines, to: columns.stride)
    }
  }

  /// Gives lanes of a tile other goals, which stand in four lines.
  func turn(
    _ columns: RotationColumns, _ tile: Int, _ lanes: UInt16, _ source: RotationSource,
    to goals: ConstantColumn<Float>
  ) {
    let run = LaneRun(tile..<tile + 1)
    guard lanes != .max else { return rotations.turn(columns, run, source, goals, laneCountOfTile, columns) }
    let (index, count) = (tile * laneCountOfTile, 3 * laneCountOfTile)
    withTemporaryLines(of: 2 * count + 4 * laneCountOfTile) { lines in
      // The kernel adds an index to these addresses, as to those of columns.
      let apart = RotationColumns(
        value: lines - index, velocity: lines + (count - index), dimensionStride: laneCountOfTile,
        goal: lines + (2 * count - index), shown: columns.shown, stride: laneCountOfTile)
      rotations.turn(columns, run, source, goals, laneCountOfTile, apart)
      (columns.value + index).writeTile(lanes, 3, from: lines, to: columns.dimensionStride)
      (columns.velocity + index).writeTile(lanes, 3, from: lines + count, to: columns.dimensionStride)
      (columns.goal + index).writeTile(lanes, 4, from: lines + 2 * count, to: columns.stride)
    }
  }
}

// The columns point into memory that the value owns, and the type cannot be copied.
extension RotationStore: @unchecked Sendable {}
