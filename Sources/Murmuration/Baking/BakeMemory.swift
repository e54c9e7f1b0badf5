// SPDX-License-Identifier: MIT
import Kernels

/// The memory that parts of a bake work in, kept for the next one: fresh pages cost as much as thousands of results.
@safe
final class BakeMemory: @unchecked Sendable {
  // One owner, a batch; while it bakes, each part uses a block of its own.
  private var blocks: [UnsafeMutableRawPointer] = unsafe []

  /// Makes it a block for each of so many parts.
  func reserve(parts: Int) {
    while unsafe blocks.count < parts {
      unsafe blocks.append(.allocate(byteCount: BakeLanes.byteCount, alignment: 64))
    }
  }

  /// The block of a part.
  subscript(part: Int) -> UnsafeMutableRawPointer { unsafe blocks[part] }

  deinit {
    unsafe blocks.forEach { unsafe $0.deallocate() }
  }
}
