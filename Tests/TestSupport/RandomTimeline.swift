// SPDX-License-Identifier: MIT
package import Murmuration

/// Timelines of all kinds of keyframes, drawn from a seed.
package struct RandomTimeline {
  package var random: SplitMix64
  /// Whether curves that jump or bend sharply may be drawn: they show what comes after that a little early.
  package var allowsJumpingCurves = true
  /// Whether keyframes last from 2⁻³⁰ to 2¹³ seconds, so that short ones come late, where the clock has few digits.
  package var hasWideDurations = false

  package init(seed: UInt64) { random = SplitMix64(seed: seed) }

  package mutating func chance(_ share: Double) -> Bool { random.unit() < share }

  package mutating func spring() -> Spring {
    let bounce = chance(0.2) ? 0 : random.uniform(-0.9...0.95)
    return Spring(duration: random.uniform(0.05...2), bounce: bounce)
  }

  package mutating func curve() -> UnitCurve {
    let named = UnitCurve.named.map(\.curve).filter { curve in
      guard !allowsJumpingCurves, case .named(let ease) = curve.shape else { return true }
      return ![.expo, .elastic, .bounce].contains(ease.family)
    }
    if chance(0.5) { return named[Int(random.next() % UInt64(named.count))] }
    if allowsJumpingCurves, chance(0.3) {
      if chance(0.5) {
        let positions = StepCurve.Position.allCases
        return .steps(Int(random.next() % 6), position: positions[Int(random.next() % UInt64(positions.count))])
      }
      return .linear(
        points: (0..<Int(random.next() % 6)).map { _ in
          PiecewiseLinearCurve.Point(
            input: chance(0.5) ? random.uniform(0...1) : nil, output: random.uniform(-0.5...1.5))
        })
    }
    func coordinate(_ range: ClosedRange<Double>) -> Double {
      chance(0.2) ? (chance(0.5) ? 0 : 1) : random.uniform(range)
    }
    return .bezier(
      startControlPoint: UnitPoint(x: coordinate(0...1), y: coordinate(-1...2)),
      endControlPoint: UnitPoint(x: coordinate(0...1), y: coordinate(-1...2)))
  }

  package mutating func duration() -> Double {
    if hasWideDurations {
      let exponent = Int(random.uniform(-30...13))
      return chance(0.05) ? 0 : Double(sign: .plus, exponent: exponent, significand: random.uniform(1...2))
    }
    return chance(0.05)
      ? 0 : chance(0.1) ? random.uniform(1e-7...1e-5) : random.uniform(0.01...2)
  }

  /// Up to `count` keyframes to values of about a size, from a vector of draws.
  package mutating func sequence<Value: Animatable>(
    count: Int, _ value: (inout RandomTimeline) -> Value
  ) -> KeyframeSequence<Value> {
    var sequence = KeyframeSequence<Value>()
    for _ in 0..<count {
      let to = value(&self)
      switch random.next() % 8 {
      case 0: MoveKeyframe(to).append(to: &sequence)
      case 1: LinearKeyframe(to, duration: duration()).append(to: &sequence)
      case 2, 3: LinearKeyframe(to, duration: duration(), timingCurve: curve()).append(to: &sequence)
      case 4: CubicKeyframe(to, duration: duration()).append(to: &sequence)
      case 5:
        CubicKeyframe(to, duration: duration(), startVelocity: value(&self), endVelocity: value(&self))
          .append(to: &sequence)
      case 6:
        SpringKeyframe(
          to, duration: chance(0.5) ? duration() : nil, spring: spring(),
          startVelocity: chance(0.3) ? value(&self) : nil
        ).append(to: &sequence)
      default: SpringKeyframe(to, duration: duration() * 0.3, spring: spring()).append(to: &sequence)
      }
    }
    return sequence
  }

  package mutating func number() -> Double { chance(0.1) ? 0 : random.uniform(-100...100) }
}

/// Times of a timeline at which something could go wrong: ends from both sides, and many times in between.
///
/// - Parameter boundaries: Other moments to look at from both sides.
package func telltaleTimes(
  ends: [Double], boundaries: [Double] = [], random: inout SplitMix64, count: Int = 60
) -> [Double] {
  var times = [-1.0, -0.0, 0, .leastNonzeroMagnitude, .greatestFiniteMagnitude]
  var start = 0.0
  for end in ends {
    times += [end.nextDown, end, end.nextUp, end + 1e-9]
    for _ in 0..<max(4, count / max(1, ends.count)) { times.append(start + (end - start) * random.unit()) }
    start = end
  }
  for boundary in boundaries {
    for ulps in [-4.0, -2, -1, 0, 1, 2, 4] { times.append(boundary + ulps * boundary.ulp) }
  }
  return times + [start + 1]
}

extension SplitMix64 {
  /// A playback of any kind: at any speed, also 0, repeated or not, autoreversing or not.
  ///
  /// - Parameter time: A time near which it may start; nil if it starts with the call.
  package mutating func playback(near time: Double? = nil) -> Playback {
    var playback = Playback()
    if let time, unit() < 0.3 { playback.start = time + uniform(-2...2) }
    if unit() < 0.3 { playback.delay = uniform(-0.5...1.5) }
    if unit() < 0.6 { playback.speed = uniform(-2...3) }
    if unit() < 0.05 { playback.speed = 0 }
    if unit() < 0.7 { playback.repetition = unit() < 0.5 ? .forever : .count(1 + Int(next() % 4)) }
    playback.autoreverses = unit() < 0.5
    if unit() < 0.3 { playback.timeOffset = uniform(-1...5) }
    playback.holdsBefore = unit() < 0.5
    playback.holdsAfter = unit() < 0.5
    return playback
  }
}
