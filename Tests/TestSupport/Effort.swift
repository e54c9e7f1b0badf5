// SPDX-License-Identifier: MIT
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The share of the draws that random tests make: a part in ordinary runs, everything in `Scripts/soak`.
public enum Effort {
  /// Whether `Scripts/soak` runs the tests.
  public static let isSoak = ProcessInfo.processInfo.environment["MURMURATION_SOAK"] != nil

  /// Returns `soak` in a run of `Scripts/soak`, and `quick` in any other, which draws the first numbers of the long one.
  public static func draws(quick: Int, soak: Int) -> Int { isSoak ? soak : quick }
}
