// SPDX-License-Identifier: MIT
import Foundation
import Testing

@testable import Charts

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// The picture: well-formed, with every mark where it belongs.
struct SVGChartTests {
  /// Reads XML and keeps every element with its attributes.
  private final class Reader: NSObject, XMLParserDelegate {
    var elements: [(name: String, attributes: [String: String])] = []
    var words: [String] = []

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String]
    ) {
      elements.append((name, attributes))
      words.append("")
    }

    func has(_ text: String) -> Bool { words.contains(text) }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
      if !words.isEmpty { words[words.count - 1] += string }
    }
  }

  private func read(_ chart: Chart) throws -> Reader {
    let reader = Reader()
    defer { reader.words = reader.words.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) } }
    let parser = XMLParser(data: Data(SVGChart(chart).svg.utf8))
    parser.delegate = reader
    #expect(parser.parse(), "\(String(describing: parser.parserError))")
    return reader
  }

  private func chart(marks: [Chart.Mark] = [], name: String = "a", title: String = "T") -> Chart {
    Chart(
      title: title, horizontal: .time, span: 0...2,
      series: [
        .init(name: name, times: [0, 1, 2], values: [0, 1.4, 1], velocities: [0, 1, 0], marks: marks),
        .init(name: "b", times: [0, 2], values: [0, 1], velocities: [1, 1]),
      ], target: 1)
  }

  @Test func theTextIsWellFormedWhateverTheNames() throws {
    let hostile = "<a href=\"x\">&'\u{1}\u{0}]]>"
    let reader = try read(chart(name: hostile, title: hostile))
    #expect(reader.elements.first?.name == "svg" && !reader.elements.contains { $0.name == "a" })
    #expect(reader.words.contains { $0.contains("<a href=\"x\">&'\u{FFFD}\u{FFFD}]]>") })
  }

  @Test func marksStandAtTheirTimes() throws {
    let reader = try read(chart(marks: [.init(.perceptual, at: 0.5), .init(.settling, at: 1.5)]))
    let lines = reader.elements.filter { $0.attributes["class"]?.hasPrefix("mark") == true }
    // The panel goes from 84 to 884 for 0 to 2 seconds.
    #expect(
      lines.map { $0.attributes["x1"] } == ["284", "684"] && lines.map { $0.attributes["x2"] } == ["284", "684"])
    #expect(lines[0].attributes["class"] == "mark perceptual c0" && lines[1].attributes["class"] == "mark settling c0")
    #expect(reader.has("perceptual 0.5 s") && reader.has("settling 1.5 s"))
    #expect(reader.has("a: perceptual 0.5 s, settling 1.5 s"))
  }

  @Test func marksThatCannotBeShownAreStillInTheLegend() throws {
    let reader = try read(chart(marks: [.init(.perceptual, at: 3), .init(.settling, at: .infinity)]))
    #expect(!reader.elements.contains { $0.attributes["class"]?.hasPrefix("mark") == true })
    #expect(reader.has("a: perceptual 3 s, settling ∞"))
  }

  @Test func curvesRunThroughTheirPoints() throws {
    let reader = try read(chart())
    let paths = reader.elements.filter { $0.name == "path" }.compactMap { $0.attributes["d"] }
    #expect(paths.count == 4)
    // Values from 0 to 1.4 on an axis of 0 to 1.4, 300 pixels high: half of the way in time at the very top.
    let points = paths[0].dropFirst().split(separator: "L").map { $0.split(separator: " ").compactMap { Double($0) } }
    #expect(points.map { $0[0] } == [84, 484, 884])
    let (bottom, top, end) = (points[0][1], points[1][1], points[2][1])
    #expect(bottom - top == 300 && abs((bottom - end) - 300 / 1.4) < 0.01)
  }

  @Test func gapsAndPolesBreakACurveButNotThePicture() throws {
    var chart = chart()
    chart.series[0].values = [0, .nan, 1]
    chart.series[0].velocities = [.infinity, 1e300, -.infinity]
    let reader = try read(chart)
    let paths = reader.elements.filter { $0.name == "path" }.compactMap { $0.attributes["d"] }
    #expect(paths[0].filter { $0 == "M" }.count == 2 && !paths.contains { $0.contains("nan") || $0.contains("inf") })
  }

  @Test func partsOfTheAxisHaveLinesAndNames() throws {
    var chart = chart()
    chart.bands = [
      .init(name: "one", span: 0...0.5), .init(name: "none", span: 0.5...0.5), .init(name: "narrow", span: 0.5...0.6),
      .init(name: "last", span: 0.6...7), .init(name: "beyond", span: 7...8),
    ]
    let reader = try read(chart)
    let lines = reader.elements.filter { $0.attributes["class"] == "band" }
    // No boundary at the start, and none for parts that are empty or outside the span.
    #expect(lines.map { $0.attributes["x1"] } == ["284", "324"])
    let names = reader.elements.indices.filter { reader.elements[$0].attributes["class"] == "small tick" }
    #expect(names.map { reader.words[$0] } == ["one", "last"])
    #expect(names.map { reader.elements[$0].attributes["x"] } == ["184", "604"])
    chart.bands = (0..<61).map { (Double($0) / 61, Double($0 + 1) / 61) }.map { .init(name: "", span: $0...$1) }
    #expect(try read(chart).elements.contains { $0.attributes["class"] == "band" } == false)
  }

  @Test func goalsAreStepsWithinTheAxis() throws {
    var chart = chart()
    chart.series[0].goals = [.init(time: -.infinity, value: 1), .init(time: 1, value: 2.8), .init(time: 2, value: 0)]
    let goals = try read(chart).elements.filter { $0.attributes["class"] == "goal c0" }
    let path = try #require(goals.first?.attributes["d"])
    let points = path.dropFirst().split(separator: "L").map { $0.split(separator: " ").compactMap { Double($0) } }
    // Two levels of half the span each; the value axis reaches up to the higher one.
    #expect(points.map { $0[0] } == [84, 484, 484, 884])
    #expect(points[0][1] == points[1][1] && points[2][1] == points[3][1] && points[0][1] > points[2][1])
  }

  @Test func itHasATitleAndASummaryForScreenReaders() throws {
    let reader = try read(chart())
    #expect(reader.elements[0].attributes["role"] == "img")
    #expect(reader.elements[0].attributes["aria-labelledby"] == "title summary")
    let summary = try #require(reader.elements.firstIndex { $0.name == "desc" })
    #expect(reader.words[summary].hasPrefix("Value above and velocity below over time."))
  }
}

/// Bars with a logarithmic scale.
struct SVGBarChartTests {
  private func chart(_ values: [Double]) throws -> SVGBarChart {
    let bars = values.map { "{\"name\": \"<a> \($0)\", \"value\": \($0), \"source\": \"s\"}" }.joined(separator: ", ")
    let text = "{\"title\": \"T & U\", \"unit\": \"ms\", \"notes\": [\"n\"], \"bars\": [\(bars)]}"
    return try JSONDecoder().decode(SVGBarChart.self, from: Data(text.utf8))
  }

  /// The lengths of the bars, in pixels.
  private func lengths(_ svg: String) -> [Double] {
    svg.matches(of: /class="bar c[07]"[^>]* width="([0-9.]+)"/).compactMap { Double($0.output.1) }
  }

  @Test func equalRatiosAreEqualLengths() throws {
    let lengths = lengths(try chart([0.02, 0.2, 2, 20, 4]).svg)
    #expect(lengths.count == 5)
    let decade = lengths[1] - lengths[0]
    #expect(decade > 50 && abs(lengths[2] - lengths[1] - decade) < 0.02 && abs(lengths[3] - lengths[2] - decade) < 0.02)
    #expect(abs(lengths[4] - lengths[2] - decade * log10(2)) < 0.02)
  }

  @Test func theTextIsEscaped() throws {
    let svg = try chart([1]).svg
    #expect(svg.contains("T &amp; U") && svg.contains("&lt;a&gt; 1") && !svg.contains("<a>"))
  }

  @Test(arguments: [[], [0], [-1], [1, 1e10], [1e-10]]) func othersCannotBeDrawn(_ values: [Double]) throws {
    #expect(try !chart(values).isDrawable)
  }
}

/// Speeds over sizes, beside the speed of copies.
struct SVGRooflineTests {
  private func svg(_ points: [SVGRoofline.Point], _ more: [SVGRoofline.Panel] = []) -> String {
    let panel = SVGRoofline.Panel(title: "<steady>", lines: [("batch", points)])
    return SVGRoofline(title: "T & U", note: "a machine", panels: [panel] + more).svg
  }

  private func dots(_ svg: String) -> [(x: Double, y: Double)] {
    svg.matches(of: /<circle [^>]*cx="([0-9.]+)" cy="([0-9.]+)"/).compactMap { match in
      guard let x = Double(match.output.1), let y = Double(match.output.2) else { return nil }
      return (x, y)
    }
  }

  @Test func equalRatiosAreEqualDistances() {
    let dots = dots(svg([(1e4, 10, 100), (1e5, 20, 100), (1e6, 40, 50)]))
    #expect(dots.count == 3)
    #expect(abs(dots[1].x - dots[0].x - (dots[2].x - dots[1].x)) < 0.03 && dots[1].x > dots[0].x + 20)
    #expect(abs(dots[0].y - dots[1].y - (dots[1].y - dots[2].y)) < 0.03 && dots[1].y < dots[0].y - 10)
  }

  /// Work at the speed of a copy stands on the roof.
  @Test func workAsFastAsACopyStandsOnTheRoof() throws {
    let svg = svg([(1e4, 70, 70), (1e6, 7, 70)])
    let roof = try #require(svg.firstMatch(of: /class="roof" d="M([0-9.]+) ([0-9.]+)L([0-9.]+) ([0-9.]+)"/))
    let dots = dots(svg)
    #expect(Double(roof.output.2) == dots[0].y && Double(roof.output.4) == dots[0].y && dots[1].y > dots[0].y)
    #expect(svg.contains("batch 10–100 %"))
  }

  @Test func panelsStandSideBySideAndShareTheirAxes() {
    let panel = SVGRoofline.Panel(title: "b", lines: [("batch", [(1e4, 10, 100)]), ("C", [(1e7, 1000, 1000)])])
    let dots = dots(svg([(1e4, 10, 100)], [panel, panel, panel]))
    #expect(dots.count == 7)
    // The first line of a panel lies on top, so it is drawn last.
    #expect(dots[0].y == dots[2].y && dots[2].x > dots[0].x + 200 && dots[1].y < dots[2].y)
    // The fourth panel stands below the first.
    #expect(dots[6].x == dots[0].x && dots[6].y > dots[0].y + 150)
  }

  @Test func theTextIsEscaped() {
    let svg = svg([(1, 1, 1)])
    #expect(svg.contains("T &amp; U") && svg.contains("&lt;steady&gt;") && !svg.contains("<steady>"))
    #expect(!svg.contains("nan") && !svg.contains("inf"))
  }
}
