// SPDX-License-Identifier: MIT
import AnimationModel
import Testing

@testable import Murmuration

/// The coefficients that kernels get of a spring describe the same spring.
struct SpringCoefficientsTests {
  /// From clearly damped either way to critical, where the frequency is raised to a floor.
  @Test(arguments: [0.5, 1e-3, 1e-9, 1e-11, 1e-13, 1e-15, 1e-300])
  func theyKeepTheNaturalFrequency(_ bounce: Double) {
    for bounce in [bounce, 0, -bounce] {
      for duration in [1e-4, 0.5, 1e6] {
        let spring = Spring(duration: duration, bounce: bounce)
        let coefficients = SpringCoefficients(accepted: spring)
        #expect(coefficients.κ >= 0.999_999e-6 * spring.naturalFrequency)
        let ratio = coefficients.naturalFrequency / spring.naturalFrequency
        // The decay is rounded to a Float.
        #expect(abs(ratio - 1) < 0x1p-24, "duration \(duration), bounce \(bounce)")
      }
    }
  }
}
