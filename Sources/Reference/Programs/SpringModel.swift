// SPDX-License-Identifier: MIT
import Murmuration

/// What the model knows of one track: a reference spring in Double, and what the batch may not say twice.
struct ModelTrack {
  let handle: TrackHandle
  var spring: Spring
  /// The last change of the motion, and what the batch showed then.
  var start: Double
  var from: Vector
  var velocity: Vector
  var target: Vector

  /// What the batch showed last.
  var shown: Vector
  /// Whether it said that the track is at rest.
  var isAtRest = false
  var isReportedLogical = false
  var isReportedSettled = false
  /// When the batch said that the motion is at rest, if it was asked.
  var restTime: Double?

  init(_ handle: TrackHandle, _ spring: Spring, start: Double, from: Vector, velocity: Vector, target: Vector) {
    self.handle = handle
    self.spring = spring
    self.start = start
    self.from = from
    self.velocity = velocity
    self.target = target
    shown = from
  }

  /// Begins the next motion.
  mutating func restart(_ spring: Spring?, at time: Double, from: Vector, velocity: Vector, target: Vector) {
    let next = ModelTrack(
      handle, spring ?? self.spring, start: time, from: from, velocity: velocity, target: target)
    self = next
  }
}

// MARK: - Reference motion

extension ModelTrack {
  /// The exact motion at one time.
  struct Moment {
    var value: SIMD4<Double>
    var velocity: SIMD4<Double>
  }

  func moment(at time: Double) -> Moment {
    let target = SIMD4<Double>(target)
    let displacement = SIMD4<Double>(from) - target
    let velocity = SIMD4<Double>(velocity)
    let basis = spring.basis(at: time - start)
    return Moment(
      value: target + (displacement * basis.valueFromDisplacement + velocity * basis.valueFromVelocity),
      velocity: displacement * basis.velocityFromDisplacement + velocity * basis.velocityFromVelocity)
  }

  /// S: the scale of the motion in one dimension, in units of value.
  func scale(_ dimension: Int) -> Double {
    let displacement = abs(Double(from[dimension]) - Double(target[dimension]))
    let speed = abs(Double(velocity[dimension]))
    return max(displacement, speed / spring.naturalFrequency, Double(Float.leastNormalMagnitude))
  }

  /// How far what the batch shows is from the exact motion, in units of 2⁻²⁴ · S and 2⁻²⁴ · S · ω₀; half a unit in the
  /// last place of the value or target is not counted.
  func error(
    value: Vector, velocity: Vector?, at time: Double, dimensions: Int
  ) -> (value: Double, velocity: Double) {
    if spring.duration == 0 {
      return (jumpError(value: value, velocity: velocity, at: time), 0)
    }
    let exact = moment(at: time)
    var worst = (value: 0.0, velocity: 0.0)
    for dimension in 0..<dimensions {
      let unit = 0x1p-24 * scale(dimension)
      let largest = max(abs(exact.value[dimension]), Double(abs(target[dimension])))
      let rounding = Double(Float(largest).ulp) / 2
      let distance = abs(Double(value[dimension]) - exact.value[dimension])
      // Not `max(0, …)`, which takes NaN for 0.
      worst.value = larger(worst.value, distance <= rounding ? 0 : (distance - rounding) / unit)
      if let velocity {
        let distance = abs(Double(velocity[dimension]) - exact.velocity[dimension])
        worst.velocity = larger(worst.velocity, distance / (unit * spring.naturalFrequency))
      }
    }
    return worst
  }

  /// A jump is exactly at its target as soon as time passes. Before, at the time of its start, it is where it was; or
  /// at its target, if the clock was set back to that time.
  private func jumpError(value: Vector, velocity: Vector?, at time: Double) -> Double {
    let hasArrived = value == target && velocity ?? .zero == .zero
    let stands = value == from && velocity ?? self.velocity == self.velocity
    return hasArrived || (time <= start && stands) ? 0 : .infinity
  }

  private func larger(_ a: Double, _ b: Double) -> Double { b.isNaN ? .infinity : max(a, b) }

  // MARK: - Rest

  /// How much of the tolerances the exact motion takes up; at most 1 at rest. Dimensions are summed up.
  func restShare(at time: Double, _ tolerance: RestTolerances) -> Double {
    guard spring.duration > 0 else {
      return 0
    }
    let exact = moment(at: time)
    let offset = exact.value - SIMD4<Double>(target)
    let limits = limits(tolerance)
    return max(offset.magnitudeSum / limits.distance, exact.velocity.magnitudeSum / limits.speed)
  }

  /// The tolerances for this motion. Rest is found in Float: below 2⁻¹²⁰ of its scale a motion is over, whatever they say.
  private func limits(_ tolerance: RestTolerances) -> (distance: Double, speed: Double) {
    let least = 0x1p-120 * (0..<4).reduce(0) { $0 + scale($1) }
    let distance = max(Double(tolerance.value), least)
    let speed = tolerance.velocity.map(Double.init) ?? Double(tolerance.value) * spring.naturalFrequency
    return (distance, max(speed, least * spring.naturalFrequency))
  }

  /// The earliest time from which on the exact motion stays within the tolerances. The length of a vector is at most the
  /// sum of its components, so this is at most the moment in terms of the sum.
  func earliestRest(_ tolerance: RestTolerances) -> Double {
    guard spring.duration > 0 else {
      return start
    }
    let limits = limits(tolerance)
    return start
      + spring.restTime(
        target: SIMD4<Double>(target) - SIMD4<Double>(from), initialVelocity: SIMD4<Double>(velocity),
        tolerance: limits.distance, velocityTolerance: limits.speed)
  }
}

extension SIMD4<Double> {
  fileprivate var magnitudeSum: Double { abs(x) + abs(y) + abs(z) + abs(w) }
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
