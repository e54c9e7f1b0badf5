// SPDX-License-Identifier: MIT

/// The machine's limit, against which a run's kernels are measured.
enum Roofline {
  /// The bytes that the fastest copy of a working set of `bytes` reads and writes per second on this machine, measured
  /// now; nil where there is nothing to measure.
  static func copyBandwidth(bytes: Int) -> Double? {
    guard bytes > 0 else { return nil }
    let nanoseconds = CopyYardstick.nanosecondsPerByte(movingBytes: bytes)
    return nanoseconds > 0 ? 1e9 / nanoseconds : nil
  }
}
