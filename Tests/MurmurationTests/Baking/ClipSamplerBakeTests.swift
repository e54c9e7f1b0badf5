// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration

/// A baked clip has the bits of its samples.
struct ClipSamplerBakeTests {
  /// A recording: dimensions whose pieces begin and end together, with moves at the start and the end.
  private static func recording(dimensions: Int, seed: UInt64 = 8) throws -> Clip {
    var random = SplitMix64(seed: seed)
    let times = [0, 0, 0.3, 0.35, 0.6, 1.1, 1.6, 1.6]
    let pieces = (0..<dimensions).map { _ in
      (1..<times.count).map { _ in
        SIMD4(random.uniform(-9...9), random.uniform(-9...9), random.uniform(-9...9), random.uniform(-9...9))
      }
    }
    return try Clip(
      dimensions: dimensions, initialValues: Array(repeating: 0, count: dimensions),
      tracks: [
        PieceTrack(
          components: Array(0..<dimensions), times: times, pieces: pieces, boundariesBelongToLater: seed % 2 == 1)
      ])
  }

  /// Channels of a rig: every three dimensions have times of their own.
  private static func rig(channels: Int) throws -> Clip {
    var random = SplitMix64(seed: 9)
    let tracks = (0..<channels).map { channel in
      let times = (0..<6).reduce(into: [0.0]) { times, _ in times.append(times.last! + random.uniform(0.05...0.4)) }
      let pieces = (0..<3).map { _ in
        (1..<times.count).map { _ in SIMD4(random.uniform(-1...1), random.uniform(-1...1), random.uniform(-1...1), 1) }
      }
      return PieceTrack(components: (0..<3).map { 3 * channel + $0 }, times: times, pieces: pieces)
    }
    return try Clip(dimensions: 3 * channels, initialValues: Array(repeating: 1, count: 3 * channels), tracks: tracks)
  }

  /// Recordings of few and many dimensions, clips of three and of many sets of times, one that jumps and one that stands.
  private static func clips() throws -> [Clip] {
    [
      try recording(dimensions: 1), try recording(dimensions: 17, seed: 7), try recording(dimensions: 2_100),
      try ClipSamplerTests.clip(dimensions: 1_050, seed: 3), try rig(channels: 40),
      try Clip(
        dimensions: 2, initialValues: [1, 2],
        tracks: [PieceTrack(components: [1], times: [0, 0, 0], pieces: [[SIMD4(5, 0, 0, 0), SIMD4(6, 0, 0, 0)]])]),
      try Clip(dimensions: 3, initialValues: [4, 5, -0.0], tracks: []),
    ]
  }

  private func expect(_ baked: Baked, _ clip: Clip, _ range: Range<Int>, _ times: [Double], _ set: KernelSet) throws {
    var sampler = try ClipSampler(clip, kernels: set)
    for (frame, time) in times.enumerated() {
      try sampler.sample(at: time)
      let part = frame * range.count..<(frame + 1) * range.count
      for (row, velocities) in [(baked.values[part], false), (baked.velocities[part], true)] {
        let shown = try ClipSamplerTests.sample(sampler, velocities: velocities)[range]
        #expect(
          row.lazy.map(\.bitPattern).elementsEqual(shown.lazy.map(\.bitPattern)),
          "\(velocities ? "velocities" : "values") at \(time)")
      }
    }
  }

  @Test(arguments: KernelSet.available) func framesAreThoseOfSample(_ set: KernelSet) throws {
    // From before the start to after the end, and through boundaries.
    let frames = BakeFrames(-7..<80, perSecond: 40)
    let times = frames.range.map { frames.time(of: $0) }
    for clip in try Self.clips() {
      let sampler = try ClipSampler(clip, kernels: set)
      let count = clip.dimensions
      for range in [0..<count, count / 3..<count, count - 1..<count, 0..<count / 2] {
        try expect(try Baked(sampler, frames, range), clip, range, times, set)
      }
    }
  }

  @Test func timesInAnyOrderAreThoseOfSample() throws {
    let set = KernelSet.available.last!
    for clip in try Self.clips() {
      let sampler = try ClipSampler(clip, kernels: set)
      let times = [0.3, -1, 0, 1.234, 0.35, 0.35, clip.duration, clip.duration.nextUp, 0.1, 1e6, 0.6, 0.3.nextUp]
      let range = 0..<clip.dimensions
      try expect(try Baked(sampler, at: times, range), clip, range, times, set)
      let columns = try Baked(sampler, at: times, range, order: .trackMajor)
      #expect(try Baked(sampler, at: times, range).turned(columns: range.count).bits == columns.bits)
    }
  }

  /// Both orders, and values alone, by frames and at times.
  @Test(arguments: [1, 3, 15, 16, 17, 33, 100]) func allRequestsHoldTheSameBits(_ frameCount: Int) throws {
    let frames = BakeFrames(0..<frameCount, perSecond: 60)
    let times = frames.range.map { frames.time(of: $0) }
    for clip in try Self.clips() {
      let sampler = try ClipSampler(clip)
      for range in [0..<clip.dimensions, clip.dimensions / 4..<clip.dimensions] {
        let rows = try Baked(sampler, frames, range)
        let columns = try Baked(sampler, frames, range, order: .trackMajor)
        #expect(rows.turned(columns: range.count).bits == columns.bits)
        let nothing = [Float](repeating: .nan, count: rows.values.count)
        var (alone, each) = (nothing, nothing)
        var span = alone.mutableSpan
        try sampler.bake(frames, dimensions: range, values: &span)
        span = each.mutableSpan
        try sampler.bake(at: times.span, dimensions: range, values: &span)
        #expect(alone == rows.values && each == rows.values)
      }
    }
  }

  /// Output that is stored past the caches: rows that begin anywhere in a line, and nothing beside them.
  @Test(arguments: [1_024, 1_025, 2_063, 3_000]) func rowsOffLinesAreWhole(_ count: Int) throws {
    for clip in [try Self.recording(dimensions: count), try ClipSamplerTests.clip(dimensions: count, seed: 5)] {
      let sampler = try ClipSampler(clip)
      // The frames of 1.2 s.
      let rows = streamedFrames(columns: count - 3)
      let frames = BakeFrames(0..<rows, perSecond: Double(rows) / 1.2)
      for first in [0, 3] {
        try expectStreamedRows(first..<count, frames: rows) { dimensions, values in
          try sampler.bake(frames, dimensions: dimensions, values: &values)
        }
      }
    }
  }

  @Test func whatWasSampledStays() throws {
    var sampler = try ClipSampler(try Self.rig(channels: 9))
    try sampler.sample(at: 0.4)
    let before = try ClipSamplerTests.sample(sampler, velocities: false)
    _ = try Baked(sampler, BakeFrames(0..<20, perSecond: 20), 0..<27)
    #expect(sampler.time == 0.4)
    #expect(try ClipSamplerTests.sample(sampler, velocities: false) == before)
  }

  @Test func refusalsWriteNothing() throws {
    let sampler = try ClipSampler(try Self.rig(channels: 2))
    func refuses(_ error: BatchError, _ frames: BakeFrames, _ range: Range<Int>, room: Int) {
      var output = [Float](repeating: 7, count: room)
      var span = output.mutableSpan
      #expect(throws: error) { try sampler.bake(frames, dimensions: range, values: &span) }
      #expect(output == Array(repeating: 7, count: room))
    }
    let two = BakeFrames(0..<2, perSecond: 60)
    refuses(.wrongCount(of: "values", expected: 12, got: 11), two, 0..<6, room: 11)
    refuses(.wrongCount(of: "values", expected: 12, got: 13), two, 0..<6, room: 13)
    refuses(.dimensionOutOfRange(6, count: 6), two, 3..<7, room: 8)
    refuses(.dimensionOutOfRange(-1, count: 6), two, -1..<3, room: 8)
    refuses(.dimensionOutOfRange(6, count: 6), two, 7..<7, room: 0)
    refuses(
      .wrongCount(of: "values", expected: .max, got: 8), BakeFrames(0..<(.max / 2), perSecond: 1e300), 0..<4, room: 8)
    refuses(.wrongCount(of: "values", expected: .max, got: 8), BakeFrames(.min ..< .max, perSecond: 60), 0..<4, room: 8)
    refuses(.invalidTime(2e10), BakeFrames(0..<2, perSecond: 60, start: 2e10), 0..<4, room: 8)
    for rate in [0, -1, Double.infinity] {
      refuses(.invalidFrameRate(rate), BakeFrames(0..<2, perSecond: rate), 0..<4, room: 8)
    }
    let (values, few) = ([Float](repeating: 7, count: 8), [Float](repeating: 7, count: 7))
    var (a, b) = (values, few)
    var aSpan = a.mutableSpan
    var bSpan = b.mutableSpan
    #expect(throws: BatchError.wrongCount(of: "velocities", expected: 8, got: 7)) {
      try sampler.bake(two, dimensions: 0..<4, values: &aSpan, velocities: &bSpan)
    }
    for bad in [[1, .nan], [-.infinity, 1], [1, 1e11]] as [[Double]] {
      var span = a.mutableSpan
      #expect(throws: BatchError.self) { try sampler.bake(at: bad.span, dimensions: 0..<4, values: &span) }
    }
    #expect(a == values && b == few)
    #expect(try Baked(sampler, two, 5..<5).values.isEmpty)
    #expect(try Baked(sampler, BakeFrames(5..<5, perSecond: 60), 0..<6).values.isEmpty)
    #expect(try Baked(sampler, at: [], 0..<6).values.isEmpty)
  }
}

extension Baked {
  /// Values and velocities of frames of a clip on one clock.
  fileprivate init(
    _ sampler: borrowing ClipSampler, _ frames: BakeFrames, _ range: Range<Int>, order: BakeOrder = .timeMajor
  ) throws(BatchError) {
    try self.init(count: range.count * frames.range.count) { values, velocities throws(BatchError) in
      try sampler.bake(frames, dimensions: range, order: order, values: &values, velocities: &velocities)
    }
  }

  /// Values and velocities at times.
  fileprivate init(
    _ sampler: borrowing ClipSampler, at times: [Double], _ range: Range<Int>, order: BakeOrder = .timeMajor
  ) throws(BatchError) {
    try self.init(count: range.count * times.count) { values, velocities throws(BatchError) in
      try sampler.bake(at: times.span, dimensions: range, order: order, values: &values, velocities: &velocities)
    }
  }
}
