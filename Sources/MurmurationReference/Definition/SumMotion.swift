// SPDX-License-Identifier: MIT
package import Murmuration

/// A track whose target is changed by animations of any kind, as in the model's ``AnimatedValue``: effects add up, and
/// springs take over. With each state it gives the error that a batch may have.
package struct SumMotion: ReferenceMotion {
  /// The tolerance of curves, as a share of the way.
  private let curveTolerance: Double
  package private(set) var value: AnimatedValue<Components>
  /// The animations since the track stood still, with their targets and the times at which they began.
  private(set) var entries: [Entry] = []
  /// The run of the modified springs that took over from their likes, and the number of these, with the first.
  private var merged: (value: AnimatedValue<Components>, count: Int)?
  /// An error that was 1 when the track set out, as it is left. A modified spring goes on from the error of the one before.
  private var errorLeft = AnimatedValue(Components([1, 0]))
  /// The state in which the track stood, with the errors that the batch started with.
  private var origin: [MotionSample]
  /// The motion to which effects are added, and the time from which on the model may have it at its end; nil if the
  /// track stood still.
  private var continued: (motion: any RestingMotion, mayEndAt: Double)?
  /// One more component of targets, which a change to the same target changes: a motion that ends where it began is a
  /// motion too.
  private var tail = 0.0
  /// The largest magnitude of a value or a target so far.
  private var largest = 0.0

  struct Entry {
    let animation: Animation
    let target: [Double]
    let start: Double
    /// The scale of the motion of a modified spring that takes over from its like, by dimension; empty for other effects.
    var scales: [Double] = []
  }

  /// A track that stands still where other motions have brought it.
  package init(at samples: [MotionSample], curveTolerance: Double) {
    value = AnimatedValue(Components(samples.map(\.value)))
    (origin, self.curveTolerance) = (samples.map(\.standing), curveTolerance)
  }

  /// A track that continues another motion, to which effects can be added.
  ///
  /// - Parameter end: The first time at which a batch may have the other motion at its end for good.
  package init(continuing other: any RestingMotion, mayEndAt end: Double, at time: Double, curveTolerance: Double) {
    self.init(at: other.samples(at: time), curveTolerance: curveTolerance)
    (value, continued) = (other.model, (other, end))
  }

  /// Whether the track stood still before the first effect.
  package var stood: Bool { continued == nil }

  /// Whether an animation takes over from the only effect if the track stood before that, and adds to it if it moved, and
  /// a batch may have done one or the other.
  func mayBeTakenOver(by animation: Animation) -> Bool {
    guard let continued, entries.count == 1, continued.mayEndAt <= entries[0].start else { return false }
    var context = AnimationContext<Double>()
    return animation.shouldMerge(previous: entries[0].animation, value: 1, time: 0, context: &context)
  }

  // MARK: - Changes

  /// Sends the track to a target; nil jumps.
  package mutating func animate(to target: [Double], with animation: Animation?, at time: Double) {
    // A change at the end of a curve finds it finished, though the curve still has its velocity then. An animation that
    // has not begun yet starts from the given values.
    if animation == nil || !entries.isEmpty && (time >= value.endTime || value.isFinished(at: time)) {
      forgetEntries()
      origin = origin.indices.map { MotionSample(value: value.target[$0]) }
      // A spring takes over the velocity with which a curve ends; any other motion starts from where the track stands.
      if case .spring? = animation?.structure {} else { value = AnimatedValue(value.target) }
    }
    note(at: time)
    // An animation that begins at the very moment of the first replaces it.
    if continued == nil, entries.first?.start == time { forgetEntries() }
    // An effect to the same target, or back to where the track stood, takes its time too.
    let isAlone = entries.isEmpty && continued == nil
    if origin.indices.allSatisfy({ (isAlone ? origin[$0].value : value.target[$0]) == target[$0] }) { tail += 1 }
    value.retarget(to: Components(target + [tail]), with: animation, at: time)
    if let animation, continued == nil, entries.count == 1, isBegun(by: animation, at: time) {
      entries[0] = Entry(animation: animation, target: target, start: entries[0].start)
    } else if let animation {
      var entry = Entry(animation: animation, target: target, start: time)
      if !entries.isEmpty, value.activeAnimationCount == 1 {
        let (shown, velocity) = (value.value(at: time), value.velocity(at: time))
        entry.scales = target.indices.map {
          max(abs(target[$0] - shown[$0]), abs(velocity[$0]) * animation.secondsOfRadian)
        }
        merged = (value, entries.count + 1)
      }
      entries.append(entry)
      errorLeft.retarget(to: Components([0, Double(entries.count)]), with: animation, at: time)
    }
    note(at: time)
  }

  /// Whether a run begins with an animation that takes over from its first one, which still waits.
  private func isBegun(by animation: Animation, at time: Double) -> Bool {
    let (first, age) = (entries[0].animation, time - entries[0].start)
    var context = AnimationContext<Double>()
    return first.share(at: age) == 0 && first.pace(at: age) == 0
      && animation.shouldMerge(previous: first, value: 1, time: age, context: &context)
  }

  private mutating func forgetEntries() {
    (entries, errorLeft, continued, merged) = ([], .init(Components([1, 0])), nil, nil)
  }

  /// Notes the magnitudes at a time.
  private mutating func note(at time: Double) {
    let shown = value.value(at: time)
    for dimension in origin.indices { largest = max(largest, abs(shown[dimension]), abs(value.target[dimension])) }
  }

  package mutating func advance(to time: Double) { value.advance(to: time) }

  package func paced(by ratio: Double, at time: Double) -> SumMotion {
    var motion = self
    motion.value.pace(by: ratio, at: time)
    motion.errorLeft.pace(by: ratio, at: time)
    motion.entries = entries.map {
      Entry(
        animation: $0.animation.paced(by: ratio), target: $0.target, start: time.paced($0.start, by: ratio),
        scales: $0.scales)
    }
    motion.merged?.value.pace(by: ratio, at: time)
    motion.continued = continued.map {
      ($0.motion.paced(by: ratio, at: time), time.paced($0.mayEndAt, by: ratio))
    }
    return motion
  }

  // MARK: - Reading

  package func standing(at time: Double, _ tolerance: RestTolerances) -> Standing {
    // What takes no time is over at its very moment.
    if value.isFinished(at: time) || entries.last?.start == time && value.hasArrived(at: time) { return .stands }
    return value.isFinished(at: time + 8 * time.ulp) ? .unknown : .moves
  }

  package func samples(at time: Double) -> [MotionSample] {
    // Where a curve jumps or ends, both sides may show: the age of an effect is rounded.
    let margin = 4 * max(time.ulp, 1.0.ulp) + (entries.last.map { 0x1p-22 * (time - $0.start) } ?? 0)
    func states(at time: Double) -> [MotionSample] {
      let (value, velocity) = (value.value(at: time), value.velocity(at: time))
      return bounds(at: time).enumerated().map { dimension, bound in
        var sample = MotionSample(value: value[dimension], velocity: velocity[dimension], bound: bound)
        // A spring that took over may be faster than the sum of the effects.
        sample.bound.velocity = max(bound.velocity, 2 * ErrorBound.unit * abs(velocity[dimension]))
        return sample
      }
    }
    let shown = states(at: time)
    return shown.allowing(states(at: time - margin)).allowing(states(at: time + margin))
  }

  /// The error of the motion to which effects are added, and of the kernels that add them.
  ///
  /// An effect that covers the share p of the way d, starting from x, the value of everything before it, gives x + p ·
  /// d, and in velocity v · (1 − p) + d · dp/dt. So an error in x counts 1 − p times, and an error in p counts d times.
  /// In velocity an error in v counts 1 − p times, one in x dp/dt times, one in p v times, and one in dp/dt d times.
  /// Each rounding is that of a product or a sum of these. An effect that is over shows its goal: no error from before
  /// it is left.
  private func bounds(at time: Double) -> [ErrorBound] {
    let effects = entries.map { entry in
      let (animation, age) = (entry.animation, time - entry.start)
      let (pace, end) = (animation.pace(at: age), animation.endTime(value: 1.0, context: AnimationContext()))
      var share = animation.share(at: age)
      // A spring that takes over comes to rest later than one that starts from rest.
      if share == nil, !entry.scales.isEmpty { share = value.isFinished(at: time) ? nil : 1 }
      var own = animation.bound(tolerance: curveTolerance)
      // Within two ticks of its start, of which a batch counts 2³² until its end or in a round, it may not move yet.
      let round = end < .infinity ? end : animation.round
      if round < .infinity, age <= 0x1p-31 * round {
        own.velocity += abs(pace)
        own.value += abs(share ?? 1)
      }
      return (entry, share, pace, own)
    }
    var left = ErrorBound()
    if entries.count > 1, continued == nil {
      left = ErrorBound(value: abs(errorLeft.value(at: time)[0]), velocity: abs(errorLeft.velocity(at: time)[0]))
    }
    var bases = continued?.motion.samples(at: time) ?? origin
    if let continued, time >= continued.mayEndAt {
      // A batch may show the end or still the motion, with its error, and so may the model.
      for (dimension, end) in continued.motion.ends.enumerated() {
        let way = abs(bases[dimension].value - end.value)
        bases[dimension].bound.add(ErrorBound(value: way, velocity: abs(bases[dimension].velocity)))
      }
    }
    let unit = ErrorBound.unit
    let run = merged.map { (value: $0.value.value(at: time), velocity: $0.value.velocity(at: time), count: $0.count) }
    return bases.enumerated().map { dimension, base in
      var (x, v, bound) = (base.value, base.velocity, base.bound)
      for (index, (entry, share, pace, own)) in effects.enumerated() {
        let goal = entry.target[dimension]
        guard let p = share else {
          (x, v, bound) = (goal, 0, ErrorBound())
          continue
        }
        let way = goal - x
        // What a spring takes over from is no sum of shares.
        let reach = max(abs(way), entry.scales.isEmpty ? 0 : entry.scales[dimension])
        bound = ErrorBound(
          value: ErrorBound.passed(bound.value, by: 1 - p) + ErrorBound.passed(own.value, by: reach + bound.value)
            + 2 * unit * (abs(p * goal) + (1 + abs(p)) * abs(x)),
          velocity: ErrorBound.passed(bound.velocity, by: 1 - p) + ErrorBound.passed(bound.value, by: pace)
            + ErrorBound.passed(own.value, by: abs(v) + bound.velocity)
            + ErrorBound.passed(own.velocity, by: reach + bound.value)
            + 4 * unit * (abs(way * pace) + (1 + abs(p)) * abs(v)))
        (x, v) = (x + way * p, v * (1 - p) + way * pace)
        if let run, index + 1 == run.count { (x, v) = (run.value[dimension], run.velocity[dimension]) }
      }
      bound.value = max(bound.value, base.bound.value * left.value) + 2 * ErrorBound.rounding(of: max(largest, abs(x)))
      bound.velocity = max(bound.velocity, base.bound.value * left.velocity)
      return bound
    }
  }
}
