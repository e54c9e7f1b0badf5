// SPDX-License-Identifier: MIT

/// Points of the plane, sorted into square cells: a search for the points near a given one reads the cells around it alone.
struct HomeGrid {
  private let cellSize: Double
  private let left: Double
  private let bottom: Double
  private let columns: Int
  private let rows: Int
  /// The index of each cell's first point, row of cells by row, and the end of the last cell.
  private let cellStarts: [Int32]
  /// The points by cell, and the track of each.
  private let xs: [Float]
  private let ys: [Float]
  private let tracks: [Int32]

  /// Sorts the points of `count` tracks, which are the first two components of `homes`, for circles of a radius.
  ///
  /// A cell is a quarter of the radius wide, so that few points outside of a circle are looked at. It is wide enough that
  /// there are no more cells than points, and wider than 0, even with a tiny radius about a single point.
  init(homes: [Float], count: Int, radius: Double) {
    let (x, y) = (homes[..<count], homes[count..<(2 * count)])
    left = Double(x.min() ?? 0)
    bottom = Double(y.min() ?? 0)
    let (width, height) = (Double(x.max() ?? 0) - left, Double(y.max() ?? 0) - bottom)
    cellSize = max(radius / 4, max(width, height) / Double(max(1, count)).squareRoot(), .leastNonzeroMagnitude)
    columns = Int(width / cellSize) + 1
    rows = Int(height / cellSize) + 1
    var counts = [Int32](repeating: 0, count: columns * rows + 1)
    var cells = [Int32](repeating: 0, count: count)
    for track in 0..<count {
      let column = Int((Double(homes[track]) - left) / cellSize)
      let row = Int((Double(homes[count + track]) - bottom) / cellSize)
      cells[track] = Int32(min(row, rows - 1) * columns + min(column, columns - 1))
      counts[Int(cells[track]) + 1] += 1
    }
    for cell in 1..<counts.count { counts[cell] += counts[cell - 1] }
    cellStarts = counts
    var xs = [Float](repeating: 0, count: count)
    var ys = xs
    var tracks = [Int32](repeating: 0, count: count)
    for track in 0..<count {
      let place = Int(counts[Int(cells[track])])
      counts[Int(cells[track])] += 1
      (xs[place], ys[place], tracks[place]) = (homes[track], homes[count + track], Int32(track))
    }
    (self.xs, self.ys, self.tracks) = (xs, ys, tracks)
  }

  /// Calls `body` with each track whose point is less than `radius` away from (`x`, `y`), cell by cell.
  func forEachTrack(within radius: Double, of x: Double, _ y: Double, _ body: (Int) -> Void) {
    guard let columns = HomeGrid.cells(from: x - radius - left, to: x + radius - left, cellSize, count: columns),
      let rows = HomeGrid.cells(from: y - radius - bottom, to: y + radius - bottom, cellSize, count: rows)
    else { return }
    for row in rows {
      let first = row * self.columns
      for place in Int(cellStarts[first + columns.lowerBound])..<Int(cellStarts[first + columns.upperBound + 1]) {
        let (dx, dy) = (Double(xs[place]) - x, Double(ys[place]) - y)
        if dx * dx + dy * dy < radius * radius { body(Int(tracks[place])) }
      }
    }
  }

  private static func cells(from low: Double, to high: Double, _ size: Double, count: Int) -> ClosedRange<Int>? {
    let last = Double(count - 1)
    guard high >= 0, low / size < last + 1 else { return nil }
    // Clamped before it becomes a whole number: a pointer may be far away.
    return Int(max(0, low / size))...Int(min(last, high / size))
  }
}
