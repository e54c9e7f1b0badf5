// SPDX-License-Identifier: MIT
import Murmuration

/// A vector of any length, for models that work on vectors. A vector without components stands for zeros.
package struct DoubleVector: VectorArithmetic, Animatable {
  private var components: [Double]

  package init(_ components: [Double]) { self.components = components }

  package subscript(index: Int) -> Double { index < components.count ? components[index] : 0 }

  package static var zero: DoubleVector { DoubleVector([]) }

  package static func + (a: DoubleVector, b: DoubleVector) -> DoubleVector { zip(a, b, +) }

  package static func - (a: DoubleVector, b: DoubleVector) -> DoubleVector { zip(a, b, -) }

  package static func == (a: DoubleVector, b: DoubleVector) -> Bool {
    (0..<max(a.components.count, b.components.count)).allSatisfy { a[$0] == b[$0] }
  }

  package mutating func scale(by factor: Double) { components = components.map { $0 * factor } }

  package var magnitudeSquared: Double { components.reduce(0) { $0 + $1 * $1 } }

  private static func zip(
    _ a: DoubleVector, _ b: DoubleVector, _ operation: (Double, Double) -> Double
  ) -> DoubleVector {
    DoubleVector((0..<max(a.components.count, b.components.count)).map { operation(a[$0], b[$0]) })
  }
}
