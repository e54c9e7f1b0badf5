// SPDX-License-Identifier: MIT
import AnimationModel
import Testing

@Suite struct KeyframeTimelineTests {
  // MARK: Boundaries

  @Test func aMoveIsSeenStrictlyAfterItsTime() {
    let timeline = KeyframeTimeline(initialValue: 1.0) {
      MoveKeyframe(2)
      LinearKeyframe(4, duration: 0.5)
      MoveKeyframe(8)
      MoveKeyframe(9)
    }
    #expect(timeline.value(time: -1) == 1)
    #expect(timeline.value(time: 0) == 1)
    #expect(timeline.value(time: 1e-12) > 2 - 1e-9)
    #expect(timeline.value(time: 0.5) == 4)
    #expect(timeline.value(time: 0.5.nextUp) == 9)
    #expect(timeline.value(time: .infinity) == 9)
    #expect(timeline.duration == 0.5)
  }

  /// The time since the start of a keyframe is a difference, which may be rounded to less than the keyframe's duration.
  @Test(arguments: 1...20) func atItsEndAKeyframeIsOverHoweverTimesAreRounded(_ tenths: Int) {
    for curve in [UnitCurve.steps(2, position: .jumpEnd), .circularEaseIn] {
      let timeline = KeyframeTimeline(initialValue: 0.0) {
        LinearKeyframe(1, duration: Double(tenths) / 10)
        LinearKeyframe(3, duration: 0.1, timingCurve: curve)
      }
      #expect(timeline.value(time: timeline.duration) == 3)
    }
  }

  @Test func timesThatAreNotNumbersReadAsTheStart() {
    let timeline = KeyframeTimeline(initialValue: 1.0) { LinearKeyframe(4, duration: 0.5) }
    #expect(timeline.value(time: .nan) == 1)
    #expect(timeline.value(progress: .nan) == 1)
  }

  @Test("A keyframe without a length is a move", arguments: [0.0, -1, .nan, -.infinity])
  func lengthlessKeyframes(_ duration: Double) {
    let timeline = KeyframeTimeline(initialValue: 0.0) {
      LinearKeyframe(1, duration: duration)
      LinearKeyframe(2, duration: 0.5)
      CubicKeyframe(3, duration: duration)
      LinearKeyframe(4, duration: 0.5)
      SpringKeyframe(5, duration: duration)
      CubicKeyframe(6, duration: 0.5)
    }
    #expect(timeline.duration == 1.5)
    #expect([0, 0.25, 0.5, 0.75, 1, 1.25, 1.5].map { timeline.value(time: $0) } == [0, 1.5, 2, 3.5, 4, 5.5, 6])
  }

  @Test func springThatNeverSettlesHasNoEnd() {
    let timeline = KeyframeTimeline(initialValue: 0.0) {
      SpringKeyframe(1, spring: Spring(duration: 0.5, bounce: 1))
      LinearKeyframe(5, duration: 1)
    }
    #expect(timeline.duration == .infinity)
    #expect(abs(timeline.value(time: 0.25) - 2) < 1e-12)
    #expect(timeline.value(time: 1e9).isFinite)
    #expect(timeline.value(time: .infinity) == 1)
    #expect(timeline.value(progress: 0) == 0)
    #expect(timeline.value(progress: 0.5) == 1)
  }

  @Test func endlessKeyframesStayWhereTheyStart() {
    let timeline = KeyframeTimeline(initialValue: 3.0) { CubicKeyframe(9, duration: .infinity, startVelocity: 2) }
    #expect(timeline.value(time: 10) == 23)
    let line = KeyframeTimeline(initialValue: 3.0) { LinearKeyframe(9, duration: .infinity) }
    #expect(line.value(time: 10) == 3)
  }

  // MARK: Tracks

  @Test func emptyTracksKeepTheInitialValue() {
    struct Pose: Equatable { var x = 4.0, y = 5.0 }
    let empty = KeyframeTimeline(initialValue: Pose()) {}
    #expect(empty.value(time: 1) == Pose() && empty.duration == 0)
    let track = KeyframeTimeline(initialValue: Pose()) { KeyframeTrack(\.x) {} }
    #expect(track.value(time: 1) == Pose() && track.duration == 0)
    let whole = KeyframeTimeline(initialValue: 2.5) {}
    #expect(whole.value(time: 1) == 2.5)
    let wholeTrack = KeyframeTimeline(initialValue: 2.5) { KeyframeTrack {} }
    #expect(wholeTrack.value(time: 1) == 2.5 && wholeTrack.velocity(time: 1) == 0)
  }

  @Test func theLaterOfTwoTracksOfOnePropertyWins() {
    struct Pose { var x = 0.0 }
    let timeline = KeyframeTimeline(initialValue: Pose()) {
      KeyframeTrack(\.x) { LinearKeyframe(1, duration: 1) }
      KeyframeTrack(\.x) { LinearKeyframe(10, duration: 0.5) }
    }
    #expect(timeline.value(time: 0.5).x == 10)
    #expect(timeline.value(time: 1).x == 10)
    #expect(timeline.duration == 1)
  }

  @Test func updateLeavesUntrackedPropertiesAlone() {
    struct Pose: Equatable { var x = 0.0, y = 1.0 }
    let timeline = KeyframeTimeline(initialValue: Pose()) { KeyframeTrack(\.x) { LinearKeyframe(8, duration: 2) } }
    var pose = Pose(x: -1, y: -2)
    timeline.update(value: &pose, time: 0.5)
    #expect(pose == Pose(x: 2, y: -2))
    timeline.update(value: &pose, progress: 0.5)
    #expect(pose == Pose(x: 4, y: -2))
  }

  @Test func animatableStructsMoveAsAWholeOrByTheirParts() {
    struct Place: Animatable, Equatable {
      var x: Double, y: Double
      var animatableData: AnimatablePair<Double, Double> {
        get { AnimatablePair(x, y) }
        set { (x, y) = (newValue.first, newValue.second) }
      }
    }
    let whole = KeyframeTimeline(initialValue: Place(x: 0, y: 0)) {
      LinearKeyframe(Place(x: 4, y: 8), duration: 1)
      CubicKeyframe(Place(x: 4, y: 0), duration: 1)
    }
    #expect(whole.value(time: 0.5) == Place(x: 2, y: 4))
    #expect(whole.velocity(time: 0.5) == Place(x: 4, y: 8))
    let parts = KeyframeTimeline(initialValue: Place(x: 0, y: 0)) {
      KeyframeTrack(\.animatableData.second) { LinearKeyframe(8, duration: 1) }
    }
    #expect(parts.value(time: 0.5) == Place(x: 0, y: 4))
  }

  // MARK: Builders

  @Test("Conditions and loops choose keyframes", arguments: [true, false])
  func builderOfKeyframes(_ flag: Bool) {
    let targets = [1.0, 2, 3]
    let timeline = KeyframeTimeline(initialValue: 0.0) {
      for target in targets { LinearKeyframe(target, duration: 1) }
      if flag { MoveKeyframe(10) }
      if flag {
        LinearKeyframe(11, duration: 1)
      } else {
        CubicKeyframe(20, duration: 2)
      }
      if let last = targets.last { SpringKeyframe(last, duration: 1) }
    }
    #expect(timeline.duration == (flag ? 5 : 6))
    #expect(timeline.value(time: 2.5) == 2.5)
    #expect(timeline.value(time: 3.5) == (flag ? 10.5 : timeline.value(time: 3.5)))
    #expect(timeline.value(time: flag ? 4 : 5) == (flag ? 11 : 20))
  }

  @Test("Conditions and loops choose tracks", arguments: [true, false])
  func builderOfTracks(_ flag: Bool) {
    struct Pose { var x = 0.0, y = 0.0, z = 0.0 }
    let paths: [any WritableKeyPath<Pose, Double> & Sendable] = [\.x, \.y]
    let timeline = KeyframeTimeline(initialValue: Pose()) {
      for path in paths {
        KeyframeTrack(path) {
          for step in 1...10 {
            if step.isMultiple(of: 2) {
              LinearKeyframe(Double(step), duration: 0.25)
            } else {
              MoveKeyframe(Double(step))
            }
          }
        }
      }
      if flag { KeyframeTrack(\.z) { LinearKeyframe(1, duration: 4) } }
    }
    #expect(timeline.duration == (flag ? 4 : 1.25))
    #expect(timeline.value(time: 0.375).y == 3.5)
    #expect(timeline.value(time: 4).z == (flag ? 1 : 0))
  }

  @Test func contentOfOnesOwn() {
    struct Hop: KeyframeTrackContent {
      let height: Double
      var body: some KeyframeTrackContent<Double> {
        CubicKeyframe(height, duration: 0.25)
        CubicKeyframe(0, duration: 0.25)
      }
    }
    struct Pose { var x = 0.0, y = 0.0 }
    struct Walk: Keyframes {
      var body: some Keyframes<Pose> {
        KeyframeTrack(\.x) { LinearKeyframe(1, duration: 0.5) }
        KeyframeTrack(\.y) {
          Hop(height: 3)
          Hop(height: 2)
        }
      }
    }
    let timeline = KeyframeTimeline(initialValue: Pose()) { Walk() }
    #expect(timeline.duration == 1)
    #expect(timeline.value(time: 0.25).y == 3 && timeline.value(time: 0.75).y == 2)
    let hop = KeyframeTimeline(initialValue: 0.0) { Hop(height: 1) }
    #expect(hop.value(time: 0.25) == 1)
  }

  @Test func longTracksFromArraysAreFoundByTime() {
    let count = 10_000
    let timeline = KeyframeTimeline(initialValue: 0.0) {
      for key in 1...count { LinearKeyframe(Double(key), duration: 0.125) }
    }
    #expect(timeline.duration == Double(count) / 8)
    for key in stride(from: 0, to: count, by: 37) {
      #expect(timeline.value(time: (Double(key) + 0.5) / 8) == Double(key) + 0.5)
    }
  }

  @Test func timelinesCrossThreads() async {
    let timeline = KeyframeTimeline(initialValue: 0.0) { LinearKeyframe(1, duration: 1) }
    let value = await Task.detached { timeline.value(time: 0.5) }.value
    #expect(value == 0.5)
  }
}
