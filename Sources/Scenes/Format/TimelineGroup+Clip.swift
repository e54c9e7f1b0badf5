// SPDX-License-Identifier: MIT
package import Murmuration

extension TimelineGroup {
  /// The clip that all tracks play: the timelines side by side, as the dimensions of one value, compiled. It lasts as
  /// long as the timelines, or until they are repeated.
  package func clip() throws(ClipError) -> Clip {
    let clip =
      switch timelines.count {
      case 1: try singleClip()
      case 2: try clip(of: SIMD2<Double>.self)
      case 3: try clip(of: SIMD3<Double>.self)
      default: try clip(of: SIMD4<Double>.self)
      }
    return try clip.lasting(repeatEvery ?? 0)
  }

  private func singleClip() throws(ClipError) -> Clip {
    let timeline = timelines[0]
    return try Clip(initialValue: timeline.initialValue) { _ in
      KeyframeTrack(\Double.self) { timeline.track.content }
    }
  }

  private func clip<Value: SIMD & Animatable & Sendable>(of type: Value.Type) throws(ClipError) -> Clip
  where Value.Scalar == Double, Value.AnimatableData: ComponentVector {
    var initialValue = Value()
    for index in timelines.indices { initialValue[index] = timelines[index].initialValue }
    let tracks = timelines.map(\.track)
    return try Clip(initialValue: initialValue) { _ in
      for index in tracks.indices {
        KeyframeTrack(\Value.[index]) { tracks[index].content }
      }
    }
  }
}

extension Clip {
  /// The clip, lengthened to at least `seconds` by holding its end; clips that are made anew from it are lengthened
  /// too.
  fileprivate func lasting(_ seconds: Double) throws(ClipError) -> Clip {
    guard seconds > duration else { return self }
    var longer: Remake?
    if let remake {
      longer = { values, velocities throws(ClipError) in try remake(values, velocities).lasting(seconds) }
    }
    return try Clip(
      checkedTracks: tracks, initialValues: initialValues, duration: seconds,
      valueErrorBounds: report.valueErrorBounds, velocityErrorBounds: report.velocityErrorBounds, remake: longer)
  }
}
