// SPDX-License-Identifier: MIT

/// The time of a track that can be paused. It stands still in a pause, and lags behind the batch's clock afterwards.
package struct TrackClock: Sendable {
  /// The time of the batch's clock.
  package var now: Double
  /// The track's time and the batch's time when the track last went on: the two belong together exactly.
  private var anchor = (track: 0.0, batch: 0.0)
  /// When the track was paused, on the batch's clock; nil while it is not.
  private var pausedAt: Double?

  init(at now: Double) { self.now = now }

  package var isPaused: Bool { pausedAt != nil }

  /// Whether the track was paused: its time is rounded since.
  package var wasPaused: Bool { anchor.batch != 0 }

  /// The track's time.
  package var time: Double { anchor.track + ((pausedAt ?? now) - anchor.batch) }

  /// The time of the batch's clock at a time of the track, which must not be paused.
  package func moment(of time: Double) -> Double { anchor.batch + (time - anchor.track) }

  /// The times of the batch's clock for a span of the track's time. After a pause, the way there and back takes four
  /// roundings.
  package func moments(of span: ClosedRange<Double>) -> ClosedRange<Double> {
    let (first, last) = (moment(of: span.lowerBound), moment(of: span.upperBound))
    guard wasPaused else { return first...last }
    let rounding = 2 * [anchor.batch, first, last].filter(\.isFinite).map(\.ulp).reduce(0, max)
    return first - rounding...last + rounding
  }

  package mutating func pause() { pausedAt = pausedAt ?? now }

  package mutating func resume() { if isPaused { (anchor, pausedAt) = ((time, now), nil) } }
}
