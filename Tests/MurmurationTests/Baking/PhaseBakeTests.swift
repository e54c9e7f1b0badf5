// SPDX-License-Identifier: MIT
import AnimationModel
import TestSupport
import Testing

@testable import Murmuration

/// What is baked of phases, and of curves, is what frame by frame would show.
struct PhaseBakeTests {
  private func fill(_ batch: inout PhaseBatch, count: Int = 100) throws {
    var random = SplitMix64(seed: 3)
    let starts = (0..<count).map { _ in random.uniform(-1...1.5) }
    let offsets = (0..<2 * count).map { _ in Float(random.uniform(-5...5)) }
    let scales = (0..<2 * count).map { _ in Float(random.uniform(-2...2)) }
    let handles = try batch.add(startingAt: starts.span, offsets: offsets.span, scales: scales.span)
    try batch.advance(to: 0.3)
    for index in stride(from: 4, to: count, by: 19) { try batch.remove(handles[index]) }
    for index in stride(from: 5, to: count, by: 7) where batch.contains(handles[index]) {
      try batch.trigger(handles[index])
    }
    try batch.advance(to: 0.45)
    for index in stride(from: 6, to: count, by: 5) where batch.contains(handles[index]) {
      try batch.trigger(handles[index])
    }
    for index in stride(from: 3, to: count, by: 11) where batch.contains(handles[index]) {
      try batch.pause(handles[index])
    }
    // These set out with the next frame.
    for index in stride(from: 1, to: count, by: 6) where batch.contains(handles[index]) {
      try batch.trigger(handles[index])
    }
  }

  /// How far two numbers are apart; one that is none must not pass.
  private func difference(_ a: Float, _ b: Float) -> Float {
    let difference = abs(a - b)
    return difference.isNaN ? .infinity : difference
  }

  /// Values within some units of the scale of a track, about 30; velocities times the fastest spring's ω₀, 25 per second.
  private func compare(
    _ baked: Baked, _ batch: inout PhaseBatch, _ indices: Range<Int>, times: [Double], _ dimension: Int,
    exactly: Bool
  ) throws {
    var (worst, worstVelocity, moved) = (Float(0), Float(0), 0)
    for (frame, time) in times.enumerated() {
      try batch.advance(to: time)
      let shown = try Baked(shown: &batch, dimension)
      for index in indices {
        let place = frame * indices.count + index - indices.lowerBound
        worst = max(worst, difference(baked.values[place], shown.values[index]))
        worstVelocity = max(worstVelocity, difference(baked.velocities[place], shown.velocities[index]))
        if shown.velocities[index] != 0 { moved += 1 }
      }
    }
    // Four motions that follow from each other and matter still, of 16 units each; and where one comes to rest some frames
    // sooner than the other, 0.001: the tolerance.
    let bound: Float = exactly ? 0 : 64 * 0x1p-24 * 30 + 1e-3
    #expect(worst <= bound)
    #expect(worstVelocity <= bound * (exactly ? 0 : 25))
    #expect(moved > baked.values.count / 20)
  }

  @Test(arguments: [PhaseBatchTests.springs, PhaseBatchTests.jumps], [PhaseBatch.Playback.loops, .triggered])
  func springsAreWhatFramesShow(_ animations: [Animation?], _ playback: PhaseBatch.Playback) throws {
    let sequence = try PhaseBatchTests.sequence(animations)
    for set in KernelSet.available {
      var batch = try PhaseBatch(sequence, playback: playback, kernels: set)
      try fill(&batch)
      let frames = BakeFrames(28..<28 + 300, perSecond: 60)
      let count = batch.indexCount
      let (first, second) = (
        try Baked(&batch, frames, 0..<count, dimension: 0), try Baked(&batch, frames, 9..<80, dimension: 1)
      )
      var other = try PhaseBatch(sequence, playback: playback, kernels: set)
      try fill(&other)
      let times = frames.range.map { frames.time(of: $0) }
      try compare(first, &other, 0..<count, times: times, 0, exactly: false)
      try compare(second, &batch, 9..<80, times: times, 1, exactly: false)
    }
  }

  /// The greatest difference of a value from what frames show.
  private func worstValue(_ baked: Baked, _ batch: inout PhaseBatch, _ frames: BakeFrames) throws -> Float {
    var worst: Float = 0
    for (row, frame) in frames.range.enumerated() {
      try batch.advance(to: frames.time(of: frame))
      let shown = try Baked(shown: &batch, 0).values
      for (track, value) in shown.enumerated() {
        worst = max(worst, difference(baked.values[row * shown.count + track], value))
      }
    }
    return worst
  }

  /// Where nothing comes to rest, within the rounding of springs alone.
  @Test func springsThatDoNotRestAreWithinRounding() throws {
    let sequence = try PhaseSequence(
      [0, 8, 3] as [Float], target: { $0 }, animation: { _ in .spring(duration: 0.5, bounce: 0.6) })
    var batch = try PhaseBatch(sequence)
    let starts = (0..<40).map { Double($0) * 0.013 }
    try batch.add(startingAt: starts.span)
    try batch.advance(to: 0)
    let frames = BakeFrames(0..<600, perSecond: 60)
    let baked = try Baked(&batch, frames, 0..<40, dimension: 0)
    let worst = try worstValue(baked, &batch, frames)
    // Springs are 16 apart at most.
    #expect(worst > 0)
    #expect(worst <= 64 * 0x1p-24 * 16)
  }

  /// Frames that more rounds lie before than are taken one by one, of springs that still show where they set out some rounds
  /// later.
  @Test func framesFarAheadAreWhatFramesShow() throws {
    let sequence = try PhaseSequence(
      [0, 8, 3] as [Float], target: { SIMD2($0, -$0) }, animation: { _ in .spring(duration: 0.5, bounce: 0.95) })
    #expect(Double(PhaseBatch.longestCatchUp) * sequence.cycleDuration < 599)
    let frames = BakeFrames(36_000..<36_090, perSecond: 60)
    var batch = try PhaseBatch(sequence)
    try fill(&batch)
    var other = try PhaseBatch(sequence)
    try fill(&other)
    let baked = try Baked(&batch, frames, 0..<batch.indexCount, dimension: 0)
    try compare(
      baked, &other, 0..<batch.indexCount, times: frames.range.map { frames.time(of: $0) }, 0, exactly: false)
  }

  /// On a clock that counts from long ago the times of frames are rounded, as much as springs notice.
  @Test func framesFarFromZeroAreWithinRounding() throws {
    let sequence = try PhaseSequence(
      [0, 8, 3] as [Float], target: { $0 }, animation: { _ in .spring(duration: 0.3, bounce: 0.6) })
    for start in [1.7e9, -9.9e9] {
      var batch = try PhaseBatch(sequence)
      try batch.advance(to: start)
      for _ in 0..<3 { _ = try batch.add() }
      let frames = BakeFrames(0..<200, perSecond: 60, start: start)
      let baked = try Baked(&batch, frames, 0..<3, dimension: 0)
      #expect(try worstValue(baked, &batch, frames) <= 64 * 0x1p-24 * 16, "from \(start)")
    }
  }

  @Test(arguments: [PhaseBatchTests.curves, PhaseBatchTests.both, PhaseBatchTests.springsThatAdd])
  func curvesAreWhatFramesShow(_ animations: [Animation?]) throws {
    let sequence = try PhaseBatchTests.sequence(animations)
    var batch = try PhaseBatch(sequence)
    try fill(&batch, count: 50)
    let frameCount = Effort.draws(quick: 40, soak: 120)
    let frames = BakeFrames(28..<28 + frameCount, perSecond: 60)
    let count = batch.indexCount
    let baked = try Baked(&batch, frames, 0..<count, dimension: 1)
    let turned = try Baked(&batch, frames, 0..<count, dimension: 1, order: .trackMajor)
    for index in stride(from: 0, to: count, by: 13) {
      for frame in 0..<frameCount {
        if baked.values[frame * count + index] != turned.values[index * frameCount + frame] { Issue.record("\(index)") }
      }
    }
    let times = frames.range.map { frames.time(of: $0) }
    try compare(baked, &batch, 0..<count, times: times, 1, exactly: true)
  }

  @Test(arguments: [PhaseBatchTests.springs, PhaseBatchTests.both])
  func timesInAnyOrderAreWhatFramesShow(_ animations: [Animation?]) throws {
    let sequence = try PhaseBatchTests.sequence(animations)
    var batch = try PhaseBatch(sequence)
    try fill(&batch)
    let count = batch.indexCount
    let times = [0.5, 2, 0.46, 1.1, 1.1, 0.9, 4]
    let baked = try Baked(&batch, at: times, 0..<count, dimension: 0)
    let exact = animations.count == 4 && !batch.hasSpringsOnly
    for (frame, time) in times.enumerated() {
      var other = try PhaseBatch(sequence)
      try fill(&other)
      try other.advance(to: time)
      let shown = try Baked(shown: &other, 0)
      for index in 0..<count {
        let difference = abs(baked.values[frame * count + index] - shown.values[index])
        if !(difference <= (exact ? 0 : 64 * 0x1p-24 * 30 + 1e-3)) { Issue.record("index \(index), time \(time)") }
      }
    }
  }

  @Test func bitsDependOnTheTrackAlone() throws {
    let sequence = try PhaseBatchTests.sequence(PhaseBatchTests.springs)
    var batch = try PhaseBatch(sequence)
    try fill(&batch)
    let frames = BakeFrames(28..<28 + 270, perSecond: 60)
    let count = batch.indexCount
    let whole = try Baked(&batch, frames, 0..<count, dimension: 0)
    let part = try Baked(&batch, frames, 33..<90, dimension: 0)
    for frame in 0..<270 {
      let expected = whole.values[frame * count + 33..<frame * count + 90]
      #expect(part.values[frame * 57..<(frame + 1) * 57].elementsEqual(expected))
    }
    let columns = try Baked(&batch, frames, 0..<count, dimension: 0, order: .trackMajor)
    for index in 0..<count where columns.values[index * 270 + 99] != whole.values[99 * count + index] {
      Issue.record("index \(index)")
    }
    for set in KernelSet.available {
      var other = try PhaseBatch(sequence, kernels: set)
      try fill(&other)
      other.threadCount = 3
      #expect(try Baked(&other, frames, 0..<count, dimension: 0).bits == whole.bits, "\(set)")
    }
  }

  /// What a bake leaves alone: the clock, what is shown, and what the next frames report.
  @Test(arguments: [PhaseBatchTests.springs, PhaseBatchTests.both])
  func theBatchStaysAsItIs(_ animations: [Animation?]) throws {
    let sequence = try PhaseBatchTests.sequence(animations)
    let batch = Box(try PhaseBatch(sequence))
    let other = Box(try PhaseBatch(sequence))
    for box in [batch, other] {
      box.batch.reportsPhaseChanges = true
      try fill(&box.batch)
    }
    let time = batch.batch.time
    _ = try Baked(&batch.batch, BakeFrames(28..<128, perSecond: 60), 0..<100, dimension: 0)
    #expect(batch.batch.time == time)
    for frame in 28..<128 {
      for box in [batch, other] { try box.batch.advance(to: Double(frame) / 60) }
      #expect(batch.batch.phaseChanges.map(\.time) == other.batch.phaseChanges.map(\.time))
      #expect(batch.batch.completed.map(\.index) == other.batch.completed.map(\.index))
      #expect(try Baked(shown: &batch.batch, 0).bits == (try Baked(shown: &other.batch, 0)).bits)
    }
  }

  private final class Box {
    var batch: PhaseBatch
    init(_ batch: consuming PhaseBatch) { self.batch = batch }
  }

  @Test func refusalsWriteNothing() throws {
    for animations in [PhaseBatchTests.springs, PhaseBatchTests.curves] {
      var batch = try PhaseBatch(try PhaseBatchTests.sequence(animations))
      try fill(&batch)
      let count = batch.indexCount
      let two = BakeFrames(28..<30, perSecond: 60)
      func refuses(_ frames: BakeFrames, _ indices: Range<Int>, dimension: Int = 0, room: Int) {
        var output = [Float](repeating: 7, count: room)
        var span = output.mutableSpan
        #expect(throws: BatchError.self) {
          try batch.bake(frames, indices: indices, dimension: dimension, values: &span)
        }
        #expect(output == Array(repeating: 7, count: room))
      }
      refuses(two, 0..<count, room: 7)
      refuses(two, 0..<count, dimension: 2, room: 2 * count)
      refuses(two, 0..<count + 1, room: 2 * count + 2)
      refuses(BakeFrames(0..<2, perSecond: .nan), 0..<1, room: 2)
      refuses(BakeFrames(0..<2, perSecond: 60, start: -5), 0..<count, room: 2 * count)
      #expect(try Baked(&batch, two, 5..<5, dimension: 0).values.isEmpty)
    }
  }

  /// A batch of curves: lanes, what adds up, what is called, what rests and what is paused.
  @Test func curveBatchesAreWhatFramesShow() throws {
    var batch = try CurveBatch(dimensions: 1)
    var random = SplitMix64(seed: 9)
    let values = (0..<120).map { _ in Float(random.uniform(-9...9)) }
    let handles = try batch.add(values: values.span)
    let animations: [Animation] = [
      .easeIn(duration: 0.7), .easeInOut.delay(0.2), .linear(duration: 0.2).repeatCount(5), .bouncy,
      .bouncy.delay(0.1), .easeOut.speed(2), .interpolatingSpring(duration: 0.3, bounce: 0.2),
    ]
    for round in 0..<3 {
      try batch.advance(to: Double(round) * 0.15)
      for index in 0..<120 where index % 10 != 9 && (index + round) % 3 != 0 {
        try batch.retarget(
          handles[index], to: Float(random.uniform(-9...9)), with: animations[Int(random.next() % 7)])
      }
    }
    try batch.pause(handles[20])
    try batch.remove(handles[30])
    let frames = BakeFrames(19..<90, perSecond: 60)
    let baked = try Baked(count: 71 * 120) { values, velocities throws(BatchError) in
      try batch.bake(frames, indices: 0..<120, dimension: 0, values: &values, velocities: &velocities)
    }
    for frame in 0..<71 {
      try batch.advance(to: frames.time(of: 19 + frame))
      let shown = try Baked(shown: &batch)
      #expect(baked.values[frame * 120..<(frame + 1) * 120].elementsEqual(shown.values), "frame \(frame)")
      #expect(baked.velocities[frame * 120..<(frame + 1) * 120].elementsEqual(shown.velocities), "frame \(frame)")
    }
  }
}
