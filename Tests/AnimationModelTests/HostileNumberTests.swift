// SPDX-License-Identifier: MIT
import AnimationModel
import Murmuration
import Testing

/// The model answers any numbers without a trap or an endless loop, and keeps its promises about ends and holds.
struct HostileNumberTests {
  private static let rounds = 300

  /// Whether two numbers are equal or both are NaN.
  private static func same(_ a: Double, _ b: Double) -> Bool { a == b || a.isNaN && b.isNaN }

  /// NaN, infinities, subnormals, the largest numbers and ordinary ones.
  private static func number(_ random: inout SplitMix64) -> Double {
    switch random.next() % 16 {
    case 0: .nan
    case 1: .infinity
    case 2: -.infinity
    case 3: .leastNonzeroMagnitude
    case 4: -.greatestFiniteMagnitude
    case 5: .greatestFiniteMagnitude
    case 6: 0
    case 7: -0.0
    case 8: Double(bitPattern: random.next())
    case 9: random.uniform(-1...1) * 1e15
    case 10: random.uniform(0...1) * 1e-300
    case 11: 1
    default: random.uniform(-2...2)
    }
  }

  private static func spring(_ random: inout SplitMix64) -> Spring {
    let (a, b, c) = (number(&random), number(&random), number(&random))
    return switch random.next() % 5 {
    case 0: Spring(duration: a, bounce: b)
    case 1: Spring(response: a, dampingRatio: b)
    case 2: Spring(mass: a, stiffness: b, damping: c, allowOverDamping: true)
    case 3: Spring(mass: a, stiffness: b, damping: c)
    default: Spring(settlingDuration: a, dampingRatio: b, epsilon: c)
    }
  }

  private static func curve(_ random: inout SplitMix64) -> UnitCurve {
    let numbers = (0..<6).map { _ in number(&random) }
    return switch random.next() % 5 {
    case 0:
      .bezier(
        startControlPoint: UnitPoint(x: numbers[0], y: numbers[1]),
        endControlPoint: UnitPoint(x: numbers[2], y: numbers[3]))
    case 1: .steps([Int.min, -1, 0, 1, 3, Int.max][Int(random.next() % 6)], position: .jumpNone)
    case 2: .steps([Int.min, -1, 0, 1, 3, Int.max][Int(random.next() % 6)], position: .jumpBoth)
    case 3:
      .linear(points: (0..<3).map { .init(input: random.next() & 1 == 0 ? numbers[$0] : nil, output: numbers[$0 + 3]) })
    default: UnitCurve.named[Int(random.next() % UInt64(UnitCurve.named.count))].curve
    }
  }

  private static func animation(_ random: inout SplitMix64) -> Animation {
    let (a, b) = (number(&random), number(&random))
    var animation: Animation =
      switch random.next() % 5 {
      case 0: .spring(spring(&random), blendDuration: a)
      case 1: .interpolatingSpring(spring(&random), initialVelocity: a)
      case 2: .timingCurve(curve(&random), duration: a)
      case 3: .interpolatingSpring(mass: a, stiffness: b, damping: number(&random), initialVelocity: number(&random))
      default: .bouncy(duration: a, extraBounce: b)
      }
    for _ in 0..<(random.next() % 4) {
      switch random.next() % 5 {
      case 0: animation = animation.delay(number(&random))
      case 1: animation = animation.speed(number(&random))
      case 2: animation = animation.repeatCount([Int.min, 0, 1, 7, Int.max][Int(random.next() % 5)])
      case 3: animation = animation.repeatForever(autoreverses: random.next() & 1 == 0)
      default: animation = animation.logicallyComplete(after: number(&random))
      }
    }
    return animation
  }

  @Test(arguments: 0..<8 as Range<UInt64>) func springsAnswerAnyNumber(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<Self.rounds {
      let spring = Self.spring(&random)
      let again = Spring(duration: spring.duration, bounce: spring.bounce)
      _ = (again.stiffness, again.damping, spring.response, spring.dampingRatio, spring.swiftUICompatibleStiffness)
      let (target, velocity, time, tolerance) = (
        SIMD3(Self.number(&random), Self.number(&random), 0), SIMD3(Self.number(&random), 1, 0),
        Self.number(&random), Self.number(&random)
      )
      _ = spring.value(target: target, initialVelocity: velocity, time: time)
      _ = spring.velocity(target: target, initialVelocity: velocity, time: time)
      _ = spring.settlingDuration(target: target, initialVelocity: velocity, epsilon: tolerance)
      _ = spring.coreAnimationSettlingDuration(initialVelocity: velocity.x)
      let rest = spring.restTime(
        target: target, initialVelocity: velocity, tolerance: tolerance, velocityTolerance: time)
      #expect(rest.isNaN || rest >= 0)
    }
  }

  @Test(arguments: 0..<8 as Range<UInt64>) func decelerationsAnswerAnyNumber(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<Self.rounds {
      let motion = Deceleration(rate: random.next() & 1 == 0 ? random.unit() : Self.number(&random))
      let (velocity, time) = (SIMD3(Self.number(&random), Self.number(&random), 0), Self.number(&random))
      _ = motion.value(from: velocity, initialVelocity: velocity, time: time)
      _ = motion.velocity(initialVelocity: velocity, time: time)
      _ = motion.projectedEnd(from: velocity, initialVelocity: velocity)
      let rest = motion.restTime(
        initialVelocity: velocity, tolerance: Self.number(&random), velocityTolerance: Self.number(&random))
      #expect(rest.isNaN || rest >= 0)
    }
  }

  @Test(arguments: 0..<8 as Range<UInt64>) func curvesAnswerAnyNumber(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<Self.rounds {
      let curve = Self.curve(&random)
      for curve in [curve, curve.inverse, curve.inverse.inverse] {
        let progress = Self.number(&random)
        let (value, velocity) = (curve.value(at: progress), curve.velocity(at: progress))
        #expect(curve.value(at: .nan).isNaN && curve.velocity(at: .nan).isNaN)
        switch curve.shape {
        case .steps: #expect(Self.same(velocity, progress.isNaN ? .nan : 0))
        case .piecewiseLinear: break
        default:
          // The others are exact at the ends and hold outside.
          #expect(curve.value(at: 0) == 0 && curve.value(at: 1) == 1)
          let inside = progress.isNaN ? progress : min(max(progress, 0), 1)
          #expect(Self.same(value, curve.value(at: inside)) && Self.same(velocity, curve.velocity(at: inside)))
        }
      }
    }
  }

  @Test(arguments: 0..<8 as Range<UInt64>) func velocitySamplersAnswerAnyNumber(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<Self.rounds {
      var sampler = VelocitySampler<Double>()
      for _ in 0..<4 {
        let (before, value, time) = (sampler.lastTime, Self.number(&random), Self.number(&random))
        if sampler.addSample(value, time: time) {
          #expect(sampler.lastTime == time && Self.same(sampler.lastValue ?? 0, value))
          #expect((before ?? time) <= time.nextUp)
        } else {
          #expect(sampler.lastTime == before && (time.isNaN || time <= before ?? -.infinity))
        }
      }
      #expect(sampler.velocity(at: .nan) == 0 && sampler.velocity(at: .infinity) == 0)
      guard let last = sampler.lastTime else {
        #expect(sampler.velocity == 0 && sampler.predictedEnd(at: 0) == nil)
        continue
      }
      if last.isFinite { #expect(Self.same(sampler.velocity(at: last), sampler.velocity)) }
      let time = Self.number(&random)
      let way = sampler.velocity(at: time) * 0.25
      #expect(Self.same(sampler.predictedEnd(at: time) ?? 0, (sampler.lastValue ?? 0) + way))
    }
  }

  @Test(arguments: 0..<8 as Range<UInt64>) func animationsAnswerAnyNumber(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var finished = 0
    for _ in 0..<Self.rounds {
      var value = AnimatedValue(Self.number(&random))
      for _ in 0..<5 {
        let (target, start) = (Self.number(&random), Self.number(&random))
        let animation = random.next() % 8 == 0 ? nil : Self.animation(&random)
        value.retarget(to: target, with: animation, at: start)
        #expect(Self.same(value.target, target))
        let time = Self.number(&random)
        value.advance(to: time)
        for time in [time, start, Self.number(&random), -.infinity, .infinity] {
          let isFinished = value.isFinished(at: time)
          #expect(isFinished || animation != nil)
          // A finished animation is exactly at its target, and at rest.
          guard isFinished else { continue }
          finished += 1
          #expect(Self.same(value.value(at: time), target) && value.velocity(at: time) == 0)
        }
        _ = (value.endTime, value.logicalEndTime)
      }
    }
    #expect(finished > Self.rounds)
  }

  @Test(arguments: 0..<8 as Range<UInt64>) func keyframesAnswerAnyNumber(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<Self.rounds {
      let numbers = (0..<12).map { _ in Self.number(&random) }
      let (curve, spring) = (Self.curve(&random), Self.spring(&random))
      let optional = random.next() & 1 == 0 ? nil : numbers[11]
      @Sendable func keyframes(_ start: Double) -> some Keyframes<Double> & SendableMetatype {
        KeyframeTrack {
          LinearKeyframe(numbers[0], duration: numbers[1], timingCurve: curve)
          CubicKeyframe(numbers[2], duration: numbers[3], startVelocity: optional, endVelocity: optional)
          CubicKeyframe(numbers[4], duration: numbers[5])
          SpringKeyframe(numbers[6], duration: optional, spring: spring, startVelocity: optional)
          MoveKeyframe(numbers[7])
          CubicKeyframe(numbers[8], duration: numbers[9])
        }
      }
      let timeline = KeyframeTimeline(initialValue: numbers[10], content: { keyframes(numbers[10]) })
      let (start, end) = (numbers[10], timeline.value(time: .infinity))
      #expect(timeline.duration >= 0)
      for time in numbers {
        let (value, velocity) = (timeline.value(time: time), timeline.velocity(time: time))
        // Before the start and after the end a timeline holds.
        if time.isNaN || time < 0 { #expect(Self.same(value, start)) }
        if time > timeline.duration { #expect(Self.same(value, end)) }
        if time < 0 || time > timeline.duration { #expect(velocity == 0) }
        #expect(Self.same(timeline.value(progress: time), timeline.value(time: time * timeline.duration)))
      }
      var player = KeyframePlayer(initialValue: numbers[10], keyframes: keyframes)
      var lastStart = 0.0
      var repeating = KeyframePlayer(initialValue: numbers[10], repeatingFrom: numbers[0], keyframes: keyframes)
      for time in numbers {
        let (shown, isPlaying, isFirst) = (player.value(at: time), player.isPlaying(at: time), player.timeline == nil)
        player.trigger(at: time)
        // A run takes over from the one before, unless their distance exceeds the largest number.
        if isFirst || isPlaying && abs(time - lastStart) < 1e300 {
          #expect(Self.same(player.timeline?.value(time: -1) ?? 0, shown))
        }
        lastStart = time
        #expect(Self.same(player.value(at: -.infinity), player.timeline?.value(time: -.infinity) ?? 0))
        repeating.pause(at: time)
        #expect(!repeating.isPlaying(at: time))
        #expect(Self.same(repeating.value(at: time), repeating.value(at: 0)))
        repeating.resume(at: Self.number(&random))
      }
    }
  }
}
