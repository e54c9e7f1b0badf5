// SPDX-License-Identifier: MIT
public import CProcessor

// Vectors whose operators are one operation of the compiler each. The operators of `SIMD` are loops over lanes, which
// the compiler unrolls and joins again. They give the same bits, but kernels take much longer to compile with them.

/// A vector of Float lanes.
public protocol FloatLanes: SIMD where Scalar == Float {
  init(repeating: Float)
  static func + (a: Self, b: Self) -> Self
  static func - (a: Self, b: Self) -> Self
  static func * (a: Self, b: Self) -> Self
  static func / (a: Self, b: Self) -> Self
}

extension FloatLanes {
  @export(implementation) @inline(__always) public static var zero: Self { Self(repeating: 0) }
}

/// A vector of Double lanes.
public protocol DoubleLanes: SIMD where Scalar == Double {
  init(repeating: Double)
  static func + (a: Self, b: Self) -> Self
  static func - (a: Self, b: Self) -> Self
  static func * (a: Self, b: Self) -> Self
  static func / (a: Self, b: Self) -> Self
}

extension DoubleLanes {
  @export(implementation) @inline(__always) public static var zero: Self { Self(repeating: 0) }
}

/// A vector of Int32 lanes.
public protocol IntLanes: SIMD where Scalar == Int32 {
  init(repeating: Int32)
  static func &+ (a: Self, b: Self) -> Self
  static func &- (a: Self, b: Self) -> Self
  static func &* (a: Self, b: Self) -> Self
  static func & (a: Self, b: Self) -> Self
  static func | (a: Self, b: Self) -> Self
  static func ^ (a: Self, b: Self) -> Self
  static func &<< (a: Self, b: Self) -> Self
  static func &>> (a: Self, b: Self) -> Self
  static prefix func ~ (a: Self) -> Self
}

extension IntLanes {
  @export(implementation) @inline(__always) public static var zero: Self { Self(repeating: 0) }
}

/// A vector of Int64 lanes.
public protocol LongLanes: SIMD where Scalar == Int64 {
  init(repeating: Int64)
  static func &+ (a: Self, b: Self) -> Self
  static func &- (a: Self, b: Self) -> Self
  static func &* (a: Self, b: Self) -> Self
  static func & (a: Self, b: Self) -> Self
  static func | (a: Self, b: Self) -> Self
  static func ^ (a: Self, b: Self) -> Self
  static func &<< (a: Self, b: Self) -> Self
  static func &>> (a: Self, b: Self) -> Self
  static prefix func ~ (a: Self) -> Self
}

extension LongLanes {
  @export(implementation) @inline(__always) public static var zero: Self { Self(repeating: 0) }
}

// MARK: Float

extension SIMD4<Float>: FloatLanes {
  @export(implementation) @inline(__always)
  public static func + (a: Self, b: Self) -> Self { lanes_add_floats4(a, b) }
  @export(implementation) @inline(__always)
  public static func - (a: Self, b: Self) -> Self { lanes_subtract_floats4(a, b) }
  @export(implementation) @inline(__always)
  public static func * (a: Self, b: Self) -> Self { lanes_multiply_floats4(a, b) }
  @export(implementation) @inline(__always)
  public static func / (a: Self, b: Self) -> Self { lanes_divide_floats4(a, b) }
}

extension SIMD8<Float>: FloatLanes {
  @export(implementation) @inline(__always)
  public static func + (a: Self, b: Self) -> Self { lanes_add_floats8(a, b) }
  @export(implementation) @inline(__always)
  public static func - (a: Self, b: Self) -> Self { lanes_subtract_floats8(a, b) }
  @export(implementation) @inline(__always)
  public static func * (a: Self, b: Self) -> Self { lanes_multiply_floats8(a, b) }
  @export(implementation) @inline(__always)
  public static func / (a: Self, b: Self) -> Self { lanes_divide_floats8(a, b) }
}

extension SIMD16<Float>: FloatLanes {
  @export(implementation) @inline(__always)
  public static func + (a: Self, b: Self) -> Self { lanes_add_floats16(a, b) }
  @export(implementation) @inline(__always)
  public static func - (a: Self, b: Self) -> Self { lanes_subtract_floats16(a, b) }
  @export(implementation) @inline(__always)
  public static func * (a: Self, b: Self) -> Self { lanes_multiply_floats16(a, b) }
  @export(implementation) @inline(__always)
  public static func / (a: Self, b: Self) -> Self { lanes_divide_floats16(a, b) }
}

// MARK: Double

extension SIMD4<Double>: DoubleLanes {
  @export(implementation) @inline(__always)
  public static func + (a: Self, b: Self) -> Self { lanes_add_doubles4(a, b) }
  @export(implementation) @inline(__always)
  public static func - (a: Self, b: Self) -> Self { lanes_subtract_doubles4(a, b) }
  @export(implementation) @inline(__always)
  public static func * (a: Self, b: Self) -> Self { lanes_multiply_doubles4(a, b) }
  @export(implementation) @inline(__always)
  public static func / (a: Self, b: Self) -> Self { lanes_divide_doubles4(a, b) }
}

extension SIMD8<Double>: DoubleLanes {
  @export(implementation) @inline(__always)
  public static func + (a: Self, b: Self) -> Self { lanes_add_doubles8(a, b) }
  @export(implementation) @inline(__always)
  public static func - (a: Self, b: Self) -> Self { lanes_subtract_doubles8(a, b) }
  @export(implementation) @inline(__always)
  public static func * (a: Self, b: Self) -> Self { lanes_multiply_doubles8(a, b) }
  @export(implementation) @inline(__always)
  public static func / (a: Self, b: Self) -> Self { lanes_divide_doubles8(a, b) }
}

extension SIMD16<Double>: DoubleLanes {
  @export(implementation) @inline(__always)
  public static func + (a: Self, b: Self) -> Self { lanes_add_doubles16(a, b) }
  @export(implementation) @inline(__always)
  public static func - (a: Self, b: Self) -> Self { lanes_subtract_doubles16(a, b) }
  @export(implementation) @inline(__always)
  public static func * (a: Self, b: Self) -> Self { lanes_multiply_doubles16(a, b) }
  @export(implementation) @inline(__always)
  public static func / (a: Self, b: Self) -> Self { lanes_divide_doubles16(a, b) }
}

// MARK: Int32

extension SIMD4<Int32>: IntLanes {
  @export(implementation) @inline(__always)
  public static func & (a: Self, b: Self) -> Self { lanes_and_ints4(a, b) }
  @export(implementation) @inline(__always)
  public static func | (a: Self, b: Self) -> Self { lanes_or_ints4(a, b) }
  @export(implementation) @inline(__always)
  public static func ^ (a: Self, b: Self) -> Self { lanes_xor_ints4(a, b) }
  @export(implementation) @inline(__always)
  public static func &<< (a: Self, b: Self) -> Self { lanes_shift_left_ints4(a, b) }
  @export(implementation) @inline(__always)
  public static func &>> (a: Self, b: Self) -> Self { lanes_shift_right_ints4(a, b) }
  @export(implementation) @inline(__always)
  public static prefix func ~ (a: Self) -> Self { lanes_not_ints4(a) }
}

extension SIMD8<Int32>: IntLanes {
  @export(implementation) @inline(__always)
  public static func & (a: Self, b: Self) -> Self { lanes_and_ints8(a, b) }
  @export(implementation) @inline(__always)
  public static func | (a: Self, b: Self) -> Self { lanes_or_ints8(a, b) }
  @export(implementation) @inline(__always)
  public static func ^ (a: Self, b: Self) -> Self { lanes_xor_ints8(a, b) }
  @export(implementation) @inline(__always)
  public static func &<< (a: Self, b: Self) -> Self { lanes_shift_left_ints8(a, b) }
  @export(implementation) @inline(__always)
  public static func &>> (a: Self, b: Self) -> Self { lanes_shift_right_ints8(a, b) }
  @export(implementation) @inline(__always)
  public static prefix func ~ (a: Self) -> Self { lanes_not_ints8(a) }
}

extension SIMD16<Int32>: IntLanes {
  @export(implementation) @inline(__always)
  public static func & (a: Self, b: Self) -> Self { lanes_and_ints16(a, b) }
  @export(implementation) @inline(__always)
  public static func | (a: Self, b: Self) -> Self { lanes_or_ints16(a, b) }
  @export(implementation) @inline(__always)
  public static func ^ (a: Self, b: Self) -> Self { lanes_xor_ints16(a, b) }
  @export(implementation) @inline(__always)
  public static func &<< (a: Self, b: Self) -> Self { lanes_shift_left_ints16(a, b) }
  @export(implementation) @inline(__always)
  public static func &>> (a: Self, b: Self) -> Self { lanes_shift_right_ints16(a, b) }
  @export(implementation) @inline(__always)
  public static prefix func ~ (a: Self) -> Self { lanes_not_ints16(a) }
}

// MARK: Int64

extension SIMD4<Int64>: LongLanes {
  @export(implementation) @inline(__always)
  public static func & (a: Self, b: Self) -> Self { lanes_and_longs4(a, b) }
  @export(implementation) @inline(__always)
  public static func | (a: Self, b: Self) -> Self { lanes_or_longs4(a, b) }
  @export(implementation) @inline(__always)
  public static func ^ (a: Self, b: Self) -> Self { lanes_xor_longs4(a, b) }
  @export(implementation) @inline(__always)
  public static func &<< (a: Self, b: Self) -> Self { lanes_shift_left_longs4(a, b) }
  @export(implementation) @inline(__always)
  public static func &>> (a: Self, b: Self) -> Self { lanes_shift_right_longs4(a, b) }
  @export(implementation) @inline(__always)
  public static prefix func ~ (a: Self) -> Self { lanes_not_longs4(a) }
}

extension SIMD8<Int64>: LongLanes {
  @export(implementation) @inline(__always)
  public static func & (a: Self, b: Self) -> Self { lanes_and_longs8(a, b) }
  @export(implementation) @inline(__always)
  public static func | (a: Self, b: Self) -> Self { lanes_or_longs8(a, b) }
  @export(implementation) @inline(__always)
  public static func ^ (a: Self, b: Self) -> Self { lanes_xor_longs8(a, b) }
  @export(implementation) @inline(__always)
  public static func &<< (a: Self, b: Self) -> Self { lanes_shift_left_longs8(a, b) }
  @export(implementation) @inline(__always)
  public static func &>> (a: Self, b: Self) -> Self { lanes_shift_right_longs8(a, b) }
  @export(implementation) @inline(__always)
  public static prefix func ~ (a: Self) -> Self { lanes_not_longs8(a) }
}

extension SIMD16<Int64>: LongLanes {
  @export(implementation) @inline(__always)
  public static func & (a: Self, b: Self) -> Self { lanes_and_longs16(a, b) }
  @export(implementation) @inline(__always)
  public static func | (a: Self, b: Self) -> Self { lanes_or_longs16(a, b) }
  @export(implementation) @inline(__always)
  public static func ^ (a: Self, b: Self) -> Self { lanes_xor_longs16(a, b) }
  @export(implementation) @inline(__always)
  public static func &<< (a: Self, b: Self) -> Self { lanes_shift_left_longs16(a, b) }
  @export(implementation) @inline(__always)
  public static func &>> (a: Self, b: Self) -> Self { lanes_shift_right_longs16(a, b) }
  @export(implementation) @inline(__always)
  public static prefix func ~ (a: Self) -> Self { lanes_not_longs16(a) }
}
