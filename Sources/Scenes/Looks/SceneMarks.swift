// SPDX-License-Identifier: MIT

/// The marks of one group at one moment, a column for each property.
package struct SceneMarks: Sendable {
  /// The positions; NaN for an absent mark. The third coordinate points up.
  package internal(set) var x: [Float] = []
  package internal(set) var y: [Float] = []
  package internal(set) var z: [Float] = []
  /// The velocities per second; empty where they are not known.
  package internal(set) var velocityX: [Float] = []
  package internal(set) var velocityY: [Float] = []
  package internal(set) var velocityZ: [Float] = []
  /// The factor of the size, the factor of the height, and the turn in degrees of each mark; empty for 1, 1 and 0.
  package internal(set) var size: [Float] = []
  package internal(set) var stretch: [Float] = []
  package internal(set) var turn: [Float] = []
  /// The place of each mark's colour among the colours of its group, from 0 to 1.
  package internal(set) var shade: [Float] = []

  /// Columns without marks.
  package init() {}

  /// Removes all marks.
  mutating func removeAll() {
    for column in [
      \SceneMarks.x, \.y, \.z, \.velocityX, \.velocityY, \.velocityZ, \.size, \.stretch, \.turn, \.shade,
    ] { self[keyPath: column].removeAll(keepingCapacity: true) }
  }

  /// Moves each mark by an offset of its own.
  mutating func add(_ places: [[Float]]) {
    guard places.count == 3 else { return }
    for (axis, column) in [\SceneMarks.x, \.y, \.z].enumerated() {
      for index in 0..<min(places[axis].count, self[keyPath: column].count) {
        self[keyPath: column][index] += places[axis][index]
      }
    }
  }

  /// Sets each shade from the number that decides it; a number beyond the range has the colour of its end.
  mutating func shade(by numbers: [Float], _ range: ClosedRange<Double>) {
    let (low, scale) = (Float(range.lowerBound), Float(1 / (range.upperBound - range.lowerBound)))
    shade = numbers.map { min(1, max(0, ($0 - low) * scale)) }
  }

  /// Sets each shade from the speed.
  mutating func shadeBySpeed(_ range: ClosedRange<Double>) {
    guard velocityX.count == x.count else { return }
    let (low, scale) = (Float(range.lowerBound), Float(1 / (range.upperBound - range.lowerBound)))
    shade.reserveCapacity(x.count)
    for index in x.indices {
      var square = velocityX[index] * velocityX[index]
      if !velocityY.isEmpty { square += velocityY[index] * velocityY[index] }
      if !velocityZ.isEmpty { square += velocityZ[index] * velocityZ[index] }
      shade.append(min(1, max(0, (square.squareRoot() - low) * scale)))
    }
  }
}

/// A box around marks; empty at first.
package struct MarkBounds: Equatable, Sendable {
  package private(set) var low = SIMD3<Double>(repeating: .infinity)
  package private(set) var high = SIMD3<Double>(repeating: -.infinity)

  /// A box that holds nothing.
  init() {}

  /// The box between two corners.
  init(low: SIMD3<Double>, high: SIMD3<Double>) { (self.low, self.high) = (low, high) }

  /// Whether nothing is inside.
  package var isEmpty: Bool { !(low.x <= high.x) }
  /// The lengths of the sides.
  package var size: SIMD3<Double> { isEmpty ? .zero : high - low }

  /// Takes in another box.
  mutating func include(_ other: MarkBounds) {
    guard !other.isEmpty else { return }
    low = low.replacing(with: other.low, where: other.low .< low)
    high = high.replacing(with: other.high, where: other.high .> high)
  }

  /// The box around copies of this one that are moved by each of some places.
  func spread(over places: [[Float]]) -> MarkBounds {
    guard !isEmpty, places.count == 3, !places[0].isEmpty else { return self }
    var box = self
    for axis in 0..<3 {
      box.low[axis] += Double(places[axis].min() ?? 0)
      box.high[axis] += Double(places[axis].max() ?? 0)
    }
    return box
  }

  /// Takes in most of some marks: of some hundreds of them, all but the outermost fiftieth on each side of each axis.
  mutating func include(mostOf marks: SceneMarks) {
    let step = max(1, marks.x.count / 400)
    let indices = stride(from: 0, to: marks.x.count, by: step).filter { marks.x[$0].isFinite }
    guard !indices.isEmpty else { return }
    let cut = indices.count / 50
    var box = MarkBounds()
    for (axis, column) in [marks.x, marks.y, marks.z].enumerated() {
      let sorted = column.isEmpty ? [0] : indices.map { column[$0] }.filter(\.isFinite).sorted()
      guard sorted.count > 2 * cut else { return }
      (box.low[axis], box.high[axis]) = (Double(sorted[cut]), Double(sorted[sorted.count - 1 - cut]))
    }
    include(box)
  }
}
