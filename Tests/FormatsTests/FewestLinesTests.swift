// SPDX-License-Identifier: MIT
import Foundation
import Murmuration
import Testing

@testable import Formats

struct FewestLinesTests {
  /// A tunnel around random heights, closed at both ends.
  private struct Tunnel {
    var xs: [Double]
    var lower: [Double]
    var upper: [Double]

    init(seed: UInt64, corners: Int) {
      var random = SplitMix64(seed: seed)
      func unit() -> Double { Double(random.next() >> 11) * 0x1p-53 }
      xs = (0..<corners).map { Double($0) }
      let heights = (0..<corners).map { _ in (unit() * 6).rounded() }
      let width = 0.5 + (unit() * 3).rounded() / 2
      lower = heights.map { $0 - width }
      upper = heights.map { $0 + width }
      for end in [0, corners - 1] { (lower[end], upper[end]) = (heights[end], heights[end]) }
    }

    /// The sides at x.
    func sides(at x: Double) -> (lower: Double, upper: Double) {
      let index = min(max(Int(x.rounded(.down)), 0), xs.count - 2)
      let share = x - xs[index]
      return (
        lower[index] + (lower[index + 1] - lower[index]) * share,
        upper[index] + (upper[index + 1] - upper[index]) * share
      )
    }

    /// How far a line from one point to another leaves the tunnel: at its ends and at the corners between.
    func excess(from: FewestLines.Point, to: FewestLines.Point) -> Double {
      var largest = 0.0
      for x in [from.x, to.x] + xs.filter({ $0 > from.x && $0 < to.x }) {
        let y = from.y + (to.y - from.y) * (to.x > from.x ? (x - from.x) / (to.x - from.x) : 0)
        let (low, high) = sides(at: x)
        largest = max(largest, low - y, y - high)
      }
      return largest
    }

    /// The fewest lines among all polylines whose corners are on a grid: every one of them is tried.
    func fewestOnGrid(perUnit: Int, heights: Double) -> Int {
      var points = [FewestLines.Point(x: xs[0], y: lower[0])]
      for step in 1..<((xs.count - 1) * perUnit) {
        let x = Double(step) / Double(perUnit)
        let (low, high) = sides(at: x)
        var y = (low / heights).rounded(.up) * heights
        while y <= high {
          points.append(FewestLines.Point(x: x, y: y))
          y += heights
        }
      }
      let goal = FewestLines.Point(x: xs[xs.count - 1], y: lower[xs.count - 1])
      var reached: [FewestLines.Point] = [points[0]]
      var left = Array(points.dropFirst())
      for lines in 1...xs.count {
        if reached.contains(where: { excess(from: $0, to: goal) <= 1e-12 }) { return lines }
        var next: [FewestLines.Point] = []
        left.removeAll { point in
          let isReached = reached.contains { $0.x < point.x && excess(from: $0, to: point) <= 1e-12 }
          if isReached { next.append(point) }
          return isReached
        }
        reached = next
      }
      return xs.count
    }
  }

  /// A polyline on a grid never needs fewer lines, and the lines stay in the tunnel. (`CSSTests` has numbers of lines that
  /// are known.)
  @Test(arguments: 0..<60 as Range<UInt64>) func noPolylineOnAGridHasFewerLines(seed: UInt64) {
    let tunnel = Tunnel(seed: seed, corners: 5 + Int(seed % 4))
    let points = FewestLines(xs: tunnel.xs, lower: tunnel.lower, upper: tunnel.upper).points()
    #expect(points.first == FewestLines.Point(x: 0, y: tunnel.lower[0]))
    #expect(points.last == FewestLines.Point(x: tunnel.xs[tunnel.xs.count - 1], y: tunnel.lower[tunnel.xs.count - 1]))
    for (from, to) in zip(points, points.dropFirst()) {
      #expect(from.x <= to.x && tunnel.excess(from: from, to: to) <= 1e-9)
    }
    #expect(points.count - 1 <= tunnel.fewestOnGrid(perUnit: 4, heights: 0.25))
  }
}
