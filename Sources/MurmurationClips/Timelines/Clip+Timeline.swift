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

/// The dimensions of a value to which the components of a track belong.
enum ComponentMap {
  /// The dimension of each component of the track's property, or nil if the property is more than a copy of some of the
  /// value's animatable components.
  ///
  /// A property is found by writing numbers of many sizes to it, over the initial value and over another value. Each number
  /// must appear unchanged, always in the same dimension, and leave all other dimensions alone. So a setter that rounds,
  /// clamps or mixes any of the numbers tried, or the track's own, is found to be more than a copy.
  static func dimensions<Root: Animatable>(
    of track: any ResolvedTrack<Root>, path: ComponentPath, in initialValue: Root
  ) -> [Int]? where Root.AnimatableData: ComponentVector {
    if track.isWhole { return Array(0..<path.width) }
    var other = initialValue
    // Numbers that no property holds by accident or scales by.
    var data = Root.AnimatableData.zero
    for index in 0..<Root.AnimatableData.componentCount {
      data[component: index] = 0.40625 + Double(index) * 0.0546875
    }
    other.animatableData = data
    var dimensions: [Int]?
    for base in [initialValue, other] {
      for probe in probes(path) {
        guard let found = place(probe, in: base, of: track, expected: dimensions) else { return nil }
        dimensions = found
      }
    }
    return dimensions
  }

  /// The dimensions in which the numbers of a probe appear; nil unless each does and nothing else changes.
  private static func place<Root: Animatable, Track: ResolvedTrack>(
    _ probe: [Double], in base: Root, of track: Track, expected: [Int]?
  ) -> [Int]? where Root.AnimatableData: ComponentVector, Track.Root == Root {
    var changed = base
    track.set(components: probe, in: &changed)
    let written = track.components(in: changed)
    let (before, after) = (base.animatableData.components, changed.animatableData.components)
    // A property that is not part of the animatable data, or cannot be seen there.
    if before == after, expected?.isEmpty ?? true { return [] }
    // Numbers that the property keeps as Float come back unchanged.
    guard zip(written, probe).allSatisfy({ $0 == $1 || $0 == Double(Float($1)) }) else { return nil }
    let dimensions = expected ?? written.compactMap { after.firstIndex(of: $0) }
    let places = Set(dimensions)
    guard places.count == written.count, zip(dimensions, written).allSatisfy({ after[$0] == $1 }) else { return nil }
    return after.indices.allSatisfy { places.contains($0) || before[$0] == after[$0] } ? dimensions : nil
  }

  /// The numbers to write. The numbers of the first probe are all different, and values do not hold them by accident.
  private static func probes(_ path: ComponentPath) -> [[Double]] {
    var probes: [[Double]] = []
    for scale in [1.2197265625, -977.123046875, 0.000_030_517_578_125, 1_048_577.5] {
      probes.append((0..<path.width).map { component -> Double in scale * (1 + Double(component) * 0x1p-10) })
    }
    for key in path.segments.indices {
      probes.append(path.ends[key * path.width..<(key + 1) * path.width].map(\.to))
    }
    return probes
  }
}
