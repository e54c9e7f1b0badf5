// SPDX-License-Identifier: MIT
import Text

/// A chart as lines of text: braille dots, with colours if the terminal has them.
///
/// Without colours several curves could not be told apart, so each gets a chart of its own; those of one size on the same
/// axes.
package struct TerminalChart {
  private let chart: Chart
  private let columns: Int
  private let isColoured: Bool

  /// Lays out a chart for a terminal of a number of columns, clamped to 40…200.
  package init(_ chart: Chart, columns: Int, isColoured: Bool) {
    self.chart = chart
    self.columns = min(max(columns, 40), 200)
    self.isColoured = isColoured
  }

  /// The lines, each with a line break.
  package var text: String {
    let panels = chart.panels
    let pages = isColoured ? panels : panels.flatMap { panel in panel.map { [$0] } }
    var lines = [chart.title]
    for page in pages {
      lines.append("")
      lines += page.map(legend)
      let shared = panels.first { $0.contains(page[0]) } ?? page
      let (values, velocities) = (chart.valueAxis(ticks: 5, of: shared), chart.velocityAxis(ticks: 3, of: shared))
      lines += panel(page, rows: 14, axis: values, column: \.values, labelsTime: false)
      lines += panel(page, rows: 7, axis: velocities, column: \.velocities, labelsTime: true)
    }
    let hasMarks = chart.series.contains { !$0.marks.isEmpty }
    let keys = (hasMarks ? ["╎ perceptual", "┊ settling or end"] : []) + (bandStarts.isEmpty ? [] : ["│ next phase"])
    if !keys.isEmpty { lines.append(keys.joined(separator: "   ")) }
    return lines.map { $0 + "\n" }.joined()
  }

  private func legend(_ index: Int) -> String {
    let series = chart.series[index]
    let axis = chart.timeAxis(ticks: 5)
    let marks = series.marks.map { "\($0.kind.word) \(axis.moment($0.time))" }.joined(separator: ", ")
    return coloured("━━", index) + " " + series.name + (marks.isEmpty ? "" : ": " + marks)
  }

  private func panel(
    _ page: [Int], rows: Int, axis: ChartAxis, column: KeyPath<Chart.Series, [Double]>, labelsTime: Bool
  ) -> [String] {
    let gutter = 10
    let time = chart.timeAxis(ticks: max(3, (columns - gutter) / 12))
    var canvas = BrailleCanvas(columns: columns - gutter - 2, rows: rows)
    for index in page {
      let series = chart.series[index]
      var last: (x: Double, y: Double)?
      for (moment, number) in zip(series.times, series[keyPath: column]) {
        let point = (x: time.fraction(of: moment), y: axis.fraction(of: number))
        if number.isFinite { canvas.line(from: last ?? point, to: point, owner: index) }
        last = number.isFinite ? point : nil
      }
    }
    let marks = markColumns(page, time: time, columns: canvas.columns)
    var labels: [Int: String] = [:]
    for tick in axis.ticks {
      labels[Int(((1 - axis.fraction(of: tick.position)) * Double(canvas.height - 1)).rounded()) / 4] = tick.label
    }
    var lines = [axis.title.padded(to: gutter)]
    for row in 0..<rows {
      let label =
        labels[row].map { $0.paddedLeft(to: gutter - 1) + " ┤" } ?? String(repeating: " ", count: gutter) + "│"
      lines.append(label + cells(canvas, row: row, marks: marks))
    }
    lines += timeLines(time, gutter: gutter, columns: canvas.columns, labelled: labelsTime)
    return lines
  }

  private func cells(_ canvas: BrailleCanvas, row: Int, marks: [Int: Character]) -> String {
    var line = ""
    for column in 0..<canvas.columns {
      if let cell = canvas.cell(column: column, row: row) {
        line += coloured(String(cell.character), cell.owner)
      } else {
        line.append(marks[column] ?? " ")
      }
    }
    while line.last == " " { line.removeLast() }
    return line
  }

  private func markColumns(_ page: [Int], time: ChartAxis, columns: Int) -> [Int: Character] {
    var marks: [Int: Character] = [:]
    for start in bandStarts { marks[Int((time.fraction(of: start) * Double(columns - 1)).rounded())] = "│" }
    for mark in page.flatMap({ chart.series[$0].marks }) where mark.time > 0 && chart.span.contains(mark.time) {
      marks[Int((time.fraction(of: mark.time) * Double(columns - 1)).rounded())] = mark.kind == .perceptual ? "╎" : "┊"
    }
    return marks
  }

  /// The starts of the axis's parts, without the start of the axis.
  private var bandStarts: [Double] {
    ChartBands.visible(in: chart).map(\.span.lowerBound).filter { $0 > chart.span.lowerBound }
  }

  private func timeLines(_ time: ChartAxis, gutter: Int, columns: Int, labelled: Bool) -> [String] {
    var rule = Array(repeating: Character("─"), count: columns)
    var words = Array(repeating: Character(" "), count: gutter + columns + 12)
    for tick in time.ticks {
      let column = Int((time.fraction(of: tick.position) * Double(columns - 1)).rounded())
      rule[column] = "┴"
      let start = max(0, gutter + 1 + column - tick.label.count / 2)
      // A label that would touch the one before it is left out.
      guard start + tick.label.count <= words.count, words[max(0, start - 1)] == " " else { continue }
      for (offset, character) in tick.label.enumerated() { words[start + offset] = character }
    }
    let axis = String(repeating: " ", count: gutter) + "└" + String(rule)
    guard labelled else { return [axis] }
    let title = time.title.paddedLeft(to: gutter + 1 + (columns + time.title.count) / 2)
    var ticks = String(words)
    while ticks.last == " " { ticks.removeLast() }
    return [axis, ticks, title]
  }

  // MARK: - Text

  private static let colours = [36, 33, 35, 32, 34, 31, 37, 90]

  private func coloured(_ text: String, _ index: Int) -> String {
    isColoured ? "\u{1B}[\(Self.colours[index % Self.colours.count])m\(text)\u{1B}[0m" : text
  }
}
