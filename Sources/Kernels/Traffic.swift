// SPDX-License-Identifier: MIT

/// The bytes that kernels read and write per track: what the memory has to deliver, and the roofline is measured with.
public enum Traffic {
  /// A track of a cohort: displacement, amplitude and target in, value and perhaps velocity out.
  public static func cohort(dimensions: Int, velocities: Bool) -> Int { (velocities ? 20 : 16) * dimensions }

  /// A mixed track: the same, and once for all dimensions start and rate in Double and decay in Float.
  public static func mixed(dimensions: Int, velocities: Bool) -> Int {
    20 + cohort(dimensions: dimensions, velocities: velocities)
  }

  /// A track in a tile that cohorts share: the same as in a cohort, and its member column.
  public static func shared(dimensions: Int, velocities: Bool) -> Int {
    4 + cohort(dimensions: dimensions, velocities: velocities)
  }

  /// A playing instance: origin, base and rate in Double in, and for each dimension value and perhaps velocity out; where
  /// values vary scale and offset in.
  public static func clips(dimensions: Int, velocities: Bool, varies: Bool) -> Int {
    24 + (4 + (velocities ? 4 : 0) + (varies ? 8 : 0)) * dimensions
  }

  /// A playing instance with a piece of its own: besides, the piece's bounds, centre and cubic in for each dimension.
  public static func pieces(dimensions: Int, velocities: Bool, varies: Bool) -> Int {
    28 * dimensions + clips(dimensions: dimensions, velocities: velocities, varies: varies)
  }
}
