// SPDX-License-Identifier: MIT
import Murmuration
import Testing

@testable import MurmurationReference

/// The events that one track must report.
struct ReferenceTrackTests {
  /// The clock of a track that was paused is a rounded sum. What is over by it is over by the batch's clock.
  @Test func aClipThatWasPausedIsOverByTheBatchsClock() throws {
    let clip = ClipContent(try Clip(curve: .linear))
    var random = SplitMix64(seed: 48)
    for _ in 0..<100 {
      let start = random.uniform(5...15)
      let pause = start + random.uniform(0...0.3)
      let resume = pause + random.uniform(0...9)
      let now = resume + random.uniform(0...9)
      var track = ReferenceTrack([0], at: 0)
      _ = track.advance(to: start)
      try track.play(clip, Playback(speed: 0.05), change: 1)
      _ = track.advance(to: pause)
      track.pause()
      _ = track.advance(to: resume)
      track.resume()
      _ = track.advance(to: now)
      track.seek(to: 1)
      // At the very moment of the end a batch may report it, and right after it must.
      for (time, isDue) in [(now, false), (now + 1, true)] {
        let events = track.advance(to: time)
        #expect(events.map(\.kind) == [.logicallyComplete, .settled])
        #expect(events.allSatisfy { $0.moment.contains(now) && $0.moment.lowerBound >= now - 1e-6 }, "\(events)")
        #expect(events.allSatisfy { ($0.moment.upperBound <= time) == isDue }, "\(events)")
      }
    }
  }

  /// A spring keyframe lasts until it settles. If nothing is known of its start, it may be over at any time.
  @Test func aClipOfUnknownLengthMayBeOverAtAnyTime() throws {
    let keyframe = Keyframe<Double>.spring(to: 5, duration: nil, spring: .bouncy, startVelocity: nil)
    let content = ClipContent(try Clip(initialValues: [0], keyframes: [[keyframe]], tolerance: 0x1p-16))
    var track = ReferenceTrack([0], at: 0)
    // The error of the velocity on an upright curve has no bound.
    track.animate(to: [8], with: Animation.timingCurve(.circularEaseOut, duration: 1), change: 1)
    _ = track.advance(to: 0.25)
    try track.play(content, Playback(), start: .shownValue, change: 2)
    for time in [0.5, 20] as [Double] {
      let events = track.advance(to: time)
      #expect(events.map(\.kind) == [.logicallyComplete, .settled])
      #expect(events.allSatisfy { $0.moment == -.infinity ... .infinity }, "\(events)")
    }
  }

  /// An iteration that began since the last frame is reported, also if a call stops the clip in it.
  @Test func anIterationThatIsStoppedBegan() throws {
    let clip = ClipContent(try Clip(curve: .linear))
    var track = ReferenceTrack([0], at: 0)
    try track.play(clip, Playback(repetition: .forever), change: 1)
    _ = track.advance(to: 0.5)
    track.clock.now = 1.25
    track.setSpeed(0)
    let events = track.advance(to: 1.25)
    #expect(events.map(\.kind) == [.iteration(1)] && events.allSatisfy { $0.moment.contains(1.25) }, "\(events)")
  }

  /// No time passes for a paused track, so it reports nothing, wherever its clip is moved.
  @Test func aPausedClipReportsNothing() throws {
    let clip = ClipContent(try Clip(curve: .linear))
    var track = ReferenceTrack([0], at: 0)
    try track.play(clip, Playback(), change: 1)
    _ = track.advance(to: 0.5)
    track.pause()
    _ = track.advance(to: 2)
    track.seek(to: 1)
    let (paused, shown) = (track.advance(to: 3), track.samples[0].value)
    #expect(paused.isEmpty && shown == 1)
    _ = track.advance(to: 4)
    track.resume()
    let events = track.advance(to: 5)
    #expect(events.map(\.kind) == [.logicallyComplete, .settled])
    #expect(events.allSatisfy { $0.moment.contains(4) }, "\(events)")
  }
  /// Each hand-over from a spring to a spring adds the error of one motion; it used to double the errors before it.
  @Test func errorsOfManyRetargetsAddUp() {
    var track = ReferenceTrack([0], at: 0)
    for number in 0..<60 {
      let now = Double(number) / 8
      _ = track.advance(to: now)
      track.animate(to: [number % 2 == 0 ? 8 : 0], with: Animation.spring(.bouncy), change: number + 1)
    }
    // Each motion has a scale of at most 16, and a value below 16 is rounded by at most u · 8.
    _ = track.advance(to: 7.5)
    let bound = track.samples[0].bound.value
    let most = ErrorBound.perMotion * 16 + ErrorBound.unit * 8
    #expect(bound > most && bound < 60 * most, "\(bound)")
  }
}
