// SPDX-License-Identifier: MIT
import Murmuration
import TestSupport
import Testing
import Text

@testable import Charts

/// Ticks at round numbers, for any span.
struct ChartAxisTests {
  @Test(arguments: [1e-3, 2.5e-3, 0.09, 0.1, 0.7, 1, 3, 12, 599, 600, 1e4, 86_400, 1e6, 1e7])
  func timeHasAFewRoundTicksInsideTheSpan(end: Double) {
    let axis = ChartAxis(exactly: 0...end, ticks: 9, title: "time", unit: .time(upTo: end))
    #expect(axis.range == 0...end)
    #expect((5...15).contains(axis.ticks.count), "\(axis.ticks.count)")
    #expect(axis.ticks.first?.position == 0 && axis.ticks.allSatisfy { (0...end * (1 + 1e-9)).contains($0.position) })
    // No two labels are the same, and no label is longer than a few characters.
    #expect(Set(axis.ticks.map(\.label)).count == axis.ticks.count)
    #expect(axis.ticks.allSatisfy { $0.label.count <= 6 }, "\(axis.ticks.map(\.label))")
  }

  @Test(arguments: [1e-12, 1e-6, 0.02, 0.3, 1, 7, 1234, 99_999, 1e9, 1e15]) func valuesOfAnySizeHaveShortLabels(
    size: Double
  ) {
    let axis = ChartAxis(covering: [0, size, size * 1.07], ticks: 6, title: "value")
    #expect(axis.range.lowerBound <= 0 && axis.range.upperBound >= size * 1.07 && axis.range.upperBound <= size * 1.6)
    #expect((4...12).contains(axis.ticks.count))
    #expect(axis.ticks.allSatisfy { $0.label.count <= 7 }, "\(axis.ticks.map(\.label))")
    #expect(Set(axis.ticks.map(\.label)).count == axis.ticks.count)
  }

  @Test func labelsSayWhereTicksStand() throws {
    var random = SplitMix64(seed: 7)
    for _ in 0..<2000 {
      let low = Double.random(in: -1...1, using: &random) * PowerOfTen.value(Int.random(in: -12...15, using: &random))
      let span = PowerOfTen.value(Int.random(in: -12...15, using: &random))
      let axis = ChartAxis(covering: [low, low + span], ticks: 5, title: "value")
      #expect(axis.range.contains(low) && axis.range.contains(low + span))
      #expect((2...60).contains(axis.ticks.count), "\(low) + \(span)")
      for tick in axis.ticks {
        let read = try #require(Double(tick.label.replacing("−", with: "-")))
        #expect(isClose(read * axis.unit.worth, tick.position, relative: 1e-9, absolute: span * 1e-6))
      }
    }
  }

  @Test func aConstantGetsRoomAroundIt() {
    for constant in [0, 1, -5, 1e15, 1e-300] {
      let axis = ChartAxis(covering: [constant, constant], ticks: 5, title: "value")
      #expect(axis.range.lowerBound < constant && constant < axis.range.upperBound)
    }
    #expect(ChartAxis(covering: [.nan, .infinity], ticks: 5, title: "value").ticks.isEmpty == false)
  }

  /// There was no unit for them, and the process ended.
  @Test(arguments: [5e-324, 1e-320, 1e-310, 1e-300, 1e-290, 1e-280, 1e300]) func theLeastNumbersHaveAnAxis(
    _ size: Double
  ) {
    for numbers in [[0, size], [-size, size], [size, size]] {
      let axis = ChartAxis(covering: numbers, ticks: 5, title: "value")
      #expect(numbers.allSatisfy(axis.range.contains) && (2...60).contains(axis.ticks.count))
      #expect(numbers.allSatisfy { (0...1).contains(axis.fraction(of: $0)) })
    }
  }

  @Test func momentsAreShort() {
    let axis = ChartAxis(exactly: 0...2, ticks: 5, title: "time", unit: .time(upTo: 2))
    #expect(axis.title == "time (s)" && axis.moment(1.0447126) == "1.045 s" && axis.moment(0.5) == "0.5 s")
    #expect(axis.moment(0.001) == "1 ms" && axis.moment(0) == "0 s" && axis.moment(.infinity) == "∞")
  }

  @Test func roundedNumbersAreExactText() {
    #expect(NumberText.fixed(-0.04, decimals: 1) == "0.0" && NumberText.fixed(-1.25, decimals: 1) == "−1.3")
    #expect(NumberText.fixed(0.05, decimals: 2) == "0.05" && NumberText.fixed(1e17, decimals: 2) == "1e+17")
    #expect(NumberText.significant(123_456, digits: 4) == "123500")
    #expect(NumberText.significant(0.00012345, digits: 3) == "0.000123")
    #expect(NumberText.significant(1e300, digits: 3) == "1e+300" && NumberText.significant(-2.5, digits: 4) == "−2.5")
  }

  @Test func powersOfTenAreFound() {
    for exponent in -320...308 {
      let power = PowerOfTen.value(exponent)
      #expect(PowerOfTen.exponent(of: power) == exponent && PowerOfTen.exponent(of: power.nextUp) == exponent)
      if exponent > -300 { #expect(PowerOfTen.exponent(of: -power.nextDown) == exponent - 1) }
    }
  }
}

/// Labels beside lines: no label meets another one, and no line crosses a label.
struct ChartMarkLabelsTests {
  private func extent(_ label: ChartMarkLabels.Label, _ width: Double) -> ClosedRange<Double> {
    label.endsAtLine ? (label.x - 5 - width)...(label.x - 5) : (label.x + 5)...(label.x + 5 + width)
  }

  @Test(arguments: [1 as UInt64, 2, 3, 4]) func labelsNeverMeet(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<500 {
      let count = Int.random(in: 0...16, using: &random)
      let positions = (0..<count).map { _ in Double.random(in: 84...884, using: &random) }
      let widths = (0..<count).map { _ in Double.random(in: 40...150, using: &random) }
      let placed = ChartMarkLabels(positions: positions, widths: widths, rightEdge: 952, gap: 5)
      #expect(placed.labels.map(\.index) == Array(0..<count))
      for label in placed.labels {
        let own = extent(label, widths[label.index])
        #expect(label.row < placed.rows && own.upperBound <= 952)
        for other in placed.labels where other.index != label.index {
          let theirs = extent(other, widths[other.index])
          #expect(label.row != other.row || !own.overlaps(theirs), "seed \(seed)")
          // A line that goes up past this label's row must not run through its words.
          #expect(other.row <= label.row || !own.contains(other.x), "seed \(seed)")
        }
      }
    }
  }

  @Test func labelsFarApartShareARow() {
    let placed = ChartMarkLabels(positions: [100, 400, 700], widths: [100, 100, 100], rightEdge: 952, gap: 5)
    #expect(placed.rows == 1)
  }
}

/// Which curves share an axis.
struct ChartPanelsTests {
  private func panels(_ values: [[Double]]) -> [[Int]] {
    Chart(
      title: "", horizontal: .time, span: 0...1,
      series: values.map { .init(name: "", times: [0, 1], values: $0, velocities: [0, 0]) }
    ).panels
  }

  @Test func curvesOfOneSizeShareAPanel() {
    #expect(panels([[0, 1], [0, 5], [-2, 3]]) == [[0, 1, 2]] && panels([[7, 7], [7, 7]]) == [[0, 1]])
    // A curve that stays within the others' range needs no height.
    #expect(panels([[0, 100], [50, 50]]) == [[0, 1]] && panels([[50, 50], [0, 100]]) == [[0, 1]])
  }

  @Test func othersDoNot() {
    #expect(panels([[0, 1000], [0, 1], [0, 800], [1, 0]]) == [[0, 2], [1, 3]])
    // Of one size, but far apart.
    #expect(panels([[0, 1], [1000, 1001]]) == [[0], [1]] && panels([[0, 1], [1000, 1000]]) == [[0], [1]])
    #expect(panels([[.nan, .nan], [0, 1e-9], [0, .infinity]]) == [[0, 1, 2]])
  }
}

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
    #expect(text.split(separator: "\n").filter { $0 == "velocity (per s)" }.count == 2 && !text.contains("\u{1B}"))
    #expect(text.contains("━━ one: settling 0.5 s") && text.contains("┊"))
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
