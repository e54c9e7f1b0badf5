// SPDX-License-Identifier: MIT
import Murmuration
import TestSupport
import Testing
import Text

@testable import Charts

/// Ticks at round numbers, for any span.
struct ChartAxisTests {
  @Test(arguments: [1e-3, 2.5e-3, 0.09, 0.1, 0.7, 1, 3, 12, 599, 600, 1e4, 86_400, 1e6, 1e7])
  func timeHasAFewRoundTicksInsideTheSpan(end: Double) {
    let axis = ChartAxis(exactly: 0...end, ticks: 9, title: "time", unit: .time(upTo: end))
    #expect(axis.range == 0...end)
    #expect((5...15).contains(axis.ticks.count), "\(axis.ticks.count)")
    #expect(axis.ticks.first?.position == 0)
    #expect(axis.ticks.allSatisfy { (0...end * (1 + 1e-9)).contains($0.position) })
    // No two labels are the same, and no label is longer than a few characters.
    #expect(Set(axis.ticks.map(\.label)).count == axis.ticks.count)
    #expect(axis.ticks.allSatisfy { $0.label.count <= 6 }, "\(axis.ticks.map(\.label))")
  }

  @Test(arguments: [1e-12, 1e-6, 0.02, 0.3, 1, 7, 1234, 99_999, 1e9, 1e15]) func valuesOfAnySizeHaveShortLabels(
    size: Double
  ) {
    let axis = ChartAxis(covering: [0, size, size * 1.07], ticks: 6, title: "value")
    #expect(axis.range.lowerBound <= 0 && axis.range.upperBound >= size * 1.07)
    #expect(axis.range.upperBound <= size * 1.6)
    #expect((4...12).contains(axis.ticks.count))
    #expect(axis.ticks.allSatisfy { $0.label.count <= 7 }, "\(axis.ticks.map(\.label))")
    #expect(Set(axis.ticks.map(\.label)).count == axis.ticks.count)
  }

  @Test func labelsSayWhereTicksStand() throws {
    var random = SplitMix64(seed: 7)
    for _ in 0..<2000 {
      let low = Double.random(in: -1...1, using: &random) * PowerOfTen.value(Int.random(in: -12...15, using: &random))
      let span = PowerOfTen.value(Int.random(in: -12...15, using: &random))
      let axis = ChartAxis(covering: [low, low + span], ticks: 5, title: "value")
      #expect(axis.range.contains(low) && axis.range.contains(low + span))
      #expect((2...60).contains(axis.ticks.count), "\(low) + \(span)")
      for tick in axis.ticks {
        let read = try #require(Double(tick.label.replacing("−", with: "-")))
        #expect(isClose(read * axis.unit.worth, tick.position, relative: 1e-9, absolute: span * 1e-6))
      }
    }
  }

  @Test func aConstantGetsRoomAroundIt() {
    for constant in [0, 1, -5, 1e15, 1e-300] {
      let axis = ChartAxis(covering: [constant, constant], ticks: 5, title: "value")
      #expect(axis.range.lowerBound < constant && constant < axis.range.upperBound)
    }
    #expect(ChartAxis(covering: [.nan, .infinity], ticks: 5, title: "value").ticks.isEmpty == false)
  }

  @Test func momentsAreShort() {
    let axis = ChartAxis(exactly: 0...2, ticks: 5, title: "time", unit: .time(upTo: 2))
    #expect(axis.title == "time (s)")
    #expect(axis.moment(1.0447126) == "1.045 s")
    #expect(axis.moment(0.5) == "0.5 s")
    #expect(axis.moment(0.001) == "1 ms")
    #expect(axis.moment(0) == "0 s")
    #expect(axis.moment(.infinity) == "∞")
  }

  @Test func roundedNumbersAreExactText() {
    #expect(NumberText.fixed(-0.04, decimals: 1) == "0.0")
    #expect(NumberText.fixed(-1.25, decimals: 1) == "−1.3")
    #expect(NumberText.fixed(0.05, decimals: 2) == "0.05")
    #expect(NumberText.fixed(1e17, decimals: 2) == "1e+17")
    #expect(NumberText.significant(123_456, digits: 4) == "123500")
    #expect(NumberText.significant(0.00012345, digits: 3) == "0.000123")
    #expect(NumberText.significant(1e300, digits: 3) == "1e+300")
    #expect(NumberText.significant(-2.5, digits: 4) == "−2.5")
  }

  @Test func powersOfTenAreFound() {
    for exponent in -320...308 {
      let power = PowerOfTen.value(exponent)
      #expect(PowerOfTen.exponent(of: power) == exponent)
      #expect(PowerOfTen.exponent(of: power.nextUp) == exponent)
      if exponent > -300 { #expect(PowerOfTen.exponent(of: -power.nextDown) == exponent - 1) }
    }
  }
}
