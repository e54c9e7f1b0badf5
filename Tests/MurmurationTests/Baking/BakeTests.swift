// SPDX-License-Identifier: MIT
import TestSupport
import Testing

@testable import Murmuration

/// What is baked is what frame by frame would show.
struct BakeTests {
  /// Two errors of 8 u S, and half a unit in the last place of each value.
  private func allowance(_ scale: Double, value: Float) -> Double {
    16 * 0x1p-24 * scale + Double(value.ulp)
  }

  private func compare(
    _ menagerie: inout Menagerie, _ baked: Baked, _ indices: Range<Int>, times: [Double], dimension: Int = 0,
    exactly: Bool = false
  ) throws {
    var compared = 0
    for (frame, time) in times.enumerated() {
      try menagerie.batch.advance(to: time)
      let (values, velocities) = (try menagerie.batch.values(dimension), try menagerie.batch.velocities(dimension))
      for index in indices {
        let place = frame * indices.count + index - indices.lowerBound
        let (scale, frequency) = menagerie.scales[index]
        let handle = menagerie.batch.handle(atIndex: index)
        let isInCohort = try handle.map { handle in try menagerie.batch.isInCohort(handle) } ?? true
        let rests = try handle.map { handle in try menagerie.batch.isAtRest(handle) } ?? true
        if isInCohort || rests || exactly {
          #expect(baked.values[place].bitPattern == values[index].bitPattern, "index \(index), frame \(frame)")
          #expect(baked.velocities[place].bitPattern == velocities[index].bitPattern, "index \(index), frame \(frame)")
        } else {
          let value = abs(Double(baked.values[place]) - Double(values[index]))
          #expect(value <= allowance(scale, value: values[index]), "index \(index), frame \(frame)")
          let velocity = abs(Double(baked.velocities[place]) - Double(velocities[index]))
          #expect(velocity <= 16 * 0x1p-24 * scale * frequency, "index \(index), frame \(frame)")
        }
        compared += 1
      }
    }
    #expect(compared == baked.values.count)
  }

  /// At a rate at which most tracks move, and at one at which most come to rest.
  @Test(arguments: KernelSet.available, [50.0, 1])
  func framesEqualThoseOfAdvance(_ set: KernelSet, _ perSecond: Double) throws {
    var menagerie = try Menagerie(count: 900, kernels: set, dimensions: 2)
    let count = menagerie.batch.indexCount
    // So that the first frame lies behind every start.
    let range = 3..<3 + Effort.draws(quick: 60, soak: 200)
    let frames = BakeFrames(range, perSecond: perSecond, start: menagerie.batch.time)
    let times = frames.range.map { frames.time(of: $0) }
    for (indices, dimension) in [(0..<count, 0), (17..<count - 90, 1), (60..<61, 0)] {
      let baked = try Baked(&menagerie.batch, frames, indices, dimension: dimension)
      try compare(&menagerie, baked, indices, times: times, dimension: dimension)
    }
  }

  @Test func timesInAnyOrderEqualAdvance() throws {
    var menagerie = try Menagerie(count: 500)
    let now = menagerie.batch.time
    let indices = 0..<menagerie.batch.indexCount
    let times = [5, 0, 0.3, 2, 0.3, 11, 1e-9, 0.7].map { now + $0 }
    let baked = try Baked(&menagerie.batch, at: times, indices)
    try compare(&menagerie, baked, indices, times: times)
  }

  /// On a clock that counts from long ago the times of frames are rounded, as much as quick springs notice.
  @Test(arguments: [1.7e9, -9.9e9, 0x1p20]) func framesFarFromZeroEqualThoseOfAdvance(_ start: Double) throws {
    var batch = try SpringBatch()
    try batch.advance(to: start)
    let springs = [1e-4, 1e-3, 0.01, 0.3, 5].flatMap { duration in
      [1, 0.3, -0.5].map { Spring(duration: duration, bounce: $0) }
    }
    let (values, targets) = ([Float](repeating: 1, count: 15), [Float](repeating: 0, count: 15))
    try batch.add(springs.span, values: values.span, targets: targets.span)
    let frames = BakeFrames(0..<90, perSecond: 60, start: start)
    let baked = try Baked(&batch, frames, 0..<15)
    for frame in frames.range {
      try batch.advance(to: frames.time(of: frame))
      let (values, velocities) = (try batch.values(0), try batch.velocities(0))
      for track in 0..<15 {
        let (value, velocity) = (baked.values[frame * 15 + track], baked.velocities[frame * 15 + track])
        #expect(abs(value - values[track]) <= 17 * 0x1p-24, "track \(track), frame \(frame)")
        let frequency = springs[track].naturalFrequency
        #expect(abs(Double(velocity - velocities[track])) <= 17 * 0x1p-24 * frequency, "track \(track), frame \(frame)")
      }
    }
  }

  /// Anchors are computed from the start of a motion every 512 frames, and frames are baked 4 096 at a time.
  @Test func manyFramesDoNotDrift() throws {
    var batch = try SpringBatch()
    try batch.hardlyRests()
    let springs = [
      Spring(duration: 400, bounce: 0.9), Spring(duration: 400, bounce: 1), Spring(duration: 300, bounce: -0.5),
    ]
    let (values, targets): ([Float], [Float]) = ([1, 1, 1], [0, 0, 0])
    try batch.add(springs.span, values: values.span, targets: targets.span)
    let frames = BakeFrames(0..<9_001, perSecond: 10)
    let baked = try Baked(&batch, frames, 0..<3)
    for frame in [0, 15, 16, 511, 512, 4_095, 4_096, 8_999, 9_000] {
      try batch.advance(to: frames.time(of: frame))
      for track in 0..<3 {
        var (value, velocity) = (1.0, 0.0)
        springs[track].update(value: &value, velocity: &velocity, target: 0, deltaTime: frames.time(of: frame))
        #expect(abs(Double(baked.values[frame * 3 + track]) - value) <= 8 * 0x1p-24, "frame \(frame)")
        let frequency = springs[track].naturalFrequency
        #expect(abs(Double(baked.velocities[frame * 3 + track]) - velocity) <= 8 * 0x1p-24 * frequency)
      }
    }
  }

  @Test(arguments: [1, 3, 15, 16, 17, 33, 240]) func bothOrdersHoldTheSameBits(_ frameCount: Int) throws {
    var menagerie = try Menagerie(count: 600)
    let frames = BakeFrames(0..<frameCount, perSecond: 60, start: menagerie.batch.time)
    for indices in [0..<menagerie.batch.indexCount, 3..<4, 10..<27] {
      let rows = try Baked(&menagerie.batch, frames, indices)
      let columns = try Baked(&menagerie.batch, frames, indices, order: .trackMajor)
      #expect(rows.turned(columns: indices.count).bits == columns.bits, "\(indices)")
    }
  }

  /// Values alone are the same as those beside velocities; neighbours, threads and instruction sets change no bit.
  @Test func bitsDependOnTheMotionAlone() throws {
    var menagerie = try Menagerie(count: 3_000)
    let frames = BakeFrames(0..<100, perSecond: 60, start: menagerie.batch.time)
    let count = menagerie.batch.indexCount
    let whole = try Baked(&menagerie.batch, frames, 0..<count)
    for part in [0..<1, 1..<40, 100..<333, count - 5..<count] {
      let baked = try Baked(&menagerie.batch, frames, part)
      for frame in 0..<100 {
        let expected = whole.values[frame * count + part.lowerBound..<frame * count + part.upperBound]
        #expect(baked.values[frame * part.count..<(frame + 1) * part.count].elementsEqual(expected), "\(part)")
      }
    }
    menagerie.batch.threadCount = 3
    #expect(try Baked(&menagerie.batch, frames, 0..<count).bits == whole.bits)
    var values = [Float](repeating: .nan, count: 100 * count)
    var span = values.mutableSpan
    try menagerie.batch.bake(frames, indices: 0..<count, dimension: 0, values: &span)
    #expect(values == whole.values)
    for set in KernelSet.available {
      var other = try Menagerie(count: 3_000, kernels: set)
      #expect(try Baked(&other.batch, frames, 0..<count).bits == whole.bits, "\(set)")
    }
  }

  /// Output that is stored past the caches: rows that begin anywhere in a line, and nothing beside them.
  @Test(arguments: [4_096, 4_097, 4_111, 5_000]) func rowsOffLinesAreWhole(_ count: Int) throws {
    var menagerie = try Menagerie(count: count)
    // The frames of 1.3 s.
    let rows = streamedFrames(columns: count - 3)
    let frames = BakeFrames(0..<rows, perSecond: Double(rows) / 1.3, start: menagerie.batch.time)
    for threads in [1, 2] {
      menagerie.batch.threadCount = threads
      for first in [0, 3] {
        try expectStreamedRows(first..<count, frames: rows) { indices, values in
          try menagerie.batch.bake(frames, indices: indices, dimension: 0, values: &values)
        }
      }
    }
  }

  @Test func nothingChanges() throws {
    var menagerie = try Menagerie(count: 400)
    let (time, bits) = (menagerie.batch.time, try menagerie.batch.bits())
    _ = try Baked(&menagerie.batch, BakeFrames(0..<500, perSecond: 60, start: time), 0..<menagerie.batch.indexCount)
    let (timeAfter, bitsAfter) = (menagerie.batch.time, try menagerie.batch.bits())
    #expect(timeAfter == time && bitsAfter == bits)
    // What completes is reported as if nobody had looked ahead.
    var other = try Menagerie(count: 400)
    try menagerie.batch.advance(by: 4)
    try other.batch.advance(by: 4)
    let (mine, theirs) = (menagerie.batch.settled.map(\.index), other.batch.settled.map(\.index))
    #expect(mine == theirs && !mine.isEmpty)
  }
}
