// SPDX-License-Identifier: MIT
import MurmurationReference
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// Any later call that changes a track's motion cancels its waiting call; a call that fails does not.
struct DelayCancellationTests {
  enum Call: CaseIterable, Sendable {
    case one, oneWithSpring, many, manyWithSpring, range, rangeWithSpring, springs, all, allWithSpring, curve, jump
    case set, displace, decelerate, decelerateMany, delayed, delayedTwice, cancel

    func apply(_ handle: TrackHandle, _ batch: inout AnimationBatch<Float>) throws {
      let all = [Float](repeating: 7, count: batch.indexCount)
      let range = handle.index..<handle.index + 1
      switch self {
      case .one: try batch.retarget(handle, to: 7)
      case .oneWithSpring: try batch.animate(handle, to: 7, .bouncy)
      case .many: try batch.retarget([handle], to: [7])
      case .manyWithSpring: try batch.animate([handle], to: [7], .bouncy)
      case .range: try batch.retarget(range, to: [7].span)
      case .rangeWithSpring: try batch.animate(0..<batch.indexCount, to: all.span, .bouncy)
      case .springs: try batch.animate([handle], to: [7], springs: [.snappy])
      case .all: try batch.retarget(.all, to: all.span)
      case .allWithSpring: try batch.animate(.all, to: all.span, .bouncy)
      case .curve: try batch.animate([handle], to: [7], .easeInOut(duration: 0.7))
      case .jump: try batch.animate(handle, to: 7, nil)
      case .set: try batch.set([handle], [7], velocities: [3])
      case .displace: try batch.displace([handle], [7], velocities: [3])
      case .decelerate: try batch.decelerate(handle, velocity: 100)
      case .decelerateMany: try batch.decelerate([handle], velocities: [100])
      case .delayed: try batch.send(handle, to: 7, delay: 0.7)
      case .delayedTwice: try batch.animate([handle, handle], to: [99, 7], .snappy, delays: [0.2, 0.6])
      case .cancel: try batch.cancelDelays(of: [handle])
      }
    }

    /// The same calls without the one that the last call cancels.
    func applyWhatCounts(_ handle: TrackHandle, _ batch: inout AnimationBatch<Float>) throws {
      if self == .delayedTwice {
        try batch.send(handle, to: 7, .snappy, delay: 0.6)
      } else {
        try apply(handle, &batch)
      }
    }
  }

  @Test(arguments: Call.allCases, Standing.allCases)
  func aLaterCallCancelsWhatWaits(_ call: Call, _ standing: Standing) throws {
    var random = SplitMix64(seed: 74)
    for regime in [Motion.Regime.bouncy, .overdamped] {
      let motion = Motion(regime, &random)
      var batch = try AnimationBatch<Float>()
      var twin = try AnimationBatch<Float>()
      let handle = try standing.add(motion, to: &batch)
      let twinHandle = try standing.add(motion, to: &twin)
      try batch.advance(to: 0.1)
      try twin.advance(to: 0.1)
      try batch.send(handle, to: 500, .bouncy, delay: 0.5)
      try batch.advance(to: 0.2)
      try twin.advance(to: 0.2)
      try call.apply(handle, &batch)
      try call.applyWhatCounts(twinHandle, &twin)
      for frame in 1..<30 {
        try batch.advance(to: 0.2 + Double(frame) / 12)
        try twin.advance(to: 0.2 + Double(frame) / 12)
        let (got, expected) = (try batch.bits(), try twin.bits())
        #expect(got == expected, "\(motion) at \(batch.time)")
        let (events, others) = (batch.events, twin.events)
        #expect(events.map(\.kind) == others.map(\.kind) && events.map(\.moment) == others.map(\.moment))
      }
      let left = batch.engine.waiting.count
      #expect(left == 0)
    }
  }

  enum Removal: CaseIterable, Sendable { case one, many, all }

  /// A track that takes the index of a removed one does not inherit its waiting call, whether it gets its own or not.
  @Test(arguments: Removal.allCases.flatMap { [($0, false), ($0, true)] }, Standing.allCases)
  func whatWaitsGoesWithItsTrack(_ way: (removal: Removal, hasOrder: Bool), _ standing: Standing) throws {
    let (removal, hasOrder) = way
    var batch = try AnimationBatch<Float>()
    let handle = try standing.add(Motion(value: 3, target: 0), to: &batch)
    try batch.send(handle, to: 500, .bouncy, delay: 0.5)
    try batch.advance(to: 0.2)
    switch removal {
    case .one: try batch.remove(handle)
    case .many: try batch.remove([handle])
    case .all: batch.removeAll()
    }
    let next = try batch.add(1, to: 2, .smooth)
    if removal != .all {
      #expect(next.index == handle.index)
    }
    let motion = Motion(value: 1, target: 2, spring: .smooth).exact(from: 0.2)
    guard hasOrder else {
      try batch.advance(to: 0.7)
      let excess = batch.excess(of: next, motion)
      let (target, left) = (batch.target(of: next), batch.engine.waiting.count)
      #expect(excess <= 1 && target == 2 && left == 0)
      return
    }
    // At the moment at which the old track was to set out, the new one gets its own waiting call.
    try batch.send(next, to: 20, delay: 0.5 - batch.time)
    try batch.advance(to: 0.4)
    let excess = batch.excess(of: next, motion)
    #expect(excess <= 1)
    try batch.advance(to: 0.7)
    let later = batch.excess(of: next, motion.followed(at: 0.2 + (0.5 - 0.2), to: 20))
    #expect(later <= 1)
    let (target, left) = (batch.target(of: next), batch.engine.waiting.count)
    #expect(target == 20 && left == 0)
  }

  /// A call that comes due after a step of phases, both within one frame, takes over from the motion of that step.
  @Test func aCallThatComesAfterAStepOfPhasesTakesOverFromThat() throws {
    var values: [Float?] = []
    for frames in [[0.1, 0.75], [0.1, 0.3, 0.45, 0.6, 0.69, 0.7, 0.75]] {
      var batch = try AnimationBatch<Float>()
      let track = try batch.add(0)
      let phases = try PhaseSequence([0, 10, 25], target: { Float($0) }, animation: { _ in .bouncy(duration: 0.4) })
      try batch.play(try batch.load(phases), on: track)
      for time in frames {
        try batch.advance(to: time)
        if time == 0.1 { try batch.animate(track, to: 5, .snappy, delay: 0.6) }
      }
      values += [batch[track], batch.velocity(of: track)]
    }
    #expect(values[0] == values[2] && values[1] == values[3])
  }
}
