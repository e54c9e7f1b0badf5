// SPDX-License-Identifier: MIT
import Murmuration

/// Tracks that go there and back on straight curves of durations of their own.
final class RepeatingCurves: Player {
  private var batch: CurveBatch
  private let handles: [TrackHandle]

  private static func duration(_ track: Int) -> Double { 0.25 + Double(track % 1_000) / 1_000 }

  init() throws {
    let zeros = [Float](repeating: 0, count: Played.trackCount)
    let ones = [Float](repeating: 1, count: Played.trackCount)
    var batch = try CurveBatch(reservingCapacity: Played.trackCount)
    let handles = try batch.add(values: zeros.span)
    let animations = (0..<Played.trackCount).map {
      Optional(Animation.linear(duration: Self.duration($0)).repeatForever())
    }
    try batch.retarget(handles.span, to: ones.span, animations: animations.span)
    self.handles = handles
    self.batch = batch
  }

  func frame() throws { try batch.advance(by: Played.frameDuration) }

  func isRight() throws -> Bool {
    for track in stride(from: 0, to: Played.trackCount, by: 97) {
      let rounds = batch.time / Self.duration(track)
      let leg = rounds.rounded(.down)
      let expected = leg.truncatingRemainder(dividingBy: 2) == 0 ? rounds - leg : 1 - (rounds - leg)
      let value: Float = try batch.value(of: handles[track])
      guard abs(Double(value) - expected) < 1e-4 else { return false }
    }
    return true
  }
}

/// Tracks that go back where they came from once they have arrived, on eased curves of a few kinds.
final class CurvesThatSetOutAgain: Player {
  private var batch: CurveBatch
  private let handles: [TrackHandle]
  private var places: [Float]
  private let animations: [Animation?]
  private var targets: [Float] = []
  private var next: [Animation?] = []

  init() throws {
    let animations: [Animation?] = (0..<Played.trackCount).map { track in
      let duration = 0.5 + 0.0005 * Double(track % 1_000)
      return [.easeIn(duration: duration), .easeOut(duration: duration), .easeInOut(duration: duration)][track % 3]
    }
    let zeros = [Float](repeating: 0, count: Played.trackCount)
    var batch = try CurveBatch(reservingCapacity: Played.trackCount)
    let places = [Float](repeating: 1, count: Played.trackCount)
    let handles = try batch.add(values: zeros.span)
    try batch.retarget(handles.span, to: places.span, animations: animations.span)
    (self.handles, self.places, self.animations) = (handles, places, animations)
    self.batch = batch
    targets.reserveCapacity(Played.trackCount)
    next.reserveCapacity(Played.trackCount)
  }

  func frame() throws {
    try batch.advance(by: Played.frameDuration)
    targets.removeAll(keepingCapacity: true)
    next.removeAll(keepingCapacity: true)
    let settled = batch.settled
    for handle in settled {
      places[handle.index] = 1 - places[handle.index]
      targets.append(places[handle.index])
      next.append(animations[handle.index])
    }
    let (goals, motions) = (targets, next)
    try batch.retarget(settled.span, to: goals.span, animations: motions.span)
  }

  func isRight() throws -> Bool {
    for track in stride(from: 0, to: Played.trackCount, by: 97) {
      let target: Float = try batch.target(of: handles[track])
      let value: Float = try batch.value(of: handles[track])
      guard target == places[track], -1e-4...1.0001 ~= value else { return false }
    }
    return true
  }
}
