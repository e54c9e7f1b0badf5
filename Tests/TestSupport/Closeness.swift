// SPDX-License-Identifier: MIT

/// Whether two numbers are the same, infinities and NaN included, or differ by no more than the given bounds.
///
/// - Parameters:
///   - relative: The bound as a fraction of the expected size.
///   - absolute: The bound in the numbers' own unit.
public func isClose(_ actual: Double, _ expected: Double, relative: Double = 0, absolute: Double = 0) -> Bool {
  if expected.isNaN { return actual.isNaN }
  if actual == expected { return true }
  return (actual - expected).magnitude <= max(absolute, relative * expected.magnitude)
}
