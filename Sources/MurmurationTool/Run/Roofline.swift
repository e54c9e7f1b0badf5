/// The machine's limit, against which a run's kernels are measured.
enum Roofline {
  /// The fastest copy of a working set of `bytes` on this machine, in bytes read and written per second; nil where it is
  /// not measured.
  static func copyBandwidth(bytes: Int) -> Double? { nil }
}
