// SPDX-License-Identifier: MIT
import Foundation
import Testing

@testable import Charts

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
    #expect(decade > 50)
    #expect(abs(lengths[2] - lengths[1] - decade) < 0.02 && abs(lengths[3] - lengths[2] - decade) < 0.02)
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
