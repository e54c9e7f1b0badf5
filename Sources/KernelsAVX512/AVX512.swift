// SPDX-License-Identifier: MIT
import CProcessor
public import Kernels

/// x86-64-v4: sixteen floats a vector, fused products.
enum AVX512: RegisterLookup {
  typealias Floats = SIMD16<Float>
  typealias Ints = SIMD16<Int32>
  typealias Doubles = SIMD16<Double>
  typealias Longs = SIMD16<Int64>

  @inline(__always)
  static func fusedMultiplyAdd(_ a: Floats, _ b: Floats, _ c: Floats) -> Floats { lanes_fused16(a, b, c) }

  @inline(__always)
  static func maximum(_ a: Floats, _ b: Floats) -> Floats { lanes_max16(a, b) }

  @inline(__always)
  static func narrow(_ a: Doubles) -> Floats { lanes_narrow16(a) }

  @inline(__always)
  static func widen(_ a: Floats) -> Doubles { lanes_widen16(a) }

  @inline(__always)
  static func nearestInteger(_ x: Floats) -> Floats { lanes_nearest16(x) }

  @inline(__always)
  static func scale(_ x: Floats, byPowerOf n: Floats) -> Floats { lanes_scale16(x, n) }

  @inline(__always)
  static func select(_ bits: Ints, _ a: Floats, _ b: Floats) -> Floats { lanes_select16(bits, a, b) }

  @inline(__always)
  static func clear(_ a: Floats, whereNegative marks: Ints) -> Floats { lanes_clear16(a, marks) }

  @inline(__always)
  static func truncate(_ a: Longs) -> Ints { lanes_even16(a) }

  @inline(__always)
  static func isGreater(_ a: Ints, _ b: Ints) -> Ints { lanes_greater16(a, b) }

  @inline(__always)
  static func convert(_ a: Ints) -> Floats { lanes_floats16(a) }

  @inline(__always)
  static func gather(_ table: ConstantColumn<Int32>, _ index: Ints) -> Ints {
    unsafe lanes_gather16(table.address, index)
  }

  @inline(__always)
  static func fourths(_ numbers: ConstantColumn<Double>) -> Doubles { unsafe lanes_fourths16(numbers.address) }

  @inline(__always)
  static func records(_ table: ConstantColumn<Float>, _ index: Ints) -> Records<Self> {
    var records = Records<Self>(x: .zero, y: .zero, z: .zero, w: .zero)
    unsafe lanes_records16(table.address, index, &records)
    return records
  }

  @inline(__always)
  static func quadRecords(
    _ a: ConstantColumn<Float>, _ b: ConstantColumn<Float>, _ c: ConstantColumn<Float>, _ d: ConstantColumn<Float>
  ) -> Records<Self> {
    var records = Records<Self>(x: .zero, y: .zero, z: .zero, w: .zero)
    unsafe lanes_quad_records16(a.address, b.address, c.address, d.address, &records)
    return records
  }

  @inline(__always)
  static func sameQuads(_ quad: ConstantColumn<Float>) -> Floats { unsafe lanes_same_quads16(quad.address) }

  @inline(__always)
  static func loadQuads(
    _ column: ConstantColumn<Float>, _ components: ConstantColumn<Int32>, stride: Int, count: Int
  ) -> Floats {
    unsafe lanes_load_quads16(column.address, components.address, stride, count)
  }

  @inline(__always)
  static func storeQuads(
    _ a: Floats, rows: UInt32, to column: Column<Float>, _ components: ConstantColumn<Int32>, stride: Int, count: Int
  ) {
    unsafe lanes_store_quads16(a, rows, column.address, components.address, stride, count)
  }

  @inline(__always)
  static func lookUp(_ entries: Floats, _ index: Ints) -> Floats { lanes_entry16(entries, index) }

  @inline(__always)
  static func lookUp(_ low: Floats, _ high: Floats, _ index: Ints) -> Floats { lanes_lookup16(low, high, index) }

  @inline(__always)
  static func squareRoot(_ a: Floats) -> Floats { lanes_sqrt16(a) }

  @inline(__always)
  static func least(_ a: Floats) -> Float { lanes_least16(a) }

  @inline(__always)
  static func greatestOfTile(_ values: Column<Double>) -> Double { unsafe lanes_greatest_of_tile(values.address) }

  @inline(__always)
  static func leastOfTile(_ values: Column<Double>) -> Double { unsafe lanes_least_of_tile(values.address) }

  @inline(__always)
  static func signs(_ a: Ints) -> UInt32 { lanes_signs16(a) }

  @inline(__always)
  static func positives(_ a: Doubles) -> UInt32 { lanes_positives16(a) }

  @inline(__always)
  static func list(_ marks: Ints, from first: Int32, to list: Column<Int32>) -> Int {
    unsafe lanes_list16(marks, first, list.address)
  }

  @inline(__always)
  static func turnSixteen(
    _ rows: Column<Float>, _ stride: Int, to columns: Column<Float>, _ columnStride: Int
  ) {
    unsafe lanes_turn16(rows.address, stride, columns.address, columnStride)
  }

  @inline(__always)
  static func turn(
    _ map: AffineLanes<AVX512>, _ block: Column<Float>, to matrices: Column<Float>, _ stride: Int, pastCaches: Bool
  ) {
    unsafe lanes_store_maps16(
      map.x0, map.x1, map.x2, map.y0, map.y1, map.y2, map.z0, map.z1, map.z2, map.o0, map.o1, map.o2, matrices.address,
      stride, pastCaches)
  }

  @inline(__always)
  static func stream(_ a: Floats, to address: Column<Float>) { unsafe lanes_stream16(address.address, a) }

  @inline(__always)
  static func fence() { lanes_fence() }
}

/// The kernels compiled for x86-64-v4.
public let kernelsAVX512 = KernelTable(AVX512.self, row: WideRow<AVX512>.self)

/// Initializes memory for a `KernelTable` with these kernels; the linker finds it by its name in C.
@_cdecl("murmuration_kernels_avx512")
public func copyKernels(_ table: UnsafeMutableRawPointer) {
  unsafe table.initializeMemory(as: KernelTable.self, to: kernelsAVX512)
}
