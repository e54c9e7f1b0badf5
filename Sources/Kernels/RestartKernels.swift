// SPDX-License-Identifier: MIT
// New motions for whole tiles, from their current values and velocities. The amplitude (v₀ + α·y₀)/κ is computed in
// Double and rounded once: towards the critical case it is large, and the velocity is computed from it.

/// The rule that turns a displacement and a velocity into an amplitude.
public struct AmplitudeRule: Sendable, BitwiseCopyable {
  /// α, per second.
  public let α: Double
  /// 1/κ, seconds; 0 for a spring of duration 0, which is at its target at once and keeps a displacement and amplitude
  /// of 0.
  public let perκ: Double

  public init(α: Double, perκ: Double) {
    self.α = α
    self.perκ = perκ
  }

  /// The largest velocity that a motion starts with. Without it, a very long chain of retargets between the stiffest
  /// and the softest spring could leave the range of Float.
  @export(implementation) public static var largestVelocity: Float { 1e20 }
}

/// A spring and a start that all lanes of a run get.
public struct UniformStart: Sendable {
  /// As in ``SpringColumns``.
  public let start: Double
  public let rate: Double
  public let decay: Float
  public let rule: AmplitudeRule
  /// Whether the lanes have this spring already, and none of them is at rest.
  public let keepsSpring: Bool

  public init(start: Double, rate: Double, decay: Float, rule: AmplitudeRule, keepsSpring: Bool) {
    (self.start, self.rate, self.decay, self.rule, self.keepsSpring) = (start, rate, decay, rule, keepsSpring)
  }
}

extension InstructionSet {
  @export(implementation) @inline(__always)
  static func startingVelocity(_ columns: SpringColumns, _ element: Int) -> Floats {
    let largest = splat(AmplitudeRule.largestVelocity)
    return minimum(maximum(load(columns.velocity, element), Floats.zero - largest), largest)
  }

  @export(implementation) @inline(__always)
  static func loadTargets(_ targets: ConstantColumn<Float>, _ index: Int) -> Floats {
    // The sum makes −0 a plain 0: otherwise the sign of a value at rest would follow a phase that goes on.
    targets.lanes(at: index, as: Floats.self) + Floats.zero
  }

  /// Starts a run with one spring towards consecutive targets.
  ///
  /// - Parameters:
  ///   - targets: The target of the first lane in dimension 0.
  ///   - stride: Floats from the targets of one dimension to the targets of the next.
  @export(implementation) @inline(__always)
  public static func restartUniform(
    _ columns: SpringColumns, _ run: LaneRun, _ start: UniformStart, _ targets: ConstantColumn<Float>, stride: Int
  ) {
    guard run.stores == .ordinary else {
      return restartUniform(columns, run, start, targets, stride: stride, PastCaches.self)
    }
    return restartUniform(columns, run, start, targets, stride: stride, Ordinary.self)
  }

  @export(implementation) @inline(__always)
  static func restartUniform<W: StoreWay>(
    _ columns: SpringColumns, _ run: LaneRun, _ start: UniformStart, _ targets: ConstantColumn<Float>, stride: Int,
    _: W.Type
  ) {
    (columns.start + run.firstLane).update(repeating: start.start, count: run.laneCount)
    if !start.keepsSpring {
      (columns.rate + run.firstLane).update(repeating: start.rate, count: run.laneCount)
      (columns.decay + run.firstLane).update(repeating: start.decay, count: run.laneCount)
    }
    let (α, perκ) = (splatDouble(start.rule.α), splatDouble(start.rule.perκ))
    let jumps = Ints(repeating: start.rule.perκ == 0 ? -1 : 0)
    var element = run.firstLane
    var first = 0
    var columns = columns
    for _ in 0..<columns.dimensions {
      var index = 0
      while index < run.laneCount {
        // The runs of a call are short, and the processor sees each for itself.
        columns.value.prefetch(element &+ index &+ 128)
        columns.velocity.prefetch(element &+ index &+ 128)
        let target = loadTargets(targets, first &+ index)
        let y = clear(load(columns.value, element &+ index) - target, where: jumps)
        let v = startingVelocity(columns, element &+ index)
        let a = clear(narrow((widen(v) + α * widen(y)) * perκ), where: jumps)
        W.store(Self.self, target, to: columns.target + (element &+ index))
        W.store(Self.self, y, to: columns.displacement + (element &+ index))
        W.store(Self.self, a, to: columns.amplitude + (element &+ index))
        index &+= Floats.scalarCount
      }
      element &+= columns.dimensionStride
      columns.moveStarts()
      first &+= stride
    }
  }

  /// Starts a run of lanes towards consecutive targets; each lane keeps its spring.
  @export(implementation) @inline(__always)
  public static func restartMixed(
    _ columns: SpringColumns, _ run: LaneRun, now: Double, _ targets: ConstantColumn<Float>, stride: Int
  ) {
    var index = 0
    while index < run.laneCount {
      let lane = run.firstLane &+ index
      let rate = load(columns.rate, lane)
      let oldDecay = load(columns.decay, lane)
      let decay = magnitude(oldDecay)
      let α = widen(decay) * splatDouble(0.6931471805599453)
      let perκ = splatDouble(1) / κ(ofRate: rate)
      // A spring of duration 0 has rate 0.
      let bits = unsafe unsafeBitCast(magnitude(narrow(rate)), to: Ints.self)
      let jumps = ~((Ints(repeating: 0) &- bits) &>> Ints(repeating: 31))
      columns.start.store(splatDouble(now), at: lane)
      // Few lanes are at rest, which a sign says.
      if unsafe signs(unsafeBitCast(oldDecay, to: Ints.self)) != 0 {
        columns.decay.store(decay, at: lane)
      }
      var (element, start) = (lane, lane)
      var first = index
      forEachDimension(columns.dimensions) {
        let target = loadTargets(targets, first)
        let y = clear(load(columns.value, element) - target, where: jumps)
        let a = clear(narrow((widen(startingVelocity(columns, element)) + α * widen(y)) * perκ), where: jumps)
        columns.target.store(target, at: element)
        columns.displacement.store(y, at: start)
        columns.amplitude.store(a, at: start)
        element &+= columns.dimensionStride
        start &+= columns.startStride
        first &+= stride
      }
      index &+= Floats.scalarCount
    }
  }
}
