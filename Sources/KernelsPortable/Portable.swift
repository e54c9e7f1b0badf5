// SPDX-License-Identifier: MIT
import CProcessor
public import Kernels

/// The baseline of the architecture: SSE2 on x86-64, NEON on arm64; four floats a vector.
enum Portable: InstructionSet {
  typealias Floats = SIMD4<Float>
  typealias Ints = SIMD4<Int32>
  typealias Doubles = SIMD4<Double>
  typealias Longs = SIMD4<Int64>

  @inline(__always)
  static func fusedMultiplyAdd(_ a: Floats, _ b: Floats, _ c: Floats) -> Floats {
    #if arch(arm64)
      return c.addingProduct(a, b)
    #else
      return emulatedFusedMultiplyAdd(a, b, c)
    #endif
  }

  @inline(__always)
  static func maximum(_ a: Floats, _ b: Floats) -> Floats { lanes_max4(a, b) }

  @inline(__always)
  static func narrow(_ a: Doubles) -> Floats { lanes_narrow4(a) }

  @inline(__always)
  static func widen(_ a: Floats) -> Doubles { lanes_widen4(a) }

  @inline(__always)
  static func nearestInteger(_ x: Floats) -> Floats {
    // Adding 1.5 · 2²³ leaves no bit for the fraction.
    let shifter = Floats(repeating: 12_582_912)
    return (x + shifter) - shifter
  }

  @inline(__always)
  static func scale(_ x: Floats, byPowerOf n: Floats) -> Floats {
    // The same sum again: its low bits hold the integer.
    let exponent = unsafeBitCast(n + Floats(repeating: 12_582_912), to: Ints.self) &<< Ints(repeating: 23)
    return unsafeBitCast(unsafeBitCast(x, to: Ints.self) &+ exponent, to: Floats.self)
  }

  @inline(__always)
  static func select(_ bits: Ints, _ a: Floats, _ b: Floats) -> Floats { lanes_select4(bits, a, b) }

  @inline(__always)
  static func truncate(_ a: Longs) -> Ints { lanes_truncate4(a) }

  @inline(__always)
  static func squareRoot(_ a: Floats) -> Floats { lanes_sqrt4(a) }

  @inline(__always)
  static func least(_ a: Floats) -> Float { lanes_least4(a) }

  @inline(__always)
  static func signs(_ a: Ints) -> UInt32 { lanes_signs4(a) }

  @inline(__always)
  static func stream(_ a: Floats, to address: UnsafeMutablePointer<Float>) { lanes_stream4(address, a) }

  @inline(__always)
  static func streamHalves(_ a: Floats, to address: UnsafeMutablePointer<Float>) { lanes_stream4(address, a) }

  @inline(__always)
  static func fence() { lanes_fence() }
}

/// The kernels compiled for the baseline.
public let kernelsPortable = KernelTable(
  width: 4,
  evaluateCohort: { Portable.evaluateCohort($0, $1, $2, velocities: $3) },
  evaluateShared: { Portable.evaluateShared($0, $1, $2, velocities: $3) },
  evaluateOscillating: { Portable.evaluateMixed($0, $1, now: $2, Oscillating.self, velocities: $3) },
  evaluateOverdamped: { Portable.evaluateMixed($0, $1, now: $2, Overdamped.self, velocities: $3) },
  evaluateBases: { Portable.evaluateBases($0, count: $1, now: $2, $3) },
  restartCohort: { Portable.restartCohort($0, $1, $2, $3, stride: $4) },
  restartOscillating: { Portable.restartMixed($0, $1, now: $2, $3, stride: $4, Oscillating.self) },
  restartOverdamped: { Portable.restartMixed($0, $1, now: $2, $3, stride: $4, Overdamped.self) },
  findDue: { Portable.findDue($0, $1, now: $2, $3) },
  restOscillating: { Portable.computeRest($0, $1, $2, Oscillating.self) },
  restOverdamped: { Portable.computeRest($0, $1, $2, Overdamped.self) },
  bake: BakeKernels(
    lanes: { Portable.bakeLanes($0, count: $1, $2, $3) },
    cohort: { Portable.bakeCohort($0, count: $1, $2, frames: $3, $4) }))
