// SPDX-License-Identifier: MIT
package import Murmuration

/// A track that plays a clip, in Double, with the error that a batch may show beside it.
///
/// A batch counts in ticks, 2⁻³² of a clip: the values a little earlier and a little later are within the bound, so at
/// a boundary both sides are right.
package struct ClipMotion: ReferenceMotion {
  package let content: ClipContent
  /// The content of iterations after the first, if the first began in mid-run.
  private let later: ClipContent?
  package var clock: PlaybackClock
  /// The state before and after the playback, unless the clip is held there.
  package var own: [MotionSample]
  /// The factors of the clip's values and the offsets added to the products, by dimension; nil without a variation.
  package var variation: (scales: [Float], offsets: [Float])?

  /// A track that is told to play a clip at a time.
  ///
  /// - Parameters:
  ///   - shown: The value and velocity from which it plays on; nil for the clip's own start.
  ///   - later: The content of iterations after the first; nil for the same content.
  package init(
    _ content: ClipContent, _ playback: Playback, from shown: [MotionSample]? = nil, later: ClipContent? = nil,
    own: [MotionSample], variation: (scales: [Float], offsets: [Float])? = nil, at now: Double
  ) throws(ClipError) {
    let start = shown?.enumerated().map { dimension, sample in
      var sample = sample
      sample.value -= Double(variation?.offsets[dimension] ?? 0)
      let scale = Double(variation?.scales[dimension] ?? 1)
      // The clip runs at its own speed; one that stands starts with no velocity.
      return sample.scaled(by: 1 / scale, velocityBy: playback.speed == 0 ? 0 : 1 / (scale * playback.speed))
    }
    self.content = if let start { try content.restarted(from: start) } else { content }
    (self.later, self.own, self.variation) = (later, own, variation)
    clock = PlaybackClock(playback, duration: self.content.duration, at: now)
  }

  package func samples(at time: Double) -> [MotionSample] {
    // Iterations before this one were longer or shorter too. After many of them a batch may be anywhere in the clip.
    let position = clock.position(at: time)
    let drift = ErrorBound.passed(content.durationError, by: clock.durations(in: position.iteration))
    let margin = clock.margin(at: time) + min(drift, content.duration / 2)
    return own.indices.map { dimension in
      var sample = shown(dimension, at: time, nudge: 0)
      if position.phase == .playing, drift > content.duration / 2 { return sample.unbounded }
      if let distance = clock.distanceFromInstant(at: time), position.phase == .over {
        let instant = vary(content.sample(dimension, at: -1).standing, dimension)
        if distance == 0 { return instant }
        if distance <= margin { sample = sample.allowing(instant) }
      }
      // A clip that lasts longer in a batch still plays, and one that lasts less is over.
      if let past = clock.secondsAfterEnd(at: time),
        abs(past) <= ErrorBound.passed(content.durationError, by: clock.iterations)
      {
        let last = clock.lastIteration
        if past > 0, !clock.isReversed(last) {
          sample = sample.allowing(playing(dimension, last, seconds: content.duration + past))
        }
        if past < 0, !clock.playback.holdsAfter { sample = sample.allowing(own[dimension]) }
      }
      for nudge in [-margin, margin] { sample = sample.allowing(shown(dimension, at: time, nudge: nudge)) }
      guard allowShortPieces(&sample, dimension, at: time, margin) else { return sample.unbounded }
      guard let next = clock.boundary(at: time) else { return sample }
      // The clip's states at its very ends, which last for an instant only.
      if clock.plays(next) { sample = sample.allowing(playing(dimension, next, seconds: 0)) }
      if clock.plays(next - 1) { sample = sample.allowing(playing(dimension, next - 1, seconds: content.duration)) }
      return sample
    }
  }

  package func standing(at time: Double, _ tolerance: RestTolerances) -> Standing {
    clock.position(at: time).phase == .playing ? .moves : .stands
  }

  /// Allows for pieces that are short beside the margin. Within it a batch may show any of their states, and, as it rounds
  /// their ends to ticks, the line from one end to the other at up to twice its slope, or a bit beyond an end.
  ///
  /// - Returns: Whether they are few enough to tell.
  private func allowShortPieces(
    _ sample: inout MotionSample, _ dimension: Int, at time: Double, _ margin: Double
  ) -> Bool {
    let now = clock.position(at: time)
    var speed = 0.0
    for nudge in [0, -margin, margin] {
      let position = clock.position(at: time, nudge: nudge)
      // Around the middle of the margin, and what of it is in another iteration.
      let isApart = now.phase != .playing || position.iteration != now.iteration
      guard position.phase == .playing, nudge == 0 || isApart else { continue }
      let content = content(of: position.iteration)
      let isReversed = clock.isReversed(position.iteration)
      let middle = isReversed ? content.duration - position.seconds : position.seconds
      let range = middle - margin...middle + margin
      guard let moments = content.moments(ofDimension: dimension, in: range, shorterThan: 2 * margin) else {
        return false
      }
      for moment in moments {
        let seconds = isReversed ? content.duration - moment : moment
        let state = playing(dimension, position.iteration, seconds: seconds)
        speed = max(speed, abs(state.velocity) + state.bound.velocity)
        sample = sample.allowing(state).allowing(state.standing)
      }
    }
    sample.bound.add(ErrorBound(value: ErrorBound.passed(speed, by: margin / 2), velocity: speed))
    return true
  }

  /// The state after some more seconds of playing.
  private func shown(_ dimension: Int, at time: Double, nudge: Double) -> MotionSample {
    let position = clock.position(at: time, nudge: nudge)
    guard position.phase != .playing else { return playing(dimension, position.iteration, seconds: position.seconds) }
    let isOver = position.phase == .over
    guard isOver ? clock.playback.holdsAfter : clock.playback.holdsBefore else { return own[dimension] }
    let content = content(of: position.iteration)
    // The clip's state before its start or after its end. Before it begins in reverse, the last move does not show yet.
    let end = isOver ? content.duration + 1 : content.duration > 0 ? content.duration : -1
    let isAtEnd = clock.isReversed(position.iteration) != isOver
    return vary(content.sample(dimension, at: isAtEnd ? end : -1).standing, dimension)
  }

  private func content(of iteration: Double) -> ClipContent { iteration > 0 ? later ?? content : content }

  /// The state at some seconds into an iteration.
  private func playing(_ dimension: Int, _ iteration: Double, seconds: Double) -> MotionSample {
    let isReversed = clock.isReversed(iteration)
    let content = content(of: iteration)
    let state = content.sample(dimension, at: isReversed ? content.duration - seconds : seconds)
    // A clip that stands has no velocity, however steep its curve is.
    var sample = state.scaled(by: 1, velocityBy: isReversed ? -abs(clock.speed) : abs(clock.speed))
    // The factor of the speed is rounded, and its product too.
    sample.bound.velocity += abs(sample.velocity) * 2 * ErrorBound.unit + ErrorBound.least
    return vary(sample, dimension)
  }

  private func vary(_ sample: MotionSample, _ dimension: Int) -> MotionSample {
    guard let variation else { return sample }
    let scale = Double(variation.scales[dimension])
    var varied = sample.scaled(by: scale, velocityBy: scale)
    let product = varied.value
    varied.value += Double(variation.offsets[dimension])
    varied.bound.value += (abs(product) + abs(varied.value)) * ErrorBound.unit + ErrorBound.least
    varied.bound.velocity += abs(varied.velocity) * ErrorBound.unit + ErrorBound.least
    return varied
  }
}
