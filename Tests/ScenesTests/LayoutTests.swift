// SPDX-License-Identifier: MIT
import Foundation
import Testing

@testable import Scenes

struct LayoutTests {
  private let random = SceneRandom(seed: 3, purpose: .start, group: 0)

  @Test func sinesAreThoseOfTheLibraryToTheLastBits() {
    var random = random
    for _ in 0..<20_000 {
      let turns = random.number(in: -3...3)
      #expect(abs(Turns.sine(turns) - sin(turns * 2 * .pi)) < 4e-15)
      #expect(abs(Turns.cosine(turns) - cos(turns * 2 * .pi)) < 4e-15)
    }
    #expect([0, 0.25, 0.5, 0.75, 1, -0.25].map(Turns.sine) == [0, 1, 0, -1, 0, -1])
    #expect([0, 0.25, 0.5, 0.75, 1, -0.5].map(Turns.cosine) == [1, 0, -1, 0, 1, -1])
  }

  @Test(arguments: Shape.allCases, [1, 2, 3, 7, 100, 1001])
  func everyShapeStandsWithinItsSizeAboutItsCentre(_ shape: Shape, _ count: Int) {
    for dimensions in shape.dimensions...4 {
      let center = (0..<dimensions).map { Double(10 * $0) }
      let layout = Layout(shape, center: center, size: [4])
      let points = layout.points(count: count, dimensions: dimensions, random: random)
      #expect(points.count == count * dimensions)
      for component in 0..<dimensions {
        let column = points[(component * count)..<((component + 1) * count)]
        #expect(column.allSatisfy { abs(Double($0) - center[component]) <= 2.4 })
      }
    }
  }

  @Test(arguments: [Shape.disc, .heart, .star])
  func filledShapesAreFilledEvenly(_ shape: Shape) {
    let count = 20_000
    let points = Layout(shape).points(count: count, dimensions: 2, random: random)
    // Cells that lie inside the shape, near its middle, hold the same share each.
    var cells = [Int](repeating: 0, count: 16)
    for track in 0..<count {
      let (x, y) = (Double(points[track]) + 0.1, Double(points[count + track]) + 0.1)
      guard (0..<0.2).contains(x), (0..<0.2).contains(y) else { continue }
      cells[Int(x * 20) + 4 * Int(y * 20)] += 1
    }
    let mean = Double(cells.reduce(0, +)) / 16
    #expect(mean > 50)
    #expect(cells.allSatisfy { abs(Double($0) - mean) < 0.15 * mean }, "\(cells)")
  }

  @Test func aTurnOfAQuarterTurnsTheLine() {
    let points = Layout(.line, size: [2], turn: 0.25).points(count: 3, dimensions: 2, random: random)
    #expect(points == [0, 0, 0, -1, 0, 1])
  }

  @Test func aSizePerDimensionStretches() {
    let points = Layout(.circle, size: [2, 6]).points(count: 4, dimensions: 2, random: random)
    #expect(points.map(abs) == [1, 0, 1, 0, 0, 3, 0, 3])
  }

  @Test func shufflingKeepsThePlaces() {
    let layout = Layout(.line, size: [99], isShuffled: true)
    let points = layout.points(count: 100, dimensions: 1, random: random)
    #expect(points.sorted() == Layout(.line, size: [99]).points(count: 100, dimensions: 1, random: random))
    #expect(points != points.sorted())
    #expect(points == layout.points(count: 100, dimensions: 1, random: random))
  }

  @Test func drawsFollowFromTheSeedAlone() {
    func draws(_ seed: UInt64, _ group: Int, _ event: Int = 0) -> [UInt64] {
      var random = SceneRandom(seed: seed, purpose: .springs, group: group, event: event)
      return (0..<4).map { _ in random.next() }
    }
    #expect(draws(1, 0) == draws(1, 0))
    let streams = [draws(1, 0), draws(2, 0), draws(1, 1), draws(1, 0, 1), draws(0, 0), draws(0, 1)]
    #expect(Set(streams).count == streams.count)
  }

}
