// SPDX-License-Identifier: MIT
import Text

/// Numbers with names, as horizontal bars on a logarithmic scale: an SVG picture in the looks of ``SVGChart``.
package struct SVGBarChart: Decodable {
  /// A bar.
  package struct Bar: Decodable {
    /// The label before the bar.
    package let name: String
    /// The length, above 0.
    package let value: Double
    /// The measurement that the value comes from. It is not drawn.
    package let source: String
  }

  /// The heading.
  package let title: String
  /// The unit of the values.
  package let unit: String
  /// The bars from top to bottom; the first one is drawn in another colour.
  package let bars: [Bar]
  /// Lines under the scale.
  package let notes: [String]

  private static let (left, right, top) = (300.0, 870.0, 62.0)
  private static let (pitch, thickness, noteLine) = (34.0, 20.0, 19.0)

  /// Whether there is a bar, and every bar has a length that can be drawn.
  package var isDrawable: Bool { !bars.isEmpty && bars.allSatisfy { (1e-9...1e9).contains($0.value) } }

  /// The picture as a whole SVG document, if it is drawable.
  package var svg: String {
    let place = SVGText.coordinate
    let values = bars.map(\.value)
    // With room for a shortest bar of a length that can be seen.
    let scale = Decades(covering: values + [(values.min() ?? 1) / 1.5])
    let bottom = Self.top + Double(bars.count) * Self.pitch
    let height = bottom + 58 + Double(notes.count) * Self.noteLine
    func x(_ value: Double) -> Double { Self.left + scale.fraction(of: value) * (Self.right - Self.left) }
    let summary = bars.map { "\($0.name): \(NumberText.short($0.value))" }.joined(separator: "; ")
    return SVGText.picture(title: title, summary: "\(unit). \(summary).", height: height, sheet: Self.sheet) { text in
      for exponent in scale.exponents {
        let value = PowerOfTen.value(exponent)
        let x = place(x(value))
        text.element(
          "line", ["class": "grid", "x1": x, "x2": x, "y1": place(Self.top - 6), "y2": place(bottom)])
        text.element(
          "text", ["class": "tick", "text-anchor": "middle", "x": x, "y": place(bottom + 18)],
          words: NumberText.short(value))
      }
      text.element(
        "text",
        [
          "class": "title", "text-anchor": "middle", "x": place((Self.left + Self.right) / 2), "y": place(bottom + 38),
        ], words: unit)
      for (index, bar) in bars.enumerated() {
        let y = Self.top + Double(index) * Self.pitch
        text.element(
          "text", ["text-anchor": "end", "x": place(Self.left - 10), "y": place(y + 15)], words: bar.name)
        text.element(
          "rect",
          [
            "class": index == 0 ? "bar c0" : "bar c7", "x": place(Self.left), "y": place(y),
            "width": place(x(bar.value) - Self.left), "height": place(Self.thickness), "rx": "2",
          ])
        text.element(
          "text", ["x": place(x(bar.value) + 8), "y": place(y + 15)], words: NumberText.short(bar.value))
      }
      for (index, note) in notes.enumerated() {
        text.element(
          "text", ["class": "small tick", "x": "24", "y": place(bottom + 66 + Double(index) * Self.noteLine)],
          words: note)
      }
    }
  }

  /// The colours of the bars.
  private static var sheet: String {
    let (first, other) = (SVGStyle.colours[0], SVGStyle.colours[7])
    return """
      .bar.c0 { fill: \(first.light); }
      .bar.c7 { fill: \(other.light); opacity: 0.6; }
      @media (prefers-color-scheme: dark) {
      .bar.c0 { fill: \(first.dark); }
      .bar.c7 { fill: \(other.dark); }
      }
      """
  }
}
