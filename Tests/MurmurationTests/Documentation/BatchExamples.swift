// SPDX-License-Identifier: MIT
import Murmuration

// More examples of the documentation, as in `Examples.swift`: the examples of batches.

extension Examples {
  static func keyframes(_ print: inout Printer) throws {
    // example: Sources/Murmuration/Murmuration.docc/Articles/Keyframes.md
    let hop = KeyframeTimeline(initialValue: 0.0) {
      CubicKeyframe(100, duration: 0.3)
      SpringKeyframe(0, duration: 0.5, spring: .bouncy)
    }
    var batch = try AnimationBatch<Float>()
    batch.reports = .iterations
    let clip = try batch.load(Clip(hop))
    let playbacks = (0..<1_000).map { Playback(delay: Double($0) / 1_000, repetition: .count(2)) }
    let hops = try batch.add(playing: clip, playbacks)
    try batch.advance(to: 1)
    for event in batch.events where event.number == 1 { print(event.track.index) }  // tracks in their second iteration
    try batch.pause([hops[7]])
    try batch.seek(hops[7], progress: 0.25)  // stands there
    try batch.animate(hops[8], to: 50, .bouncy)  // a spring takes over, with value and velocity
    try batch.advance(to: 1.5)
    let height = batch[hops[7]]
    // end
    print(height ?? .nan)
  }

  static func selections(_ print: inout Printer) throws {
    // example: Sources/Murmuration/Batch/TrackSelection.swift
    var batch = try AnimationBatch<Float>()
    let dots = try batch.add([Float](repeating: 0, count: 100))
    try batch.animate(.all, to: 5)
    try batch.pause(dots[10..<20])
    try batch.resume(15..<20)
    try batch.remove(dots[3])
    try batch.stop(.live([dots[3], dots[4]]))
    // end
    try batch.advance(to: 10)
    print(dots.count { batch[$0] == 5 })
  }

  static func groups(_ print: inout Printer) throws {
    var batch = try AnimationBatch<Float>()
    let (places, morePlaces) = ([Float](repeating: 0, count: 10), [Float](repeating: 0, count: 5))
    // example: Sources/Murmuration/Batch/TrackSelection.swift
    var stars = TrackGroup(try batch.add(places))
    try batch.pause(stars)
    stars.tracks += try batch.add(morePlaces)
    try batch.setSpeed(0.25, of: stars)
    try batch.remove(stars)
    // end
    print(batch.count)
  }

  static func perTrack(_ print: inout Printer) throws {
    // example: Sources/Murmuration/Batch/PerTrack.swift
    var batch = try AnimationBatch<Float>()
    let dots = try batch.add([0, 0, 0])
    try batch.animate(dots, to: [1, 2, 3], delays: [0, 0.1, 0.2])
    try batch.animate(dots, to: 5, delays: .each(0.1, from: .last))
    // end
    try batch.advance(to: 10)
    print(dots.count { batch[$0] == 5 })
  }

  static func stagger(_ print: inout Printer) throws {
    var batch = try AnimationBatch<Float>()
    let tiles = try batch.add([Float](repeating: 0, count: 100))
    // example: Sources/Murmuration/Batch/Stagger.swift
    try batch.animate(tiles, to: 1, .bouncy, delays: .each(0.02))
    try batch.animate(tiles, to: 0, .smooth, delays: .over(0.5, from: .center, columns: 10, ease: .easeIn))
    // end
    try batch.advance(to: 3)
    print(tiles.count { batch[$0] == 0 })
  }

  static func sending(_ print: inout Printer) throws {
    var batch = try AnimationBatch<SIMD2<Float>>()
    let dots = try batch.add([[0, 0], [10, 0]])
    let dot = dots[0]
    // example: Sources/Murmuration/Batch/AnimationBatch+Animating.swift
    try batch.animate(dot, to: [0, 50])  // with Animation.default
    try batch.animate(.all, to: [0, 50], .easeOut(duration: 0.3), delays: .each(0.02))
    try batch.animate(dots, to: [0, 50], nil)  // jumps
    // end
    // example: Sources/Murmuration/Batch/AnimationBatch+Reading.swift
    var positions = [SIMD2<Float>](repeating: .zero, count: batch.indexCount)
    try batch.copyValues(into: &positions)
    // end
    print(positions.count { $0 == [0, 50] })
  }

  static func animationBatch(_ print: inout Printer) throws {
    // example: Sources/Murmuration/Batch/AnimationBatch.swift
    var batch = try AnimationBatch<SIMD2<Float>>()
    let dots = try batch.add([[0, 0], [10, 0], [20, 0]])
    try batch.animate(dots, to: [[0, 50], [10, 50], [20, 50]], .bouncy)
    try batch.advance(to: 0.25)
    try batch.animate(dots[0], to: [0, 0], .easeOut(duration: 0.3))  // adds to the spring, which goes on
    try batch.advance(to: 0.5)
    let position = batch[dots[0]]
    // end
    print(position?.y ?? .nan)
  }

  static func bakeRequest(_ print: inout Printer) throws {
    // example: Sources/MurmurationEngine/Baking/BakeRequest.swift
    var batch = try AnimationBatch<SIMD2<Float>>()
    let dots = try batch.add([[0, 0], [10, 0]])
    try batch.animate(dots, to: [[0, 50], [10, 50]], .bouncy)
    let request = BakeRequest(BakeFrames(0..<60, perSecond: 60), indices: 0..<2, order: .interleaved)
    var values = [Float](repeating: 0, count: 60 * 2 * 2)
    try batch.bake(request, into: &values)
    // end
    print(values[238])
    print(values[239])
  }

  static func animationBatchPhases(_ print: inout Printer) throws {
    // example: Sources/Murmuration/Batch/AnimationBatch+Phases.swift
    let pulse = try PhaseSequence([1, 1.25, 0.9], target: { Float($0) }, animation: { _ in .smooth })
    var batch = try AnimationBatch<Float>()
    let hearts = try batch.add([1, 1, 1])
    try batch.play(try batch.load(pulse), on: hearts, startingAt: [0, 0.1, 0.2])
    try batch.advance(to: 2)
    try batch.animate(hearts[2], to: 0, .smooth)  // ends its schedule
    try batch.trigger([hearts[2]])  // and begins it again
    // end
    try batch.advance(to: 2.25)
    for heart in hearts { print(batch.target(of: heart) ?? .nan) }
  }

  static func clipSampler(_ print: inout Printer) throws {
    let clip = try Clip(KeyframeTimeline(initialValue: 0.0) { CubicKeyframe(100, duration: 0.5) })
    // example: Sources/MurmurationEngine/Sampling/ClipSampler.swift
    var rig = try ClipSampler(clip)
    try rig.sample(at: 0.25)
    rig.withValues { values in print(values[0]) }
    // end
  }

  static func samplerBaking() throws -> [Float] {
    let rig = try ClipSampler(try Clip(KeyframeTimeline(initialValue: 0.0) { CubicKeyframe(100, duration: 0.5) }))
    // example: Sources/MurmurationEngine/Baking/ClipSampler+Baking.swift
    let frames = BakeFrames(0..<240, perSecond: 60)
    var values = [Float](repeating: 0, count: frames.range.count * rig.dimensions)
    try rig.bake(frames, dimensions: 0..<rig.dimensions, values: &values)
    // end
    return values
  }

  static func phases() throws {
    // example: Sources/Murmuration/Murmuration.docc/Articles/Phases.md
    enum Beat: CaseIterable { case rest, swell, sink }

    let pulse = try PhaseSequence(
      Beat.allCases,
      target: { beat in beat == .rest ? Float(1) : beat == .swell ? 1.25 : 0.9 },
      animation: { beat in beat == .rest ? .smooth : .bouncy(duration: 0.3) })
    var batch = try AnimationBatch<Float>()
    let hearts = try batch.add([Float](repeating: 1, count: 1000))
    let starts = (0..<1000).map { Double($0) / 1000 }
    try batch.play(try batch.load(pulse), on: hearts, startingAt: starts)
    try batch.advance(to: 2)
    // end
  }

  static func phaseSequence() throws -> Int {
    // example: Sources/MurmurationEngine/Schedule/PhaseSequence.swift
    let pulse = try PhaseSequence([1.0, 1.4, 0.9], target: { Float($0) }, animation: { $0 > 1 ? .bouncy : .smooth })
    // end
    return pulse.phaseCount
  }

  static func baking() throws {
    var batch = try AnimationBatch<Float>()
    try batch.add(0, to: 1, .bouncy)
    // example: Sources/Murmuration/Murmuration.docc/Articles/Baking.md, Sources/MurmurationEngine/Baking/BakeRequest.swift
    let frames = BakeFrames(0..<240, perSecond: 60)
    var values = [Float](repeating: 0, count: frames.range.count * batch.indexCount)
    try batch.bake(BakeRequest(frames, indices: 0..<batch.indexCount), into: &values)
    // end
  }

  static func particles(_ print: inout Printer) throws {
    let (places, goals) = (
      [SIMD3<Float>](repeating: .zero, count: 1_000), [SIMD3<Float>](repeating: .one, count: 1_000)
    )
    let ones = [Float](repeating: 1, count: 1_000)
    // example: Sources/Murmuration/Particles/Particles.swift
    var sparks = Particles()
    let position = try sparks.addProperty(SIMD3<Float>.self)
    let scale = try sparks.addProperty(Float.self)
    let burst = try sparks.add(position.start(at: places, to: goals, .bouncy), scale.start(at: ones))
    try sparks[scale].animate(burst, to: 0, .easeOut(duration: 2))  // the scale alone
    try sparks.advance(to: 0.5)
    for event in sparks[position].events where event.kind == .settled { print(event.track.index) }
    // end
    try emitted(&sparks, position, [2, 2, 2], Array(goals.prefix(100)))
  }

  private static func emitted(
    _ sparks: inout Particles, _ position: ParticleProperty<SIMD3<Float>>, _ center: SIMD3<Float>,
    _ goals: [SIMD3<Float>]
  ) throws {
    // example: Sources/Murmuration/Particles/Particles.swift
    let burst = try sparks.add(100, lifetime: 2)
    try sparks[position].set(burst, center)
    try sparks[position].animate(burst, to: goals, .easeOut(duration: 0.5), delays: .over(0.2))
    // end
  }
}

extension Examples {
  static func frameClock() throws -> Double {
    var batch = try AnimationBatch<Float>()
    // example: Sources/MurmurationEngine/Clock/FrameClock.swift
    var clock = try FrameClock(.fixed(.seconds(1) / 120, catchUp: 5), start: ContinuousClock.now)
    // Whenever the screen is drawn:
    for frame in clock.frames(until: .now) { try batch.advance(to: frame.time) }
    // end
    return batch.time - clock.time.seconds
  }

  static func frameSequence() async throws {
    func draw(_ batch: borrowing AnimationBatch<Float>) {}
    var batch = try AnimationBatch<Float>()
    // example: Sources/MurmurationEngine/Clock/FrameClock.swift
    for await frame in try FrameSequence(.variable(.seconds(1) / 60, longest: .milliseconds(100))) {
      try batch.advance(to: frame.time)
      draw(batch)
    }
    // end
  }
}

extension Examples {
  static func rotations(_ print: inout Printer) throws {
    // example: Sources/Murmuration/Batch/RotationBatch.swift
    var batch = try RotationBatch()
    let heads = try batch.add([Rotation](repeating: .identity, count: 100))
    let left = Rotation(axis: SIMD3(0, 1, 0), angle: .degrees(90))!
    try batch.animate(heads, to: left, .bouncy, delays: .each(0.01))
    try batch.advance(to: 0.25)
    let now = batch[heads[0]]  // a Rotation
    let spin = batch.angularVelocity(of: heads[0])
    // end
    print(now?.angle(to: .identity).degrees ?? .nan)
    print(spin?.y ?? .nan)
  }

  static func rotationProducts(_ print: inout Printer) {
    // example: Sources/AnimationModel/Values/Rotation.swift
    let quarter = Rotation(axis: SIMD3(0, 0, 1), angle: .degrees(90))!
    let half = quarter * quarter
    let between = Rotation.identity.interpolated(towards: half, amount: 0.25)  // 45° about z
    // end
    print(between.angle(to: .identity).degrees)
  }

  static func rotationsInAnArticle() throws -> Rotation? {
    // example: Sources/Murmuration/Murmuration.docc/Articles/Following.md
    var cameras = try RotationBatch()
    let camera = try cameras.add(.identity)
    try cameras.follow(camera, with: .smooth)
    try cameras.setGoals(of: camera, Rotation(axis: SIMD3(0, 1, 0), angle: .degrees(30))!)
    try cameras.advance(to: 1 / 60)
    // end
    return cameras[camera]
  }
}

// example: Sources/Murmuration/Batch/AnimatedTracks.swift
func total(_ tracks: borrowing some AnimatedTracks<Float> & ~Copyable) throws -> Float {
  try tracks.withValues(component: 0) { values in
    values.indices.reduce(0) { tracks.handle(at: $1) == nil ? $0 : $0 + values[$1] }
  }
}
// end

// example: Sources/AnimationModel/Values/Animatable.swift
struct Pose: Animatable {
  var height: Double
  var turn: Angle
  var name: String

  var animatableData: AnimatablePair<Double, Double> {
    get { AnimatablePair(height, turn.animatableData) }
    set { (height, turn.animatableData) = (newValue.first, newValue.second) }
  }
}
// end

/// The type that the next example extends.
struct Quantity: VectorArithmetic {
  var mass: Double
  var charge: Double

  static var zero: Quantity { Quantity(mass: 0, charge: 0) }
  static func + (left: Quantity, right: Quantity) -> Quantity {
    Quantity(mass: left.mass + right.mass, charge: left.charge + right.charge)
  }
  static func - (left: Quantity, right: Quantity) -> Quantity {
    Quantity(mass: left.mass - right.mass, charge: left.charge - right.charge)
  }
  mutating func scale(by factor: Double) { (mass, charge) = (mass * factor, charge * factor) }
  var magnitudeSquared: Double { mass * mass + charge * charge }
}

// example: Sources/AnimationModel/Values/ComponentVector.swift
extension Quantity: ComponentVector {
  static var componentCount: Int { 2 }
  subscript(component index: Int) -> Double {
    get { index == 0 ? mass : charge }
    set { if index == 0 { mass = newValue } else { charge = newValue } }
  }
}
// end
