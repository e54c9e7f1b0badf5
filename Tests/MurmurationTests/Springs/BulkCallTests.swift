// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

/// Bulk calls do what the same calls do track by track, whatever the order, the number and the repetition of handles.
struct BulkCallTests {
  private typealias Batch = AnimationBatch<SIMD2<Float>>
  private static let counts = [1, 15, 16, 17, 100]

  /// Two batches with the same tracks at the same indices, with one spring or with a spring each.
  private struct Twins: ~Copyable {
    var one: Batch
    var other: Batch
    let tracks: [TrackHandle]
    let others: [TrackHandle]
    var random: SplitMix64

    init(_ count: Int, inBulk: Bool, seed: UInt64) throws {
      var one = try Batch()
      var other = try Batch()
      var random = SplitMix64(seed: seed)
      let (values, goals, speeds) = (
        random.vectors(count, 100), random.vectors(count, 100), random.vectors(count, 100)
      )
      let springs = random.springs(inBulk ? 1 : count)
      let tracks =
        inBulk
        ? try one.add(values, velocities: speeds, to: goals, springs[0])
        : try one.add(values, velocities: speeds, to: goals, springs: springs)
      let others =
        inBulk
        ? try other.add(values, velocities: speeds, to: goals, springs[0])
        : try other.add(values, velocities: speeds, to: goals, springs: springs)
      try one.advance(to: 0.1)
      try other.advance(to: 0.1)
      self.tracks = tracks
      self.others = others
      self.random = random
      self.one = one
      self.other = other
    }

    /// Plays both side by side and compares all bits, frame by frame.
    mutating func expectSameBits(
      until end: Double = 1_000, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      for step in [1e-3, 0.1, 0.3, 3, 1_000] where step <= end {
        try one.advance(by: step)
        try other.advance(by: step)
        let (bits, expected) = (try one.bits(), try other.bits())
        #expect(bits == expected, "after \(step) s", sourceLocation: sourceLocation)
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
      let target = batch.target(of: tracks[20])
      #expect(target == 1, "track \(index)")
      try batch.set(tracks, goals, velocities: goals.map { _ in 0 })
    }
  }

  /// Whatever tracks followed, those of a full tile that are set to values stand there.
  @Test func wholeTilesAreSetInPlace() throws {
    var batch = try AnimationBatch<SIMD2<Float>>()
    var twin = try AnimationBatch<SIMD2<Float>>()
    let zeros = [SIMD2<Float>](repeating: .zero, count: 16)
    let clip = try Clip(initialValue: SIMD2<Float>.zero) { _ in LinearKeyframe(SIMD2(3, 9), duration: 2) }
    let (played, same) = (try batch.load(clip), try twin.load(clip))
    let (tracks, others) = (try batch.add(zeros), try twin.add(zeros))
    let goals = tracks.map { SIMD2(Float($0.index), -1) }
    for motion in 0..<4 {
      switch motion {
      case 0:
        try batch.animate(tracks, to: goals, .bouncy)
        try twin.animate(others, to: goals, .bouncy)
      case 1:
        try batch.animate(tracks, to: goals, .linear(duration: 2))
        try twin.animate(others, to: goals, .linear(duration: 2))
      case 2:
        try batch.play(played, on: tracks)
        try twin.play(same, on: others)
      default:
        try batch.set(tracks, goals, velocities: goals)
        try twin.set(others, goals, velocities: goals)
      }
      for _ in 0..<2 {
        try batch.advance(by: 0.1)
        try twin.advance(by: 0.1)
      }
      let values = tracks.map { SIMD2(Float(motion), Float($0.index)) }
      let indices = tracks.map { batch.index(of: $0) }
      try batch.set(tracks, values, velocities: zeros)
      for (position, track) in others.enumerated() { try twin.set(track, values[position], velocity: .zero) }
      let (newIndices, broken) = (tracks.map { batch.index(of: $0) }, batch.checkInvariants())
      #expect(newIndices == indices && broken == nil, "motion \(motion)")
      for _ in 0..<3 {
        try batch.advance(by: 0.5)
        try twin.advance(by: 0.5)
        let (bits, expected) = (try batch.bits(), try twin.bits())
        let (events, kinds) = (batch.events.count, tracks.map { batch.motion(of: $0) })
        #expect(bits == expected && events == 0 && kinds.allSatisfy { $0 == .still }, "motion \(motion)")
      }
    }
  }

  /// In the order of indices, whole tiles change hands; in another order, each track moves.
  @Test(arguments: counts, [nil, Spring.snappy]) func theOrderOfHandlesDoesNotShow(
    _ count: Int, _ spring: Spring?
  ) throws {
    var random = SplitMix64(seed: 3)
    // At random; and tile by tile, with two tracks of each tile in the wrong order.
    let turned = (0..<count).map { index in
      let lane = index % 16
      return lane == 1 && index + 1 < count ? index + 1 : lane == 2 ? index - 1 : index
    }
    for order in [(0..<count).shuffled(using: &random), turned, Array((0..<count).reversed())] {
      for inBulk in [false, true] {
        var twins = try Twins(count, inBulk: inBulk, seed: 4)
        let others = order.map { twins.others[$0] }
        for _ in 0..<3 {
          let goals = twins.random.vectors(count, 100)
          let shuffled = order.map { goals[$0] }
          if let spring {
            try twins.one.animate(twins.tracks, to: goals, .spring(spring))
            try twins.other.animate(others, to: shuffled, .spring(spring))
          } else {
            try twins.one.retarget(twins.tracks, to: goals)
            try twins.other.retarget(others, to: shuffled)
          }
          try twins.expectSameBits(until: 0.1)
        }
        try twins.expectSameBits()
      }
    }
  }

  @Test func aRangeBeyondTheIndicesIsRefused() throws {
    var batch = try Batch()
    try batch.add([SIMD2<Float>](repeating: .zero, count: 10))
    let goals = [SIMD2<Float>](repeating: .one, count: 11)
    #expect(throws: BatchError.trackOutOfRange(.min, count: 10)) {
      try batch.animate(.min ..< .max, to: goals.span, .smooth)
    }
    try batch.animate(3..<3, to: [SIMD2<Float>]().span, .smooth)
  }

  // MARK: - Handles named twice

  enum Call: CaseIterable, Sendable { case retarget, spring, springs, curve, animations, phases, displace, set, slide }

  @Test(arguments: Call.allCases, [false, true]) func ofATrackNamedTwiceTheLastWordCounts(
    _ call: Call, _ inBulk: Bool
  ) throws {
    for (count, length) in [(1, 2), (3, 15), (16, 17), (40, 60), (40, 15), (16, 60)] {
      var twins = try Twins(count, inBulk: inBulk, seed: UInt64(length))
      let picks = (0..<length).map { _ in Int(twins.random.next() % UInt64(count)) }
      // The same call, with each handle once and its last values.
      let last = Dictionary(picks.enumerated().map { ($1, $0) }, uniquingKeysWith: { $1 }).sorted { $0.key < $1.key }
      let (handles, once) = (picks.map { twins.tracks[$0] }, last.map { twins.others[$0.key] })
      let (goals, speeds) = (twins.random.vectors(length, 100), twins.random.vectors(length, 100))
      let springs = twins.random.springs(length)
      let (lastGoals, lastSpeeds) = (last.map { goals[$0.value] }, last.map { speeds[$0.value] })
      switch call {
      case .retarget:
        try twins.one.retarget(handles, to: goals)
        try twins.other.retarget(once, to: lastGoals)
      case .spring:
        try twins.one.animate(handles, to: goals, .snappy)
        try twins.other.animate(once, to: lastGoals, .snappy)
      case .springs:
        try twins.one.animate(handles, to: goals, springs: springs)
        try twins.other.animate(once, to: lastGoals, springs: last.map { springs[$0.value] })
      case .curve:
        try twins.one.animate(handles, to: goals, .easeInOut)
        try twins.other.animate(once, to: lastGoals, .easeInOut)
      case .animations:
        let kinds: [Animation?] = [.easeIn(duration: 0.3), nil, .bouncy, .smooth.delay(0.1)]
        let animations = (0..<length).map { kinds[$0 % kinds.count] }
        try twins.one.animate(handles, to: goals, animations: animations)
        try twins.other.animate(once, to: lastGoals, animations: last.map { animations[$0.value] })
      case .phases:
        let pulse = try PhaseSequence(
          [SIMD2<Float>(0, 0), [3, 4]], target: { $0 }, animation: { _ in .bouncy(duration: 0.4) })
        let (id, other) = (try twins.one.load(pulse), try twins.other.load(pulse))
        try twins.one.play(id, on: handles, offsets: goals)
        try twins.other.play(other, on: once, offsets: lastGoals)
      case .displace:
        try twins.one.displace(handles, goals, velocities: speeds)
        try twins.other.displace(once, lastGoals, velocities: lastSpeeds)
      case .set:
        try twins.one.set(handles, goals, velocities: speeds)
        try twins.other.set(once, lastGoals, velocities: lastSpeeds)
      case .slide:
        try twins.one.decelerate(handles, velocities: speeds)
        try twins.other.decelerate(once, velocities: lastSpeeds)
      }
      try twins.expectSameBits()
      try twins.one.remove(handles)
      let left = twins.one.count
      #expect(left == count - last.count)
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
      let (shown, target, restAfter) = (
        tracks.map { batch[$0] }, batch.target(of: tracks[0]), batch.restTime(of: tracks[0])
      )
      #expect(shown == values && target == [8, 8] && restAfter == rest)
    }
  }

  /// One goal for many tracks, and one for all, mean the same as that goal for each.
  @Test(arguments: counts, [false, true]) func oneGoalIsThatGoalForEach(_ count: Int, _ inBulk: Bool) throws {
    var twins = try Twins(count, inBulk: inBulk, seed: 8)
    let goals = twins.random.vectors(6, 100)
    func each(_ goal: SIMD2<Float>) -> [SIMD2<Float>] { [SIMD2<Float>](repeating: goal, count: count) }
    for animation in [Animation.bouncy, .easeInOut(duration: 0.3)] {
      try twins.one.animate(twins.tracks, to: goals[0], animation)
      try twins.other.animate(twins.others, to: each(goals[0]), animation)
      try twins.expectSameBits(until: 0.1)
      let delays = (0..<count).map { Double($0 % 3) / 10 }
      try twins.one.animate(twins.tracks, to: goals[1], animation, delays: delays)
      try twins.other.animate(twins.others, to: each(goals[1]), animation, delays: delays)
      try twins.expectSameBits(until: 0.3)
      try twins.one.animate(.all, to: goals[2], animation)
      try twins.other.animate(.all, to: each(goals[2]), animation)
      try twins.expectSameBits(until: 0.1)
      try twins.one.retarget(twins.tracks, to: goals[3])
      try twins.other.retarget(twins.others, to: each(goals[3]))
      try twins.expectSameBits(until: 0.1)
      try twins.one.retarget(.all, to: goals[4])
      try twins.other.retarget(.all, to: each(goals[4]).span)
      try twins.expectSameBits(until: 0.1)
      try twins.one.animate(.all, to: goals[5], animation)
      try twins.other.animate(.all, to: each(goals[5]).span, animation)
      try twins.expectSameBits()
    }
  }

  @Test func oneGoalOfManyComponents() throws {
    var batch = try AnimationBatch<Components>(dimensions: 5)
    let tracks = try batch.add([[1, 2, 3, 4, 5], [6, 7, 8, 9, 10], [0, 0, 0, 0, 0]])
    try batch.animate(tracks, to: [5, 4, 3, 2, 1], .smooth)
    try batch.advance(to: 10)
    for track in tracks { #expect(batch[track] == [5, 4, 3, 2, 1]) }
    try batch.animate(.all, to: [0, 1, 0, 1, 0], nil)
    for track in tracks { #expect(batch[track] == [0, 1, 0, 1, 0]) }
    #expect(throws: BatchError.wrongDimensions(of: "goal", expected: 5, got: 2)) {
      try batch.animate(tracks, to: [5, 4], .smooth)
    }
  }

  /// Tracks without a spring that are retargeted follow the usual one. Tracks with springs in the same call change nothing
  /// of that.
  @Test(arguments: [1, 15, 16, 40], [0, 3, 50])
  func tracksWithoutASpringFollowTheUsualOne(_ count: Int, _ neighbourCount: Int) throws {
    func bits(_ call: (inout Batch, _ tracks: [TrackHandle], _ goals: [SIMD2<Float>]) throws -> Void) throws
      -> [[UInt32]]
    {
      var random = SplitMix64(seed: 12)
      var batch = try Batch()
      let tracks = try batch.add(random.vectors(count, 100))
      let neighbours = try batch.add(random.vectors(neighbourCount, 100))
      // Every third track stands since it was added, or since its curve ended; the others are on their ways.
      for (index, track) in tracks.enumerated() where index % 3 > 0 {
        try batch.animate(track, to: [3, 4], .easeOut(duration: index % 3 == 1 ? 0.25 : 2))
      }
      for (index, track) in neighbours.enumerated() where index % 2 > 0 {
        try batch.animate(track, to: [3, 4], .snappy)
      }
      try batch.animate(neighbours.enumerated().filter { $0.offset % 2 == 0 }.map(\.element), to: [3, 4], .bouncy)
      try batch.advance(to: 1)
      try call(&batch, tracks, random.vectors(count + neighbourCount, 100))
      return try [1.125, 1.5, 30].map { time in
        try batch.advance(to: time)
        return tracks.flatMap { track in
          let (value, velocity) = (batch[track] ?? .zero, batch.velocity(of: track) ?? .zero)
          return [value.x, value.y, velocity.x, velocity.y].map(\.bitPattern)
        }
      }
    }
    let expected = try bits { batch, tracks, goals in
      try batch.animate(tracks, to: Array(goals.prefix(count)), .spring(Spring()))
    }
    let all = try bits { batch, _, goals in try batch.retarget(.all, to: goals) }
    let handles = try bits { batch, _, goals in try batch.retarget(batch.live, to: goals) }
    let reversed = try bits { batch, _, goals in try batch.retarget(batch.live.reversed(), to: goals.reversed()) }
    let range = try bits { batch, _, goals in try batch.retarget(0..<goals.count, to: goals.span) }
    #expect(all == expected && handles == expected && reversed == expected && range == expected)
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
