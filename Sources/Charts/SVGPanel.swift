// SPDX-License-Identifier: MIT

/// A rectangle of a picture in which curves are drawn, in pixels, y downward.
struct SVGPanel {
  let left: Double
  let right: Double
  let top: Double
  let height: Double

  var bottom: Double { top + height }

  /// The pixel column of a fraction of the horizontal axis.
  func x(_ fraction: Double) -> Double { left + fraction * (right - left) }

  /// The pixel row of a fraction of the vertical axis.
  func y(_ fraction: Double) -> Double { bottom - fraction * height }

  /// Draws grid lines, their labels and the titles of the axes.
  func drawFrame(_ text: inout SVGText, time: ChartAxis, vertical: ChartAxis, labelsTime: Bool) {
    let place = SVGText.coordinate
    for tick in vertical.ticks {
      let y = y(vertical.fraction(of: tick.position))
      text.element(
        "line", ["class": "grid", "x1": place(left), "x2": place(right), "y1": place(y), "y2": place(y)])
      text.element(
        "text", ["class": "tick", "text-anchor": "end", "x": place(left - 8), "y": place(y + 4.5)], words: tick.label)
    }
    for tick in time.ticks {
      let x = x(time.fraction(of: tick.position))
      text.element(
        "line", ["class": "grid", "x1": place(x), "x2": place(x), "y1": place(top), "y2": place(bottom)])
      if labelsTime {
        text.element(
          "text", ["class": "tick", "text-anchor": "middle", "x": place(x), "y": place(bottom + 18)], words: tick.label)
      }
    }
    let middle = (top + bottom) / 2
    text.element(
      "text",
      [
        "class": "title", "text-anchor": "middle", "x": "22", "y": place(middle),
        "transform": "rotate(-90 22 \(place(middle)))",
      ], words: vertical.title)
    if labelsTime {
      text.element(
        "text", ["class": "title", "text-anchor": "middle", "x": place((left + right) / 2), "y": place(bottom + 42)],
        words: time.title)
    }
  }

  /// Draws a stronger level line, with a word beside its right end.
  func drawReference(_ text: inout SVGText, at fraction: Double, word: String?) {
    let place = SVGText.coordinate
    let y = y(fraction)
    text.element(
      "line", ["class": "reference", "x1": place(left), "x2": place(right), "y1": place(y), "y2": place(y)])
    if let word {
      text.element("text", ["class": "tick", "x": place(right + 8), "y": place(y + 4.5)], words: word)
    }
  }

  /// Draws content that must not leave the panel.
  func drawClipped(_ text: inout SVGText, id: String, content: (inout SVGText) -> Void) {
    let place = SVGText.coordinate
    text.element("clipPath", ["id": "panel-\(id)"]) { text in
      // Half a line's width of room, so that a curve along the edge is not cut lengthwise.
      text.element(
        "rect",
        [
          "x": place(left - 2), "y": place(top - 2), "width": place(right - left + 4), "height": place(height + 4),
        ])
    }
    text.element("g", ["clip-path": "url(#panel-\(id))"], content: content)
  }

  /// The commands of a path through the finite points; points that fall on the same hundredth of a pixel are one.
  func path(times: [Double], numbers: [Double], time: ChartAxis, vertical: ChartAxis) -> String {
    var commands = ""
    var isOpen = false
    var last = ""
    for (moment, number) in zip(times, numbers) {
      guard number.isFinite else {
        isOpen = false
        continue
      }
      // A curve near a pole may leave the panel, but not by more than renderers can compute with.
      let y = min(max(y(vertical.fraction(of: number)), top - 10_000), bottom + 10_000)
      let point = "\(SVGText.coordinate(x(time.fraction(of: moment)))) \(SVGText.coordinate(y))"
      if isOpen, point == last { continue }
      commands += (isOpen ? "L" : commands.isEmpty ? "M" : " M") + point
      isOpen = true
      last = point
    }
    return commands.isEmpty ? "M0 0" : commands
  }
}
