// SPDX-License-Identifier: MIT
import AnimationModel
import Murmuration
import Testing

/// Clips of bad and extreme keyframes and pieces.
struct HostileClipTests {
  /// A clip of one track of the given pieces.
  static func clip(
    times: [Double], _ pieces: [SIMD4<Double>], later: Bool = true, duration: Double? = nil
  ) throws(ClipError) -> Clip {
    let track = PieceTrack(components: [0], times: times, pieces: [pieces], boundariesBelongToLater: later)
    return try Clip(dimensions: 1, initialValues: [0], tracks: [track], duration: duration)
  }

  /// Pieces of the given values.
  static func constant(_ values: Double...) -> [SIMD4<Double>] { values.map { SIMD4($0, 0, 0, 0) } }

  private static func values(_ clip: Clip, _ times: Double...) -> [Double] {
    times.map { clip.value(dimension: 0, at: $0) }
  }

  private static func bezier(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> UnitCurve {
    .bezier(startControlPoint: UnitPoint(x: x1, y: y1), endControlPoint: UnitPoint(x: x2, y: y2))
  }

  // MARK: - Refusals

  @Test func whatNoClipCanHoldThrows() {
    func refuses(_ error: ClipError, _ make: () throws -> Clip) {
      #expect(throws: error) { _ = try make() }
    }
    refuses(.emptyTrack(track: 0)) { try Self.clip(times: [], []) }
    refuses(.emptyTrack(track: 0)) { try Self.clip(times: [0], []) }
    refuses(.unsortedTimes(track: 0, key: 2)) { try Self.clip(times: [0, 2, 1], Self.constant(1, 2)) }
    refuses(.invalidTime(track: 0, key: 1, time: -1)) { try Self.clip(times: [0, -1], Self.constant(1)) }
    refuses(.invalidTime(track: 0, key: 0, time: 1)) { try Self.clip(times: [1, 2], Self.constant(1)) }
    refuses(.overflow(track: 0, key: 1, component: 0, value: 1e38)) {
      try Self.clip(times: [0, 1, 2], [.zero, SIMD4(0, 1e38, 0, 0)])
    }
    refuses(.wrongCount(of: "pieces of component 0", track: 0, expected: 2, got: 1)) {
      try Self.clip(times: [0, 1, 2], [.zero])
    }
    refuses(.invalidDuration(0.5, atLeast: 1)) { try Self.clip(times: [0, 1], [.zero], duration: 0.5) }
    for count in [0, Clip.maximumDimensions + 1] {
      refuses(.invalidDimensions(count)) { try Clip(dimensions: count, initialValues: [], tracks: []) }
    }
    refuses(.wrongDimensions(of: "initial values", expected: 2, got: 1)) {
      try Clip(dimensions: 2, initialValues: [1], tracks: [])
    }
    let twice = PieceTrack(components: [0, 0], times: [0, 1], pieces: [[.zero], [.zero]])
    refuses(.invalidComponent(track: 0, component: 0)) {
      try Clip(dimensions: 2, initialValues: [1, 2], tracks: [twice])
    }
    refuses(.invalidErrorBound(dimension: 0, value: -1)) {
      try Clip(dimensions: 1, initialValues: [1], tracks: [], valueErrorBounds: [-1])
    }
    refuses(.invalidTolerance(0)) { try Clip(curve: .easeIn, tolerance: 0) }
    for length in [1e11, -1] {
      refuses(.invalidDuration(length, atLeast: .leastNonzeroMagnitude)) {
        try Clip(curve: .easeInOut, duration: length)
      }
    }
    refuses(.endless(track: 0, key: 0)) {
      try Clip(initialValue: 0.0) { _ in LinearKeyframe(3.0, duration: .infinity) }
    }
    refuses(.endless(track: 0, key: 1)) {
      try Clip(initialValue: 0.0) { _ in
        MoveKeyframe(1.0)
        SpringKeyframe(2.0, spring: Spring(duration: 1, bounce: 1))
      }
    }
    refuses(.overflow(track: 0, key: 1, component: 0, value: 1e16)) {
      try Clip(initialValue: 0.0) { _ in
        MoveKeyframe(1.0)
        LinearKeyframe(1e16, duration: 1)
      }
    }
    #expect(throws: ClipError.self) { try Clip(curve: .steps(.max)) }
  }

  @Test("Values and times that are no numbers, and slopes that Float cannot hold, throw with the key")
  func notNumbers() {
    /// The key that is said to be at fault; NaN is not equal to itself, so errors with it cannot be compared as a whole.
    func faultyKey(_ make: () throws -> Clip) -> Int? {
      do {
        _ = try make()
        return nil
      } catch ClipError.invalidTime(track: 0, let key, _), ClipError.invalidValue(track: 0, let key, component: 0, _),
        ClipError.overflow(track: 0, let key, component: 0, _), ClipError.invalidCurve(track: 0, let key)
      {
        return key
      } catch {
        return nil
      }
    }
    for value in [Double.nan, .infinity, -.infinity] {
      #expect(faultyKey { try Self.clip(times: [0, value], Self.constant(1)) } == 1)
      #expect(faultyKey { try Self.clip(times: [0, 1], Self.constant(value)) } == 0)
      let second = {
        try Clip(initialValue: 0.0) { _ in
          LinearKeyframe(1.0, duration: 1)
          CubicKeyframe(value, duration: 1)
        }
      }
      #expect(faultyKey(second) == 1)
      #expect(faultyKey { try Clip(initialValue: value) { _ in LinearKeyframe(1.0, duration: 1) } } == 0)
      let curve = Self.bezier(0.3, value, 0.5, 1)
      let eased = { try Clip(initialValue: 0.0) { _ in LinearKeyframe(1.0, duration: 1, timingCurve: curve) } }
      #expect(faultyKey(eased) == 0)
      let line = UnitCurve.linear(points: [.init(input: value, output: 0), .init(output: 1)])
      let straight = { try Clip(initialValue: 0.0) { _ in LinearKeyframe(1.0, duration: 1, timingCurve: line) } }
      #expect(faultyKey(straight) == 0)
      #expect(throws: ClipError.self) { try Clip(curve: .linear(points: [.init(output: 0), .init(output: value)])) }
    }
    #expect(faultyKey { try Self.clip(times: [0, 1e-30], [SIMD4(0, 0, 0, 1e300)]) } == 0)
    for duration in [1e-30, 1e-14] {
      let steep = {
        try Clip(initialValue: 0.0) { _ in
          MoveKeyframe(1.0)
          CubicKeyframe(2.0, duration: duration, startVelocity: 1e38)
        }
      }
      #expect(faultyKey(steep) == 1, "\(duration) s")
    }
  }

  // MARK: - Extremes

  @Test("Without keyframes a clip keeps its initial value, and one key is constant")
  func constants() throws {
    let none = try Clip(KeyframeTimeline(initialValue: 4.0) { KeyframeSequence<Double>() })
    #expect(none.duration == 0 && Self.values(none, -1, 0, 1) == [4, 4, 4])
    let one = try Self.clip(times: [0, 0], Self.constant(7), duration: 2)
    #expect(one.duration == 2 && Self.values(one, -1, 0, 1, 2, 3) == [7, 7, 7, 7, 7])
  }

  @Test("At equal times the last key wins in imported tracks, the first in timelines")
  func duplicateTimes() throws {
    let (times, pieces) = ([0, 1, 1, 1, 2.0], Self.constant(1, 2, 3, 4))
    let later = try Self.clip(times: times, pieces, later: true)
    #expect(Self.values(later, 0.5, 1.0.nextDown, 1, 1.5, 2) == [1, 1, 4, 4, 4])
    let earlier = try Self.clip(times: times, pieces, later: false)
    #expect(Self.values(earlier, 0.5, 1, 1.0.nextUp, 2) == [1, 1, 4, 4])
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
    #expect(try Self.values(Clip(timeline), 0, 1, 1.0.nextUp) == [0, 2, 4])
    let alone = try Clip(KeyframeTimeline(initialValue: 0.0) { MoveKeyframe(5) })
    #expect(alone.duration == 0 && alone.finalValues == [5] && Self.values(alone, 0, 1e-9) == [0, 5])
    #expect(try Self.values(Self.clip(times: [0, 0, 0], Self.constant(1, 2)), 0) == [2])
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

  @Test("The curves that are hardest to solve stay within the bound of their clip; x outside 0…1 is clamped")
  func hardCurves() throws {
    let points: [(Double, Double, Double, Double)] = [
      (1, 0, 0, 1), (0, 1, 0, 1), (1, 1, 1, 0), (0, 0, 0, 0), (0, 1, 0, 0), (1, 0, 1, 0), (0, 50, 1, -50),
      (-3, 0, 9, 1),
    ]
    for (x1, y1, x2, y2) in points {
      let curve = Self.bezier(x1, y1, x2, y2)
      let clip = try Clip(curve: curve)
      for index in 0...5000 {
        let time = Double(index) / 5000
        let miss = abs(clip.value(dimension: 0, at: time) - curve.value(at: time))
        #expect(miss <= clip.report.valueErrorBound, "\(curve) at \(time)")
      }
      #expect(clip.report.pieces < 256, "\(curve)")
    }
  }

  @Test("Before the start and after the end a clip holds, and ends are exact")
  func holds() throws {
    for curve in [UnitCurve.easeIn, .circularEaseInOut, .steps(4)] {
      let clip = try Clip(curve: curve, duration: 3)
      // The end is compared as it is shown, as a Float.
      #expect(Self.values(clip, -1, 0, .nan, 3, 1e300).map(Float.init) == [0, 0, 0, 1, 1], "\(curve)")
      #expect(clip.velocity(dimension: 0, at: -1) == 0 && clip.velocity(dimension: 0, at: 4) == 0)
    }
    #expect(try abs(Self.values(Clip(curve: .easeInOut, duration: 1e9), 5e8)[0] - 0.5) < 1e-4)
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
