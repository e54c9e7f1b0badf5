// SPDX-License-Identifier: MIT
import AnimationModel
import Testing

@Suite struct KeyframeTimelineTests {
  /// From far away the difference of both values has lost the digits of the target.
  @Test func aSpringThatJumpsIsExactlyAtItsTarget() {
    let timeline = KeyframeTimeline(initialValue: -6.4e13) {
      SpringKeyframe(1.1669936910102496, duration: 1, spring: Spring(duration: 0))
      CubicKeyframe(3, duration: 1)
    }
    #expect(
      [0, 0x1p-1074, 0.5, 1].map { timeline.value(time: $0) } == [-6.4e13]
        + Array(repeating: 1.1669936910102496, count: 3))
  }

  // MARK: Boundaries

  @Test func aMoveIsSeenStrictlyAfterItsTime() {
    let timeline = KeyframeTimeline(initialValue: 1.0) {
      MoveKeyframe(2)
      LinearKeyframe(4, duration: 0.5)
      MoveKeyframe(8)
      MoveKeyframe(9)
    }
    #expect([-1, 0, .nan, 0.5, 0.5.nextUp, .infinity].map { timeline.value(time: $0) } == [1, 1, 1, 4, 9, 9])
    #expect(timeline.value(time: 1e-12) > 2 - 1e-9)
    #expect(timeline.value(progress: .nan) == 1 && timeline.duration == 0.5)
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

  @Test func endlessKeyframesHaveNoEnd() {
    let timeline = KeyframeTimeline(initialValue: 0.0) {
      SpringKeyframe(1, spring: Spring(duration: 0.5, bounce: 1))
      LinearKeyframe(5, duration: 1)
    }
    #expect(timeline.duration == .infinity)
    #expect(abs(timeline.value(time: 0.25) - 2) < 1e-12)
    #expect(timeline.value(time: 1e9).isFinite && timeline.value(time: .infinity) == 1)
    #expect(timeline.value(progress: 0) == 0 && timeline.value(progress: 0.5) == 1)
    let cubic = KeyframeTimeline(initialValue: 3.0) { CubicKeyframe(9, duration: .infinity, startVelocity: 2) }
    let line = KeyframeTimeline(initialValue: 3.0) { LinearKeyframe(9, duration: .infinity) }
    #expect(cubic.value(time: 10) == 23 && line.value(time: 10) == 3)
  }

  // MARK: Tracks

  struct Pose: Equatable { var x = 4.0, y = 5.0 }

  @Test func emptyTracksKeepTheInitialValue() {
    let empty = KeyframeTimeline(initialValue: Pose()) {}
    let track = KeyframeTimeline(initialValue: Pose()) { KeyframeTrack(\.x) {} }
    for timeline in [empty, track] { #expect(timeline.value(time: 1) == Pose() && timeline.duration == 0) }
    let whole = KeyframeTimeline(initialValue: 2.5) {}
    let wholeTrack = KeyframeTimeline(initialValue: 2.5) { KeyframeTrack {} }
    for timeline in [whole, wholeTrack] { #expect(timeline.value(time: 1) == 2.5 && timeline.velocity(time: 1) == 0) }
  }

  @Test func theLaterOfTwoTracksOfOnePropertyWins() {
    let timeline = KeyframeTimeline(initialValue: Pose(x: 0)) {
      KeyframeTrack(\.x) { LinearKeyframe(1, duration: 1) }
      KeyframeTrack(\.x) { LinearKeyframe(10, duration: 0.5) }
    }
    #expect([0.5, 1].map { timeline.value(time: $0).x } == [10, 10] && timeline.duration == 1)
  }

  @Test func updateLeavesUntrackedPropertiesAlone() {
    let timeline = KeyframeTimeline(initialValue: Pose(x: 0)) { KeyframeTrack(\.x) { LinearKeyframe(8, duration: 2) } }
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
    #expect(whole.value(time: 0.5) == Place(x: 2, y: 4) && whole.velocity(time: 0.5) == Place(x: 4, y: 8))
    let parts = KeyframeTimeline(initialValue: Place(x: 0, y: 0)) {
      KeyframeTrack(\.animatableData.second) { LinearKeyframe(8, duration: 1) }
    }
    #expect(parts.value(time: 0.5) == Place(x: 0, y: 4))
  }

  // MARK: Builders

  @Test("Conditions and loops choose keyframes and tracks", arguments: [true, false])
  func conditionsAndLoops(_ flag: Bool) {
    struct Pose { var x = 0.0, y = 0.0, z = 0.0 }
    let paths: [any WritableKeyPath<Pose, Double> & Sendable] = [\.x, \.y]
    let targets = [1.0, 2, 3]
    let timeline = KeyframeTimeline(initialValue: Pose()) {
      for path in paths {
        KeyframeTrack(path) {
          for target in targets { LinearKeyframe(target, duration: 1) }
          if flag { MoveKeyframe(10) }
          if flag {
            LinearKeyframe(11, duration: 1)
          } else {
            CubicKeyframe(20, duration: 2)
          }
          if let last = targets.last { SpringKeyframe(last, duration: 1) }
        }
      }
      if flag { KeyframeTrack(\.z) { LinearKeyframe(1, duration: 8) } }
    }
    #expect(timeline.duration == (flag ? 8 : 6))
    #expect(timeline.value(time: 2.5).x == 2.5 && timeline.value(time: 2.5).y == 2.5)
    #expect(!flag || timeline.value(time: 3.5).y == 10.5)
    #expect(timeline.value(time: flag ? 4 : 5).y == (flag ? 11 : 20))
    #expect(timeline.value(time: 8).z == (flag ? 1 : 0))
  }

  @Test func contentOfOnesOwn() {
    struct Hop: KeyframeTrackContent {
      let height: Double
      var body: some KeyframeTrackContent<Double> {
        CubicKeyframe(height, duration: 0.25)
        CubicKeyframe(0, duration: 0.25)
      }
    }
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

  /// Long timelines, which cross threads.
  @Test func longTracksFromArraysAreFoundByTime() async {
    let count = 10_000
    let timeline = KeyframeTimeline(initialValue: 0.0) {
      for key in 1...count { LinearKeyframe(Double(key), duration: 0.125) }
    }
    #expect(timeline.duration == Double(count) / 8)
    let keys = Array(stride(from: 0, to: count, by: 37))
    let values = await Task.detached { keys.map { timeline.value(time: (Double($0) + 0.5) / 8) } }.value
    #expect(values == keys.map { Double($0) + 0.5 })
  }
}
