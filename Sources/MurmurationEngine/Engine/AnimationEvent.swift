// SPDX-License-Identifier: MIT

/// Something that happened to a track on the way to the time of the last frame.
public struct AnimationEvent: Hashable, Sendable, BitwiseCopyable {
  /// What happened.
  public enum Kind: UInt8, Hashable, Sendable, BitwiseCopyable {
    /// The motion is logically complete: its perceptual duration has passed, or it came to rest before that.
    case logicallyComplete
    /// The track came to rest at its target, or its playback is over.
    case settled
    /// A playback began its iteration ``AnimationEvent/number``, counted from 0. If several began on the way to one
    /// frame, it is the last of them. Reported only if ``MovingTracks/reports`` contains
    /// ``AnimationReports/iterations``.
    case iteration
    /// A track that plays phases set out for phase ``AnimationEvent/number``. Reported only if
    /// ``MovingTracks/reports`` contains ``AnimationReports/phases``.
    case phase
    /// The goal of a track that follows is no number within ±10¹⁵ any more: the track stays where it is until it has one.
    case invalidGoal
  }

  /// What happened.
  public let kind: Kind
  /// The track.
  public fileprivate(set) var track: TrackHandle
  /// The number of the change that began the motion, as its call returned it.
  public let change: ChangeID
  /// The moment, on the batch's clock.
  public let moment: Double
  /// The iteration or the phase; 0 for other events.
  public let number: Int

  /// Whether it comes before another event: by index, and then by moment.
  fileprivate func isBefore(_ other: AnimationEvent) -> Bool {
    track.index32 < other.track.index32 || track.index32 == other.track.index32 && moment < other.moment
  }
}

/// Events that are reported only where they are asked for.
public struct AnimationReports: OptionSet, Hashable, Sendable, BitwiseCopyable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// ``AnimationEvent/Kind/iteration``.
  public static let iterations = AnimationReports(rawValue: 1)
  /// ``AnimationEvent/Kind/phase``.
  public static let phases = AnimationReports(rawValue: 2)
  /// ``AnimationEvent/Kind/settled`` of tracks that follow, each time that they reach their goals.
  public static let arrivals = AnimationReports(rawValue: 4)
}

extension AnimationReports {
  /// Whether events of a kind are reported.
  fileprivate func includes(_ kind: AnimationEvent.Kind) -> Bool {
    switch kind {
    case .logicallyComplete, .settled, .invalidGoal: true
    case .iteration: contains(.iterations)
    case .phase: contains(.phases)
    }
  }
}

/// The events of one frame.
struct EventList {
  /// The events, in the order of index and then of moment once the frame is over.
  private(set) var events: [AnimationEvent] = []
  /// Memory to sort them, kept from frame to frame.
  private var spare: [AnimationEvent] = []
  private var ends: [Int] = []
  /// The events that are reported besides completion.
  var reports: AnimationReports = []

  mutating func code(_ coder: inout StateCoder) {
    coder.code(&events)
    coder.code(&reports)
  }

  /// Names the tracks by handles of a copy of the batch.
  mutating func rename(_ store: UInt32) {
    for position in events.indices { events[position].track = events[position].track.renamed(store) }
  }

  /// Forgets the events of the frame before.
  mutating func begin() { events.clear() }

  /// Reports an event of a track.
  mutating func append(
    _ kind: AnimationEvent.Kind, index: Int, _ change: UInt32, at moment: Double, number: Int = 0
  ) {
    guard reports.includes(kind) else { return }
    let track = TrackHandle(index: UInt32(index), generation: 0, store: 0)
    events.append(
      AnimationEvent(kind: kind, track: track, change: ChangeID(rawValue: change), moment: moment, number: number))
  }

  /// Reports what a motion that ends at its target has completed by a time, each once.
  ///
  /// - Parameters:
  ///   - reported: What was reported of it.
  ///   - isOver: Whether it is at its target for good.
  ///   - logicalEnd: The time of logical completion; not computed once that is reported.
  ///   - end: The end of the motion; computed only for a report.
  mutating func complete(
    _ reported: inout SpringWatch.Reported, index: Int, _ change: UInt32, isOver: Bool,
    logicalEnd: @autoclosure () -> Double, end: @autoclosure () -> Double, until time: Double
  ) {
    if !reported.logical, isOver || time >= logicalEnd() {
      reported.logical = true
      append(.logicallyComplete, index: index, change, at: min(logicalEnd(), end(), time))
    }
    if !reported.settled, isOver {
      reported.settled = true
      append(.settled, index: index, change, at: min(end(), time))
    }
  }

  /// Puts the events in order, and gives their handles the generations of live tracks.
  mutating func finish(_ indices: borrowing IndexTable) {
    guard !events.isEmpty else { return }
    if !isOrdered { sort() }
    var events = events.mutableSpan
    for position in events.indices { events[position].track = indices.handle(at: events[position].track.index) }
  }

  private var isOrdered: Bool {
    for position in events.indices.dropFirst() where events[position].isBefore(events[position - 1]) { return false }
    return true
  }

  /// Events that are sorted by insertion alone.
  private static let few = 32
  /// The most bits of an index by which events are distributed at once.
  private static let digit = 11

  /// Puts the events in order. Events of one track and moment stay in the order in which they happened.
  ///
  /// The events are distributed by the digits of their indices, in memory that is kept: the sort of the standard
  /// library allocates. The events of one track are nearly in order then.
  private mutating func sort() {
    if events.count > Self.few {
      let bits = events.reduce(1) { max($0, UInt32.bitWidth - $1.track.index32.leadingZeroBitCount) }
      let passes = (bits + Self.digit - 1) / Self.digit
      let width = (bits + passes - 1) / passes
      for pass in 0..<passes { distribute(byBitsFrom: pass * width, width) }
    }
    var events = events.mutableSpan
    for start in events.indices.dropFirst() {
      var position = start
      while position > 0, events[position].isBefore(events[position - 1]) {
        events.swapAt(position, position - 1)
        position -= 1
      }
    }
  }

  /// Puts the events in the order of some bits of their indices. Events with equal bits stay in their order.
  private mutating func distribute(byBitsFrom shift: Int, _ width: Int) {
    ends.clear()
    ends.append(contentsOf: repeatElement(0, count: 1 << width))
    spare.clear()
    spare.append(contentsOf: events)
    Self.distribute(events, into: &spare, &ends) {
      Int($0.track.index32 >> UInt32(shift)) & (1 << width - 1)
    }
    swap(&events, &spare)
  }

  @inline(__always)
  private static func distribute(
    _ list: [AnimationEvent], into ordered: inout [AnimationEvent], _ ends: inout [Int],
    by digit: (AnimationEvent) -> Int
  ) {
    let events = list.span
    var ordered = ordered.mutableSpan
    var ends = ends.mutableSpan
    for position in events.indices { ends[digit(events[position])] += 1 }
    for digit in 1..<ends.count { ends[digit] += ends[digit - 1] }
    for position in events.indices.reversed() {
      let digit = digit(events[position])
      ends[digit] -= 1
      ordered[ends[digit]] = events[position]
    }
  }
}

/// The number of a call that changed motions, as it was returned. Later calls of a batch have larger numbers.
@frozen
public struct ChangeID: RawRepresentable, BitwiseCopyable, Hashable, Comparable, Sendable, ExpressibleByIntegerLiteral {
  public let rawValue: UInt32

  @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }
  @inlinable public init(integerLiteral value: UInt32) { rawValue = value }

  public static func < (lhs: ChangeID, rhs: ChangeID) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// When a change counts as complete for a track.
public enum CompletionCriteria: Hashable, Sendable, BitwiseCopyable {
  /// When its motion is logically complete: ``AnimationEvent/Kind/logicallyComplete``.
  case logicallyComplete
  /// When its motion is over: ``AnimationEvent/Kind/settled``.
  case settled
}

/// The end of a change for one track.
public struct TrackOutcome: Hashable, Sendable, BitwiseCopyable {
  /// The ways in which a change ends.
  public enum Result: UInt8, Hashable, Sendable, BitwiseCopyable {
    /// The motion met the criteria, or had nothing to do: the track jumped, or headed for the goal already.
    case complete
    /// Another call took over, or stopped the track, or cancelled the delay.
    case replaced
    /// The track was removed.
    case removed
  }

  /// The change.
  public let change: ChangeID
  /// The track, which is there no more if it was removed.
  public let track: TrackHandle
  /// The end of the change for this track.
  public let result: Result
}

/// The end of a change as a whole.
public struct ChangeOutcome: Hashable, Sendable, BitwiseCopyable {
  /// The change.
  public let change: ChangeID
  /// The number of tracks for which it was complete.
  public internal(set) var completed = 0
  /// The number of tracks for which another call took its place.
  public internal(set) var replaced = 0
  /// The number of tracks that were removed before.
  public internal(set) var removed = 0

  /// Whether it was complete for all of its tracks.
  public var isComplete: Bool { replaced == 0 && removed == 0 }

  mutating func count(_ result: TrackOutcome.Result) {
    switch result {
    case .complete: completed += 1
    case .replaced: replaced += 1
    case .removed: removed += 1
    }
  }
}
