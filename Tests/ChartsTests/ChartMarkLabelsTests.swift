// SPDX-License-Identifier: MIT
import Murmuration
import Testing

@testable import Charts

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
        #expect(label.row < placed.rows)
        #expect(own.upperBound <= 952)
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
