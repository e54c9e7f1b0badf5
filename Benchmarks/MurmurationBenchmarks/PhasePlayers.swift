// SPDX-License-Identifier: MIT
import Murmuration

/// Tracks that loop through three phases, each at its own moment.
final class LoopingPhases: Player {
  private var batch: AnimationBatch<Float>
  private let sequence: PhaseSequence
  private let starts: [Double]
  private let handles: [TrackHandle]
  private var changes = 0

  init(_ animations: Animation...) throws {
    sequence = try PhaseSequence([0, 1, 2], target: { Float($0 * $0) }, animation: { animations[$0] })
    var batch = try AnimationBatch<Float>(reservingCapacity: Played.trackCount)
    batch.reports = .phases
    let starts = (0..<Played.trackCount).map { 1.2 * Double($0) / Double(Played.trackCount) }
    handles = try batch.add([Float](repeating: 0, count: Played.trackCount))
    try batch.play(try batch.load(sequence), on: handles, startingAt: starts)
    self.starts = starts
    self.batch = batch
  }

  func frame() throws {
    try batch.advance(by: Played.frameDuration, velocities: true)
    changes += batch.events.count
  }

  /// A batch that comes to this time in one frame shows the same bits.
  func isRight() throws -> Bool {
    var other = try AnimationBatch<Float>()
    let tracks = stride(from: 0, to: Played.trackCount, by: 997)
    let some = tracks.map { starts[$0] }
    let twins = try other.add([Float](repeating: 0, count: some.count))
    try other.play(try other.load(sequence), on: twins, startingAt: some)
    for frame in 1...64 {
      try other.advance(to: batch.time * Double(frame) / 64)
    }
    for (track, twin) in zip(tracks, twins) {
      guard let value = batch[handles[track]], value == other[twin] else { return false }
    }
    return changes > Played.trackCount
  }
}

/// Runs of three phases that are triggered from time to time, also while they are under way.
final class TriggeredPhases: Player {
  private var batch: AnimationBatch<Float>
  private let handles: [TrackHandle]
  /// The tracks that are triggered together.
  private let groups: [[TrackHandle]]
  /// Some of these tracks, which are triggered once more.
  private let underWay: [[TrackHandle]]
  private var number = 0
  private var completions = 0

  init() throws {
    let sequence = try PhaseSequence([0, 1, 2], target: { Float($0) }, animation: { _ in .smooth(duration: 0.25) })
    var batch = try AnimationBatch<Float>(reservingCapacity: Played.trackCount)
    let handles = try batch.add([Float](repeating: 0, count: Played.trackCount))
    try batch.play(try batch.load(sequence), on: handles, .triggered)
    groups = stride(from: 0, to: handles.count, by: 200).map { Array(handles[$0..<$0 + 200]) }
    underWay = groups.map { Array($0[..<20]) }
    self.handles = handles
    self.batch = batch
  }

  func frame() throws {
    number += 1
    // A run takes 45 frames, and each track is triggered every 50 frames; some tracks are triggered once more after 20
    // frames, under way.
    try batch.trigger(groups[number % groups.count])
    try batch.trigger(underWay[(number + 30) % groups.count])
    try batch.advance(by: Played.frameDuration, velocities: true)
    for event in batch.events where event.kind == .logicallyComplete { completions += 1 }
  }

  func isRight() throws -> Bool {
    for track in stride(from: 0, to: Played.trackCount, by: 97) {
      guard let value = batch[handles[track]], -0.5...2.5 ~= value else { return false }
    }
    return completions > Played.trackCount
  }
}
