// SPDX-License-Identifier: MIT
import AnimationModel
import Kernels
@testable import Murmuration
@testable import MurmurationClips
@testable import MurmurationEngine

/// Functions of single numbers, with which curves and phases are computed.
func singleNumbers(_ hash: inout Hash) {
  var random = SplitMix64(seed: 8)
  for _ in 0..<4096 {
    let x = random.uniform(-110...0)
    let tiny = x * 0x1p-40
    hash.add(ReproducibleMath.exp2OfNegative(x))
    hash.add(ReproducibleMath.oneMinusExp2OfNegative(x))
    hash.add(ReproducibleMath.oneMinusExp2OfNegative(tiny))
    let (sine, cosine) = ReproducibleMath.sineAndCosine(quarterTurns: random.uniform(-1e6...1e6))
    hash.add(sine)
    hash.add(cosine)
  }
}

/// The numbers that lanes get for springs of all bounces: coefficients, amplitudes, least ages of rest, bases.
func plans(_ hash: inout Hash) {
  var random = SplitMix64(seed: 9)
  for draw in 0..<4096 {
    let bounce = draw % 8 == 0 ? 0 : draw % 8 == 1 ? 1 : random.uniform(-0.999...1)
    let spring = Spring(duration: random.uniform(0.01...10), bounce: bounce)
    let coefficients = SpringCoefficients(accepted: spring)
    hash.add(coefficients.rate)
    hash.add(coefficients.decay)
    hash.add(coefficients.α)
    hash.add(coefficients.κ)
    hash.add(coefficients.logicalAge ?? .infinity)
    let (displacement, velocity) = (random.value(), random.value())
    let amplitude = AmplitudeRule(coefficients).amplitude(displacement: displacement, velocity: velocity)
    hash.add(amplitude)
    hash.add(coefficients.leastRestAge)
    hash.add(coefficients.basis(age: random.uniform(0...20)))
  }
}

/// The numbers of many springs at once, by the kernel.
func springLists(_ hash: inout Hash) {
  let count = 1024
  var random = SplitMix64(seed: 11)
  let limits = SpringLimits(leastFrequency: 0.5, greatestFrequency: 800, greatestDampingRatio: 1e16)
  var numbers: [Double] = []
  for draw in 0..<count {
    let bounce = draw % 8 == 0 ? 0 : draw % 8 == 1 ? 1 : random.uniform(-0.999...1)
    let spring = Spring(duration: random.uniform(0.01...10), bounce: bounce)
    numbers += [spring.naturalFrequency, spring.decayConstant, spring.angularFrequency, spring.mass]
  }
  // Behind these comes one that is refused.
  numbers[4 * 1000] = 900
  let (rates, decays) = (zeroed(count, of: Double.self), zeroed(count, of: Float.self))
  let frequencies = zeroed(count, of: Float.self)
  numbers.withConstantColumn {
    hash.add(UInt64(kernels.convertSprings($0, count, limits, rates, decays, frequencies)))
  }
  for index in 0..<count { hash.add(rates[index]) }
  hash.add(decays, count)
  hash.add(frequencies, count)
}

/// Bézier curves as pieces.
func curveFits(_ hash: inout Hash) {
  var random = SplitMix64(seed: 10)
  for _ in 0..<32 {
    let curve = UnitCurve.bezier(
      startControlPoint: UnitPoint(x: random.unit(), y: random.uniform(-1...2)),
      endControlPoint: UnitPoint(x: random.unit(), y: random.uniform(-1...2)))
    guard let fit = CurveFit(curve, tolerance: 0x1p-24) else {
      hash.add(UInt64.max)
      continue
    }
    for time in fit.times { hash.add(time) }
    for piece in fit.pieces {
      for power in 0..<4 { hash.add(piece[power]) }
    }
  }
}
