// SPDX-License-Identifier: MIT
import Charts
import Testing

/// Which curves share an axis.
struct ChartPanelsTests {
  private func panels(_ values: [[Double]]) -> [[Int]] {
    Chart(
      title: "", horizontal: .time, span: 0...1,
      series: values.map { .init(name: "", times: [0, 1], values: $0, velocities: [0, 0]) }
    ).panels
  }

  @Test func curvesOfOneSizeShareAPanel() {
    #expect(panels([[0, 1], [0, 5], [-2, 3]]) == [[0, 1, 2]])
    #expect(panels([[7, 7], [7, 7]]) == [[0, 1]])
    // A curve that stays within the others' range needs no height.
    #expect(panels([[0, 100], [50, 50]]) == [[0, 1]] && panels([[50, 50], [0, 100]]) == [[0, 1]])
  }

  @Test func othersDoNot() {
    #expect(panels([[0, 1000], [0, 1], [0, 800], [1, 0]]) == [[0, 2], [1, 3]])
    // Of one size, but far apart.
    #expect(panels([[0, 1], [1000, 1001]]) == [[0], [1]])
    #expect(panels([[0, 1], [1000, 1000]]) == [[0], [1]])
    #expect(panels([[.nan, .nan], [0, 1e-9], [0, .infinity]]) == [[0, 1, 2]])
  }
}
