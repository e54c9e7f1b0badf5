// SPDX-License-Identifier: MIT

/// The cubic that one component of a vector follows between two keys: the specification's formula, up to rounding.
struct KeyCubic {
  /// The value, and the first, half the second and a sixth of the third derivative at the first key, per second.
  private let coefficients: SIMD4<Double>
  private let duration: Double

  /// The way of `component` from one key to the next, `duration` seconds later.
  init(_ sampler: GLTFAnimation.Sampler, component: Int, from first: Int, to last: Int, duration: Double) {
    self.duration = duration
    let start = sampler.values[sampler.position(key: first) + component]
    let end = sampler.values[sampler.position(key: last) + component]
    switch sampler.interpolation {
    case .step:
      coefficients = SIMD4(start, 0, 0, 0)
    case .linear:
      coefficients = SIMD4(start, (end - start) / duration, 0, 0)
    case .cubicSpline:
      let leaving = sampler.values[sampler.position(key: first, part: 2) + component]
      let arriving = sampler.values[sampler.position(key: last, part: 0) + component]
      let slope = (end - start) / duration
      coefficients = SIMD4(
        start, leaving, (3 * slope - 2 * leaving - arriving) / duration,
        (leaving + arriving - 2 * slope) / duration / duration)
    }
  }

  /// The coefficients as seen from a point `offset` seconds after the first key.
  func shifted(by offset: Double) -> SIMD4<Double> {
    let c = coefficients
    return SIMD4(
      c.x + offset * (c.y + offset * (c.z + offset * c.w)), c.y + offset * (2 * c.z + offset * 3 * c.w),
      c.z + offset * 3 * c.w, c.w)
  }

  /// A bound of the rounding error, in Double: some units in the last place of the largest term.
  var valueError: Double { 0x1p-49 * reach }
  /// The same for the velocity, per second.
  var velocityError: Double { 0x1p-46 * reach / duration }

  private var reach: Double {
    let c = coefficients
    return abs(c.x) + duration * (abs(c.y) + duration * (abs(c.z) + duration * abs(c.w)))
  }
}
