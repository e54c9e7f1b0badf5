// SPDX-License-Identifier: MIT

/// Labels beside vertical lines, in rows above a panel, so that labels neither meet nor are crossed by a line.
///
/// A label stands to the right of its line, or to the left if there is no room on the right. Lines reach up to their
/// label's row. Labels further right take the lower rows, so a line on its way up only passes labels that begin further
/// on.
struct ChartMarkLabels: Equatable {
  /// One label and its position.
  struct Label: Equatable {
    /// The index in the given array.
    let index: Int
    /// The line, in pixels.
    let x: Double
    /// The row, counted from the panel upward.
    let row: Int
    /// Whether the text ends at its line instead of starting there.
    let endsAtLine: Bool
  }

  /// The labels in the order they were given.
  let labels: [Label]
  /// The number of rows that they take.
  let rows: Int

  /// Arranges labels at `positions`, as wide as `widths`, left of `rightEdge`, all in pixels.
  init(positions: [Double], widths: [Double], rightEdge: Double, gap: Double) {
    let order = positions.indices.sorted { (positions[$0], $0) > (positions[$1], $1) }
    // The left end of the leftmost label in each row so far.
    var rowStarts: [Double] = []
    var limit = rightEdge
    var flipped: [Int] = []
    var labels: [Label] = []
    for index in order {
      let x = positions[index]
      guard x + gap + widths[index] <= limit else {
        flipped.append(index)
        limit = x - gap
        continue
      }
      let end = x + 2 * gap + widths[index]
      // A line on its way to a row above may not run through this label either: all rows above must begin behind it.
      let row = (rowStarts.lastIndex { $0 < end } ?? -1) + 1
      if row == rowStarts.count { rowStarts.append(x) } else { rowStarts[row] = x }
      labels.append(Label(index: index, x: x, row: row, endsAtLine: false))
    }
    let base = rowStarts.count
    for (offset, index) in flipped.reversed().enumerated() {
      labels.append(Label(index: index, x: positions[index], row: base + offset, endsAtLine: true))
    }
    self.labels = labels.sorted { $0.index < $1.index }
    rows = base + flipped.count
  }
}
