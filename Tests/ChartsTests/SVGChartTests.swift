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
    #expect(reader.elements.first?.name == "svg")
    #expect(!reader.elements.contains { $0.name == "a" })
    #expect(reader.words.contains { $0.contains("<a href=\"x\">&'\u{FFFD}\u{FFFD}]]>") })
  }

  @Test func marksStandAtTheirTimes() throws {
    let reader = try read(chart(marks: [.init(.perceptual, at: 0.5), .init(.settling, at: 1.5)]))
    let lines = reader.elements.filter { $0.attributes["class"]?.hasPrefix("mark") == true }
    // The panel goes from 84 to 884 for 0 to 2 seconds.
    #expect(lines.map { $0.attributes["x1"] } == ["284", "684"])
    #expect(lines.map { $0.attributes["x2"] } == ["284", "684"])
    #expect(lines[0].attributes["class"] == "mark perceptual c0")
    #expect(lines[1].attributes["class"] == "mark settling c0")
    #expect(reader.has("perceptual 0.5 s"))
    #expect(reader.has("settling 1.5 s"))
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
    #expect(bottom - top == 300)
    #expect(abs((bottom - end) - 300 / 1.4) < 0.01)
  }

  @Test func gapsAndPolesBreakACurveButNotThePicture() throws {
    var chart = chart()
    chart.series[0].values = [0, .nan, 1]
    chart.series[0].velocities = [.infinity, 1e300, -.infinity]
    let reader = try read(chart)
    let paths = reader.elements.filter { $0.name == "path" }.compactMap { $0.attributes["d"] }
    #expect(paths[0].filter { $0 == "M" }.count == 2)
    #expect(!paths.contains { $0.contains("nan") || $0.contains("inf") })
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
    chart.bands = (0..<61).map { .init(name: "", span: Double($0) / 61...Double($0 + 1) / 61) }
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

  @Test func theSameChartGivesTheSameText() {
    #expect(SVGChart(chart()).svg == SVGChart(chart()).svg)
  }
}
