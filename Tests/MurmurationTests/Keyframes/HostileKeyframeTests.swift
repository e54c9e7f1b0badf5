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
  private static func constant(_ value: Double) -> SIMD4<Double> { SIMD4(value, 0, 0, 0) }

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

  @Test("A timeline without keyframes, and one key, are constants that end at once")
  func constants() throws {
    let none = try Clip(KeyframeTimeline(initialValue: 4.0) { KeyframeSequence<Double>() })
    let one = try HostileClipTests.clip(times: [0, 0], [Self.constant(4)])
    for clip in [none, one] {
      for repetition in [Playback.Repetition.count(1), .count(1 << 53), .forever] {
        var batch = try AnimationBatch<Float>()
        let handles = try Self.fill(&batch, clip, [Playback(repetition: repetition, autoreverses: true)])
        for time in [0, 1e-9, 1, 1e9] {
          try batch.advance(to: time)
          let (value, velocity) = (batch[handles[0]], batch.velocity(of: handles[0]))
          let completed = batch.events.filter { $0.kind == .logicallyComplete }.map(\.track)
          #expect(value == 4 && velocity == 0 && completed == (time == 0 ? handles : []), "\(repetition) at \(time)")
        }
      }
    }
  }

  @Test(
    "Keys at one time, and closer than the clock can tell, have no slope between them",
    arguments: [0, 1e-10])
  func duplicateKeys(_ gap: Double) throws {
    let timeline = KeyframeTimeline(initialValue: 0.0) {
      LinearKeyframe(1, duration: 3600)
      LinearKeyframe(5, duration: gap)
      CubicKeyframe(-5, duration: gap)
      LinearKeyframe(9, duration: gap)
      LinearKeyframe(8, duration: 1)
    }
    let clip = try Clip(timeline)
    var batch = try AnimationBatch<Float>()
    let handles = try Self.fill(&batch, clip, [Playback(), Playback(speed: -1), Playback(speed: 1e6)])
    for time in [0, 3599, 3600.0.nextDown, 3600, 3600.0.nextUp, 3600.000_01, 3600.5, 3601, 1e9] {
      try batch.advance(to: time)
      for handle in handles {
        let (value, velocity) = (batch[handle] ?? .nan, batch.velocity(of: handle) ?? .nan)
        #expect(-5.001...9.001 ~= value && velocity.isFinite, "\(value) at \(time)")
      }
      if time > 3600.0001 {
        let (value, expected) = (batch[handles[0]] ?? .nan, Float(timeline.value(time: time)))
        #expect(abs(value - expected) < 1e-4)
      }
    }
  }

  @Test("The curves that are hardest to solve stay within the bound of their clip")
  func hardCurves() throws {
    for (x1, y1, x2, y2) in [(1.0, 0.0, 0.0, 1.0), (0, 1, 0, 1), (1, 1, 1, 0), (0, 0, 0, 0), (-2, 0, 7, 1)] {
      let curve = UnitCurve.bezier(
        startControlPoint: UnitPoint(x: x1, y: y1), endControlPoint: UnitPoint(x: x2, y: y2))
      let clip = try Clip(curve: curve)
      var batch = try AnimationBatch<Float>()
      let handles = try Self.fill(&batch, clip, [Playback()])
      for step in 0...250 {
        let time = Double(step) / 250
        try batch.advance(to: time)
        let value = Double(batch[handles[0]] ?? .nan)
        // A tick of the batch's clock on either side: a vertical curve shows the whole difference.
        let near = [time - 0x1p-31, time, time + 0x1p-31].map { curve.value(at: $0) }
        let bound = clip.report.valueErrorBound + 8 * 0x1p-24
        #expect(near.min()! - bound...near.max()! + bound ~= value, "\(curve) at \(time)")
      }
    }
  }

  @Test("Before the start and after the end an instance holds, and the ends are exact")
  func holds() throws {
    for duration in [1e-9, 1, 1e9] {
      var batch = try AnimationBatch<Float>()
      let handles = try Self.fill(
        &batch, Self.ramp(duration: duration), [Playback(start: 1), Playback(start: 1, speed: -1)])
      for time in [0, 1.0.nextDown, 1] {
        try batch.advance(to: time)
        let shown = handles.map { batch[$0] }
        #expect(shown == [2, 5])
      }
      for time in [1 + duration, 1 + 2 * duration, 9e9] {
        try batch.advance(to: time)
        let (shown, velocity) = (handles.map { batch[$0] }, batch.velocity(of: handles[0]))
        #expect(shown == [5, 2] && (velocity == 0 || time == 1 + duration))
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
      let byTime = batch[handles[0]]
      #expect(byShare == value && byTime == value, "\(progress)")
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
          ? try HostileClipTests.clip(times: [0, 0, 0], [Self.constant(2), Self.constant(5)])
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

  @Test("0, 1, 3 and more threads than tiles show the same bits", arguments: [false, true])
  func threads(mixed: Bool) throws {
    func play(_ threads: Int) throws -> [Float] {
      var batch = try AnimationBatch<Float>()
      batch.engine.clips.playersBeforeOwnTiles = mixed ? .max : 0
      batch.threadCount = threads
      let playbacks = (0..<20_000).map { Playback(delay: 1e-4 * Double($0), repetition: .forever) }
      _ = try Self.fill(&batch, Self.ramp(), playbacks)
      var shown = [Float](repeating: 0, count: 20_000)
      for frame in 1...5 { try batch.advance(to: Double(frame) * 0.7) }
      try batch.copyValues(into: &shown)
      return shown
    }
    let expected = try play(1)
    for threads in [0, 3, 1000] { #expect(try play(threads) == expected, "\(threads) threads") }
  }
}
