// SPDX-License-Identifier: MIT
package import Murmuration

/// Phases and their animations: the data of a `PhaseSequence`, with the times that follow from the model.
package struct PhasePlan: Sendable {
  /// The values of each phase.
  package let targets: [[Float]]
  /// The animation that leads to each phase; nil for a jump.
  package let animations: [Animation?]
  /// When each step of a round begins, in seconds from the first step, which leads to phase 1; and when the round ends.
  private var stepStarts = [0.0]

  package init(targets: [[Float]], animations: [Animation?]) {
    self.targets = targets
    self.animations = animations
    for step in targets.indices {
      let next = (step + 1) % targets.count
      let way = zip(targets[step], targets[next]).map { Double($1) - Double($0) }
      stepStarts.append(stepStarts[step] + Self.duration(of: animations[next], over: way))
    }
  }

  package var count: Int { targets.count }

  /// The values of each phase, multiplied by factors and moved by offsets, if there are any.
  package func targets(scales: [Float], offsets: [Float]) -> [[Float]] {
    targets.map { target in
      target.enumerated().map { index, value in
        Float(Double(value) * Double(scales[ifPresent: index] ?? 1) + Double(offsets[ifPresent: index] ?? 0))
      }
    }
  }

  /// The duration of a round of all phases in seconds.
  package var cycle: Double { stepStarts[count] }

  /// When a step begins, in seconds from the first step of all; steps are counted through all rounds.
  package func start(ofStep number: Int) -> Double {
    let (round, step) = number.quotientAndRemainder(dividingBy: count)
    return round == 0 ? stepStarts[step] : Double(round) * cycle + stepStarts[step]
  }

  /// Whether nothing is left of a motion after the rounds that a batch does not skip: a spring that hardly decays goes on.
  package var forgets: Bool {
    var exponent = 0.0
    for step in targets.indices {
      guard let animation = animations[(step + 1) % count] else { return true }
      // A modified spring may take a velocity over.
      guard case .spring(let spring) = animation.structure else { continue }
      let rate = spring.duration > 0 ? spring.decayConstant + min(0, spring.angularFrequency) : .infinity
      exponent += rate * (stepStarts[step + 1] - stepStarts[step])
    }
    return exponent * Double(PhaseSequence.longestCatchUp) > 20
  }

  /// Seconds until an animation is logically complete: 0 for a jump, and where nothing changes.
  fileprivate static func duration(of animation: Animation?, over way: [Double]) -> Double {
    guard let animation, way.contains(where: { $0 != 0 }) else { return 0 }
    // The model's duration is shorter if it comes to rest sooner.
    if case .spring(let spring) = animation.structure { return spring.duration }
    return animation.logicalEndTime(value: Components(way), context: AnimationContext())
  }
}

/// The position of one track in its phases, and its next step.
package struct PhaseSchedule: Sendable {
  package enum Step: Equatable, Sendable {
    /// The track leaves for a phase; `isStill` if the step changes nothing.
    case setsOut(phase: Int, isStill: Bool, moment: Double)
    /// A run is over, or a loop whose rounds last no time stops.
    case ends
  }

  package let plan: PhasePlan
  package let loops: Bool
  package private(set) var phase = 0
  /// When the current run set out.
  private var origin: Double
  /// The number of steps of the run so far.
  private var steps = 0
  /// Whether the next step leads back to phase 0, because the run was triggered before its end.
  private var returns = false
  /// Whether a step is still to come.
  private var isRunning: Bool
  /// Seconds of the plan per second.
  package private(set) var speed = 1.0

  /// A track in phase 0. A looping track sets out at a time; other tracks wait until they are triggered.
  package init(_ plan: PhasePlan, startingAt start: Double, loops: Bool) {
    (self.plan, self.loops, origin) = (plan, loops, start)
    isRunning = loops && plan.count > 1
  }

  /// When the next step begins; infinite after the last step.
  package var next: Double { isRunning ? origin + plan.start(ofStep: steps) / speed : .infinity }

  /// When the next step begins that leads to another phase; infinite if the run only ends.
  package var nextChange: Double { isAtEnd ? .infinity : next }

  /// Whether a run is back in phase 0.
  private var isAtEnd: Bool { phase == 0 && steps > 0 && (!loops || plan.cycle == 0) }

  /// Whether the latest step began at the moment of the step before it.
  package var followsAtOnce: Bool { steps > 1 && plan.start(ofStep: steps - 1) == plan.start(ofStep: steps - 2) }

  /// The seconds by which a batch may have a step of a time earlier or later: it adds steps and pauses up on its own
  /// clock from when the run set out, and rounds each time.
  package func rounding(at time: Double) -> Double { 16 * max(abs(time), abs(origin)).ulp }

  /// Whether a step begins at a time of the batch's clock, up to the rounding of that.
  package func isNearStep(_ time: Double, _ now: Double) -> Bool {
    let last = steps > 0 ? origin + plan.start(ofStep: steps - 1) / speed : origin
    return min(abs(next - time), abs(last - time)) <= rounding(at: now)
  }

  /// Runs through all phases once, from a time on. A track under way returns to phase 0 first.
  ///
  /// - Returns: Whether it sets out; a second trigger at the same moment changes nothing.
  package mutating func trigger(at time: Double) -> Bool {
    guard plan.count > 1, next != time else { return false }
    (returns, origin, steps, isRunning, speed) = (loops || isRunning, time, 0, true, 1)
    return true
  }

  /// Goes on at a speed from a time on.
  package mutating func setSpeed(_ speed: Double, at time: Double) {
    origin = time.paced(origin, by: speed / self.speed)
    self.speed = speed
  }

  /// Skips whole rounds of a loop after the first, if there are many until a time: after the remaining ones, nothing is
  /// left of what was before them.
  ///
  /// - Returns: Whether a batch may skip rounds, up to the last one.
  package mutating func skipRounds(until time: Double) -> Bool {
    guard loops, !returns, phase == 0, steps > 0, plan.cycle > 0 else { return false }
    let rounds = ((time - next) * speed / plan.cycle).rounded(.down)
    let kept = Double(PhaseSequence.longestCatchUp)
    if rounds > 2 * kept { steps += Int(rounds - kept) * plan.count }
    return rounds >= kept
  }

  /// The next step of the track until a time; nil without one.
  package mutating func step(until time: Double) -> Step? {
    guard next <= time else { return nil }
    let moment = next
    if isAtEnd {
      isRunning = false
      return .ends
    }
    let following = returns ? 0 : (phase + 1) % plan.count
    let (target, animation) = (plan.targets[following], plan.animations[following])
    // A jump to the same targets would stop a motion.
    let isStill = animation != nil && plan.targets[phase] == target
    if returns {
      origin = moment + (isStill ? 0 : PhasePlan.duration(of: animation, over: target.map { _ in 1 }) / speed)
    } else {
      steps += 1
    }
    (phase, returns) = (following, false)
    return .setsOut(phase: phase, isStill: isStill, moment: moment)
  }
}
