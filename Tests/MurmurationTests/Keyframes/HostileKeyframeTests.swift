// SPDX-License-Identifier: MIT
import AnimationModel
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// Clips, playbacks, times and calls that make no sense, given to instances of clips. `HostileClipTests` tests the refusals
/// of clips.
///
/// A view that outlives a change and a change during an advance do not compile; `Scripts/check-ownership` proves it.
struct HostileKeyframeTests {
  /// A straight line from 2 to 5 in `duration` seconds.
  private static func ramp(duration: Double = 1) throws -> Clip {
    let track = PieceTrack(components: [0], times: [0, duration], pieces: [[SIMD4(2, 3 / duration, 0, 0)]])
    return try Clip(dimensions: 1, initialValues: [2], tracks: [track])
  }

  private static func fill(
    _ batch: inout AnimationBatch<Float>, _ clip: Clip, _ playbacks: [Playback]
  ) throws -> [TrackHandle] {
    try batch.add(playing: try batch.load(clip), playbacks)
  }

  @Test("Before the start and after the end an instance holds, and the ends are exact")
  func holds() throws {
    for duration in [1e-9, 1, 1e9] {
      var batch = try AnimationBatch<Float>()
      let handles = try Self.fill(
        &batch, Self.ramp(duration: duration), [Playback(start: 1), Playback(start: 1, speed: -1)])
      for time in [0, 1.0.nextDown, 1, 1 + duration, 1 + 2 * duration, 9e9] {
        try batch.advance(to: time)
        #expect(handles.map { batch[$0] } == (time <= 1 ? [2, 5] : [5, 2]), "\(duration) s, at \(time)")
        #expect(batch.velocity(of: handles[0]) == 0 || 1...1 + duration ~= time, "\(duration) s, at \(time)")
      }
    }
    // Progress outside 0…1 counts as the nearest end, like times outside the clip.
    var batch = try AnimationBatch<Float>()
    let handles = try Self.fill(&batch, Self.ramp(), [Playback()])
    try batch.pause(handles)
    for (progress, value) in [(-5, 2), (0, 2), (0.5, 3.5), (1, 5), (1e300, 5)] as [(Double, Float)] {
      try batch.seek(handles[0], progress: progress)
      try batch.advance(by: 0)
      let byShare = batch[handles[0]]
      try batch.seek(handles[0], to: progress)
      try batch.advance(by: 0)
      #expect(byShare == value && batch[handles[0]] == value, "\(progress)")
    }
  }

  @Test(
    "Loops of no length, of almost none and of 2⁵³ times, at any speed, end or go on without a hang")
  func loops() throws {
    for duration in [0, Double.leastNonzeroMagnitude, 1e-300, 1e-30, 1e-12, 1] {
      let clip: Clip
      do {
        clip =
          duration == 0
          ? try HostileClipTests.clip(times: [0, 0, 0], HostileClipTests.constant(2, 5))
          : try Clip(curve: .linear, duration: duration)
      } catch {
        // A slope that no number holds.
        #expect(duration < 1e-30, "\(error)")
        continue
      }
      var playbacks: [Playback] = []
      for repetition in [Playback.Repetition.count(1 << 53), .count(2), .forever] {
        for speed in [0, 1, -1, Double.leastNonzeroMagnitude, .greatestFiniteMagnitude, -.greatestFiniteMagnitude] {
          playbacks.append(Playback(speed: speed, repetition: repetition, autoreverses: true))
          playbacks.append(Playback(delay: 1e10, speed: speed, repetition: repetition, timeOffset: -1e10))
        }
      }
      var batch = try AnimationBatch<Float>()
      batch.reports = .iterations
      let handles = try Self.fill(&batch, clip, playbacks)
      for time in [0, 1e-300, 1, 1e9, 1e10] {
        try batch.advance(to: time)
        for (index, handle) in handles.enumerated() {
          let value = batch[handle] ?? .nan
          #expect(value.isFinite && 0...5 ~= value, "\(duration) s, \(playbacks[index]) at \(time): \(value)")
        }
        // However many iterations have passed, each track has at most one event of a kind.
        #expect(batch.events.count <= 3 * handles.count)
      }
    }
  }
}
