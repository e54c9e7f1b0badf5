// SPDX-License-Identifier: MIT
import Benchmark
import Murmuration

/// A batch with tracks, and the numbers from which each track's exact value follows.
///
/// Every track has its own values and target; the kind of stage decides springs and starts.
final class Stage {
  enum Kind {
    /// One spring, one start.
    case cohort
    /// A spring for each track, bounce from 0 to 0.6.
    case mixed
    /// A spring for each track, bounce from −0.6 to −0.05.
    case overdamped
    /// A number of cohorts whose tracks alternate.
    case interleaved(Int)

    func spring(of index: Int, _ random: inout Randomness) -> Spring {
      switch self {
      case .cohort: Spring(duration: 0.5, bounce: 0.2)
      case .mixed: Spring(duration: Double(random.uniform(0.2...2)), bounce: Double(random.uniform(0...0.6)))
      case .overdamped:
        Spring(duration: Double(random.uniform(0.2...2)), bounce: Double(random.uniform(-0.6 ... -0.05)))
      case .interleaved(let cohorts): Spring(duration: 0.3 + 0.1 * Double(index % cohorts), bounce: 0.2)
      }
    }
  }

  var batch: AnimationBatch<Float>
  let handles: [TrackHandle]
  private let springs: [Spring]
  private var values: [Float] = []
  private var targets: [Float] = []
  /// The time of a frame at 240 a second, which is not exact in binary.
  static let frame = 1.0 / 240

  init(_ kind: Kind, tracks: Int) throws {
    var random = Randomness(state: 1)
    var springs: [Spring] = []
    for index in 0..<tracks {
      values.append(random.uniform(-100...100))
      targets.append(random.uniform(-100...100))
      springs.append(kind.spring(of: index, &random))
    }
    self.springs = springs
    batch = try AnimationBatch(reservingCapacity: tracks)
    if case .cohort = kind {
      handles = try batch.add(values, to: targets, springs[0])
    } else {
      handles = try batch.add(values, to: targets, springs: springs)
    }
    if case .interleaved(let cohorts) = kind {
      for cohort in 0..<cohorts {
        let rows = stride(from: cohort, to: tracks, by: cohorts)
        let members = rows.map { handles[$0] }
        let ends = rows.map { targets[$0] }
        try batch.animate(members, to: ends, .spring(springs[cohort]))
      }
    }
    // The first frame makes the plan; the following ones are what a program sees.
    try batch.advance(by: Self.frame, velocities: true)
  }

  /// The largest distance of a track from the model's value, in units of 2⁻²⁴ times the scale of its motion.
  ///
  /// For stages whose tracks were not retargeted. Compares some 1 000 tracks.
  func largestError() throws -> Double {
    var largest = 0.0
    for row in stride(from: 0, to: handles.count, by: max(1, handles.count / 1_000)) {
      guard let value = batch[handles[row]] else { return .infinity }
      let start = Double(values[row])
      let target = Double(targets[row])
      let exact = springs[row].value(fromValue: start, toValue: target, initialVelocity: 0, time: batch.time)
      // Half a unit in the last place is not counted: any Float may be off by it once the target is added.
      let rounding = Double(Float(abs(exact)).ulp) / 2
      let error = (abs(Double(value) - exact) - rounding) / (abs(start - target) * 0x1p-24)
      largest = error.isNaN ? .infinity : max(largest, error)
    }
    return largest
  }

  /// Ends the run unless a track comes to rest at a value.
  func checkRest(of handle: TrackHandle, at end: Float, _ benchmark: Benchmark) throws {
    try batch.advance(by: 100, velocities: true)
    let value = batch[handle] ?? .nan
    benchmark.check(abs(value - end) < 1e-4, "a track sent to \(end) rests at \(value)")
  }
}

/// Registers a benchmark that has a stage of its own for each run.
func registerOnStage(
  _ name: String, _ configuration: Benchmark.Configuration, _ kind: Stage.Kind, tracks: Int,
  _ body: @escaping (Benchmark, Stage) throws -> Void
) {
  Benchmark(name, configuration: configuration) { (benchmark: Benchmark, stage: Stage) in
    orExit(name) { try body(benchmark, stage) }
  } setup: {
    orExit(name) { try Stage(kind, tracks: tracks) }
  }
}

/// A stream of numbers that is the same in each run.
struct Randomness {
  var state: UInt64

  /// The next number of a range, one of 2²⁴ evenly spaced ones.
  mutating func uniform(_ range: ClosedRange<Float>) -> Float {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return range.lowerBound + (range.upperBound - range.lowerBound) * Float(state >> 40) * 0x1p-24
  }
}
