// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

/// Bulk calls do what the same calls do track by track, whatever the order, the number and the repetition of handles.
struct BulkCallTests {
  private typealias Batch = AnimationBatch<SIMD2<Float>>

  /// Two batches with the same tracks at the same indices, with one spring or with a spring each.
  private struct Twins: ~Copyable {
    var one: Batch
    var other: Batch
    let tracks: [TrackHandle]
    let others: [TrackHandle]
    var random: SplitMix64

    init(_ count: Int, inBulk: Bool, seed: UInt64) throws {
      var random = SplitMix64(seed: seed)
      let (values, goals, speeds) = (
        random.vectors(count, 100), random.vectors(count, 100), random.vectors(count, 100)
      )
      let springs = random.springs(inBulk ? 1 : count)
      func fill(_ batch: inout Batch) throws -> [TrackHandle] {
        let tracks =
          inBulk
          ? try batch.add(values, velocities: speeds, to: goals, springs[0])
          : try batch.add(values, velocities: speeds, to: goals, springs: springs)
        try batch.advance(to: 0.1)
        return tracks
      }
      var one = try Batch()
      var other = try Batch()
      (tracks, others) = (try fill(&one), try fill(&other))
      self.random = random
      self.one = one
      self.other = other
    }

    /// Plays both side by side and compares all bits, frame by frame.
    mutating func expectSameBits(_ note: String) throws {
      for step in [1e-3, 0.1, 0.3, 3, 1_000] {
        try one.advance(by: step)
        try other.advance(by: step)
        let (bits, expected) = (try one.bits(), try other.bits())
        #expect(bits == expected, "\(note): after \(step) s")
      }
    }
  }

  /// Sixteen handles in order are looked up together.
  @Test func aHandleThatIsGoneIsFoundAmongNeighbours() throws {
    var batch = try AnimationBatch<Float>()
    var strangers = try AnimationBatch<Float>()
    let goals = [Float](repeating: 1, count: 40)
    let others = try strangers.add(goals)
    var tracks = try batch.add(goals)
    for index in [0, 7, 15, 16, 31, 39] {
      let gone = tracks[index]
      try batch.remove(gone)
      #expect(throws: BatchError.staleHandle(gone)) { try batch.animate(tracks, to: goals, .smooth) }
      tracks[index] = try batch.add(1)
      #expect(throws: BatchError.staleHandle(gone)) {
        try batch.animate(tracks[..<index] + [gone] + tracks[(index + 1)...], to: goals, .smooth)
      }
      #expect(throws: BatchError.storeMismatch(others[index])) {
        try batch.animate(tracks[..<index] + [others[index]] + tracks[(index + 1)...], to: goals, .smooth)
      }
      // A neighbour twice, and a track not at all.
      var swapped = tracks
      swapped[20] = tracks[21]
      try batch.retarget(swapped, to: tracks.indices.map { Float($0 + 2) })
      #expect(batch.target(of: tracks[20]) == 1, "track \(index)")
      try batch.set(tracks, goals, velocities: goals.map { _ in 0 })
    }
  }

  /// Whatever tracks followed, those of a full tile that are set to values stand there.
  @Test func wholeTilesAreSetInPlace() throws {
    let clip = try Clip(initialValue: SIMD2<Float>.zero) { _ in LinearKeyframe(SIMD2(3, 9), duration: 2) }
    let goals = (0..<16).map { SIMD2(Float($0), -1) }
    let motions: [(inout Batch, [TrackHandle]) throws -> Void] = [
      { try $0.animate($1, to: goals, .bouncy) }, { try $0.animate($1, to: goals, .linear(duration: 2)) },
      { try $0.play(try $0.load(clip), on: $1) }, { try $0.set($1, goals, velocities: goals) },
    ]
    var batch = try Batch()
    var twin = try Batch()
    let zeros = [SIMD2<Float>](repeating: .zero, count: 16)
    let (tracks, others) = (try batch.add(zeros), try twin.add(zeros))
    func advance(by seconds: Double) throws {
      try batch.advance(by: seconds)
      try twin.advance(by: seconds)
    }
    for (motion, start) in motions.enumerated() {
      try start(&batch, tracks)
      try start(&twin, others)
      for _ in 0..<2 { try advance(by: 0.1) }
      let values = tracks.map { SIMD2(Float(motion), Float($0.index)) }
      let indices = tracks.map { batch.index(of: $0) }
      try batch.set(tracks, values, velocities: zeros)
      for (track, value) in zip(others, values) { try twin.set(track, value, velocity: .zero) }
      #expect(tracks.map { batch.index(of: $0) } == indices && batch.checkInvariants() == nil, "motion \(motion)")
      for _ in 0..<3 {
        try advance(by: 0.5)
        let (bits, expected) = (try batch.bits(), try twin.bits())
        #expect(bits == expected && batch.events.isEmpty, "motion \(motion)")
        #expect(tracks.allSatisfy { batch.motion(of: $0) == .still }, "motion \(motion)")
      }
    }
  }

  // MARK: - Handles in any order, and named twice

  enum Call: CaseIterable, Sendable { case retarget, spring, springs, curve, animations, phases, displace, set, slide }

  /// Makes a call about tracks, with the elements of the given positions.
  private func make(
    _ call: Call, _ batch: inout Batch, _ tracks: [TrackHandle], _ positions: [Int], _ goals: [SIMD2<Float>],
    _ springs: [Spring]
  ) throws {
    let kinds: [Animation?] = [.easeIn(duration: 0.3), nil, .bouncy, .smooth.delay(0.1)]
    let (goals, speeds) = (positions.map { goals[$0] }, positions.map { -2 * goals[$0] })
    switch call {
    case .retarget: try batch.retarget(tracks, to: goals)
    case .spring: try batch.animate(tracks, to: goals, .snappy)
    case .springs: try batch.animate(tracks, to: goals, springs: positions.map { springs[$0] })
    case .curve: try batch.animate(tracks, to: goals, .easeInOut)
    case .animations: try batch.animate(tracks, to: goals, animations: positions.map { kinds[$0 % kinds.count] })
    case .phases:
      let pulse = try PhaseSequence(
        [SIMD2<Float>(0, 0), [3, 4]], target: { $0 }, animation: { _ in .bouncy(duration: 0.4) })
      try batch.play(try batch.load(pulse), on: tracks, offsets: goals)
    case .displace: try batch.displace(tracks, goals, velocities: speeds)
    case .set: try batch.set(tracks, goals, velocities: speeds)
    case .slide: try batch.decelerate(tracks, velocities: speeds)
    }
  }

  /// In the order of indices, whole tiles change hands; in another order, each track moves.
  @Test(arguments: Call.allCases, [false, true]) func ofATrackNamedTwiceTheLastWordCounts(
    _ call: Call, _ inBulk: Bool
  ) throws {
    var random = SplitMix64(seed: 3)
    var cases = [(1, 2), (3, 15), (16, 17), (40, 60), (40, 15), (16, 60)].map { count, length in
      (count, (0..<length).map { _ in Int(random.next() % UInt64(count)) })
    }
    // Each track once: at random, backwards, and tile by tile with two tracks of each tile in the wrong order.
    for count in [15, 16, 17, 100] {
      let turned = (0..<count).map { index in
        let lane = index % 16
        return lane == 1 && index + 1 < count ? index + 1 : lane == 2 ? index - 1 : index
      }
      for order in [(0..<count).shuffled(using: &random), (0..<count).reversed(), turned] {
        cases.append((count, order))
      }
    }
    for (count, picks) in cases {
      var twins = try Twins(count, inBulk: inBulk, seed: UInt64(picks.count))
      let (goals, springs) = (twins.random.vectors(picks.count, 100), twins.random.springs(picks.count))
      // The same call, with each handle once and its last values.
      let last = Dictionary(picks.enumerated().map { ($1, $0) }, uniquingKeysWith: { $1 }).sorted { $0.key < $1.key }
      let handles = picks.map { twins.tracks[$0] }
      try make(call, &twins.one, handles, Array(picks.indices), goals, springs)
      try make(call, &twins.other, last.map { twins.others[$0.key] }, last.map(\.value), goals, springs)
      try twins.expectSameBits("\(picks)")
      try twins.one.remove(handles)
      #expect(twins.one.count == count - last.count)
    }
  }

  @Test("A track keeps its motion if the last goal of a call is the one that it heads for")
  func theLastGoalMayBeTheOldOne() throws {
    for animation in [.smooth, .easeIn] as [Animation] {
      var batch = try Batch()
      let tracks = try batch.add([[0, 0], [1, 1]])
      try batch.animate(tracks, to: [[8, 8], [9, 9]], .bouncy)
      try batch.advance(to: 0.125)
      let (values, rest) = (tracks.map { batch[$0] }, batch.restTime(of: tracks[0]))
      try batch.animate([tracks[0], tracks[1], tracks[0]], to: [[5, 5], [9, 9], [8, 8]], animation)
      #expect(tracks.map { batch[$0] } == values && batch.restTime(of: tracks[0]) == rest)
      #expect(batch.target(of: tracks[0]) == [8, 8])
    }
  }
}

extension SplitMix64 {
  /// Vectors of components within a magnitude.
  mutating func vectors(_ count: Int, _ magnitude: Double) -> [SIMD2<Float>] {
    (0..<count).map { _ in SIMD2(Float(uniform(-magnitude...magnitude)), Float(uniform(-magnitude...magnitude))) }
  }

  /// Springs of both regimes.
  mutating func springs(_ count: Int) -> [Spring] {
    (0..<count).map { _ in Spring(duration: uniform(0.2...2), bounce: uniform(-0.8...0.8)) }
  }
}
