// SPDX-License-Identifier: MIT
import Text

/// The speed of work over the size of its data, beside the fastest copy of the same number of bytes: a panel for each kind
/// of work, with both axes logarithmic and the same in all panels.
package struct SVGRoofline {
  /// The work at one size: bytes, and billions of bytes a second of the work and of the copy.
  package typealias Point = (bytes: Double, speed: Double, roof: Double)

  /// One kind of work.
  package struct Panel {
    let title: String
    let lines: [(name: String, points: [Point])]

    /// - Parameter lines: The points of each line by size; all numbers are above 0.
    package init(title: String, lines: [(name: String, points: [Point])]) { (self.title, self.lines) = (title, lines) }
  }

  private let title: String
  private let note: String
  private let panels: [Panel]
  private let names: [String]
  /// The speed of copies in the whole run: at each size, the fastest one of that size or more, so that chance dips do
  /// not show.
  private let roof: [(bytes: Double, speed: Double)]
  private let bytes: Decades
  private let speeds: Decades

  private static let (columns, margin, width) = (3, 58.0, 248.0)
  private static let (top, height, pitch) = (112.0, 150.0, 220.0)

  /// - Parameters:
  ///   - note: A line under the heading, such as the machine.
  ///   - panels: One or more, each with at least one point.
  package init(title: String, note: String, panels: [Panel]) {
    (self.title, self.note, self.panels) = (title, note, panels)
    let points = panels.flatMap(\.lines).flatMap(\.points)
    var fastest = 0.0
    roof = points.sorted { $0.bytes > $1.bytes }.map { point in
      fastest = max(fastest, point.roof)
      return (point.bytes, fastest)
    }.reversed()
    bytes = Decades(covering: points.map(\.bytes))
    speeds = Decades(covering: points.flatMap { [$0.speed, $0.roof] })
    names = panels.flatMap(\.lines).map(\.name).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  // MARK: - Drawing

  /// The picture as a whole SVG document.
  package var svg: String {
    let rows = (panels.count + Self.columns - 1) / Self.columns
    let height = Self.top + Double(rows) * Self.pitch + 10
    return SVGText.picture(
      title: title, summary: panels.map { "\($0.title): \(shares(of: $0))" }.joined(separator: "; "), height: height,
      sheet: ".roof { fill: none; stroke: #8b949e; stroke-width: 2; } .line { stroke-width: 2; }"
    ) { text in
      text.element(
        "text", ["class": "small tick", "x": "24", "y": "56"],
        words: "GB/s over the bytes of the work, and shares of the copy's speed. \(note)")
      drawLegend(&text)
      for (index, panel) in panels.enumerated() { draw(&text, panel, frame(of: index)) }
    }
  }

  private func frame(of index: Int) -> SVGPanel {
    let left = Self.margin + Double(index % Self.columns) * (Self.width + Self.margin + 6)
    return SVGPanel(
      left: left, right: left + Self.width, top: Self.top + 22 + Double(index / Self.columns) * Self.pitch,
      height: Self.height)
  }

  private func drawLegend(_ text: inout SVGText) {
    let place = SVGText.coordinate
    var x = 24.0
    for (index, name) in ([copyName] + names).enumerated() {
      text.element(
        "line",
        [
          "class": index == 0 ? "roof" : "curve line c\(colour(of: name))", "x1": place(x), "x2": place(x + 22),
          "y1": "80", "y2": "80",
        ])
      text.element("text", ["class": "legend", "x": place(x + 29), "y": "84.5"], words: name)
      x += 29 + SVGStyle.width(of: name, size: SVGStyle.size) + 22
    }
  }

  private var copyName: String { "the fastest copy" }
  private func colour(of name: String) -> Int { (names.firstIndex(of: name) ?? 0) % SVGStyle.colours.count }

  private func draw(_ text: inout SVGText, _ panel: Panel, _ frame: SVGPanel) {
    let place = SVGText.coordinate
    text.element("text", ["x": place(frame.left), "y": place(frame.top - 24)], words: panel.title)
    text.element(
      "text", ["class": "small tick", "x": place(frame.left), "y": place(frame.top - 8)], words: shares(of: panel))
    for exponent in speeds.exponents {
      let y = frame.y(speeds.fraction(of: PowerOfTen.value(exponent)))
      text.element(
        "line", ["class": "grid", "x1": place(frame.left), "x2": place(frame.right), "y1": place(y), "y2": place(y)])
      text.element(
        "text", ["class": "small tick", "text-anchor": "end", "x": place(frame.left - 5), "y": place(y + 4.5)],
        words: NumberText.short(PowerOfTen.value(exponent)))
    }
    for exponent in bytes.exponents {
      let x = frame.x(bytes.fraction(of: PowerOfTen.value(exponent)))
      text.element(
        "line", ["class": "grid", "x1": place(x), "x2": place(x), "y1": place(frame.top), "y2": place(frame.bottom)])
      text.element(
        "text", ["class": "small tick", "text-anchor": "middle", "x": place(x), "y": place(frame.bottom + 16)],
        words: Self.size(exponent))
    }
    text.element("path", ["class": "roof", "d": path(frame, roof)])
    // The first line lies on top.
    for line in panel.lines.reversed() {
      let number = colour(of: line.name)
      text.element(
        "path", ["class": "curve line c\(number)", "d": path(frame, line.points.map { ($0.bytes, $0.speed) })])
      for point in line.points {
        text.element(
          "circle",
          [
            "class": "dot c\(number)", "r": "4", "cx": place(frame.x(bytes.fraction(of: point.bytes))),
            "cy": place(frame.y(speeds.fraction(of: point.speed))),
          ])
      }
    }
  }

  private func path(_ frame: SVGPanel, _ points: [(bytes: Double, speed: Double)]) -> String {
    points.enumerated().map { index, point in
      (index == 0 ? "M" : "L") + SVGText.coordinate(frame.x(bytes.fraction(of: point.bytes))) + " "
        + SVGText.coordinate(frame.y(speeds.fraction(of: point.speed)))
    }.joined()
  }

  /// The shares of the copy's speed that the two fastest lines reach, from the slowest size to the fastest.
  private func shares(of panel: Panel) -> String {
    let speeds = panel.lines.map { $0.points.last?.speed ?? 0 }
    let least = speeds.sorted(by: >).prefix(2).last ?? 0
    let lines = zip(panel.lines, speeds).filter { $0.1 >= least }.map { line, _ in
      let shares = line.points.map { 100 * $0.speed / $0.roof }
      let ends = [shares.min() ?? 0, shares.max() ?? 0].map { NumberText.significant($0, digits: 2) }
      return "\(line.name) \(ends[0] == ends[1] ? "" : "\(ends[0])–")\(ends[1]) %"
    }
    return lines.joined(separator: ", ")
  }

  /// A power of ten of bytes in words.
  private static func size(_ exponent: Int) -> String {
    let units = ["B", "kB", "MB", "GB", "TB"]
    let unit = min(max(0, exponent / 3), units.count - 1)
    return "\(NumberText.short(PowerOfTen.value(exponent - 3 * unit))) \(units[unit])"
  }
}

/// A logarithmic scale of whole decades.
struct Decades {
  let low: Int
  let high: Int

  /// The decades around numbers, which are above 0.
  init(covering numbers: [Double]) {
    low = PowerOfTen.exponent(of: numbers.min() ?? 1)
    high = PowerOfTen.exponent(of: numbers.max() ?? 1) + 1
  }

  /// The ends of the decades.
  var exponents: ClosedRange<Int> { low...high }

  /// The position of a number between the ends: 0 at the lower, 1 at the upper.
  func fraction(of number: Double) -> Double {
    let decade = PowerOfTen.exponent(of: number)
    return (Double(decade - low) + Self.logarithm(number / PowerOfTen.value(decade))) / Double(high - low)
  }

  /// The decimal logarithm of a number from 1 to 10, to 2⁻⁴⁰, by bisection: the same digits with every C library.
  private static func logarithm(_ number: Double) -> Double {
    var (number, digit, sum) = (number, 0.5, 0.0)
    for _ in 0..<40 {
      number *= number
      if number >= 10 { (number, sum) = (number / 10, sum + digit) }
      digit /= 2
    }
    return sum
  }
}
