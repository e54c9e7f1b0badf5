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
      if motion.velocity == 0 { late.append(rest / exact) }
    }
    late.sort()
    #expect(late[late.count * 95 / 100] <= (regime == .overdamped ? 1.25 : 1.15))
    #expect(late[late.count / 2] <= (regime == .overdamped ? 1.12 : 1.07))
  }

  /// A frame looks at a tile in time for the fastest spring in it.
  @Test(arguments: [false, true]) func theFastestSpringOfATileRestsAtItsTime(_ inBulk: Bool) throws {
    let springs = (0..<32).map { Spring(duration: $0 == 5 ? 0.02 : 0.5) }
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([Float](repeating: 0, count: 32))
    if inBulk {
      try batch.animate(tracks, to: [Float](repeating: 1e-4, count: 32), springs: springs)
    } else {
      for (track, spring) in zip(tracks, springs) { try batch.animate(track, to: 1e-4, .spring(spring)) }
    }
    // No motion rests before an eighth of its duration: 0.0025 s for one, and a thirtieth of a second for the others.
    try batch.advance(to: 0.01)
    #expect(batch.settled == [tracks[5]])
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
    #expect(tracks.map { batch.restTime(of: $0) } == [2.5, 3.75, 6.125, nil, nil])
    try batch.remove(tracks[0])
    #expect(batch.restTime(of: tracks[0]) == nil)
  }

  @Test("A track with a clip rests before its start and from its end on", arguments: KernelSet.available)
  func clips(_ set: KernelSet) throws {
    var batch = try AnimationBatch<Float>(kernels: set)
    let clip = try batch.load(Clip(curve: .easeIn))
    let tracks = try batch.add(playing: clip, [Playback(), Playback(delay: 0.5), Playback(repetition: .forever)])
    for (time, rests) in [
      (0.25, [false, true, false]), (0.75, [false, false, false]), (1.25, [true, false, false]),
      (9, [true, true, false]),
    ] {
      try batch.advance(to: time)
      #expect(tracks.map { batch.isAtRest($0) } == rests, "at \(time)")
    }
  }

  /// At any time on the clock. Far from zero it is too coarse to tell every age.
  @Test(arguments: Motion.Regime.allCases, KernelSet.available)
  func fromItsRestTimeOnATrackShowsItsTargetAndNoVelocity(_ regime: Motion.Regime, _ set: KernelSet) throws {
    var random = SplitMix64(seed: 42)
    for trial in 0..<80 {
      var batch = try AnimationBatch<Float>(kernels: set)
      let late = [0, 0, 1e6, 1e9][trial / 2 % 4]
      try batch.advance(to: late + random.uniform(-100...100))
      let motion = Motion(regime, &random)
      let handle = try motion.add(to: &batch, inBulk: trial % 2 == 0)
      let (start, rest) = (batch.time, batch.restTime(of: handle) ?? .nan)
      #expect(rest - start >= motion.restTime())
      try batch.advance(to: start + 0.999 * (rest - start))
      #expect(batch.isAtRest(handle) == false && batch.settled.isEmpty)
      for time in [rest, rest + 1e-3, rest + 7, 9.99e9] {
        try batch.advance(to: time)
        #expect(
          batch.isAtRest(handle) == true && batch.settled == (time == rest ? [handle] : []), "\(motion) at \(time)")
        #expect(batch.bits(of: handle) == [motion.target.bitPattern, Float.zero.bitPattern], "\(motion) at \(time)")
      }
    }
  }

  @Test(arguments: [false, true]) func distancesOfAllDimensionsAreSummedUp(_ inBulk: Bool) throws {
    var random = SplitMix64(seed: 44)
    for regime in Motion.Regime.allCases {
      for _ in 0..<40 {
        let components = (0..<3).map { _ in Motion(regime, &random) }
        let spring = components[0].spring
        let (value, target) = (SIMD3(components.map(\.value)), SIMD3(components.map(\.target)))
        var batch = try AnimationBatch<SIMD3<Float>>()
        let handle =
          inBulk ? try batch.add([value], to: [target], spring)[0] : try batch.add(value, to: target, spring)
        let exact = spring.restTime(target: (0..<3).map { Double(abs(value[$0] - target[$0])) }.reduce(0, +))
        let rest = batch.restTime(of: handle) ?? .nan
        #expect(rest >= exact * 0.999_999 && rest <= 1.5 * exact, "\(components): \(rest) for \(exact)")
      }
    }
  }

  @Test(arguments: Motion.Regime.allCases, [false, true])
  func tolerancesAreThoseThatWereSet(_ regime: Motion.Regime, _ inBulk: Bool) throws {
    var random = SplitMix64(seed: 45)
    let all: [(Float, Float?)] = [(0.1, nil), (1e-6, nil), (1e-3, 1e3), (100, 1e-3), (1e15, 1e-6), (1e-6, 1e30)]
    for tolerances in try all.map({ try RestTolerances(value: $0, velocity: $1) }) {
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
    let (handle, other) = (try motion.add(to: &batch, inBulk: inBulk), try motion.add(to: &twin, inBulk: inBulk))
    batch.restTolerance = try RestTolerances(value: 1)
    twin.restTolerance = try RestTolerances(value: 1e-6)
    let coarse = batch.restTime(of: handle) ?? .nan
    try batch.advance(to: coarse)
    #expect(batch.settled == [handle])
    batch.restTolerance = try RestTolerances(value: 1e-6)
    let fine = batch.restTime(of: handle) ?? .nan
    #expect(fine > coarse)
    try batch.advance(to: (coarse + fine) / 2)
    try twin.advance(to: (coarse + fine) / 2)
    #expect(batch.bits(of: handle) == twin.bits(of: other) && batch[handle] != 0)
    try batch.advance(to: fine)
    // The motion was reported as settled before.
    #expect(batch.isAtRest(handle) == true && batch.settled.isEmpty)
  }

  @Test(arguments: [false, true]) func anUndampedSpringNeverRests(_ inBulk: Bool) throws {
    var batch = try AnimationBatch<Float>()
    let motion = Motion(value: 1, target: 0, spring: Spring(duration: 0.7, bounce: 1))
    let handle = try motion.add(to: &batch, inBulk: inBulk)
    #expect(batch.restTime(of: handle) == .infinity)
    var complete = 0
    for time in [0.5, 0.7, 1e3, 1e6, 1e9, 1e10] {
      try batch.advance(to: time)
      complete += batch.logicallyComplete.count
      #expect(batch.isAtRest(handle) == false && batch.settled.isEmpty)
    }
    #expect(complete == 1)
    // Unless it never leaves the tolerance.
    batch.restTolerance = try RestTolerances(value: 2)
    let restTime = batch.restTime(of: handle) ?? .nan
    #expect(abs(restTime - 1.0 / 30) < 1e-8)
  }

  /// A motion of no length rests a thirtieth of a second later. A quick one rests after an eighth of its duration.
  @Test(
    arguments: [false, true],
    [Spring.smooth, .bouncy, Spring(duration: 1, bounce: 1), Spring(duration: 1, bounce: -0.5), Spring(duration: 0.04)])
  func aMotionOfNoLengthRestsAThirtiethOfASecondLater(_ inBulk: Bool, _ spring: Spring) throws {
    var batch = try AnimationBatch<Float>()
    try batch.advance(to: 3)
    let handle = try Motion(value: 160, target: 160, spring: spring).add(to: &batch, inBulk: inBulk)
    let least = min(spring.duration / 8, 1.0 / 30)
    #expect(abs((batch.restTime(of: handle) ?? .nan) - 3 - least) < 1e-8)
    try batch.advance(by: 0.99 * least)
    #expect(batch.events.isEmpty)
    try batch.advance(by: 0.02 * least)
    #expect(batch.logicallyComplete == [handle] && batch.settled == [handle])
    #expect(batch.bits(of: handle) == [Float(160).bitPattern, 0])
  }

  /// A slide of no length rests after an eighth of 1/κ.
  @Test func aQuickMotionOfNoLengthRestsSooner() throws {
    var batch = try AnimationBatch<Float>()
    let track = try batch.add(4)
    let slide = Deceleration(rate: 0.975)
    try batch.decelerate(track, velocity: 0, by: slide)
    #expect(abs((batch.restTime(of: track) ?? .nan) - 0.125 / slide.decayConstant) < 1e-8)
  }
}
