// SPDX-License-Identifier: MIT
import Murmuration

/// A track that goes through the phases of a group, by the model: springs in Double, one after another.
///
/// At time 0 the track sets out, from the target of the first phase. The layout `offsets` is left out.
package struct PhaseMotion: Equatable, Sendable {
  /// A phase that the track is sent to.
  package struct Step: Equatable, Sendable {
    /// The index of the phase in the group.
    package let phase: Int
    /// The time at which the track is sent there, in seconds.
    package let start: Double
    /// The time at which it is sent on: the same as `start` after a jump, and where nothing changes.
    package let end: Double
  }

  /// The motion of one component from one moment on.
  private struct Leg: Equatable {
    var start: Double
    var value: Double
    var velocity: Double
    var target: Double
    /// The spring that moves it; nil while it stands.
    var spring: Spring?

    func state(at time: Double) -> (value: Double, velocity: Double) {
      guard let spring else { return (target, 0) }
      var state = (value: value, velocity: velocity)
      let age = max(0, time - start)
      if age > 0 {
        spring.update(value: &state.value, velocity: &state.velocity, target: target, deltaTime: age)
      }
      return state
    }
  }

  /// The steps that begin before the given time, in order.
  package let steps: [Step]
  /// The seconds of one round.
  package let cycle: Double
  /// Seconds until the motion after the last step looks still; infinite for rounds without end.
  package let length: Double
  /// The legs of each component; in the first it stands before the track sets out.
  private var legs: [[Leg]]

  /// The steps of `group` until `time`, or the steps of one round if triggers start it.
  package init(_ group: PhaseGroup, until time: Double) {
    let phases = group.phases
    var starts = [0.0]
    for index in phases.indices {
      starts.append(starts[index] + Self.duration(from: phases[index], to: phases[(index + 1) % phases.count]))
    }
    let round = starts[phases.count]
    cycle = round
    let loops = group.triggers == nil && round > 0
    var steps: [Step] = []
    var number = 0
    while phases.count > 1 {
      let (past, index) = number.quotientAndRemainder(dividingBy: phases.count)
      let base = Double(past) * round
      guard past == 0 || loops, base + starts[index] <= time else { break }
      steps.append(
        Step(phase: (index + 1) % phases.count, start: base + starts[index], end: base + starts[index + 1]))
      number += 1
    }
    self.steps = steps
    legs = phases[0].target.map { [Leg(start: -.infinity, value: $0, velocity: 0, target: $0)] }
    length = loops ? .infinity : round + Self.rest(after: steps.last.flatMap { phases[$0.phase].motion })
    var current = 0
    for step in steps {
      let spring = phases[step.phase].motion
      // A spring to the current target changes nothing.
      if spring == nil || phases[step.phase].target != phases[current].target {
        send(to: phases[step.phase], step.start)
      }
      current = step.phase
    }
  }

  private mutating func send(to phase: PhaseDescription, _ time: Double) {
    for component in legs.indices {
      let state = legs[component][legs[component].count - 1].state(at: time)
      legs[component].append(
        Leg(
          start: time, value: state.value, velocity: state.velocity, target: phase.target[component],
          spring: phase.motion))
    }
  }

  /// The approximate number of steps until `time`.
  package static func stepCount(_ group: PhaseGroup, until time: Double) -> Double {
    let cycle = PhaseMotion(group, until: -1).cycle
    let rounds = group.triggers == nil && cycle > 0 ? (time / cycle).rounded(.up) : 1
    return rounds * Double(group.phases.count)
  }

  /// The value of a component at a time.
  package func value(_ component: Int, at time: Double) -> Double { leg(component, at: time).state(at: time).value }

  /// The velocity of a component at a time, per second.
  package func velocity(_ component: Int, at time: Double) -> Double {
    leg(component, at: time).state(at: time).velocity
  }

  /// The targets of a component and their times: one before time 0, and one at each step that changes it.
  package func targets(_ component: Int) -> [(time: Double, target: Double)] {
    legs[component].map { ($0.start, $0.target) }
  }

  /// The last leg that has begun before a time. The moment between two legs belongs to the earlier one.
  private func leg(_ component: Int, at time: Double) -> Leg {
    let all = legs[component]
    var (low, high) = (0, all.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if all[middle].start < time { low = middle } else { high = middle }
    }
    return all[low]
  }

  /// The seconds of a step: 0 for a jump and where nothing changes.
  private static func duration(from phase: PhaseDescription, to next: PhaseDescription) -> Double {
    phase.target == next.target ? 0 : next.motion?.duration ?? 0
  }

  /// The seconds for which a spring visibly moves on after its duration.
  private static func rest(after spring: Spring?) -> Double {
    guard let spring else { return 0 }
    let settling = spring.settlingDuration
    return min(max(0, settling.isFinite ? settling - spring.duration : .infinity), 3 * spring.duration)
  }
}
