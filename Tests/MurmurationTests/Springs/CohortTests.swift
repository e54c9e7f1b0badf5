// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

/// Which tracks share a basis follows from the calls.
struct CohortTests {
  @Test func membershipFollowsFromTheCalls() throws {
    var batch = try AnimationBatch<Float>()
    let handles = try batch.add((0..<6).map { Float($0) - 30 }, to: (0..<6).map { Float($0) }, .bouncy)
    let all = batch.cohortCount(of: handles[0])
    #expect(all == 6)
    // A call for one track makes it move alone.
    try batch.retarget(handles[0], to: 1)
    let alone = batch.cohort(of: handles[0])
    #expect(alone == nil)
    // A bulk call without a spring keeps each kind: the mixed one mixed, the two others a new cohort.
    try batch.advance(to: 0.1)
    let three = Array(handles[0..<3])
    try batch.retarget(three, to: [1, 2, 3])
    let stillAlone = batch.cohort(of: handles[0])
    let (pair, rest) = (batch.cohortCount(of: handles[1]), batch.cohortCount(of: handles[5]))
    #expect(stillAlone == nil && pair == 2 && rest == 3)
    // With a spring they become one cohort.
    try batch.animate(three, to: [4, 5, 6], .smooth)
    let joined = batch.cohortCount(of: handles[0])
    #expect(joined == 3)
    try batch.displace([handles[4]], [0], velocities: [0])
    let displaced = batch.cohort(of: handles[4])
    #expect(displaced == nil)
  }

  /// Cohorts fill whole tiles beside each other, which kernels start together.
  @Test(arguments: [1, 15, 16, 17, 32, 48], [false, true])
  func retargetingManyCohortsKeepsTheSpringOfEach(count: Int, withStandingTrack: Bool) throws {
    let springs = [Spring.bouncy, Spring(duration: 1.5, bounce: -0.4), Spring.smooth]
    var batch = try AnimationBatch<Float>()
    if withStandingTrack { try batch.add([3]) }
    var handles: [TrackHandle] = []
    for spring in springs {
      handles += try batch.add([Float](repeating: 0, count: count), to: [Float](repeating: 50, count: count), spring)
    }
    for call in 0..<3 {
      try batch.advance(by: 100)
      let from = Double(batch[handles[0]] ?? .nan)
      let goals = [Float](repeating: call % 2 == 0 ? -70 : 90, count: batch.count)
      switch call {
      case 0: try batch.retargetAll(to: goals.span)
      case 1: try batch.retarget(0..<batch.count, to: goals.span)
      default: try batch.retarget(handles, to: [Float](repeating: goals[0], count: handles.count))
      }
      try batch.advance(by: 0.1)
      for (index, handle) in handles.enumerated() {
        let value = from + springs[index / count].value(target: Double(goals[0]) - from, time: 0.1)
        #expect(abs(Double(try #require(batch[handle])) - value) < 1e-3, "track \(index), call \(call)")
      }
    }
  }

  /// Kernels start neighbouring tiles together, up to the first track that is left alone.
  @Test func tracksThatHeadForTheirGoalsAreLeftAloneAmongOthers() throws {
    for standing in 0..<48 {
      var batch = try AnimationBatch<Float>()
      let handles = try batch.add(
        [Float](repeating: 3, count: 48), to: [Float](repeating: 5, count: 48), Spring(duration: 2, bounce: 0))
      try batch.advance(to: 0.1)
      var goals = [Float](repeating: 70, count: 48)
      goals[standing] = 5
      try batch.animate(handles, to: goals, .bouncy)
      try batch.advance(to: 0.2)
      let left = batch[handles[standing]]
      #expect(abs(Double(left ?? .nan) - 3 - Spring(duration: 2, bounce: 0).value(target: 2, time: 0.2)) < 1e-5)
      let goers = handles.enumerated().filter { $0.offset != standing }.map { batch[$0.element] }
      #expect(goers.allSatisfy { $0 == goers[0] } && goers[0] != left)
    }
  }

  @Test func cohortsAreGivenBackWhenTheirLastTrackLeaves() throws {
    var batch = try AnimationBatch<Float>()
    let (ones, zeros) = ([Float](repeating: 1, count: 20), [Float](repeating: 0, count: 20))
    let handles = try batch.add(ones, to: zeros, .bouncy)
    for frame in 1...1_000 {
      try batch.advance(to: Double(frame) / 60)
      try batch.animate(handles, to: frame % 2 == 0 ? zeros : ones, frame % 2 == 0 ? .smooth : .bouncy)
    }
    let places = batch.engine.springs.cohorts.indices.count
    #expect(places <= 4)
    batch.removeAll()
    try batch.add(zeros, to: ones, .smooth)
    let reused = batch.engine.springs.cohorts.indices.count
    #expect(reused == 1)
  }
}
