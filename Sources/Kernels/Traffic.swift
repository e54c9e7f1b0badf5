// SPDX-License-Identifier: MIT

/// The bytes that kernels read and write for each track; the roofline is measured with the same number of bytes.
public enum Traffic {
  /// A track of a uniform tile: displacement, amplitude and target in, value and perhaps velocity out.
  public static func uniform(dimensions: Int, velocities: Bool) -> Int { (velocities ? 20 : 16) * dimensions }

  /// A track with a spring and a start of its own: the same, and once for all dimensions start and rate in Double and decay in Float.
  public static func mixed(dimensions: Int, velocities: Bool) -> Int {
    20 + uniform(dimensions: dimensions, velocities: velocities)
  }

  /// A track that follows: its goal in, value and velocity in and out.
  public static func following(dimensions: Int) -> Int { 20 * dimensions }

  /// A playing instance: origin, base and rate in Double in, and for each dimension value and perhaps velocity out; where
  /// values vary scale and offset in.
  public static func clips(dimensions: Int, velocities: Bool, varies: Bool) -> Int {
    24 + (4 + (velocities ? 4 : 0) + (varies ? 8 : 0)) * dimensions
  }

  /// A playing instance with a piece of its own: also the piece's bounds, centre and cubic for each dimension, read.
  public static func pieces(dimensions: Int, velocities: Bool, varies: Bool) -> Int {
    28 * dimensions + clips(dimensions: dimensions, velocities: velocities, varies: varies)
  }

  /// A playing instance that is evaluated across its components: also its clip, and for each dimension the number of
  /// the component and its cubic, read.
  public static func wide(dimensions: Int, velocities: Bool, varies: Bool) -> Int {
    4 + 20 * dimensions + clips(dimensions: dimensions, velocities: velocities, varies: varies)
  }

  /// An effect along a curve: origin and rate in Double, a direction, and for each dimension a goal, read; where all lanes of
  /// a tile have the same effect, goals alone. Its values are in ``shown``: effects find them in the caches.
  public static func curve(dimensions: Int) -> Int { 16 + 4 * (dimensions + 1) }

  /// The values of curves, and perhaps their velocities, written.
  public static func shown(dimensions: Int, velocities: Bool) -> Int { (velocities ? 8 : 4) * dimensions }

  /// The value under the curves of a track, read.
  public static func standing(dimensions: Int) -> Int { 4 * dimensions }
}
