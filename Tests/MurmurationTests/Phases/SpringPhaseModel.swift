// SPDX-License-Identifier: MIT
@testable import Murmuration

/// One track of a sequence of springs and jumps, as it has to play: its steps, and in Double what it shows, with the bounds
/// that springs promise and what earlier motions hand on.
struct SpringPhaseModel {
  /// The springs to each phase; nil for a jump.
  private let springs: [Spring?]
  /// What the track heads for, by phase and dimension.
  private let targets: [[Float]]
  /// Whether the step to a phase changes nothing in the sequence.
  private let sequence: [[Float]]
  private let loops: Bool

  private var motions: [ExactMotion]
  private(set) var phase = 0
  /// When the next step begins, as the sum of an origin, whole rounds and the steps of one.
  private(set) var next: Double
  private var origin: Double
  private var round = 0
  private var returns = false
  private var isRunning = false
  private var pause: Double?

  /// The steps and completions since the last look.
  private(set) var changes: [(phase: Int, time: Double)] = []
  private(set) var completions = 0

  /// - Parameters:
  ///   - sequence: The targets of each phase, by dimension.
  ///   - targets: What the track makes of them.
  init(_ springs: [Spring?], sequence: [[Float]], targets: [[Float]], start: Double, loops: Bool) {
    (self.springs, self.sequence, self.targets, self.loops) = (springs, sequence, targets, loops)
    motions = targets[0].map { ExactMotion(Motion(value: $0, target: $0), start: start) }
    origin = start
    next = loops ? start : .infinity
  }

  private func isStill(from: Int, to phase: Int) -> Bool { springs[phase] != nil && sequence[from] == sequence[phase] }

  /// How long the step to a phase lasts in its turn.
  private func duration(to phase: Int) -> Double {
    isStill(from: (phase + springs.count - 1) % springs.count, to: phase) ? 0 : springs[phase]?.duration ?? 0
  }

  private var roundDuration: Double { springs.indices.reduce(0) { $0 + duration(to: $1) } }

  // MARK: - Time

  mutating func play(to time: Double) {
    while pause == nil, next <= time {
      if returns {
        returns = false
        let isStill = isStill(from: phase, to: 0)
        setOut(0, isStill: isStill)
        origin = next + (isStill ? 0 : springs[0]?.duration ?? 0)
        (round, next) = (0, origin)
      } else if phase == 0, round > 0, !loops {
        completions += 1
        isRunning = false
        next = .infinity
      } else {
        let following = (phase + 1) % springs.count
        setOut(following, isStill: isStill(from: phase, to: following))
        if phase == 0 { round += 1 }
        // Behind phase 0 stands the first step of the next round.
        let before = phase == 0 ? 0 : (1...phase).reduce(0) { $0 + duration(to: $1) }
        next = origin + Double(round) * roundDuration + before
      }
    }
  }

  private mutating func setOut(_ phase: Int, isStill: Bool) {
    changes.append((phase, next))
    self.phase = phase
    guard !isStill else { return }
    for dimension in motions.indices {
      let target = targets[phase][dimension]
      motions[dimension] =
        springs[phase].map { ExactMotion(after: motions[dimension], at: next, spring: $0, target: target) }
        ?? ExactMotion(Motion(value: target, target: target), start: next)
    }
  }

  /// Forgets what was looked at.
  mutating func forgetEvents() {
    changes = []
    completions = 0
  }

  // MARK: - Calls

  mutating func trigger(at time: Double) {
    guard pause == nil, next != time else { return }
    returns = loops || isRunning
    isRunning = true
    (round, origin, next) = (0, time, time)
  }

  mutating func pause(at time: Double) { pause = pause ?? time }

  mutating func resume(at time: Double) {
    guard let since = pause else { return }
    pause = nil
    origin += time - since
    next += time - since
    for dimension in motions.indices {
      motions[dimension].start += time - since
    }
  }

  // MARK: - What is shown

  /// How far a value and a velocity of a dimension are from what they should be, in units of their bounds.
  func excess(_ dimension: Int, value: Float, velocity: Float, at time: Double) -> Double {
    let motion = motions[dimension]
    let state = motion.state(at: pause ?? time)
    let bounds = motion.bounds(at: pause ?? time)
    let distance = abs(Double(value) - state.value)
    guard pause == nil else { return velocity == 0 ? distance / bounds.value : .infinity }
    let speed = abs(Double(velocity) - state.velocity)
    return max(distance / bounds.value, speed == 0 ? 0 : speed / bounds.velocity)
  }
}
