// SPDX-License-Identifier: MIT
import AnimationModel
import Murmuration

/// A batch of nine tracks with every kind of motion, and a tenth that is gone.
final class SwiftStage {
  typealias Vector = SIMD2<Float>
  static let count = 9

  var batch: AnimationBatch<Vector>
  let tracks: [TrackHandle]
  /// Handles that name no track of the batch, by the words of the table.
  let strangers: [String: TrackHandle]
  /// Clips and sequences by the words of the table.
  let clips: [String: ClipID]
  let phases: [String: PhaseSequenceID]
  /// Snapshots by the words of the table.
  private(set) var snapshots: [String: BatchSnapshot] = [:]

  private static let clip = Result {
    let timeline = KeyframeTimeline(initialValue: SIMD2<Double>.zero) {
      KeyframeTrack(\.y) {
        LinearKeyframe(10, duration: 0.7)
        CubicKeyframe(2, duration: 0.4)
      }
    }
    return try Clip(timeline)
  }
  private static let sequence = Result {
    try PhaseSequence(
      dimensions: 2, targets: [[0, 0], [5, 6]], animations: [.smooth(duration: 0.2), .linear(duration: 0.3)])
  }

  init() throws {
    batch = try AnimationBatch()
    var other = try AnimationBatch<Vector>()
    let starts = (0..<10).map { index -> Vector in [Float(2 * index), Float(2 * index + 1)] }
    let added = try batch.add(starts)
    tracks = Array(added[..<Self.count])
    strangers = ["stale": added[9], "foreign": try other.add(.zero), "noTrack": .noTrack]
    let (clip, sequence) = (try Self.clip.get(), try Self.sequence.get())
    clips = [
      "good": try batch.load(clip), "unloaded": try batch.load(clip), "inUse": try batch.load(clip),
      "foreign": try other.load(clip),
    ]
    phases = [
      "good": try batch.load(sequence), "unloaded": try batch.load(sequence), "inUse": try batch.load(sequence),
      "foreign": try other.load(sequence),
    ]
    batch.reports = [.iterations, .phases]
    let far: Vector = [50, 60]
    try batch.animate(added[0], to: far, .bouncy)
    try batch.animate(added[1], to: far, .smooth(duration: 2))
    try batch.animate(added[1], to: [-5, 8], .linear(duration: 1), delay: 0.75)
    try batch.animate(added[2], to: far, .linear(duration: 2), completion: .logicallyComplete)
    try batch.animate(added[3], to: far, .bouncy)
    try batch.animate(added[3], to: [9, 9], .linear(duration: 1).repeatForever(autoreverses: true))
    if let inUse = clips["inUse"] { try batch.play(inUse, on: added[4], Playback(repetition: .forever)) }
    if let inUse = phases["inUse"] { try batch.play(inUse, on: added[5]) }
    try batch.follow(added[6])
    try batch.setGoals(of: added[6], [30, 40])
    try batch.decelerate(added[7], velocity: [100, 50])
    try batch.animate(added[8], to: far, .bouncy)
    try batch.pause(added[8])
    try batch.remove(added[9])
    if let unloaded = clips["unloaded"] { try batch.unload(unloaded) }
    if let unloaded = phases["unloaded"] { try batch.unload(unloaded) }
    try batch.advance(to: 0.25, velocities: true)
    snapshots = ["good": try batch.snapshot(), "foreign": try other.snapshot()]
  }

  /// The numbers and events of a batch in one frame.
  struct Shown: Equatable {
    var numbers: [Float] = []
    var events: [Double] = []
    var outcomes: [Int] = []
  }

  /// The numbers and events of the batch in this frame and later ones.
  func shown() throws -> [Shown] {
    try [0, 0, 0.05, 0.7, 9].enumerated().map { frame, seconds in
      if frame > 0 { try batch.advance(by: seconds, velocities: true) }
      var shown = Shown()
      for component in 0..<2 {
        var column = [Float](repeating: 0, count: batch.indexCount)
        try column.withSpan { try batch.copyValues(component: component, planar: &$0) }
        shown.numbers += column
        try column.withSpan { try batch.copyVelocities(component: component, planar: &$0) }
        shown.numbers += column
        try column.withSpan { try batch.copyTargets(component: component, planar: &$0) }
        shown.numbers += column
        shown.numbers += try batch.withGoals(component: component) { goals in goals.indices.map { goals[$0] } }
      }
      for event in batch.events {
        shown.events += [event.moment, Double(event.track.index), Double(event.kind.rawValue)]
        shown.events += [Double(event.number), Double(event.change.rawValue)]
      }
      shown.outcomes = [batch.count, batch.indexCount, batch.clipCount, Int(batch.latestChange.rawValue)]
      for outcome in batch.outcomes {
        shown.outcomes += [Int(outcome.change.rawValue), outcome.completed, outcome.replaced, outcome.removed]
      }
      for outcome in batch.trackOutcomes {
        shown.outcomes += [Int(outcome.change.rawValue), outcome.track.index, Int(outcome.result.rawValue)]
      }
      return shown
    }
  }
}

extension [Float] {
  /// Lends the elements to be written.
  fileprivate mutating func withSpan(_ body: (inout MutableSpan<Float>) throws -> Void) rethrows {
    var span = mutableSpan
    try body(&span)
  }
}
