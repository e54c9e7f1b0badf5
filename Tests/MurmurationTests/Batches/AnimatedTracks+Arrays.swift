// SPDX-License-Identifier: MIT
@testable import Murmuration
@testable import MurmurationEngine

/// The state of tracks as arrays, for tests. It is compiled for other processors too: see `Tests/OtherProcessors`.
extension AnimatedTracks where Self: ~Copyable {
  /// One component of the values at the current time, by index; 0 where there is no track.
  func values(_ component: Int = 0) throws(BatchError) -> [Float] {
    var numbers = [Float](repeating: .nan, count: indexCount)
    var span = numbers.mutableSpan
    try copyValues(component: component, planar: &span)
    return numbers
  }

  /// One component of the velocities at the current time, by index; 0 where there is no track.
  func velocities(_ component: Int = 0) throws(BatchError) -> [Float] {
    guard engine.velocities.areAsked else {
      return (0..<indexCount).map { index in
        handle(at: index).flatMap { velocity(of: $0) }?.component(component) ?? 0
      }
    }
    var numbers = [Float](repeating: .nan, count: indexCount)
    var span = numbers.mutableSpan
    try copyVelocities(component: component, planar: &span)
    return numbers
  }

  /// The bits of the values and velocities of tracks; 0 for a handle of no track.
  func bits(of tracks: [TrackHandle]) -> [UInt32] {
    tracks.flatMap { track in
      [self[track], velocity(of: track)].flatMap { value in
        (0..<dimensions).map { value?.component($0).bitPattern ?? 0 }
      }
    }
  }

  /// The bits of all values and then of all velocities, by index.
  func bits() throws(BatchError) -> [UInt32] {
    var bits: [UInt32] = []
    for component in 0..<dimensions { bits += try values(component).map { $0.bitPattern } }
    for component in 0..<dimensions { bits += try velocities(component).map { $0.bitPattern } }
    return bits
  }

  /// The live tracks, by index.
  var live: [TrackHandle] { (0..<indexCount).compactMap { handle(at: $0) } }

  /// The tracks that became logically complete with the last advance, by index.
  var logicallyComplete: [TrackHandle] { events.filter { $0.kind == .logicallyComplete }.map { $0.track } }

  /// The tracks that came to rest with the last advance, by index.
  var settled: [TrackHandle] { events.filter { $0.kind == .settled }.map { $0.track } }

  /// Sets a tolerance at which springs are evaluated until their motion is 0.
  mutating func hardlyRests() throws(BatchError) { restTolerance = try RestTolerances(value: 1e-30) }
}

extension AnimatedTracks<Float> where Self: ~Copyable {
  /// The bits of the value and of the velocity of a track; empty for a handle of no track.
  func bits(of track: TrackHandle) -> [UInt32] {
    [self[track], velocity(of: track)].compactMap { $0?.bitPattern }
  }

  /// Sends one track to a goal with a spring, or with its own, perhaps after a delay.
  mutating func send(
    _ track: TrackHandle, to goal: Float, _ spring: Spring? = nil, delay: Double? = nil
  ) throws(BatchError) {
    guard let delay else {
      if let spring { try animate(track, to: goal, .spring(spring)) } else { try retarget(track, to: goal) }
      return
    }
    try send([track], to: [goal], spring, delays: [delay])
  }

  /// Sends tracks to goals with one spring, or each with its own, perhaps after delays.
  mutating func send(
    _ tracks: [TrackHandle], to goals: [Float], _ spring: Spring? = nil, delays: [Double] = []
  ) throws(BatchError) {
    if let spring {
      try animate(tracks, to: goals, .spring(spring), delays: delays)
    } else {
      try retarget(tracks, to: goals, delays: delays)
    }
  }
}
