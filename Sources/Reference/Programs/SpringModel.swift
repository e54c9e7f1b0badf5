// SPDX-License-Identifier: MIT
import Murmuration

/// What the model knows of one track: a reference spring in Double, and what the batch may not say twice.
struct ModelTrack {
  let handle: TrackHandle
  /// The last change of the motion, and what the batch showed then.
  private(set) var start: Double
  private(set) var from: Vector
  private(set) var velocity: Vector
  private(set) var target: Vector
  private(set) var motion: SpringMotion
  private let dimensions: Int

  /// What the batch showed last.
  var shown: Vector
  /// Whether it said that the track is at rest.
  var isAtRest = false
  var isReportedLogical = false
  var isReportedSettled = false
  /// When the batch said that the motion is at rest, if it was asked.
  var restTime: Double?

  init(
    _ handle: TrackHandle, _ spring: Spring, start: Double, from: Vector, velocity: Vector, target: Vector,
    dimensions: Int
  ) {
    self.handle = handle
    self.start = start
    self.from = from
    self.velocity = velocity
    self.target = target
    self.dimensions = dimensions
    shown = from
    motion = SpringMotion(
      spring, values: from.numbers(dimensions), velocities: velocity.numbers(dimensions),
      targets: target.numbers(dimensions), at: start)
  }

  var spring: Spring { motion.spring }

  /// Begins the next motion.
  mutating func restart(_ spring: Spring?, at time: Double, from: Vector, velocity: Vector, target: Vector) {
    self = ModelTrack(
      handle, spring ?? self.spring, start: time, from: from, velocity: velocity, target: target,
      dimensions: dimensions)
  }

  /// How far what the batch shows is from the exact motion, in units of the bounds.
  func excess(value: Vector, velocity: Vector?, at time: Double) -> Excess {
    // A jump stays at its target if the clock is set back to the time of its start.
    if spring.duration == 0, time <= start, value == target, velocity ?? .zero == .zero { return Excess() }
    return motion.excess(
      values: value.numbers(dimensions), velocities: velocity?.numbers(dimensions), at: time)
  }
}

extension Vector {
  /// The numbers of the dimensions that a batch has.
  func numbers(_ dimensions: Int) -> [Float] { (0..<dimensions).map { self[$0] } }
}

// MARK: - The model

/// A dictionary of reference springs: what a batch must do, without any of its machinery.
struct SpringModel {
  private(set) var tracks: [ModelTrack] = []
  /// Handles of tracks that were removed, the last ones.
  private(set) var deadHandles: [TrackHandle] = []
  var tolerance: RestTolerances
  /// The place of the track of each index, or −1.
  private var places: [Int] = []

  init(tolerance: RestTolerances) { self.tolerance = tolerance }

  subscript(place: Int) -> ModelTrack {
    get { tracks[place] }
    _modify { yield &tracks[place] }
  }

  /// No motion started after this; nil without tracks.
  var latestStart: Double? { tracks.lazy.map(\.start).max() }

  /// The place of a live track.
  func place(of handle: TrackHandle) -> Int? {
    guard let place = place(ofIndex: handle.index), tracks[place].handle == handle else {
      return nil
    }
    return place
  }

  func place(ofIndex index: Int) -> Int? {
    index < places.count && places[index] >= 0 ? places[index] : nil
  }

  mutating func append(_ track: ModelTrack) {
    let index = track.handle.index
    if index >= places.count {
      places += Array(repeating: -1, count: index + 1 - places.count)
    }
    places[index] = tracks.count
    tracks.append(track)
  }

  /// Removes tracks; the others keep their order.
  mutating func remove(_ removed: [Int]) {
    var stays = [Bool](repeating: true, count: tracks.count)
    for place in removed where stays[place] {
      stays[place] = false
      deadHandles.append(tracks[place].handle)
    }
    deadHandles.removeFirst(max(0, deadHandles.count - 16))
    let old = tracks
    tracks.removeAll(keepingCapacity: true)
    for (place, track) in old.enumerated() {
      places[track.handle.index] = -1
      if stays[place] {
        tracks.append(track)
      }
    }
    for (place, track) in tracks.enumerated() {
      places[track.handle.index] = place
    }
  }

  /// Forgets when tracks come to rest: all, or those that started at a time, whose cohort may have been joined by others.
  mutating func forgetRestTimes(startedAt time: Double? = nil) {
    for place in tracks.indices where time == nil || tracks[place].start == time {
      tracks[place].restTime = nil
    }
  }
}
