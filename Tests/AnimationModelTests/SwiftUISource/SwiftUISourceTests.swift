// SPDX-License-Identifier: MIT
import AnimationModel
import Testing

/// The results of `TalkAnimations.swift`, whose code is written as for SwiftUI.
@Suite struct SwiftUISourceTests {
  @Test func theLeapGoesUpAndComesBack() {
    let timeline = KeyframeTimeline(initialValue: AnimationValues()) { leap() }
    // The last spring takes as long as it needs; the track of the scale is the longest.
    let before = timeline.value(time: 1.05).scale
    let tail = Spring.bouncy.settlingDuration(
      target: 1 - before, initialVelocity: timeline.velocity(time: 1.05).scale, epsilon: 0.0001)
    #expect(abs(timeline.duration - (1.05 + tail)) < 1e-9)
    // At keys the values are those of the keys.
    #expect(timeline.value(time: 0.25).verticalStretch == 0.7)
    #expect(abs(timeline.value(time: 0.5 + 0.15).angle.degrees - 12) < 1e-9)
    #expect(timeline.value(time: 0.3).scale == 1)
    // It ducks before it leaps, is stretched on the way up, and ends as it began.
    #expect(timeline.value(time: 0.2).verticalTranslation > 5)
    #expect(timeline.value(time: 0.6).verticalTranslation < -75)
    #expect(timeline.value(time: 0.4).verticalStretch == 1.3)
    let end = timeline.value(progress: 1)
    #expect(abs(end.verticalTranslation) < 1e-3 && end.angle == .zero && end.verticalStretch == 1)
    #expect(abs(end.scale - 1) < 1e-3)
  }

  @Test("The route passes its stops", arguments: [true, false])
  func theRoutePassesItsStops(_ closed: Bool) {
    let stops = [UnitPoint(x: 1, y: 0), UnitPoint(x: 1, y: 1), UnitPoint(x: 0, y: 1)]
    let timeline = route(through: stops, closed: closed)
    #expect(timeline.duration == (closed ? 1.75 : 1.5))
    for (index, stop) in stops.enumerated() {
      #expect(timeline.value(time: 0.5 * Double(index + 1)).position == stop)
    }
    // Between the first two stops, with the velocities (1, 1) and (-1, 1) of a Catmull-Rom spline over a second.
    let middle = timeline.value(time: 0.75).position
    #expect(abs(middle.x - (1 + 0.5 * (1 + 1) / 8)) < 1e-12 && abs(middle.y - 0.5) < 1e-12)
    #expect(timeline.value(time: 0.6).size == 1)
    #expect(route(through: [], closed: false).value(time: 1).size == 0)
  }

  @Test func customAnimationsTakePart() {
    var value = AnimatedValue(0.0)
    value.retarget(to: 10, with: .steady(duration: 1), at: 0)
    #expect(value.value(at: 0.25) == 2.5 && value.velocity(at: 0.25) == 10)
    // A spring of one's own and the built-in one hand over to each other in the same way.
    var other = value
    value.retarget(to: 0, with: .handMade, at: 0.5)
    other.retarget(to: 0, with: .bouncy, at: 0.5)
    #expect(value.value(at: 0.5) == 5 && value.velocity(at: 0.5) == 10)
    #expect(value.value(at: 0.75) == other.value(at: 0.75))
    value.retarget(to: 3, with: .bouncy, at: 0.75)
    other.retarget(to: 3, with: .handMade, at: 0.75)
    for time in [0.75, 0.9, 1.2] { #expect(abs(value.value(at: time) - other.value(at: time)) < 1e-12) }
    #expect(value.value(at: 9) == 3 && other.value(at: 9) == 3)
    #expect(other.logicalEndTime - 1.25 < 1e-12 && other.endTime > 2.7)
  }

  @Test func modifiersCompose() {
    #expect(Animation.pulse.share(at: 0.25) == 1 && Animation.pulse.share(at: 0.5) == 0)
    #expect(Animation.entrance.share(at: 0.05) == 0)
    let spring = Spring(response: 0.4, dampingRatio: 0.7)
    #expect(abs((Animation.entrance.share(at: 0.25) ?? .nan) - spring.value(target: 1, time: 0.4)) < 1e-12)
    #expect(Animation.shake.pace(at: 0) == 10)
    #expect(Animation.handMade.logicallyComplete(after: 0.2).isLogicallyComplete(at: 0.3))
    #expect(Animation.sheet.logicalLength == 0.3 && Animation.sheet.length == 0.45)
  }
}
