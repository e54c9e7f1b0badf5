// SPDX-License-Identifier: MIT
import CYardsticks
import Kernels
import Murmuration

/// The spring kernels of every instruction set at one number of tracks, beside a copy of the same number of bytes and
/// the loop that a C programmer writes.
///
/// Every lane has a spring, a start, a displacement, a velocity and a target of its own, drawn from a fixed seed.
final class SpringBench {
  private static let now = 100.0

  private let tracks: Int
  private let storage: Lanes
  private var scalar: [yardstick_spring]

  /// A class, so that the closures of a comparison can share noncopyable values.
  private final class Lanes {
    let storage: SpringStorage
    init(_ tracks: Int) { storage = SpringStorage(dimensions: 1, count: tracks) }
  }

  init(tracks: Int) {
    self.tracks = tracks
    storage = Lanes(tracks)
    scalar = []
    scalar.reserveCapacity(tracks)
  }

  /// Fills the lanes with springs of one regime.
  private func fill(overdamped: Bool) {
    var random = SplitMix64(seed: 42)
    let columns = storage.storage.columns
    scalar.removeAll(keepingCapacity: true)
    for row in 0..<storage.storage.capacity {
      let bounce = overdamped ? random.uniform(-0.9...(-0.1)) : random.uniform(0.05...0.6)
      let spring = Spring(duration: random.uniform(0.3...3), bounce: bounce)
      let coefficients = SpringCoefficients(accepted: spring)
      columns.start[row] = Self.now - random.uniform(0...3)
      columns.rate[row] = coefficients.rate
      let velocity = Float(random.uniform(-1000...1000))
      columns.decay[row] = coefficients.decay
      columns.displacement[row] = Float(random.uniform(-100...100))
      columns.amplitude[row] = AmplitudeRule(coefficients).amplitude(
        displacement: columns.displacement[row], velocity: velocity)
      columns.target[row] = Float(random.uniform(-100...100))
      if row < tracks, !overdamped {
        let y = Double(columns.displacement[row])
        let v = Double(velocity)
        let d = spring.decayConstant
        let w = spring.angularFrequency
        scalar.append(
          yardstick_spring(
            start: columns.start[row], decay: d, frequency: w, target: Double(columns.target[row]), cosine: y,
            sine: (v + d * y) / w, value: 0, velocity: 0))
      }
    }
  }

  /// Whether the scalar loop is timed as well; with more tracks it takes seconds and tells nothing new.
  private var runsScalar: Bool { tracks <= 1_000_000 }

  /// Measures everything and returns a row each.
  func measure(rounds: Int, sets: [KernelSet]) throws -> [BenchResult] {
    var results: [BenchResult] = []
    fill(overdamped: false)
    results += compare(
      bytes: Traffic.uniform(dimensions: 1, velocities: false), rounds: rounds, sets: sets, beside: [.stream],
      "spring.uniform.value"
    ) { table, run in
      table.evaluateUniform(self.storage.storage.columns, run, 0, Self.now, false)
    }
    results += compare(
      bytes: Traffic.uniform(dimensions: 1, velocities: true), rounds: rounds, sets: sets, beside: [.streams],
      "spring.uniform.velocity"
    ) { table, run in
      table.evaluateUniform(self.storage.storage.columns, run, 0, Self.now, true)
    }
    results += compare(
      bytes: Traffic.mixed(dimensions: 1, velocities: false), rounds: rounds, sets: sets, beside: [.value],
      "spring.mixed.value"
    ) { table, run in
      table.evaluateMixed(self.storage.storage.columns, run, Self.now, false)
    }
    results += compare(
      bytes: Traffic.mixed(dimensions: 1, velocities: true), rounds: rounds, sets: sets,
      beside: runsScalar ? [.velocity, .libm] : [.velocity],
      "spring.mixed.velocity"
    ) { table, run in
      table.evaluateMixed(self.storage.storage.columns, run, Self.now, true)
    }
    if runsScalar {
      try checkAgreement()
    }
    fill(overdamped: true)
    results += compare(
      bytes: Traffic.mixed(dimensions: 1, velocities: true), rounds: rounds, sets: sets, "spring.overdamped.velocity"
    ) {
      table, run in
      table.evaluateMixed(self.storage.storage.columns, run, Self.now, true)
    }
    return results
  }

  /// Times one kernel on several sets, by turns with copies of the same number of bytes and with yardsticks.
  private func compare(
    bytes: Int, rounds: Int, sets: [KernelSet], beside yardsticks: [KernelYardstick] = [], _ name: String,
    _ evaluate: @escaping (KernelTable, LaneRun) -> Void
  ) -> [BenchResult] {
    var comparison = Comparison<Never>()
    let copy = CopyYardstick(bytes: bytes * tracks)
    copy.add(to: &comparison)
    // The run that a batch of these tracks alone would have.
    let run = LaneRun(
      firstLane: 0, laneCount: storage.storage.capacity, stores: .init(touching: bytes * tracks))
    for set in sets {
      let table = set.table
      comparison.add(set.rawValue) {
        evaluate(table, run)
        if run.stores != .ordinary {
          table.fence()
        }
      }
    }
    for yardstick in yardsticks {
      yardstick.add(to: &comparison, storage.storage.columns, rows: storage.storage.capacity, now: Self.now)
      if yardstick == .libm {
        comparison.add(yardstick.name("scalar")) {
          self.scalar.withUnsafeMutableBufferPointer { yardstick_scalar_springs($0.baseAddress, $0.count, Self.now) }
        }
      }
    }
    comparison.run(rounds: rounds, turn: 5e5)
    guard let roofline = copy.fastest(in: comparison) else {
      return []
    }
    return comparison.entries.compactMap { entry in
      let yardstick = KernelYardstick.allCases.first { $0.owns(entry.name) }
      guard KernelSet(rawValue: entry.name) != nil || yardstick.map({ comparison.isFastest(entry, of: $0) }) == true
      else {
        return nil
      }
      let bytesPerTrack = yardstick == .libm ? MemoryLayout<yardstick_spring>.stride : bytes
      return BenchResult(
        name: yardstick?.rawValue ?? name,
        isa: yardstick.map { String(entry.name.dropFirst($0.name("").count)) } ?? entry.name, tracks: tracks,
        nsPerTrack: entry.best / Double(tracks), medianNsPerTrack: entry.median / Double(tracks),
        slowNsPerTrack: entry.slow / Double(tracks), bytesPerTrack: bytesPerTrack,
        ratioToRoofline: roofline.nanosecondsPerByte * Double(bytesPerTrack * tracks) / entry.best,
        roofline: roofline.name, rooflineGBPerSecond: 1 / roofline.nanosecondsPerByte)
    }
  }

  /// A figure counts only if the timed result was right: the kernel's results must agree with the scalar loop's.
  private func checkAgreement() throws {
    let columns = storage.storage.columns
    for row in scalar.indices {
      let scale = max(1, abs(scalar[row].value), abs(scalar[row].velocity))
      let difference = max(
        abs(scalar[row].value - Double(columns.value[row])),
        abs(scalar[row].velocity - Double(columns.velocity[row])))
      guard difference <= 1e-3 * scale else {
        throw BenchError.disagreement(index: row, kernel: columns.value[row], scalar: scalar[row].value)
      }
    }
  }
}

/// Why a benchmark's figures cannot be used.
enum BenchError: Error, CustomStringConvertible {
  case disagreement(index: Int, kernel: Float, scalar: Double)
  case wrongCount(Int, expected: Int)
  case noMemory

  var description: String {
    switch self {
    case .disagreement(let row, let kernel, let scalar):
      "track \(row): the kernel says \(kernel), the scalar loop \(scalar)"
    case .wrongCount(let count, let expected): "\(count) tracks settled, not \(expected)"
    case .noMemory: "there is no memory for a yardstick"
    }
  }
}
