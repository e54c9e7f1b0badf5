// SPDX-License-Identifier: MIT
public import CProcessor

/// The baseline of the architecture: SSE2 on x86-64, NEON on arm64, SIMD of 128 bits in WebAssembly; four floats a vector.
///
/// WebAssembly is compiled twice, with products that the processor fuses (`RELAXED_SIMD`) and with emulated ones: see
/// `Scripts/build-web`.
public enum Portable: FourLanes {
  @export(implementation) @inline(__always)
  public static func fusedMultiplyAdd(_ a: Floats, _ b: Floats, _ c: Floats) -> Floats {
    #if arch(arm64) || RELAXED_SIMD
      return lanes_fused4(a, b, c)
    #else
      return emulatedFusedMultiplyAdd(a, b, c)
    #endif
  }

  @export(implementation) @inline(__always)
  public static func multiplyAdd(_ a: Floats, _ b: Floats, _ c: Floats) -> Floats {
    #if arch(arm64)
      return lanes_fused4(a, b, c)
    #else
      return a * b + c
    #endif
  }

  #if arch(wasm32) && !RELAXED_SIMD
    public typealias Quick = QuickPortable
  #endif
}

/// Four floats a vector, with the operations that the compiler has for it.
public protocol FourLanes: InstructionSet
where Floats == SIMD4<Float>, Ints == SIMD4<Int32>, Doubles == SIMD4<Double>, Longs == SIMD4<Int64> {}

extension FourLanes {
  #if !arch(arm64)
    @export(implementation) @inline(__always)
    public static var isShort: Bool { true }
  #endif

  @export(implementation) @inline(__always)
  public static func maximum(_ a: Floats, _ b: Floats) -> Floats { lanes_max4(a, b) }

  @export(implementation) @inline(__always)
  public static func narrow(_ a: Doubles) -> Floats { lanes_narrow4(a) }

  @export(implementation) @inline(__always)
  public static func widen(_ a: Floats) -> Doubles { lanes_widen4(a) }

  @export(implementation) @inline(__always)
  public static func nearestInteger(_ x: Floats) -> Floats {
    // Adding 1.5 · 2²³ leaves no bit for the fraction.
    let shifter = Floats(repeating: 12_582_912)
    return (x + shifter) - shifter
  }

  @export(implementation) @inline(__always)
  public static func scale(_ x: Floats, byPowerOf n: Floats) -> Floats {
    // The same sum again: its low bits hold the integer.
    let exponent = unsafe unsafeBitCast(n + Floats(repeating: 12_582_912), to: Ints.self) &<< Ints(repeating: 23)
    return unsafe unsafeBitCast(unsafeBitCast(x, to: Ints.self) &+ exponent, to: Floats.self)
  }

  @export(implementation) @inline(__always)
  public static func select(_ bits: Ints, _ a: Floats, _ b: Floats) -> Floats { lanes_select4(bits, a, b) }

  @export(implementation) @inline(__always)
  public static func clear(_ a: Floats, whereNegative marks: Ints) -> Floats { lanes_clear4(a, marks) }

  @export(implementation) @inline(__always)
  public static func truncate(_ a: Longs) -> Ints { lanes_truncate4(a) }

  @export(implementation) @inline(__always)
  public static func isGreater(_ a: Ints, _ b: Ints) -> Ints { lanes_greater4(a, b) }

  @export(implementation) @inline(__always)
  public static func convert(_ a: Ints) -> Floats { lanes_floats4(a) }

  @export(implementation) @inline(__always)
  public static func gather(_ table: ConstantColumn<Int32>, _ index: Ints) -> Ints {
    unsafe lanes_gather4(table.address, index)
  }

  @export(implementation) @inline(__always)
  public static func fourths(_ numbers: ConstantColumn<Double>) -> Doubles { unsafe lanes_fourths4(numbers.address) }

  @export(implementation) @inline(__always)
  public static func records(_ table: ConstantColumn<Float>, _ index: Ints) -> Records<Self> {
    var records = Records<Self>(x: .zero, y: .zero, z: .zero, w: .zero)
    unsafe lanes_records4(table.address, index, &records)
    return records
  }

  @export(implementation) @inline(__always)
  public static func quadRecords(
    _ a: ConstantColumn<Float>, _ b: ConstantColumn<Float>, _ c: ConstantColumn<Float>, _ d: ConstantColumn<Float>
  ) -> Records<Self> {
    var records = Records<Self>(x: .zero, y: .zero, z: .zero, w: .zero)
    unsafe lanes_quad_records4(a.address, b.address, c.address, d.address, &records)
    return records
  }

  @export(implementation) @inline(__always)
  public static func sameQuads(_ quad: ConstantColumn<Float>) -> Floats { unsafe lanes_same_quads4(quad.address) }

  @export(implementation) @inline(__always)
  public static func loadQuads(
    _ column: ConstantColumn<Float>, _ components: ConstantColumn<Int32>, stride: Int, count: Int
  ) -> Floats {
    unsafe lanes_load_quads4(column.address, components.address, stride, count)
  }

  @export(implementation) @inline(__always)
  public static func storeQuads(
    _ a: Floats, rows: UInt32, to column: Column<Float>, _ components: ConstantColumn<Int32>, stride: Int, count: Int
  ) {
    unsafe lanes_store_quads4(a, rows, column.address, components.address, stride, count)
  }

  @export(implementation) @inline(__always)
  public static func squareRoot(_ a: Floats) -> Floats { lanes_sqrt4(a) }

  @export(implementation) @inline(__always)
  public static func least(_ a: Floats) -> Float { lanes_least4(a) }

  @export(implementation) @inline(__always)
  public static func greatestOfTile(_ values: Column<Double>) -> Double {
    unsafe lanes_greatest_of_tile(values.address)
  }

  @export(implementation) @inline(__always)
  public static func leastOfTile(_ values: Column<Double>) -> Double { unsafe lanes_least_of_tile(values.address) }

  @export(implementation) @inline(__always)
  public static func signs(_ a: Ints) -> UInt32 { lanes_signs4(a) }

  @export(implementation) @inline(__always)
  public static func positives(_ a: Doubles) -> UInt32 { lanes_positives4(a) }

  @export(implementation) @inline(__always)
  public static func list(_ marks: Ints, from first: Int32, to list: Column<Int32>) -> Int {
    unsafe lanes_list4(marks, first, list.address)
  }

  @export(implementation) @inline(__always)
  public static func stream(_ a: Floats, to address: Column<Float>) { unsafe lanes_stream4(address.address, a) }

  @export(implementation) @inline(__always)
  public static func fence() { lanes_fence() }
}
