// SPDX-License-Identifier: MIT
package import Murmuration

/// The values of a clip at its own times, and how far a batch that plays it may be from them.
///
/// If the timelines of which the clip was made are known, they give the values. Only the report and the size of the
/// pieces come from the clip then: a batch shows the timelines within the bounds of the report and 8 u of that size. A
/// clip that was given as pieces has no timelines.
package struct ClipContent: Sendable {
  /// The timeline of a dimension from a value and a velocity; a velocity of nil means a start from rest.
  package typealias Timelines =
    @Sendable (_ dimension: Int, _ value: Double, _ velocity: Double?) ->
    KeyframeTimeline<Double>

  package let clip: Clip
  private let timelines: Timelines?
  private var parts: [Part] = []

  /// One dimension.
  private struct Part: Sendable {
    /// The timeline; nil if only the clip's pieces are known.
    var timeline: KeyframeTimeline<Double>?
    /// The error of a value, and of a velocity at the clip's own speed.
    var bound: ErrorBound
    /// If the timeline's start had an error in the batch: that error, and the timelines whose start is 1 higher in value,
    /// and 1 higher in velocity. Values are a linear function of the start.
    var start: (error: ErrorBound, byValue: KeyframeTimeline<Double>, byVelocity: KeyframeTimeline<Double>)?
  }

  /// A clip of pieces.
  package init(_ clip: Clip) { self.init(clip, timelines: nil, initialValues: nil) }

  /// A clip that was made from timelines, which start from its initial values.
  package init(_ clip: Clip, timelines: @escaping Timelines) {
    self.init(clip, timelines: timelines, initialValues: clip.initialValues)
  }

  private init(_ clip: Clip, timelines: Timelines?, initialValues: [Double]?) {
    self.clip = clip
    self.timelines = timelines
    for dimension in 0..<clip.dimensions {
      let timeline = initialValues.flatMap { timelines?(dimension, $0[dimension], nil) }
      parts.append(Part(timeline: timeline, bound: Self.bound(clip, dimension)))
    }
  }

  private static func bound(_ clip: Clip, _ dimension: Int) -> ErrorBound {
    let (report, reach) = (clip.report, ClipReach(clip, dimension: dimension))
    return ErrorBound(
      value: report.valueErrorBounds[dimension] + ErrorBound.perMotion * reach.value,
      velocity: report.velocityErrorBounds[dimension] + ErrorBound.perMotion * reach.bend)
  }

  /// The duration of the clip in seconds.
  package var duration: Double { clip.duration }

  /// Whether the clip can be made anew from the current state, with a reference that knows how.
  package var isRestartable: Bool { timelines != nil && clip.isRestartable }

  /// The seconds by which a batch's clip may be longer or shorter, as it starts from values and velocities with errors:
  /// a keyframe may last until its spring settles.
  package private(set) var durationError = 0.0

  /// The same clip from other values and velocities, which have errors in the batch.
  package func restarted(from samples: [MotionSample]) throws(ClipError) -> ClipContent {
    let other = try clip.restarted(from: samples.map(\.value), velocity: samples.map(\.velocity))
    guard let timelines else { return ClipContent(other) }
    var content = ClipContent(other, timelines: timelines, initialValues: nil)
    for (dimension, sample) in samples.enumerated() {
      let timeline = timelines(dimension, sample.value, sample.velocity)
      content.parts[dimension].timeline = timeline
      for (error, isVelocity) in [(sample.bound.value, false), (sample.bound.velocity, true)] {
        let step = error.isFinite ? error : 1
        let other = timelines(
          dimension, sample.value + (isVelocity ? 0 : step), sample.velocity + (isVelocity ? step : 0))
        // Twice the difference: the duration is not a linear function of the start.
        content.durationError += ErrorBound.passed(
          error.isFinite ? 2 : .infinity, by: other.duration - timeline.duration)
      }
      content.parts[dimension].start = (
        sample.bound, timelines(dimension, sample.value + 1, sample.velocity),
        timelines(dimension, sample.value, sample.velocity + 1)
      )
    }
    return content
  }

  /// The state of a dimension at a time of the clip, at the clip's own speed.
  package func sample(_ dimension: Int, at time: Double) -> MotionSample {
    let part = parts[dimension]
    guard let timeline = part.timeline else {
      return MotionSample(
        value: clip.value(dimension: dimension, at: time), velocity: clip.velocity(dimension: dimension, at: time),
        bound: part.bound)
    }
    var sample = MotionSample(
      value: timeline.value(time: time), velocity: timeline.motion(at: time), bound: part.bound)
    if let (error, byValue, byVelocity) = part.start {
      // The sizes of the batch's pieces follow from its start, which has that error.
      sample.bound.value += ErrorBound.perMotion * error.value
      let (value, velocity) = (sample.value, sample.velocity)
      sample.bound.value +=
        ErrorBound.passed(error.value, by: byValue.value(time: time) - value)
        + ErrorBound.passed(error.velocity, by: byVelocity.value(time: time) - value)
      sample.bound.velocity +=
        ErrorBound.passed(error.value, by: byValue.motion(at: time) - velocity)
        + ErrorBound.passed(error.velocity, by: byVelocity.motion(at: time) - velocity)
    }
    return sample
  }
}

extension KeyframeTimeline<Double> {
  /// The velocity at a time; 0 without keyframes.
  fileprivate func motion(at time: Double) -> Double {
    var velocity = 0.0
    update(velocity: &velocity, time: time)
    return velocity
  }
}
