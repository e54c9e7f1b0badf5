// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

/// Programs of each family of motions, hashed: the same bits on every instruction set, in debug and release, on any machine.
///
/// A change of the program, of a kernel, of a formula of the plan or of a polynomial changes the hash. Then put the new
/// hash in `PinnedPrograms`, and run `murmuration verify`. `SameBitsTests` pins a long run of springs.
struct PinnedBitsTests {
  private func check(_ program: PinnedHash) {
    #expect(program.hash == program.pinned, "\(String(program.hash, radix: 16))")
    #expect(program.called == 0)
  }

  @Test(arguments: KernelSet.available) func springs(_ set: KernelSet) throws { check(try PinnedPrograms.springs(set)) }

  @Test(arguments: KernelSet.available) func curves(_ set: KernelSet) throws { check(try PinnedPrograms.curves(set)) }

  @Test(arguments: KernelSet.available, [false, true]) func clips(_ set: KernelSet, _ hasOwnTiles: Bool) throws {
    let clips = try (0..<5).map { number in
      try Clip(initialValue: AnimatablePair(Double(number), -3.0)) { _ in
        KeyframeTrack(\.first) {
          LinearKeyframe(10.0 + Double(number), duration: 0.3, timingCurve: .easeInOut)
          CubicKeyframe(-5.0, duration: 0.25)
          MoveKeyframe(2.0)
        }
        KeyframeTrack(\.second) { CubicKeyframe(40.0, duration: 0.7) }
      }
    }
    check(try PinnedPrograms.clips(set, hasOwnTiles: hasOwnTiles) { clips[$0] })
  }

  @Test(arguments: KernelSet.available) func phases(_ set: KernelSet) throws { check(try PinnedPrograms.phases(set)) }
}
