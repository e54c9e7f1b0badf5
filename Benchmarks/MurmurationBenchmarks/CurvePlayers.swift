// SPDX-License-Identifier: MIT
import Murmuration

/// Tracks that go there and back on straight curves, each with its own duration.
final class RepeatingCurves: Player {
  private var batch: AnimationBatch<Float>
  private let handles: [TrackHandle]

  private static func duration(_ track: Int) -> Double { 0.25 + Double(track % 1_000) / 1_000 }

  init() throws {
    let zeros = [Float](repeating: 0, count: Played.trackCount)
    let ones = [Float](repeating: 1, count: Played.trackCount)
    var batch = try AnimationBatch<Float>(reservingCapacity: Played.trackCount)
    let handles = try batch.add(zeros)
    let animations = (0..<Played.trackCount).map {
      Optional(Animation.linear(duration: Self.duration($0)).repeatForever())
    }
    try batch.animate(handles, to: ones, animations: animations)
    self.handles = handles
    self.batch = batch
  }

  func frame() throws { try batch.advance(by: Played.frameDuration, velocities: true) }

  func isRight() throws -> Bool {
    for track in stride(from: 0, to: Played.trackCount, by: 97) {
      let rounds = batch.time / Self.duration(track)
      let leg = rounds.rounded(.down)
      let expected = leg.truncatingRemainder(dividingBy: 2) == 0 ? rounds - leg : 1 - (rounds - leg)
      guard let value = batch[handles[track]], abs(Double(value) - expected) < 1e-4 else { return false }
    }
    return true
  }
}

/// Tracks that return when they have arrived, on eased curves of a few kinds.
final class CurvesThatSetOutAgain: Player {
  private var batch: AnimationBatch<Float>
  private let handles: [TrackHandle]
  private var places: [Float]
  private let animations: [Animation?]
  private var settled: [TrackHandle] = []
  private var targets: [Float] = []
  private var next: [Animation?] = []

  init() throws {
    let animations: [Animation?] = (0..<Played.trackCount).map { track in
      let duration = 0.5 + 0.0005 * Double(track % 1_000)
      return [.easeIn(duration: duration), .easeOut(duration: duration), .easeInOut(duration: duration)][track % 3]
    }
    let zeros = [Float](repeating: 0, count: Played.trackCount)
    var batch = try AnimationBatch<Float>(reservingCapacity: Played.trackCount)
    let places = [Float](repeating: 1, count: Played.trackCount)
    let handles = try batch.add(zeros)
    try batch.animate(handles, to: places, animations: animations)
    (self.handles, self.places, self.animations) = (handles, places, animations)
    self.batch = batch
    settled.reserveCapacity(Played.trackCount)
    targets.reserveCapacity(Played.trackCount)
    next.reserveCapacity(Played.trackCount)
  }

  func frame() throws {
    try batch.advance(by: Played.frameDuration, velocities: true)
    settled.removeAll(keepingCapacity: true)
    targets.removeAll(keepingCapacity: true)
    next.removeAll(keepingCapacity: true)
    for event in batch.events where event.kind == .settled {
      let index = event.track.index
      places[index] = 1 - places[index]
      settled.append(event.track)
      targets.append(places[index])
      next.append(animations[index])
    }
    try batch.animate(settled, to: targets, animations: next)
  }

  func isRight() throws -> Bool {
    for track in stride(from: 0, to: Played.trackCount, by: 97) {
      guard let value = batch[handles[track]], -1e-4...1.0001 ~= value,
        batch.target(of: handles[track]) == places[track]
      else { return false }
    }
    return true
  }
}
