// SPDX-License-Identifier: MIT
import CProcessor
import Kernels

// What sequences of phases ask of springs: tracks at rest, motions that begin at moments of their own, pauses.
extension SpringBatch {
  /// Adds a track at rest that moves alone; there must be room.
  mutating func addAtRest(value: (Int) -> Float) -> Int {
    let row = takeRow(TileKind.oscillating)
    let slot = take(row)
    for dimension in 0..<dimensions {
      unsafe columnValue(row, dimension).pointee = value(dimension) + 0
      unsafe columnVelocity(row, dimension).pointee = 0
    }
    _ = setAlone(row, .jump, start: time)
    let rule = AmplitudeRule(SpringCoefficients.jump)
    for dimension in 0..<dimensions {
      start(row, dimension, target: value(dimension), rule)
    }
    return slot
  }

  /// Starts a motion of a track at its own moment, from what the motion before it has come to. What it shows is left to
  /// the next frame.
  ///
  /// - Parameters:
  ///   - slot: The track, which moves alone.
  ///   - step: The motion that begins.
  ///   - basis: That of the motion before at the moment; nil to compute it.
  ///   - moment: When it begins: not before the motion before it.
  ///   - targets: Where it leads, by dimension.
  mutating func setOut(
    _ slot: Int, _ step: SpringStep, after basis: CohortBasis?, at moment: Double, targets: Span<Float>
  ) {
    let old = slots.row(of: slot)
    let basis = basis ?? self.basis(ofRow: old, at: moment)
    // What the old row shows stays readable in another one.
    let row = setAlone(old, step.coefficients, start: moment)
    let columns = storage.columns
    for dimension in 0..<dimensions {
      let offset = dimension * columns.dimensionStride
      let y = unsafe columns.displacement[offset + old]
      let a = unsafe columns.amplitude[offset + old]
      let value = unsafe (basis.valueOfDisplacement * y + basis.valueOfAmplitude * a) + columns.target[offset + old]
      let velocity = basis.velocityOfDisplacement * y + basis.velocityOfAmplitude * a + 0
      // The sum makes a −0 a plain 0, as in the kernels.
      let target = targets[dimension] + 0
      let displacement = step.rule.jumps ? 0 : value - target
      unsafe columns.target[offset + row] = target
      unsafe columns.displacement[offset + row] = displacement
      unsafe columns.amplitude[offset + row] = step.rule.amplitude(displacement: displacement, velocity: velocity)
    }
  }

  /// Asks for what leads to the row of a track.
  @inline(__always)
  func prefetch(slot: Int) { slots.prefetch(UInt32(truncatingIfNeeded: slot)) }

  /// Asks for what a motion reads and writes that is about to begin.
  @inline(__always)
  func prefetchMotion(ofSlot slot: Int) {
    let row = slots.row(of: slot)
    let columns = storage.columns
    unsafe lanes_prefetch(columns.start + row)
    unsafe lanes_prefetch(columns.rate + row)
    unsafe lanes_prefetch(columns.decay + row)
    for dimension in 0..<dimensions {
      let element = dimension * columns.dimensionStride + row
      unsafe lanes_prefetch(columns.displacement + element)
      unsafe lanes_prefetch(columns.amplitude + element)
      unsafe lanes_prefetch(columns.target + element)
    }
  }

  /// The basis of a track that moves alone, at a moment.
  private func basis(ofRow row: Int, at moment: Double) -> CohortBasis {
    let columns = storage.columns
    let coefficients = coefficients(ofRow: row)
    guard !coefficients.isJump else { return .rest }
    let age = unsafe moment - columns.start[row]
    var (displacement, amplitude): (Float, Float) = (0, 0)
    for dimension in 0..<dimensions {
      let element = dimension * columns.dimensionStride + row
      displacement = unsafe max(displacement, abs(columns.displacement[element]))
      amplitude = unsafe max(amplitude, abs(columns.amplitude[element]))
    }
    let bound = RestBound(
      coefficients, displacement: Double(displacement) * Double(dimensions),
      amplitude: Double(amplitude) * Double(dimensions))
    return age >= bound.age(tolerance.kernel) ? .rest : coefficients.basis(age: age)
  }

  // MARK: - Cycles

  /// Has a track's motion be that of some cycles later: displacement and amplitude become a linear function of themselves.
  ///
  /// - Parameters:
  ///   - slot: The track, which moves alone.
  ///   - seconds: By how much later its motion begins.
  ///   - state: Makes the new displacement and amplitude of a dimension of the old ones.
  func moveOn(_ slot: Int, by seconds: Double, _ state: (_ dimension: Int, SIMD2<Double>) -> SIMD2<Double>) {
    let row = slots.row(of: slot)
    let columns = storage.columns
    unsafe columns.start[row] += seconds
    for dimension in 0..<dimensions {
      let element = dimension * columns.dimensionStride + row
      let old = unsafe SIMD2(Double(columns.displacement[element]), Double(columns.amplitude[element]))
      let new = state(dimension, old)
      unsafe columns.displacement[element] = Float(new.x)
      unsafe columns.amplitude[element] = Float(new.y)
    }
  }

  // MARK: - Pauses

  /// Holds a track where it is, and returns its motion.
  mutating func hold(_ slot: Int) -> HeldMotion {
    let row = slots.row(of: slot)
    let columns = storage.columns
    let coefficients = coefficients(ofRow: row)
    var held = unsafe HeldMotion(coefficients: coefficients, age: time - columns.start[row])
    for dimension in 0..<dimensions {
      let element = dimension * columns.dimensionStride + row
      unsafe held.states.append(
        SIMD3(columns.displacement[element], columns.amplitude[element], columns.target[element]))
      unsafe columns.target[element] = columns.value[element] + 0
      unsafe columns.displacement[element] = 0
      unsafe columns.amplitude[element] = 0
      unsafe columns.velocity[element] = 0
    }
    restartAlone(row, start: time)
    return held
  }

  /// Lets a track that is held go on.
  mutating func release(_ slot: Int, _ held: HeldMotion) {
    let row = setAlone(slots.row(of: slot), held.coefficients, start: time - held.age)
    let columns = storage.columns
    let basis = held.coefficients.isJump ? .rest : held.coefficients.basis(age: held.age)
    for dimension in 0..<dimensions {
      let element = dimension * columns.dimensionStride + row
      let state = held.states[dimension]
      unsafe columns.displacement[element] = state.x
      unsafe columns.amplitude[element] = state.y
      unsafe columns.target[element] = state.z
      unsafe columns.velocity[element] =
        basis.velocityOfDisplacement * state.x + basis.velocityOfAmplitude * state.y + 0
    }
  }
}

/// The motion of a track that is held: what it goes on with.
struct HeldMotion {
  let coefficients: SpringCoefficients
  /// Seconds since it began.
  let age: Double
  /// Displacement, amplitude and target, by dimension.
  var states: [SIMD3<Float>] = []
}
