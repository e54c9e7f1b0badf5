// SPDX-License-Identifier: MIT
import Kernels

/// The numbers of a call for its elements: one for each, or one for all.
struct ElementNumbers {
  let column: ConstantColumn<Float>
  let count: Int

  /// The numbers that a caller lends. They must outlive this value.
  init(_ span: Span<Float>) {
    (column, count) = unsafe (span.withUnsafeBufferPointer { unsafe $0.column ?? .empty }, span.count)
  }

  /// Throws ``ColumnError/wrongCount(of:expected:got:)`` unless there is one number, or one for each of `count` elements.
  func check(_ name: String, count needed: Int) throws(ColumnError) {
    guard count == needed || count == 1 else { throw .wrongCount(of: name, expected: needed, got: count) }
  }
}

/// The results of a call, one for each element.
struct ElementResults {
  let column: Column<Float>
  let count: Int

  /// The results that a caller lends. They must outlive this value.
  init(_ span: inout MutableSpan<Float>) {
    count = span.count
    column = unsafe span.withUnsafeMutableBufferPointer { unsafe $0.column ?? .empty }
  }
}

/// Some elements of a call: whole tiles, which kernels read and write where they lie, or the rest behind them, which a tile for
/// each column holds meanwhile.
struct ElementPart {
  /// The first element.
  let first: Int
  private let count: Int
  private let tiles: Column<Float>

  /// The number of elements for the kernels.
  var laneCount: Int { (count + laneCountOfTile - 1) / laneCountOfTile * laneCountOfTile }

  private static let tileCount = 6

  /// Calls `body` for the parts of a number of elements, without an allocation.
  static func forEach(of count: Int, _ body: (ElementPart) -> Void) {
    unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: tileCount * laneCountOfTile) { memory in
      let tiles = unsafe memory.column ?? .empty
      let whole = count / laneCountOfTile * laneCountOfTile
      if whole > 0 { body(ElementPart(first: 0, count: whole, tiles: tiles)) }
      if whole < count { body(ElementPart(first: whole, count: count - whole, tiles: tiles)) }
    }
  }

  private func tile(_ number: Int) -> Column<Float> { tiles + number * laneCountOfTile }

  /// The numbers of the part's elements; zeros for nil.
  ///
  /// - Parameter number: The tile that may hold them, 0...5; another one for each column of a call.
  func input(_ numbers: ElementNumbers?, tile number: Int) -> ElementColumn {
    let tile = tile(number)
    guard let numbers else {
      tile.update(repeating: 0, count: laneCountOfTile)
      return ElementColumn(tile: tile.constant)
    }
    if numbers.count == 1 {
      tile.update(repeating: numbers.column[0], count: laneCountOfTile)
      return ElementColumn(tile: tile.constant)
    }
    guard laneCount > count else { return ElementColumn(numbers.column + first) }
    tile.update(repeating: 0, count: laneCountOfTile)
    tile.update(from: numbers.column + first, count: count)
    return ElementColumn(tile.constant)
  }

  /// Lends the column of the part's results, which holds what the caller's holds.
  ///
  /// - Parameter number: As for inputs.
  func withOutput(_ results: ElementResults, tile number: Int, _ body: (Column<Float>) -> Void) {
    let column = results.column + first
    guard laneCount > count else { return body(column) }
    let tile = tile(number)
    tile.update(repeating: 0, count: laneCountOfTile)
    tile.update(from: column, count: count)
    body(tile)
    column.update(from: tile, count: count)
  }
}
