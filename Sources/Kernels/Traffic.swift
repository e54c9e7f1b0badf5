// SPDX-License-Identifier: MIT

/// The bytes that kernels read and write per track: what the memory has to deliver, and the roofline is measured with.
public enum Traffic {
  /// A track of a cohort: displacement, initial velocity and target in, value and perhaps velocity out.
  public static func cohort(dimensions: Int, velocities: Bool) -> Int { (velocities ? 20 : 16) * dimensions }

  /// A mixed track: the same, and once for all dimensions start and rate in Double, decay, 1/κ and perhaps ω₀² in Float.
  public static func mixed(dimensions: Int, velocities: Bool) -> Int {
    (velocities ? 28 : 24) + cohort(dimensions: dimensions, velocities: velocities)
  }
}
