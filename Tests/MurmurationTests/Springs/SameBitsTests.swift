// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

/// A run of many kinds of calls, hashed: the same bits on every instruction set, in debug and release, on any machine.
///
/// A change of the program, of a kernel, of a formula of the plan or of a polynomial changes the hash. Then put the new
/// hash in `SameBitsProgram`, and run `murmuration verify`.
struct SameBitsTests {
  @Test(arguments: KernelSet.available) func aRunHasThePinnedHash(_ set: KernelSet) throws {
    let hash = try SameBitsProgram.hash(set)
    #expect(hash == SameBitsProgram.pinned, "\(String(hash, radix: 16))")
  }
}
