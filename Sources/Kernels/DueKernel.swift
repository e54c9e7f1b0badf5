// SPDX-License-Identifier: MIT

/// The lanes of one tile of springs that are complete or at rest at a time.
public struct TileDue: Sendable, Equatable, BitwiseCopyable {
  /// The lanes that are logically complete, lane 0 lowest.
  public var logical: UInt16
  /// The lanes that are at rest.
  public var resting: UInt16
  /// A lower bound of the seconds until another lane of the tile is complete or at rest. It is a little below 0 if an
  /// age in Float cannot tell, and infinite if no lane is left.
  public var remaining: Float

  public init(logical: UInt16 = 0, resting: UInt16 = 0, remaining: Float = .infinity) {
    self.logical = logical
    self.resting = resting
    self.remaining = remaining
  }
}

extension InstructionSet {
  /// All bits of a lane set where `a < b`.
  @export(implementation) @inline(__always)
  static func isLess(_ a: Floats, _ b: Floats) -> Ints {
    unsafe unsafeBitCast(a - b, to: Ints.self) &>> Ints(repeating: 31)
  }

  /// Finds the lanes of a run of tiles of springs that are complete or at rest at a time, and marks lanes at rest in their
  /// decay.
  @export(implementation) @inline(__always)
  public static func findDue(
    _ columns: SpringColumns, _ run: LaneRun, now: Double, _ answers: Column<TileDue>
  ) {
    let now = Doubles(repeating: now)
    let never = splat(.greatestFiniteMagnitude)
    var lane = run.firstLane
    var answer = answers
    let end = run.firstLane &+ run.laneCount
    while lane < end {
      var (logical, resting) = (UInt32(0), UInt32(0))
      var remaining = never
      var shift = UInt32(0)
      while shift < UInt32(laneCountOfTile) {
        let age = narrow(now - load(columns.start, lane))
        let restAge = minimum(load(columns.restAge, lane), never)
        let logicalAge = minimum(load(columns.logicalAge, lane), restAge)
        let isLogicalAhead = isLess(age, logicalAge)
        let isRestAhead = isLess(age, restAge)
        logical |= signs(~isLogicalAhead) &<< shift
        resting |= signs(~isRestAhead) &<< shift
        // An age may be rounded up: with it, `remaining` would be too long, and the next look too late.
        let latest = age + age * splat(0x1p-23)
        let untilLogical = clear(logicalAge - latest, where: ~isLogicalAhead) + clear(never, where: isLogicalAhead)
        let untilRest = clear(restAge - latest, where: ~isRestAhead) + clear(never, where: isRestAhead)
        remaining = minimum(remaining, minimum(untilLogical, untilRest))
        let decay = unsafe unsafeBitCast(magnitude(load(columns.decay, lane)), to: Ints.self)
        let mark = ~isRestAhead & Ints(repeating: .min)
        columns.decay.rebound(to: Int32.self).store(decay | mark, at: lane)
        lane &+= Floats.scalarCount
        shift &+= UInt32(Floats.scalarCount)
      }
      let least = least(remaining)
      answer[0] = TileDue(
        logical: UInt16(truncatingIfNeeded: logical), resting: UInt16(truncatingIfNeeded: resting),
        remaining: least < .greatestFiniteMagnitude ? least : .infinity)
      answer += 1
    }
  }
}
