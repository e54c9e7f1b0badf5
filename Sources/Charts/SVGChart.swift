// SPDX-License-Identifier: MIT

/// A chart as an SVG picture: values above, velocities below, over one horizontal axis; again for curves of another size.
///
/// It follows the reader's light or dark scheme, keeps to colours that colour-blind eyes tell apart, and carries a title
/// and a description for screen readers. The same chart gives the same text.
package struct SVGChart {
  /// The most curves that have a colour of their own.
  package static let seriesLimit = SVGStyle.colours.count

  static let width = 960.0
  private static let legendLine = 22.0
  private static let markLine = 18.0

  private let chart: Chart
  private let time: ChartAxis
  private let panes: [Pane]
  private let marks: [ChartMarkGroup]
  private let markLabels: ChartMarkLabels
  private let left = 84.0
  private let right = SVGChart.width - 76

  /// Lays out a chart.
  package init(_ chart: Chart) {
    self.chart = chart
    time = chart.timeAxis(ticks: 9)
    marks = ChartMarkGroup.groups(in: chart, axis: time)
    let (left, right, time) = (left, right, time)
    markLabels = ChartMarkLabels(
      positions: marks.map { left + time.fraction(of: $0.time) * (right - left) },
      widths: marks.map { SVGStyle.width(of: $0.text, size: SVGStyle.smallSize) }, rightEdge: Self.width - 8, gap: 5)
    var top =
      Self.legendTop + Double(chart.series.count) * Self.legendLine + 14 + Double(markLabels.rows) * Self.markLine
    let panels = chart.panels
    let isAlone = panels.count == 1
    var panes: [Pane] = []
    for curves in panels {
      let values = SVGPanel(left: left, right: right, top: top, height: isAlone ? 300 : 200)
      let velocities = SVGPanel(left: left, right: right, top: values.bottom + 34, height: isAlone ? 170 : 110)
      panes.append(
        Pane(
          curves: curves, values: values, value: chart.valueAxis(ticks: isAlone ? 6 : 4, of: curves),
          velocities: velocities, velocity: chart.velocityAxis(ticks: isAlone ? 4 : 3, of: curves)))
      top = velocities.bottom + 34
    }
    self.panes = panes
  }

  /// The curves of one size, with a panel for their values and one for their velocities.
  private struct Pane {
    let curves: [Int]
    let values: SVGPanel
    let value: ChartAxis
    let velocities: SVGPanel
    let velocity: ChartAxis
  }

  // MARK: - Layout

  private static let legendTop = 56.0
  private var top: Double { panes.first?.values.top ?? 0 }
  private var bottom: Double { panes.last?.velocities.bottom ?? 0 }
  private var height: Double { bottom + 54 }

  // MARK: - Drawing

  /// The picture as a whole SVG document.
  package var svg: String {
    SVGText.picture(title: chart.title, summary: summary, height: height, left: left) { text in
      drawLegend(&text)
      for (number, pane) in panes.enumerated() {
        pane.values.drawFrame(&text, time: time, vertical: pane.value, labelsTime: false)
        pane.velocities.drawFrame(
          &text, time: time, vertical: pane.velocity, labelsTime: number == panes.count - 1)
        drawReferences(&text, pane)
      }
      drawBands(&text)
      drawMarks(&text)
      for (number, pane) in panes.enumerated() { drawCurves(&text, pane, number) }
    }
  }

  private var summary: String {
    let panels = "Value above and velocity below over \(chart.horizontal == .time ? "time" : "progress")."
    return ([panels] + chart.series.map { legend($0) }).joined(separator: " ")
  }

  private func legend(_ series: Chart.Series) -> String {
    let marks = series.marks.map { "\($0.kind.word) \(time.moment($0.time))" }
    return marks.isEmpty ? series.name : "\(series.name): \(marks.joined(separator: ", "))"
  }

  private func drawLegend(_ text: inout SVGText) {
    for (index, series) in chart.series.enumerated() {
      let y = Self.legendTop + Double(index) * Self.legendLine
      text.element(
        "line",
        [
          "class": "curve c\(index)", "x1": SVGText.coordinate(left), "x2": SVGText.coordinate(left + 26),
          "y1": SVGText.coordinate(y), "y2": SVGText.coordinate(y),
        ])
      text.element(
        "text", ["class": "legend", "x": SVGText.coordinate(left + 36), "y": SVGText.coordinate(y + 4.5)],
        words: legend(series))
    }
  }

  private func drawReferences(_ text: inout SVGText, _ pane: Pane) {
    if let target = chart.target, pane.value.range.contains(target) {
      pane.values.drawReference(&text, at: pane.value.fraction(of: target), word: "target")
    }
    pane.velocities.drawReference(&text, at: pane.velocity.fraction(of: 0), word: nil)
  }

  /// Draws the boundaries of the parts, and their names between the panels.
  private func drawBands(_ text: inout SVGText) {
    for band in ChartBands.visible(in: chart) {
      let (start, end) = (x(band.span.lowerBound), x(band.span.upperBound))
      if band.span.lowerBound > chart.span.lowerBound {
        text.element(
          "line",
          [
            "class": "band", "x1": SVGText.coordinate(start), "x2": SVGText.coordinate(start),
            "y1": SVGText.coordinate(top), "y2": SVGText.coordinate(bottom),
          ])
      }
      guard SVGStyle.width(of: band.name, size: SVGStyle.smallSize) + 8 <= end - start else { continue }
      for pane in panes {
        text.element(
          "text",
          [
            "class": "small tick", "text-anchor": "middle", "x": SVGText.coordinate((start + end) / 2),
            "y": SVGText.coordinate((pane.values.bottom + pane.velocities.top) / 2 + 4.5),
          ], words: band.name)
      }
    }
  }

  private func x(_ moment: Double) -> Double { left + time.fraction(of: moment) * (right - left) }

  private func drawMarks(_ text: inout SVGText) {
    for label in markLabels.labels {
      let mark = marks[label.index]
      let x = SVGText.coordinate(label.x)
      let baseline = top - 8 - Double(label.row) * Self.markLine
      text.element(
        "line",
        [
          "class": "mark \(mark.kind.rawValue) \(mark.colourClass)", "x1": x, "x2": x,
          "y1": SVGText.coordinate(baseline - 10), "y2": SVGText.coordinate(bottom),
        ])
      let anchor = label.endsAtLine ? "end" : "start"
      text.element(
        "text",
        [
          "class": "small \(mark.colourClass)", "text-anchor": anchor,
          "x": SVGText.coordinate(label.x + (label.endsAtLine ? -5 : 5)), "y": SVGText.coordinate(baseline),
        ], words: mark.text)
    }
  }

  private func drawCurves(_ text: inout SVGText, _ pane: Pane, _ number: Int) {
    for (panel, axis, column, name) in [
      (pane.values, pane.value, \Chart.Series.values, "value"),
      (pane.velocities, pane.velocity, \.velocities, "velocity"),
    ] {
      panel.drawClipped(&text, id: number == 0 ? name : "\(name)-\(number)") { text in
        if name == "value" { drawGoals(&text, pane) }
        for index in pane.curves {
          let series = chart.series[index]
          let path = panel.path(times: series.times, numbers: series[keyPath: column], time: time, vertical: axis)
          text.element("path", ["class": "curve c\(index)", "d": path])
        }
      }
    }
    for index in pane.curves {
      for dot in chart.series[index].dots where dot.value.isFinite && chart.span.contains(dot.time) {
        text.element(
          "circle",
          [
            "class": "dot c\(index)", "r": "4", "cx": SVGText.coordinate(x(dot.time)),
            "cy": SVGText.coordinate(pane.values.y(pane.value.fraction(of: dot.value))),
          ])
      }
    }
  }

  /// Draws the values that each curve heads for, as steps.
  private func drawGoals(_ text: inout SVGText, _ pane: Pane) {
    for index in pane.curves where !chart.series[index].goals.isEmpty {
      let series = chart.series[index]
      var (times, values): ([Double], [Double]) = ([], [])
      for (place, goal) in series.goals.enumerated() {
        let next = place + 1 < series.goals.count ? series.goals[place + 1].time : chart.span.upperBound
        guard next >= chart.span.lowerBound, goal.time < chart.span.upperBound else { continue }
        times += [max(goal.time, chart.span.lowerBound), min(next, chart.span.upperBound)]
        values += [goal.value, goal.value]
      }
      let path = pane.values.path(times: times, numbers: values, time: time, vertical: pane.value)
      text.element("path", ["class": "goal c\(index)", "d": path])
    }
  }
}
