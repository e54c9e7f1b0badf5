// SPDX-License-Identifier: MIT
import AnimationModel

/// Many tracks that play one sequence of phases, each on a clock of its own.
///
/// ```swift
/// let pulse = try PhaseSequence([1, 1.25, 0.9], target: { Float($0) }, animation: { _ in .smooth })
/// var batch = try PhaseBatch(pulse)
/// let heart = try batch.add()
/// try batch.advance(to: 0.4)
/// let scale = try batch.value(of: heart, as: Float.self)
/// ```
///
/// A track shows phase 0 until its start. Then it sets out for phase 1, and moves on whenever the animation under way is
/// logically complete: at moments that follow from the sequence alone, and not from the frames. Springs hand over while
/// they still move, with their velocity; curves and springs that follow a curve do as ``CurveBatch`` says.
///
/// ### Looping and triggered
/// A looping track goes round without end. A triggered one shows phase 0 until ``trigger(_:)-(TrackHandle)``, goes once
/// through all phases back to phase 0, and stops there. A trigger on the way first leads back to phase 0, with the
/// animation to that phase, and the run begins anew from there. A sequence of fewer than two phases never moves.
///
/// ### What frames change
/// Nothing: a frame in which a track passes several steps takes each at its own moment, in order, and the same steps give
/// the same bits whatever frames there were. But where one frame passes more than ``longestCatchUp`` rounds of a loop, the
/// state after them is computed at once, by a power of what one round does, and the steps of these rounds are not reported.
///
/// Without springs but curves or other animations in its sequence, a batch computes them as ``CurveBatch`` does.
public struct PhaseBatch: ~Copyable, Sendable {
  /// When tracks set out for phase 1.
  public typealias Playback = PhasePlayback

  /// What all tracks play.
  public let sequence: PhaseSequence
  /// When tracks set out.
  public let playback: Playback
  /// Whether ``phaseChanges`` is written; default false.
  public var reportsPhaseChanges = false
  /// The steps that tracks took with the last ``advance(to:)``, in the order of the tracks' indices, and those of a track in
  /// the order of time.
  public internal(set) var phaseChanges: [PhaseChange] = []
  /// The tracks whose triggered run came to its end with the last ``advance(to:)``: back at phase 0, and logically
  /// complete there. In the order of their indices.
  public internal(set) var completed: [TrackHandle] = []
  /// The looping tracks that were stopped at phase 0 with the last ``advance(to:)``, as a whole round lasts no time.
  public internal(set) var stalled: [TrackHandle] = []

  /// Rounds of a loop that one frame takes step by step.
  public static var longestCatchUp: Int { PhaseSequence.longestCatchUp }

  var springs: SpringBatch
  var curves: CurveBatch
  /// The steps as springs; nil if they are played as curves.
  let springSteps: [SpringStep]?
  /// What leads to each phase, where they are played as curves.
  let motions: [CurveMotion]
  /// Whether tracks change between tiles of different kinds.
  let changesTiles: Bool
  var clocks: [PhaseClock] = []
  /// Offset and scale of each track's dimensions, side by side; empty while all have the sequence's targets.
  var variations: [SIMD2<Float>] = []
  var schedule = StepSchedule()
  var due = DueTracks()
  /// The motions of paused tracks that springs play.
  var held: [Int: HeldMotion] = [:]
  /// When each paused track was.
  var pauses: [Int: Double] = [:]
  /// Where a step leads, by dimension; kept so that the next one need not allocate.
  var leads: [Float]

  /// An empty batch.
  ///
  /// - Parameters:
  ///   - sequence: What tracks play.
  ///   - playback: Whether they loop, or wait for triggers.
  ///   - capacity: Tracks to make room for now; more may come.
  ///   - kernels: The instruction set; nil for the one in force.
  /// - Throws: ``BatchError`` if the capacity is out of range, or the processor lacks the set.
  public init(
    _ sequence: PhaseSequence, playback: Playback = .loops, reservingCapacity capacity: Int = 0,
    kernels: KernelSet? = nil
  ) throws(BatchError) {
    let steps = SpringStep.plan(sequence)
    let dimensions = sequence.dimensions
    let springs = try SpringBatch(
      dimensions: dimensions, reservingCapacity: steps == nil ? 0 : capacity, kernels: kernels)
    let curves = try CurveBatch(
      dimensions: dimensions, reservingCapacity: steps == nil ? capacity : 0, kernels: kernels)
    self.springs = springs
    self.curves = curves
    self.sequence = sequence
    self.playback = playback
    springSteps = steps
    motions = steps == nil ? sequence.animations.map { CurveMotion($0) } : []
    leads = [Float](repeating: 0, count: dimensions)
    // They begin at rest among those that oscillate.
    changesTiles = steps?.contains { $0.coefficients.isOverdamped } ?? false
    clocks.reserveCapacity(capacity)
  }

  /// Values per track.
  public var dimensions: Int { sequence.dimensions }
  /// Tracks that live.
  public var count: Int { springSteps != nil ? springs.count : curves.count }
  /// One past the largest index that a track ever had.
  public var indexCount: Int { springSteps != nil ? springs.indexCount : curves.indexCount }
  /// Rows of each column: as many as ever had a track.
  public var rowCount: Int { springSteps != nil ? springs.rowCount : curves.rowCount }
  /// The clock, in seconds: the time of the last ``advance(to:)``.
  public var time: Double { springSteps != nil ? springs.time : curves.time }
  /// Whether the sequence has springs and jumps alone, which is what is computed fastest.
  public var hasSpringsOnly: Bool { springSteps != nil }

  /// Whether ``advance(to:)`` computes velocities along with values; as ``SpringBatch/computesVelocities``.
  public var computesVelocities: Bool {
    get { springSteps != nil ? springs.computesVelocities : curves.computesVelocities }
    set {
      springs.computesVelocities = newValue
      curves.computesVelocities = newValue
    }
  }

  /// Threads that ``advance(to:)`` may use; as ``SpringBatch/threadCount`` and ``CurveBatch/threadCount``.
  public var threadCount: Int {
    get { springSteps != nil ? springs.threadCount : curves.threadCount }
    set {
      if springSteps != nil {
        springs.threadCount = newValue
      } else {
        curves.threadCount = newValue
      }
    }
  }
}
