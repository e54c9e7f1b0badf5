// SPDX-License-Identifier: MIT
import Murmuration

/// Timelines as the model plays them, with what a batch that plays their clip may be off.
///
/// Timelines come from ``TimelineDescription``, and not from the clip, of which the report and the size of its pieces are
/// taken: within the bounds of the report, and 8·2⁻²⁴ of that size, a batch shows the timelines.
struct ReferenceClip {
  /// One component.
  struct Part {
    var timeline: KeyframeTimeline<Double>
    /// What a value or a velocity may be off, at 1 second of the timeline per second.
    var valueBound: Double
    var velocityBound: Double
    /// Where the timeline started from something that the batch had with an error: that error, and the timeline that
    /// starts from 1 more. What is shown is a linear function of the start.
    var start: (valueError: Double, velocityError: Double)?
    var byValue: KeyframeTimeline<Double>?
    var byVelocity: KeyframeTimeline<Double>?

    /// What is shown at a local time: the errors of the start are within the bounds.
    func sample(at time: Double) -> ReferenceTrack.Sample {
      var sample = ReferenceTrack.Sample(
        value: timeline.value(time: time), velocity: timeline.velocity(time: time), valueBound: valueBound,
        velocityBound: velocityBound)
      if let start, let byValue, let byVelocity {
        sample.valueBound += start.valueError * abs(byValue.value(time: time) - sample.value)
        sample.valueBound += start.velocityError * abs(byVelocity.value(time: time) - sample.value)
        sample.velocityBound += start.valueError * abs(byValue.velocity(time: time) - sample.velocity)
        sample.velocityBound += start.velocityError * abs(byVelocity.velocity(time: time) - sample.velocity)
      }
      return sample
    }
  }

  /// Seconds that the timelines are played for at a time.
  let duration: Double
  /// The components.
  private(set) var parts: [Part] = []
  private let clip: Clip
  private let descriptions: [TimelineDescription]

  /// The timelines of a group.
  init(_ group: TimelineGroup) throws(ClipError) {
    clip = try group.clip()
    descriptions = group.timelines
    duration = max(group.timelines.map(\.duration).max() ?? 0, group.repeatEvery ?? 0)
    for (component, description) in descriptions.enumerated() {
      parts.append(part(description.timeline, component, of: clip))
    }
  }

  /// The same from other values and velocities, which a batch may have with errors.
  func restarted(from start: [ReferenceTrack.Sample]) throws(ClipError) -> ReferenceClip {
    let other = try clip.restarted(from: start.map(\.value), velocity: start.map(\.velocity))
    var copy = self
    for (component, sample) in start.enumerated() {
      func timeline(_ value: Double, _ velocity: Double) -> KeyframeTimeline<Double> {
        descriptions[component].track.timeline(initialValue: value, initialVelocity: velocity)
      }
      var part = part(timeline(sample.value, sample.velocity), component, of: other)
      part.start = (sample.valueBound, sample.velocityBound)
      part.byValue = timeline(sample.value + 1, sample.velocity)
      part.byVelocity = timeline(sample.value, sample.velocity + 1)
      copy.parts[component] = part
    }
    return copy
  }

  private func part(_ timeline: KeyframeTimeline<Double>, _ component: Int, of clip: Clip) -> Part {
    let size = clip.size(ofDimension: component)
    return Part(
      timeline: timeline, valueBound: clip.report.valueErrorBounds[component] + Self.bar * size.value,
      velocityBound: clip.report.velocityErrorBounds[component] + Self.bar * size.velocity)
  }

  /// One part in 2²⁴, the rounding unit of float32, eight times.
  private static let bar = 8 * 0x1p-24
}

extension Clip {
  /// The largest sum of the magnitudes of a piece's coefficients, measured from its middle in halves of its length, and what
  /// these come to in velocities.
  fileprivate func size(ofDimension dimension: Int) -> (value: Double, velocity: Double) {
    var (value, velocity) = (abs(initialValues[dimension]), 0.0)
    for track in tracks {
      guard let component = track.components.firstIndex(of: dimension) else { continue }
      for (piece, c) in track.pieces[component].enumerated() {
        let half = (track.times[piece + 1] - track.times[piece]) / 2
        let middle = c.x + half * (c.y + half * (c.z + half * c.w))
        let first = abs(half * (c.y + half * (2 * c.z + 3 * half * c.w)))
        let second = abs(half * half * (c.z + 3 * half * c.w))
        let third = abs(half * half * half * c.w)
        value = max(value, abs(middle) + first + second + third)
        // The place in the piece is rounded too, which counts by the slope of the velocity.
        if half > 0 { velocity = max(velocity, (first + 4 * second + 9 * third) / half) }
      }
    }
    return (value, velocity)
  }
}
