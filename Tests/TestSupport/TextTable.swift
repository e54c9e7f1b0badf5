// SPDX-License-Identifier: MIT

/// A table of a text in `Tests/Fixtures/Tables`.
///
/// A line `# name` begins a table. Each line below it is a row, whose cells stand between ` | `. In a cell, ↵, ⇥, ␛ and ␀ are
/// the end of a line, a tab, an escape and a zero byte.
public struct TextTable: Sendable, CustomStringConvertible {
  public let name: String
  public private(set) var rows: [[String]] = []

  public var description: String { name }

  /// The tables of a text, in order; none if the text cannot be read.
  public static func all(in file: String) -> [TextTable] {
    let text = (try? Fixtures.text("Tables/\(file)")) ?? ""
    return text.split(separator: "\n").reduce(into: []) { tables, line in
      if line.hasPrefix("# ") {
        tables.append(TextTable(name: String(line.dropFirst(2))))
      } else if let last = tables.indices.last {
        tables[last].rows.append(cells(line))
      }
    }
  }

  /// The rows of a table, of which there are some.
  public static func rows(of name: String, in file: String) -> [[String]] {
    let rows = all(in: file).first { $0.name == name }?.rows ?? []
    precondition(!rows.isEmpty, "there is no table \(name)")
    return rows
  }

  private static func cells(_ line: Substring) -> [String] {
    let marks = ["↵": "\n", "⇥": "\t", "␛": "\u{1B}", "␀": "\u{0}"]
    return line.split(separator: " | ", omittingEmptySubsequences: false).map { cell in
      marks.reduce(String(cell)) { $0.replacing($1.key, with: $1.value) }
    }
  }
}
