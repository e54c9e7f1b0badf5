// SPDX-License-Identifier: MIT
import Foundation
import Testing

@testable import Charts

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
