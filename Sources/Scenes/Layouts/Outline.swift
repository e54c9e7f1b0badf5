// SPDX-License-Identifier: MIT

/// The outline of a filled shape: a polygon that is star-shaped about the origin, with the area up to each corner.
struct Outline: Sendable {
  /// A point of the plane.
  struct Point: Sendable {
    var x: Double
    var y: Double
  }

  private let corners: [Point]
  /// The share of the area between the first corner and each corner, from 0 to 1.
  private let areas: [Double]

  /// A closed outline through `corners`, counted once around.
  init(_ corners: [Point]) {
    self.corners = corners + corners.prefix(1)
    var sums = [0.0]
    for (from, to) in zip(self.corners, self.corners.dropFirst()) {
      sums.append((sums.last ?? 0) + abs(from.x * to.y - from.y * to.x))
    }
    let total = sums.last ?? 1
    areas = sums.map { $0 / total }
  }

  /// The point of the outline up to which the part `share` of the area lies; `share` is from 0 to 1.
  func point(atArea share: Double) -> Point {
    var (low, high) = (0, corners.count - 1)
    while high - low > 1 {
      let middle = (low + high) / 2
      if areas[middle] <= share { low = middle } else { high = middle }
    }
    let width = areas[high] - areas[low]
    let along = width > 0 ? (share - areas[low]) / width : 0
    let (from, to) = (corners[low], corners[high])
    return Point(x: from.x + (to.x - from.x) * along, y: from.y + (to.y - from.y) * along)
  }

  /// A heart that stands upright, one unit wide: the classical curve in sines and cosines.
  static let heart = Outline(
    (0..<512).map { step in
      let turn = Double(step) / 512
      let sine = Turns.sine(turn)
      let height =
        13 * Turns.cosine(turn) - 5 * Turns.cosine(2 * turn) - 2 * Turns.cosine(3 * turn) - Turns.cosine(4 * turn)
      return Point(x: sine * sine * sine / 2, y: (height + 2.5) / 32)
    })

  /// A star of five points, one unit across.
  static let star = Outline(
    (0..<10).map { step in
      let radius = step.isMultiple(of: 2) ? 0.5 : 0.5 * 0.381_966
      let (x, y) = Shape.polar(radius, Double(step) / 10 + 0.25)
      return Point(x: x, y: y)
    })
}
