// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

/// Bulk calls do what the same calls do track by track, whatever the order, the number and the repetition of handles.
struct BulkCallTests {
  private typealias Batch = AnimationBatch<SIMD2<Float>>
  private static let counts = [1, 15, 16, 17, 100]

  /// Two batches with the same tracks at the same indices: a cohort, or tracks with a spring each.
  private struct Twins: ~Copyable {
    var one: Batch
    var other: Batch
    let tracks: [TrackHandle]
    let others: [TrackHandle]
    var random: SplitMix64

    init(_ count: Int, inCohort: Bool, seed: UInt64) throws {
      var one = try Batch()
      var other = try Batch()
      var random = SplitMix64(seed: seed)
      let (values, goals, speeds) = (
        random.vectors(count, 100), random.vectors(count, 100), random.vectors(count, 100)
      )
      let springs = random.springs(inCohort ? 1 : count)
      let tracks =
        inCohort
        ? try one.add(values, velocities: speeds, to: goals, springs[0])
        : try one.add(values, velocities: speeds, to: goals, springs: springs)
      let others =
        inCohort
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
      until end: Double = 1_000, within most: Float = 0, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      for step in [1e-3, 0.1, 0.3, 3, 1_000] where step <= end {
        try one.advance(by: step)
        try other.advance(by: step)
        let (bits, expected) = (try one.bits(), try other.bits())
        let isSame =
          bits == expected
          || zip(bits, expected).allSatisfy { abs(Float(bitPattern: $0) - Float(bitPattern: $1)) <= most }
        #expect(isSame, "after \(step) s", sourceLocation: sourceLocation)
      }
    }
  }

  @Test(arguments: counts, [false, true]) func springsOfTheirOwnAreThoseOfSingleCalls(
    _ count: Int, _ inCohort: Bool
  ) throws {
    var twins = try Twins(count, inCohort: inCohort, seed: 1)
    let (goals, springs) = (twins.random.vectors(count, 100), twins.random.springs(count))
    try twins.one.animate(twins.tracks, to: goals, springs: springs)
    for index in 0..<count { try twins.other.animate(twins.others[index], to: goals[index], .spring(springs[index])) }
    let alone = twins.tracks.allSatisfy { twins.one.cohort(of: $0) == nil }
    #expect(alone)
    try twins.expectSameBits()
  }

  @Test(arguments: counts, [false, true]) func settingManyIsSettingEach(_ count: Int, _ inCohort: Bool) throws {
    for goesOn in [false, true] {
      var twins = try Twins(count, inCohort: inCohort, seed: 2)
      let (values, speeds) = (twins.random.vectors(count, 100), twins.random.vectors(count, 100))
      if goesOn {
        try twins.one.displace(twins.tracks, values, velocities: speeds)
      } else {
        try twins.one.set(twins.tracks, values, velocities: speeds)
      }
      for (index, track) in twins.others.enumerated() {
        if goesOn {
          try twins.other.displace([track], [values[index]], velocities: [speeds[index]])
        } else {
          try twins.other.set([track], [values[index]], velocities: [speeds[index]])
        }
      }
      let shown = twins.tracks.map { twins.one[$0] }
      #expect(shown == values)
      try twins.expectSameBits()
    }
  }

  /// In the order of rows, whole tiles change hands; in another order, each track moves.
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
      for inCohort in [false, true] {
        var twins = try Twins(count, inCohort: inCohort, seed: 4)
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

  /// The third way to name the same tracks is a range of indices, of which every fifth is gone.
  @Test(arguments: counts, [nil, Spring.snappy]) func aRangeNamesTheTracksOfItsIndices(
    _ count: Int, _ spring: Spring?
  ) throws {
    for inCohort in [false, true] {
      var twins = try Twins(count, inCohort: inCohort, seed: 5)
      let gone = stride(from: 2, to: count, by: 5).map { $0 }
      try twins.one.remove(gone.map { twins.tracks[$0] })
      try twins.other.remove(gone.map { twins.others[$0] })
      let range = count / 4..<count
      let goals = twins.random.vectors(range.count, 100)
      let live = range.filter { !gone.contains($0) }
      let (others, otherGoals) = (live.map { twins.others[$0] }, live.map { goals[$0 - range.lowerBound] })
      if let spring {
        try twins.one.animate(range, to: goals.span, .spring(spring))
        try twins.other.animate(others, to: otherGoals, .spring(spring))
      } else {
        try twins.one.retarget(range, to: goals.span)
        try twins.other.retarget(others, to: otherGoals)
      }
      try twins.expectSameBits()
    }
  }

  @Test func aRangeBeyondTheIndicesIsRefused() throws {
    var batch = try Batch()
    try batch.add([SIMD2<Float>](repeating: .zero, count: 10))
    let goals = [SIMD2<Float>](repeating: .one, count: 11)
    #expect(throws: BatchError.trackOutOfRange(10, count: 10)) { try batch.retarget(0..<11, to: goals.span) }
    #expect(throws: BatchError.trackOutOfRange(-1, count: 10)) { try batch.retarget(-1..<10, to: goals.span) }
    #expect(throws: BatchError.wrongCount(of: "goals", expected: 10, got: 11)) {
      try batch.animate(0..<10, to: goals.span, .smooth)
    }
    #expect(throws: BatchError.wrongCount(of: "goals", expected: .max, got: 11)) {
      try batch.animate(.min ..< .max, to: goals.span, .smooth)
    }
    try batch.animate(3..<3, to: [SIMD2<Float>]().span, .smooth)
  }

  // MARK: - Handles named twice

  enum Call: CaseIterable, Sendable { case retarget, spring, springs, displace, set, slide }

  @Test(arguments: Call.allCases, [false, true]) func ofATrackNamedTwiceTheLastWordCounts(
    _ call: Call, _ inCohort: Bool
  ) throws {
    for (count, length) in [(1, 2), (3, 15), (16, 17), (40, 60), (40, 15), (16, 60)] {
      var twins = try Twins(count, inCohort: inCohort, seed: UInt64(length))
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
        // A cohort rests with its largest motion, even one that a later entry replaced.
        try twins.one.hardlyRests()
        try twins.other.hardlyRests()
        try twins.one.animate(handles, to: goals, .snappy)
        try twins.other.animate(once, to: lastGoals, .snappy)
      case .springs:
        try twins.one.animate(handles, to: goals, springs: springs)
        try twins.other.animate(once, to: lastGoals, springs: last.map { springs[$0.value] })
      case .displace:
        try twins.one.displace(handles, goals, velocities: speeds)
        try twins.other.displace(once, lastGoals, velocities: lastSpeeds)
      case .set:
        try twins.one.set(handles, goals, velocities: speeds)
        try twins.other.set(once, lastGoals, velocities: lastSpeeds)
      case .slide:
        try twins.one.hardlyRests()
        try twins.other.hardlyRests()
        try twins.one.decelerate(handles, velocities: speeds)
        try twins.other.decelerate(once, velocities: lastSpeeds)
      }
      // A track that left a cohort has its decay in Float, so each further displacement rounds once more.
      try twins.expectSameBits(
        until: 0.3, within: call == .displace && inCohort ? 16 * 0x1p-24 * 2_000 : 0)
      try twins.one.remove(handles)
      let left = twins.one.count
      #expect(left == count - last.count)
    }
  }

  /// Sixteen names of one track of a small cohort do not make that cohort large.
  @Test func repeatedHandlesOfSmallCohortsKeepTheOthersApart() throws {
    var batch = try AnimationBatch<Float>()
    var expected = try AnimationBatch<Float>()
    let springs = (0..<16).map { Spring(duration: 0.2 + 0.1 * Double($0), bounce: 0.3) }
    let handles = try springs.map { try batch.add([10], to: [0], $0)[0] }
    let twins = try springs.map { try expected.add([10], to: [0], $0)[0] }
    try batch.advance(to: 0.1)
    try expected.advance(to: 0.1)
    let names = handles + [TrackHandle](repeating: handles[0], count: 20) + handles
    try batch.retarget(names, to: [Float](repeating: 5, count: names.count))
    try expected.retarget(twins, to: [Float](repeating: 5, count: 16))
    for step in [0.1, 0.2, 0.5] {
      try batch.advance(by: step)
      try expected.advance(by: step)
      let (bits, exact) = (try batch.bits(), try expected.bits())
      #expect(bits == exact)
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
