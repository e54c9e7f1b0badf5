// SPDX-License-Identifier: MIT
import AnimationModel

/// As many numbers as a batch has dimensions, for animations that work on vectors of any length.
///
/// A vector without components stands for zeros, as the number of dimensions is not known to a type.
struct Components: VectorArithmetic, Animatable {
  var items: [Double]

  init(_ items: [Double]) { self.items = items }

  static var zero: Components { Components([]) }

  static func + (lhs: Components, rhs: Components) -> Components { combine(lhs, rhs, +) }
  static func - (lhs: Components, rhs: Components) -> Components { combine(lhs, rhs, -) }

  mutating func scale(by factor: Double) {
    for index in items.indices {
      items[index] *= factor
    }
  }

  var magnitudeSquared: Double { items.reduce(0) { $0 + $1 * $1 } }

  static func == (lhs: Components, rhs: Components) -> Bool {
    (0..<max(lhs.items.count, rhs.items.count)).allSatisfy { lhs[$0] == rhs[$0] }
  }

  subscript(index: Int) -> Double { index < items.count ? items[index] : 0 }

  private static func combine(
    _ lhs: Components, _ rhs: Components, _ operation: (Double, Double) -> Double
  ) -> Components {
    Components((0..<max(lhs.items.count, rhs.items.count)).map { operation(lhs[$0], rhs[$0]) })
  }
}
