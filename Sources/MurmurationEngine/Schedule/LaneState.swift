// SPDX-License-Identifier: MIT
import Kernels

extension LaneState {
  /// Begins a playback that was checked.
  mutating func begin(_ playback: Playback, at now: Double, _ clip: ClipTiming) {
    start = (playback.start ?? now) + playback.delay
    changed = now
    speed = playback.speed == 0 ? 0 : playback.speed
    offset = playback.timeOffset
    firstLeg = 0
    legCount = if case .count(let count) = playback.repetition { Double(count) } else { .infinity }
    mode = .running
    autoreverses = playback.autoreverses
    holdsBefore = playback.holdsBefore
    holdsAfter = playback.holdsAfter
    completionIsReported = false
    reportedLeg = 0
    // The first leg is not reported.
    if start < now || offset > clip.duration { reportedLeg = leg(at: max(now, start), clip).index }
  }

  /// Makes `now` the moment from which the playback counts, so that later changes leave the past alone.
  mutating func anchor(at now: Double, _ clip: ClipTiming) {
    let moment = mode == .paused ? changed : now
    if mode != .idle {
      let leg = runningLeg(at: moment, clip)
      switch leg.phase {
      case .waiting where moment < start:
        start = now + (start - moment)
      case .waiting:
        offset += (moment - start) * speed.magnitude
        start = now
      case .playing:
        offset = leg.position(at: moment, isReversed: isReversed(leg.index)) * clip.duration
        firstLeg = leg.index
        start = now
      case .over:
        if clip.duration == 0 {
          // The clip is past its one instant.
          offset = 1
        } else if leg.until == moment {
          // The moment of the end shows the end until time passes.
          (firstLeg, offset) = (leg.index, clip.duration)
        } else if legCount < .infinity {
          firstLeg = legCount
          offset = clip.duration
        }
        start = now
      }
    }
    changed = now
  }

  /// Stops the instance at its position. A clip without length that is at its one instant keeps showing it, and is past
  /// it when the instance goes on.
  mutating func pause(at now: Double, _ clip: ClipTiming) {
    if clip.duration > 0 { anchor(at: now, clip) }
    changed = now
    mode = .paused
  }

  /// Moves to a time of the clip, within the current leg. The state must be anchored.
  mutating func move(to time: Double, _ clip: ClipTiming) {
    let leg = runningLeg(at: start, clip)
    let isOver = leg.phase == .over
    let last = legCount < .infinity ? legCount - 1 : 0
    firstLeg = isOver ? last : leg.index
    if isOver, clip.duration > 0 { completionIsReported = false }
    reportedLeg = max(reportedLeg, firstLeg)
    offset = isReversed(firstLeg) ? clip.duration - time : time
    start = changed
  }

  /// Changes the speed from the current position on. At speed 0 it keeps its direction. The state must be anchored.
  mutating func setSpeed(_ newSpeed: Double, _ clip: ClipTiming) {
    let newSpeed = newSpeed == 0 ? Double(signOf: speed, magnitudeOf: 0) : newSpeed
    if newSpeed.sign != speed.sign, clip.duration > 0 {
      let leg = runningLeg(at: changed, clip)
      if leg.phase == .over, legCount < .infinity {
        // The playback goes back from its end.
        firstLeg = legCount - 1
        offset = 0
        completionIsReported = false
      } else if leg.phase == .playing {
        offset = clip.duration - offset
      }
    }
    speed = newSpeed
  }

  /// Whether a leg goes from the end of the clip to its start.
  func isReversed(_ leg: Double) -> Bool {
    (autoreverses && leg < .infinity && leg.truncatingRemainder(dividingBy: 2) != 0) != (speed.sign == .minus)
  }
}
