// SPDX-License-Identifier: MIT
#if arch(wasm32) && !RELAXED_SIMD
  public import CProcessor

  /// ``Portable`` with products that are emulated without the long way: one that may need it is in doubt.
  public enum QuickPortable: FourLanes {
    @export(implementation) @inline(__always)
    public static func fusedMultiplyAdd(_ a: Floats, _ b: Floats, _ c: Floats) -> Floats { lanes_quick_fused4(a, b, c) }

    @export(implementation) @inline(__always)
    public static func multiplyAdd(_ a: Floats, _ b: Floats, _ c: Floats) -> Floats { a * b + c }

    @export(implementation) @inline(__always)
    public static var mayDoubt: Bool { true }

    @export(implementation) @inline(__always)
    public static func takeDoubts() -> Bool { lanes_take_doubts() }
  }
#endif
