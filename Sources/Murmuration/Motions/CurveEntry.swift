// SPDX-License-Identifier: MIT

/// A spring that took over, from the track's origin and with velocities.
final class TakenOver: Sendable {
  let spring: Spring
  let velocities: [Double]
  /// The last moment before it has finished, in seconds from its start.
  let end: Double

  init(_ spring: Spring, velocities: [Double], end: Double) {
    (self.spring, self.velocities, self.end) = (spring, velocities, end)
  }
}

/// When a motion begins and ends.
struct CurveSpan: Sendable {
  /// When the motion began, on the batch's clock.
  var start: Double
  /// The last moment before it has finished, in seconds from its start.
  let length: Double
  /// Whether it shows its target at its end, and not only after it.
  fileprivate let endsAtTarget: Bool
  fileprivate let isProgress: Bool
  /// Whether it has finished before it began.
  fileprivate var isInstant = false

  /// The last moment before it has finished, on the batch's clock.
  var end: Double { start + length }

  /// Whether it has finished at a time.
  func isFinished(at time: Double) -> Bool { local(time) > length || isInstant }

  /// Whether a time is the last moment before the motion has finished, and the motion shows its target then. A motion
  /// that is added at this moment finds the same value as after the end.
  func arrives(at time: Double) -> Bool { endsAtTarget && local(time) == length }

  /// Seconds since its start.
  ///
  /// A time that differs from the end only by rounding counts as the end. So a motion that follows on schedule either
  /// always takes over the velocity of a curve that ends in motion, or never does.
  func local(_ time: Double) -> Double {
    let local = time - start
    return isProgress && abs(local - length) <= 2 * (time.ulp + start.ulp) ? length : local
  }
}

/// One of the motions whose effects add up in a track.
struct CurveEntry: Sendable {
  enum Motion: Sendable {
    case progress(Progress)
    /// A spring is always the first entry.
    case spring(TakenOver)
  }

  let motion: Motion
  var span: CurveSpan
  /// The target by dimension; empty for the last entry, which has the target of the track.
  var targets: [Float] = []

  init(_ motion: Motion, start: Double) {
    self.motion = motion
    switch motion {
    case .progress(let progress):
      span = CurveSpan(start: start, length: progress.end, endsAtTarget: progress.endsAtTarget, isProgress: true)
      span.isInstant = progress.end <= 0 && progress.clockLength <= 0
    case .spring(let spring):
      span = CurveSpan(start: start, length: spring.end, endsAtTarget: false, isProgress: false)
    }
  }
}
