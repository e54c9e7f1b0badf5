// SPDX-License-Identifier: MIT
import Murmuration

/// Tracks that loop through three phases, at a moment of their own each.
final class LoopingPhases: Player {
  private var batch: PhaseBatch
  private let sequence: PhaseSequence
  private let starts: [Double]
  private let handles: [TrackHandle]
  private var changes = 0

  init(_ animations: Animation...) throws {
    sequence = try PhaseSequence([0, 1, 2], target: { Float($0 * $0) }, animation: { animations[$0] })
    var batch = try PhaseBatch(sequence, reservingCapacity: Played.trackCount)
    batch.reportsPhaseChanges = true
    let starts = (0..<Played.trackCount).map { 1.2 * Double($0) / Double(Played.trackCount) }
    handles = try batch.add(startingAt: starts.span)
    self.starts = starts
    self.batch = batch
  }

  func frame() throws {
    try batch.advance(by: Played.frameDuration)
    changes += batch.phaseChanges.count
  }

  /// A batch that comes here in one frame shows the same bits.
  func isRight() throws -> Bool {
    var other = try PhaseBatch(sequence)
    let tracks = stride(from: 0, to: Played.trackCount, by: 997)
    let some = tracks.map { starts[$0] }
    let twins = try other.add(startingAt: some.span)
    for frame in 1...64 {
      try other.advance(to: batch.time * Double(frame) / 64)
    }
    for (track, twin) in zip(tracks, twins) {
      let value: Float = try batch.value(of: handles[track])
      let expected: Float = try other.value(of: twin)
      guard value == expected else { return false }
    }
    return changes > Played.trackCount
  }
}

/// Runs of three phases that are triggered now and then, on the way as well.
final class TriggeredPhases: Player {
  private var batch: PhaseBatch
  private let handles: [TrackHandle]
  private var number = 0
  private var completions = 0

  init() throws {
    let sequence = try PhaseSequence([0, 1, 2], target: { Float($0) }, animation: { _ in .smooth(duration: 0.25) })
    var batch = try PhaseBatch(sequence, playback: .triggered, reservingCapacity: Played.trackCount)
    let starts = [Double](repeating: 0, count: Played.trackCount)
    handles = try batch.add(startingAt: starts.span)
    self.batch = batch
  }

  func frame() throws {
    number += 1
    // A run takes 45 frames, and each track is triggered every 50; some of those 20 frames under way are once more.
    let (first, underWay) = (number &* 200 % Played.trackCount, (number + 30) &* 200 % Played.trackCount)
    let handles = handles
    try batch.trigger(handles.span.extracting(first..<first + 200))
    try batch.trigger(handles.span.extracting(underWay..<underWay + 20))
    try batch.advance(by: Played.frameDuration)
    completions += batch.completed.count
  }

  func isRight() throws -> Bool {
    for track in stride(from: 0, to: Played.trackCount, by: 97) {
      let value: Float = try batch.value(of: handles[track])
      guard -0.5...2.5 ~= value else { return false }
    }
    return completions > Played.trackCount
  }
}
