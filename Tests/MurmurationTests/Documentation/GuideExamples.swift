// SPDX-License-Identifier: MIT
import Foundation
import Murmuration
import MurmurationReference

// More examples of the documentation, as in `Examples.swift`: the examples of the guides.

extension Examples {
  // MARK: - Which call

  static func inference(_ print: inout Printer) throws {
    // example: Sources/Murmuration/Murmuration.docc/Articles/WhichCall.md
    var dots = try AnimationBatch<SIMD2<Float>>()
    let dot = try dots.add([10, 20])
    let pair = try dots.add([[10, 20], [30, 40]])
    let spring = Spring.smooth
    try dots.animate(dot, to: [0, 0], .smooth)
    try dots.animate(pair, to: [0, 0], .spring(spring))
    try dots.follow(pair, with: .smooth)
    let pulse = try PhaseSequence([0, 1], of: SIMD2<Float>.self, target: { $0 == 0 ? [10, 20] : [30, 40] })
    // end
    print(Double(dots.count + pulse.phaseCount))
  }

  // MARK: - Checking programs

  static func recording(_ print: inout Printer) throws {
    // example: Sources/Murmuration/Batch/AnimationBatch+Unembedded.swift
    var batch = try AnimationBatch<SIMD2<Float>>()
    try batch.record()
    let dot = try batch.add([0, 0])
    try batch.animate(dot, to: [0, 50], .bouncy)
    try batch.advance(to: 0.25)
    let report = try check(batch.recording!)  // of MurmurationReference
    // end
    print(report.passed ? report.comparisons : 0)
  }

  static func checkedProgram(_ print: inout Printer) throws {
    // example: Sources/Murmuration/Murmuration.docc/Articles/CheckingPrograms.md
    var batch = try AnimationBatch<SIMD2<Float>>()
    try batch.record()
    let starts: [SIMD2<Float>] = [[0, 0], [10, 0], [20, 0], [30, 0]]
    let dots = try batch.add(starts)
    try batch.animate(dots, to: starts.map { $0 + [0, 50] }, .bouncy)
    try batch.advance(to: 0.2)
    try batch.animate(dots, to: starts, .smooth, delays: [0, 0.04, 0.08, 0.12])
    for frame in 13...60 { try batch.advance(to: Double(frame) / 60) }

    let recording = batch.stopRecording()!
    let report = try check(recording)
    // end
    print(report.passed ? report.comparisons : 0)
  }

  static func reference(_ print: inout Printer) throws {
    // example: Sources/MurmurationReference/Definition/ReferenceBatch.swift
    var reference = ReferenceBatch(dimensions: 1)
    try reference.perform(BatchCall(.add, values: [0]))
    try reference.perform(BatchCall(.animate, .all, goals: [100], animations: [.bouncy]))
    try reference.perform(BatchCall(.advance(to: 0.25, velocities: false)))
    let height = reference.state(of: 0)[0].value
    // end
    print(height)
  }

  // MARK: - Following

  static func following(_ print: inout Printer) throws {
    // example: Sources/Murmuration/Murmuration.docc/Articles/Following.md
    var batch = try AnimationBatch<SIMD2<Float>>()
    let dots = try batch.add([SIMD2<Float>](repeating: .zero, count: 1000))
    try batch.follow(dots, with: .snappy)
    for frame in 1...60 {
      let pointer = SIMD2<Float>(Float(frame), 20)
      try batch.setGoals(of: dots, pointer)
      try batch.advance(to: Double(frame) / 60)
    }
    // end
    print(batch[dots[0]]!.x)
    print(batch[dots[0]]!.y)
  }

  static func goalsInPlace(_ print: inout Printer) throws {
    // example: Sources/Murmuration/Murmuration.docc/Articles/Following.md
    var swarm = try AnimationBatch<SIMD2<Float>>()
    try swarm.add([SIMD2<Float>](repeating: .zero, count: 1000))
    try swarm.follow(.all, with: .smooth)
    let pointer = SIMD2<Float>(320, 100)
    for component in 0..<2 {
      try swarm.withGoals(component: component) { goals in
        for index in goals.indices { goals[index] = pointer[component] + Float(index % 32) }
      }
    }
    try swarm.advance(to: 1 / 60)
    // end
    print(swarm.count)
  }

  static func leaders(_ print: inout Printer) throws {
    // example: Sources/Murmuration/Murmuration.docc/Articles/Following.md
    var chain = try AnimationBatch<Float>()
    let links = try chain.add([Float](repeating: 0, count: 5))
    try chain.follow(Array(links.dropFirst()), valuesOf: Array(links.dropLast()), with: .snappy)
    try chain.animate(links[0], to: 100, .easeInOut(duration: 1))
    // end
    for frame in 1...300 { try chain.advance(to: Double(frame) / 60) }
    print(chain[links[4]]!)
  }

  // MARK: - Coming from SwiftUI

  static func withAnimation(_ print: inout Printer) throws {
    // example: Sources/Murmuration/Murmuration.docc/Articles/ComingFromSwiftUI.md
    var batch = try AnimationBatch<Float>()
    let height = try batch.add(0)

    let change = try batch.animate(height, to: 100, .bouncy, completion: .logicallyComplete)
    for frame in 1...60 {
      try batch.advance(to: Double(frame) / 60)
      for outcome in batch.outcomes where outcome.change == change {
        print(batch.time)
      }
    }
    // end
  }

  static func phaseAnimator(_ print: inout Printer) throws {
    // example: Sources/Murmuration/Murmuration.docc/Articles/ComingFromSwiftUI.md
    let pulse = try PhaseSequence(
      [false, true],
      target: { isLarge in isLarge ? Float(1.25) : 1 },
      animation: { isLarge in isLarge ? .bouncy : .smooth })
    var batch = try AnimationBatch<Float>()
    let scales = try batch.add([1, 1])
    let sequence = try batch.load(pulse)
    try batch.play(sequence, on: scales[0])  // loops
    try batch.play(sequence, on: scales[1], .triggered)
    try batch.trigger([scales[1]])  // the trigger has changed
    try batch.advance(to: 0.6)
    // end
    for scale in scales { print(batch.phase(of: scale) ?? -1) }
  }

  struct Pose: Animatable {
    var scale = 1.0
    var lift = 0.0

    var animatableData: AnimatablePair<Double, Double> {
      get { AnimatablePair(scale, lift) }
      set { (scale, lift) = (newValue.first, newValue.second) }
    }
  }

  static func keyframeAnimator(_ print: inout Printer) throws {
    // example: Sources/Murmuration/Murmuration.docc/Articles/ComingFromSwiftUI.md
    let hop = try Clip(initialValue: Pose()) { _ in
      KeyframeTrack(\.lift) {
        CubicKeyframe(60, duration: 0.3)
        SpringKeyframe(0, duration: 0.5, spring: .bouncy)
      }
      KeyframeTrack(\.scale) {
        LinearKeyframe(1.2, duration: 0.3)
        LinearKeyframe(1, duration: 0.2)
      }
    }
    var batch = try AnimationBatch<SIMD2<Float>>()  // scale and lift
    let badges = try batch.add([SIMD2<Float>](repeating: [1, 0], count: 100))
    let clip = try batch.load(hop)
    try batch.play(clip, on: badges, start: .automatic)  // the trigger has changed
    try batch.advance(to: 0.15)
    try batch.play(clip, on: badges[0], start: .automatic)  // and again: goes on from where it is
    try batch.advance(to: 0.3)
    // end
    print(batch[badges[0]]?.x ?? .nan)
    print(batch[badges[1]]?.y ?? .nan)
  }

  static func ownTimeline(_ print: inout Printer) {
    // example: Sources/Murmuration/Murmuration.docc/Articles/ComingFromSwiftUI.md
    var hop = KeyframePlayer(initialValue: Pose()) { start in
      KeyframeTrack(\.lift) {
        CubicKeyframe(start.lift + 60, duration: 0.3)
        SpringKeyframe(0, duration: 0.5, spring: .bouncy)
      }
    }
    hop.trigger(at: 2)
    let pose = hop.value(at: 2.15)
    // end
    print(pose.lift)
  }

  // MARK: - Coming from tween libraries

  static func tweens(_ print: inout Printer) throws {
    // example: Sources/Murmuration/Murmuration.docc/Articles/ComingFromTweens.md
    var batch = try AnimationBatch<Float>()
    let bars = try batch.add([Float](repeating: 0, count: 5))
    let full = [Float](repeating: 100, count: 5)

    // A tween of five values, each a tenth of a second after the one before.
    try batch.animate(bars, to: full, .easeOut(duration: 0.5), delays: [0, 0.1, 0.2, 0.3, 0.4])
    try batch.advance(to: 2)
    // Back and forth three times.
    try batch.animate(bars[0], to: 0, .easeInOut(duration: 0.4).repeatCount(3, autoreverses: true))
    // Without end, until it is stopped.
    try batch.animate(bars[1], to: 0, .linear(duration: 1).repeatForever(autoreverses: true))
    try batch.advance(to: 2.25)
    try batch.stop([bars[1]])  // stays where it is
    // In place of the tween under way, instead of on top of it.
    try batch.stop([bars[0]])
    try batch.animate(bars[0], to: 50, .easeOut(duration: 0.3))
    try batch.advance(to: 3)
    // end
    for bar in bars { print(batch[bar] ?? .nan) }
  }

  static func completions(_ print: inout Printer) throws {
    // example: Sources/Murmuration/Murmuration.docc/Articles/ComingFromTweens.md
    var batch = try AnimationBatch<Float>()
    let completions = Completions()
    var (finished, interrupted) = (0, 0)
    let bars = try batch.add([0, 0])
    let change = try batch.animate(bars, to: [50, 100], .easeOut(duration: 0.5), completion: .logicallyComplete)
    completions.when(change) { if $0.isComplete { finished += 1 } else { interrupted += 1 } }
    for frame in 1...60 {
      try batch.advance(to: Double(frame) / 60)
      completions.deliver(batch.outcomes)
    }
    // end
    print(10 * finished + interrupted)
  }

  static func awaiting(_ print: inout Printer) throws {
    var batch = try AnimationBatch<SIMD2<Float>>()
    let dots = try batch.add([[0, 0], [10, 0]])
    // example: Sources/Murmuration/Batch/Completions.swift
    let completions = Completions()
    let change = try batch.animate(dots, to: [0, 50], .bouncy, completion: .logicallyComplete)
    var arrived = 0
    completions.when(change) { arrived += $0.completed }
    let end = completions.outcome(of: change)
    let task = Task { try await end.value.isComplete }
    try batch.advance(to: 1)
    completions.deliver(batch.outcomes)
    // end
    print(arrived)
    task.cancel()
  }

  static func sequence(_ print: inout Printer) throws {
    // example: Sources/Murmuration/Murmuration.docc/Articles/ComingFromTweens.md
    let steps = KeyframeTimeline(initialValue: 0.0) {
      LinearKeyframe(0, duration: 0.2)  // waits
      LinearKeyframe(100, duration: 0.4, timingCurve: .easeOutBack)
      LinearKeyframe(100, duration: 1)
      LinearKeyframe(20, duration: 0.3, timingCurve: .easeIn)
    }
    var batch = try AnimationBatch<Float>()
    let clip = try batch.load(Clip(steps))
    let panels = try batch.add(
      playing: clip, (0..<20).map { Playback(delay: 0.05 * Double($0), repetition: .count(2)) })
    try batch.advance(to: 1)
    try batch.setSpeed(0.5, of: panels)  // slow motion
    try batch.pause([panels[0]])
    try batch.seek(panels[0], to: 0.4)
    try batch.advance(to: 1.1)
    // end
    print(batch[panels[0]] ?? .nan)
    print(batch.localTime(of: panels[1]) ?? .nan)
  }

  // MARK: - Particles

  static func emitting(_ print: inout Printer) throws {
    // example: Sources/Murmuration/Murmuration.docc/Articles/UsingParticles.md
    var sparks = Particles()
    let position = try sparks.addProperty(SIMD2<Float>.self)
    let opacity = try sparks.addProperty(Float.self)
    try sparks.reserve(10_000)

    // Sparks that burst from a point, and fade.
    func burst(at center: SIMD2<Float>, count: Int) throws {
      let angles = (0..<count).map { 2.4 * Float($0) }
      try sparks.add(
        position.start(
          at: [SIMD2<Float>](repeating: center, count: count),
          velocities: angles.map { 400 * SIMD2(cos($0), sin($0)) },
          to: angles.map { center + 50 * SIMD2(cos($0), sin($0)) + [0, 30] }, .smooth(duration: 0.8)),
        opacity.start(
          at: [Float](repeating: 1, count: count), to: [Float](repeating: 0, count: count), .smooth(duration: 1.2)))
    }

    for frame in 0..<240 {
      if frame % 20 == 0, frame < 120 { try burst(at: [Float(frame), 100], count: 500) }
      try sparks.advance(to: Double(frame) / 60)
      sparks.removeSettled()
    }
    // end
    print(sparks.count)
    print(sparks.indexCount)
  }

  static func emittingWithAnyMotion(_ print: inout Printer) throws {
    // example: Sources/Murmuration/Murmuration.docc/Articles/UsingParticles.md
    // Rings that pop up one spark after another, and go after two seconds.
    var sparks = Particles()
    let position = try sparks.addProperty(SIMD2<Float>.self)
    let opacity = try sparks.addProperty(Float.self)
    for frame in 0..<240 {
      if frame % 60 == 0 {
        let ring = try sparks.add(24, lifetime: 2)
        let places = (0..<24).map { 40 * SIMD2(cos(Float($0) * .pi / 12), sin(Float($0) * .pi / 12)) }
        try sparks[position].animate(ring, to: places, .bouncy, delays: .over(0.5))
        try sparks[opacity].animate(ring, to: 1, .easeOut(duration: 0.3), delays: .over(0.5))
      }
      try sparks.advance(to: Double(frame) / 60)
    }
    // end
    print(sparks.count)
  }

  static func emittingWithoutArrays(_ print: inout Printer) throws {
    // example: Sources/Murmuration/Murmuration.docc/Articles/UsingParticles.md
    var drops = try AnimationBatch<SIMD2<Float>>(reservingCapacity: 100_000)
    var (places, goals) = ([SIMD2<Float>](), [SIMD2<Float>]())
    for x in 0..<200 {
      places.append([Float(x), 0])
      goals.append([Float(x), 300])
    }
    var handles = [TrackHandle](repeating: .noTrack, count: 200)
    for frame in 0..<120 {
      try drops.add(places.span, to: goals.span, .smooth(duration: 0.4), handles: &handles)
      try drops.advance(to: Double(frame) / 60)
      drops.removeSettled()
    }
    // end
    print(drops.count)
    print(drops[handles[0]]?.y ?? .nan)
  }

  // MARK: - Gestures

  static func drag(_ print: inout Printer) throws {
    // example: Sources/Murmuration/Murmuration.docc/Articles/UsingGestures.md
    var batch = try AnimationBatch<Float>()
    let card = try batch.add(0)
    var finger = try VelocityTrackers(count: 1)

    // While the finger is down: the card is where the finger is.
    for (time, x) in [(0.0, Float(0)), (0.008, 4), (0.016, 9), (0.024, 15)] {
      try finger.record([x].span, at: time)
      try batch.advance(to: time)
      try batch.set(card, x, velocity: 0)
    }

    // When it lets go: the card goes on as fast as the finger was.
    var velocity = [Float](repeating: 0, count: 1)
    try finger.velocities(at: 0.024, into: &velocity)
    let end = try batch.projectedEnd(of: card, velocity: velocity[0], by: .fast)  // where friction would stop it
    try batch.decelerate(card, velocity: velocity[0], by: .fast, snap: .every(100))  // ends at a multiple of 100
    try batch.advance(to: 3)
    // end
    print(velocity[0])
    print(end ?? .nan)
    print(batch[card] ?? .nan)
  }

  static func throwing(_ print: inout Printer) throws {
    // example: Sources/Murmuration/Murmuration.docc/Articles/UsingGestures.md
    var batch = try AnimationBatch<SIMD2<Float>>()
    let cards = try batch.add([[0, 0], [0, 50], [0, 100]])
    try batch.decelerate(cards, velocities: [[900, 0], [700, 0], [500, 0]], by: .normal)
    try batch.advance(to: 0.2)
    let end = batch.target(of: cards[0])  // where it will come to rest
    try batch.stop([cards[1]])  // caught
    try batch.animate(cards[2], to: [0, 100], .bouncy)  // called back, without a jump in velocity
    try batch.advance(to: 10)
    // end
    print(end?.x ?? .nan)
    for card in cards { print(batch[card]?.x ?? .nan) }
  }

  static func grabbing(_ print: inout Printer) throws {
    // example: Sources/Murmuration/Murmuration.docc/Articles/UsingGestures.md
    var batch = try AnimationBatch<Float>()
    let swing = try batch.load(
      Clip(initialValue: 0.0) { _ in
        CubicKeyframe(40, duration: 0.5)
        CubicKeyframe(0, duration: 0.5)
      })
    let toy = try batch.add(playing: swing, Playback(repetition: .forever))
    try batch.advance(to: 0.3)
    try batch.set(toy, 60, velocity: 0)  // a hand takes it out of its loop
    try batch.advance(to: 0.6)
    try batch.play(swing, on: toy, Playback(repetition: .forever), start: .shownValue)  // and lets it go on from there
    try batch.advance(to: 1.1)
    // end
    print(batch[toy] ?? .nan)
  }

  // MARK: - What is cheap

  struct Wobble: CustomAnimation {
    func animate<V: VectorArithmetic>(value: V, time: Double, context: inout AnimationContext<V>) -> V? {
      time < 1 ? value.scaled(by: time + 0.1 * sin(6 * .pi * time)) : nil
    }
  }

  static func cheapCalls(_ print: inout Printer) throws {
    // example: Sources/Murmuration/Murmuration.docc/Articles/WhatIsCheap.md
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([0, 0, 0])
    try batch.animate(tracks, to: [1, 2, 3], .bouncy)
    print(batch.calledCount)  // 0: kernels compute everything

    let wobble = try batch.load(Clip(Animation(Wobble())))  // once: a function of time alone becomes a clip
    try batch.play(wobble, on: tracks)
    print(batch.calledCount)  // 0

    try batch.animate(tracks, to: [4, 5, 6], Animation(Wobble()))
    print(batch.calledCount)  // 3: computed one by one, in Double

    try batch.animate(tracks, to: [0, 0, 0], .smooth)
    print(batch.calledCount)  // 0
    // end
  }
}
