// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

/// Bulk calls do what the same calls do track by track, whatever the order, the number and the repetition of handles.
struct BulkCallTests {
  private static let counts = [1, 5, 15, 16, 17, 40, 100]

  /// Tracks of a cohort, or with a spring each, in two dimensions.
  private func fill(_ batch: inout SpringBatch, _ count: Int, inCohort: Bool) throws -> [TrackHandle] {
    var random = SplitMix64(seed: UInt64(count))
    let springs = (0..<count).map { _ in
      Spring(duration: random.uniform(0.2...2), bounce: random.uniform(-0.8...0.8))
    }
    let values = numbers(2 * count, &random)
    let targets = numbers(2 * count, &random)
    let velocities = numbers(2 * count, &random)
    if inCohort {
      return try batch.add(.bouncy, values: values.span, targets: targets.span, velocities: velocities.span)
    }
    return try batch.add(springs.span, values: values.span, targets: targets.span, velocities: velocities.span)
  }

  private func numbers(_ count: Int, _ random: inout SplitMix64) -> [Float] {
    (0..<count).map { _ in Float(random.uniform(-100...100)) }
  }

  private func vector(_ numbers: [Float], _ index: Int) -> SIMD2<Float> {
    SIMD2(numbers[index], numbers[numbers.count / 2 + index])
  }

  /// Plays two batches side by side and compares all bits, frame by frame, until all rest.
  private func expectSameBits(_ one: inout SpringBatch, _ other: inout SpringBatch, _ comment: String) throws {
    for step in [1e-3, 0.1, 0.3, 1, 3, 1_000] {
      try one.advance(by: step)
      try other.advance(by: step)
      let (bits, expected) = (try one.bits(), try other.bits())
      #expect(bits == expected, "\(comment) at \(one.time)")
    }
  }

  @Test(arguments: counts, [false, true]) func springsOfTheirOwnAreThoseOfSingleCalls(
    _ count: Int, _ inCohort: Bool
  ) throws {
    var random = SplitMix64(seed: 1)
    var bulk = try SpringBatch(dimensions: 2)
    var single = try SpringBatch(dimensions: 2)
    let handles = try fill(&bulk, count, inCohort: inCohort)
    let twins = try fill(&single, count, inCohort: inCohort)
    try bulk.advance(to: 0.1)
    try single.advance(to: 0.1)
    let targets = numbers(2 * count, &random)
    let springs = (0..<count).map { _ in Spring(duration: random.uniform(0.2...2), bounce: random.uniform(-0.8...0.8)) }
    try bulk.retarget(handles.span, to: targets.span, springs: springs.span)
    for index in 0..<count {
      try single.retarget(twins[index], to: vector(targets, index), spring: springs[index])
    }
    let alone = try handles.allSatisfy { handle in try !bulk.isInCohort(handle) }
    #expect(alone)
    try expectSameBits(&bulk, &single, "springs")
  }

  @Test(arguments: counts, [false, true]) func settingManyIsSettingEach(_ count: Int, _ inCohort: Bool) throws {
    var random = SplitMix64(seed: 2)
    var bulk = try SpringBatch(dimensions: 2)
    var single = try SpringBatch(dimensions: 2)
    let handles = try fill(&bulk, count, inCohort: inCohort)
    let twins = try fill(&single, count, inCohort: inCohort)
    try bulk.advance(to: 0.1)
    try single.advance(to: 0.1)
    let (values, velocities) = (numbers(2 * count, &random), numbers(2 * count, &random))
    try bulk.set(handles.span, values: values.span, velocities: velocities.span)
    for index in 0..<count {
      try single.set(twins[index], value: vector(values, index), velocity: vector(velocities, index))
    }
    let shown = try handles.indices.map { index in try bulk.value(of: handles[index]) == vector(values, index) }
    #expect(!shown.contains(false))
    try expectSameBits(&bulk, &single, "set")
  }

  /// In the order of rows, whole tiles change hands; in another order, each track moves.
  @Test(arguments: counts, [nil, Spring.snappy]) func theOrderOfHandlesDoesNotShow(
    _ count: Int, _ spring: Spring?
  ) throws {
    var random = SplitMix64(seed: 3)
    // At random; and so that each tile's tracks come together, but two of them in the wrong order.
    let turned = (0..<count).map { index in
      let lane = index % 16
      return lane == 1 && index + 1 < count ? index + 1 : lane == 2 ? index - 1 : index
    }
    for order in [(0..<count).shuffled(using: &random), turned, Array((0..<count).reversed())] {
      try expectNoOrder(order, spring, inCohort: true)
      try expectNoOrder(order, spring, inCohort: false)
    }
  }

  private func expectNoOrder(_ order: [Int], _ spring: Spring?, inCohort: Bool) throws {
    let count = order.count
    var random = SplitMix64(seed: 4)
    var inOrder = try SpringBatch(dimensions: 2)
    var shuffled = try SpringBatch(dimensions: 2)
    let handles = try fill(&inOrder, count, inCohort: inCohort)
    let twins = try fill(&shuffled, count, inCohort: inCohort)
    for round in 0..<3 {
      try inOrder.advance(by: 0.15)
      try shuffled.advance(by: 0.15)
      let targets = numbers(2 * count, &random)
      let other = order.map { targets[$0] } + order.map { targets[count + $0] }
      let others = order.map { twins[$0] }
      try inOrder.retarget(handles.span, to: targets.span, spring: spring)
      try shuffled.retarget(others.span, to: other.span, spring: spring)
      let (bits, expected) = (try inOrder.bits(), try shuffled.bits())
      #expect(bits == expected, "round \(round)")
    }
    try expectSameBits(&inOrder, &shuffled, "orders")
  }

  /// The third way to name the same tracks is a range of indices.
  @Test(arguments: counts, [nil, Spring.snappy]) func aRangeNamesTheTracksOfItsIndices(
    _ count: Int, _ spring: Spring?
  ) throws {
    try expectRange(count, spring, inCohort: true)
    try expectRange(count, spring, inCohort: false)
  }

  private func expectRange(_ count: Int, _ spring: Spring?, inCohort: Bool) throws {
    var random = SplitMix64(seed: 5)
    var byRange = try SpringBatch(dimensions: 2)
    var byHandle = try SpringBatch(dimensions: 2)
    let handles = try fill(&byRange, count, inCohort: inCohort)
    let twins = try fill(&byHandle, count, inCohort: inCohort)
    // Every fifth is gone.
    let gone = stride(from: 2, to: count, by: 5).map { $0 }
    try byRange.remove(gone.map { handles[$0] })
    try byHandle.remove(gone.map { twins[$0] })
    try byRange.advance(to: 0.1)
    try byHandle.advance(to: 0.1)
    let range = count / 4..<count
    let live = range.filter { !gone.contains($0) }
    let targets = numbers(2 * range.count, &random)
    let chosen = live.map { twins[$0] }
    let places = live.map { $0 - range.lowerBound }
    let others = places.map { targets[$0] } + places.map { targets[range.count + $0] }
    try byRange.retarget(range, to: targets.span, spring: spring)
    try byHandle.retarget(chosen.span, to: others.span, spring: spring)
    try expectSameBits(&byRange, &byHandle, "range")
    let rows = byRange.count
    #expect(rows == count - gone.count)
  }

  @Test func aRangeBeyondTheIndicesIsRefused() throws {
    var batch = try SpringBatch(dimensions: 2)
    _ = try fill(&batch, 10, inCohort: true)
    let targets = [Float](repeating: 0, count: 2 * 11)
    #expect(throws: BatchError.wrongCount(of: "indices", expected: 10, got: 11)) {
      try batch.retarget(0..<11, to: targets.span)
    }
    #expect(throws: BatchError.self) { try batch.retarget(-1..<10, to: targets.span) }
    #expect(throws: BatchError.self) { try batch.retarget(0..<10, to: targets.span) }
    try batch.retarget(3..<3, to: [Float]().span, spring: .smooth)
  }

  // MARK: - Handles named twice

  /// What a call with repeated handles must equal: the same call, each handle once, with what it was given last.
  private func last(_ picks: [Int]) -> [Int: Int] {
    Dictionary(picks.enumerated().map { ($1, $0) }, uniquingKeysWith: { $1 })
  }

  @Test(arguments: [0, 1, 2, 3], [false, true]) func ofATrackNamedTwiceTheLastWordCounts(
    _ call: Int, _ inCohort: Bool
  ) throws {
    var random = SplitMix64(seed: UInt64(call))
    for count in [1, 3, 16, 40] {
      for length in [2, 8, 15, 17, 60] {
        let picks = (0..<length).map { _ in Int(random.next() % UInt64(count)) }
        let last = last(picks).sorted { $0.key < $1.key }
        var repeated = try SpringBatch(dimensions: 2)
        var once = try SpringBatch(dimensions: 2)
        let all = try fill(&repeated, count, inCohort: inCohort)
        let twins = try fill(&once, count, inCohort: inCohort)
        try repeated.advance(to: 0.1)
        try once.advance(to: 0.1)
        let handles = picks.map { all[$0] }
        let targets = numbers(2 * length, &random)
        let velocities = numbers(2 * length, &random)
        let springs = (0..<length).map { _ in
          Spring(duration: random.uniform(0.2...2), bounce: random.uniform(-0.8...0.8))
        }
        let chosen = last.map { twins[$0.key] }
        let given = last.map { targets[$0.value] } + last.map { targets[length + $0.value] }
        let speeds = last.map { velocities[$0.value] } + last.map { velocities[length + $0.value] }
        let chosenSprings = last.map { springs[$0.value] }
        switch call {
        case 0:
          try repeated.retarget(handles.span, to: targets.span)
          try once.retarget(chosen.span, to: given.span)
        case 1:
          // A cohort rests with its largest motion, also one that a later word replaced.
          try repeated.hardlyRests()
          try once.hardlyRests()
          try repeated.retarget(handles.span, to: targets.span, spring: .snappy)
          try once.retarget(chosen.span, to: given.span, spring: .snappy)
        case 2:
          try repeated.retarget(handles.span, to: targets.span, springs: springs.span)
          try once.retarget(chosen.span, to: given.span, springs: chosenSprings.span)
        default:
          try repeated.set(handles.span, values: targets.span, velocities: velocities.span)
          try once.set(chosen.span, values: given.span, velocities: speeds.span)
        }
        for step in [0.1, 0.4] {
          try repeated.advance(by: step)
          try once.advance(by: step)
          let (bits, expected) = (try repeated.bits(), try once.bits())
          // A track that left a cohort has its decay in Float: to be set once more is to be rounded once more.
          let isRounded = call == 3 && inCohort
          let most = isRounded ? 16 * 0x1p-24 * 2_000 : Float(0)
          for (bits, expected) in zip(bits, expected) {
            #expect(abs(Float(bitPattern: bits) - Float(bitPattern: expected)) <= most, "\(count) tracks, \(picks)")
          }
        }
        let removed = Array(Set(handles))
        try repeated.remove(handles.span)
        let left = repeated.count
        #expect(left == count - removed.count)
      }
    }
  }

  /// Sixteen names of one track of a small cohort do not make that cohort large.
  @Test func repeatedHandlesOfSmallCohortsKeepTheOthersApart() throws {
    var batch = try SpringBatch()
    var expected = try SpringBatch()
    var handles: [TrackHandle] = []
    var twins: [TrackHandle] = []
    for index in 0..<16 {
      let spring = Spring(duration: 0.2 + 0.1 * Double(index), bounce: 0.3)
      handles.append(try Motion(value: 10, target: 0, spring: spring).add(to: &batch, inCohort: true))
      twins.append(try Motion(value: 10, target: 0, spring: spring).add(to: &expected, inCohort: true))
    }
    try batch.advance(to: 0.1)
    try expected.advance(to: 0.1)
    let names = handles + [TrackHandle](repeating: handles[0], count: 20) + handles
    let targets = [Float](repeating: 5, count: names.count)
    try batch.retarget(names.span, to: targets.span)
    let fives = [Float](repeating: 5, count: twins.count)
    try expected.retarget(twins.span, to: fives.span)
    for step in [0.1, 0.2, 0.5] {
      try batch.advance(by: step)
      try expected.advance(by: step)
      let (bits, exact) = (try batch.bits(), try expected.bits())
      #expect(bits == exact)
    }
  }
}

extension SpringBatch {
  fileprivate mutating func remove(_ handles: [TrackHandle]) throws { try remove(handles.span) }
}
