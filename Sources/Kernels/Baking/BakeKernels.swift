// SPDX-License-Identifier: MIT

/// The kernels of one instruction set that compute many frames at once.
public struct BakeKernels: Sendable {
  /// Bakes lanes of any springs and starts: lanes, how many, times, where to.
  public let lanes: @Sendable (BakeLanes, Int, BakeTimes, BakeOutput) -> Void
  /// Bakes lanes of one cohort: lanes, how many, the cohort's bases, of how many frames, where to.
  public let cohort: @Sendable (BakeLanes, Int, UnsafePointer<CohortBasis>, Int, BakeOutput) -> Void

  public init(
    lanes: @escaping @Sendable (BakeLanes, Int, BakeTimes, BakeOutput) -> Void,
    cohort: @escaping @Sendable (BakeLanes, Int, UnsafePointer<CohortBasis>, Int, BakeOutput) -> Void
  ) {
    (self.lanes, self.cohort) = (lanes, cohort)
  }
}
