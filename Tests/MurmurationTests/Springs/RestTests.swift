// SPDX-License-Identifier: MIT
import TestSupport
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// The moments at which motions come to rest, and their values from then on.
struct RestTests {
  /// The bounds come from an envelope, so they are late: of a hundred motions that start from rest, ninety-five come to
  /// rest at most 15 % late, or 25 % if the spring is clearly overdamped.
  @Test(arguments: Motion.Regime.allCases, [false, true])
  func aMotionRestsNeverEarlyAndHardlyLate(_ regime: Motion.Regime, _ inBulk: Bool) throws {
    var random = SplitMix64(seed: 41)
    var late: [Double] = []
    for _ in 0..<Effort.draws(quick: 200, soak: 2_000) {
      var batch = try AnimationBatch<Float>()
      let motion = Motion(regime, &random)
      let handle = try motion.add(to: &batch, inBulk: inBulk)
      let (rest, exact) = (batch.restTime(of: handle) ?? .nan, motion.restTime())
      #expect(rest >= exact, "\(motion): \(rest) for \(exact)")
      if motion.velocity == 0 {
        late.append(rest / exact)
      }
    }
    late.sort()
    #expect(late[late.count * 95 / 100] <= (regime == .overdamped ? 1.25 : 1.15))
    #expect(late[late.count / 2] <= (regime == .overdamped ? 1.12 : 1.07))
  }

  /// A frame looks at a tile in time for the fastest spring in it.
  @Test func theFastestSpringOfATileRestsAtItsTime() throws {
    let springs = (0..<32).map { Spring(duration: $0 == 5 ? 0.02 : 0.5) }
    let goals = [Float](repeating: 1e-4, count: 32)
    for inBulk in [true, false] {
      var batch = try AnimationBatch<Float>()
      let tracks = try batch.add([Float](repeating: 0, count: 32))
      if inBulk {
        try batch.animate(tracks, to: goals, springs: springs)
      } else {
        for (track, spring) in zip(tracks, springs) { try batch.animate(track, to: 1e-4, .spring(spring)) }
      }
      // No motion rests before an eighth of its duration: 0.0025 s for one, and a thirtieth of a second for the others.
      try batch.advance(to: 0.01)
      let settled = batch.events.filter { $0.kind == .settled }.map(\.track)
      #expect(settled == [tracks[5]], "in bulk: \(inBulk)")
    }
  }

  @Test("A curve rests at its end, and tracks that follow no spring and no curve have no time of rest")
  func curvesAndOtherMotions() throws {
    var batch = try AnimationBatch<Float>()
    try batch.advance(to: 2)
    let tracks = try batch.add([0, 0, 0, 0, 0])
    try batch.animate(tracks[0], to: 1, .easeIn(duration: 0.5))
    try batch.animate(tracks[1], to: 1, .linear(duration: 0.25).repeatCount(3).delay(1))
    try batch.animate(tracks[2], to: 1, .smooth(duration: 0.1))
    try batch.play(try batch.load(Clip(curve: .easeIn)), on: tracks[3])
    try batch.advance(to: 2.125)
    try batch.animate(tracks[2], to: 3, .easeOut(duration: 4))
    let times = tracks.map { batch.restTime(of: $0) }
    #expect(times == [2.5, 3.75, 6.125, nil, nil])
    try batch.remove(tracks[0])
    let gone = batch.restTime(of: tracks[0])
    #expect(gone == nil)
  }

  @Test("A track with a clip rests before its start and from its end on", arguments: KernelSet.available)
  func clips(_ set: KernelSet) throws {
    var batch = try AnimationBatch<Float>(kernels: set)
    let clip = try batch.load(Clip(curve: .easeIn))
    let tracks = try batch.add(
      playing: [clip, clip, clip],
      [
        Playback(), Playback(delay: 0.5), Playback(repetition: .forever),
      ])
    var rests: [[Bool?]] = []
    for time in [0.25, 0.75, 1.25, 9] {
      try batch.advance(to: time)
      rests.append(tracks.map { batch.isAtRest($0) })
    }
    #expect(rests == [[false, true, false], [false, false, false], [true, false, false], [true, true, false]])
  }

  @Test(arguments: Motion.Regime.allCases, KernelSet.available)
  func fromItsRestTimeOnATrackShowsItsTargetAndNoVelocity(_ regime: Motion.Regime, _ set: KernelSet) throws {
    var random = SplitMix64(seed: 42)
    for trial in 0..<40 {
      var batch = try AnimationBatch<Float>(kernels: set)
      try batch.advance(to: random.uniform(-100...100))
      let motion = Motion(regime, &random)
      let handle = try motion.add(to: &batch, inBulk: trial % 2 == 0)
      let (start, rest) = (batch.time, batch.restTime(of: handle) ?? .nan)
      try batch.advance(to: start + 0.999 * (rest - start))
      let (isEarly, nothingSettled) = (batch.isAtRest(handle), batch.settled.isEmpty)
      #expect(isEarly == false && nothingSettled)
      for time in [rest, rest + 1e-3, rest + 7, 1e9] {
        try batch.advance(to: time)
        let (rests, bits) = (batch.isAtRest(handle), batch.bits(of: handle))
        #expect(rests == true && bits == [motion.target.bitPattern, Float.zero.bitPattern], "\(motion) at \(time)")
        let settled = batch.settled
        #expect(settled == (time == rest ? [handle] : []))
      }
    }
  }

  @Test(arguments: [false, true]) func distancesOfAllDimensionsAreSummedUp(_ inBulk: Bool) throws {
    var random = SplitMix64(seed: 44)
    for regime in Motion.Regime.allCases {
      for _ in 0..<40 {
        let components = (0..<3).map { _ in Motion(regime, &random) }
        let spring = components[0].spring
        let (values, targets) = (components.map(\.value), components.map(\.target))
        var batch = try AnimationBatch<SIMD3<Float>>()
        let handle =
          inBulk
          ? try batch.add([SIMD3(values)], to: [SIMD3(targets)], spring)[0]
          : try batch.add(SIMD3(values), to: SIMD3(targets), spring)
        let distance = zip(values, targets).map { value, target in Double(abs(value - target)) }.reduce(0, +)
        let exact = spring.restTime(target: distance)
        let rest = batch.restTime(of: handle) ?? .nan
        #expect(rest >= exact * 0.999_999 && rest <= 1.5 * exact, "\(components): \(rest) for \(exact)")
      }
    }
  }

  @Test(arguments: Motion.Regime.allCases, [false, true])
  func tolerancesAreThoseThatWereSet(_ regime: Motion.Regime, _ inBulk: Bool) throws {
    var random = SplitMix64(seed: 45)
    let all = [
      try RestTolerances(value: 0.1), try RestTolerances(value: 1e-6), try RestTolerances(value: 1e-3, velocity: 1e3),
      try RestTolerances(value: 100, velocity: 1e-3), try RestTolerances(value: 1e15, velocity: 1e-6),
      try RestTolerances(value: 1e-6, velocity: 1e30),
    ]
    for tolerances in all {
      for _ in 0..<60 {
        let motion = Motion(regime, &random)
        var batch = try AnimationBatch<Float>()
        let handle = try motion.add(to: &batch, inBulk: inBulk)
        // The new tolerance counts for motions under way too.
        batch.restTolerance = tolerances
        let (rest, exact) = (batch.restTime(of: handle) ?? .nan, motion.restTime(tolerances))
        #expect(rest >= exact && rest <= 3 * exact + motion.spring.duration, "\(motion): \(rest) for \(exact)")
      }
    }
  }

  @Test(arguments: [false, true]) func aSmallerToleranceWakesWhatRests(_ inBulk: Bool) throws {
    var batch = try AnimationBatch<Float>()
    var twin = try AnimationBatch<Float>()
    let motion = Motion(value: 100, target: 0)
    let handle = try motion.add(to: &batch, inBulk: inBulk)
    let twinHandle = try motion.add(to: &twin, inBulk: inBulk)
    batch.restTolerance = try RestTolerances(value: 1)
    twin.restTolerance = try RestTolerances(value: 1e-6)
    let coarse = batch.restTime(of: handle) ?? .nan
    try batch.advance(to: coarse)
    let settled = batch.settled
    #expect(settled == [handle])
    batch.restTolerance = try RestTolerances(value: 1e-6)
    let fine = batch.restTime(of: handle) ?? .nan
    #expect(fine > coarse)
    try batch.advance(to: (coarse + fine) / 2)
    try twin.advance(to: (coarse + fine) / 2)
    let (got, expected) = (batch.bits(of: handle), twin.bits(of: twinHandle))
    #expect(got == expected && got[0] != 0)
    try batch.advance(to: fine)
    // The motion was reported as settled before.
    let (rests, again) = (batch.isAtRest(handle), batch.settled)
    #expect(rests == true && again.isEmpty)
  }

  @Test(arguments: [false, true]) func anUndampedSpringNeverRests(_ inBulk: Bool) throws {
    var batch = try AnimationBatch<Float>()
    let motion = Motion(value: 1, target: 0, spring: Spring(duration: 0.7, bounce: 1))
    let handle = try motion.add(to: &batch, inBulk: inBulk)
    let rest = batch.restTime(of: handle) ?? .nan
    #expect(rest == .infinity)
    var complete = 0
    for time in [0.5, 0.7, 1e3, 1e6, 1e9, 1e10] {
      try batch.advance(to: time)
      complete += batch.logicallyComplete.count
      let (rests, nothingSettled) = (batch.isAtRest(handle), batch.settled.isEmpty)
      #expect(rests == false && nothingSettled)
    }
    #expect(complete == 1)
    // Unless it never leaves the tolerance.
    batch.restTolerance = try RestTolerances(value: 2)
    let sinceStart = batch.restTime(of: handle) ?? .nan
    #expect(abs(sinceStart - 1 / 30) < 1e-8)
  }

  @Test(
    arguments: [false, true],
    [Spring.smooth, .bouncy, Spring(duration: 1, bounce: 1), Spring(duration: 1, bounce: -0.5)])
  func aMotionOfNoLengthRestsAThirtiethOfASecondLater(_ inBulk: Bool, _ spring: Spring) throws {
    var batch = try AnimationBatch<Float>()
    try batch.advance(to: 3)
    let motion = Motion(value: 160, target: 160, spring: spring)
    let handle = try motion.add(to: &batch, inBulk: inBulk)
    let rest = batch.restTime(of: handle) ?? .nan
    #expect(abs(rest - 3 - 1 / 30) < 1e-8)
    try batch.advance(by: 0.033)
    let early = batch.events
    #expect(early.isEmpty)
    try batch.advance(by: 0.0004)
    let (complete, settled) = (batch.logicallyComplete, batch.settled)
    #expect(complete == [handle] && settled == [handle])
    let bits = batch.bits(of: handle)
    #expect(bits == [Float(160).bitPattern, 0])
  }

  /// A quick one rests after an eighth of its duration, or of 1/κ of a slide.
  @Test(arguments: [false, true]) func aQuickMotionOfNoLengthRestsSooner(_ slides: Bool) throws {
    var batch = try AnimationBatch<Float>()
    let track = try batch.add(4)
    let slide = Deceleration(rate: 0.975)
    if slides {
      try batch.decelerate(track, velocity: 0, by: slide)
    } else {
      try batch.animate(track, to: 4.0000005, .spring(Spring(duration: 0.04)))
    }
    let rest = batch.restTime(of: track) ?? .nan
    #expect(abs(rest - (slides ? 0.125 / slide.decayConstant : 0.005)) < 1e-8)
  }

  @Test(arguments: [false, true]) func aJumpRestsAtOnce(_ inBulk: Bool) throws {
    var batch = try AnimationBatch<Float>()
    let motion = Motion(value: 3, target: -8, velocity: -100, spring: Spring(duration: 0, bounce: 0))
    let handle = try motion.add(to: &batch, inBulk: inBulk)
    try batch.advance(by: 1e-9)
    let (complete, settled) = (batch.logicallyComplete, batch.settled)
    #expect(complete == [handle] && settled == [handle])
    let bits = batch.bits(of: handle)
    #expect(bits == [Float(-8).bitPattern, 0])
  }

  /// Far from zero, a clock is too coarse to tell every age.
  @Test(arguments: [1e6, 1e9, 9.999e9], [false, true])
  func aRestTimeIsKeptAnywhereOnTheClock(_ start: Double, _ inBulk: Bool) throws {
    var random = SplitMix64(seed: 46)
    for regime in Motion.Regime.allCases {
      for _ in 0..<60 {
        var batch = try AnimationBatch<Float>()
        try batch.advance(to: start + random.unit())
        let motion = Motion(regime, &random)
        let handle = try motion.add(to: &batch, inBulk: inBulk)
        let begin = batch.time
        let rest = batch.restTime(of: handle) ?? .nan
        #expect(rest - begin >= motion.restTime())
        try batch.advance(to: rest)
        let rests = batch.isAtRest(handle)
        #expect(rests == true, "\(motion)")
      }
    }
  }
}
