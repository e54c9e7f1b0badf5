// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

/// Effects that kernels have no table for, and modified springs after their like: each follows the model, and none is called.
struct UntabledEffectTests {
  /// Animations whose clock stands still, runs backwards, or begins in the middle; and such whose curve is too steep, too
  /// short or too long for a table.
  static let animations: [Animation] = [
    .easeIn(duration: 1).speed(0), .easeIn(duration: 1).speed(-2), .linear(duration: 1).delay(-0.5).speed(-0.5),
    .easeInOut(duration: 1).delay(-0.25).speed(2), .easeOut(duration: 0.5).delay(-0.2).repeatCount(3),
    .linear(duration: 1e-7), .linear(duration: 0), .linear(duration: 1e-7).delay(0.4), .linear(duration: -1),
    .timingCurve(.steps(5, position: .jumpStart), duration: 1).delay(0.3), .timingCurve(0, 1, 0, 1, duration: 1),
    .interpolatingSpring(stiffness: 400, damping: 0), .spring(.init(mass: 1, stiffness: 40, damping: 0)).delay(0.2),
    .spring(duration: 0).delay(0.3), .linear(duration: 1e-8).repeatForever(), .smooth.delay(-0.1).speed(1.5),
  ]

  /// The motion of the track before: none, a spring, a curve.
  static let before: [Animation?] = [nil, .bouncy(duration: 1.5), .easeInOut(duration: 2)]

  @Test(arguments: animations)
  func eachFollowsTheModel(_ animation: Animation) throws {
    for (pauses, before) in [(false, Self.before), (true, Self.before)].flatMap({ pair in pair.1.map { (pair.0, $0) } })
    {
      var batch = try AnimationBatch<Float>(curveTolerance: 0x1p-20)
      let track = try batch.add(0)
      var model = AnimatedValue(0.0)
      if let before {
        try batch.animate(track, to: 3, before)
        model.retarget(to: 3, with: before, at: 0)
      }
      try batch.advance(to: 0.25)
      try batch.animate(track, to: -2, animation)
      model.retarget(to: -2, with: animation, at: 0.25)
      if pauses {
        try batch.pause([track])
        try batch.advance(to: 1.25)
        try batch.resume([track])
        model.delay(by: 1)
      }
      for step in 1...60 {
        let time = batch.time + (step % 7 == 0 ? -0.01 : 0.05)
        try batch.advance(to: max(pauses ? 1.25 : 0.25, time), velocities: step % 2 == 0)
        // Beside a jump both sides may show.
        let near = [-1e-9, 0, 1e-9].map { model.value(at: batch.time + $0) }
        let (value, called) = (Double(batch[track] ?? .nan), batch.calledCount)
        let error = near.map { abs($0 - value) }.min() ?? .nan
        #expect(error < 2e-5, "\(animation) after \(before as Any) at \(batch.time): \(value), not \(near[1])")
        #expect(called == 0)
        let (velocity, exact) = (Double(batch.velocity(of: track) ?? .nan), model.velocity(at: batch.time))
        if near[0] != near[2], abs(near[0] - near[2]) < 1e-6, abs(exact) < 100 {
          #expect(abs(velocity - exact) < 2e-3 * max(1, abs(exact)), "\(animation) at \(batch.time)")
        }
      }
    }
  }

  /// A chain of springs with one modifier, or with others now and then, at any moments.
  @Test(arguments: 0..<40)
  func modifiedSpringsTakeOver(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    func modified(_ spring: Animation, _ kind: Int) -> Animation {
      switch kind {
      case 0: spring.speed(2)
      case 1: spring.delay(0.15)
      case 2: spring.logicallyComplete(after: 0.3)
      case 3: spring.delay(0.1).speed(0.7)
      default: spring.logicallyComplete(after: 0.25).delay(0.05)
      }
    }
    var batch = try AnimationBatch<SIMD2<Float>>(curveTolerance: 0x1p-22)
    let track = try batch.add(.zero)
    var models = [AnimatedValue(0.0), AnimatedValue(0.0)]
    let kind = Int(random.next() % 5)
    var goal = SIMD2<Float>.zero
    for _ in 0..<30 {
      if random.next() % 3 != 0 {
        goal = SIMD2(Float(random.uniform(-3...3)), Float(random.uniform(-3...3)))
        let other = random.next() % 8 == 0 ? Int(random.next() % 5) : kind
        let spring = Animation.spring(duration: random.uniform(0.2...1), bounce: random.uniform(-0.4...0.6))
        let animation = random.next() % 12 == 0 ? .easeInOut(duration: 0.4) : modified(spring, other)
        try batch.animate(track, to: goal, animation)
        for index in 0..<2 { models[index].retarget(to: Double(goal[index]), with: animation, at: batch.time) }
      }
      if random.next() % 9 == 0 {
        try batch.pause([track])
        try batch.advance(by: 0.5)
        try batch.resume([track])
        for index in 0..<2 { models[index].delay(by: 0.5) }
      }
      try batch.advance(by: random.uniform(0.01...0.3))
      let (value, called) = (batch[track] ?? .zero, batch.calledCount)
      for index in 0..<2 {
        let exact = models[index].value(at: batch.time)
        #expect(abs(Double(value[index]) - exact) < 1e-3, "\(value[index]), not \(exact), at \(batch.time)")
      }
      #expect(called == 0)
    }
  }

  @Test("A modified spring after its like is logically complete when the model says so, and settles with it")
  func completions() throws {
    for (index, animation) in [
      Animation.bouncy(duration: 0.8).speed(2), .bouncy(duration: 0.8).logicallyComplete(after: 0.5),
      .smooth(duration: 0.3).delay(0.2),
    ].enumerated() {
      var batch = try AnimationBatch<Float>()
      let track = try batch.add(0)
      var model = AnimatedValue(0.0)
      for (goal, time) in [(1.0, 0.0), (5.0, 0.3)] {
        try batch.advance(to: time)
        try batch.animate(track, to: Float(goal), animation)
        model.retarget(to: goal, with: animation, at: time)
      }
      var seen: [AnimationEvent.Kind: Double] = [:]
      for frame in 0..<400 {
        try batch.advance(to: 0.3 + Double(frame) * 0.01)
        for event in batch.events { seen[event.kind] = event.moment }
      }
      let (logical, settled) = (seen[.logicallyComplete] ?? .nan, seen[.settled] ?? .nan)
      #expect(abs(logical - model.logicalEndTime) < 1e-6, "\(index): \(logical), not \(model.logicalEndTime)")
      #expect(abs(settled - model.endTime) < 1e-3, "\(index): \(settled), not \(model.endTime)")
      let value = batch[track]
      #expect(value == 5)
    }
  }
}
