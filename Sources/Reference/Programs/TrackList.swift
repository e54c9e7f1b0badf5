// SPDX-License-Identifier: MIT
import Murmuration

/// One track of a batch: its reference, and the batch's answers about it.
struct ListedTrack {
  let handle: TrackHandle
  var track: ReferenceTrack
  /// The value that the batch showed last.
  var shown: [Float]
  /// Whether the batch had the track at rest.
  var isAtRest = false
  /// Whether a frame has told that since the motion was last changed.
  var wasLookedAt = false
  /// When the batch said that the motion is at rest, if it was asked.
  var announcedRest: Double?
  /// The numbers that the batch gave the calls that began the track's changes, and the number of the waiting call.
  var calls: [UInt32: Int] = [:]
  var waitingCall: UInt32?
  /// The time of the last call or step that changed the motion.
  var changedAt: Double
  /// The time of the last call about the track, such as a pause.
  var calledAt = -Double.infinity
}

extension ListedTrack {
  /// Notes the number of the call that began the last change.
  mutating func note(_ call: UInt32?) {
    if let call { calls[call] = track.change }
  }

  /// Whether effects began to add up at a time.
  func isNewSum(at time: Double) -> Bool {
    if case .sum = track.motion { changedAt == time } else { false }
  }
}

/// The live tracks in the order in which they came: the required behaviour of a batch, without its machinery.
struct TrackList {
  private(set) var tracks: [ListedTrack] = []
  /// Handles of the tracks that were removed last.
  private(set) var deadHandles: [TrackHandle] = []
  /// The position in the list of the track of each index, or −1.
  private var positions: [Int] = []

  subscript(position: Int) -> ListedTrack {
    get { tracks[position] }
    _modify { yield &tracks[position] }
  }

  /// The time of the latest call about a track or change by itself; nil without tracks.
  var latestCall: Double? { tracks.lazy.map { max($0.calledAt, $0.changedAt) }.max() }

  /// The position of a live track.
  func position(of handle: TrackHandle) -> Int? {
    guard let position = position(ofIndex: handle.index), tracks[position].handle == handle else {
      return nil
    }
    return position
  }

  func position(ofIndex index: Int) -> Int? {
    index < positions.count && positions[index] >= 0 ? positions[index] : nil
  }

  mutating func append(_ track: ListedTrack) {
    let index = track.handle.index
    if index >= positions.count {
      positions += Array(repeating: -1, count: index + 1 - positions.count)
    }
    positions[index] = tracks.count
    tracks.append(track)
  }

  /// Removes tracks; the others keep their order.
  mutating func remove(_ removed: [Int]) {
    var stays = [Bool](repeating: true, count: tracks.count)
    for position in removed where stays[position] {
      stays[position] = false
      deadHandles.append(tracks[position].handle)
    }
    deadHandles.removeFirst(max(0, deadHandles.count - 16))
    let old = tracks
    tracks.removeAll(keepingCapacity: true)
    for (position, track) in old.enumerated() {
      positions[track.handle.index] = -1
      if stays[position] {
        tracks.append(track)
      }
    }
    for (position, track) in tracks.enumerated() {
      positions[track.handle.index] = position
    }
  }

  /// Forgets when tracks come to rest: others may have joined cohorts of this very moment, or the tolerance is new.
  mutating func forgetRests() {
    for position in tracks.indices { tracks[position].announcedRest = nil }
  }

  /// Takes over the rules for all tracks now.
  mutating func set(_ rules: ReferenceRules) {
    for position in tracks.indices { tracks[position].track.rules = rules }
  }
}
