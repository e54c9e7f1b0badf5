// SPDX-License-Identifier: MIT
import AnimationModel
import Murmuration
import Testing

@testable import MurmurationReference

/// The events that one track must report, and how exactly a reference knows its motions.
struct ReferenceTrackTests {
  private static let line = try? ClipContent(Clip(curve: .linear))
  private let aSpring = Keyframe<Double>.spring(to: 5, duration: nil, spring: .bouncy, startVelocity: nil)
  private var track = ReferenceTrack([0], at: 0)

  private func content(_ keyframes: Keyframe<Double>..., from start: Double = 0) throws -> ClipContent {
    ClipContent(try Clip(initialValues: [start], keyframes: [keyframes], tolerance: 0x1p-16))
  }

  private mutating func playLine(_ playback: Playback = Playback()) throws {
    try track.play(try #require(Self.line), playback, change: 1)
  }

  /// Advances, and expects the end of a motion around a moment, which has passed for certain if it is due.
  private mutating func expectEnd(at moment: Double, advancingTo time: Double, isDue: Bool) {
    let events = track.advance(to: time)
    #expect(events.map(\.kind) == [.logicallyComplete, .settled], "at \(time)")
    #expect(
      events.allSatisfy { $0.moment.contains(moment) && ($0.moment.upperBound <= time) == isDue },
      "\(events) at \(time)")
  }

  /// The clock of a track that was paused is a rounded sum. What is over by it is over by the batch's clock.
  @Test mutating func aClipThatWasPausedIsOverByTheBatchsClock() throws {
    var random = SplitMix64(seed: 48)
    for _ in 0..<100 {
      let start = random.uniform(5...15)
      let pause = start + random.uniform(0...0.3)
      let resume = pause + random.uniform(0...9)
      let now = resume + random.uniform(0...9)
      track = ReferenceTrack([0], at: 0)
      _ = track.advance(to: start)
      try playLine(Playback(speed: 0.05))
      _ = track.advance(to: pause)
      track.pause()
      _ = track.advance(to: resume)
      track.resume()
      _ = track.advance(to: now)
      track.turnClip { $0.seek(to: 1, at: $1) }
      // At the very moment of the end a batch may report it, and right after it must.
      var other = self
      #expect(other.track.advance(to: now).allSatisfy { $0.moment.lowerBound >= now - 1e-6 })
      expectEnd(at: now, advancingTo: now, isDue: false)
      expectEnd(at: now, advancingTo: now + 1, isDue: true)
    }
  }

  /// A spring keyframe lasts until it settles. If nothing is known of its start, it may be over at any time.
  @Test mutating func aClipOfUnknownLengthMayBeOverAtAnyTime() throws {
    // The error of the velocity on an upright curve has no bound.
    track.animate(to: [8], with: Animation.timingCurve(.circularEaseOut, duration: 1), change: 1)
    _ = track.advance(to: 0.25)
    try track.play(content(aSpring), Playback(), start: .shownValue, change: 2)
    for time in [0.5, 20] as [Double] {
      _ = track.advance(to: time)
      #expect(track.eventsAreUndecided)
    }
  }

  /// At the moment at which it goes on, a clip of no length still shows the instant at which it was paused.
  @Test mutating func aClipOfNoLengthGoesOnFromItsInstant() throws {
    let pieces = [[SIMD4(1.0, 0, 0, 0), SIMD4(2, 0, 0, 0)]]
    let clip = ClipContent(
      try Clip(
        dimensions: 1, initialValues: [0],
        tracks: [PieceTrack(components: [0], times: [0, 0, 0], pieces: pieces)], duration: 0))
    try track.play(clip, Playback(), change: 1)
    track.pause()
    _ = track.advance(to: 4)
    let paused = track.samples[0]
    track.resume()
    track.animate(to: [8], with: Animation.linear(duration: 1), change: 2)
    _ = track.advance(to: 4.5)
    let sample = track.samples[0]
    #expect(paused.value == 1 && sample.value == 4.5 && sample.bound.value < 0.01)
  }

  /// A batch that had a spring at rest sets out from its target, also if it has just been given a smaller tolerance.
  @Test mutating func aSmallerToleranceDoesNotForgetRest() throws {
    track.animate(to: [1], with: Animation.spring(.bouncy), change: 1)
    var now = 0.0
    // Where it passes its target, only its velocity is left.
    while !track.mayRest || abs(track.samples[0].value - 1) > 2e-6 {
      now += 0x1p-14
      _ = track.advance(to: now)
    }
    let left = track.samples[0]
    track.setRestTolerance(try RestTolerances(value: 1e-6))
    track.animate(to: [0], with: Animation.spring(.bouncy), change: 2)
    _ = track.advance(to: now + 0.125)
    let basis = Spring.bouncy.basis(at: 0.125)
    let error = abs(basis.valueFromDisplacement * (left.value - 1) + basis.valueFromVelocity * left.velocity)
    #expect(error > 1e-5 && track.samples[0].bound.value >= error)
  }

  /// A keyframe may be shorter than a cell of the grid on which a clip is measured, and upright where it begins.
  @Test func theVelocityOfAnUprightKeyframeHasNoBound() throws {
    func bound(_ curve: UnitCurve) throws -> Double {
      let content = try content(
        .move(to: -70), .linear(to: 60, duration: 0.01, timingCurve: curve),
        .linear(to: 0, duration: 10, timingCurve: .linear), from: 80)
      return content.sample(0, at: 1e-6).bound.velocity
    }
    #expect(try bound(.circularEaseOut) == .infinity)
    // An easeIn begins with an acceleration of more than its way per duration².
    let finite = try bound(.easeIn)
    #expect(finite > 2 * (2 * 0x1p-16 * 130 * 130 / 1e-4).squareRoot() && finite < .infinity)
  }

  /// An iteration that began since the last frame is reported, also if a call stops the clip in it.
  @Test mutating func anIterationThatIsStoppedBegan() throws {
    try playLine(Playback(repetition: .forever))
    _ = track.advance(to: 0.5)
    track.clock.now = 1.25
    track.turnClip { $0.setSpeed(0, at: $1) }
    let events = track.advance(to: 1.25)
    #expect(events.map(\.kind) == [.iteration] && events.map(\.number) == [1], "\(events)")
    #expect(events.allSatisfy { $0.moment.contains(1.25) }, "\(events)")
  }

  /// No time passes for a paused track, so it reports nothing, wherever its clip is moved.
  @Test mutating func aPausedClipReportsNothing() throws {
    try playLine()
    _ = track.advance(to: 0.5)
    track.pause()
    _ = track.advance(to: 2)
    track.turnClip { $0.seek(to: 1, at: $1) }
    let (paused, shown) = (track.advance(to: 3), track.samples[0].value)
    #expect(paused.isEmpty && shown == 1)
    _ = track.advance(to: 4)
    track.resume()
    expectEnd(at: 4, advancingTo: 5, isDue: true)
  }

  /// Each hand-over from a spring to a spring adds the error of one motion; it used to double the errors before it.
  @Test mutating func errorsOfManyRetargetsAddUp() {
    for number in 0..<60 {
      _ = track.advance(to: Double(number) / 8)
      track.animate(to: [number % 2 == 0 ? 8 : 0], with: Animation.spring(.bouncy), change: number + 1)
    }
    // Each motion has a scale of at most 16, and a value below 16 is rounded by at most u · 8.
    _ = track.advance(to: 7.5)
    let bound = track.samples[0].bound.value
    let most = ErrorBound.perMotion * 16 + ErrorBound.unit * 8
    #expect(bound > most && bound < 60 * most, "\(bound)")
  }

  /// The duration of a clip that is made anew follows from a state that a batch knows within a bound; a share of the clip,
  /// and a time in an iteration that runs backwards, follow from that duration.
  @Test(arguments: [(1.0, false), (-1, false), (1, true)])
  func sharesOfAClipWhoseDurationIsUncertain(speed: Double, isTime: Bool) throws {
    let clip = try Clip(
      initialValues: [50, 0],
      keyframes: [
        [
          .spring(to: 0, duration: nil, spring: Spring(duration: 0.8, bounce: 0.1), startVelocity: nil),
          .linear(to: 1, duration: 2, timingCurve: .linear),
        ],
        [.linear(to: 100, duration: 1, timingCurve: .linear)],
      ], tolerance: 0x1p-16)
    let start = [MotionSample(value: 0.01, bound: ErrorBound(value: 0.005)), MotionSample(value: 0)]
    var motion = try ClipMotion(ClipContent(clip), Playback(), from: start, own: start, at: 0)
    let uncertainty = motion.content.durationError
    #expect(motion.content.duration > 2 && uncertainty > 1e-3)
    motion.clock.setSpeed(speed, at: 0)
    if isTime {
      motion.clock.seek(to: 0.25 * motion.content.duration, at: 0)
    } else {
      motion.clock.seek(toShare: 0.25, at: 0)
    }
    let bound = motion.samples(at: 0.1)[1].bound.value
    #expect(isTime ? bound < 1e-3 * uncertainty * 100 : bound >= 0.25 * uncertainty * 100)
  }
}
