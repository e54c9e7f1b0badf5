// SPDX-License-Identifier: MIT

/// The state of an instance besides the columns that kernels read: a line of memory, touched only when it changes.
struct LaneState {
  /// Whether the clock moves an instance.
  enum Mode: UInt8 {
    /// It plays nothing, and shows the target of its track.
    case idle
    /// It follows the clock.
    case running
    /// It stands where the clock was at `changed`.
    case paused
  }

  /// When `offset` is reached: the end of the delay, or the moment of the last change.
  var start = 0.0
  /// When a call last changed it. The clock cannot go back beyond that.
  var changed = 0.0
  /// The speed. Its sign is the direction, also for 0.
  var speed = 1.0
  /// Seconds of `firstLeg` that are over at `start`; negative if it waits for longer.
  var offset = 0.0
  /// The leg to which `start` belongs.
  var firstLeg = 0.0
  /// One past the last leg; infinite without end.
  var legCount = 1.0
  /// The last leg whose beginning was reported, or the first leg.
  var reportedLeg = 0.0
  /// The clip that it was given. It may play another clip, which was made for it alone.
  var home: Int32 = 0
  var mode = Mode.idle
  private var flags: Flags = [.holdsBefore, .holdsAfter, .completionIsReported]

  /// An instance that plays nothing.
  init(home: Int, changed: Double) {
    self.home = Int32(home)
    self.changed = changed
  }
}

extension LaneState {
  /// Flags of one bit each: with a byte for each, a state would not fit in a line.
  private struct Flags: OptionSet {
    let rawValue: UInt8
    static let autoreverses = Flags(rawValue: 1)
    static let holdsBefore = Flags(rawValue: 2)
    static let holdsAfter = Flags(rawValue: 4)
    static let completionIsReported = Flags(rawValue: 8)

    subscript(flag: Flags) -> Bool {
      get { contains(flag) }
      set { if newValue { insert(flag) } else { remove(flag) } }
    }
  }

  var autoreverses: Bool {
    get { flags[.autoreverses] }
    set { flags[.autoreverses] = newValue }
  }

  var holdsBefore: Bool {
    get { flags[.holdsBefore] }
    set { flags[.holdsBefore] = newValue }
  }

  var holdsAfter: Bool {
    get { flags[.holdsAfter] }
    set { flags[.holdsAfter] = newValue }
  }

  var completionIsReported: Bool {
    get { flags[.completionIsReported] }
    set { flags[.completionIsReported] = newValue }
  }
}

extension LaneState {
  /// Begins a playback that was checked.
  mutating func begin(_ playback: Playback, at now: Double, _ clip: ClipTiming) {
    start = (playback.start ?? now) + playback.delay
    changed = now
    speed = playback.speed == 0 ? 0 : playback.speed
    offset = playback.timeOffset
    firstLeg = 0
    switch playback.repetition {
    case .count(let count): legCount = Double(count)
    case .forever: legCount = .infinity
    }
    mode = .running
    autoreverses = playback.autoreverses
    holdsBefore = playback.holdsBefore
    holdsAfter = playback.holdsAfter
    completionIsReported = false
    reportedLeg = 0
    // The first leg is not reported.
    if start < now || offset > clip.duration { reportedLeg = leg(at: max(now, start), clip).index }
  }

  /// Makes `now` the moment from which the playback counts, so that a change of it does not change the past.
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
          // It is past its one instant.
          offset = 1
        } else if legCount < .infinity {
          firstLeg = legCount
          offset = clip.duration
        }
        start = now
      }
    }
    changed = now
  }

  /// Stands where it is. A clip without length that is at its one instant keeps showing it, and is past it when it goes
  /// on.
  mutating func pause(at now: Double, _ clip: ClipTiming) {
    if clip.duration > 0 { anchor(at: now, clip) }
    changed = now
    mode = .paused
  }

  /// Moves to a time of the clip, within the current leg. The state has to be anchored.
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

  /// Changes the speed, from where it is. At speed 0 it keeps its direction. The state has to be anchored.
  mutating func setSpeed(_ newSpeed: Double, _ clip: ClipTiming) {
    let newSpeed = newSpeed == 0 ? Double(signOf: speed, magnitudeOf: 0) : newSpeed
    if newSpeed.sign != speed.sign, clip.duration > 0 {
      let leg = runningLeg(at: changed, clip)
      if leg.phase == .over, legCount < .infinity {
        // It goes back from its end.
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
