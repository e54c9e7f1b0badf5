// SPDX-License-Identifier: MIT

/// A sequence of targets, and the animation to each of them: what SwiftUI's phase animator plays.
///
/// ```swift
/// let pulse = try PhaseSequence([1.0, 1.4, 0.9], target: { Float($0) }, animation: { $0 > 1 ? .bouncy : .smooth })
/// ```
///
/// The step to a phase lasts until its animation is logically complete: for the duration of a curve or of a spring,
/// although a spring still settles then. A step takes no time if it has no animation, or if it changes nothing because the
/// phase before has the same targets. After the last phase, a step leads back to the first.
public struct PhaseSequence: Sendable {
  /// Components of each value.
  public let dimensions: Int
  /// The number of phases, at least one.
  public let phaseCount: Int
  /// The animation to each phase; nil for a jump.
  public let animations: [Animation?]
  /// The targets, phase by phase, the dimensions of each side by side.
  package let targets: [Float]
  /// The largest magnitude of a target.
  let largestTarget: Float
  /// When each step begins, in seconds from the first step, which leads to phase 1: by the phase that it leads to, with
  /// phase 0 last.
  let stepStarts: [Double]
  /// Whether the step to each phase changes nothing.
  private(set) var stillSteps: [Bool] = []
  /// Whether a step from each phase straight to phase 0 changes nothing.
  private(set) var stillReturns: [Bool] = []
  /// The duration of a step to phase 0 that changes something, in seconds.
  let returnDuration: Double

  /// The largest number of phases.
  public static let maximumPhaseCount = 1 << 16
  /// Rounds of a loop that one frame takes step by step. If it passes more, those before are skipped, and their steps are
  /// not reported.
  public static let longestCatchUp = 64
  /// The shortest round that takes time, in seconds.
  static let shortestCycle = BatchLimits.durations.lowerBound

  /// A sequence of phases with targets of any number of components.
  ///
  /// - Parameters:
  ///   - dimensions: Components of a target, 1…``BatchLimits/maximumDimensions``.
  ///   - targets: The target of each phase, at least one phase.
  ///   - animations: The animation to each phase from the one before, nil for a jump.
  /// - Throws: ``PhaseError``. An animation is refused if its spring is one that ``BatchLimits`` does not accept, if
  ///   its times are not numbers, if it is logically complete before it starts, if it ends more than 64 rounds of the
  ///   sequence after its start, or if a whole round takes time, but less than 10⁻⁴ s.
  public init(dimensions: Int, targets: [[Float]], animations: [Animation?]) throws(PhaseError) {
    guard 1...BatchLimits.maximumDimensions ~= dimensions else { throw .invalidDimensions(dimensions) }
    guard !targets.isEmpty else { throw .noPhases }
    guard targets.count <= Self.maximumPhaseCount else { throw .tooManyPhases(targets.count) }
    guard animations.count == targets.count else { throw .wrongCount(expected: targets.count, got: animations.count) }
    for (phase, target) in targets.enumerated() {
      guard target.count == dimensions else {
        throw .wrongDimensions(phase: phase, expected: dimensions, got: target.count)
      }
      for (dimension, value) in target.enumerated() where !(abs(value) <= BatchLimits.maximumMagnitude) {
        throw .invalidValue(phase: phase, dimension: dimension, value: value)
      }
    }
    var durations: [Double] = []
    for (phase, animation) in animations.enumerated() {
      let previous = targets[(phase + targets.count - 1) % targets.count]
      let difference = zip(targets[phase], previous).map { Double($0) - Double($1) }
      do throws(AnimationDefect) {
        durations.append(try animation?.stepDuration(over: difference) ?? 0)
      } catch {
        throw .invalidAnimation(phase: phase, reason: error.reason)
      }
    }
    self.dimensions = dimensions
    phaseCount = targets.count
    self.animations = animations
    self.targets = targets.flatMap { $0.map { $0 + 0 } }
    largestTarget = self.targets.reduce(0) { max($0, abs($1)) }
    var starts = [0.0, 0.0]
    for phase in 1...phaseCount {
      starts.append(starts[phase] + durations[phase % phaseCount])
    }
    stepStarts = starts
    let ones = [Double](repeating: 1, count: dimensions)
    do throws(AnimationDefect) {
      returnDuration = try animations[0]?.stepDuration(over: ones) ?? 0
    } catch {
      throw .invalidAnimation(phase: 0, reason: error.reason)
    }
    stillSteps = (0..<phaseCount).map { isStill($0) }
    stillReturns = (0..<phaseCount).map { isStill(from: $0, to: 0) }
    guard cycleDuration == 0 || cycleDuration >= Self.shortestCycle else {
      throw .invalidAnimation(phase: 0, reason: "a round must last 0 or at least 1e-4 s, lasts \(cycleDuration)")
    }
    for (phase, animation) in animations.enumerated() {
      let end = animation?.endAfterStep ?? 0
      guard !stillSteps[phase], end > 64 * cycleDuration, durations[phase] < .infinity else { continue }
      throw .invalidAnimation(
        phase: phase, reason: "it ends after \(end) s, more than 64 rounds of \(cycleDuration) s")
    }
  }
}

// MARK: - Times

extension PhaseSequence {
  /// The duration of a round of all phases, in seconds: infinite if an animation is never logically complete.
  public var cycleDuration: Double { stepStarts[phaseCount + 1] }

  /// The duration of the step to a phase, in seconds. The phase must be in `0..<phaseCount`.
  package func stepDuration(to phase: Int) -> Double {
    let step = phase == 0 ? phaseCount : phase
    return stepStarts[step] == .infinity ? .infinity : stepStarts[step + 1] - stepStarts[step]
  }

  /// When the step to a phase begins in a cycle of a run, in seconds from the start of the run.
  func stepStart(to phase: Int, cycle: Int64) -> Double {
    let start = stepStarts[phase == 0 ? phaseCount : phase]
    // A product: the roundings of a sum would add up. It must not multiply 0 by infinity.
    return cycle == 0 ? start : Double(cycle) * cycleDuration + start
  }

  /// Whether the step to a phase changes nothing: it has an animation, and the phase before has the same target.
  func isStill(_ phase: Int) -> Bool {
    isStill(from: (phase + phaseCount - 1) % phaseCount, to: phase)
  }

  /// Whether a step from one phase to another changes nothing. A jump always stops what moves.
  func isStill(from: Int, to phase: Int) -> Bool {
    animations[phase] != nil && target(from) == target(phase)
  }

  /// The target of a phase.
  package func target(_ phase: Int) -> ArraySlice<Float> { targets[phase * dimensions..<(phase + 1) * dimensions] }
}

// MARK: - Variations

extension PhaseSequence {
  /// A value of a phase as a track varies it.
  ///
  /// - Parameter variation: The offset, and the scale, by which the value is multiplied first.
  static func target(_ value: Float, _ variation: SIMD2<Float>) -> Float {
    // A product of two Floats is exact in Double.
    Float(Double(value) * Double(variation.y) + Double(variation.x))
  }

  /// Throws ``BatchError/invalidValue(of:index:value:)`` if an offset and a scale are not finite, or lead to values beyond
  /// ``BatchLimits/maximumMagnitude``.
  func check(offset: Float, scale: Float, index: Int) throws(BatchError) {
    guard abs(offset) <= BatchLimits.maximumMagnitude else {
      throw .invalidValue(of: "offset", index: index, value: offset)
    }
    let farthest = abs(Double(offset)) + abs(Double(scale)) * Double(max(1, largestTarget))
    // False for NaN too.
    guard farthest <= Double(BatchLimits.maximumMagnitude) else {
      throw .invalidValue(of: "largest target times scale", index: index, value: scale)
    }
  }
}

// MARK: - Animations

extension Animation {
  /// The duration of a step of phases with this animation, in seconds: until its logical completion, or 0 if the step
  /// changes no value.
  func stepDuration(over difference: [Double]) throws(AnimationDefect) -> Double {
    try check()
    guard difference.contains(where: { $0 != 0 }) else { return 0 }
    if case .spring(let spring) = structure { return spring.duration }
    let way = TrackVector(count: difference.count) { difference[$0] }
    let duration = logicalEndTime(value: way, context: AnimationContext())
    guard duration >= 0 else {
      throw AnimationDefect(reason: "its logical completion must not be negative or not a number, is \(duration)")
    }
    return duration
  }

  /// When the effect of the animation has ended, in seconds from its start. It is 0 for a spring that takes over, as
  /// the next animation starts from its state.
  var endAfterStep: Double {
    if case .spring = structure { return 0 }
    return endTime(value: 1.0, context: AnimationContext())
  }
}

/// When a track that plays a sequence of phases sets out for phase 1.
public enum PhasePlayback: Hashable, Sendable, BitwiseCopyable {
  /// At its start, and again after each round.
  case loops
  /// At a trigger, for one round.
  case triggered
}

/// Why a sequence of phases was refused.
public enum PhaseError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A sequence has at least one phase.
  case noPhases
  /// More phases than ``PhaseSequence/maximumPhaseCount``.
  case tooManyPhases(Int)
  /// A sequence has at least one dimension and at most ``BatchLimits/maximumDimensions``.
  case invalidDimensions(Int)
  /// The targets of a phase have another number of components than the sequence has dimensions.
  case wrongDimensions(phase: Int, expected: Int, got: Int)
  /// The number of animations is not the number of phases.
  case wrongCount(expected: Int, got: Int)
  /// A target is NaN, infinite or beyond ±10¹⁵.
  case invalidValue(phase: Int, dimension: Int, value: Float)
  /// Batches do not accept the animation to a phase.
  case invalidAnimation(phase: Int, reason: String)

  /// The reason in words, with the offending value.
  public var description: String {
    switch self {
    case .noPhases: "a sequence needs at least one phase, none was given"
    case .tooManyPhases(let count):
      "a sequence has at most \(PhaseSequence.maximumPhaseCount) phases, not \(count)"
    case .invalidDimensions(let count):
      "a sequence has 1 to \(BatchLimits.maximumDimensions) dimensions, not \(count)"
    case .wrongDimensions(let phase, let expected, let got):
      "phase \(phase) must have \(expected) values, one for each dimension, it has \(got)"
    case .wrongCount(let expected, let got):
      "animations: \(expected) are needed, one for each phase, \(got) were given"
    case .invalidValue(let phase, let dimension, let value):
      "value \(dimension) of phase \(phase) must be finite and within ±1e15, is \(value)"
    case .invalidAnimation(let phase, let reason): "the animation to phase \(phase): \(reason)"
    }
  }
}
