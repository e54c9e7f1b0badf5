// SPDX-License-Identifier: MIT
import Reference
import Testing

@testable import Murmuration

/// Any later call that changes a track's motion cancels what waits for it; one that fails does not.
struct DelayCancellationTests {
  enum Call: CaseIterable, Sendable {
    case one, oneWithSpring, many, manyWithSpring, range, rangeWithSpring, springs, all, allWithSpring
    case set, setMany, decelerate, decelerateMany, delayed, delayedTwice

    func apply(_ handle: TrackHandle, _ batch: inout SpringBatch) throws {
      let handles = [handle]
      let all = [Float](repeating: 7, count: batch.indexCount)
      let index = handle.index
      switch self {
      case .one: try batch.retarget(handle, to: Float(7))
      case .oneWithSpring: try batch.retarget(handle, to: Float(7), spring: .bouncy)
      case .many: try batch.retarget(handles.span, to: [7].span)
      case .manyWithSpring: try batch.retarget(handles.span, to: [7].span, spring: .bouncy)
      case .range: try batch.retarget(index..<index + 1, to: [7].span)
      case .rangeWithSpring: try batch.retarget(0..<batch.indexCount, to: all.span, spring: .bouncy)
      case .springs: try batch.retarget(handles.span, to: [7].span, springs: [.snappy].span)
      case .all: try batch.retargetAll(to: all.span)
      case .allWithSpring: try batch.retargetAll(to: all.span, spring: .bouncy)
      case .set: try batch.set(handle, value: Float(7), velocity: 3)
      case .setMany: try batch.set(handles.span, values: [7].span, velocities: [3].span)
      case .decelerate: try batch.decelerate(handle, velocity: Float(100))
      case .decelerateMany: try batch.decelerate(handles.span, velocities: [100].span)
      case .delayed: try batch.retarget(handle, to: Float(7), delay: 0.7)
      case .delayedTwice:
        let twice = [handle, handle]
        try batch.retarget(twice.span, to: [99, 7].span, spring: .snappy, delays: [0.2, 0.6].span)
      }
    }

    /// Likewise without what its last part cancels.
    func applyWhatCounts(_ handle: TrackHandle, _ batch: inout SpringBatch) throws {
      if self == .delayedTwice {
        try batch.retarget(handle, to: Float(7), spring: .snappy, delay: 0.6)
      } else {
        try apply(handle, &batch)
      }
    }
  }

  @Test(arguments: Call.allCases, Standing.allCases)
  func aLaterCallCancelsWhatWaits(_ call: Call, _ standing: Standing) throws {
    var random = SplitMix64(seed: 74)
    for regime in Motion.Regime.allCases {
      let motion = Motion(regime, &random)
      var batch = try SpringBatch()
      var twin = try SpringBatch()
      let handle = try standing.add(motion, to: &batch)
      let twinHandle = try standing.add(motion, to: &twin)
      try batch.advance(to: 0.1)
      try twin.advance(to: 0.1)
      try batch.retarget(handle, to: Float(500), spring: .bouncy, delay: 0.5)
      try batch.advance(to: 0.2)
      try twin.advance(to: 0.2)
      try call.apply(handle, &batch)
      try call.applyWhatCounts(twinHandle, &twin)
      for frame in 1..<30 {
        try batch.advance(to: 0.2 + Double(frame) / 12)
        try twin.advance(to: 0.2 + Double(frame) / 12)
        let (got, expected) = (try batch.bits(), try twin.bits())
        #expect(got == expected, "\(motion) at \(batch.time)")
        let (complete, settled) = (batch.logicallyComplete.map(\.index), batch.settled.map(\.index))
        let (twinComplete, twinSettled) = (twin.logicallyComplete.map(\.index), twin.settled.map(\.index))
        #expect(complete == twinComplete && settled == twinSettled)
      }
      let left = batch.waiting.count
      #expect(left == 0)
    }
  }

  enum Removal: CaseIterable, Sendable { case one, many, all }

  /// The track that takes the index of a removed one has none of its orders, whether it gets one of its own or not.
  @Test(arguments: Removal.allCases.flatMap { [($0, false), ($0, true)] }, Standing.allCases)
  func whatWaitsGoesWithItsTrack(_ way: (removal: Removal, hasOrder: Bool), _ standing: Standing) throws {
    let (removal, hasOrder) = way
    var batch = try SpringBatch()
    let handle = try standing.add(Motion(value: 3, target: 0), to: &batch)
    try batch.retarget(handle, to: Float(500), spring: .bouncy, delay: 0.5)
    try batch.advance(to: 0.2)
    switch removal {
    case .one: try batch.remove(handle)
    case .many: try batch.remove([handle].span)
    case .all: batch.removeAll()
    }
    let next = try batch.add(Spring.smooth, value: Float(1), target: 2)
    if removal != .all {
      #expect(next.index == handle.index)
    }
    let motion = Motion(value: 1, target: 2, spring: .smooth).exact(from: 0.2)
    guard hasOrder else {
      try batch.advance(to: 0.7)
      let excess = try batch.excess(of: next, motion)
      let (target, left): (Float, Int) = (try batch.target(of: next), batch.waiting.count)
      #expect(excess <= 1 && target == 2 && left == 0)
      return
    }
    // Just when the old track was to set out, the new one is given an order of its own.
    try batch.retarget(next, to: 20, delay: 0.5 - batch.time)
    try batch.advance(to: 0.4)
    let excess = try batch.excess(of: next, motion)
    #expect(excess <= 1)
    try batch.advance(to: 0.7)
    let later = try batch.excess(of: next, motion.followed(at: 0.2 + (0.5 - 0.2), to: 20))
    #expect(later <= 1)
    let (target, left): (Float, Int) = (try batch.target(of: next), batch.waiting.count)
    #expect(target == 20 && left == 0)
  }

  enum BadCall: CaseIterable, Sendable {
    case delayNaN, delayNegative, delayInfinite, delayBeyondTheClock, fewDelays, manyDelays, fewTargets, badTarget
    case badSpring, staleHandle, strangeHandle, oneNaN, oneBadSpring, oneWrongDimensions, many, range, springs, all
    case setNaN, setMany, badRate, decelerateNaN, decelerateTooFar, decelerateManyTooFar, decelerateWrongCount

    /// Makes a call that must throw, for the handle and, in bulk, for a good one before it.
    func apply(_ handle: TrackHandle, _ good: TrackHandle, _ stale: TrackHandle, _ batch: inout SpringBatch) throws {
      let (pair, ones) = ([good, handle], [Float(1), 1])
      let broken = Spring(duration: -1, bounce: 0)
      func delayed(
        _ batch: inout SpringBatch, _ handles: [TrackHandle], _ targets: [Float], _ spring: Spring?, _ delays: [Double]
      ) throws {
        try batch.retarget(handles.span, to: targets.span, spring: spring, delays: delays.span)
      }
      switch self {
      case .delayNaN: try delayed(&batch, pair, ones, nil, [0.1, .nan])
      case .delayNegative: try delayed(&batch, pair, ones, nil, [0.1, -1e-300])
      case .delayInfinite: try delayed(&batch, pair, ones, nil, [0.1, .infinity])
      case .delayBeyondTheClock: try delayed(&batch, pair, ones, nil, [0.1, 1e10])
      case .fewDelays: try delayed(&batch, pair, ones, nil, [0.1])
      case .manyDelays: try delayed(&batch, pair, ones, nil, [0.1, 0.1, 0.1])
      case .fewTargets: try delayed(&batch, pair, [1], nil, [0.1, 0.1])
      case .badTarget: try delayed(&batch, pair, [1, .infinity], nil, [0.1, 0.1])
      case .badSpring: try delayed(&batch, pair, ones, broken, [0.1, 0.1])
      case .staleHandle: try delayed(&batch, [good, handle, stale], [1, 1, 1], nil, [0.1, 0.1, 0.1])
      case .strangeHandle:
        let strange = TrackHandle(slot: handle.slot, generation: handle.generation, store: handle.store &+ 1)
        try delayed(&batch, [handle, strange], ones, nil, [0.1, 0.1])
      case .oneNaN: try batch.retarget(handle, to: Float.nan)
      case .oneBadSpring: try batch.retarget(handle, to: Float(1), spring: broken)
      case .oneWrongDimensions: try batch.retarget(handle, to: SIMD2<Float>(1, 1))
      case .many: try batch.retarget([handle, stale].span, to: ones.span)
      case .range:
        let zeros = [Float](repeating: 0, count: batch.indexCount + 1)
        try batch.retarget(0..<zeros.count, to: zeros.span)
      case .springs: try batch.retarget(pair.span, to: ones.span, springs: [.smooth, broken].span)
      case .all: try batch.retargetAll(to: [Float](repeating: .nan, count: batch.indexCount).span)
      case .setNaN: try batch.set(handle, value: Float(1), velocity: .nan)
      case .setMany: try batch.set([handle, stale].span, values: ones.span, velocities: ones.span)
      case .badRate: try batch.decelerate(handle, velocity: Float(1), by: Deceleration(rate: 1))
      case .decelerateNaN: try batch.decelerate(handle, velocity: Float.nan)
      case .decelerateTooFar: try batch.decelerate(handle, velocity: Float(1e15), by: Deceleration(rate: 0.9999))
      case .decelerateManyTooFar:
        try batch.decelerate(pair.span, velocities: [1, 1e15].span, by: Deceleration(rate: 0.9999))
      case .decelerateWrongCount: try batch.decelerate(pair.span, velocities: [1].span)
      }
    }
  }

  @Test(arguments: BadCall.allCases, Standing.allCases)
  func aCallThatFailsChangesNothing(_ call: BadCall, _ standing: Standing) throws {
    var batch = try SpringBatch()
    var twin = try SpringBatch()
    let motion = Motion(value: 30, target: 0, velocity: 50)
    let (handle, twinHandle) = (try standing.add(motion, to: &batch), try standing.add(motion, to: &twin))
    let (good, twinGood) = (try standing.add(motion, to: &batch), try standing.add(motion, to: &twin))
    let (stale, twinStale) = (
      try batch.add(.smooth, value: Float(1), target: 2), try twin.add(.smooth, value: Float(1), target: 2)
    )
    try batch.remove(stale)
    try twin.remove(twinStale)
    try batch.retarget(handle, to: 500, spring: .bouncy, delay: 0.5)
    try twin.retarget(twinHandle, to: 500, spring: .bouncy, delay: 0.5)
    try batch.retarget(good, to: 400, delay: 0.4)
    try twin.retarget(twinGood, to: 400, delay: 0.4)
    try batch.advance(to: 0.2)
    try twin.advance(to: 0.2)
    #expect(throws: BatchError.self) { try call.apply(handle, good, stale, &batch) }
    for frame in 1..<30 {
      try batch.advance(to: 0.2 + Double(frame) / 12)
      try twin.advance(to: 0.2 + Double(frame) / 12)
      let (got, expected) = (try batch.bits(), try twin.bits())
      #expect(got == expected, "at \(batch.time)")
    }
    let target: Float = try batch.target(of: handle)
    #expect(target == 500)
  }
}
