// SPDX-License-Identifier: MIT
import Murmuration

// Draws of springs, animations, clips and phases, and of faults.
extension RandomProgram {
  // MARK: - Animations

  mutating func spring() -> Spring {
    if chance(0.03) { return Spring(duration: 0, bounce: 0) }
    let regime = chance(0.5) ? .bouncy : one(of: SpringRegime.allCases)
    return Spring(duration: random.logarithmic(0.05...(chance(0.1) ? 10 : 1)), bounce: regime.bounce(&random))
  }

  mutating func animation() -> Animation? {
    if features.contains(.jumps), chance(0.08) { return nil }
    let isEase = !features.contains(.springs) || features.contains(.eases) && chance(0.5)
    // A batch fits pieces to each ease, which takes a while: a program has some, and draws among them.
    if isEase, eases.count < 4 { eases.append(ease()) }
    var animation = isEase ? one(of: eases) : .spring(spring())
    while features.contains(.modifiers), chance(0.25) {
      switch draw(0...4) {
      case 0, 1: animation = animation.delay(chance(0.1) ? -0.25 : Double(draw(0...8)) / 16)
      case 2: animation = animation.speed(random.uniform(0.3...3))
      case 3 where chance(0.7): animation = animation.repeatCount(draw(1...3), autoreverses: chance(0.5))
      case 3: animation = animation.repeatForever(autoreverses: chance(0.5))
      default: animation = animation.logicallyComplete(after: random.uniform(0...1))
      }
    }
    return animation
  }

  private mutating func ease() -> Animation {
    guard chance(0.3) else { return .timingCurve(curve(), duration: duration()) }
    return .interpolatingSpring(spring(), initialVelocity: chance(0.5) ? 0 : random.uniform(-5...5))
  }

  private mutating func duration() -> Double { chance(0.04) ? 0 : Double(draw(1...16)) / 16 }

  /// The named eases, and those of their inverses that have no name.
  private static let eases = NamedEase.all + NamedEase.all.map(\.inverse).filter(\.isInverse)

  mutating func curve() -> UnitCurve {
    if features.contains(.steepCurves), chance(0.2) {
      guard chance(0.5) else { return UnitCurve(.named(one(of: Self.eases))) }
      return chance(0.5) ? .steps(draw(1...5), position: one(of: StepCurve.Position.allCases)) : line()
    }
    if chance(0.7) { return one(of: [.linear, .easeIn, .easeOut, .easeInOut]) }
    return .bezier(startControlPoint: point(), endControlPoint: point())
  }

  private mutating func point() -> UnitPoint { UnitPoint(x: random.uniform(0.1...0.9), y: random.uniform(-1...2)) }

  private mutating func line() -> UnitCurve {
    .linear(
      points: (0..<draw(2...5)).map { _ in
        .init(input: chance(0.5) ? random.uniform(0...1) : nil, output: random.uniform(-0.5...1.5))
      })
  }

  // MARK: - Clips and phases

  mutating func clip() -> Clip? {
    let dimensions = player.dimensions
    let start = (0..<dimensions).map { _ in value() }
    if chance(0.2) {
      // Pieces, perhaps of no length, of which no other clip can be made.
      let lengths = (0..<draw(1...3)).map { _ in chance(0.1) ? 0 : random.uniform(0.05...1) }
      let times = lengths.reduce(into: [0.0]) { $0.append($0[$0.count - 1] + $1) }
      let component = draw(0...dimensions - 1)
      let pieces = lengths.map { _ in SIMD4(value(), random.uniform(-1...1), random.uniform(-1...1), 0) }
      return try? Clip(
        dimensions: dimensions, initialValues: start,
        tracks: [PieceTrack(components: [component], times: times, pieces: [pieces])])
    }
    let keyframes = (0..<dimensions).map { dimension -> [Keyframe<Double>] in
      dimension > 5 || chance(0.1) ? [] : (0..<draw(1...4)).map { _ in keyframe() }
    }
    return try? Clip(initialValues: start, keyframes: keyframes, tolerance: 0x1p-16)
  }

  private mutating func value() -> Double { random.uniform(-magnitude...magnitude) }

  private mutating func keyframe() -> Keyframe<Double> {
    let to = value()
    switch draw(0...7) {
    case 0: return .move(to: to)
    case 1: return .linear(to: to, duration: duration(), timingCurve: .linear)
    case 2, 3: return .linear(to: to, duration: duration(), timingCurve: curve())
    case 4: return .cubic(to: to, duration: duration(), startVelocity: nil, endVelocity: nil)
    case 5: return .cubic(to: to, duration: duration(), startVelocity: value(), endVelocity: value())
    default:
      let spring = Spring(duration: random.uniform(0.05...1), bounce: random.uniform(-0.8...0.9))
      return .spring(
        to: to, duration: chance(0.4) ? nil : duration(), spring: spring,
        startVelocity: chance(0.3) ? value() : nil)
    }
  }

  mutating func phases() -> PhaseSequence? {
    var targets: [[Float]] = []
    for phase in 0..<draw(1...5) {
      targets.append(phase > 0 && chance(0.15) ? targets[phase - 1] : vectors(1, magnitude))
    }
    return try? PhaseSequence(
      dimensions: player.dimensions, targets: targets, animations: targets.map { _ in animation() })
  }

  // MARK: - Faults

  /// A call with a fault in it, which the batch must refuse, unless the call has no place for one.
  mutating func spoiled(_ call: BatchCall) -> BatchCall {
    var call = call
    for _ in 0..<8 where !spoil(&call) {}
    return call
  }

  private mutating func spoil(_ call: inout BatchCall) -> Bool {
    let bad: Double = one(of: [.nan, .infinity, -.infinity])
    let vectors = BatchCall.vectors.last { !call[keyPath: $0].isEmpty }
    switch (draw(0...7), vectors, call.tracks, call.verb) {
    case (0, let path?, _, _):
      call[keyPath: path][draw(0...call[keyPath: path].count - 1)] = chance(0.3) ? 2e15 : Float(bad)
    case (1, let path?, _, _) where chance(0.5): call[keyPath: path] += self.vectors(1, 1)
    case (1, let path?, _, _): call[keyPath: path].removeLast(player.dimensions)
    case (2, _, .tracks(var list)?, _) where !list.isEmpty:
      let dead = player.tracks.indices.filter { !player.isLive($0) }
      list[draw(0...list.count - 1)] = dead.isEmpty || chance(0.3) ? player.tracks.count + 7 : one(of: dead)
      call.tracks = .tracks(list)
    case (3, _, .indices(let range)?, _): call.tracks = .indices(range.lowerBound..<player.batch.indexCount + 1)
    case (4, _, _, _) where !call.springs.isEmpty: call.springs[draw(0...call.springs.count - 1)] = badSpring()
    case (5, _, _, _) where !call.animations.isEmpty:
      call.animations[draw(0...call.animations.count - 1)] =
        chance(0.5) ? .spring(badSpring()) : .linear(duration: bad)
    case (6, _, _, .animate) where !call.numbers.isEmpty:
      call.numbers[draw(0...call.numbers.count - 1)] = chance(0.5) ? -0.5 : bad
    case (6, _, _, _) where !call.numbers.isEmpty: call.numbers[draw(0...call.numbers.count - 1)] = bad
    case (6, _, _, _) where !call.sequences.isEmpty: call.sequences = [77]
    case (6, _, _, _) where !call.clips.isEmpty: call.clips = call.clips.map { _ in 77 }
    case (7, _, _, .advance(let time, let velocities)):
      call.verb = .advance(to: one(of: [bad, -1e11, 1e11, time - 1e6]), velocities: velocities)
    case (7, _, _, .decelerate):
      call.verb = .decelerate(Deceleration(rate: one(of: [0, 1, -1, .nan, 1 - 1e-9])), within: nil)
    case (7, _, _, _) where !call.playbacks.isEmpty: call.playbacks[0].speed = bad
    default: return false
    }
    return true
  }

  private mutating func badSpring() -> Spring {
    let (duration, bounce): (Double, Double) = one(of: [(1, -1), (.nan, 0), (1e7, 0), (-1, 0), (1, .nan)])
    return Spring(duration: duration, bounce: bounce)
  }
}
