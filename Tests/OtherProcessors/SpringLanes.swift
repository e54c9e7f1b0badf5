// SPDX-License-Identifier: MIT
import Kernels
import Murmuration

/// Columns of springs, all zero.
func emptySprings(_ count: Int, dimensions: Int) -> SpringColumns {
  let all = count * dimensions
  return SpringColumns(
    start: zeroed(count), rate: zeroed(count), decay: zeroed(count), restAge: zeroed(count), logicalAge: zeroed(count),
    displacement: zeroed(all), amplitude: zeroed(all), startStride: count, target: zeroed(all),
    value: zeroed(all), velocity: zeroed(all), dimensionStride: count, dimensions: dimensions)
}

/// The damping regimes of lanes.
enum Regimes {
  case oscillating, overdamped
  /// Each lane has one of both.
  case both
}

/// Columns of drawn springs.
func drawSprings(_ count: Int, dimensions: Int, _ regimes: Regimes, seed: UInt64) -> SpringColumns {
  let columns = emptySprings(count, dimensions: dimensions)
  var random = SplitMix64(seed: seed)
  for lane in 0..<count {
    columns.start[lane] = random.uniform(-2...0)
    let isOscillating = regimes == .oscillating || regimes == .both && random.next() & 1 == 0
    columns.rate[lane] = isOscillating ? random.uniform(-30 ... -0.05) : random.uniform(0.05...30)
    columns.decay[lane] = random.float(0...40)
  }
  for element in 0..<count * dimensions {
    columns.displacement[element] = random.value()
    columns.amplitude[element] = random.value()
    columns.target[element] = random.value()
  }
  return columns
}

/// The number of drawn bases.
let basisCount = 64

/// The bases of drawn motions of both regimes at a time.
func drawBases(at time: Double) -> ConstantColumn<MotionBasis> {
  var random = SplitMix64(seed: 77)
  let columns = BasisColumns(
    start: random.doubles(basisCount, -1...0).constant, rate: random.doubles(basisCount, -30...30).constant,
    α: random.doubles(basisCount, 0...30).constant, κ: random.doubles(basisCount, 0.1...40).constant)
  let bases = zeroed(basisCount, of: MotionBasis.self)
  kernels.evaluateBases(columns, basisCount, time, bases)
  return bases.constant
}

extension Hash {
  /// Adds the results of a kernel.
  mutating func add(outputs columns: SpringColumns) {
    add(columns.value, columns.dimensionStride * columns.dimensions)
    add(columns.velocity, columns.dimensionStride * columns.dimensions)
  }

  /// Adds the motions of lanes.
  mutating func add(motions columns: SpringColumns) {
    let count = columns.dimensionStride
    for lane in 0..<count { add(columns.start[lane]) }
    add(columns.decay, count)
    add(columns.displacement, count * columns.dimensions)
    add(columns.amplitude, count * columns.dimensions)
    add(columns.target, count * columns.dimensions)
  }

  mutating func add(_ basis: MotionBasis) {
    add(basis.valueOfDisplacement)
    add(basis.valueOfAmplitude)
    add(basis.velocityOfDisplacement)
    add(basis.velocityOfAmplitude)
  }
}
