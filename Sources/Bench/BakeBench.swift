// SPDX-License-Identifier: MIT
import CYardsticks
import Kernels
import Murmuration

/// Many frames at once: a cohort (beside tiles in C), springs that each move alone, instances of clips, and phases.
/// Each is timed beside the same number of frames one by one, and beside a copy of the same number of values.
///
/// All write to the same pages, which were touched before.
final class BakeBench {
  static let frames = BakeFrames(0..<240, perSecond: 60)

  let tracks: Int
  private let rounds: Int
  let output: Output
  private let cohort: SharedBatch<Float>
  private let mixed: SharedBatch<Float>
  let clips: SharedBatch<Float>
  /// The same clips, in a batch that is advanced frame by frame.
  let playedClips: SharedBatch<Float>
  let phases: SharedBatch<Float>
  let playedPhases: SharedBatch<Float>

  /// Values and velocities of all frames, aligned to lines.
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

    /// The values of one frame.
    func row(_ frame: Int, of tracks: Int) -> UnsafeMutableBufferPointer<Float> {
      values.extracting(frame * tracks..<(frame + 1) * tracks)
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
    cohort = SharedBatch(try AnimationBatch(reservingCapacity: tracks))
    try cohort.batch.add(values, to: targets, .bouncy)
    mixed = SharedBatch(try AnimationBatch(reservingCapacity: tracks))
    try mixed.batch.add(values, to: targets, springs: springs)
    (clips, playedClips) = (try Self.clips(tracks: tracks), try Self.clips(tracks: tracks))
    (phases, playedPhases) = (try Self.phases(tracks: tracks), try Self.phases(tracks: tracks))
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

  func addBake(
    of shared: SharedBatch<Float>, _ name: String, order: BakeOrder = .timeMajor, velocities: Bool = false,
    leavingOut: Int = 0, to comparison: inout Comparison<any Error>
  ) {
    let request = BakeRequest(Self.frames, indices: 0..<tracks - leavingOut, order: order)
    add(request, of: shared, name, velocities: velocities, to: &comparison)
  }

  private func addTimes(to comparison: inout Comparison<any Error>) {
    let times = Self.frames.range.map { Self.frames.time(of: $0) }
    add(BakeRequest(at: times, indices: 0..<tracks), of: mixed, "bake.mixed.at-times", to: &comparison)
  }

  private func add(
    _ request: BakeRequest, of shared: SharedBatch<Float>, _ name: String, velocities: Bool = false,
    to comparison: inout Comparison<any Error>
  ) {
    comparison.add(name) { [output] in
      let count = request.indices.count * Self.frames.range.count
      let (valueBuffer, velocityBuffer) = (output.values.extracting(..<count), output.velocities.extracting(..<count))
      var values = valueBuffer.mutableSpan
      var speeds = velocityBuffer.mutableSpan
      // `bake` throws only if the shape is wrong, and then the check would fail.
      if velocities {
        try shared.batch.bake(request, into: &values, velocities: &speeds)
      } else {
        try shared.batch.bake(request, into: &values)
      }
    }
  }

  func addFrames(of shared: SharedBatch<Float>, _ name: String, to comparison: inout Comparison<any Error>) {
    comparison.add(name) { [output, tracks] in
      for frame in Self.frames.range {
        try Self.show(shared, Self.frames.time(of: frame), output.row(frame, of: tracks))
      }
    }
  }

  /// Advances to a time, and copies the values.
  static func show(
    _ shared: SharedBatch<Float>, _ time: Double, _ buffer: UnsafeMutableBufferPointer<Float>
  ) throws {
    try shared.batch.advance(to: time)
    var row = buffer.mutableSpan
    try shared.batch.copyValues(component: 0, planar: &row)
  }

  /// Adds every tile in C that this processor has, over columns like the cohort's.
  private func addYardsticks(to comparison: inout Comparison<any Error>) {
    let storage = Columns(tracks)
    // Numbers like the cohort's: memory full of zeros is written faster than other memory.
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
          output.values.baseAddress, basis, columns.displacement.address, columns.amplitude.address,
          columns.target.address,
          tracks / 16 * 16,
          Self.frames.range.count)
      }
      index += 1
    }
  }

  private final class Columns {
    let storage: SpringStorage
    init(_ tracks: Int) { storage = SpringStorage(dimensions: 1, count: tracks) }
  }

  private func checkSprings() throws {
    for shared in [cohort, mixed] { try check(within: 1e-4 * 200, shared, shows: shared) }
  }

  /// A figure counts only if the timed result was right: baked values are compared with the values of some frames.
  func check(within tolerance: Float, _ baked: SharedBatch<Float>, shows played: SharedBatch<Float>) throws {
    let shown = output.velocities.extracting(..<tracks)
    let buffer = output.values
    var values = buffer.mutableSpan
    try baked.batch.bake(BakeRequest(Self.frames, indices: 0..<tracks), into: &values)
    for frame in stride(from: 0, to: Self.frames.range.count, by: 37) {
      try Self.show(played, Self.frames.time(of: frame), shown)
      let row = output.row(frame, of: tracks)
      for track in 0..<tracks where !(abs(row[track] - shown[track]) <= tolerance) {
        throw BenchError.disagreement(index: track, kernel: row[track], scalar: Double(shown[track]))
      }
    }
  }
}
