// SPDX-License-Identifier: MIT
import Kernels

extension ClipTiming {
  /// The timing of a clip.
  init(_ clip: Clip) {
    let outer = TickClip.outerTicks(of: clip)
    self.init(duration: clip.duration, beforeTick: outer.before, afterTick: outer.after)
  }
}

/// The motion of an instance during an interval of the clock, as kernels take it.
struct PlaybackLeg: BitwiseCopyable {
  /// The tick at a time is base + (time − origin) · rate.
  var origin: Double
  var base: Double
  var rate: Double
  /// The interval of the clock for which this holds, both ends included.
  var from: Double
  var until: Double
  /// The leg, from 0 on: the first one while it waits, the last one when it is over.
  var index: Double
  var phase: TrackMotion.Progress
  /// Whether the instance shows the target of its track instead.
  var showsOwn = false

  /// The share of the leg that is over at a time within its interval: 0…1.
  func position(at time: Double, isReversed: Bool) -> Double {
    PlaybackLeg.fraction(ofTick: base + (time - origin) * rate, isReversed: isReversed)
  }

  /// How much of a leg is over at a tick.
  static func fraction(ofTick tick: Double, isReversed: Bool) -> Double {
    let passed = (tick - Double(ClipTick.start)) / ClipTick.count
    return min(max(isReversed ? 1 - passed : passed, 0), 1)
  }
}

extension PlaybackLeg {
  /// A leg that stands still.
  init(
    at tick: Int32, from: Double, until: Double, index: Double, phase: TrackMotion.Progress, showsOwn: Bool = false
  ) {
    self.init(
      origin: 0, base: Double(tick), rate: 0, from: from, until: until, index: index, phase: phase, showsOwn: showsOwn)
  }
}

extension LaneState {
  /// Legs shorter than this are not told apart: 2⁻⁶⁰ s.
  static let shortestLeg = 0x1p-60
  /// Ticks per second, at most.
  private static let greatestRate = 0x1p92

  /// The leg of the instance at a time.
  func leg(at time: Double, _ clip: ClipTiming) -> PlaybackLeg {
    switch mode {
    case .running:
      return runningLeg(at: time, clip)
    case .paused:
      var leg = runningLeg(at: changed, clip)
      leg.base += (changed - leg.origin) * leg.rate
      (leg.origin, leg.rate) = (0, 0)
      (leg.from, leg.until) = (-.infinity, .infinity)
      return leg
    case .idle:
      return PlaybackLeg(
        at: clip.beforeTick, from: -.infinity, until: .infinity, index: 0, phase: .over, showsOwn: true)
    }
  }

  /// Whether a leg is the last one. It ends just before its end, at which the playback is over.
  private func isLast(_ index: Double) -> Bool { index == legCount - 1 }

  /// When a leg begins: not before the last change.
  func start(ofLeg index: Double, _ clip: ClipTiming) -> Double { max(changed, end(ofLegs: index, clip)) }

  /// The time at which a number of legs is over, rounded as a product, as callers compute it.
  private func end(ofLegs count: Double, _ clip: ClipTiming) -> Double {
    start + ((count - firstLeg) * clip.duration - offset) / speed.magnitude
  }

  /// The leg at a time, as if the instance were not paused.
  func runningLeg(at time: Double, _ clip: ClipTiming) -> PlaybackLeg {
    // A clip without length has no ticks of its own, only the ticks before it and after it.
    let first = clip.duration > 0 && isReversed(firstLeg) ? ClipTick.end : clip.beforeTick
    guard time >= start else { return waiting(first, until: start.nextDown) }
    if speed == 0 { return standing(first, clip) }
    let begin = offset >= 0 ? start : end(ofLegs: firstLeg, clip)
    guard time >= begin else { return waiting(first, until: begin.nextDown) }
    guard clip.duration > 0 else {
      // It is at its start for an instant, unless that is skipped.
      if offset > 0 { return over(from: begin, clip) }
      return time > begin ? over(from: begin.nextUp, clip) : instant(at: begin)
    }
    let end = end(ofLegs: legCount, clip)
    if time > end { return over(from: max(begin, end.nextUp), clip) }
    if time == end {
      let isReversed = isReversed(legCount - 1)
      let rate = min(speed.magnitude / clip.duration * ClipTick.count, Self.greatestRate)
      return PlaybackLeg(
        origin: end, base: Double(isReversed ? ClipTick.start : ClipTick.end), rate: isReversed ? -rate : rate,
        from: end, until: end, index: legCount - 1, phase: .over)
    }
    return playing(at: time, begin: begin, clip)
  }

  /// The leg at a time, if it has a given index and follows directly the leg that ended at `until`; nil in all other
  /// cases. It is the same as ``leg(at:_:)``, with a third of its arithmetic: most legs that begin are of this kind.
  func leg(_ index: Double, after until: Double, at time: Double, _ clip: ClipTiming) -> PlaybackLeg? {
    guard mode == .running, time > until, index < min(legCount, Playback.maximumLegs), speed != 0, clip.duration > 0
    else { return nil }
    let (low, high) = (end(ofLegs: index, clip), end(ofLegs: index + 1, clip))
    guard low == until, low >= start, time < high, high < .infinity, high - low >= Self.shortestLeg else { return nil }
    let isReversed = isReversed(index)
    let first = Double(isReversed ? ClipTick.end : ClipTick.start)
    let finish = Double(isReversed ? ClipTick.start : ClipTick.end)
    return PlaybackLeg(
      origin: low, base: first, rate: (finish - first) / (high - low), from: low.nextUp,
      until: isLast(index) ? high.nextDown : high, index: index, phase: .playing)
  }

  private func playing(at time: Double, begin: Double, _ clip: ClipTiming) -> PlaybackLeg {
    let played = (time - start) * speed.magnitude + offset
    let last = min(legCount - 1, Playback.maximumLegs)
    var index = min(firstLeg + max(0, (played / clip.duration).rounded(.up) - 1), last)
    // The quotient is rounded. The boundaries decide.
    var low = end(ofLegs: index, clip)
    var high = end(ofLegs: index + 1, clip)
    if time > high, index < last {
      index += 1
      (low, high) = (high, end(ofLegs: index + 1, clip))
    } else if time <= low, index > firstLeg {
      index -= 1
      (low, high) = (end(ofLegs: index, clip), low)
    }
    let isReversed = isReversed(index)
    let (first, finish) = isReversed ? (ClipTick.end, ClipTick.start) : (ClipTick.start, ClipTick.end)
    let done = (index - firstLeg) * clip.duration
    // The leg may have begun before the playback did.
    let origin = max(low, start)
    let fraction = low < start ? min(max((offset - done) / clip.duration, 0), 1) : 0
    let base = Double(first) + (Double(finish) - Double(first)) * fraction
    let nominal = min(speed.magnitude / clip.duration * ClipTick.count, Self.greatestRate)
    guard time <= high, index == firstLeg || time > low, high - origin >= Self.shortestLeg else {
      // At the end of the leg in which it starts, and if legs are too short for the clock at this time, a leg is an
      // instant.
      let passed = min(max((played - done) / clip.duration, 0), 1)
      let tick = Double(first) + (Double(finish) - Double(first)) * passed
      return PlaybackLeg(
        origin: time, base: tick, rate: isReversed ? -nominal : nominal, from: time, until: time, index: index,
        phase: .playing)
    }
    // The leg is at its end when the next one begins, whatever the two times are rounded to.
    let rate = high < .infinity ? (Double(finish) - base) / (high - origin) : isReversed ? -nominal : nominal
    return PlaybackLeg(
      origin: origin, base: base, rate: rate, from: index == firstLeg ? begin : max(start, low.nextUp),
      until: isLast(index) ? high.nextDown : high, index: index, phase: .playing)
  }

  private func waiting(_ tick: Int32, until: Double) -> PlaybackLeg {
    PlaybackLeg(at: tick, from: -.infinity, until: until, index: firstLeg, phase: .waiting, showsOwn: !holdsBefore)
  }

  private func over(from: Double, _ clip: ClipTiming) -> PlaybackLeg {
    let last = legCount < .infinity ? legCount - 1 : 0
    return PlaybackLeg(
      at: isReversed(last) ? clip.beforeTick : clip.afterTick, from: from, until: .infinity, index: last, phase: .over,
      showsOwn: !holdsAfter)
  }

  /// A clip without length, at its one instant.
  private func instant(at time: Double) -> PlaybackLeg {
    PlaybackLeg(
      at: ClipTick.start, from: time, until: time, index: legCount < .infinity ? legCount - 1 : 0, phase: .over)
  }

  /// The leg at speed 0.
  private func standing(_ first: Int32, _ clip: ClipTiming) -> PlaybackLeg {
    guard offset >= 0 else { return waiting(first, until: .infinity) }
    let all = clip.duration > 0 ? (legCount - firstLeg) * clip.duration : 0
    guard offset <= all else { return over(from: start, clip) }
    guard clip.duration > 0 else {
      return PlaybackLeg(at: ClipTick.start, from: start, until: .infinity, index: firstLeg, phase: .playing)
    }
    let index = min(firstLeg + max(0, (offset / clip.duration).rounded(.up) - 1), Playback.maximumLegs)
    let fraction = min(max((offset - (index - firstLeg) * clip.duration) / clip.duration, 0), 1)
    let passed = isReversed(index) ? 1 - fraction : fraction
    return PlaybackLeg(
      origin: 0, base: Double(ClipTick.start) + ClipTick.count * passed, rate: 0, from: start, until: .infinity,
      index: index, phase: .playing)
  }
}
