// SPDX-License-Identifier: MIT
import AnimationModel
import TestSupport
import Testing

/// Velocities pass from one keyframe to the next. (That they are the derivatives of values, random clips show.)
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
  }

  /// A cubic, the pair, and a cubic; the pair meets at 0.5 s.
  @Test(arguments: Kind.allCases, Kind.allCases) func pairsMeet(_ first: Kind, _ second: Kind) {
    let timeline = KeyframeTimeline(initialValue: 1.0) {
      CubicKeyframe(3, duration: 0.2)
      first.keyframe(to: 10, duration: 0.3)
      second.keyframe(to: -4, duration: 0.25)
      CubicKeyframe(2, duration: 0.25)
    }
    for boundary in [0.2, 0.5, 0.75] {
      let (before, after) = (timeline.value(time: boundary), timeline.value(time: boundary + 1e-9))
      #expect(abs(after - before) < 1e-6, "at \(boundary) s")
    }
    // Velocities are continuous wherever one side gives way. Linear keyframes do not adapt, and explicit velocities hold.
    let (before, after) = (timeline.velocity(time: 0.5), timeline.velocity(time: 0.5 + 1e-12))
    // No keyframe can take over the infinite velocity at the end of a quarter circle.
    if first == .circular {
      #expect(before == .infinity && after.isFinite)
    } else if first == .cubic || !second.isLinear && second != .cubicWithVelocities {
      #expect(abs(after - before) < 1e-6 * max(1, abs(before)), "\(before) and \(after)")
    } else if first != .eased {
      // An eased keyframe ends at rest, where some of the others start.
      #expect(abs(after - before) > 1, "the rule would hold for more than it says")
    }
  }

  @Test func velocityIsZeroOutside() {
    let timeline = KeyframeTimeline(initialValue: 0.0) { LinearKeyframe(10, duration: 0.5) }
    for time in [-0.1, 0.500_001, .infinity, .nan] { #expect(timeline.velocity(time: time) == 0) }
    for time in [0, 0.5] { #expect(timeline.velocity(time: time) == 20) }
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

  @Test(arguments: Kind.allCases) func initialVelocityIsTakenOver(kind: Kind) {
    let timeline = KeyframeTimeline(initialValue: 0.0, initialVelocity: 12) { kind.keyframe(to: 4, duration: 0.5) }
    let velocity = timeline.velocity(time: 0)
    #expect(kind.isLinear ? velocity < 12 : velocity == (kind == .cubicWithVelocities ? 30 : 12))
  }

  private static let spring = Spring(duration: 0.3, bounce: 0.4)

  /// Keyframes of which a cubic one takes 0.2 s from 0.1 s on, and the velocity that it has at its start and at its end.
  /// In other implementations explicit velocities of cubic neighbours are not followed; here all are.
  static let neighbours: [(KeyframeSequence<Double>, start: Double, end: Double)] = [
    (
      KeyframeSequence {
        CubicKeyframe(3, duration: 0.1)
        CubicKeyframe(6, duration: 0.2)
        CubicKeyframe(1, duration: 0.3)
      }, (6 - 0) / 0.3, (1 - 3) / 0.5
    ),
    (
      KeyframeSequence {
        CubicKeyframe(3, duration: 0.1, endVelocity: 7)
        CubicKeyframe(6, duration: 0.2)
        CubicKeyframe(1, duration: 0.3, startVelocity: -9)
      }, 7, -9
    ),
    (
      KeyframeSequence {
        LinearKeyframe(5, duration: 0.1)
        MoveKeyframe(3)
        CubicKeyframe(6, duration: 0.2)
        MoveKeyframe(1)
        CubicKeyframe(2, duration: 0.2)
      }, 0, 0
    ),
    (
      // K3d of the recorded timelines, with the slope of their curves.
      KeyframeSequence {
        LinearKeyframe(3, duration: 0.1, timingCurve: .easeIn)
        CubicKeyframe(6, duration: 0.2)
        LinearKeyframe(1, duration: 0.25, timingCurve: .easeOut)
      }, 30 / 0.58, -20 / 0.58
    ),
    (
      KeyframeSequence {
        SpringKeyframe(3, duration: 0.1, spring: spring)
        CubicKeyframe(6, duration: 0.2)
        SpringKeyframe(1, duration: 0.3, spring: spring, startVelocity: 11)
      }, spring.velocity(target: 3.0, time: 0.1), 11
    ),
    (
      // The central difference over twice the cubic's duration, from the value that the first spring has reached.
      KeyframeSequence {
        SpringKeyframe(3, duration: 0.1, spring: spring)
        CubicKeyframe(6, duration: 0.2)
        SpringKeyframe(1, duration: 0.3, spring: spring)
      }, spring.velocity(target: 3.0, time: 0.1), (1 - spring.value(target: 3.0, time: 0.1)) / 0.4
    ),
  ]

  @Test(arguments: neighbours.indices) func aCubicFollowsItsNeighbours(index: Int) {
    let (sequence, start, end) = Self.neighbours[index]
    let timeline = KeyframeTimeline(initialValue: 0.0) { sequence }
    #expect(isClose(timeline.velocity(time: 0.1 + 1e-13), start, relative: 1e-9, absolute: 1e-9))
    #expect(isClose(timeline.velocity(time: 0.1 + 0.2), end, relative: 1e-9, absolute: 1e-9))
  }

  /// Keyframes too short for the quotient of way and time hand over no velocity.
  @Test(arguments: [Double.leastNonzeroMagnitude, 0x1p-1030])
  func theShortestKeyframesHandOverNothing(_ duration: Double) throws {
    let moves = KeyframeSequence<Double> {
      CubicKeyframe(1, duration: duration)
      CubicKeyframe(1, duration: duration)
    }
    for keyframe in [
      moves, KeyframeSequence { CubicKeyframe(1, duration: duration) },
      KeyframeSequence { LinearKeyframe(1, duration: duration) },
    ] {
      let timeline = KeyframeTimeline(initialValue: 0.0) {
        keyframe
        SpringKeyframe(3, duration: 1, spring: .bouncy)
      }
      #expect(timeline.value(time: 0.5) == 1 + Spring.bouncy.value(target: 2.0, time: 0.5))
    }
    // The way divided by the time is too large, though one divided by the time is not.
    let far = KeyframeTimeline(initialValue: 0.0) {
      LinearKeyframe(1e10, duration: 1e-300)
      SpringKeyframe(0, duration: 1, spring: .bouncy)
    }
    #expect(far.value(time: 0.5) == 1e10 + Spring.bouncy.value(target: -1e10, time: 0.5))
  }

  @Test func endsOfTheTrackRest() {
    let timeline = KeyframeTimeline(initialValue: 0.0) { CubicKeyframe(6, duration: 0.2) }
    for time in [0, 0.2] { #expect(timeline.velocity(time: time) == 0) }
  }
}
