// SPDX-License-Identifier: MIT
import AnimationModel
import Kernels
import TestSupport
import Testing

@testable import Murmuration
@testable import MurmurationClips
@testable import MurmurationEngine

/// Clips of pieces as the kernels play them, against their evaluation in Double.
@Suite("Clip tables")
struct ClipTablesTests {
  /// A clip of one track of random pieces, `jumps` of which do not join the piece before.
  static func clip(
    pieces: Int, components: Int = 1, spare: Int = 0, seed: UInt64, laterOwnsBoundaries: Bool = false
  ) throws -> Clip {
    var random = SplitMix64(seed: seed)
    var times = [0.0]
    for _ in 0..<pieces {
      // One piece in eight is a hundred times as short.
      times.append(times[times.count - 1] + random.uniform(0.05...0.5) * (random.uniform(0...1) < 0.125 ? 0.01 : 1))
    }
    let cubics = (0..<components).map { _ in
      (0..<pieces).map { piece in
        let h = times[piece + 1] - times[piece]
        return SIMD4(
          random.uniform(-1...1), random.uniform(-1...1) / h, random.uniform(-1...1) / (h * h),
          random.uniform(-1...1) / (h * h * h))
      }
    }
    let track = PieceTrack(
      components: (0..<components).map { spare + $0 }, times: times, pieces: cubics,
      boundariesBelongToLater: laterOwnsBoundaries)
    return try Clip(
      dimensions: components + 2 * spare, initialValues: (0..<components + 2 * spare).map { Double($0) + 0.5 },
      tracks: [track])
  }

  /// The values of a clip at some times by a kernel, one instance for each time.
  static func play(_ clip: Clip, at times: [Double], on set: KernelSet, rate: Double = 1) -> (
    values: [[Float]], velocities: [[Float]]
  ) {
    let (tables, timing) = (ClipTables(clip)!, ClipTiming(clip))
    let ticksPerSecond = TickScale(duration: clip.duration).ticksPerSecond
    let count = (times.count + 15) / 16 * 16
    let inputs = MemoryBlock(byteCount: 3 * 8 * count)
    let outputs = MemoryBlock(byteCount: 2 * 4 * count * clip.dimensions)
    let (doubles, floats) = (inputs.bytes.rebound(to: Double.self), outputs.bytes.rebound(to: Float.self))
    floats.update(repeating: .nan, count: 2 * count * clip.dimensions)
    for (index, time) in times.enumerated() {
      // At the moment 10, an instance that started at the moment 10 is at its base.
      doubles[index] = 10
      doubles[count + index] = Double(ClipTick.start) + time * ticksPerSecond
      if time < 0 { doubles[count + index] = Double(timing.beforeTick) }
      if time > clip.duration { doubles[count + index] = Double(timing.afterTick) }
      // A held clip stands still.
      let isHeld = time < 0 || time > clip.duration
      doubles[2 * count + index] = isHeld ? 0 : rate * ticksPerSecond
    }
    let columns = PlaybackColumns(
      origin: doubles, base: doubles + count, rate: doubles + 2 * count, scale: nil, offset: nil, value: floats,
      velocity: floats + count * clip.dimensions, dimensionStride: count, dimensions: clip.dimensions)
    let runs = [ClipRun(firstLane: 0, laneCount: count, clip: 0)]
    runs.withUnsafeBufferPointer { runs in
      withUnsafePointer(to: tables.table) {
        set.table.evaluateClips(columns, runs, ConstantColumn($0, count: 1), 10, true)
      }
    }
    let read = { (first: Column<Float>) in
      (0..<clip.dimensions).map { dimension in (0..<times.count).map { first[dimension * count + $0] } }
    }
    withExtendedLifetime(tables) {}
    return (read(columns.value), read(columns.velocity))
  }

  /// Times within every piece, at every boundary, and outside.
  private static func times(of clip: Clip, seed: UInt64) -> [Double] {
    var random = SplitMix64(seed: seed)
    let inner = (0..<40 * 16).map { _ in random.uniform(0...clip.duration) }
    return inner + clip.tracks[0].times + [-1, clip.duration + 1]
  }

  @Test(arguments: KernelSet.available)
  func componentsThatBeginAlike(_ set: KernelSet) throws {
    let rise = SIMD4(0.0, 1, 0, 0)
    for (last, shown) in [(SIMD4(1.0, 0, 0, 0), Float(1)), (SIMD4(1.0, 1, 0, 0), 1.5)] {
      let track = PieceTrack(
        components: [0, 1], times: [0, 1, 2], pieces: [[rise, SIMD4(1, 1, 0, 0)], [rise, last]],
        boundariesBelongToLater: false)
      let clip = try Clip(dimensions: 2, initialValues: [0, 0], tracks: [track])
      let tables = try #require(ClipTables(clip))
      // The tables own the memory of their tracks.
      let isShared = withExtendedLifetime(tables) { tables.table.tracks[0].sharesCubics }
      #expect(isShared == (shown == 1.5))
      let values = Self.play(clip, at: [0.25, 1.5], on: set).values
      for (value, wanted) in zip(values[0] + values[1], [0.25, 1.5, 0.25, shown]) {
        #expect(abs(value - wanted) <= 1e-6)
      }
    }
  }

  @Test(
    "Values and velocities are those of the pieces", arguments: [1, 2, 3, 14, 16, 17, 30, 32, 33, 84, 700],
    KernelSet.available)
  func agreesWithPieces(pieces: Int, set: KernelSet) throws {
    for seed in 0..<UInt64(pieces < 100 ? Effort.draws(quick: 2, soak: 8) : 2) {
      let clip = try Self.clip(pieces: pieces, components: pieces % 2 == 0 ? 3 : 1, spare: Int(seed % 2), seed: seed)
      let times = Self.times(of: clip, seed: seed + 100)
      let (values, velocities) = Self.play(clip, at: times, on: set)
      // The seconds of a tick, rounded to the nearest.
      let tick = clip.duration * 0x1p-32
      for dimension in 0..<clip.dimensions {
        for (index, time) in times.enumerated() {
          // A tick within half of one of a boundary belongs to either side.
          let sides = [time - tick, time, time + tick].map {
            (
              clip.value(dimension: dimension, at: $0), clip.velocity(dimension: dimension, at: $0),
              time < 0 || time > clip.duration
            )
          }
          let slope = sides.map { abs($0.1) }.max() ?? 0
          let tolerance = 8 * 4 * 0x1p-24 + slope * tick
          #expect(
            sides.contains { abs($0.0 - Double(values[dimension][index])) <= tolerance },
            "value of \(dimension) at \(time): \(values[dimension][index]), not \(sides[1].0)")
          // The coefficients of a piece are at most 1 with its length as the unit of time.
          let length = Self.shortest(clip, around: time)
          let speed = 6 * 4 * 0x1p-24 / length + (2 + 6) * tick / (length * length)
          #expect(
            sides.contains { abs(($0.2 ? 0 : $0.1) - Double(velocities[dimension][index])) <= speed },
            "velocity of \(dimension) at \(time): \(velocities[dimension][index]), not \(sides[1].1)")
        }
      }
    }
  }

  private static func shortest(_ clip: Clip, around time: Double) -> Double {
    let times = clip.tracks[0].times
    let piece = clip.tracks[0].piece(at: time)
    let pieces = max(0, piece - 1)...min(times.count - 2, piece + 1)
    return pieces.map { index -> Double in times[index + 1] - times[index] }.min() ?? 1
  }

  @Test("A boundary instant belongs to the earlier piece, or to the later one", arguments: [false, true])
  func boundaries(laterOwnsBoundaries: Bool) throws {
    let track = PieceTrack(
      components: [0], times: [0, 0.3, 0.7, 1], pieces: [[1, 2, 3].map { SIMD4($0, 0, 0, 0) }],
      boundariesBelongToLater: laterOwnsBoundaries)
    let clip = try Clip(dimensions: 1, initialValues: [0], tracks: [track])
    for set in KernelSet.available {
      let values = Self.play(clip, at: [-1, 0, 0.3, 0.3 + 1e-9, 0.7, 0.7 + 1e-9, 1, 2], on: set).values[0]
      #expect(values == (laterOwnsBoundaries ? [1, 1, 2, 2, 3, 3, 3, 3] : [1, 1, 1, 2, 2, 3, 3, 3]))
    }
  }

  @Test("The values held before and after a clip are exact")
  func holds() throws {
    // The last two begin or end with a piece that is shorter than a tick.
    let short = [[0, 1e-10, 0.4, 0.9, 1.1], [0, 0.4, 0.9, 1.1, 1.1 + 1e-10]]
    for times in [[0, 1.1], [0, 0.4, 1.1], [0, 0, 0.4, 1.1], [0, 0.4, 1.1, 1.1]] + short {
      let pieces = [times.dropLast().indices.map { SIMD4(0.1 + Double($0), 0.7, -0.3, 0.9) }]
      for later in [false, true] {
        try expectExactHolds(
          PieceTrack(components: [0], times: times, pieces: pieces, boundariesBelongToLater: later))
      }
    }
  }

  private func expectExactHolds(_ track: PieceTrack) throws {
    let clip = try Clip(dimensions: 2, initialValues: [5, 1.0 / 3], tracks: [track])
    for set in KernelSet.available {
      let (values, velocities) = Self.play(clip, at: [-1, 2], on: set, rate: 0)
      #expect(values[0] == [-1, 2].map { Float(clip.value(dimension: 0, at: $0)) })
      #expect(values[1] == [Float(1.0 / 3), Float(1.0 / 3)])
      #expect(velocities == [[0, 0], [0, 0]])
    }
  }

  @Test(
    "Jumps of curves belong to the next piece, and their end to the target", arguments: StepCurve.Position.allCases)
  func jumpsOfCurves(position: StepCurve.Position) throws {
    let timeline = KeyframeTimeline(initialValue: 0.0) {
      LinearKeyframe(12, duration: 1, timingCurve: .steps(4, position: position))
      LinearKeyframe(
        20, duration: 1, timingCurve: .linear(points: [.init(output: 0), .init(output: 0.5), .init(output: 0.25)]))
    }
    let times = [-1, 0, 0.125, 0.25, 0.5, 0.75, 0.875, 1, 1.25, 1.5, 2, 3]
    let clip = try Clip(timeline)
    for set in KernelSet.available {
      let (values, velocities) = Self.play(clip, at: times, on: set)
      for (index, time) in times.enumerated() {
        #expect(abs(Double(values[0][index]) - timeline.value(time: time)) < 32 * 0x1p-22, "value at \(time)")
        #expect(abs(Double(velocities[0][index]) - timeline.velocity(time: time)) < 32 * 0x1p-20, "velocity at \(time)")
      }
    }
  }
}
