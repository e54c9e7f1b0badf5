// SPDX-License-Identifier: MIT
import CYardsticks
import Dispatch

/// The roofline: the best speed at which this machine copies memory.
///
/// The copy moves the same number of bytes as the work beside it, half of them read and half written, between two
/// blocks. These are aligned to 64 bytes and staggered within a page, as the columns of a batch are.
package final class CopyYardstick {
  private let source: UnsafeMutablePointer<Float>
  private let destination: UnsafeMutablePointer<Float>
  private let block: UnsafeMutableRawPointer
  private let count: Int

  /// Takes blocks for copies that move about `bytes` bytes.
  init(bytes: Int) {
    count = max(64, bytes / 8 / 64 * 64)
    let stride = (count * 4 + 4095) / 4096 * 4096 + 13 * 64
    block = .allocate(byteCount: 2 * stride, alignment: 4096)
    block.initializeMemory(as: UInt8.self, repeating: 1, count: 2 * stride)
    source = block.assumingMemoryBound(to: Float.self)
    destination = (block + stride).assumingMemoryBound(to: Float.self)
  }

  deinit { block.deallocate() }

  /// Bytes that one copy reads and writes.
  var bytes: Int { 8 * count }

  /// Adds every way to copy that this processor has.
  func add(to comparison: inout Comparison<Never>) {
    var index = 0
    while let copy = yardstick_copy_at(index) {
      let name = String(cString: yardstick_copy_name(index))
      comparison.add(Self.prefix + name) { copy(self.destination, self.source, self.count) }
      index += 1
    }
  }

  /// Nanoseconds of the fastest way to copy, by one thread or by several threads that copy a part each.
  func nanoseconds(threads: Int) -> Double {
    // Several times in a row, so that the time to wake a thread does not matter.
    let repetitions = 8
    let part = count / threads / 64 * 64
    var best = Double.infinity
    var index = 0
    while let copy = yardstick_copy_at(index) {
      let memory = Halves(source: source, destination: destination)
      let duration = ContinuousClock().measure {
        DispatchQueue.concurrentPerform(iterations: threads) { thread in
          for _ in 0..<repetitions {
            copy(memory.destination + thread * part, memory.source + thread * part, part)
          }
        }
      }
      best = min(best, Double(duration.components.attoseconds) * 1e-9 / Double(repetitions))
      index += 1
    }
    return best
  }

  /// The memory that the threads of a copy share; each copies a part of it.
  private struct Halves: @unchecked Sendable {
    let source: UnsafeMutablePointer<Float>
    let destination: UnsafeMutablePointer<Float>
  }

  private static let prefix = "copy: "

  /// The fastest copy among the entries of a comparison that has been run, and nanoseconds per byte.
  func fastest(in comparison: Comparison<Never>) -> (name: String, nanosecondsPerByte: Double)? {
    let copies = comparison.entries.filter { $0.name.hasPrefix(Self.prefix) }
    guard let best = copies.min(by: { $0.best < $1.best }) else {
      return nil
    }
    return (String(best.name.dropFirst(Self.prefix.count)), best.best / Double(bytes))
  }

  /// Nanoseconds of the fastest copy per byte moved, measured now: a fraction of a second of work.
  package static func nanosecondsPerByte(movingBytes bytes: Int) -> Double {
    let yardstick = CopyYardstick(bytes: bytes)
    var comparison = Comparison<Never>()
    yardstick.add(to: &comparison)
    comparison.run(rounds: 9, turn: 1e6)
    return yardstick.fastest(in: comparison)?.nanosecondsPerByte ?? .nan
  }
}
