// SPDX-License-Identifier: MIT

extension Clip {
  /// Whether the clip was made from keyframes that can start from another value.
  public var isRestartable: Bool { remake != nil }

  /// The clip of the same keyframes from another value and velocity, as when they are triggered again in mid-run.
  ///
  /// First keyframes that are cubic or springs take the velocity over, unless they have an explicit one.
  ///
  /// - Parameters:
  ///   - values: One value for each dimension.
  ///   - velocities: One velocity for each dimension, in units per second.
  /// - Throws: ``ClipError/notRestartable`` if the clip was made of pieces, a finished timeline, a curve or an
  ///   animation; other errors name the wrong number or the wrong new keyframe.
  public func restarted(from values: [Double], velocity velocities: [Double]) throws(ClipError) -> Clip {
    guard let remake else { throw .notRestartable }
    for (what, numbers) in [("values", values), ("velocities", velocities)] {
      guard numbers.count == dimensions else {
        throw .wrongDimensions(of: what, expected: dimensions, got: numbers.count)
      }
      for (dimension, number) in numbers.enumerated() where !number.isFinite {
        throw .invalidValue(track: 0, key: 0, component: dimension, value: number)
      }
    }
    return try remake(values, velocities)
  }
}
