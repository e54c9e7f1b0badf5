// SPDX-License-Identifier: MIT
import ModalMotion
import Murmuration

extension ModalBatch {
  /// Positions of all points of all instances.
  func positions(axis: Int = 0) throws(ModalError) -> [Float] {
    var numbers = [Float](repeating: .nan, count: instanceCount * basis.pointCount)
    var span = numbers.mutableSpan
    try copyPositions(axis: axis, into: &span)
    return numbers
  }

  /// Velocities of all points of all instances, also where the last advance left them out.
  mutating func velocities(axis: Int = 0) throws(ModalError) -> [Float] {
    try advance(to: time, velocities: true)
    var numbers = [Float](repeating: .nan, count: instanceCount * basis.pointCount)
    var span = numbers.mutableSpan
    try copyVelocities(axis: axis, into: &span)
    return numbers
  }
}

/// The largest difference of two lists.
func worstDifference(_ a: [Float], _ b: [Double]) -> Double {
  zip(a, b).reduce(a.count == b.count ? 0 : .infinity) { max($0, abs(Double($1.0) - $1.1)) }
}
