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

  @Test(arguments: animations, [false, true])
  func eachFollowsTheModel(_ animation: Animation, _ pauses: Bool) throws {
    for before in Self.before {
      var twins = try Modelled(curveTolerance: 0x1p-20)
      if let before { try twins.send(to: 3, by: before) }
      try twins.advance(to: 0.25)
      try twins.send(to: -2, by: animation)
      if pauses { try twins.pause(for: 1) }
      let start = twins.batch.time
      for step in 1...60 {
        let time = twins.batch.time + (step % 7 == 0 ? -0.01 : 0.05)
        try twins.advance(to: max(start, time), velocities: step % 2 == 0)
        // Beside a jump both sides may show.
        let near = [-1e-9, 0, 1e-9].map { twins.models[0].value(at: twins.batch.time + $0) }
        let value = Double(twins.batch[twins.tracks[0]] ?? .nan)
        let error = near.map { abs($0 - value) }.min() ?? .nan
        #expect(error < 2e-5, "\(animation) after \(before as Any) at \(twins.batch.time): \(value), not \(near[1])")
        #expect(twins.batch.calledCount == 0)
        let speed = abs(twins.models[0].velocity(at: twins.batch.time))
        if near[0] != near[2], abs(near[0] - near[2]) < 1e-6, speed < 100 {
          #expect(twins.velocityError() < 2e-3 * max(1, speed), "\(animation) at \(twins.batch.time)")
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
    var twins = try Modelled(count: 2, curveTolerance: 0x1p-22)
    let kind = Int(random.next() % 5)
    for _ in 0..<30 {
      if random.next() % 3 != 0 {
        let goals = (0..<2).map { _ in Float(random.uniform(-3...3)) }
        let other = random.next() % 8 == 0 ? Int(random.next() % 5) : kind
        let spring = Animation.spring(duration: random.uniform(0.2...1), bounce: random.uniform(-0.4...0.6))
        let animation = random.next() % 12 == 0 ? .easeInOut(duration: 0.4) : modified(spring, other)
        try twins.send(toEach: goals, by: animation)
      }
      if random.next() % 9 == 0 { try twins.pause(for: 0.5) }
      try twins.advance(by: random.uniform(0.01...0.3))
      #expect(twins.error < 1e-3 && twins.batch.calledCount == 0, "at \(twins.batch.time)")
    }
  }

  @Test(
    "A modified spring after its like is logically complete when the model says so, and settles with it",
    arguments: [
      Animation.bouncy(duration: 0.8).speed(2), .bouncy(duration: 0.8).logicallyComplete(after: 0.5),
      .smooth(duration: 0.3).delay(0.2),
    ])
  func completions(_ animation: Animation) throws {
    var twins = try Modelled()
    for (goal, time) in [(1, 0), (5, 0.3)] as [(Float, Double)] {
      try twins.advance(to: time)
      try twins.send(to: goal, by: animation)
    }
    var seen: [AnimationEvent.Kind: Double] = [:]
    for frame in 0..<400 {
      try twins.advance(to: 0.3 + Double(frame) * 0.01)
      for event in twins.batch.events { seen[event.kind] = event.moment }
    }
    #expect(abs((seen[.logicallyComplete] ?? .nan) - twins.models[0].logicalEndTime) < 1e-6)
    #expect(abs((seen[.settled] ?? .nan) - twins.models[0].endTime) < 1e-3)
    #expect(twins.batch[twins.tracks[0]] == 5)
  }
}
