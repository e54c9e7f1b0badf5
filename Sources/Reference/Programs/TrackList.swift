// SPDX-License-Identifier: MIT
import Murmuration

/// What is known of one track of a batch: how it has to move, and what the batch said of it.
struct ListedTrack {
  let handle: TrackHandle
  var track: ReferenceTrack
  /// What the batch showed last.
  var shown: [Float]
  /// Whether it said that the track is at rest.
  var isAtRest = false
  /// Whether a frame has told that since the motion was last changed.
  var wasLookedAt = false
  /// When the batch said that the motion is at rest, if it was asked.
  var announcedRest: Double?
  /// The numbers that the batch gave the calls which began its changes, and of the one that waits.
  var calls: [UInt32: Int] = [:]
  var waitingCall: UInt32?
  /// The time of the last call or step that changed the motion.
  var changedAt: Double
}

extension ListedTrack {
  /// Notes the number of the call that began the last change.
  mutating func note(_ call: UInt32?) {
    if let call { calls[call] = track.change }
  }
}

/// The tracks that live, in the order in which they came: what a batch must do, without any of its machinery.
struct TrackList {
  private(set) var tracks: [ListedTrack] = []
  /// Handles of tracks that were removed, the last ones.
  private(set) var deadHandles: [TrackHandle] = []
  /// Where in the list the track of each index is, or −1.
  private var positions: [Int] = []

  subscript(position: Int) -> ListedTrack {
    get { tracks[position] }
    _modify { yield &tracks[position] }
  }

  /// No motion changed after this; nil without tracks.
  var latestChange: Double? { tracks.lazy.map(\.changedAt).max() }

  /// Where a live track is.
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

  /// Forgets when tracks come to rest: cohorts of this very moment may have been joined by others, or the tolerance is new.
  mutating func forgetRests() {
    for position in tracks.indices { tracks[position].announcedRest = nil }
  }

  /// Takes over what holds for all tracks now.
  mutating func set(_ rules: ReferenceRules) {
    for position in tracks.indices { tracks[position].track.rules = rules }
  }
}
