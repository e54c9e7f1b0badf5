// SPDX-License-Identifier: MIT

extension Clip {
  /// The clip of keyframes that can start from any value, like the keyframes of a `KeyframePlayer`.
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
}
