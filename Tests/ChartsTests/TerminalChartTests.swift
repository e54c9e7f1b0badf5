// SPDX-License-Identifier: MIT
import Testing

@testable import Charts

/// The chart of characters.
struct TerminalChartTests {
  private var chart: Chart {
    Chart(
      title: "T", horizontal: .time, span: 0...1,
      series: ["one", "two"].map { name in
        .init(
          name: name, times: [0, 0.5, 1], values: [0, 1, 1], velocities: [2, 0, .infinity],
          marks: [.init(.settling, at: 0.5)])
      })
  }

  @Test(arguments: [1, 40, 80, 120, 100_000]) func linesFitTheTerminal(columns: Int) {
    let text = TerminalChart(chart, columns: columns, isColoured: false).text
    let width = min(max(columns, 40), 200)
    for line in text.split(separator: "\n") where !line.contains("━━") { #expect(line.count <= width, "\(line)") }
  }

  @Test func withoutColoursEachCurveHasItsOwnChart() {
    let text = TerminalChart(chart, columns: 80, isColoured: false).text
    #expect(text.split(separator: "\n").filter { $0 == "velocity (per s)" }.count == 2)
    #expect(!text.contains("\u{1B}"))
    #expect(text.contains("━━ one: settling 0.5 s"))
    #expect(text.contains("┊"))
  }

  @Test func withColoursAllShareOne() {
    let text = TerminalChart(chart, columns: 80, isColoured: true).text
    #expect(text.split(separator: "\n").filter { $0 == "velocity (per s)" }.count == 1)
    #expect(text.contains("\u{1B}[36m━━\u{1B}[0m one"))
  }

  @Test func partsOfTheAxisAreSeparated() {
    var chart = chart
    #expect(!TerminalChart(chart, columns: 80, isColoured: false).text.contains("next phase"))
    chart.bands = [.init(name: "a", span: 0...0.75), .init(name: "b", span: 0.75...1)]
    let text = TerminalChart(chart, columns: 80, isColoured: false).text
    #expect(text.contains("╎ perceptual   ┊ settling or end   │ next phase"))
    // The axis is one │ a line; the boundary another one in each panel of each of two curves.
    let lines = text.split(separator: "\n").filter { $0.dropFirst(11).contains("│") }
    #expect(lines.count > 30)
  }

  @Test func aLineOfDotsGoesFromCornerToCorner() throws {
    var canvas = BrailleCanvas(columns: 2, rows: 1)
    canvas.line(from: (x: 0, y: 0), to: (x: 1, y: 1), owner: 3)
    // Four dots across, four down, from bottom left to top right.
    #expect(try #require(canvas.cell(column: 0, row: 0)) == ("⡠", 3))
    #expect(try #require(canvas.cell(column: 1, row: 0)) == ("⠊", 3))
  }
}
