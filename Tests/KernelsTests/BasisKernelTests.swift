// SPDX-License-Identifier: MIT
import Foundation
import Kernels
import Murmuration
import Testing

/// The bases of motions that each instruction set computes many at once have the bits of bases that are computed one by
/// one.
///
/// A basis is rounded to Float, which hides its last bits in Double. So in some motions the terms cancel, and only
/// these bits are left.
struct BasisKernelTests {
  private struct Drawn {
    var start = 0.0
    var rate: Double
    var α: Double
    var κ: Double
  }

  private func bits(_ basis: MotionBasis) -> [UInt32] {
    [
      basis.valueOfDisplacement.bitPattern, basis.valueOfAmplitude.bitPattern, basis.velocityOfDisplacement.bitPattern,
      basis.velocityOfAmplitude.bitPattern,
    ]
  }

  private func bases(_ set: KernelSet, _ motions: [Drawn], now: Double) -> [MotionBasis] {
    let padded = (motions.count + laneCountOfTile - 1) / laneCountOfTile * laneCountOfTile
    let all = motions + [Drawn](repeating: Drawn(rate: 0, α: 0, κ: 0), count: padded - motions.count)
    var bases = [MotionBasis](repeating: .rest, count: padded)
    let (starts, rates) = (all.map(\.start), all.map(\.rate))
    let (αs, κs) = (all.map(\.α), all.map(\.κ))
    starts.withUnsafeBufferPointer { start in
      rates.withUnsafeBufferPointer { rate in
        αs.withUnsafeBufferPointer { α in
          κs.withUnsafeBufferPointer { κ in
            let columns = BasisColumns(
              start: start.column!, rate: rate.column!, α: α.column!, κ: κ.column!)
            bases.withUnsafeMutableBufferPointer { bases in
              set.table.evaluateBases(columns, motions.count, now, bases.column!)
            }
          }
        }
      }
    }
    return Array(bases[..<motions.count])
  }

  private func check(_ set: KernelSet, _ motions: [Drawn], now: Double) {
    for (motion, basis) in zip(motions, bases(set, motions, now: now)) {
      let alone = MotionBasis(rate: motion.rate, α: motion.α, κ: motion.κ, age: now - motion.start)
      #expect(bits(basis) == bits(alone), "\(motion) at \(now)")
      #expect(bits(basis).allSatisfy { Float(bitPattern: $0).isFinite }, "\(motion) at \(now): \(basis)")
    }
  }

  /// Phases up to 10¹² quarter turns and exponents down to −2 000, from tiny ages on, in batches of all sizes.
  @Test(arguments: KernelSet.available) func randomMotionsHaveTheSameBits(_ set: KernelSet) {
    var random = SplitMix64(seed: 130)
    for count in [1, 2, 3, 7, 8, 9, 15, 16, 17, 100, 4_000, 4_001] {
      let now = random.uniform(-1e9...1e9)
      let motions = (0..<count).map { _ in
        let age = exp2(random.uniform(-40...33))
        let phase = exp2(random.uniform(-60...40))
        let exponent = random.next() % 4 == 0 ? random.uniform(0...2_000) : exp2(random.uniform(-60...7))
        let sign = random.next() & 1 == 0 ? 1.0 : -1
        return Drawn(
          start: now - age, rate: sign * phase / age, α: exponent / 1.44 / age, κ: exp2(random.uniform(-40...20)))
      }
      check(set, motions, now: now)
    }
  }

  @Test(arguments: KernelSet.available) func edgesHaveTheSameBits(_ set: KernelSet) {
    var motions: [Drawn] = []
    let phases: [Double] = [
      0, -0.0, 0.5, 1, 1.5, 2, 2.5, 3, 4, 1e12, 1e12 + 0.5, 0x1p50, 1e-300, .leastNonzeroMagnitude, 100, 100.5, 101,
      125, 1_021, 0.49999999999999994, 0.5000000000000001, 2_000,
    ]
    let exponents: [Double] = [0, -0.0, 0.5, 1, 99.5, 100, 100.00000000000001, 101, 1_022, 1_074, 2_000, 1e300, 1e-300]
    for phase in phases {
      for exponent in exponents {
        for κ in [0, 1e-12, 1, 1e6] {
          motions.append(Drawn(rate: -phase, α: exponent / 1.4426950408889634, κ: κ))
          motions.append(Drawn(rate: phase, α: exponent / 1.4426950408889634, κ: κ))
        }
      }
    }
    // Infinite products are not finite, so only the same bits are required here.
    for now in [0, 1, 0.5] {
      for (motion, basis) in zip(motions, bases(set, motions, now: now)) where motion.α < 1e200 {
        let alone = MotionBasis(rate: motion.rate, α: motion.α, κ: motion.κ, age: now)
        #expect(bits(basis) == bits(alone), "\(motion) at \(now)")
      }
    }
    // A jump is at its target at any time.
    let jump = bases(set, [Drawn(rate: -0.0, α: 0, κ: 0)], now: 1e9)[0]
    #expect(jump.velocityOfDisplacement == 0 && jump.velocityOfAmplitude == 0 && jump.valueOfAmplitude == 0)
  }

  /// With the sine for κ and the cosine for α, κ · cos − α · sin is exactly 0. It is not if the kernel has another sine or
  /// cosine than the test, or if the compiler fuses a product.
  @Test(arguments: KernelSet.available) func sineAndCosineAreTheSameDoubles(_ set: KernelSet) {
    var random = SplitMix64(seed: 131)
    // The age is so small that the envelope is 1, and the rates are so high that the phases are the drawn ones.
    let age = 0x1p-600
    let motions = (0..<20_000).map { _ in
      let phase = exp2(random.uniform(-20...40))
      let (sine, cosine) = ReproducibleMath.sineAndCosine(quarterTurns: phase)
      return Drawn(rate: -phase * 0x1p600, α: cosine, κ: sine)
    }
    for (motion, basis) in zip(motions, bases(set, motions, now: age)) {
      #expect(basis.velocityOfAmplitude == 0, "\(motion)")
    }
    check(set, motions, now: age)
  }

  /// In every other motion the terms of the velocity of the displacement cancel; in the others, those of the amplitude
  /// do. Only roundings are left, which show the last bits of the envelopes.
  @Test(arguments: KernelSet.available) func whatCancelsLeavesTheSameBits(_ set: KernelSet) {
    var random = SplitMix64(seed: 132)
    var nonzero = 0
    var motions: [Drawn] = []
    for _ in 0..<10_000 {
      let phase = random.uniform(0...20)
      let α = exp2(random.uniform(-10...5))
      let (sine, cosine) = ReproducibleMath.sineAndCosine(quarterTurns: phase)
      motions.append(Drawn(rate: -phase, α: α, κ: -α * cosine / sine))
      let x = exp2(random.uniform(-20...4))
      let q = ReproducibleMath.oneMinusExp2OfNegative(-x)
      let κ = exp2(random.uniform(-10...5))
      let slow = κ * (1 - q) / q
      motions.append(Drawn(rate: x, α: slow < 60 ? slow : 1, κ: κ))
    }
    check(set, motions, now: 1)
    for (index, basis) in bases(set, motions, now: 1).enumerated() {
      let left = index % 2 == 0 ? basis.velocityOfDisplacement : basis.velocityOfAmplitude
      nonzero += left != 0 && abs(left) < 1e-12 ? 1 : 0
    }
    #expect(nonzero > 5_000, "too few cancelled: \(nonzero)")
  }
}
