// SPDX-License-Identifier: MIT

/// A vector of any number of components, the first four of which need no memory from the heap.
///
/// Batches compute with it what no kernel knows, such as custom animations. A vector that lacks components has zeros there.
package struct TrackVector: VectorArithmetic, Animatable {
  private var first: SIMD4<Double>
  private var others: [Double] = []

  package static var zero: TrackVector { TrackVector(first: .zero) }

  private init(first: SIMD4<Double>) { self.first = first }

  /// A vector with a number of components.
  package init(count: Int, _ component: (Int) -> Double) {
    first = .zero
    for index in 0..<min(count, 4) { first[index] = component(index) }
    if count > 4 { others = (4..<count).map(component) }
  }

  /// The components for which there is memory.
  package var components: [Double] { (0..<4).map { first[$0] } + others }

  /// A component; 0 for one that the vector lacks.
  package subscript(index: Int) -> Double {
    index < 4 ? first[index] : index - 4 < others.count ? others[index - 4] : 0
  }

  package static func + (lhs: TrackVector, rhs: TrackVector) -> TrackVector {
    var sum = TrackVector(first: lhs.first + rhs.first)
    if !(lhs.others.isEmpty && rhs.others.isEmpty) { sum.others = others(of: lhs, and: rhs) { $0 + $1 } }
    return sum
  }

  package static func - (lhs: TrackVector, rhs: TrackVector) -> TrackVector {
    var difference = TrackVector(first: lhs.first - rhs.first)
    if !(lhs.others.isEmpty && rhs.others.isEmpty) { difference.others = others(of: lhs, and: rhs) { $0 - $1 } }
    return difference
  }

  /// Results of an operation on the components from the fifth on. It is a function of its own, so that the code for short
  /// vectors stays short.
  @inline(never)
  private static func others(
    of lhs: TrackVector, and rhs: TrackVector, _ operation: (Double, Double) -> Double
  ) -> [Double] {
    (4..<4 + max(lhs.others.count, rhs.others.count)).map { operation(lhs[$0], rhs[$0]) }
  }

  package mutating func scale(by factor: Double) {
    first *= factor
    for index in others.indices { others[index] *= factor }
  }

  package var magnitudeSquared: Double {
    let squares = first * first
    return others.reduce(squares.x + squares.y + squares.z + squares.w) { $0 + $1 * $1 }
  }

  package static func == (lhs: TrackVector, rhs: TrackVector) -> Bool {
    lhs.first == rhs.first && (4..<4 + max(lhs.others.count, rhs.others.count)).allSatisfy { lhs[$0] == rhs[$0] }
  }
}
