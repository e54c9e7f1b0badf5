// SPDX-License-Identifier: MIT
import AnimationModel
import Murmuration
import TestSupport
import Testing

/// Tracks of properties find their dimensions, whatever the value looks like.
@Suite struct ClipPropertyTests {
  /// A vector type of a user, with and without components.
  struct Quantity: VectorArithmetic, ComponentVector, Animatable {
    var mass = 0.0, charge = 0.0
    static var zero: Self { Self() }
    static func + (lhs: Self, rhs: Self) -> Self { Self(mass: lhs.mass + rhs.mass, charge: lhs.charge + rhs.charge) }
    static func - (lhs: Self, rhs: Self) -> Self { Self(mass: lhs.mass - rhs.mass, charge: lhs.charge - rhs.charge) }
    mutating func scale(by rhs: Double) { (mass, charge) = (mass * rhs, charge * rhs) }
    var magnitudeSquared: Double { mass * mass + charge * charge }
    static var componentCount: Int { 2 }
    subscript(component index: Int) -> Double {
      get { index == 0 ? mass : charge }
      set { if index == 0 { mass = newValue } else { charge = newValue } }
    }
  }

  /// A number that does not list its components.
  struct Secret: VectorArithmetic, Animatable {
    var number = 0.0
    static var zero: Self { Self() }
    static func + (lhs: Self, rhs: Self) -> Self { Self(number: lhs.number + rhs.number) }
    static func - (lhs: Self, rhs: Self) -> Self { Self(number: lhs.number - rhs.number) }
    mutating func scale(by rhs: Double) { number *= rhs }
    var magnitudeSquared: Double { number * number }
  }

  struct Scene: Animatable {
    var name = "x"
    var quantity = Quantity(mass: 1, charge: 1)
    var position = SIMD3<Float>(1, 1, 1)
    var turn = Angle(degrees: 90)
    var unseen = 3.0
    var zoom = 1.0

    var animatableData: AnimatablePair<Double, AnimatablePair<Quantity, AnimatablePair<SIMD3<Float>, Double>>> {
      get { AnimatablePair(zoom, AnimatablePair(quantity, AnimatablePair(position, turn.radians))) }
      set {
        zoom = newValue.first
        quantity = newValue.second.first
        position = newValue.second.second.first
        turn.radians = newValue.second.second.second
      }
    }

    /// Properties that are more than copies.
    var clampedZoom: Double {
      get { zoom }
      set { zoom = min(max(newValue, 0), 2) }
    }
    var scaledTurn: Double {
      get { turn.radians / zoom }
      set { turn.radians = newValue * zoom }
    }
    var direction: Angle {
      get { turn }
      set { (position.x, position.y) = (Float(newValue.radians), Float(newValue.radians * newValue.radians)) }
    }
    var secretZoom: Secret {
      get { Secret(number: zoom) }
      set { zoom = newValue.number }
    }
  }

  static func compare(
    _ clip: Clip, _ timeline: KeyframeTimeline<Scene>, slack: Double = 0,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    var random = SplitMix64(seed: 4)
    var times = [-1.0, 0, timeline.duration, timeline.duration + 1]
    for _ in 0..<2000 { times.append(timeline.duration * random.unit()) }
    for time in times {
      let data = timeline.value(time: time).animatableData
      for dimension in 0..<clip.dimensions {
        let expected = data[component: dimension]
        // Vectors of Float are computed in Float by the model.
        let bound = clip.report.valueErrorBounds[dimension] + slack + ((3...5) ~= dimension ? 1e-5 : 0)
        #expect(
          abs(clip.value(dimension: dimension, at: time) - expected) <= bound, "\(dimension) at \(time) s",
          sourceLocation: sourceLocation)
      }
    }
  }

  @Test func componentsOfStandardTypes() {
    #expect(Scene.dimensionCount == 7)
    var data = Scene().animatableData
    for index in 0..<7 { data[component: index] = Double(index) }
    #expect((0..<7).map { data[component: $0] } == [0, 1, 2, 3, 4, 5, 6])
    #expect(data.second.first.charge == 2 && data.second.second.first.z == 5)
    #expect(EmptyAnimatableData.componentCount == 0 && Angle.componentCount == 1)
  }

  @Test func tracksAreCopiedToTheirDimensions() throws {
    let timeline = KeyframeTimeline(initialValue: Scene()) {
      KeyframeTrack(\.turn) { CubicKeyframe(.degrees(30), duration: 1) }
      KeyframeTrack(\.position) { LinearKeyframe(SIMD3(2, 4, 8), duration: 2, timingCurve: .easeIn) }
      KeyframeTrack(\.position.y) { LinearKeyframe(-1, duration: 0.5) }
      KeyframeTrack(\.quantity.charge) { SpringKeyframe(9) }
      KeyframeTrack(\.unseen) { LinearKeyframe(5, duration: 3) }
      KeyframeTrack(\.name.animated) { LinearKeyframe(5, duration: 1) }
    }
    let clip = try Clip(timeline)
    #expect(clip.dimensions == 7 && clip.duration == 3)
    #expect(clip.report.valueErrorBounds[0] == 0 && clip.report.valueErrorBounds[6] < 1e-13)
    #expect(Set(clip.tracks.map(\.components)) == [[6], [3, 5], [4], [2]])
    Self.compare(clip, timeline)
  }

  @Test("Properties that are more than copies are fitted as a whole")
  func otherProperties() throws {
    let timelines = [
      KeyframeTimeline(initialValue: Scene()) {
        KeyframeTrack(\.clampedZoom) { LinearKeyframe(1.5, duration: 1) }
        KeyframeTrack(\.turn) { LinearKeyframe(.degrees(30), duration: 1, timingCurve: .easeInOut) }
      },
      KeyframeTimeline(initialValue: Scene()) {
        KeyframeTrack(\.clampedZoom) {
          CubicKeyframe(5, duration: 1)
          MoveKeyframe(1)
          LinearKeyframe(-3, duration: 0.5)
          MoveKeyframe(1)
        }
      },
      KeyframeTimeline(initialValue: Scene()) {
        KeyframeTrack(\.zoom) { CubicKeyframe(5, duration: 1) }
        KeyframeTrack(\.scaledTurn) { SpringKeyframe(2, spring: .bouncy) }
      },
      KeyframeTimeline(initialValue: Scene()) {
        KeyframeTrack(\.direction) { LinearKeyframe(.radians(3), duration: 1, timingCurve: .easeOut) }
      },
      KeyframeTimeline(initialValue: Scene()) {
        KeyframeTrack(\.secretZoom) { LinearKeyframe(Secret(number: 3), duration: 1, timingCurve: .steps(5)) }
      },
    ]
    for timeline in timelines {
      let clip = try Clip(timeline)
      #expect(clip.report.valueErrorBound < 1e-3)
      Self.compare(clip, timeline)
    }
  }

  @Test("Vectors of several components share boundaries, also on springs")
  func vectors() throws {
    var draw = RandomTimeline(seed: 99)
    draw.allowsJumpingCurves = false
    for seed in 0..<60 {
      let sequence = draw.sequence(count: 5) { draw in SIMD3(draw.number(), draw.number() * 1e3, draw.number() * 1e-3) }
      let timeline = KeyframeTimeline(initialValue: SIMD3(1.0, 2, 3)) { sequence }
      let clip = try Clip(timeline)
      #expect(clip.tracks.count == 1)
      for time in telltaleTimes(ends: timeline.tracks[0].ends, random: &draw.random) {
        let (value, velocity) = (timeline.value(time: time), timeline.velocity(time: time))
        for index in 0..<3 {
          #expect(
            abs(clip.value(dimension: index, at: time) - value[index]) <= clip.report.valueErrorBounds[index],
            "\(seed), \(time) s")
          let bound = clip.report.velocityErrorBounds[index]
          guard velocity[index].isFinite, bound.isFinite else { continue }
          #expect(abs(clip.velocity(dimension: index, at: time) - velocity[index]) <= bound, "\(seed), \(time) s")
        }
      }
    }
  }
}

extension Animatable where AnimatableData: ComponentVector {
  fileprivate static var dimensionCount: Int { AnimatableData.componentCount }
}

extension String {
  /// A property of a property that moves nothing.
  fileprivate var animated: Double {
    get { 0 }
    set {}
  }
}
