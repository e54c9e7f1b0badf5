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

  enum BadCall: CaseIterable, Sendable {
    case delayNaN, delayNegative, delayInfinite, delayBeyondTheClock, fewDelays, manyDelays, fewGoals, badGoal
    case badSpring, staleHandle, strangeHandle, oneNaN, oneBadSpring, badCurve, many, range, springs, all
    case setNaN, setMany, displaceMany, badRate, decelerateNaN, decelerateTooFar, decelerateManyTooFar
    case decelerateWrongCount, cancelMany

    /// Makes a call that must throw, for the handle and, in bulk, for a good one before it.
    func apply(
      _ handle: TrackHandle, _ good: TrackHandle, _ stale: TrackHandle, _ batch: inout AnimationBatch<Float>
    ) throws {
      let (pair, ones, broken) = ([good, handle], [Float(1), 1], Spring(duration: -1, bounce: 0))
      let far = Deceleration(rate: 0.9999)
      switch self {
      case .delayNaN: try batch.send(pair, to: ones, delays: [0.1, .nan])
      case .delayNegative: try batch.send(pair, to: ones, delays: [0.1, -1e-300])
      case .delayInfinite: try batch.send(pair, to: ones, delays: [0.1, .infinity])
      case .delayBeyondTheClock: try batch.send(pair, to: ones, delays: [0.1, 1e10])
      case .fewDelays: try batch.send(pair, to: ones, delays: [0.1])
      case .manyDelays: try batch.send(pair, to: ones, delays: [0.1, 0.1, 0.1])
      case .fewGoals: try batch.send(pair, to: [1], delays: [0.1, 0.1])
      case .badGoal: try batch.send(pair, to: [1, .infinity], delays: [0.1, 0.1])
      case .badSpring: try batch.send(pair, to: ones, broken, delays: [0.1, 0.1])
      case .staleHandle: try batch.send([good, handle, stale], to: [1, 1, 1], delays: [0.1, 0.1, 0.1])
      case .strangeHandle:
        let strange = TrackHandle(row: handle.row, generation: handle.generation, store: handle.store &+ 1)
        try batch.send([handle, strange], to: ones, delays: [0.1, 0.1])
      case .oneNaN: try batch.retarget(handle, to: .nan)
      case .oneBadSpring: try batch.animate(handle, to: 1, .spring(broken))
      case .badCurve: try batch.animate(pair, to: ones, .easeIn(duration: .nan))
      case .many: try batch.retarget([handle, stale], to: ones)
      case .range:
        let zeros = [Float](repeating: 0, count: batch.indexCount + 1)
        try batch.retarget(0..<zeros.count, to: zeros.span)
      case .springs: try batch.animate(pair, to: ones, springs: [.smooth, broken])
      case .all: try batch.retarget(.all, to: [Float](repeating: .nan, count: batch.indexCount).span)
      case .setNaN: try batch.set([handle], [1], velocities: [.nan])
      case .setMany: try batch.set([handle, stale], ones, velocities: ones)
      case .displaceMany: try batch.displace([handle, stale], ones, velocities: ones)
      case .badRate: try batch.decelerate(handle, velocity: 1, by: Deceleration(rate: 1))
      case .decelerateNaN: try batch.decelerate(handle, velocity: .nan)
      case .decelerateTooFar: try batch.decelerate(handle, velocity: 1e15, by: far)
      case .decelerateManyTooFar: try batch.decelerate(pair, velocities: [1, 1e15], by: far)
      case .decelerateWrongCount: try batch.decelerate(pair, velocities: [1])
      case .cancelMany: try batch.cancelDelays(of: [handle, stale])
      }
    }
  }

  @Test(arguments: BadCall.allCases, Standing.allCases)
  func aCallThatFailsChangesNothing(_ call: BadCall, _ standing: Standing) throws {
    var batch = try AnimationBatch<Float>()
    var twin = try AnimationBatch<Float>()
    let motion = Motion(value: 30, target: 0, velocity: 50)
    let (handle, twinHandle) = (try standing.add(motion, to: &batch), try standing.add(motion, to: &twin))
    let (good, twinGood) = (try standing.add(motion, to: &batch), try standing.add(motion, to: &twin))
    let (stale, twinStale) = (try batch.add(1, to: 2, .smooth), try twin.add(1, to: 2, .smooth))
    try batch.remove(stale)
    try twin.remove(twinStale)
    try batch.send(handle, to: 500, .bouncy, delay: 0.5)
    try twin.send(twinHandle, to: 500, .bouncy, delay: 0.5)
    try batch.send(good, to: 400, delay: 0.4)
    try twin.send(twinGood, to: 400, delay: 0.4)
    try batch.advance(to: 0.2)
    try twin.advance(to: 0.2)
    #expect(throws: BatchError.self) { try call.apply(handle, good, stale, &batch) }
    for frame in 1..<15 {
      try batch.advance(to: 0.2 + Double(frame) / 6)
      try twin.advance(to: 0.2 + Double(frame) / 6)
      let (got, expected) = (try batch.bits(), try twin.bits())
      #expect(got == expected, "at \(batch.time)")
    }
    let target = batch.target(of: handle)
    #expect(target == 500)
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
