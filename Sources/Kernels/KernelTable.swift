// SPDX-License-Identifier: MIT

/// The kernels of one instruction set, as functions.
///
/// Calling a kernel costs an indirect call per run of lanes, never per lane.
public struct KernelTable: Sendable {
  /// Lanes of one vector.
  public let width: Int
  /// Evaluates a run of a cohort: columns, run, basis, whether to write velocities too.
  public let evaluateCohort: @Sendable (SpringColumns, LaneRun, CohortBasis, Bool) -> Void
  /// Evaluates a run of mixed lanes with bounce ≥ 0: columns, run, time, whether to write velocities too.
  public let evaluateOscillating: @Sendable (SpringColumns, LaneRun, Double, Bool) -> Void
  /// The same for lanes with bounce < 0.
  public let evaluateOverdamped: @Sendable (SpringColumns, LaneRun, Double, Bool) -> Void

  public init(
    width: Int,
    evaluateCohort: @escaping @Sendable (SpringColumns, LaneRun, CohortBasis, Bool) -> Void,
    evaluateOscillating: @escaping @Sendable (SpringColumns, LaneRun, Double, Bool) -> Void,
    evaluateOverdamped: @escaping @Sendable (SpringColumns, LaneRun, Double, Bool) -> Void
  ) {
    self.width = width
    self.evaluateCohort = evaluateCohort
    self.evaluateOscillating = evaluateOscillating
    self.evaluateOverdamped = evaluateOverdamped
  }
}
