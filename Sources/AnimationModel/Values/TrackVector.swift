// SPDX-License-Identifier: MIT

/// A vector of any number of components, the first four of which need no memory from the heap.
///
/// Batches compute with it what no kernel knows, such as custom animations. A vector that lacks components has zeros there.
package struct TrackVector: VectorArithmetic, Animatable {
  private var first = SIMD4<Double>.zero
  private var others: [Double] = []

  package static var zero: TrackVector { TrackVector() }

  private init() {}

  /// A vector with a number of components.
  package init(count: Int, _ component: (Int) -> Double) {
    for index in 0..<min(count, 4) { first[index] = component(index) }
    if count > 4 { others = (4..<count).map(component) }
  }

  /// A component; 0 for one that the vector lacks.
  package subscript(index: Int) -> Double {
    index < 4 ? first[index] : index - 4 < others.count ? others[index - 4] : 0
  }

  package static func + (lhs: TrackVector, rhs: TrackVector) -> TrackVector {
    lhs.combined(with: rhs, lhs.first + rhs.first) { $0 + $1 }
  }

  package static func - (lhs: TrackVector, rhs: TrackVector) -> TrackVector {
    lhs.combined(with: rhs, lhs.first - rhs.first) { $0 - $1 }
  }

  private func combined(
    with other: TrackVector, _ first: SIMD4<Double>, _ operation: (Double, Double) -> Double
  ) -> TrackVector {
    var result = TrackVector()
    result.first = first
    let count = max(others.count, other.others.count)
    if count > 0 { result.others = (4..<4 + count).map { operation(self[$0], other[$0]) } }
    return result
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
    lhs.first == rhs.first && (0..<max(lhs.others.count, rhs.others.count)).allSatisfy { lhs[4 + $0] == rhs[4 + $0] }
  }
}
