// SPDX-License-Identifier: MIT
// The frame from which on lanes that are baked are at rest.

extension InstructionSet {
  /// Finds the first frame of a group in which each lane is at rest, by the rule of a batch: the age, in Float, has
  /// reached the age of rest. The rule itself is evaluated only if rounding leaves a doubt.
  ///
  /// - Parameter first: The number of the first frame of the group.
  @export(implementation) @inline(__always)
  static func planRest(_ lanes: BakeLanes, _ lane: Int, _ times: BakeTimes, from first: Int) {
    let firstTime = times.origin + Double(first) / times.rate
    let lastTime = firstTime.magnitude + Double(groupOfBake) * times.interval
    let rate = splatDouble(times.rate)
    let age = (splatDouble(firstTime) - load(lanes.start, lane)) * rate
    // Counted in frames from the first one on, and clamped to just before it and just after the last one.
    var frame = widen(load(lanes.restAge, lane)) * rate - age
    let last = splatDouble(Double(groupOfBake) + 0.5)
    frame = select(isLess(frame, last), frame, last)
    frame = select(isLess(splatDouble(-0.5), frame), frame, splatDouble(-0.5))
    let (nearest, shifted) = nearestInteger(frame)
    let past = frame - nearest
    // Four times the error of ages in Float, and more than the error of times in Double.
    let doubt =
      (magnitude(age) + magnitude(frame)) * splatDouble(0x1p-22) + splatDouble(lastTime * times.rate * 0x1p-48)
    guard signs(truncate(isLess(magnitude(past), doubt)) & ~load(lanes.isExact, lane)) == 0 else {
      return findRest(lanes, lane, times, from: first)
    }
    unsafe keepRestFrame(
      truncate(unsafeBitCast(shifted, to: Longs.self)) &- truncate(isLess(Doubles.zero, past)), lanes, lane)
  }

  /// Finds the frame by the rule alone. The frame is estimated, and the rule is evaluated for the two frames before the
  /// estimate and the two after it. For ages of less than 2²² frames the frame is one of these.
  @inline(never)
  @export(implementation)
  static func findRest(_ lanes: BakeLanes, _ lane: Int, _ times: BakeTimes, from first: Int) {
    let start = load(lanes.start, lane)
    let restAge = load(lanes.restAge, lane)
    let (origin, first, rate) = (splatDouble(times.origin), splatDouble(Double(first)), splatDouble(times.rate))
    var frame = (start + widen(restAge) - (origin + first / rate)) * rate
    frame = select(isLess(frame, splatDouble(0x1p30)), frame, splatDouble(0x1p30))
    frame = select(isLess(splatDouble(-4), frame), frame, splatDouble(-4))
    let (nearest, shifted) = nearestInteger(frame - splatDouble(2))
    var restFrame = unsafe truncate(unsafeBitCast(shifted, to: Longs.self))
    for after in 0..<4 {
      let time = origin + (first + (nearest + splatDouble(Double(after)))) / rate
      restFrame = restFrame &- isLess(narrow(time - start), restAge)
    }
    keepRestFrame(restFrame, lanes, lane)
  }

  @export(implementation) @inline(__always)
  static func keepRestFrame(_ frame: Ints, _ lanes: BakeLanes, _ lane: Int) {
    let exact = load(lanes.isExact, lane)
    lanes.restFrame.store((frame & ~exact) | (exact & Ints(repeating: .max)), at: lane)
  }

  @export(implementation) @inline(__always)
  static func magnitude(_ x: Doubles) -> Doubles {
    unsafe unsafeBitCast(unsafeBitCast(x, to: Longs.self) & Longs(repeating: .max), to: Doubles.self)
  }
}
