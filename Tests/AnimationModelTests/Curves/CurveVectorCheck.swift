// SPDX-License-Identifier: MIT
import AnimationModel
import Testing

/// The worst backward error of Bézier curves on some points, in units of 2⁻⁵³.
///
/// A point of a steep curve cannot be nearer than its slope allows. So the measure is how far the input would have to move
/// for the answer to be exact: the error beyond a few roundings of the output itself, divided by the slope.
struct CurveVectorCheck {
  private(set) var worstValue = 0.0
  private(set) var worstSlope = 0.0
  private(set) var worstRow = "no row"

  /// - Parameter row: x1, y1, x2, y2, x, and the expected y and slope (nil where the curve is vertical).
  mutating func add(_ row: [Double], y: Double, slope: Double?) {
    let curve = UnitCurve.bezier(
      startControlPoint: UnitPoint(x: row[0], y: row[1]), endControlPoint: UnitPoint(x: row[2], y: row[3]))
    let x = row[4]
    guard let slope else {
      #expect(x == 0 || x == 1 || curve.velocity(at: x).isInfinite || curve.velocity(at: x).magnitude > 1e4, "\(row)")
      return
    }
    let excess = (curve.value(at: x) - y).magnitude / 0x1p-53 / max(1, y.magnitude, slope.magnitude)
    if !(excess <= worstValue) { (worstValue, worstRow) = (excess, "\(row)") }
    // The table does not say how fast the slope changes, so only well-conditioned slopes are compared.
    if slope.magnitude < 10 {
      let excess = (curve.velocity(at: x) - slope).magnitude / 0x1p-53 / max(1, slope.magnitude)
      if !(excess <= worstSlope) { (worstSlope, worstRow) = (excess, "slope, \(row)") }
    }
  }
}
