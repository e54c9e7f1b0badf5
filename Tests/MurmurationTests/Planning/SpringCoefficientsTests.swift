// SPDX-License-Identifier: MIT
import AnimationModel
import Kernels
import Testing

@testable import Murmuration
@testable import MurmurationEngine

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

  /// Springs of one call are converted a vector at a time, with the bits of one.
  @Test(arguments: KernelSet.available) func manyHaveTheBitsOfOne(_ kernels: KernelSet) throws {
    var springs: [Spring] = []
    for duration in [1e-4, 0.3, 1e6] {
      for bounce in [-1 + 1e-9, -0.5, -1e-13, 0, 1e-300, 1e-9, 0.7, 1] {
        springs.append(Spring(duration: duration, bounce: bounce))
        springs.append(Spring(mass: 3, stiffness: 3 * 1e3 * duration, damping: 20 * (1 - bounce)))
      }
    }
    springs += [Spring(duration: 0), Spring(duration: 0.5), Spring(duration: 0.25, bounce: 0.25)]
    var list = SpringList()
    try list.set(springs.span, kernels.table)
    #expect(springs.indices.map { list[$0] } == springs.map { SpringCoefficients(accepted: $0) })
  }

  /// Springs that batches refuse are found in a full vector and behind the last one. The first of them is told.
  @Test(arguments: KernelSet.available) func theFirstRefusedOfManyIsTold(_ kernels: KernelSet) throws {
    let refused = [
      Spring(duration: .nan), Spring(duration: 1e7), Spring(duration: 1e-5), Spring(duration: -0.5, bounce: 0.5),
      Spring(duration: 0.5, bounce: -1),
      Spring(naturalFrequency: 10, decayConstant: 1, angularFrequency: 9, mass: .infinity),
      Spring(naturalFrequency: 10, decayConstant: 2e17, angularFrequency: -2e17, mass: 1),
      Spring(naturalFrequency: 10, decayConstant: .nan, angularFrequency: 9, mass: 1),
      Spring(naturalFrequency: 10, decayConstant: 1, angularFrequency: .infinity, mass: 1),
      Spring(naturalFrequency: 10, decayConstant: 1, angularFrequency: -.infinity, mass: 1),
      Spring(naturalFrequency: 10, decayConstant: 1, angularFrequency: 9, mass: 0),
      Spring(naturalFrequency: 10, decayConstant: 1, angularFrequency: 9, mass: .nan),
    ]
    var list = SpringList()
    for (kind, bad) in refused.enumerated() {
      for place in [3, 20, 50] {
        var springs = [Spring](repeating: Spring(duration: 0.5), count: 51)
        (springs[place], springs[50]) = (bad, bad)
        #expect("refused spring \(kind) at \(place)") { try list.set(springs.span, kernels.table) } throws: { error in
          if case .invalidSpring(place, _)? = error as? BatchError { true } else { false }
        }
      }
    }
  }

  /// The fastest spring of a tile says when a motion in it may be at rest first, and that of no other tile does.
  @Test(arguments: KernelSet.available) func theFastestOfATileIsFound(_ kernels: KernelSet) throws {
    for place in [0, 3, 15, 16, 40, 49] {
      var springs = [Spring](repeating: Spring(duration: 0.5), count: 50)
      springs[place] = Spring(duration: 0.01, bounce: 0.5)
      var list = SpringList()
      try list.set(springs.span, kernels.table)
      for first in [0, 5, 16, 32, 34] {
        let isThere = first..<first + laneCountOfTile ~= place
        let least = SpringCoefficients(accepted: springs[isThere ? place : (place + 1) % 50]).leastRestAge
        #expect(abs(list.leastRestAge(ofTileFrom: first) / least - 1) < 1e-6)
      }
    }
  }
}
