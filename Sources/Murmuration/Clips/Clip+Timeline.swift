// SPDX-License-Identifier: MIT
public import AnimationModel

extension Clip {
  /// The clip of a timeline: its dimensions are the components of the value's animatable data.
  ///
  /// Linear keyframes with a constant pace, cubic keyframes and moves become exact pieces; springs and other curves are
  /// fitted. A boundary instant belongs to the earlier keyframe, as in the timeline; a jump inside a keyframe along CSS
  /// `steps()` or `linear()` belongs to what follows it, and may come early by 2⁻⁴³ of its time, or by a tick.
  ///
  /// Tracks of properties are found in the animatable data by writing to them. Where a property is more than a copy of some
  /// of its components (a setter that clamps, or turns an angle into two numbers), the whole value is fitted as it moves.
  /// So are properties whose data is no `ComponentVector`. Its velocity is then that of the value.
  ///
  /// - Parameters:
  ///   - timeline: The timeline. Vectors of Float count as the numbers that their keys are.
  ///   - tolerance: The largest error of a fitted keyframe in value, as a share of the distance that it covers; for a spring
  ///     of velocity / ω₀, if that is more. Where keyframes are so short, or so late, that Double's times are too coarse for
  ///     that, the report says what comes out.
  /// - Throws: ``ClipError``, with the place of the track in the timeline, the keyframe, and the component of the property.
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
    var (valueErrors, velocityErrors) = ([Double](repeating: 0, count: initialValues.count), initialValues)
    for dimension in velocityErrors.indices { velocityErrors[dimension] = 0 }
    for (index, track) in timeline.tracks.enumerated() {
      guard track.duration < .infinity else { throw .endless(track: index, key: track.endlessKey) }
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
}

extension ResolvedTrack {
  /// The first keyframe that never ends.
  var endlessKey: Int { ends.firstIndex { !($0 < .infinity) } ?? 0 }
}
