// SPDX-License-Identifier: MIT
@testable import Murmuration

/// One instance as it should be: written from the definition of a playback, in Double, and one at a time.
struct PlaybackModel {
  enum Mode { case idle, running, paused }

  var clip: Clip
  var clipID: ClipID
  var mode = Mode.idle
  var speed = 1.0
  /// Where it goes; what stands still keeps its direction.
  var isBackwards = false
  var legs = 1.0
  var autoreverses = false
  var holdsBefore = true
  var holdsAfter = true
  /// The clock's time at which `played` seconds are played; before it nothing moves.
  var origin = 0.0
  var played = 0.0
  /// Time at which a paused one stands.
  var pausedAt = 0.0
  var reportedLeg = 0.0
  var isReported = true
  /// No leg before this is played.
  var firstLeg = 0.0
  var own: [Float]
  var scale: [Double]
  var offset: [Double]

  init(_ clip: Clip, _ clipID: ClipID) {
    self.clip = clip
    self.clipID = clipID
    own = (0..<clip.dimensions).map { Float(clip.value(dimension: $0, at: -1)) }
    scale = own.map { _ in 1 }
    offset = own.map { _ in 0 }
  }

  mutating func begin(_ playback: Playback, at now: Double) {
    mode = .running
    speed = playback.speed
    isBackwards = speed < 0
    if case .count(let count) = playback.repetition { legs = Double(count) } else { legs = .infinity }
    autoreverses = playback.autoreverses
    (holdsBefore, holdsAfter) = (playback.holdsBefore, playback.holdsAfter)
    origin = (playback.start ?? now) + playback.delay
    played = playback.timeOffset
    firstLeg = 0
    isReported = false
    reportedLeg = place(at: max(now, origin)).leg
  }

  enum Phase { case waiting, playing, over }

  /// Where it is at a time of the clock: the leg, and the seconds of it that are over.
  func place(at now: Double, nudge: Double = 0) -> (phase: Phase, leg: Double, seconds: Double) {
    let time = mode == .paused ? pausedAt : now
    let last = legs < .infinity ? legs - 1 : 0
    let total = played + (time - origin) * abs(speed) + (speed == 0 ? 0 : nudge)
    if time < origin || total < 0 { return (.waiting, firstLeg, 0) }
    if clip.duration == 0 { return speed == 0 && total == 0 ? (.playing, firstLeg, 0) : (.over, last, 0) }
    if total >= legs * clip.duration, speed != 0 || total > legs * clip.duration { return (.over, last, clip.duration) }
    let leg = max(firstLeg, (total / clip.duration).rounded(.up) - 1)
    return (.playing, leg, min(max(total - leg * clip.duration, 0), clip.duration))
  }

  func isReversed(_ leg: Double) -> Bool {
    (autoreverses && leg.truncatingRemainder(dividingBy: 2) == 1) != isBackwards
  }

  /// Makes now the time from which it counts.
  mutating func anchor(at now: Double) {
    guard mode != .idle else { return }
    let (phase, leg, seconds) = place(at: now)
    let time = mode == .paused ? pausedAt : now
    switch phase {
    case .waiting:
      if time < origin {
        origin += now - time
      } else {
        played += (time - origin) * abs(speed)
        origin = now
      }
    case .playing:
      played = leg * clip.duration + seconds
      origin = now
      firstLeg = leg
    case .over:
      if clip.duration == 0 {
        played = 1
      } else if legs < .infinity {
        played = (legs + 1) * clip.duration
        firstLeg = legs
      }
      origin = now
    }
    pausedAt = now
  }

  mutating func pause(at now: Double) {
    guard mode == .running else { return }
    anchor(at: now)
    mode = .paused
  }

  mutating func resume(at now: Double) {
    guard mode == .paused else { return }
    anchor(at: now)
    mode = .running
  }

  mutating func retime(_ newSpeed: Double, at now: Double) {
    anchor(at: now)
    let turns = newSpeed != 0 && (newSpeed < 0) != isBackwards
    if mode != .idle, turns, clip.duration > 0 {
      let (phase, leg, seconds) = place(at: now)
      if phase == .over, legs < .infinity {
        (firstLeg, played, isReported) = (legs - 1, (legs - 1) * clip.duration, false)
      } else if phase == .playing {
        played = leg * clip.duration + clip.duration - seconds
        firstLeg = leg
      }
    }
    speed = newSpeed
    if turns { isBackwards.toggle() }
  }

  mutating func scrub(to time: Double, at now: Double) {
    if mode == .idle {
      begin(Playback(), at: now)
      pausedAt = now
      mode = .paused
    }
    anchor(at: now)
    let local = min(max(time, 0), clip.duration)
    var (phase, leg, _) = place(at: max(now, origin))
    if mode == .paused, phase == .waiting || now < origin {
      // Where it would begin.
      var begun = self
      begun.pausedAt = origin
      leg = begun.place(at: origin).leg
    }
    if phase == .over {
      leg = legs < .infinity ? legs - 1 : 0
      if clip.duration > 0 { isReported = false }
    }
    phase = .playing
    firstLeg = leg
    reportedLeg = max(reportedLeg, leg)
    played = leg * clip.duration + (isReversed(leg) ? clip.duration - local : local)
    origin = now
  }

  mutating func cancel(showing value: [Float]) {
    own = value
    mode = .idle
  }

  /// What may show at a time of the clock, by dimension: either side of a boundary that is as near as clocks can tell.
  func shown(at now: Double, slack: Double) -> [(value: [Double], velocity: [Double])] {
    [-slack, 0, slack].map { nudge in
      let ownValue = (own.map(Double.init), own.map { _ in 0.0 })
      guard mode != .idle else { return ownValue }
      let (phase, leg, seconds) = place(at: now, nudge: nudge)
      var (local, slope) = (seconds, isReversed(leg) ? -abs(speed) : abs(speed))
      if isReversed(leg) { local = clip.duration - local }
      // Whether it is the one instant of a clip of no length.
      let total = played + ((mode == .paused ? pausedAt : now) - origin) * abs(speed)
      let isInstant = total == 0 || nudge == 0 && abs(total) <= 2 * slack
      switch phase {
      case .waiting:
        guard holdsBefore else { return ownValue }
        slope = 0
      case .over where clip.duration == 0 && isInstant:
        (local, slope) = (0, 0)
      case .over:
        guard holdsAfter else { return ownValue }
        let isEnd =
          clip.duration > 0 && mode == .running
          && abs((now - origin) * abs(speed) + played - legs * clip.duration) <= 2 * slack
        local = isReversed(leg) ? (isEnd ? 0 : -1) : isEnd ? clip.duration : .infinity
        if !isEnd { slope = 0 }
      case .playing:
        break
      }
      if mode == .paused { slope = 0 }
      return (
        scale.indices.map { clip.value(dimension: $0, at: local) * scale[$0] + offset[$0] },
        scale.indices.map { slope == 0 ? 0 : clip.velocity(dimension: $0, at: local) * slope * scale[$0] }
      )
    }
  }
}
