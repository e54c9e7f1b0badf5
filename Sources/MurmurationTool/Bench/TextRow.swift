// SPDX-License-Identifier: MIT

/// A line of a table: cells of given widths, names to the left and numbers to the right.
enum TextRow {
  /// - Parameters:
  ///   - cells: What stands in the columns.
  ///   - widths: Characters of each column.
  ///   - names: How many columns, from the first on, are names.
  static func line(_ cells: [String], widths: [Int], names: Int = 1) -> String {
    zip(cells, widths).enumerated().map { index, cell in
      let padding = String(repeating: " ", count: max(0, cell.1 - cell.0.count))
      return index < names ? cell.0 + padding : padding + cell.0
    }.joined()
  }
}
