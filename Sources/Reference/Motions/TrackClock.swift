// SPDX-License-Identifier: MIT

/// The time of a track that can be paused: it stands still then, and is behind the batch's clock from there on.
package struct TrackClock: Sendable {
  private var lag = 0.0
  /// The track's time when it last went on. It is not before that, whatever differences are rounded to.
  private var resumedAt = -Double.infinity
  /// When the track was paused, on the batch's clock; nil while it is not.
  package private(set) var pausedAt: Double?

  package init() {}

  package var isPaused: Bool { pausedAt != nil }

  /// The track's time at a time of the batch's clock.
  package func time(at now: Double) -> Double { max((pausedAt ?? now) - lag, resumedAt) }

  /// The time of the batch's clock at a time of the track, which is not paused.
  package func moment(of time: Double) -> Double { time + lag }

  package mutating func pause(at now: Double) { pausedAt = pausedAt ?? now }

  package mutating func resume(at now: Double) {
    guard let since = pausedAt else { return }
    resumedAt = time(at: now)
    lag += now - since
    pausedAt = nil
  }
}
