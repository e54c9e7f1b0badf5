// SPDX-License-Identifier: MIT

/// A shape that tracks can form, one unit from side to side about the origin.
package enum Shape: String, CaseIterable, Sendable {
  /// All in one point.
  case point
  /// Evenly along the first dimension.
  case line
  /// At random, evenly, in all dimensions.
  case box
  /// At random, dense in the middle, in all dimensions.
  case cloud
  /// Rows and columns in the plane.
  case grid
  /// The rim of a circle.
  case circle
  /// A filled circle, from the middle outwards.
  case disc
  /// A filled heart, from the middle outwards.
  case heart
  /// A filled star of five points, from the middle outwards.
  case star
  /// A spiral of four turns, from the middle outwards.
  case spiral
  /// The surface of a sphere, from one pole to the other.
  case sphere
  /// The surface of a ring.
  case torus

  /// The number of dimensions that the shape needs.
  package var dimensions: Int {
    switch self {
    case .point, .line, .box, .cloud: 1
    case .grid, .circle, .disc, .heart, .star, .spiral: 2
    case .sphere, .torus: 3
    }
  }

  /// Position `index` of `count` in the shape, a number a dimension.
  func place(_ index: Int, of count: Int, dimensions: Int, random: inout SceneRandom) -> [Double] {
    let fraction = (Double(index) + 0.5) / Double(count)
    var place = [Double](repeating: 0, count: dimensions)
    switch self {
    case .point: break
    case .line: place[0] = count > 1 ? Double(index) / Double(count - 1) - 0.5 : 0
    case .box: for axis in place.indices { place[axis] = random.number(in: -0.5...0.5) }
    case .cloud:
      for axis in place.indices {
        place[axis] = (0..<4).reduce(0) { sum, _ in sum + random.number(in: -0.125...0.125) }
      }
    case .grid:
      let columns = Shape.columns(of: count)
      let rows = (count + columns - 1) / columns
      let steps = Double(max(1, max(columns, rows) - 1))
      place[0] = (Double(index % columns) - Double(columns - 1) / 2) / steps
      place[1] = (Double(index / columns) - Double(rows - 1) / 2) / steps
    case .circle: (place[0], place[1]) = Shape.polar(0.5, Double(index) / Double(count))
    case .disc: (place[0], place[1]) = Shape.polar(0.5 * fraction.squareRoot(), Double(index) * Shape.goldenTurn)
    case .heart, .star:
      // Golden turns over the outline's area, at distances that grow with the root, fill it evenly.
      let share = Double(index) * Shape.goldenTurn
      let rim = (self == .heart ? Outline.heart : Outline.star).point(atArea: share - share.rounded(.down))
      place[0] = rim.x * fraction.squareRoot()
      place[1] = rim.y * fraction.squareRoot()
    case .spiral: (place[0], place[1]) = Shape.polar(0.5 * fraction.squareRoot(), 4 * fraction.squareRoot())
    case .sphere:
      let height = 1 - 2 * fraction
      let radius = 0.5 * max(0, 1 - height * height).squareRoot()
      (place[0], place[1]) = Shape.polar(radius, Double(index) * Shape.goldenTurn)
      place[2] = height / 2
    case .torus:
      let (out, up) = Shape.polar(0.14, Double(index) * Shape.goldenTurn)
      (place[0], place[1]) = Shape.polar(0.36 + out, fraction)
      place[2] = up
    }
    return place
  }

  /// The number of columns of the most square grid that holds `count` positions.
  static func columns(of count: Int) -> Int { max(1, Int(Double(count).squareRoot().rounded(.up))) }

  /// The golden ratio as a part of a turn: successive positions never line up.
  private static let goldenTurn = 0.618_033_988_749_894_9

  static func polar(_ radius: Double, _ turn: Double) -> (Double, Double) {
    (radius * Turns.cosine(turn), radius * Turns.sine(turn))
  }
}
