// SPDX-License-Identifier: MIT
import AnimationModel
import Murmuration
import Testing

/// Clips of bad and extreme keyframes and pieces.
@Suite struct HostileClipTests {
  /// A clip of one track of the given pieces.
  static func clip(
    times: [Double], _ pieces: [SIMD4<Double>], later: Bool = true, duration: Double? = nil
  ) throws(ClipError) -> Clip {
    let track = PieceTrack(components: [0], times: times, pieces: [pieces], boundariesBelongToLater: later)
    return try Clip(dimensions: 1, initialValues: [0], tracks: [track], duration: duration)
  }

  static func constant(_ value: Double) -> SIMD4<Double> { SIMD4(value, 0, 0, 0) }

  @Test("An empty track of pieces throws, an empty track of keyframes keeps the initial value")
  func emptyTrack() throws {
    #expect(throws: ClipError.emptyTrack(track: 0)) { try Self.clip(times: [], []) }
    #expect(throws: ClipError.emptyTrack(track: 0)) { try Self.clip(times: [0], []) }
    let clip = try Clip(KeyframeTimeline(initialValue: 4.0) { KeyframeSequence<Double>() })
    #expect(clip.duration == 0 && [-1, 0, 1].map { clip.value(dimension: 0, at: $0) } == [4, 4, 4])
  }

  @Test("One key is constant")
  func oneKey() throws {
    let clip = try Self.clip(times: [0, 0], [Self.constant(7)], duration: 2)
    #expect([-1, 0, 1, 2, 3].map { clip.value(dimension: 0, at: $0) } == [7, 7, 7, 7, 7])
    #expect(clip.duration == 2)
  }

  @Test("Unsorted times throw with the key")
  func unsortedTimes() {
    #expect(throws: ClipError.unsortedTimes(track: 0, key: 2)) {
      try Self.clip(times: [0, 2, 1], [Self.constant(1), Self.constant(2)])
    }
  }

  @Test("At equal times the last key wins in imported tracks, the first in timelines")
  func duplicateTimes() throws {
    let pieces = [Self.constant(1), Self.constant(2), Self.constant(3), Self.constant(4)]
    let later = try Self.clip(times: [0, 1, 1, 1, 2], pieces, later: true)
    #expect([0.5, 1.0.nextDown, 1, 1.5, 2].map { later.value(dimension: 0, at: $0) } == [1, 1, 4, 4, 4])
    let earlier = try Self.clip(times: [0, 1, 1, 1, 2], pieces, later: false)
    #expect([0.5, 1, 1.0.nextUp, 2].map { earlier.value(dimension: 0, at: $0) } == [1, 1, 4, 4])
    #expect(later.report.pieces == 2)
  }

  @Test("Segments of no length at the start, at the end, and alone jump where they stand")
  func zeroLengthSegments() throws {
    let timeline = KeyframeTimeline(initialValue: 0.0) {
      LinearKeyframe(1, duration: 0)
      LinearKeyframe(2, duration: 1, timingCurve: .easeIn)
      CubicKeyframe(3, duration: 0)
      SpringKeyframe(4, duration: 0)
    }
    let clip = try Clip(timeline)
    #expect([0, 1, 1.0.nextUp].map { clip.value(dimension: 0, at: $0) } == [0, 2, 4])
    let alone = try Clip(KeyframeTimeline(initialValue: 0.0) { MoveKeyframe(5) })
    #expect(alone.duration == 0 && [0, 1e-9].map { alone.value(dimension: 0, at: $0) } == [0, 5])
    let imported = try Self.clip(times: [0, 0, 0], [Self.constant(1), Self.constant(2)])
    #expect(imported.value(dimension: 0, at: 0) == 2)
  }

  @Test("A segment shorter than an ulp of the time is left out, and late segments have an honest bound")
  func lateSegments() throws {
    for curve in [UnitCurve.linear, .easeInOut, .circularEaseIn, .steps(3)] {
      let timeline = KeyframeTimeline(initialValue: 0.0) {
        LinearKeyframe(1, duration: 1e9)
        LinearKeyframe(2, duration: 1e-10, timingCurve: curve)
        CubicKeyframe(3, duration: 1e-10)
        LinearKeyframe(4, duration: 1, timingCurve: curve)
        SpringKeyframe(5, duration: 1)
        LinearKeyframe(6, duration: 1e-6, timingCurve: curve)
        LinearKeyframe(7, duration: 3e-5, timingCurve: curve)
      }
      let clip = try Clip(timeline)
      #expect(clip.report.valueErrorBound < 2)
      ClipTimelineTests.compare(clip, timeline, seed: 3, jumping: curve == .steps(3))
    }
  }

  @Test("Values and times that are no numbers throw with the key")
  func notNumbers() {
    /// The key that is said to be at fault; NaN is not equal to itself, so errors with it cannot be compared as a whole.
    func faultyKey(_ make: () throws -> Clip) -> Int? {
      do {
        _ = try make()
        return nil
      } catch ClipError.invalidTime(track: 0, let key, _), ClipError.invalidValue(track: 0, let key, component: 0, _) {
        return key
      } catch {
        return nil
      }
    }
    for value in [Double.nan, .infinity, -.infinity] {
      #expect(faultyKey { try Self.clip(times: [0, value], [Self.constant(1)]) } == 1)
      #expect(faultyKey { try Self.clip(times: [0, 1], [Self.constant(value)]) } == 0)
      #expect(
        faultyKey {
          try Clip(
            KeyframeTimeline(initialValue: 0.0) {
              LinearKeyframe(1, duration: 1)
              CubicKeyframe(value, duration: 1)
            })
        } == 1)
      #expect(faultyKey { try Clip(KeyframeTimeline(initialValue: value) { LinearKeyframe(1, duration: 1) }) } == 0)
    }
    #expect(throws: ClipError.invalidTime(track: 0, key: 1, time: -1)) {
      try Self.clip(times: [0, -1], [Self.constant(1)])
    }
    #expect(throws: ClipError.invalidTime(track: 0, key: 0, time: 1)) {
      try Self.clip(times: [1, 2], [Self.constant(1)])
    }
    #expect(throws: ClipError.overflow(track: 0, key: 1, component: 0, value: 1e16)) {
      try Clip(
        KeyframeTimeline(initialValue: 0.0) {
          MoveKeyframe(1)
          LinearKeyframe(1e16, duration: 1)
        })
    }
  }

  @Test("Slopes that Float cannot hold throw with the key")
  func hugeSlopes() {
    #expect(throws: ClipError.overflow(track: 0, key: 1, component: 0, value: 1e38)) {
      try Self.clip(times: [0, 1, 2], [.zero, SIMD4(0, 1e38, 0, 0)])
    }
    #expect {
      try Self.clip(times: [0, 1e-30], [SIMD4(0, 0, 0, 1e300)])
    } throws: { error in
      if case ClipError.overflow(track: 0, key: 0, component: 0, _) = error { true } else { false }
    }
    for duration in [1e-30, 1e-14] {
      do {
        _ = try Clip(
          KeyframeTimeline(initialValue: 0.0) {
            MoveKeyframe(1)
            CubicKeyframe(2, duration: duration, startVelocity: 1e38)
          })
        Issue.record("no error for \(duration) s")
      } catch {
        guard case .overflow(track: 0, key: 1, component: 0, _) = error else {
          Issue.record("\(error)")
          continue
        }
      }
    }
  }

  @Test("Curves of impossible numbers throw, and x outside 0…1 is clamped by the model")
  func curves() throws {
    for bad in [Double.nan, .infinity] {
      let curve = UnitCurve.bezier(
        startControlPoint: UnitPoint(x: 0.3, y: bad), endControlPoint: UnitPoint(x: 0.5, y: 1))
      #expect(throws: ClipError.invalidCurve(track: 0, key: 0)) {
        try Clip(KeyframeTimeline(initialValue: 0.0) { LinearKeyframe(1, duration: 1, timingCurve: curve) })
      }
      #expect(throws: ClipError.self) {
        try Clip(curve: .linear(points: [.init(output: 0), .init(output: bad)]))
      }
    }
    let clamped = UnitCurve.bezier(startControlPoint: UnitPoint(x: -3, y: 0), endControlPoint: UnitPoint(x: 9, y: 1))
    #expect(try Clip(curve: clamped).report.valueErrorBound <= 0x1p-16)
    #expect(throws: ClipError.self) { try Clip(curve: .steps(.max)) }
  }

  @Test("The curves that are hardest to solve stay within the bound of their clip")
  func hardCurves() throws {
    let points: [(Double, Double, Double, Double)] = [
      (1, 0, 0, 1), (0, 1, 0, 1), (1, 1, 1, 0), (0, 0, 0, 0), (0, 1, 0, 0), (1, 0, 1, 0), (0, 50, 1, -50),
    ]
    for (x1, y1, x2, y2) in points {
      let curve = UnitCurve.bezier(
        startControlPoint: UnitPoint(x: x1, y: y1), endControlPoint: UnitPoint(x: x2, y: y2))
      let clip = try Clip(curve: curve)
      for index in 0...5000 {
        let time = Double(index) / 5000
        #expect(
          abs(clip.value(dimension: 0, at: time) - curve.value(at: time)) <= clip.report.valueErrorBound,
          "\(curve) at \(time)")
      }
      #expect(clip.report.pieces < 256, "\(curve)")
    }
  }

  @Test("Before the start and after the end a clip holds, and ends are exact")
  func holds() throws {
    for curve in [UnitCurve.easeIn, .circularEaseInOut, .steps(4)] {
      let clip = try Clip(curve: curve, duration: 3)
      for (time, value) in [(-1, 0), (0, 0), (3, 1), (1e300, 1), (.nan, 0)] as [(Double, Double)] {
        // The end is compared as it is shown, as a Float.
        let shown = clip.value(dimension: 0, at: time)
        #expect(value == 0 ? shown == 0 : Float(shown) == 1, "\(curve) at \(time)")
      }
      #expect(clip.velocity(dimension: 0, at: -1) == 0 && clip.velocity(dimension: 0, at: 4) == 0)
    }
  }

  @Test("Clips of no length and of 10⁹ s are finite everywhere")
  func extremeDurations() throws {
    let none = try Clip(KeyframeTimeline(initialValue: SIMD2(1.0, 2)) { MoveKeyframe(SIMD2(3, 4)) })
    #expect(none.duration == 0 && none.finalValues == [3, 4])
    let long = try Clip(curve: .easeInOut, duration: 1e9)
    #expect(abs(long.value(dimension: 0, at: 5e8) - 0.5) < 1e-4)
    #expect(throws: ClipError.invalidDuration(1e11, atLeast: .leastNonzeroMagnitude)) {
      try Clip(curve: .easeInOut, duration: 1e11)
    }
    #expect(throws: ClipError.invalidDuration(-1, atLeast: .leastNonzeroMagnitude)) {
      try Clip(curve: .easeInOut, duration: -1)
    }
  }

  @Test func endlessKeyframesThrow() {
    #expect(throws: ClipError.endless(track: 0, key: 1)) {
      try Clip(
        KeyframeTimeline(initialValue: 0.0) {
          MoveKeyframe(1)
          SpringKeyframe(2, spring: Spring(duration: 1, bounce: 1))
          LinearKeyframe(3, duration: 1)
        })
    }
    #expect(throws: ClipError.endless(track: 0, key: 0)) {
      try Clip(KeyframeTimeline(initialValue: 0.0) { LinearKeyframe(3, duration: .infinity) })
    }
  }

  @Test func shapesAreChecked() {
    #expect(throws: ClipError.invalidDimensions(0)) { try Clip(dimensions: 0, initialValues: [], tracks: []) }
    #expect(throws: ClipError.invalidDimensions(Clip.maximumDimensions + 1)) {
      try Clip(dimensions: Clip.maximumDimensions + 1, initialValues: [], tracks: [])
    }
    #expect(throws: ClipError.wrongDimensions(of: "initial values", expected: 2, got: 1)) {
      try Clip(dimensions: 2, initialValues: [1], tracks: [])
    }
    let track = PieceTrack(components: [0, 0], times: [0, 1], pieces: [[.zero], [.zero]])
    #expect(throws: ClipError.invalidComponent(track: 0, component: 0)) {
      try Clip(dimensions: 2, initialValues: [1, 2], tracks: [track])
    }
    #expect(throws: ClipError.wrongCount(of: "pieces of component 0", track: 0, expected: 2, got: 1)) {
      try Self.clip(times: [0, 1, 2], [.zero])
    }
    #expect(throws: ClipError.invalidDuration(0.5, atLeast: 1)) {
      try Self.clip(times: [0, 1], [.zero], duration: 0.5)
    }
    #expect(throws: ClipError.invalidTolerance(0)) { try Clip(curve: .easeIn, tolerance: 0) }
    #expect(throws: ClipError.invalidErrorBound(dimension: 0, value: -1)) {
      try Clip(dimensions: 1, initialValues: [1], tracks: [], valueErrorBounds: [-1])
    }
  }

  @Test func strangeSpringsAreFiniteOrThrow() throws {
    for spring in [Spring(duration: 0), Spring(duration: 1, bounce: -1), Spring(duration: 1, bounce: -0.999_999)] {
      let timeline = KeyframeTimeline(initialValue: 1.0) {
        SpringKeyframe(2, duration: 1, spring: spring, startVelocity: 3)
      }
      let clip = try Clip(timeline)
      for time in [-1, 0, 1e-9, 0.5, 1, 2] {
        let miss = abs(clip.value(dimension: 0, at: time) - timeline.value(time: time))
        #expect(miss <= clip.report.valueErrorBound, "\(spring) at \(time) s")
      }
    }
    let weightless = Spring(mass: 0, stiffness: 1, damping: 1)
    let clip = try Clip(KeyframeTimeline(initialValue: 1.0) { SpringKeyframe(2, duration: 1, spring: weightless) })
    #expect(clip.finalValues[0].isFinite)
  }
}
