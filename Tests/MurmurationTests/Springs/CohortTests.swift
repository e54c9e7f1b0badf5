// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

/// Which tracks share a basis follows from the calls, and a whole cohort can be baked at once.
struct CohortTests {
  private func fill(_ batch: inout SpringBatch, _ count: Int) throws -> [TrackHandle] {
    let dimensions = batch.dimensions
    let values = (0..<count * dimensions).map { Float($0 % 89) - 30 }
    let targets = (0..<count * dimensions).map { Float($0 % 7) }
    return try batch.add(.bouncy, values: values.span, targets: targets.span)
  }

  @Test func membershipFollowsFromTheCalls() throws {
    var batch = try SpringBatch()
    let handles = try fill(&batch, 6)
    let all = try batch.cohortCount(of: handles[0])
    #expect(all == 6)
    // A call for one track makes it move alone.
    try batch.retarget(handles[0], to: Float(1))
    let alone = try batch.isInCohort(handles[0])
    #expect(!alone)
    // A bulk call without a spring keeps each kind: the mixed one mixed, the two others a new cohort.
    try batch.advance(to: 0.1)
    let three = Array(handles[0..<3])
    let targets: [Float] = [1, 2, 3]
    try batch.retarget(three.span, to: targets.span)
    let stillAlone = try batch.isInCohort(handles[0])
    let (pair, rest) = (try batch.cohortCount(of: handles[1]), try batch.cohortCount(of: handles[5]))
    #expect(!stillAlone && pair == 2 && rest == 3)
    // With a spring they become one cohort.
    try batch.retarget(three.span, to: targets.span, spring: .smooth)
    let joined = try batch.cohortCount(of: handles[0])
    #expect(joined == 3)
    #expect(throws: BatchError.notInCohort(handles[4])) {
      try batch.set(handles[4], value: Float(0), velocity: 0)
      _ = try batch.cohortCount(of: handles[4])
    }
  }

  @Test func cohortsAreGivenBackWhenTheirLastTrackLeaves() throws {
    var batch = try SpringBatch()
    var handles = try fill(&batch, 20)
    let zeros = [Float](repeating: 0, count: 20)
    for frame in 1...1_000 {
      try batch.advance(to: Double(frame) / 60)
      try batch.retarget(handles.span, to: zeros.span, spring: frame % 2 == 0 ? .smooth : .bouncy)
    }
    let places = batch.cohorts.indices.count
    #expect(places <= 4)
    batch.removeAll()
    handles = try batch.add(.smooth, values: zeros.span, targets: zeros.span)
    let reused = batch.cohorts.indices.count
    #expect(reused == 1)
  }

  @Test(arguments: [1, 16, 100, 1_000]) func bakingEqualsTheFrames(_ count: Int) throws {
    var batch = try SpringBatch(dimensions: 2)
    try batch.hardlyRests()
    let handles = try fill(&batch, count)
    let times = (0..<50).map { Double($0) / 30 }
    var output = [Float](repeating: .nan, count: times.count * count)
    var span = output.mutableSpan
    try batch.bakeCohort(of: handles[0], dimension: 1, at: times.span, into: &span)
    for (frame, time) in times.enumerated() {
      try batch.advance(to: time)
      let column = try batch.values(1)
      for track in 0..<count {
        // Both within the bound of |displacement| < 100, target < 7.
        #expect(abs(column[track] - output[frame * count + track]) <= 16 * 0x1p-24 * 100, "frame \(frame)")
      }
    }
  }

  @Test func bakingGathersACohortWithGaps() throws {
    var batch = try SpringBatch()
    let handles = try fill(&batch, 40)
    for index in stride(from: 0, to: 40, by: 3) {
      try batch.retarget(handles[index], to: Float(0))
    }
    let members = try handles.filter { handle in try batch.isInCohort(handle) }
    var output = [Float](repeating: .nan, count: members.count)
    var span = output.mutableSpan
    let times = [0.25]
    try batch.bakeCohort(of: members[0], dimension: 0, at: times.span, into: &span)
    try batch.advance(to: 0.25)
    for (place, handle) in members.enumerated() {
      let value: Float = try batch.value(of: handle)
      #expect(abs(value - output[place]) <= 16 * 0x1p-24 * 100)
    }
  }

  @Test func bakingRefusesWhatItCannotWrite() throws {
    var batch = try SpringBatch()
    let handles = try fill(&batch, 4)
    try batch.advance(to: 1)
    let zeros = [Float](repeating: 0, count: 4)
    try batch.retargetAll(to: zeros.span, spring: .smooth)
    var output = [Float](repeating: 7, count: 8)
    var span = output.mutableSpan
    let early = [0.5, 1.5]
    #expect(throws: BatchError.timeBeforeStart(time: 0.5, start: 1)) {
      try batch.bakeCohort(of: handles[0], dimension: 0, at: early.span, into: &span)
    }
    let three = [1.0, 2, 3]
    #expect(throws: BatchError.wrongCount(expected: 12, got: 8)) {
      try batch.bakeCohort(of: handles[0], dimension: 0, at: three.span, into: &span)
    }
    let bad = [1, Double.nan]
    #expect(throws: BatchError.self) {
      try batch.bakeCohort(of: handles[0], dimension: 0, at: bad.span, into: &span)
    }
    #expect(output == [Float](repeating: 7, count: 8))
  }
}
