// SPDX-License-Identifier: MIT
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@testable import Murmuration

/// Any motion takes over from any other, as the model's `AnimatedValue` has it.
struct HandOverTests {
  /// What a track may do.
  enum Motion: String, CaseIterable, Sendable {
    case nothing, spring, overdamped, jump, ease, interpolatingSpring, delayedSpring, custom

    var animation: Animation? {
      switch self {
      case .nothing, .jump: nil
      case .spring: .bouncy(duration: 0.6)
      case .overdamped: .spring(Spring(duration: 0.7, bounce: -0.4))
      case .ease: .easeInOut(duration: 0.8)
      case .interpolatingSpring: .interpolatingSpring(duration: 0.5, bounce: 0.4)
      case .delayedSpring: .spring(duration: 0.5, bounce: 0.2).delay(0.1)
      case .custom: Animation(Ramp())
      }
    }
  }

  /// A custom animation that knows its velocity.
  struct Ramp: CustomAnimation {
    func animate<V: VectorArithmetic>(value: V, time: Double, context: inout AnimationContext<V>) -> V? {
      time <= 0.7 ? value.scaled(by: time / 0.7) : nil
    }

    func velocity<V: VectorArithmetic>(value: V, time: Double, context: AnimationContext<V>) -> V? {
      value.scaled(by: 1 / 0.7)
    }
  }

  /// Where tracks head, one after the other.
  private static let goals: [SIMD2<Float>] = [[100, -40], [20, 80]]
  private static let times = [0.2, 0.35, 0.5, 0.65, 0.8, 1.1, 1.5, 2.5]
  /// When the second motion takes over.
  private static let handOver = 0.31

  /// The same hand-over in the model.
  private func model(_ first: Motion, _ second: Motion) -> AnimatedValue<AnimatablePair<Double, Double>> {
    var value = AnimatedValue(AnimatablePair(3.0, 4.0))
    let pairs = Self.goals.map { AnimatablePair(Double($0.x), Double($0.y)) }
    if first != .nothing { value.retarget(to: pairs[0], with: first.animation, at: 0) }
    if second != .nothing { value.retarget(to: pairs[1], with: second.animation, at: Self.handOver) }
    return value
  }

  private func compare(
    _ batch: borrowing AnimationBatch<SIMD2<Float>>, _ handles: [TrackHandle],
    _ model: AnimatedValue<AnimatablePair<Double, Double>>, _ names: String
  ) {
    let (exact, speed) = (model.value(at: batch.time), model.velocity(at: batch.time))
    // The model takes a spring for at rest at a share of its way; a batch at a distance.
    let tolerance = 0.02
    for handle in handles {
      guard let value = batch[handle], let velocity = batch.velocity(of: handle) else {
        Issue.record("\(names): no track")
        return
      }
      let error = max(abs(Double(value.x) - exact.first), abs(Double(value.y) - exact.second))
      let slip = max(abs(Double(velocity.x) - speed.first), abs(Double(velocity.y) - speed.second))
      #expect(error <= tolerance, "\(names) at \(batch.time): \(value), model \(exact)")
      #expect(slip <= tolerance * 20, "\(names) at \(batch.time): velocity \(velocity), model \(speed)")
    }
  }

  @Test("Each motion hands over to each other as in the model, alone and in bulk", arguments: KernelSet.available)
  func pairs(_ set: KernelSet) throws {
    for first in Motion.allCases {
      for second in Motion.allCases {
        for count in [1, 7, 40] {
          var batch = try AnimationBatch<SIMD2<Float>>(kernels: set)
          let handles = try batch.add([SIMD2<Float>](repeating: [3, 4], count: count))
          let reference = model(first, second)
          var isSecondStarted = false
          if first != .nothing { try send(handles, 0, first, &batch) }
          for time in Self.times {
            if !isSecondStarted, time > Self.handOver {
              try batch.advance(to: Self.handOver, velocities: count == 7)
              if second != .nothing { try send(handles, 1, second, &batch) }
              isSecondStarted = true
            }
            try batch.advance(to: time)
            compare(
              batch, handles, isSecondStarted ? reference : model(first, .nothing), "\(count): \(first) to \(second)")
          }
        }
      }
    }
  }

  private func send(
    _ handles: [TrackHandle], _ goal: Int, _ motion: Motion, _ batch: inout AnimationBatch<SIMD2<Float>>
  ) throws {
    let goal = Self.goals[goal]
    if handles.count == 1 {
      try batch.animate(handles[0], to: goal, motion.animation)
    } else {
      try batch.animate(handles, to: [SIMD2<Float>](repeating: goal, count: handles.count), motion.animation)
    }
  }

  @Test("A slide hands its value and velocity to a spring, and a curve adds to it")
  func slides() throws {
    var batch = try AnimationBatch<Float>()
    let handles = try batch.add([0, 0])
    try batch.decelerate(handles, velocities: [100, 100], by: .fast)
    try batch.advance(to: 0.05)
    let (k, t) = (Deceleration.fast.decayConstant, 0.05)
    let value = 100 / k * (1 - exp(-k * t))
    #expect(abs(Double(try #require(batch[handles[0]])) - value) < 1e-4)
    try batch.animate(handles[0], to: 50, .smooth)
    try batch.animate(handles[1], to: 50, .linear(duration: 1))
    try batch.advance(to: 0.25)
    let speed = 100 * exp(-k * t)
    let spring = Spring.smooth
    let sprung =
      value + spring.value(target: 50 - value, initialVelocity: speed, time: 0.2)
    #expect(abs(Double(try #require(batch[handles[0]])) - sprung) < 1e-3)
    // The slide goes on to its own end, and the curve moves the difference: from what is there then to the goal.
    let slid = 100 / k * (1 - exp(-k * 0.25))
    let added = slid + (50 - slid) * Animation.progress(.linear(duration: 1), at: 0.2)
    #expect(abs(Double(try #require(batch[handles[1]])) - added) < 1e-3)
  }

  @Test("Sending a track where it heads already changes nothing; one that was given a velocity moves")
  func sameGoal() throws {
    var batch = try AnimationBatch<Float>()
    let handle = try batch.add(0)
    let change = try batch.animate(handle, to: 10, .bouncy)
    try batch.advance(to: 0.1)
    #expect(try batch.animate(handle, to: 10, .linear(duration: 3)) == change)
    var other = try AnimationBatch<Float>()
    let twin = try other.add(0)
    try other.animate(twin, to: 10, .bouncy)
    for time in [0.2, 0.4, 3] {
      try batch.advance(to: time)
      try other.advance(to: time)
      #expect(batch[handle] == other[twin])
    }
    try batch.set([handle], [10], velocities: [500])
    try batch.animate(handle, to: 10, .smooth)
    try batch.advance(to: 3.1)
    #expect(try #require(batch[handle]) > 15)
  }
}

extension Animation {
  /// How much of a way is covered.
  fileprivate static func progress(_ animation: Animation, at time: Double) -> Double {
    var context = AnimationContext<Double>()
    return animation.animate(value: 1.0, time: time, context: &context) ?? 1
  }
}
