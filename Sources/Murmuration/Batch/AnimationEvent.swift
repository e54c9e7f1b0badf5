// SPDX-License-Identifier: MIT
import Kernels

/// Something that happened to a track on the way to the time of the last frame.
public struct AnimationEvent: Hashable, Sendable {
  /// What happened.
  public enum Kind: UInt8, Hashable, Sendable {
    /// The motion is logically complete: its perceptual duration has passed, or it came to rest before that.
    case logicallyComplete
    /// The track came to rest at its target, or its playback is over.
    case settled
    /// A playback began its iteration ``AnimationEvent/number``, counted from 0. Where several began on the way to one frame,
    /// it is the last of them. Reported where ``AnimationBatch/reports`` asks for it.
    case iteration
    /// A track that plays phases left for phase ``AnimationEvent/number``. Reported where ``AnimationBatch/reports`` asks for
    /// it.
    case phase
  }

  /// What happened.
  public let kind: Kind
  /// To which track.
  public let track: TrackHandle
  /// The number of the call that the motion began with: what that call returned.
  public let change: UInt32
  /// When, on the batch's clock.
  public let moment: Double
  /// Which iteration, or which phase; 0 for other events.
  public let number: Int

  /// An event.
  init(_ kind: Kind, _ track: TrackHandle, change: UInt32, moment: Double, number: Int = 0) {
    self.kind = kind
    self.track = track
    self.change = change
    self.moment = moment
    self.number = number
  }
}

/// Events that are reported only where they are asked for.
public struct AnimationReports: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// ``AnimationEvent/Kind/iteration``.
  public static let iterations = AnimationReports(rawValue: 1)
  /// ``AnimationEvent/Kind/phase``.
  public static let phases = AnimationReports(rawValue: 2)
}

extension AnimationReports {
  /// Whether events of a kind are reported.
  fileprivate func includes(_ kind: AnimationEvent.Kind) -> Bool {
    switch kind {
    case .logicallyComplete, .settled: true
    case .iteration: contains(.iterations)
    case .phase: contains(.phases)
    }
  }
}

/// The events of one frame.
struct EventList {
  /// The events, in the order of index and then of moment once the frame is over.
  private(set) var events: [AnimationEvent] = []
  /// What is reported besides completion.
  var reports: AnimationReports = []

  /// Forgets the events of the frame before.
  mutating func begin() { events.removeAll(keepingCapacity: true) }

  /// Reports something of the track of a slot.
  mutating func append(
    _ kind: AnimationEvent.Kind, slot: Int, _ change: UInt32, at moment: Double, number: Int = 0
  ) {
    guard reports.includes(kind) else { return }
    let track = TrackHandle(slot: UInt32(slot), generation: 0, store: 0)
    events.append(AnimationEvent(kind, track, change: change, moment: moment, number: number))
  }

  /// Reports something of all tracks of some tiles.
  mutating func append(
    _ kind: AnimationEvent.Kind, _ tiles: Range<Int>, _ tracks: borrowing TrackStore, _ change: UInt32,
    at moment: Double
  ) {
    var count = 0
    for tile in tiles { count += tracks.tiles.live[tile].nonzeroBitCount }
    events.reserveCapacity(events.count + count)
    for tile in tiles {
      tracks.tiles.live[tile].forEachLane { lane in
        append(kind, slot: tracks.slot(ofRow: tile * laneCountOfTile + lane), change, at: moment)
      }
    }
  }

  /// Puts the events in order, and gives their handles the generations of live tracks.
  mutating func finish(_ slots: SlotTable) {
    if !isOrdered {
      // Of one track and moment they stay in the order in which they happened, as the sort is stable.
      events.sort { ($0.track.slot, $0.moment) < ($1.track.slot, $1.moment) }
    }
    for index in events.indices {
      let event = events[index]
      events[index] = AnimationEvent(
        event.kind, slots.handle(ofSlot: Int(event.track.slot)), change: event.change, moment: event.moment,
        number: event.number)
    }
  }

  private var isOrdered: Bool {
    for index in events.indices.dropFirst() {
      let (last, next) = (events[index - 1], events[index])
      guard last.track.slot < next.track.slot || last.track.slot == next.track.slot && last.moment <= next.moment else {
        return false
      }
    }
    return true
  }
}
