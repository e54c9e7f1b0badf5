// SPDX-License-Identifier: MIT

extension Clip {
  /// The clip of a list of keyframes for each component, which can start from any value.
  ///
  /// - Parameters:
  ///   - initialValues: Where each component starts.
  ///   - velocities: With what velocity each starts, per second; nil for at rest.
  ///   - keyframes: The keyframes of each component. A component without keyframes keeps its initial value.
  ///   - tolerance: See ``init(_:tolerance:)``.
  /// - Throws: ``ClipError``, with the index of the component as the track.
  package init(
    initialValues: [Double], velocities: [Double]? = nil, keyframes: [[Keyframe<Double>]], tolerance: Double
  ) throws(ClipError) {
    try Self.check(tolerance: tolerance)
    try Self.check(dimensions: keyframes.count, initialValues: initialValues)
    var tracks: [PieceTrack] = []
    var valueErrors = [Double](repeating: 0, count: keyframes.count)
    var velocityErrors = valueErrors
    var duration = 0.0
    for (component, list) in keyframes.enumerated() where !list.isEmpty {
      let path = KeyframePath(
        initialValue: initialValues[component], initialVelocity: velocities?[component] ?? 0, keyframes: list)
      if let key = path.segments.firstIndex(where: { !($0.end < .infinity) }) {
        throw .endless(track: component, key: key)
      }
      let compiled = try TrackCompiler(path.componentPath, track: component, tolerance: tolerance)
      tracks.append(compiled.pieceTrack(components: [component]))
      valueErrors[component] = compiled.valueErrors[0]
      velocityErrors[component] = compiled.velocityErrors[0]
      duration = max(duration, path.duration)
    }
    #if hasFeature(Embedded)
      // No recording needs them there, and modules stay small.
      let source: (keyframes: [[Keyframe<Double>]], tolerance: Double)? = nil
    #else
      let source = (keyframes: keyframes, tolerance: tolerance)
    #endif
    try self.init(
      checkedTracks: tracks, initialValues: initialValues, duration: duration, valueErrorBounds: valueErrors,
      velocityErrorBounds: velocityErrors, source: source
    ) { values, velocities throws(ClipError) in
      try Clip(initialValues: values, velocities: velocities, keyframes: keyframes, tolerance: tolerance)
    }
  }
}
