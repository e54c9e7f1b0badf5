// SPDX-License-Identifier: MIT
import CYardsticks
import Kernels
import Murmuration

/// Many frames at once: a cohort, beside tiles in C, springs that each move alone, instances of clips and phases, beside
/// as many frames one by one, and a copy of as many numbers.
///
/// All write to the same pages, which were touched before.
final class BakeBench {
  static let frames = BakeFrames(0..<240, perSecond: 60)

  let tracks: Int
  private let rounds: Int
  let output: Output
  private let cohort: Bench
  private let mixed: Bench
  let clips: Clips
  /// The same, which are played.
  let playedClips: Clips
  let phases: Phases
  let playedPhases: Phases

  /// A class, so that the closures of a comparison can share what cannot be copied.
  private final class Bench {
    var batch: SpringBatch
    init(_ batch: consuming SpringBatch) { self.batch = batch }
  }

  /// Values and velocities of all frames, on lines.
  final class Output {
    let values: UnsafeMutableBufferPointer<Float>
    let velocities: UnsafeMutableBufferPointer<Float>

    init(count: Int) {
      func buffer() -> UnsafeMutableBufferPointer<Float> {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 4 * count, alignment: 1 << 21)
        let floats = UnsafeMutableBufferPointer(start: memory.bindMemory(to: Float.self, capacity: count), count: count)
        floats.initialize(repeating: 0)
        return floats
      }
      (values, velocities) = (buffer(), buffer())
    }

    deinit {
      values.deallocate()
      velocities.deallocate()
    }
  }

  init(tracks: Int, rounds: Int) throws {
    (self.tracks, self.rounds) = (tracks, rounds)
    output = Output(count: tracks * Self.frames.range.count)
    var random = SplitMix64(seed: 42)
    let values = (0..<tracks).map { _ in Float(random.uniform(-100...100)) }
    let targets = (0..<tracks).map { _ in Float(random.uniform(-100...100)) }
    let springs = (0..<tracks).map { _ in
      Spring(duration: random.uniform(0.3...3), bounce: random.uniform(0.05...0.6))
    }
    var cohort = try SpringBatch(reservingCapacity: tracks)
    try cohort.add(.bouncy, values: values.span, targets: targets.span)
    self.cohort = Bench(cohort)
    var mixed = try SpringBatch(reservingCapacity: tracks)
    try mixed.add(springs.span, values: values.span, targets: targets.span)
    self.mixed = Bench(mixed)
    clips = try Clips(tracks: tracks)
    playedClips = try Clips(tracks: tracks)
    phases = try Phases(tracks: tracks)
    playedPhases = try Phases(tracks: tracks)
  }

  /// Measures everything and returns a row each.
  func measure() throws -> [BakeResult] {
    var comparison = Comparison<any Error>()
    addBake(of: cohort, "bake.cohort", to: &comparison)
    addYardsticks(to: &comparison)
    addBake(of: cohort, "bake.cohort.track-major", order: .trackMajor, to: &comparison)
    addBake(of: mixed, "bake.mixed", to: &comparison)
    addBake(of: mixed, "bake.mixed.velocities", velocities: true, to: &comparison)
    addBake(of: mixed, "bake.mixed.track-major", order: .trackMajor, to: &comparison)
    addBake(of: mixed, "bake.mixed.rows-off-lines", leavingOut: 5, to: &comparison)
    addTimes(to: &comparison)
    addClips(to: &comparison)
    addPhases(to: &comparison)
    Self.addCopy(of: output, to: &comparison)
    addFrames(of: cohort, "frames.cohort: advance and copy", to: &comparison)
    addFrames(of: mixed, "frames.mixed: advance and copy", to: &comparison)
    try comparison.run(rounds: rounds, turn: 5e6)
    try checkSprings()
    try checkClips()
    try checkPhases()
    return BakeResult.results(of: comparison, tracks: tracks, frames: Self.frames.range.count)
  }

  static func addCopy(of output: Output, to comparison: inout Comparison<any Error>) {
    comparison.add(BakeResult.copyName) {
      _ = output.values.update(fromContentsOf: output.velocities)
    }
  }

  private func addBake(
    of bench: Bench, _ name: String, order: BakeOrder = .timeMajor, velocities: Bool = false, leavingOut: Int = 0,
    to comparison: inout Comparison<any Error>
  ) {
    let indices = 0..<tracks - leavingOut
    comparison.add(name) { [output] in
      let count = indices.count * Self.frames.range.count
      let (valueBuffer, velocityBuffer) = (output.values.extracting(..<count), output.velocities.extracting(..<count))
      var values = valueBuffer.mutableSpan
      var speeds = velocityBuffer.mutableSpan
      // It throws only where the shape is wrong, and then nothing would agree.
      if velocities {
        try bench.batch.bake(
          Self.frames, indices: indices, dimension: 0, order: order, values: &values, velocities: &speeds)
      } else {
        try bench.batch.bake(Self.frames, indices: indices, dimension: 0, order: order, values: &values)
      }
    }
  }

  private func addTimes(to comparison: inout Comparison<any Error>) {
    let times = Self.frames.range.map { Self.frames.time(of: $0) }
    comparison.add("bake.mixed.at-times") { [mixed, output, tracks] in
      let buffer = output.values
      var values = buffer.mutableSpan
      try mixed.batch.bake(at: times.span, indices: 0..<tracks, dimension: 0, values: &values)
    }
  }

  private func addFrames(of bench: Bench, _ name: String, to comparison: inout Comparison<any Error>) {
    bench.batch.computesVelocities = false
    comparison.add(name) { [output, tracks] in
      for frame in Self.frames.range {
        try bench.batch.advance(to: Self.frames.time(of: frame))
        let buffer = output.values.extracting(frame * tracks..<(frame + 1) * tracks)
        var row = buffer.mutableSpan
        try bench.batch.copyValues(dimension: 0, into: &row)
      }
    }
  }

  /// Every tile in C that this processor has, over columns like those of the cohort.
  private func addYardsticks(to comparison: inout Comparison<any Error>) {
    let storage = Columns(tracks)
    // Numbers as those of the cohort: memory full of zeros is written faster than any other.
    var random = SplitMix64(seed: 43)
    for row in 0..<tracks {
      storage.storage.columns.displacement[row] = Float(random.uniform(-100...100))
      storage.storage.columns.amplitude[row] = Float(random.uniform(-100...100))
      storage.storage.columns.target[row] = Float(random.uniform(-100...100))
    }
    let basis: [Float] = Self.frames.range.flatMap { [Float($0) / 240, 1 - Float($0) / 240, 1] as [Float] }
    var index = 0
    while let bake = yardstick_bake_at(index) {
      comparison.add("yardstick.bake: " + String(cString: yardstick_bake_name(index))) { [output, tracks] in
        let columns = storage.storage.columns
        bake(
          output.values.baseAddress, basis, columns.displacement, columns.amplitude, columns.target, tracks / 16 * 16,
          Self.frames.range.count)
      }
      index += 1
    }
  }

  private final class Columns {
    let storage: SpringStorage
    init(_ tracks: Int) { storage = SpringStorage(dimensions: 1, rows: tracks) }
  }

  private func checkSprings() throws {
    let (frames, tracks) = (Self.frames, 0..<tracks)
    for bench in [cohort, mixed] {
      try check(within: 1e-4 * 200) {
        try bench.batch.bake(frames, indices: tracks, dimension: 0, values: &$0)
      } shows: {
        try bench.batch.advance(to: $0)
        try bench.batch.copyValues(dimension: 0, into: &$1)
      }
    }
  }

  /// A figure counts only if what was timed was right: what is baked must be what the frames show, some of which are looked
  /// at, by their time.
  func check(
    within tolerance: Float, _ bake: (inout MutableSpan<Float>) throws -> Void,
    shows show: (Double, inout MutableSpan<Float>) throws -> Void
  ) throws {
    let (baked, shown) = (output.values, output.velocities.extracting(..<tracks))
    var values = baked.mutableSpan
    try bake(&values)
    for frame in stride(from: 0, to: Self.frames.range.count, by: 37) {
      var row = shown.mutableSpan
      try show(Self.frames.time(of: frame), &row)
      for track in 0..<tracks {
        let value = baked[frame * tracks + track]
        guard abs(value - shown[track]) <= tolerance else {
          throw BenchError.disagreement(row: track, kernel: value, scalar: Double(shown[track]))
        }
      }
    }
  }
}
