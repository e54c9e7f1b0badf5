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
      return lanes_fused4(a, b, c)
    #else
      return emulatedFusedMultiplyAdd(a, b, c)
    #endif
  }

  @inline(__always)
  static func multiplyAdd(_ a: Floats, _ b: Floats, _ c: Floats) -> Floats {
    #if arch(arm64)
      return lanes_fused4(a, b, c)
    #else
      return a * b + c
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
    let exponent = unsafe unsafeBitCast(n + Floats(repeating: 12_582_912), to: Ints.self) &<< Ints(repeating: 23)
    return unsafe unsafeBitCast(unsafeBitCast(x, to: Ints.self) &+ exponent, to: Floats.self)
  }

  @inline(__always)
  static func select(_ bits: Ints, _ a: Floats, _ b: Floats) -> Floats { lanes_select4(bits, a, b) }

  @inline(__always)
  static func clear(_ a: Floats, whereNegative marks: Ints) -> Floats { lanes_clear4(a, marks) }

  @inline(__always)
  static func truncate(_ a: Longs) -> Ints { lanes_truncate4(a) }

  @inline(__always)
  static func isGreater(_ a: Ints, _ b: Ints) -> Ints { lanes_greater4(a, b) }

  @inline(__always)
  static func convert(_ a: Ints) -> Floats { lanes_floats4(a) }

  @inline(__always)
  static func gather(_ table: ConstantColumn<Int32>, _ index: Ints) -> Ints {
    unsafe lanes_gather4(table.address, index)
  }

  @inline(__always)
  static func records(_ table: ConstantColumn<Float>, _ index: Ints) -> Records<Self> {
    var records = Records<Self>(x: .zero, y: .zero, z: .zero, w: .zero)
    unsafe lanes_records4(table.address, index, &records)
    return records
  }

  @inline(__always)
  static func quadRecords(
    _ a: ConstantColumn<Float>, _ b: ConstantColumn<Float>, _ c: ConstantColumn<Float>, _ d: ConstantColumn<Float>
  ) -> Records<Self> {
    var records = Records<Self>(x: .zero, y: .zero, z: .zero, w: .zero)
    unsafe lanes_quad_records4(a.address, b.address, c.address, d.address, &records)
    return records
  }

  @inline(__always)
  static func sameQuads(_ quad: ConstantColumn<Float>) -> Floats { unsafe lanes_same_quads4(quad.address) }

  @inline(__always)
  static func loadQuads(
    _ column: ConstantColumn<Float>, _ components: ConstantColumn<Int32>, stride: Int, count: Int
  ) -> Floats {
    unsafe lanes_load_quads4(column.address, components.address, stride, count)
  }

  @inline(__always)
  static func storeQuads(
    _ a: Floats, rows: UInt32, to column: Column<Float>, _ components: ConstantColumn<Int32>, stride: Int, count: Int
  ) {
    unsafe lanes_store_quads4(a, rows, column.address, components.address, stride, count)
  }

  @inline(__always)
  static func squareRoot(_ a: Floats) -> Floats { lanes_sqrt4(a) }

  @inline(__always)
  static func least(_ a: Floats) -> Float { lanes_least4(a) }

  @inline(__always)
  static func greatestOfTile(_ values: Column<Double>) -> Double { unsafe lanes_greatest_of_tile(values.address) }

  @inline(__always)
  static func leastOfTile(_ values: Column<Double>) -> Double { unsafe lanes_least_of_tile(values.address) }

  @inline(__always)
  static func signs(_ a: Ints) -> UInt32 { lanes_signs4(a) }

  @inline(__always)
  static func list(_ marks: Ints, from first: Int32, to list: Column<Int32>) -> Int {
    unsafe lanes_list4(marks, first, list.address)
  }

  @inline(__always)
  static func stream(_ a: Floats, to address: Column<Float>) { unsafe lanes_stream4(address.address, a) }

  @inline(__always)
  static func streamHalves(_ a: Floats, to address: Column<Float>) { unsafe lanes_stream4(address.address, a) }

  @inline(__always)
  static func fence() { lanes_fence() }
}

/// arm64 has 32 registers, x86-64 without AVX-512 has 16.
#if arch(arm64)
  typealias PortableRow = WideRow<Portable>
#else
  typealias PortableRow = NarrowRow<Portable>
#endif

/// The kernels compiled for the baseline.
public let kernelsPortable = unsafe KernelTable(
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
  bake: unsafe BakeKernels(
    lanes: { Portable.bakeLanes($0, count: $1, $2, $3) },
    cohort: { Portable.bakeCohort($0, count: $1, $2, frames: $3, $4) },
    legs: { unsafe Portable.bakeLegs($0, times: $1, $2, velocities: $3, varies: $4) },
    motions: { Portable.bakeMotions($0, count: $1, $2, velocities: $3) },
    write: { Portable.writeBlock($0, lanes: $1, frames: $2, $3) }),
  evaluateClips: { unsafe Portable.evaluateClips($0, $1, tables: $2, now: $3, velocities: $4) },
  intervals: IntervalKernels(
    list: { Portable.listOutside($0, count: $1, now: $2, $3) },
    listRows: { Portable.listRows($0, $1, now: $2, $3) },
    findLanes: { Portable.findLanes($0, $1, now: $2, $3) },
    intersect: { Portable.intersect($0, $1, $2) },
    placeLegs: { Portable.placeLegs($0, $1, now: $2, shortest: $3, $4, $5) }),
  evaluateRows: { Portable.evaluateRows($0, piece: $1, distance: $2, rate: $3, stores: $4) },
  bakePieces: { Portable.bakePieces($0, count: $1, $2, frames: $3, $4) },
  matrices: MatrixKernels(
    panelColumns: Portable.panelColumns(PortableRow.self), multiply: { Portable.multiply($0, PortableRow.self) },
    scale: { Portable.scale($0) }, isWithin: { Portable.isWithin($0, $1, $2) },
    addValues: { Portable.addValues($0) }, addRotations: { Portable.addRotations($0) },
    finishValues: { Portable.finishValues($0, rest: $1) },
    finishRotations: { Portable.finishRotations($0, rest: $1) }),
  fence: { Portable.fence() })
