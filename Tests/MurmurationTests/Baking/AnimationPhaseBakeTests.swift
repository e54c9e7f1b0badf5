// SPDX-License-Identifier: MIT
import AnimationModel
import TestSupport
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// A bake of phases gives the numbers that playing frame by frame shows, with the steps on the way.
struct AnimationPhaseBakeTests {
  /// A batch in which tracks that follow all kinds of motions play a sequence: some loop, some were triggered, some wait, some
  /// are paused; with starts, offsets and scales of their own.
  private static func batch(
    _ animations: [Animation?], _ playback: PhasePlayback, kernels: KernelSet? = nil, count: Int = 90
  ) throws -> AnimationBatch<SIMD2<Float>> {
    var batch = try AnimationBatch<SIMD2<Float>>(kernels: kernels)
    var random = SplitMix64(seed: 3)
    let tracks = try batch.add((0..<count).map { SIMD2(Float($0 % 7), 2) })
    let goals = [SIMD2<Float>](repeating: SIMD2(9, -9), count: 20)
    try batch.animate(Array(tracks[0..<20]), to: goals, .bouncy)
    try batch.animate(
      Array(tracks[20..<40]), to: goals, springs: (0..<20).map { Spring(duration: 0.3, bounce: 0.04 * Double($0 - 10)) }
    )
    try batch.animate(Array(tracks[40..<60]), to: goals, .easeInOut(duration: 0.9))
    let clip = try batch.load(
      try Clip(
        KeyframeTimeline(initialValue: SIMD2<Float>(1, 1)) {
          KeyframeTrack(\.x) { LinearKeyframe(Float(5), duration: 0.9) }
        }))
    try batch.play(clip, on: Array(tracks[60..<70]), Playback(repetition: .forever))
    let sequence = try batch.load(try PhaseBatchTests.sequence(animations))
    let playing = tracks.indices.filter { $0 % 6 != 5 }.map { tracks[$0] }
    try batch.play(
      sequence, on: playing, playback, startingAt: playing.map { _ in random.uniform(-1...1.5) },
      offsets: playing.map { _ in SIMD2(Float(random.uniform(-5...5)), 1) },
      scales: playing.map { _ in SIMD2(Float(random.uniform(-2...2)), 0.5) })
    try batch.advance(to: 0.3)
    for index in stride(from: 4, to: count, by: 19) { try batch.remove(tracks[index]) }
    let alive = playing.filter { batch.contains($0) }
    try batch.trigger(alive.filter { $0.index % 7 == 1 })
    try batch.advance(to: 0.45)
    try batch.trigger(alive.filter { $0.index % 5 == 1 })
    // Those from 84 on stand; some of them would set out later.
    try batch.pause(alive.filter { $0.index % 11 == 3 || $0.index >= 84 })
    // These set out with the next frame.
    try batch.trigger(alive.filter { $0.index % 6 == 1 })
    return batch
  }

  private func difference(_ a: Float, _ b: Float) -> Float { (a - b).isNaN ? .infinity : abs(a - b) }

  /// Compares interleaved frames with what advances show.
  ///
  /// - Parameter exactly: Whether all numbers are the same, except for springs outside of phases.
  private func compare(
    _ baked: Baked, _ batch: inout AnimationBatch<SIMD2<Float>>, _ indices: Range<Int>, times: [Double],
    exactly: Bool = true
  ) throws {
    // Four consecutive motions still matter, each with 16 units of a scale of 30. If one side comes to rest some frames
    // earlier, the tolerance of 0.001 is added.
    let bound: Float = 64 * 0x1p-24 * 30 + 1e-3
    var (moved, differences) = (0, 0)
    for (frame, time) in times.enumerated() {
      try batch.advance(to: time, velocities: true)
      for index in indices {
        guard let track = batch.handle(at: index) else { continue }
        let allowed = exactly && (index >= 40 || batch.engine.phases.isPlaying(index)) ? 0 : bound
        let nowhere = SIMD2(repeating: Float.nan)
        let (values, velocities) = (batch[track] ?? nowhere, batch.velocity(of: track) ?? nowhere)
        for component in 0..<2 {
          let place = 2 * (frame * indices.count + index - indices.lowerBound) + component
          let (value, velocity) = (values[component], velocities[component])
          if velocity != 0 { moved += 1 }
          if difference(baked.values[place], value) > allowed
            || difference(baked.velocities[place], velocity) > 25 * allowed
          {
            differences += 1
            if differences < 5 {
              Issue.record(
                "track \(index), frame \(frame): \(baked.values[place]) \(baked.velocities[place]), not \(value) \(velocity)"
              )
            }
          }
        }
      }
    }
    #expect(differences == 0)
    #expect(moved > baked.values.count / 20)
  }

  @Test(
    "Steps come as frames take them",
    arguments: [
      PhaseBatchTests.springs, PhaseBatchTests.jumps, PhaseBatchTests.curves, PhaseBatchTests.both,
      PhaseBatchTests.springsThatAdd,
    ],
    [PhasePlayback.loops, .triggered])
  func stepsAreWhatFramesShow(_ animations: [Animation?], _ playback: PhasePlayback) throws {
    let hasSpringsOnly = try SpringStep.plan(PhaseBatchTests.sequence(animations)) != nil
    for set in KernelSet.available.suffix(hasSpringsOnly ? 3 : 1) {
      var batch = try Self.batch(animations, playback, kernels: set)
      let count = !hasSpringsOnly ? 60 : set == .portable ? 300 : 100
      let frames = BakeFrames(28..<28 + count, perSecond: 60)
      let baked = try Baked(batch, BakeRequest(frames, indices: 3..<90, order: .interleaved))
      try compare(baked, &batch, 3..<90, times: frames.range.map { frames.time(of: $0) })
    }
  }

  @Test("Times in any order take the steps anew", arguments: [PhaseBatchTests.springs, PhaseBatchTests.both])
  func timesInAnyOrder(_ animations: [Animation?]) throws {
    let batch = try Self.batch(animations, .loops)
    let times = [0.5, 2, 0.46, 1.1, 1.1, 0.9, 4]
    let baked = try Baked(batch, BakeRequest(at: times, indices: 0..<90, order: .interleaved))
    for (frame, time) in times.enumerated() {
      var other = try Self.batch(animations, .loops)
      try compare(
        baked.part(rows: frame..<frame + 1, columns: 0..<180, of: 180), &other, 0..<90, times: [time])
    }
  }

  @Test(
    "Any part of the frames and of the tracks has the bits of the whole",
    arguments: [PhaseBatchTests.springs, PhaseBatchTests.jumps, PhaseBatchTests.both])
  func partsHaveTheBitsOfTheWhole(_ animations: [Animation?]) throws {
    var batch = try Self.batch(animations, .loops)
    let all = 30..<400
    let whole = try Baked(batch, BakeRequest(BakeFrames(all, perSecond: 60), indices: 0..<90, components: 0..<1))
    batch.threadCount = 2
    for (range, indices) in [
      (all, 0..<90), (31..<32, 0..<90), (200..<300, 7..<83), (255..<258, 0..<90), (311..<400, 50..<60),
    ] {
      let request = BakeRequest(BakeFrames(range, perSecond: 60), indices: indices, components: 0..<1)
      let baked = try Baked(batch, request)
      let rows = range.lowerBound - 30..<range.upperBound - 30
      #expect(baked.bits == whole.part(rows: rows, columns: indices, of: 90).bits, "frames \(range), tracks \(indices)")
    }
  }

  @Test("Any part has the bits of the whole, also of short rounds, many of which lie before it")
  func partsOfShortRounds() throws {
    // With the first, rounds are skipped in each frame. With the second in none, but many lie between a milestone and a part.
    for (duration, perSecond) in [(1e-4, 10.0), (0.1, 60)] {
      let sequence = try PhaseSequence(
        [0, 8, 3] as [Float], target: { SIMD2($0, -$0) },
        animation: { _ in .spring(duration: duration, bounce: 0.999) })
      var batch = try AnimationBatch<SIMD2<Float>>()
      let tracks = try batch.add([SIMD2<Float>](repeating: .zero, count: 6))
      try batch.play(try batch.load(sequence), on: tracks, startingAt: (0..<6).map { Double($0) * 0.013 })
      for start in [20, 5_000] {
        let frames = start..<start + 2_040
        let whole = try Baked(batch, BakeRequest(BakeFrames(frames, perSecond: perSecond), indices: 0..<6))
        let last = BakeFrames(frames.suffix(40), perSecond: perSecond)
        let part = try Baked(batch, BakeRequest(last, indices: 0..<6))
        #expect(
          part.bits == whole.part(rows: 2_000..<2_040, columns: 0..<12, of: 12).bits, "\(duration) s, from \(start) on")
      }
    }
  }

  @Test("Frames that lie many rounds ahead are what frames show")
  func framesFarAhead() throws {
    let sequence = try PhaseSequence(
      [0, 8, 3] as [Float], target: { SIMD2($0, -$0) }, animation: { _ in .spring(duration: 0.37, bounce: 0.999) })
    #expect(Double(PhaseSequence.longestCatchUp) * sequence.cycleDuration < 599)
    var batch = try AnimationBatch<SIMD2<Float>>()
    let tracks = try batch.add([SIMD2<Float>](repeating: .zero, count: 40))
    try batch.play(try batch.load(sequence), on: tracks, startingAt: (0..<40).map { Double($0) * 0.013 })
    // The part begins in another round than the whole. Springs that lose more in a round forget what differs.
    let frames = BakeFrames(36_000..<36_200, perSecond: 60)
    let baked = try Baked(batch, BakeRequest(frames, indices: 0..<40, order: .interleaved))
    let part = try Baked(
      batch, BakeRequest(BakeFrames(36_150..<36_200, perSecond: 60), indices: 0..<40, order: .interleaved))
    #expect(part.values == Array(baked.values[150 * 80..<200 * 80]))
    try compare(baked, &batch, 0..<40, times: frames.range.map { frames.time(of: $0) }, exactly: false)
  }

  @Test("A bake is refused before the latest step, and changes nothing of the schedule")
  func theScheduleStays() throws {
    var batch = try Self.batch(PhaseBatchTests.springs, .loops)
    let steps = (0..<90).map { batch.handle(at: $0).flatMap { batch.nextStepTime(of: $0) } }
    _ = try Baked(batch, BakeRequest(BakeFrames(30..<200, perSecond: 60), indices: 0..<90))
    #expect(steps == ((0..<90).map { batch.handle(at: $0).flatMap { batch.nextStepTime(of: $0) } }))
    try batch.advance(to: 3)
    var values = [Float](repeating: 7, count: 180)
    var span = values.mutableSpan
    #expect(throws: BatchError.self) { try batch.bake(BakeRequest(at: [1], indices: 0..<90), into: &span) }
    #expect(values.allSatisfy { $0 == 7 })
  }

  /// A curve begins at the value that a track shows which followed with a velocity, in a bake as in frames.
  @Test(arguments: [0, 0.25]) func phasesOfATrackThatFollowedBeginAtItsValue(start: Double) throws {
    var batch = try AnimationBatch<Float>()
    let track = try batch.add(-1)
    try batch.set(track, -1, velocity: -1)
    try batch.follow(track, with: Spring(duration: 0.36, bounce: 0.84))
    let sequence = try PhaseSequence(
      dimensions: 1, targets: [[-1], [-1.5]], animations: [.easeOut(duration: 0.2), .easeIn(duration: 0.9)])
    try batch.play(try batch.load(sequence), on: [track], .loops, startingAt: [start])
    let frames = BakeFrames(0..<60, perSecond: 32)
    let baked = try Baked(batch, BakeRequest(frames, indices: 0..<1))
    for frame in 0..<60 {
      try batch.advance(to: frames.time(of: frame))
      let value = try #require(batch[track])
      #expect(abs(baked.values[frame] - value) < 1e-5, "frame \(frame): \(baked.values[frame]) instead of \(value)")
    }
  }
}
