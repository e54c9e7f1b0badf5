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

    /// The first step to the factors, which a core can take while it takes the second one for lanes before.
    @export(implementation) @inline(__always)
    func prepared(_ ages: I.Floats, now: I.Doubles) -> Prepared<I> {
      I.prepare(start: I.Doubles.zero - I.widen(ages), rate: rate, decay: decay, now: now)
    }

    @export(implementation) @inline(__always)
    func factors<O: Output>(
      _ prepared: Prepared<I>, _ ages: I.Floats, now: I.Doubles, _ output: O.Type
    ) -> LaneFactors<I> {
      I.factors(start: I.Doubles.zero - I.widen(ages), rate: rate, decay: decay, prepared, now: now, output)
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
      @inline(__always)
      func own(_ lane: Int) -> SpringLanes<Self> { SpringLanes(elements.springs, at: lane) }
      guard elements.springs.isUniform else {
        return preparedLoop(elements, count: count, now: now, output, own)
      }
      let spring = own(0)
      @inline(__always)
      func same(_ lane: Int) -> SpringLanes<Self> { spring }
      guard elements.ages.mask >= 0 else {
        return preparedLoop(elements, count: count, now: now, output, same)
      }
      let ages = elements.ages.lanes(Self.self, 0)
      let factors = spring.factors(spring.prepared(ages, now: now), ages, now: now, output)
      var lane = 0
      while lane < count {
        finish(elements, spring, factors, at: lane, output)
        lane &+= Floats.scalarCount
      }
    }

    /// Prepares one vector while it finishes the one before.
    @export(implementation) @inline(__always)
    static func preparedLoop<O: Output>(
      _ elements: SpringElements, count: Int, now: Doubles, _ output: O.Type, _ springs: (Int) -> SpringLanes<Self>
    ) {
      var (lane, next) = (0, springs(0).prepared(elements.ages.lanes(Self.self, 0), now: now))
      while lane < count {
        let (prepared, following) = (next, lane &+ Floats.scalarCount)
        // The last vector is prepared again.
        let ahead = following < count ? following : lane
        next = springs(ahead).prepared(elements.ages.lanes(Self.self, ahead), now: now)
        let springs = springs(lane)
        let factors = springs.factors(prepared, elements.ages.lanes(Self.self, lane), now: now, output)
        finish(elements, springs, factors, at: lane, output)
        lane = following
      }
    }

    @export(implementation) @inline(__always)
    static func finish<O: Output>(
      _ elements: SpringElements, _ springs: SpringLanes<Self>, _ factors: LaneFactors<Self>, at lane: Int, _: O.Type
    ) {
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
    }

    // MARK: - Steps

    /// Takes a step of each element towards its target.
    ///
    /// - Parameter seconds: More than 0.
    @export(implementation) @inline(__always)
    static func stepElements(_ elements: StepElements, count: Int, seconds: Double) {
      if let steps = elements.steps {
        return stepLoop(elements, count: count) { StepFactors(steps.factors, stride: steps.stride, at: $0) }
      }
      let length = StepLength(seconds)
      guard elements.springs.isUniform else {
        return stepLoop(elements, count: count) { stepFactors(elements.springs, length, at: $0) }
      }
      let factors = stepFactors(elements.springs, length, at: 0)
      stepLoop(elements, count: count) { _ in factors }
    }

    /// Computes the factors of a step of each spring.
    @export(implementation) @inline(__always)
    static func keepSteps(_ springs: SpringNumbers, count: Int, seconds: Double, _ steps: StepNumbers) {
      let length = StepLength(seconds)
      var lane = 0
      while lane < count {
        stepFactors(springs, length, at: lane).store(steps.factors, stride: steps.stride, at: lane)
        lane &+= Floats.scalarCount
      }
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
