// SPDX-License-Identifier: MIT
import Kernels

/// When each track has its next step: a timer wheel of short spans, so that an advance looks only at tracks that are
/// due.
///
/// A track has at most one valid entry. Older entries are skipped where they lie. Times beyond one turn of the wheel
/// wait on a second wheel, whose spans are as long as a turn, until their turn begins.
struct StepSchedule: ~Copyable {
  private static let spansPerSecond = 256.0
  static let spanBits = 10
  static let spanCount: Int64 = 1 << spanBits
  static let nowhere = UInt16.max
  /// The number of entries between the current entry and the one that is prefetched.
  private static let lead = 16

  /// The entries of both wheels: first the short spans, then the turns. There are no lists before there are tracks.
  private(set) var entries = TrackLists(count: 0)
  /// The list in which the valid entry of each track lies.
  private(set) var lists = OwnedColumn<UInt16>()
  /// The number of the short span of the last time, counted from time 0.
  private(set) var current: Int64 = 0
  private var looks: [UInt32] = []
  /// The tracks whose time has come.
  private(set) var due = TrackSet()

  /// Bytes for each track, at most: its list, its place among those that are due, and up to four entries.
  static let bytesOfTrack = 30

  /// The most entries that there are, until old ones are forgotten.
  private var mostEntries: Int { 4 * lists.count + 1025 }

  /// Makes room for tracks, and for all entries that they may have: calls that add these ask for no memory.
  mutating func grow(to tracks: Int) {
    if lists.count == 0, tracks > 0 { entries = TrackLists(count: 2 * Int(Self.spanCount)) }
    lists.grow(to: tracks, with: Self.nowhere)
    due.grow(to: tracks)
    if tracks > 0 { entries.reserve(mostEntries) }
  }

  mutating func code(_ coder: inout StateCoder) {
    entries.code(&coder)
    lists.code(&coder)
    if coder.isReading, lists.count > 0 { entries.reserve(mostEntries) }
    due.code(&coder)
    coder.code(&current)
  }

  static func number(_ time: Double) -> Int64 { Int64((time * spansPerSecond).rounded(.down)) }

  private static func list(ofSpan number: Int64) -> UInt16 { UInt16(truncatingIfNeeded: number & (spanCount - 1)) }

  private static func list(ofTurn number: Int64) -> UInt16 {
    UInt16(truncatingIfNeeded: spanCount + number & (spanCount - 1))
  }

  /// Makes a track wait for a time; for nothing, if no clock can show that time.
  mutating func set(_ track: Int, _ time: Double) {
    guard time <= BatchLimits.maximumTime else {
      lists[track] = Self.nowhere
      return
    }
    let number = max(Self.number(time), current)
    let isNear = number - current < Self.spanCount
    let list = isNear ? Self.list(ofSpan: number) : Self.list(ofTurn: number >> Self.spanBits)
    // The same list has an entry already.
    guard lists[track] != list else { return }
    lists[track] = list
    entries.append(UInt32(truncatingIfNeeded: track), to: Int(list))
    if entries.count > 4 * lists.count + 1024 { forgetOld() }
  }

  /// Keeps the valid entry of each track, and no other.
  @inline(never)
  private mutating func forgetOld() {
    entries.removeAll()
    for track in lists.indices where lists[track] != Self.nowhere {
      entries.append(UInt32(truncatingIfNeeded: track), to: Int(lists[track]))
    }
  }

  /// Takes a time for that of the clock, until which no track waits.
  mutating func pass(to time: Double) { current = Self.number(time) }

  /// Finds the tracks whose time has come, and puts them in order.
  ///
  /// - Parameters:
  ///   - time: The new time of the clock.
  ///   - prefetch: Prefetches what `next` will read.
  ///   - next: The time that a track waits for.
  /// - Complexity: O(entries in the spans of time that are passed, and in the turns that begin), at most one turn of each
  ///   wheel.
  @inline(__always)
  mutating func collectDue(until time: Double, prefetch: (Int) -> Void, next: (Int) -> Double) {
    let last = Self.number(time)
    let first = min(current, last)
    current = last
    let (turn, lastTurn) = (first >> Self.spanBits, last >> Self.spanBits)
    if turn < lastTurn {
      for turn in turn + 1...min(lastTurn, turn + Self.spanCount) {
        look(in: Self.list(ofTurn: turn), until: time, prefetch: prefetch, next: next)
      }
    }
    for number in first...min(last, first + Self.spanCount - 1) {
      look(in: Self.list(ofSpan: number), until: time, prefetch: prefetch, next: next)
    }
    due.putInOrder()
  }

  /// Lets the tracks that were found wait on: the clock stays.
  mutating func putBackDue(at now: Double, next: (Int) -> Double) {
    pass(to: now)
    for index in 0..<due.count { set(due[index], next(due[index])) }
    forgetDue()
  }

  /// Forgets the tracks that were found.
  mutating func forgetDue() { due.forgetOrder() }

  /// Takes the entries of a list: tracks that are due are found, and other tracks move to the lists in which they go on
  /// waiting.
  @inline(__always)
  private mutating func look(in list: UInt16, until time: Double, prefetch: (Int) -> Void, next: (Int) -> Double) {
    guard entries.take(from: Int(list), into: &looks) else { return }
    for index in looks.indices {
      if index + Self.lead < looks.count {
        prefetch(Int(looks[index + Self.lead]))
      }
      let track = Int(looks[index])
      guard lists[track] == list else { continue }
      lists[track] = Self.nowhere
      let own = next(track)
      if own <= time {
        due.insert(track)
      } else {
        set(track, own)
      }
    }
  }
}

/// A set of tracks that is read in their order, so that neighbours are processed together.
struct TrackSet: ~Copyable {
  private var words = OwnedColumn<UInt64>()
  /// The tracks, once they were put in order.
  private var ordered: [UInt32] = []

  mutating func code(_ coder: inout StateCoder) {
    words.code(&coder)
    coder.code(&ordered)
  }

  mutating func grow(to tracks: Int) { words.grow(to: (tracks + 63) / 64, with: 0) }

  mutating func insert(_ track: Int) { words[track >> 6] |= 1 << UInt64(track & 63) }

  /// Takes all tracks out of the set and puts them in order.
  mutating func putInOrder() {
    ordered.clear()
    for word in words.indices {
      var bits = words[word]
      guard bits != 0 else { continue }
      words[word] = 0
      while bits != 0 {
        ordered.append(UInt32(truncatingIfNeeded: word << 6 + bits.trailingZeroBitCount))
        bits &= bits - 1
      }
    }
  }

  /// Forgets the tracks that were put in order.
  mutating func forgetOrder() { ordered.clear() }

  /// The number of tracks that were put in order.
  var count: Int { ordered.count }

  /// The tracks that were put in order, the lowest first.
  subscript(index: Int) -> Int { Int(ordered[index]) }
}

/// A step of a sequence as springs play it. All tracks that leave on schedule have followed its motion for the same time,
/// so the basis at that moment is computed once for all.
struct SpringStep {
  /// The motion; a jump without an animation.
  let coefficients: SpringCoefficients
  let rule: AmplitudeRule
  /// See ``SpringCoefficients/leastRestAge``.
  let leastRestAge: Float
  /// The basis of a motion that began with this step, when the next one begins.
  let basis: MotionBasis
  /// Whether the step changes nothing, so that the motion before it goes on.
  let isStill: Bool

  /// The steps to each phase, or nil if an animation is not a spring.
  static func plan(_ sequence: PhaseSequence) -> [SpringStep]? {
    var motions: [SpringCoefficients] = []
    for animation in sequence.animations {
      switch animation?.structure {
      case nil: motions.append(.jump)
      case .spring(let spring): motions.append(SpringCoefficients(accepted: spring))
      default: return nil
      }
    }
    return motions.indices.map { phase in
      // After steps that change nothing, the motion of an earlier step is under way.
      var motion = phase
      for _ in motions.indices where sequence.isStill(motion) {
        motion = (motion + motions.count - 1) % motions.count
      }
      let age = sequence.stepDuration(to: motion)
      return SpringStep(
        coefficients: motions[phase], rule: AmplitudeRule(motions[phase]), leastRestAge: motions[phase].leastRestAge,
        basis: motions[motion].isJump ? .rest : motions[motion].basis(age: age), isStill: sequence.isStill(phase))
    }
  }
}
