// SPDX-License-Identifier: MIT
package import Murmuration

/// Sends the tracks of a ``CurveBatch`` to random targets by random animations, in mid-run and at rest, and compares what
/// they show with the model.
package struct CurveCheck {
  private let set: KernelSet

  /// A check of batches that run on one instruction set.
  package init(set: KernelSet) { self.set = set }

  private static let tracks = 64
  private static let frames = 120

  /// Plays batches until so many values were compared.
  ///
  /// - Returns: Values and velocities, as shares of their bounds.
  package func tracks(samples: Int, seed: UInt64) throws -> [CheckResult] {
    func result(_ kind: String) -> CheckResult {
      CheckResult(name: "curves.\(kind)", isa: set.rawValue, unit: "of the bound", bound: 1)
    }
    var (value, velocity) = (result("value"), result("velocity"))
    var seeds = SplitMix64(seed: seed)
    while value.samples < samples {
      try play(seed: seeds.next(), &value, &velocity)
    }
    return [value, velocity]
  }

  private func play(seed: UInt64, _ value: inout CheckResult, _ velocity: inout CheckResult) throws {
    var random = SplitMix64(seed: seed)
    var batch = try CurveBatch(dimensions: 2, kernels: set)
    let places = (0..<2 * Self.tracks).map { _ in Float(random.uniform(-100...100)) }
    let handles = try batch.add(values: places.span)
    var models = (0..<Self.tracks).map {
      SumMotion([places[$0], places[Self.tracks + $0]], curveTolerance: batch.curveTolerance)
    }
    var changes = [String](repeating: "none", count: Self.tracks)
    for frame in 0..<Self.frames {
      for track in 0..<Self.tracks where random.unit() < 0.05 {
        let target = SIMD2<Float>(Float(random.uniform(-100...100)), Float(random.uniform(-100...100)))
        let animation = random.unit() < 0.1 ? nil : random.animation()
        try batch.retarget(handles[track], to: target, with: animation)
        models[track].animate(to: [Double(target.x), Double(target.y)], with: animation, at: batch.time)
        changes[track] = animation.map { "\($0)" } ?? "a jump"
      }
      try batch.advance(by: random.uniform(0...0.1))
      for (track, handle) in handles.enumerated() {
        models[track].advance(to: batch.time)
        models[track].evaluation = try batch.isLane(handle) ? .fitted : .called
        let (shown, moving): (SIMD2<Float>, SIMD2<Float>) = (
          try batch.value(of: handle), try batch.velocity(of: handle)
        )
        let excess = models[track].excess(
          values: [shown.x, shown.y], velocities: [moving.x, moving.y], at: batch.time)
        func place() -> String {
          "batch of seed \(seed), frame \(frame), track \(track), last change \(changes[track])"
        }
        value.record(excess.value, place())
        velocity.record(excess.velocity, place())
      }
    }
  }
}

extension SplitMix64 {
  /// A random animation: a curve or a spring, with and without modifiers.
  fileprivate mutating func animation() -> Animation {
    var animation = base()
    for _ in 0..<next() % 3 {
      switch next() % 4 {
      case 0: animation = animation.delay(uniform(0...0.3))
      case 1: animation = animation.speed(uniform(0.3...3))
      case 2: animation = animation.repeatCount(1 + Int(next() % 4), autoreverses: next() & 1 == 0)
      default: animation = animation.logicallyComplete(after: uniform(0...0.5))
      }
    }
    return next() % 10 == 0 ? animation.repeatForever(autoreverses: next() & 1 == 0) : animation
  }

  private mutating func base() -> Animation {
    let duration = uniform(0.05...1)
    switch next() % 8 {
    case 0: return .linear(duration: duration)
    case 1: return .easeInOut(duration: duration)
    case 2: return .timingCurve(.circularEaseOut, duration: duration)
    case 3, 4:
      return .timingCurve(unit(), uniform(-0.5...1.5), unit(), uniform(-0.5...1.5), duration: duration)
    case 5: return .timingCurve(.steps(1 + Int(next() % 5)), duration: duration)
    case 6: return .spring(duration: duration, bounce: uniform(-0.8...0.8))
    default:
      return .interpolatingSpring(duration: duration, bounce: uniform(-0.5...0.8), initialVelocity: uniform(-5...5))
    }
  }
}
