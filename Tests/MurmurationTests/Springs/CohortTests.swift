// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

/// Which tracks share a basis follows from the calls.
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
}
