// SPDX-License-Identifier: MIT
import AnimationModel
import Kernels
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// Bakes far from zero and for long, their clock, their rest, and the errors that end them.
struct BakeTests {
  private func springs(_ springs: [Spring], at start: Double) throws -> AnimationBatch<Float> {
    var batch = try AnimationBatch<Float>()
    try batch.hardlyRests()
    try batch.advance(to: start)
    let (ones, zeros) = ([Float](repeating: 1, count: springs.count), [Float](repeating: 0, count: springs.count))
    try batch.add(ones, to: zeros, springs: springs)
    return batch
  }

  /// On a late clock the times of frames are rounded so much that quick springs notice.
  @Test(arguments: [1.7e9, -9.9e9, 0x1p20]) func framesFarFromZeroEqualThoseOfAdvance(_ start: Double) throws {
    let springs = [1e-4, 1e-3, 0.01, 0.3, 5].flatMap { duration in
      [1, 0.3, -0.5].map { Spring(duration: duration, bounce: $0) }
    }
    var batch = try self.springs(springs, at: start)
    let frames = BakeFrames(0..<90, perSecond: 60, start: start)
    let baked = try Baked(batch, BakeRequest(frames, indices: 0..<15))
    for frame in frames.range {
      try batch.advance(to: frames.time(of: frame))
      for track in 0..<15 {
        let handle = try batch.handle(at: track) ?? #require(nil)
        let (value, velocity) = (batch[handle] ?? .nan, batch.velocity(of: handle) ?? .nan)
        #expect(abs(baked.values[frame * 15 + track] - value) <= 17 * 0x1p-24, "track \(track), frame \(frame)")
        let slip = Double(baked.velocities[frame * 15 + track] - velocity)
        #expect(abs(slip) <= 17 * 0x1p-24 * springs[track].naturalFrequency, "track \(track), frame \(frame)")
      }
    }
  }

  /// Anchors are computed from the start of a motion every 512 frames, and frames are baked 4 096 at a time.
  @Test func manyFramesDoNotDrift() throws {
    let springs = [
      Spring(duration: 400, bounce: 0.9), Spring(duration: 400, bounce: 1), Spring(duration: 300, bounce: -0.5),
    ]
    let batch = try self.springs(springs, at: 0)
    let frames = BakeFrames(0..<9_001, perSecond: 10)
    let baked = try Baked(batch, BakeRequest(frames, indices: 0..<3))
    for frame in [0, 15, 16, 511, 512, 4_095, 4_096, 8_999, 9_000] {
      for track in 0..<3 {
        var (value, velocity) = (1.0, 0.0)
        springs[track].update(value: &value, velocity: &velocity, target: 0, deltaTime: frames.time(of: frame))
        #expect(abs(Double(baked.values[frame * 3 + track]) - value) <= 8 * 0x1p-24, "frame \(frame)")
        let frequency = springs[track].naturalFrequency
        #expect(abs(Double(baked.velocities[frame * 3 + track]) - velocity) <= 8 * 0x1p-24 * frequency)
      }
    }
  }

  /// A frame at the end of an iteration belongs to the iteration that ends.
  @Test func framesAtTheEndsOfLegsBelongToThem() throws {
    var batch = try AnimationBatch<Float>()
    let track = PieceTrack(components: [0], times: [0, 0.5], pieces: [[SIMD4(0, 2, 0, 0)]])
    let clip = try batch.load(Clip(dimensions: 1, initialValues: [0], tracks: [track]))
    try batch.add(
      playing: clip,
      [Playback(repetition: .count(3), holdsAfter: false), Playback(repetition: .forever, autoreverses: true)])
    try batch.advance(to: 0)
    let baked = try Baked(
      batch, BakeRequest(BakeFrames(0..<9, perSecond: 4), indices: 0..<2, order: .trackMajor))
    let expected: [Float] = [0, 0.5, 1, 0.5, 1, 0.5, 1, 0, 0, 0, 0.5, 1, 0.5, 0, 0.5, 1, 0.5, 0]
    #expect(zip(baked.values, expected).allSatisfy { abs($0 - $1) < 1e-12 }, "\(baked.values)")
    #expect(baked.velocities[9...].elementsEqual([2, 2, 2, -2, -2, 2, 2, -2, -2]))
  }

  // MARK: - Times

  /// The first frame past a time is the one that a search frame by frame finds, even if the times of frames round to equal
  /// numbers.
  @Test(arguments: [(0, 60), (1e6, 60), (1e6, 1e12), (-1e6, 3e12), (1.7e9, 1e9), (1.7e9, 1e300), (0.1, 1e-3)])
  func endsAreThoseOfASearch(_ start: Double, _ perSecond: Double) {
    let clock = BakeClock(BakeTimes(BakeFrames(0..<320, perSecond: perSecond, start: start)))
    var changes = 0
    for frames in [0..<320, 256..<320, 300..<320, 7..<8] {
      for frame in frames where clock[frame] > clock[frames.lowerBound] {
        for time in [clock[frame].nextDown, clock[frame], clock[frame].nextUp] {
          changes += 1
          let until = frames.first { clock[$0] > time } ?? frames.upperBound
          guard time >= clock[frames.lowerBound] else { continue }
          #expect(clock.end(of: frames, until: time) == until, "\(time) in \(frames)")
        }
      }
      #expect(clock.end(of: frames, until: .infinity) == frames.upperBound)
    }
    #expect(changes > 0 || perSecond == 1e300)
  }

  // MARK: - Rest

  private static let count = 48

  private func restingBatch(_ set: KernelSet? = nil) throws -> AnimationBatch<Float> {
    var random = SplitMix64(seed: 11)
    let springs = (0..<Self.count).map { _ in
      Spring(duration: random.uniform(0.1...0.6), bounce: random.uniform(-0.5...0.7))
    }
    let values = (0..<Self.count).map { _ in Float(random.uniform(1...100)) }
    var batch = try AnimationBatch<Float>(kernels: set)
    try batch.add(values, to: [Float](repeating: 0, count: Self.count), springs: springs)
    return batch
  }

  /// The first frame in which each track rests: the one after the last frame with a velocity.
  private func restFrames(_ baked: Baked, _ frames: Int) -> [Int] {
    (0..<Self.count).map { track in
      ((0..<frames).last { baked.velocities[$0 * Self.count + track] != 0 } ?? -1) + 1
    }
  }

  /// Rates at which a frame falls on the moment of rest of a track, or next to it within the resolution of ages.
  @Test(arguments: KernelSet.available) func restAtFramesIsThatOfAges(_ set: KernelSet) throws {
    let batch = try restingBatch(set)
    // All motions began at time 0.
    let restAges = (0..<Self.count).map { index in
      batch.handle(at: index).flatMap { batch.restTime(of: $0) }.map { Float($0) } ?? .nan
    }
    var onTheEdge = 0
    for track in stride(from: 0, to: Self.count, by: 9) {
      let restAge = restAges[track]
      for (frame, age) in [(1, restAge), (40, restAge), (77, restAge.nextDown), (78, restAge.nextUp)] {
        for nudge in [-1e-8, -1e-15, 0, 1e-15, 1e-8] {
          let frames = BakeFrames(0..<90, perSecond: Double(frame) / (Double(age) * (1 + nudge)))
          let shown = restFrames(try Baked(batch, BakeRequest(frames, indices: 0..<Self.count)), 90)
          let ages = frames.range.map { Float(frames.time(of: $0)) }
          for other in stride(from: track % 4, to: Self.count, by: 4) {
            let expected = ages.firstIndex { $0 >= restAges[other] } ?? 90
            if shown[other] != expected { Issue.record("track \(other), \(frames.perSecond) frames a second") }
            if other == track, expected == frame || expected == frame + 1 { onTheEdge += 1 }
          }
        }
      }
    }
    #expect(onTheEdge > 60)
  }

  /// A known age of rest is forgotten when the motion or the tolerance changes.
  @Test func restIsFoundAnewWhereItChanged() throws {
    var batch = try restingBatch()
    let frames = BakeFrames(0..<200, perSecond: 60)
    let before = restFrames(try Baked(batch, BakeRequest(frames, indices: 0..<Self.count)), 200)
    let changed = batch.handle(at: 7)
    let handle = try #require(changed)
    try batch.animate(handle, to: 3_000, .spring(duration: 0.9, bounce: 0.6))
    let after = restFrames(try Baked(batch, BakeRequest(frames, indices: 0..<Self.count)), 200)
    #expect(after[7] > before[7])
    #expect(after[..<7] == before[..<7] && after[8...] == before[8...])
    batch.restTolerance = try RestTolerances(value: 1)
    let sooner = restFrames(try Baked(batch, BakeRequest(frames, indices: 0..<Self.count)), 200)
    #expect(zip(sooner, after).allSatisfy { $0 <= $1 } && sooner != after)
    // Frame by frame from here on.
    for frame in frames.range {
      try batch.advance(to: frames.time(of: frame))
      for track in 0..<Self.count {
        let rests = batch.handle(at: track).flatMap { batch.isAtRest($0) }
        #expect(rests == (frame >= sooner[track]), "track \(track), frame \(frame)")
      }
    }
  }

  // MARK: - Errors

  @Test("The first error counts")
  func first() throws {
    let failure = BakeFailure()
    try failure.check()
    failure.note(.capacityExceeded(1))
    failure.note(.capacityExceeded(2))
    #expect(throws: BatchError.capacityExceeded(1)) { try failure.check() }
  }

  /// The plan is made for times that can be baked. Then other times are baked, before the last step: no copy of a track
  /// that plays phases can show them.
  @Test("An error of copied tracks is thrown", arguments: [BakeOrder.timeMajor, .interleaved, .trackMajor], [1, 4])
  func copies(_ order: BakeOrder, _ threads: Int) throws {
    var batch = try AnimationBatch<SIMD2<Float>>()
    batch.threadCount = threads
    let count = 300
    let tracks = try batch.add([SIMD2<Float>](repeating: .zero, count: count))
    try batch.play(try batch.load(try PhaseBatchTests.sequence(PhaseBatchTests.curves)), on: tracks)
    try batch.advance(to: 2)
    let late = batch.engine.phases.latestStep
    #expect(late > 0.5)
    let (good, bad) = ((0..<64).map { 2 + Double($0) / 16 }, (0..<64).map { 0.001 * Double($0) })
    let request = BakeRequest(at: good, indices: 0..<count, order: order)
    var values = [Float](repeating: 0, count: good.count * count * 2)
    try values.withUnsafeMutableBufferPointer { values in
      let values = try #require(values.column)
      try good.withUnsafeBufferPointer { good in
        try bad.withUnsafeBufferPointer { bad in
          var plan = try batch.engine.plan(request, BakeTimes(each: good), got: nil)
          try batch.engine.bake(0..<good.count, of: plan, order, values, nil)
          plan.times = BakeTimes(each: bad)
          #expect(throws: BatchError.timeBeforeStart(time: 0, start: late)) {
            try batch.engine.bake(0..<bad.count, of: plan, order, values, nil)
          }
        }
      }
    }
  }
}
