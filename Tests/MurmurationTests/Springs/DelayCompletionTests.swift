// SPDX-License-Identifier: MIT
import Reference
import Testing

@testable import Murmuration

/// A motion that ends because a delay is over reports what it completed until then, once; so does the one that follows.
struct DelayCompletionTests {
  private struct Reports: Equatable {
    var logical = 0
    var settled = 0

    mutating func note(_ batch: borrowing SpringBatch, _ handle: TrackHandle) {
      logical += batch.logicallyComplete.count { $0 == handle }
      settled += batch.settled.count { $0 == handle }
      #expect(settled <= logical)
    }
  }

  @Test(arguments: Standing.allCases, Motion.Regime.allCases)
  func eachMotionIsReportedOnceAtAnyFrameRate(_ standing: Standing, _ regime: Motion.Regime) throws {
    var random = SplitMix64(seed: 80)
    for trial in 0..<14 {
      let motion = Motion(regime, &random)
      let next = Motion(Motion.Regime.allCases[Int(random.next() % 5)], &random)
      var asked = try SpringBatch()
      let rest = try asked.restTime(of: standing.add(motion, to: &asked))
      let logical = min(rest, motion.spring.duration)
      // Before either, between the two where there is a between, and after both.
      let moment = [0.9 * logical, (logical + rest) / 2, 1.1 * rest][trial % 3]
      let end = moment + 40 * next.spring.duration + 100
      let expected = Reports(logical: moment >= logical ? 2 : 1, settled: moment >= rest ? 2 : 1)
      var company = 0
      for frames in [1, 2, 3, 50, 700] {
        var batch = try SpringBatch()
        let handle = try standing.add(motion, to: &batch)
        company = batch.count - 1
        try batch.retarget(handle, to: next.target, spring: next.spring, delay: moment)
        var reports = Reports()
        var others = Reports()
        for frame in 1...frames {
          // Most frames are about the moment.
          try batch.advance(to: frame == frames ? end : 2 * moment * Double(frame) / Double(frames))
          reports.note(batch, handle)
          others.logical += batch.logicallyComplete.count { $0 != handle }
          others.settled += batch.settled.count { $0 != handle }
        }
        #expect(reports == expected, "\(motion), after \(moment) \(next), \(frames) frames")
        #expect(others == Reports(logical: company, settled: company), "\(frames) frames")
        let rests = try batch.isAtRest(handle)
        #expect(rests)
      }
    }
  }

  /// What was reported before the call is not reported again when the motion ends.
  @Test(arguments: Standing.allCases, [false, true])
  func aTrackThatRestsReportsItsNextMotionOnly(_ standing: Standing, _ sleeps: Bool) throws {
    var batch = try SpringBatch()
    let motion = Motion(value: 5, target: 1)
    let handle = try standing.add(motion, to: &batch)
    let rest = try batch.restTime(of: handle)
    try batch.advance(to: rest)
    var reports = Reports()
    reports.note(batch, handle)
    #expect(reports == Reports(logical: 1, settled: 1))
    if sleeps {
      // The tiles of tracks at rest leave the plan.
      for step in 1...5 {
        try batch.advance(to: rest + Double(step))
      }
      let bytes = batch.bytesPerFrame
      #expect(bytes == 0)
    }
    try batch.retarget(handle, to: 9, delay: 1)
    try batch.advance(by: 0.5)
    let (value, atRest): (Float, Bool) = (try batch.value(of: handle), try batch.isAtRest(handle))
    #expect(value == 1 && atRest)
    let moment = batch.time + 0.5
    try batch.advance(by: 0.75)
    let moving = try !batch.isAtRest(handle)
    #expect(moving)
    var exact = motion.exact()
    exact.comeToRest(at: rest)
    let excess = try batch.excess(of: handle, exact.followed(at: moment, to: 9))
    #expect(excess <= 1)
    for _ in 0..<60 {
      reports.note(batch, handle)
      try batch.advance(by: 0.2)
    }
    #expect(reports == Reports(logical: 2, settled: 2))
  }

  /// In the order of the moments; of one moment in the order of the calls.
  @Test func reportsOfOneFrameComeInTheOrderOfTheMoments() throws {
    var batch = try SpringBatch()
    let short = Spring(duration: 0.01, bounce: 0)
    let handles = try (0..<6).map { _ in try batch.add(short, value: Float(1), target: 0) }
    let slow = Spring(duration: 1_000, bounce: 0)
    let targets = [Float](repeating: 5, count: 6)
    try batch.retarget(handles.span, to: targets.span, spring: slow, delays: [0.5, 0.3, 0.3, 0.4, 0.3, 0.4].span)
    // Sent again for the same moments: they are the later ones now.
    try batch.retarget([handles[1], handles[3]].span, to: [6, 7].span, spring: slow, delays: [0.3, 0.4].span)
    try batch.advance(to: 0.6)
    let order = [2, 4, 1, 5, 3, 0].map { handles[$0] }
    let (complete, settled) = (batch.logicallyComplete, batch.settled)
    #expect(complete == order && settled == order)
    let ends: [Float] = try handles.map { handle in try batch.target(of: handle) }
    #expect(ends == [5, 6, 5, 7, 5, 5])
  }

  /// Those that set out again come before cohorts, and these before tracks that move alone.
  @Test func theKindsOfReportsHaveAnOrder() throws {
    var batch = try SpringBatch()
    let short = Spring(duration: 0.01, bounce: 0)
    let ones = [Float](repeating: 1, count: 20)
    let zeros = [Float](repeating: 0, count: 20)
    let alone = try batch.add(short, value: Float(1), target: 0)
    let cohort = try batch.add(short, values: ones.span, targets: zeros.span)
    let again = try batch.add(short, value: Float(1), target: 0)
    let fromCohort = cohort[7]
    try batch.retarget([again, fromCohort].span, to: [3, 4].span, delays: [0.6, 0.5].span)
    try batch.advance(to: 1)
    let settled = batch.settled
    #expect(settled.prefix(2) == [fromCohort, again])
    #expect(Array(settled[2..<21]) == cohort.filter { $0 != fromCohort })
    // Then those that move alone: the next motions of the two have come to rest as well.
    #expect(Set(settled[21...]) == [alone, again, fromCohort] && settled.count == 24)
  }
}
