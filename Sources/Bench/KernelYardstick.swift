// SPDX-License-Identifier: MIT
import CYardsticks
import Kernels
import Murmuration

/// Work in C for comparison with a kernel, over the same columns.
///
/// If there are several ways to do the work, all are timed, and the fastest is the yardstick.
enum KernelYardstick: String, CaseIterable {
  /// Three loads and a store: the traffic of a uniform run.
  case stream = "yardstick.stream"
  /// Three loads and two stores: the traffic of a uniform run with velocities.
  case streams = "yardstick.two-streams"
  /// The formula of mixed springs with intrinsics.
  case value = "yardstick.intrinsics.value"
  case velocity = "yardstick.intrinsics.velocity"
  /// One spring after another in double, with the C library.
  case libm = "yardstick.libm"

  /// The name of the row that does the same work.
  var work: String {
    switch self {
    case .stream: "spring.uniform.value"
    case .streams: "spring.uniform.velocity"
    case .value: "spring.mixed.value"
    case .velocity, .libm: "spring.mixed.velocity"
    }
  }

  /// The name of a way to do the work.
  func name(_ way: String) -> String { "\(rawValue): \(way)" }

  /// Whether an entry of a comparison belongs to this yardstick.
  func owns(_ name: String) -> Bool { name.hasPrefix(rawValue + ": ") }

  /// Adds every way that this processor has.
  ///
  /// - Parameters:
  ///   - columns: The columns of the kernel.
  ///   - rows: The number of rows; the loops take whole blocks of 64.
  ///   - now: The time to evaluate.
  func add(to comparison: inout Comparison<Never>, _ columns: SpringColumns, rows: Int, now: Double) {
    let count = rows / 64 * 64
    switch self {
    case .stream:
      addWays(yardstick_stream_at, yardstick_stream_name, to: &comparison) { stream in
        stream(
          columns.value.address, columns.displacement.address, columns.amplitude.address, columns.target.address, count,
          0.5,
          0.25)
      }
    case .streams:
      addWays(yardstick_stream2_at, yardstick_stream2_name, to: &comparison) { streams in
        streams(
          columns.value.address, columns.velocity.address, columns.displacement.address, columns.amplitude.address,
          columns.target.address, count, 0.5, 0.25,
          0.75, 0.125)
      }
    case .value, .velocity:
      let pointers = yardstick_mixed_columns(
        start: columns.start.address, rate: columns.rate.address, decay: columns.decay.address,
        displacement: columns.displacement.address,
        sine: columns.amplitude.address, target: columns.target.address, value: columns.value.address,
        velocity: columns.velocity.address)
      addWays(yardstick_mixed_at, yardstick_mixed_name, to: &comparison) { evaluate in
        withUnsafePointer(to: pointers) { evaluate($0, count, now) }
      } where: {
        $0.contains("velocity") == (self == .velocity)
      }
    case .libm: break
    }
  }

  private func addWays<Way>(
    _ at: (Int) -> Way?, _ name: (Int) -> UnsafePointer<CChar>?, to comparison: inout Comparison<Never>,
    _ run: @escaping (Way) -> Void, where isWanted: (String) -> Bool = { _ in true }
  ) {
    var index = 0
    while let way = at(index) {
      let name = name(index).map { String(cString: $0) } ?? ""
      if isWanted(name) {
        comparison.add(self.name(name)) { run(way) }
      }
      index += 1
    }
  }
}
