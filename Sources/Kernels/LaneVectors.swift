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
  @export(implementation) @inline(__always) public static func + (a: Self, b: Self) -> Self { lanes_add(a, b) }
  @export(implementation) @inline(__always) public static func - (a: Self, b: Self) -> Self { lanes_subtract(a, b) }
  @export(implementation) @inline(__always) public static func * (a: Self, b: Self) -> Self { lanes_multiply(a, b) }
  @export(implementation) @inline(__always) public static func / (a: Self, b: Self) -> Self { lanes_divide(a, b) }
}

extension SIMD8<Float>: FloatLanes {
  @export(implementation) @inline(__always) public static func + (a: Self, b: Self) -> Self { lanes_add(a, b) }
  @export(implementation) @inline(__always) public static func - (a: Self, b: Self) -> Self { lanes_subtract(a, b) }
  @export(implementation) @inline(__always) public static func * (a: Self, b: Self) -> Self { lanes_multiply(a, b) }
  @export(implementation) @inline(__always) public static func / (a: Self, b: Self) -> Self { lanes_divide(a, b) }
}

extension SIMD16<Float>: FloatLanes {
  @export(implementation) @inline(__always) public static func + (a: Self, b: Self) -> Self { lanes_add(a, b) }
  @export(implementation) @inline(__always) public static func - (a: Self, b: Self) -> Self { lanes_subtract(a, b) }
  @export(implementation) @inline(__always) public static func * (a: Self, b: Self) -> Self { lanes_multiply(a, b) }
  @export(implementation) @inline(__always) public static func / (a: Self, b: Self) -> Self { lanes_divide(a, b) }
}

// MARK: Double

extension SIMD4<Double>: DoubleLanes {
  @export(implementation) @inline(__always) public static func + (a: Self, b: Self) -> Self { lanes_add(a, b) }
  @export(implementation) @inline(__always) public static func - (a: Self, b: Self) -> Self { lanes_subtract(a, b) }
  @export(implementation) @inline(__always) public static func * (a: Self, b: Self) -> Self { lanes_multiply(a, b) }
  @export(implementation) @inline(__always) public static func / (a: Self, b: Self) -> Self { lanes_divide(a, b) }
}

extension SIMD8<Double>: DoubleLanes {
  @export(implementation) @inline(__always) public static func + (a: Self, b: Self) -> Self { lanes_add(a, b) }
  @export(implementation) @inline(__always) public static func - (a: Self, b: Self) -> Self { lanes_subtract(a, b) }
  @export(implementation) @inline(__always) public static func * (a: Self, b: Self) -> Self { lanes_multiply(a, b) }
  @export(implementation) @inline(__always) public static func / (a: Self, b: Self) -> Self { lanes_divide(a, b) }
}

extension SIMD16<Double>: DoubleLanes {
  @export(implementation) @inline(__always) public static func + (a: Self, b: Self) -> Self { lanes_add(a, b) }
  @export(implementation) @inline(__always) public static func - (a: Self, b: Self) -> Self { lanes_subtract(a, b) }
  @export(implementation) @inline(__always) public static func * (a: Self, b: Self) -> Self { lanes_multiply(a, b) }
  @export(implementation) @inline(__always) public static func / (a: Self, b: Self) -> Self { lanes_divide(a, b) }
}

// MARK: Int32

extension SIMD4<Int32>: IntLanes {
  @export(implementation) @inline(__always) public static func & (a: Self, b: Self) -> Self { lanes_and(a, b) }
  @export(implementation) @inline(__always) public static func | (a: Self, b: Self) -> Self { lanes_or(a, b) }
  @export(implementation) @inline(__always) public static func ^ (a: Self, b: Self) -> Self { lanes_xor(a, b) }
  @export(implementation) @inline(__always) public static func &<< (a: Self, b: Self) -> Self { lanes_left(a, b) }
  @export(implementation) @inline(__always) public static func &>> (a: Self, b: Self) -> Self { lanes_right(a, b) }
  @export(implementation) @inline(__always) public static prefix func ~ (a: Self) -> Self { lanes_not(a) }
}

extension SIMD8<Int32>: IntLanes {
  @export(implementation) @inline(__always) public static func & (a: Self, b: Self) -> Self { lanes_and(a, b) }
  @export(implementation) @inline(__always) public static func | (a: Self, b: Self) -> Self { lanes_or(a, b) }
  @export(implementation) @inline(__always) public static func ^ (a: Self, b: Self) -> Self { lanes_xor(a, b) }
  @export(implementation) @inline(__always) public static func &<< (a: Self, b: Self) -> Self { lanes_left(a, b) }
  @export(implementation) @inline(__always) public static func &>> (a: Self, b: Self) -> Self { lanes_right(a, b) }
  @export(implementation) @inline(__always) public static prefix func ~ (a: Self) -> Self { lanes_not(a) }
}

extension SIMD16<Int32>: IntLanes {
  @export(implementation) @inline(__always) public static func & (a: Self, b: Self) -> Self { lanes_and(a, b) }
  @export(implementation) @inline(__always) public static func | (a: Self, b: Self) -> Self { lanes_or(a, b) }
  @export(implementation) @inline(__always) public static func ^ (a: Self, b: Self) -> Self { lanes_xor(a, b) }
  @export(implementation) @inline(__always) public static func &<< (a: Self, b: Self) -> Self { lanes_left(a, b) }
  @export(implementation) @inline(__always) public static func &>> (a: Self, b: Self) -> Self { lanes_right(a, b) }
  @export(implementation) @inline(__always) public static prefix func ~ (a: Self) -> Self { lanes_not(a) }
}

// MARK: Int64

extension SIMD4<Int64>: LongLanes {
  @export(implementation) @inline(__always) public static func & (a: Self, b: Self) -> Self { lanes_and(a, b) }
  @export(implementation) @inline(__always) public static func | (a: Self, b: Self) -> Self { lanes_or(a, b) }
  @export(implementation) @inline(__always) public static func ^ (a: Self, b: Self) -> Self { lanes_xor(a, b) }
  @export(implementation) @inline(__always) public static func &<< (a: Self, b: Self) -> Self { lanes_left(a, b) }
  @export(implementation) @inline(__always) public static func &>> (a: Self, b: Self) -> Self { lanes_right(a, b) }
  @export(implementation) @inline(__always) public static prefix func ~ (a: Self) -> Self { lanes_not(a) }
}

extension SIMD8<Int64>: LongLanes {
  @export(implementation) @inline(__always) public static func & (a: Self, b: Self) -> Self { lanes_and(a, b) }
  @export(implementation) @inline(__always) public static func | (a: Self, b: Self) -> Self { lanes_or(a, b) }
  @export(implementation) @inline(__always) public static func ^ (a: Self, b: Self) -> Self { lanes_xor(a, b) }
  @export(implementation) @inline(__always) public static func &<< (a: Self, b: Self) -> Self { lanes_left(a, b) }
  @export(implementation) @inline(__always) public static func &>> (a: Self, b: Self) -> Self { lanes_right(a, b) }
  @export(implementation) @inline(__always) public static prefix func ~ (a: Self) -> Self { lanes_not(a) }
}

extension SIMD16<Int64>: LongLanes {
  @export(implementation) @inline(__always) public static func & (a: Self, b: Self) -> Self { lanes_and(a, b) }
  @export(implementation) @inline(__always) public static func | (a: Self, b: Self) -> Self { lanes_or(a, b) }
  @export(implementation) @inline(__always) public static func ^ (a: Self, b: Self) -> Self { lanes_xor(a, b) }
  @export(implementation) @inline(__always) public static func &<< (a: Self, b: Self) -> Self { lanes_left(a, b) }
  @export(implementation) @inline(__always) public static func &>> (a: Self, b: Self) -> Self { lanes_right(a, b) }
  @export(implementation) @inline(__always) public static prefix func ~ (a: Self) -> Self { lanes_not(a) }
}
