// SPDX-License-Identifier: MIT
import AnimationModel
import TestSupport
import Testing

/// Velocities are the derivatives of values, and pass from one keyframe to the next.
@Suite struct KeyframeVelocityTests {
  /// One keyframe of each kind that takes time.
  enum Kind: CaseIterable, Sendable {
    case linear, eased, circular, cubic, cubicWithVelocities, spring, bouncySpring, overdampedSpring

    @KeyframeTrackContentBuilder<Double>
    func keyframe(to value: Double, duration: Double) -> some KeyframeTrackContent<Double> {
      switch self {
      case .linear: LinearKeyframe(value, duration: duration)
      case .eased: LinearKeyframe(value, duration: duration, timingCurve: .easeInOut)
      case .circular: LinearKeyframe(value, duration: duration, timingCurve: .circularEaseIn)
      case .cubic: CubicKeyframe(value, duration: duration)
      case .cubicWithVelocities: CubicKeyframe(value, duration: duration, startVelocity: 30, endVelocity: -20)
      case .spring: SpringKeyframe(value, duration: duration)
      case .bouncySpring: SpringKeyframe(value, duration: duration, spring: .bouncy(duration: 0.3))
      case .overdampedSpring: SpringKeyframe(value, duration: duration, spring: Spring(duration: 0.4, bounce: -0.5))
      }
    }

    var isLinear: Bool { self == .linear || self == .eased || self == .circular }
    var isCubic: Bool { self == .cubic || self == .cubicWithVelocities }
  }

  struct Pair: Sendable, CustomTestStringConvertible {
    let first: Kind
    let second: Kind
    var testDescription: String { "\(first), \(second)" }

    static let all = Kind.allCases.flatMap { first in Kind.allCases.map { Pair(first: first, second: $0) } }

    /// A cubic, the pair, and a cubic; the pair meets at 0.5 s.
    var timeline: KeyframeTimeline<Double> {
      KeyframeTimeline(initialValue: 1.0) {
        CubicKeyframe(3, duration: 0.2)
        first.keyframe(to: 10, duration: 0.3)
        second.keyframe(to: -4, duration: 0.25)
        CubicKeyframe(2, duration: 0.25)
      }
    }
  }

  @Test("Values are continuous between all kinds of keyframes", arguments: Pair.all)
  func valuesAreContinuous(_ pair: Pair) {
    let timeline = pair.timeline
    for boundary in [0.2, 0.5, 0.75] {
      let (before, after) = (timeline.value(time: boundary), timeline.value(time: boundary + 1e-9))
      #expect(abs(after - before) < 1e-6, "at \(boundary) s")
    }
  }

  @Test("Velocities are continuous wherever one side gives way", arguments: Pair.all)
  func velocitiesAreContinuous(_ pair: Pair) {
    let timeline = pair.timeline
    let (before, after) = (timeline.velocity(time: 0.5), timeline.velocity(time: 0.5 + 1e-12))
    // Linear keyframes do not adapt, and explicit velocities hold.
    let firstYields = pair.first == .cubic
    let secondYields = !pair.second.isLinear && pair.second != .cubicWithVelocities
    // No keyframe can take over the infinite velocity at the end of a quarter circle.
    if pair.first == .circular {
      #expect(before == .infinity && after.isFinite)
    } else if firstYields || secondYields {
      #expect(abs(after - before) < 1e-6 * max(1, abs(before)), "\(before) and \(after)")
    } else if pair.first != .eased {
      // An eased keyframe ends at rest, where some of the others start.
      #expect(abs(after - before) > 1, "the rule would hold for more than it says")
    }
  }

  @Test("Velocity is the derivative of the value", arguments: Pair.all)
  func velocityIsTheDerivative(_ pair: Pair) {
    let timeline = pair.timeline
    let step = 1e-6
    for index in 0..<200 {
      // No time is nearer to a boundary than the step; the last 10 ms of a quarter circle are too steep for it.
      let time = 0.000_13 + Double(index) * 0.005
      let isSteep = pair.first == .circular && (0.49...0.5).contains(time)
      if isSteep || (pair.second == .circular && (0.74...0.75).contains(time)) { continue }
      let difference = (timeline.value(time: time + step) - timeline.value(time: time - step)) / (2 * step)
      #expect(isClose(timeline.velocity(time: time), difference, relative: 1e-6, absolute: 1e-5), "at \(time) s")
    }
  }

  @Test func velocityIsZeroOutside() {
    let timeline = KeyframeTimeline(initialValue: 0.0) { LinearKeyframe(10, duration: 0.5) }
    #expect(timeline.velocity(time: -0.1) == 0)
    #expect(timeline.velocity(time: 0) == 20)
    #expect(timeline.velocity(time: 0.5) == 20)
    #expect(timeline.velocity(time: 0.500_001) == 0)
    #expect(timeline.velocity(time: .infinity) == 0)
    #expect(timeline.velocity(time: .nan) == 0)
  }

  @Test func velocitiesOfTracksAreInTheirProperties() {
    struct Pose: Equatable { var x = 5.0, y = 6.0, z = 7.0 }
    let timeline = KeyframeTimeline(initialValue: Pose()) {
      KeyframeTrack(\.x) { LinearKeyframe(6, duration: 0.5) }
      KeyframeTrack(\.y) { LinearKeyframe(4, duration: 1) }
    }
    #expect(timeline.velocity(time: 0.25) == Pose(x: 2, y: -2, z: 7))
    #expect(timeline.velocity(time: 0.75) == Pose(x: 0, y: -2, z: 7))
    var velocity = Pose(x: 0, y: 0, z: 0)
    timeline.update(velocity: &velocity, time: 0.25)
    #expect(velocity == Pose(x: 2, y: -2, z: 0))
  }

  @Test func initialVelocityIsTakenOver() {
    for kind in Kind.allCases {
      let timeline = KeyframeTimeline(initialValue: 0.0, initialVelocity: 12) { kind.keyframe(to: 4, duration: 0.5) }
      switch kind {
      case .linear, .eased, .circular: #expect(timeline.velocity(time: 0) < 12)
      case .cubicWithVelocities: #expect(timeline.velocity(time: 0) == 30)
      default: #expect(timeline.velocity(time: 0) == 12, "\(kind)")
      }
    }
  }
}

/// Which velocity a cubic keyframe takes at its ends.
@Suite struct CubicNeighbourTests {
  /// The velocity at the start and at the end of the second keyframe, which takes 0.2 s from 0.1 s on.
  static func velocities(
    @KeyframesBuilder<Double> content: () -> some Keyframes<Double>
  ) -> (start: Double, end: Double) {
    let timeline = KeyframeTimeline(initialValue: 0.0, content: content)
    return (timeline.velocity(time: 0.1 + 1e-13), timeline.velocity(time: 0.1 + 0.2))
  }

  @Test func catmullRomWeighsDurations() {
    let velocities = Self.velocities {
      CubicKeyframe(3, duration: 0.1)
      CubicKeyframe(6, duration: 0.2)
      CubicKeyframe(1, duration: 0.3)
    }
    #expect(isClose(velocities.start, (6 - 0) / 0.3, relative: 1e-9))
    #expect(isClose(velocities.end, (1 - 3) / 0.5, relative: 1e-9))
  }

  @Test func endsOfTheTrackRest() {
    let timeline = KeyframeTimeline(initialValue: 0.0) { CubicKeyframe(6, duration: 0.2) }
    #expect(timeline.velocity(time: 0) == 0)
    #expect(timeline.velocity(time: 0.2) == 0)
  }

  @Test func movesRest() {
    let velocities = Self.velocities {
      LinearKeyframe(5, duration: 0.1)
      MoveKeyframe(3)
      CubicKeyframe(6, duration: 0.2)
      MoveKeyframe(1)
      CubicKeyframe(2, duration: 0.2)
    }
    #expect(abs(velocities.start) < 1e-9 && abs(velocities.end) < 1e-9)
  }

  /// In other implementations the second keyframe alone does not follow; here all do.
  @Test func explicitVelocitiesOfCubicNeighboursAreFollowed() {
    let velocities = Self.velocities {
      CubicKeyframe(3, duration: 0.1, endVelocity: 7)
      CubicKeyframe(6, duration: 0.2)
      CubicKeyframe(1, duration: 0.3, startVelocity: -9)
    }
    #expect(isClose(velocities.start, 7, relative: 1e-9) && velocities.end == -9)
  }

  @Test func springsAreFollowedBeforeAndAfter() {
    let spring = Spring(duration: 0.3, bounce: 0.4)
    let velocities = Self.velocities {
      SpringKeyframe(3, duration: 0.1, spring: spring)
      CubicKeyframe(6, duration: 0.2)
      SpringKeyframe(1, duration: 0.3, spring: spring, startVelocity: 11)
    }
    #expect(isClose(velocities.start, spring.velocity(target: 3.0, time: 0.1), relative: 1e-9))
    #expect(velocities.end == 11)
    let reached = spring.value(target: 3.0, time: 0.1)
    let implied = Self.velocities {
      SpringKeyframe(3, duration: 0.1, spring: spring)
      CubicKeyframe(6, duration: 0.2)
      SpringKeyframe(1, duration: 0.3, spring: spring)
    }
    // The central difference over twice the cubic's duration, from the value that the first spring has reached.
    #expect(isClose(implied.end, (1 - reached) / 0.4, relative: 1e-9))
  }

  /// Linear neighbours (K3d of the recorded timelines), with the slope of their curve.
  @Test func linearNeighboursAreFollowed() {
    let velocities = Self.velocities {
      LinearKeyframe(3, duration: 0.1, timingCurve: .easeIn)
      CubicKeyframe(6, duration: 0.2)
      LinearKeyframe(1, duration: 0.25, timingCurve: .easeOut)
    }
    #expect(isClose(velocities.start, 30 / 0.58, relative: 1e-9))
    #expect(isClose(velocities.end, -20 / 0.58, relative: 1e-9))
  }
}
