// SPDX-License-Identifier: MIT
import Bench

/// The machine's limit, with which a run's kernels are compared.
enum Roofline {
  /// The bytes per second that the fastest copy of a working set of `bytes` reads and writes on this machine, measured
  /// now; nil if there is nothing to measure.
  static func copyBandwidth(bytes: Int) -> Double? {
    guard bytes > 0 else { return nil }
    let nanoseconds = CopyYardstick.nanosecondsPerByte(movingBytes: bytes)
    return nanoseconds > 0 ? 1e9 / nanoseconds : nil
  }
}
