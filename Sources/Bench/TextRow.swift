// SPDX-License-Identifier: MIT

/// A line of a table: cells of given widths, names to the left and numbers to the right.
enum TextRow {
  /// - Parameters:
  ///   - cells: The contents of the columns.
  ///   - widths: The number of characters of each column.
  ///   - names: The number of columns, from the first on, that are names.
  static func line(_ cells: [String], widths: [Int], names: Int = 1) -> String {
    zip(cells, widths).enumerated().map { index, cell in
      let padding = String(repeating: " ", count: max(0, cell.1 - cell.0.count))
      return index < names ? cell.0 + padding : padding + cell.0
    }.joined()
  }
}
