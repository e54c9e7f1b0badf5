// SPDX-License-Identifier: MIT
import CYardsticks
import Murmuration

/// Programs that change things in every frame, called as people call them: tracks of two components, frames without
/// velocities, each row beside loops in C that do the same work.
final class ChangeBench {
  let tracks: Int
  let rounds: Int
  /// The spring of those that share one.
  let spring = Spring(duration: 0.5, bounce: 0.3)
  /// An underdamped spring for each track.
  let springs: [Spring]
  /// Two sets of goals, by turns, so that nothing comes to rest.
  let goals: [[SIMD2<Float>]]
  /// The indices at random.
  let order: [Int]
  /// Nanoseconds a byte of the fastest copy, by the bytes that it moves.
  private var copies: [Int: Double] = [:]

  /// The time of a frame at 60 a second.
  static let frame = 1.0 / 60

  /// - Parameters:
  ///   - tracks: The number of tracks in each batch, a multiple of 16.
  ///   - rounds: The number of rounds of each row; slow ones have fewer.
  init(tracks: Int, rounds: Int) {
    (self.tracks, self.rounds) = (tracks, rounds)
    var random = SplitMix64(seed: 42)
    goals = (0..<2).map { _ in
      (0..<tracks).map { _ in SIMD2(Float(random.uniform(-100...100)), Float(random.uniform(-100...100))) }
    }
    springs = (0..<tracks).map { _ in
      Spring(duration: random.uniform(0.3...3), bounce: random.uniform(0.05...0.6))
    }
    order = (0..<tracks).shuffled(using: &random)
  }

  /// Every row at this number of tracks.
  func measure() throws -> [OperationResult] {
    try steadyFrames() + following() + ownColumns() + snapshots() + sixtieths() + settingOut() + lives()
      + (tracks > 100_000 ? [] : try effects() + delays() + bulkCalls()) + (tracks == 10_000 ? small() : [])
  }

  // MARK: - Batches

  typealias Batch = SharedBatch<SIMD2<Float>>

  /// Tracks that stand at 0.
  func standing() throws -> (Batch, [TrackHandle]) {
    let shared = Batch(try AnimationBatch(reservingCapacity: tracks))
    return (shared, try shared.batch.add([SIMD2<Float>](repeating: .zero, count: tracks)))
  }

  /// Tracks that left 0 for the first goals, all with the same spring.
  func moving() throws -> (Batch, [TrackHandle]) {
    let (shared, handles) = try standing()
    try shared.batch.animate(.all, to: goals[0], .spring(spring))
    return (shared, handles)
  }

  /// The same in C.
  func movingYardstick() throws -> TrackYardstick {
    let yardstick = try TrackYardstick(count: tracks)
    yardstick.sendAll(to: goals[0], spring)
    return yardstick
  }

  /// Tracks in C that left 0 for the first goals with a spring each.
  func scatteredYardstick() throws -> TrackYardstick {
    let yardstick = try TrackYardstick(count: tracks)
    for index in 0..<tracks { yardstick.send(index, to: goals[0][index], yardstick_motion(springs[index])) }
    return yardstick
  }

  // MARK: - Rows

  /// A piece of work that is timed many times in a row, by turns with others.
  struct Work {
    let name: String
    /// The yardstick's name; nil if there is none.
    var yardstick: String?
    /// Bytes read and written each time; nil if they are not known.
    var bytes: Double?
    /// The number of tracks that it is about; nil for all.
    var called: Int?
    let run: () throws -> Void
  }

  /// A row for each piece of work. The pieces take turns of some milliseconds, so that the caches hold what one needs.
  func rows(_ works: [Work]) throws -> [OperationResult] {
    var comparison = Comparison<any Error>()
    for work in works { comparison.add(work.name, work.run) }
    try comparison.run(rounds: rounds, turn: 1e6)
    let best = Dictionary(comparison.entries.map { ($0.name, $0.best) }) { first, _ in first }
    return zip(works, comparison.entries).map { work, entry in
      let called = work.called ?? tracks
      var row = OperationResult(
        work.name, tracks: tracks, called: called, entry.rounds,
        ratio: work.yardstick.flatMap { best[$0] }.map { entry.best / $0 })
      row.yardstick = work.yardstick
      if let bytes = work.bytes, bytes >= 1 {
        row.bytesPerTrack = bytes / Double(called)
        row.rooflineGBPerSecond = 1 / copyTime(ofBytes: Int(bytes))
      }
      return row
    }
  }

  private func copyTime(ofBytes bytes: Int) -> Double {
    // Sizes within a sixteenth count as one.
    let step = 1 << max(0, bytes.bitWidth - bytes.leadingZeroBitCount - 5)
    let size = bytes / step * step
    if let known = copies[size] { return known }
    let time = CopyYardstick.nanosecondsPerByte(movingBytes: size)
    copies[size] = time
    return time
  }

  /// A figure counts only if the timed result was right: a batch and a yardstick that played the same program must agree.
  func check(
    _ shared: Batch, _ value: (Int) -> SIMD2<Float>, within tolerance: Float = 0.05
  ) throws(BenchError) {
    for index in 0..<tracks {
      guard let handle = shared.batch.handle(at: index), let own = shared.batch[handle] else { continue }
      let other = value(index)
      for component in 0..<2 where !(abs(own[component] - other[component]) <= tolerance) {
        throw .disagreement(index: index, kernel: own[component], scalar: Double(other[component]))
      }
    }
  }
}
