// SPDX-License-Identifier: MIT

extension Clip {
  /// The clip of a timeline: its dimensions are the components of the value's animatable data.
  ///
  /// Linear keyframes with a constant pace, cubic keyframes and moves become exact pieces; springs and other curves are
  /// fitted. A boundary instant belongs to the earlier keyframe, as in the timeline. A jump inside a keyframe along CSS
  /// `steps()` or `linear()` belongs to the piece after it, and may come early by 2⁻⁴³ of its time, or by a tick.
  ///
  /// The dimensions of a track's property are found by writing to the property. A property may be more than a copy of some
  /// of its components, such as one whose setter clamps, or turns an angle into two numbers. Then the whole value is fitted
  /// as it moves, and its velocity is the derivative of the value. The same holds for properties whose data is no
  /// `ComponentVector`.
  ///
  /// - Parameters:
  ///   - timeline: The timeline. Vectors of Float count as the exact numbers of their keys.
  ///   - tolerance: The largest error of a fitted keyframe in value, as a share of the distance that it covers; for a
  ///     spring, of velocity / ω₀ if that is more. For a very short or very late keyframe the times in Double are too
  ///     coarse for the tolerance; the report states its error.
  /// - Throws: ``ClipError``, with the index of the track in the timeline, of the keyframe, and of the component.
  /// - Complexity: O(n) in the number of pieces. Fits of curves are kept for the next clip.
  public init<Value: Animatable>(
    _ timeline: KeyframeTimeline<Value>, tolerance: Double = 0x1p-16
  ) throws(ClipError) where Value.AnimatableData: ComponentVector {
    try self.init(timeline, tolerance: tolerance, remake: nil)
  }

  init<Value: Animatable>(
    _ timeline: KeyframeTimeline<Value>, tolerance: Double, remake: Remake?
  ) throws(ClipError) where Value.AnimatableData: ComponentVector {
    try Self.check(tolerance: tolerance)
    let initialValues = timeline.initialValue.animatableData.components
    try Self.check(dimensions: Value.AnimatableData.componentCount, initialValues: initialValues)
    var tracks: [PieceTrack] = []
    var valueErrors = [Double](repeating: 0, count: initialValues.count)
    var velocityErrors = valueErrors
    for (index, track) in timeline.tracks.enumerated() {
      if let key = track.undefinedKey { throw .undefinedKeyframe(track: index, key: key) }
    }
    for (index, track) in timeline.tracks.enumerated() {
      guard track.duration < .infinity else {
        throw .endless(track: index, key: track.ends.firstIndex { !($0 < .infinity) } ?? 0)
      }
      guard let path = track.componentPath,
        let dimensions = ComponentMap.dimensions(of: track, path: path, in: timeline.initialValue)
      else {
        try self.init(fitting: timeline, tolerance: tolerance, remake: remake)
        return
      }
      guard !dimensions.isEmpty else { continue }
      let compiled = try TrackCompiler(path, track: index, tolerance: tolerance)
      tracks.append(compiled.pieceTrack(components: dimensions))
      for (component, dimension) in dimensions.enumerated() {
        // A later track of the same property takes its place.
        valueErrors[dimension] = compiled.valueErrors[component]
        velocityErrors[dimension] = compiled.velocityErrors[component]
      }
    }
    try self.init(
      checkedTracks: tracks, initialValues: initialValues, duration: timeline.duration, valueErrorBounds: valueErrors,
      velocityErrorBounds: velocityErrors, remake: remake)
  }

  /// The clip of a timeline whose tracks are not simply copied to dimensions: all components are fitted as they move.
  init<Value: Animatable>(
    fitting timeline: KeyframeTimeline<Value>, tolerance: Double, remake: Remake?
  ) throws(ClipError) where Value.AnimatableData: ComponentVector {
    let duration = timeline.duration
    guard duration <= Self.maximumDuration else { throw .invalidDuration(duration, atLeast: 0) }
    try self.init(
      dimensions: Value.AnimatableData.componentCount, duration: duration,
      boundaries: Set(timeline.tracks.flatMap(\.ends)).sorted(), tolerance: tolerance,
      initialValues: timeline.initialValue.animatableData.components, remake: remake
    ) { time, components in
      let data = timeline.value(time: time).animatableData
      for index in components.indices { components[index] = data[component: index] }
    }
  }
}

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
