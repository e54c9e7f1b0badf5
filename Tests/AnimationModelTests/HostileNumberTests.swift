// SPDX-License-Identifier: MIT
import AnimationModel
import Murmuration
import Testing

extension SplitMix64 {
  /// NaN, infinities, subnormals, the largest numbers and ordinary ones.
  fileprivate mutating func number() -> Double {
    let special = [.nan, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 0, -0.0, 1]
    switch next() % 16 {
    case let index where index < special.count: return special[Int(index)]
    case 8: return -.greatestFiniteMagnitude
    case 9: return Double(bitPattern: next())
    case 10: return uniform(-1...1) * 1e15
    case 11: return uniform(0...1) * 1e-300
    default: return uniform(-2...2)
    }
  }

  fileprivate mutating func numbers(_ count: Int) -> [Double] { (0..<count).map { _ in number() } }
  fileprivate mutating func coin() -> Bool { next() & 1 == 0 }
  fileprivate mutating func count() -> Int { [Int.min, -1, 0, 1, 3, 7, .max][Int(next() % 7)] }

  fileprivate mutating func spring() -> Spring {
    let (a, b, c) = (number(), number(), number())
    return switch next() % 5 {
    case 0: Spring(duration: a, bounce: b)
    case 1: Spring(response: a, dampingRatio: b)
    case 2: Spring(mass: a, stiffness: b, damping: c, allowOverDamping: true)
    case 3: Spring(mass: a, stiffness: b, damping: c)
    default: Spring(settlingDuration: a, dampingRatio: b, epsilon: c)
    }
  }

  fileprivate mutating func curve() -> UnitCurve {
    let a = numbers(6)
    return switch next() % 5 {
    case 0:
      .bezier(startControlPoint: UnitPoint(x: a[0], y: a[1]), endControlPoint: UnitPoint(x: a[2], y: a[3]))
    case 1, 2: .steps(count(), position: coin() ? .jumpNone : .jumpBoth)
    case 3: .linear(points: (0..<3).map { .init(input: coin() ? a[$0] : nil, output: a[$0 + 3]) })
    default: UnitCurve.named[Int(next() % UInt64(UnitCurve.named.count))].curve
    }
  }

  fileprivate mutating func animation() -> Animation {
    let (a, b) = (number(), number())
    var animation: Animation =
      switch next() % 5 {
      case 0: .spring(spring(), blendDuration: a)
      case 1: .interpolatingSpring(spring(), initialVelocity: a)
      case 2: .timingCurve(curve(), duration: a)
      case 3: .interpolatingSpring(mass: a, stiffness: b, damping: number(), initialVelocity: number())
      default: .bouncy(duration: a, extraBounce: b)
      }
    for _ in 0..<(next() % 4) {
      switch next() % 5 {
      case 0: animation = animation.delay(number())
      case 1: animation = animation.speed(number())
      case 2: animation = animation.repeatCount(count())
      case 3: animation = animation.repeatForever(autoreverses: coin())
      default: animation = animation.logicallyComplete(after: number())
      }
    }
    return animation
  }
}

/// Whether two numbers are equal or both are NaN.
private func same(_ a: Double, _ b: Double) -> Bool { a == b || a.isNaN && b.isNaN }

/// The model answers any numbers without a trap or an endless loop, and keeps its promises about ends and holds.
struct HostileNumberTests {
  private static let rounds = 300
  private static let seeds = 0..<8 as Range<UInt64>

  @Test(arguments: seeds) func motionsAnswerAnyNumber(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<Self.rounds {
      let spring = random.spring()
      let again = Spring(duration: spring.duration, bounce: spring.bounce)
      _ = (again.stiffness, again.damping, spring.response, spring.dampingRatio, spring.swiftUICompatibleStiffness)
      let (target, velocity) = (SIMD3(random.number(), random.number(), 0), SIMD3(random.number(), 1, 0))
      let (time, tolerance) = (random.number(), random.number())
      _ = spring.value(target: target, initialVelocity: velocity, time: time)
      _ = spring.velocity(target: target, initialVelocity: velocity, time: time)
      _ = spring.settlingDuration(target: target, initialVelocity: velocity, epsilon: tolerance)
      _ = spring.coreAnimationSettlingDuration(initialVelocity: velocity.x)
      let slide = Deceleration(rate: random.coin() ? random.unit() : random.number())
      _ = slide.value(from: target, initialVelocity: velocity, time: time)
      _ = slide.velocity(initialVelocity: target, time: time)
      _ = slide.projectedEnd(from: target, initialVelocity: velocity)
      for rest in [
        spring.restTime(target: target, initialVelocity: velocity, tolerance: tolerance, velocityTolerance: time),
        slide.restTime(initialVelocity: target, tolerance: tolerance, velocityTolerance: random.number()),
      ] { #expect(rest.isNaN || rest >= 0) }
    }
  }

  @Test(arguments: seeds) func curvesAnswerAnyNumber(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<Self.rounds {
      let curve = random.curve()
      for curve in [curve, curve.inverse, curve.inverse.inverse] {
        let progress = random.number()
        let (value, velocity) = (curve.value(at: progress), curve.velocity(at: progress))
        #expect(curve.value(at: .nan).isNaN && curve.velocity(at: .nan).isNaN)
        switch curve.shape {
        case .steps: #expect(same(velocity, progress.isNaN ? .nan : 0))
        case .piecewiseLinear: break
        default:
          // The others are exact at the ends and hold outside.
          #expect(curve.value(at: 0) == 0 && curve.value(at: 1) == 1)
          let inside = progress.isNaN ? progress : min(max(progress, 0), 1)
          #expect(same(value, curve.value(at: inside)) && same(velocity, curve.velocity(at: inside)))
        }
      }
    }
  }

  @Test(arguments: seeds) func velocitySamplersAnswerAnyNumber(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<Self.rounds {
      var sampler = VelocitySampler<Double>()
      for _ in 0..<4 {
        let (before, value, time) = (sampler.lastTime, random.number(), random.number())
        if sampler.addSample(value, time: time) {
          #expect(sampler.lastTime == time && same(sampler.lastValue ?? 0, value))
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
      if last.isFinite { #expect(same(sampler.velocity(at: last), sampler.velocity)) }
      let time = random.number()
      let way = sampler.velocity(at: time) * 0.25
      #expect(same(sampler.predictedEnd(at: time) ?? 0, (sampler.lastValue ?? 0) + way))
    }
  }

  @Test(arguments: seeds) func animationsAnswerAnyNumber(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var finished = 0
    for _ in 0..<Self.rounds {
      var value = AnimatedValue(random.number())
      for _ in 0..<5 {
        let (target, start) = (random.number(), random.number())
        let animation = random.next() % 8 == 0 ? nil : random.animation()
        value.retarget(to: target, with: animation, at: start)
        #expect(same(value.target, target))
        let time = random.number()
        value.advance(to: time)
        for time in [time, start, random.number(), -.infinity, .infinity] {
          let isFinished = value.isFinished(at: time)
          #expect(isFinished || animation != nil)
          // A finished animation is exactly at its target, and at rest.
          guard isFinished else { continue }
          finished += 1
          #expect(same(value.value(at: time), target) && value.velocity(at: time) == 0)
        }
        _ = (value.endTime, value.logicalEndTime)
      }
    }
    #expect(finished > Self.rounds)
  }

  @Test(arguments: seeds) func keyframesAnswerAnyNumber(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<Self.rounds {
      let numbers = random.numbers(12)
      let (curve, spring, start) = (random.curve(), random.spring(), numbers[10])
      let optional = random.coin() ? nil : numbers[11]
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
      let timeline = KeyframeTimeline(initialValue: start, content: { keyframes(start) })
      let end = timeline.value(time: .infinity)
      #expect(timeline.duration >= 0)
      for time in numbers {
        let (value, velocity) = (timeline.value(time: time), timeline.velocity(time: time))
        // Before the start and after the end a timeline holds.
        if time.isNaN || time < 0 { #expect(same(value, start)) }
        if time > timeline.duration { #expect(same(value, end)) }
        if time < 0 || time > timeline.duration { #expect(velocity == 0) }
        #expect(same(timeline.value(progress: time), timeline.value(time: time * timeline.duration)))
      }
      var player = KeyframePlayer(initialValue: start, keyframes: keyframes)
      var lastStart = 0.0
      var repeating = KeyframePlayer(initialValue: start, repeatingFrom: numbers[0], keyframes: keyframes)
      for time in numbers {
        let (shown, isPlaying, isFirst) = (player.value(at: time), player.isPlaying(at: time), player.timeline == nil)
        player.trigger(at: time)
        // A run takes over from the one before, unless their distance exceeds the largest number.
        if isFirst || isPlaying && abs(time - lastStart) < 1e300 {
          #expect(same(player.timeline?.value(time: -1) ?? 0, shown))
        }
        lastStart = time
        #expect(same(player.value(at: -.infinity), player.timeline?.value(time: -.infinity) ?? 0))
        repeating.pause(at: time)
        #expect(!repeating.isPlaying(at: time))
        #expect(same(repeating.value(at: time), repeating.value(at: 0)))
        repeating.resume(at: random.number())
      }
    }
  }
}
