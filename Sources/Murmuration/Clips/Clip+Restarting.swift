// SPDX-License-Identifier: MIT
public import AnimationModel

extension Clip {
  /// The clip of keyframes that can start from any value, as those of a `KeyframePlayer`.
  ///
  /// - Parameters:
  ///   - initialValue: Where the clip starts, at rest.
  ///   - tolerance: See ``init(_:tolerance:)``.
  ///   - keyframes: The keyframes from a value that they start from. It is called now, and at each restart.
  /// - Throws: ``ClipError``.
  public init<Value: Animatable & Sendable, Content: Keyframes<Value> & SendableMetatype>(
    initialValue: Value, tolerance: Double = 0x1p-16,
    @KeyframesBuilder<Value> keyframes: @escaping @Sendable (Value) -> Content
  ) throws(ClipError) where Value.AnimatableData: ComponentVector {
    try self.init(value: initialValue, velocity: nil, tolerance: tolerance, keyframes: keyframes)
  }

  private init<Value: Animatable & Sendable, Content: Keyframes<Value> & SendableMetatype>(
    value: Value, velocity: Value?, tolerance: Double, keyframes: @escaping @Sendable (Value) -> Content
  ) throws(ClipError) where Value.AnimatableData: ComponentVector {
    let timeline =
      if let velocity {
        KeyframeTimeline(initialValue: value, initialVelocity: velocity) { keyframes(value) }
      } else {
        KeyframeTimeline(initialValue: value) { keyframes(value) }
      }
    try self.init(timeline, tolerance: tolerance) { components, velocities throws(ClipError) in
      var (start, motion) = (value, value)
      start.animatableData = Value.AnimatableData(components: components)
      motion.animatableData = Value.AnimatableData(components: velocities)
      return try Clip(value: start, velocity: motion, tolerance: tolerance, keyframes: keyframes)
    }
  }

  /// Whether the clip was made from keyframes that can start from another value.
  public var isRestartable: Bool { remake != nil }

  /// The clip of the same keyframes from another value and velocity, as when they are triggered again in mid-run.
  ///
  /// First keyframes that are cubic or springs take the velocity over, unless they give one of their own.
  ///
  /// - Parameters:
  ///   - values: One value for each dimension.
  ///   - velocities: One velocity for each dimension, in units per second.
  /// - Throws: ``ClipError/notRestartable`` if the clip was made of pieces, a finished timeline, a curve or an animation; else
  ///   what is wrong with the numbers or with the new keyframes.
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
