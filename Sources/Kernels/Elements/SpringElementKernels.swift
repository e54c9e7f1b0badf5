// SPDX-License-Identifier: MIT
// Springs of a caller's own columns, by the formulas of batches: `SpringBasis` for ages, `FollowKernel` for steps. So the bits
// are those of a batch.

#if !REAL_TIME_ONLY
  // MARK: - Ages

  /// The numbers of some springs that do not change with their age.
  @usableFromInline struct SpringLanes<I: InstructionSet> {
    @usableFromInline var rate, α, perκ: I.Doubles
    @usableFromInline var decay: I.Floats
    /// All bits set in the lanes of springs of duration 0, which are at their targets at once.
    @usableFromInline var jumps: I.Ints

    @export(implementation) @inline(__always)
    init(_ springs: SpringNumbers, at lane: Int) {
      (rate, perκ, decay) = (I.load(springs.rate, lane), I.load(springs.perκ, lane), I.load(springs.decay, lane))
      α = I.widen(decay) * I.splatDouble(0.6931471805599453)
      // A spring of duration 0 has rate 0.
      let bits = unsafe unsafeBitCast(I.magnitude(I.narrow(rate)), to: I.Ints.self)
      jumps = ~((I.Ints(repeating: 0) &- bits) &>> I.Ints(repeating: 31))
    }

    @export(implementation) @inline(__always)
    func factors<O: Output>(_ ages: I.Floats, now: I.Doubles, _ output: O.Type) -> LaneFactors<I> {
      let start = I.Doubles.zero - I.widen(ages)
      let prepared = I.prepare(start: start, rate: rate, decay: decay, now: now)
      return I.factors(start: start, rate: rate, decay: decay, prepared, now: now, output)
    }
  }

  extension InstructionSet {
    /// Evaluates springs at ages.
    ///
    /// - Parameter now: Seconds that are added to all ages.
    @export(implementation) @inline(__always)
    static func evaluateElements(_ elements: SpringElements, count: Int, now: Double) {
      if elements.newVelocities != nil {
        evaluateElements(elements, count: count, now: now, ValueAndVelocity.self)
      } else {
        evaluateElements(elements, count: count, now: now, ValueOnly.self)
      }
    }

    @inline(never)
    @export(implementation)
    static func evaluateElements<O: Output>(_ elements: SpringElements, count: Int, now: Double, _ output: O.Type) {
      let now = splatDouble(now)
      guard elements.springs.isUniform else {
        return elementLoop(elements, count: count, output) {
          let springs = SpringLanes<Self>(elements.springs, at: $0)
          return (springs, springs.factors(elements.ages.lanes(Self.self, $0), now: now, output))
        }
      }
      let spring = SpringLanes<Self>(elements.springs, at: 0)
      guard elements.ages.mask >= 0 else {
        return elementLoop(elements, count: count, output) {
          (spring, spring.factors(elements.ages.lanes(Self.self, $0), now: now, output))
        }
      }
      let factors = spring.factors(elements.ages.lanes(Self.self, 0), now: now, output)
      elementLoop(elements, count: count, output) { _ in (spring, factors) }
    }

    @export(implementation) @inline(__always)
    static func elementLoop<O: Output>(
      _ elements: SpringElements, count: Int, _: O.Type,
      _ springs: (Int) -> (springs: SpringLanes<Self>, factors: LaneFactors<Self>)
    ) {
      var lane = 0
      while lane < count {
        let (springs, factors) = springs(lane)
        let target = elements.targets.lanes(Self.self, lane) + Floats.zero
        let y = clear(elements.values.lanes(Self.self, lane) - target, where: springs.jumps)
        let velocity = widen(elements.velocities.lanes(Self.self, lane))
        let a = narrow((velocity + springs.α * widen(y)) * springs.perκ)
        let position = fusedMultiplyAdd(factors.value.ofDisplacement, y, factors.value.ofAmplitude * a)
        elements.newValues.store(position + target, at: lane)
        if O.includesVelocity {
          let velocity = fusedMultiplyAdd(
            factors.velocity.ofDisplacement, y, fusedMultiplyAdd(factors.velocity.ofAmplitude, a, Floats.zero))
          unsafe elements.newVelocities.unsafelyUnwrapped.store(velocity, at: lane)
        }
        lane &+= Floats.scalarCount
      }
    }

    // MARK: - Steps

    /// Takes a step of each element towards its target.
    ///
    /// - Parameter seconds: More than 0.
    @export(implementation) @inline(__always)
    static func stepElements(_ elements: StepElements, count: Int, seconds: Double) {
      let length = StepLength(seconds)
      guard elements.springs.isUniform else {
        return stepLoop(elements, count: count) { stepFactors(elements.springs, length, at: $0) }
      }
      let factors = stepFactors(elements.springs, length, at: 0)
      stepLoop(elements, count: count) { _ in factors }
    }

    @export(implementation) @inline(__always)
    static func stepLoop(_ elements: StepElements, count: Int, _ factors: (Int) -> StepFactors<Self>) {
      var lane = 0
      while lane < count {
        let factors = factors(lane)
        let (x, v) = (load(elements.values, lane), load(elements.velocities, lane))
        let y = x - elements.targets.lanes(Self.self, lane)
        elements.values.store(x + (factors.a * y + factors.b * v), at: lane)
        elements.velocities.store(v + (factors.c * y + factors.d * v), at: lane)
        lane &+= Floats.scalarCount
      }
    }

    /// The factors of a step, as `computeAllFactors` has them.
    @export(implementation) @inline(__always)
    static func stepFactors(_ springs: SpringNumbers, _ length: StepLength, at lane: Int) -> StepFactors<Self> {
      let (damping, squaredFrequency) = (load(springs.damping, lane), load(springs.squaredFrequency, lane))
      let short = StepFactors<Self>(short: length, damping, squaredFrequency, load(springs.decay, lane))
      let marks = length.marksOfLong(Self.self, damping, squaredFrequency)
      guard signs(marks) != 0 else { return short }
      return longFactors(springs, length, at: lane).blended(marks &>> Ints(repeating: 31), short)
    }

    @inline(never)
    @export(implementation)
    static func longFactors(_ springs: SpringNumbers, _ length: StepLength, at lane: Int) -> StepFactors<Self> {
      StepFactors(length, rate: load(springs.rate, lane), decay: load(springs.decay, lane))
    }
  }
#endif
