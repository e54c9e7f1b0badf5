// SPDX-License-Identifier: MIT
import Murmuration

/// A value of up to four dimensions; those that a batch does not have are 0.
typealias Vector = SIMD4<Float>

/// The numbers of one operation: those of its n-th track follow from the seed and n alone, so that an operation on fewer
/// tracks gives the first ones the same.
struct Numbers: Equatable, Sendable {
  let seed: UInt64

  private enum Purpose: UInt64 { case spring, value, target, velocity, stillness }

  private func random(_ purpose: Purpose, _ index: Int) -> SplitMix64 {
    var random = SplitMix64(seed: seed ^ (purpose.rawValue << 56))
    return SplitMix64(seed: random.next() &+ UInt64(index))
  }

  /// Values are within this; velocities within ten times as much.
  private var magnitude: Double { seed & 7 == 0 ? 1e4 : seed & 7 == 1 ? 1 : 100 }

  func spring(_ index: Int) -> Spring {
    var random = random(.spring, index)
    guard random.next() % 20 > 0 else {
      return Spring(duration: 0, bounce: 0)
    }
    let regime = SpringRegime.allCases[Int(random.next() % UInt64(SpringRegime.allCases.count))]
    return Spring(duration: random.logarithmic(0.05...10), bounce: regime.bounce(&random))
  }

  func value(_ index: Int) -> Vector { isStill(index) ? target(index) : vector(.value, index, magnitude) }

  func target(_ index: Int) -> Vector { vector(.target, index, magnitude) }

  func velocity(_ index: Int) -> Vector {
    isStill(index) || !hasVelocities ? .zero : vector(.velocity, index, 10 * magnitude)
  }

  /// Whether not all velocities are 0.
  var hasVelocities: Bool { seed & 24 != 0 }

  /// Whether a new track is at its target at once.
  private func isStill(_ index: Int) -> Bool {
    var random = random(.stillness, index)
    return random.next() % 12 == 0
  }

  private func vector(_ purpose: Purpose, _ index: Int, _ magnitude: Double) -> Vector {
    var random = random(purpose, index)
    var vector = Vector.zero
    for dimension in vector.indices {
      vector[dimension] = Float(random.uniform(-magnitude...magnitude))
    }
    return vector
  }

  // MARK: - Text

  func start(_ index: Int, _ dimensions: Int) -> String {
    "from \(value(index).text(dimensions)) velocity \(velocity(index).text(dimensions)) "
      + "to \(target(index).text(dimensions))"
  }

  /// The tracks in words if they are few, else the first.
  func list(_ count: Int, _ text: (Int) -> String) -> String {
    (0..<(count > 3 ? 1 : count)).map(text).joined(separator: "; ") + (count > 3 ? "; … (numbers \(seed))" : "")
  }
}

extension Spring {
  var text: String { duration == 0 ? "jump" : "spring \(duration) s bounce \(bounce)" }
}

extension Vector {
  func text(_ dimensions: Int) -> String {
    "(" + (0..<dimensions).map { "\(self[$0])" }.joined(separator: ", ") + ")"
  }

  /// Vectors as the bulk calls take them: dimension 0 of all, then dimension 1, …
  static func componentMajor(_ vectors: [Vector], dimensions: Int) -> [Float] {
    var numbers: [Float] = []
    numbers.reserveCapacity(vectors.count * dimensions)
    for dimension in 0..<dimensions {
      for vector in vectors {
        numbers.append(vector[dimension])
      }
    }
    return numbers
  }
}
