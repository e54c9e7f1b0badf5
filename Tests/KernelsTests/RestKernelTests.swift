// SPDX-License-Identifier: MIT
import Foundation
import TestSupport
import Testing

@testable import Kernels
@testable import Murmuration
@testable import MurmurationEngine

/// The ages of rest that kernels compute, against the same bound in Double and against the model.
struct RestKernelTests {
  private struct Draw {
    var spring: Spring
    var displacement: Float
    var velocity: Float

    init(_ random: inout SplitMix64) {
      func logarithmic(_ range: ClosedRange<Double>) -> Double {
        range.lowerBound * pow(range.upperBound / range.lowerBound, random.unit())
      }
      let bounce =
        switch random.next() % 6 {
        case 0: random.uniform(0...0.99)
        case 1: 1 - logarithmic(1e-9...1)
        case 2: logarithmic(1e-15...1)
        case 3: -logarithmic(1e-15...0.9)
        case 4: -1 + logarithmic(1e-15...1)
        default: 0.0
        }
      spring = Spring(duration: logarithmic(1e-4...1e6), bounce: bounce)
      let sign: Float = random.next() & 1 == 0 ? 1 : -1
      displacement = random.next() % 8 == 0 ? 0 : sign * Float(logarithmic(1e-6...1e15))
      velocity = random.next() % 4 == 0 ? 0 : Float(logarithmic(1e-6...1e15)) * (random.next() & 1 == 0 ? 1 : -1)
    }
  }

  private static let tolerances: [RestTolerances] = {
    let all: [(Float, Float?)] = [(1e-3, nil), (1e-30, nil), (1e15, nil), (1e-3, 1e30), (1e15, 1e-30), (5, 1e-3)]
    return all.compactMap { try? RestTolerances(value: $0, velocity: $1) }
  }()

  /// The largest power of 2 that a kernel takes for the ratio of a motion to its tolerance; it counts larger ratios as
  /// this one.
  private static let mostDoublings = 124.0

  /// The rest ages of sixteen draws on an instruction set.
  private func ages(_ draws: [Draw], _ set: KernelSet, _ tolerance: RestTolerance) -> [Double] {
    let storage = SpringStorage(dimensions: 1, count: 16)
    let columns = storage.columns
    for (lane, draw) in draws.enumerated() {
      let coefficients = SpringCoefficients(accepted: draw.spring)
      columns.rate[lane] = coefficients.rate
      columns.decay[lane] = coefficients.decay
      columns.displacement[lane] = draw.displacement
      columns.amplitude[lane] = AmplitudeRule(coefficients).amplitude(
        displacement: draw.displacement, velocity: draw.velocity)
    }
    let run = LaneRun(firstLane: 0, laneCount: 16)
    set.table.computeRest(columns, run, tolerance)
    return (0..<16).map { Double(columns.restAge[$0]) }
  }

  @Test func anAgeOfRestIsNeverEarly() {
    var random = SplitMix64(seed: 32)
    for tolerances in Self.tolerances {
      for _ in 0..<Effort.draws(quick: 150, soak: 1_000) {
        let draws = (0..<16).map { _ in Draw(&random) }
        let kernel = ages(draws, .portable, tolerances.kernel)
        for (draw, age) in zip(draws, kernel) {
          let exact = draw.spring.restTime(
            target: -Double(draw.displacement), initialVelocity: Double(draw.velocity),
            tolerance: Double(tolerances.value), velocityTolerance: tolerances.velocity.map { Double($0) })
          let decay = Double(SpringCoefficients(accepted: draw.spring).decay)
          #expect(
            age >= exact || age >= 2e10 || age * decay >= Self.mostDoublings,
            "\(draw) \(tolerances): \(age) for \(exact)")
          let spring = SpringCoefficients(accepted: draw.spring)
          let least = spring.isJump ? 0 : min(draw.spring.duration / 8, 1.0 / 30)
          #expect(age >= 0.9999 * least && age >= Double(spring.leastRestAge), "\(draw): \(age) for \(least)")
        }
      }
    }
  }

  // MARK: - Logarithms

  @Test func roughLogarithmsAreTwoTenThousandthsOffAtMost() {
    var worst = 0.0
    // All mantissas in small steps, and every exponent with a few of them.
    var arguments = stride(from: Float(1), to: 2, by: 0x1p-14).map { $0 }
    for exponent in -126...127 {
      for significand in [Float(1), 1.0000001, 1.3, 1.5, 1.9, 1.9999999] {
        arguments.append(Float(sign: .plus, exponent: exponent, significand: significand))
      }
    }
    for x in arguments {
      let exact = log2(Double(x))
      let kernel = Portable.roughLog2(SIMD4(repeating: x))[2]
      worst = max(worst, abs(Double(kernel) - exact))
    }
    #expect(worst <= 0.0002 && worst > 1e-5, "\(worst)")
  }

  @Test func logarithmsOfWhatHasNoneAreOnTheSafeSide() {
    let odd = Portable.roughLog2(SIMD4(0, .leastNonzeroMagnitude, .infinity, .nan))
    #expect(odd[0] < -126 && odd[1] < -126 && odd[2] >= 128 && odd[3] >= 128)
    #expect(Portable.roughLog2(SIMD4(repeating: -8)) == Portable.roughLog2(SIMD4(repeating: 8)))
  }
}
