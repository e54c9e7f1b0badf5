// SPDX-License-Identifier: MIT
import MurmurationReference
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// A motion that ends because a delay is over reports what it completed until then, once; so does the one that follows.
struct DelayCompletionTests {
  private struct Reports: Equatable {
    var logical = 0
    var settled = 0

    mutating func note(_ batch: borrowing AnimationBatch<Float>, _ handle: TrackHandle) {
      logical += batch.logicallyComplete.count { $0 == handle }
      settled += batch.settled.count { $0 == handle }
      #expect(settled <= logical)
    }
  }

  @Test(arguments: Standing.allCases, Motion.Regime.allCases)
  func eachMotionIsReportedOnceAtAnyFrameRate(_ standing: Standing, _ regime: Motion.Regime) throws {
    var random = SplitMix64(seed: 80)
    for trial in 0..<6 {
      let motion = Motion(regime, &random)
      let next = Motion(Motion.Regime.allCases[Int(random.next() % 5)], &random)
      var asked = try AnimationBatch<Float>()
      let added = try standing.add(motion, to: &asked)
      let rest = asked.restTime(of: added) ?? .nan
      let logical = min(rest, motion.spring.duration)
      // The delay ends before both completions, between them if they differ, or after both.
      let moment = [0.9 * logical, (logical + rest) / 2, 1.1 * rest][trial % 3]
      let end = moment + 40 * next.spring.duration + 100
      let expected = Reports(logical: moment >= logical ? 2 : 1, settled: moment >= rest ? 2 : 1)
      var company = 0
      for frames in [1, 3, 300] {
        var batch = try AnimationBatch<Float>()
        let handle = try standing.add(motion, to: &batch)
        company = batch.count - 1
        try batch.send(handle, to: next.target, next.spring, delay: moment)
        var reports = Reports()
        var others = Reports()
        for frame in 1...frames {
          // All frames but the last are spread around the moment.
          try batch.advance(to: frame == frames ? end : 2 * moment * Double(frame) / Double(frames))
          reports.note(batch, handle)
          others.logical += batch.logicallyComplete.count { $0 != handle }
          others.settled += batch.settled.count { $0 != handle }
        }
        #expect(reports == expected, "\(motion), after \(moment) \(next), \(frames) frames")
        #expect(others == Reports(logical: company, settled: company), "\(frames) frames")
        let rests = batch.isAtRest(handle)
        #expect(rests == true)
      }
    }
  }

  /// Events that were reported before the call are not reported again when the motion ends.
  @Test(arguments: Standing.allCases, [false, true])
  func aTrackThatRestsReportsItsNextMotionOnly(_ standing: Standing, _ sleeps: Bool) throws {
    var batch = try AnimationBatch<Float>()
    let motion = Motion(value: 5, target: 1)
    let handle = try standing.add(motion, to: &batch)
    let rest = batch.restTime(of: handle) ?? .nan
    try batch.advance(to: rest)
    var reports = Reports()
    reports.note(batch, handle)
    #expect(reports == Reports(logical: 1, settled: 1))
    if sleeps {
      // The tiles of tracks at rest leave the plan.
      for step in 1...5 {
        try batch.advance(to: rest + Double(step))
      }
      let bytes = batch.engine.bytesPerFrame(velocities: false)
      #expect(bytes == 0)
    }
    try batch.send(handle, to: 9, delay: 1)
    try batch.advance(by: 0.5)
    let (value, atRest) = (batch[handle], batch.isAtRest(handle))
    #expect(value == 1 && atRest == true)
    let moment = batch.time + 0.5
    try batch.advance(by: 0.75)
    let rests = batch.isAtRest(handle)
    #expect(rests == false)
    let exact = SpringMotion(motion.spring, values: [motion.target], at: rest)
    let excess = batch.excess(of: handle, exact.followed(at: moment, to: 9))
    #expect(excess <= 1)
    for _ in 0..<60 {
      reports.note(batch, handle)
      try batch.advance(by: 0.2)
    }
    #expect(reports == Reports(logical: 2, settled: 2))
  }

  /// The completions of a track before and after a delay come in the order of their moments, with the number of their
  /// calls.
  @Test func reportsOfOneFrameComeInTheOrderOfTheMoments() throws {
    var batch = try AnimationBatch<Float>()
    let short = Spring(duration: 0.01, bounce: 0)
    let alone = try batch.add(1, to: 0, short)
    let many = try batch.add([Float](repeating: 1, count: 20), to: [Float](repeating: 0, count: 20), short)
    let first = batch.latestChange
    try batch.retarget([many[7], many[2]], to: [5, 5], delays: [0.5, 0.3])
    // Sent again for the same moment: the later call counts.
    let second = try batch.retarget([many[7], alone], to: [4, 3], delays: [0.5, 0.6])
    try batch.advance(to: 1)
    let events = batch.events.filter { $0.track == many[7] }
    #expect(events.map(\.kind) == [.logicallyComplete, .settled, .logicallyComplete, .settled])
    #expect(events.map(\.change) == [first, first, second, second])
    #expect(events.map(\.moment) == events.map(\.moment).sorted() && events[1].moment < 0.5 && events[2].moment > 0.5)
    let indices = batch.events.map(\.track.index)
    #expect(indices == indices.sorted() && indices.count == 2 * (21 + 3))
    let ends = [alone, many[2], many[7]].map { batch[$0] }
    #expect(ends == [3, 5, 4])
  }
}
