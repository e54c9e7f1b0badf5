// SPDX-License-Identifier: MIT
import Testing

/// Calls that bytes choose, as the fuzzer makes them: right ones and wrong ones.
struct AnyCallTests {
  @Test(arguments: 0..<8) func anyCallIsAnswered(_ seed: UInt64) {
    var random = seed &* 0x9e37_79b9_7f4a_7c15 &+ 1
    for _ in 0..<40 {
      let bytes = (0..<600).map { _ in
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: random >> 56)
      }
      var calls = SurfaceCalls(bytes)
      calls.run()
      #expect(calls.isOver)
    }
  }
}
