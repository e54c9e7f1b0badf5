// SPDX-License-Identifier: MIT
import Kernels

/// A bake that was checked.
struct BakePlan {
  /// The times of all frames, which are lent.
  var times: BakeTimes
  let indices: Range<Int>
  let components: Range<Int>
  /// Tracks times components times frames.
  let count: Int

  /// Checks a bake.
  ///
  /// - Parameters:
  ///   - shape: The indices and dimensions that the batch has.
  ///   - got: Elements to write to; nil if parts are lent to the caller.
  ///   - velocities: Velocities to write to, if any.
  ///   - checkTimes: Checks the earliest and the latest time, before the number of elements is checked.
  init(
    _ times: BakeTimes, _ indices: Range<Int>, _ components: Range<Int>, of shape: (indices: Int, dimensions: Int),
    got: Int?, velocities: Int?,
    checkTimes: (_ first: Double, _ last: Double) throws(BatchError) -> Void = { _, _ in }
  ) throws(BatchError) {
    if let index = indices.indexOutside(shape.indices) { throw .trackOutOfRange(index, count: shape.indices) }
    guard components.isEmpty || components.lowerBound < shape.dimensions else {
      throw .dimensionOutOfRange(components.lowerBound, count: shape.dimensions)
    }
    if let dimension = components.indexOutside(shape.dimensions) {
      throw .dimensionOutOfRange(dimension, count: shape.dimensions)
    }
    guard times.rate > 0, times.rate.isFinite else { throw .invalidFrameRate(times.rate) }
    guard times.count < .max else { throw .wrongCount(of: "values", expected: .max, got: got ?? 0) }
    if times.count > 0 {
      let (first, last) = try times.checkedSpan()
      try checkTimes(first, last)
    }
    let (count, overflow) = (indices.count * components.count).multipliedReportingOverflow(by: times.count)
    guard !overflow, got ?? count == count else {
      throw .wrongCount(of: "values", expected: overflow ? .max : count, got: got ?? 0)
    }
    if let velocities { try BatchError.check(velocities, of: "velocities", expected: count) }
    (self.times, self.indices, self.components, self.count) = (times, indices, components, count)
  }
}

extension BakeTimes {
  /// The times of frames; too many frames count as the largest number.
  init(_ frames: BakeFrames) {
    self.init(
      count: frames.range.countOrMax, origin: frames.start, first: frames.range.lowerBound, rate: frames.perSecond)
  }

  /// Lent times, in any order.
  init(each times: UnsafeBufferPointer<Double>) {
    self.init(count: times.count, each: unsafe times.column ?? .empty)
  }

  /// The earliest and the latest time. There must be a time.
  fileprivate func checkedSpan() throws(BatchError) -> (first: Double, last: Double) {
    var (first, last) = (Double.infinity, -Double.infinity)
    // Frames ascend, so their ends count for all of them.
    for frame in stride(from: 0, to: count, by: each == nil ? max(1, count - 1) : 1) {
      let time = self(frame)
      // False for NaN too.
      guard abs(time) <= BatchLimits.maximumTime else { throw .invalidTime(time) }
      (first, last) = (min(first, time), max(last, time))
    }
    return (first, last)
  }

  /// Some of the times.
  func part(_ part: Range<Int>) -> BakeTimes {
    var times = self
    times.count = part.count
    if let each { times.each = each + part.lowerBound } else { times.first += part.lowerBound }
    return times
  }

  /// Calls `body` with parts of some of the times, which are cut at frame numbers that are multiples of a power of two.
  /// Frames that have a time each are numbered from 0 on.
  func forEachPart(of range: Range<Int>, every size: Int, _ body: (Range<Int>) -> Void) {
    var next = range.lowerBound
    while next < range.upperBound {
      let left = size - (first &+ next) & (size - 1)
      let end = left < range.upperBound - next ? next + left : range.upperBound
      body(next..<end)
      next = end
    }
  }

  /// The frames by time, if that is another order than theirs; otherwise nil.
  var order: [Int]? {
    guard each != nil, (1..<max(1, count)).contains(where: { self($0) < self($0 - 1) }) else { return nil }
    return (0..<count).sorted { self($0) < self($1) }
  }
}

extension BakeRequest {
  /// Lends the times.
  func withTimes<Result>(_ body: (BakeTimes) throws(BatchError) -> Result) throws(BatchError) -> Result {
    switch moments {
    case .frames(let frames): return try body(BakeTimes(frames))
    case .times(let times):
      return try unsafe times.withUnsafeBufferPointer { times throws(BatchError) in
        try unsafe body(BakeTimes(each: times))
      }
    }
  }
}

/// The times of the frames of a bake, padded by a vector.
final class BakeClock: Sendable {
  /// Whether the times ascend.
  let ascends: Bool
  /// Frames per second, if they are at equal distances; else nil.
  let perSecond: Double?
  private let memory: MemoryBlock
  private var times: Column<Double> { memory.bytes.rebound(to: Double.self) }

  /// The times of frames, at least one.
  init(_ frames: BakeTimes) {
    let count = frames.count
    perSecond = frames.each == nil ? frames.rate : nil
    memory = MemoryBlock(byteCount: 8 * (count + laneCountOfTile), alignment: 64, isZeroed: false)
    let times = memory.bytes.rebound(to: Double.self)
    var (last, ascends) = (-Double.infinity, true)
    for frame in 0..<count {
      let time = frames(frame)
      times[frame] = time
      ascends = ascends && last <= time
      last = time
    }
    (times + count).update(repeating: last, count: laneCountOfTile)
    self.ascends = ascends
  }

  subscript(frame: Int) -> Double { times[frame] }

  /// The times from a frame on, as kernels take them.
  func from(_ frame: Int) -> ConstantColumn<Double> { (times + frame).constant }

  /// The first frame of a range whose time is not within an interval, or the end of the range. The time of the first frame
  /// must be within.
  @inline(__always)
  func end(of frames: Range<Int>, from: Double = -.infinity, until time: Double) -> Int {
    let (first, last) = (frames.lowerBound, frames.upperBound)
    guard ascends else { return (first + 1..<last).first { !(from <= self[$0] && self[$0] <= time) } ?? last }
    if self[last - 1] <= time { return last }
    guard let perSecond else { return (first + 1..<last).endOfPrefix { self[$0] <= time } }
    // This guess is right except for rounding; the processor would mispredict every second step of a search. If frames are
    // so close that their times are rounded to few numbers, it may be wrong by all frames.
    var end = first + 1 + Int(min((time - self[first]) * perSecond, Double(last - first - 1)))
    while end > first + 1, self[end - 1] > time { end -= 1 }
    while end < last, self[end] <= time { end += 1 }
    return end
  }
}

/// The memory that a bake writes to.
struct BakeTarget {
  /// The output of the first component, from the first track and frame on, and floats from a component to the next.
  let first: BakeOutput
  private let componentStride: Int
  /// Whether the components of a track are side by side, and more than one.
  let isInterleaved: Bool

  /// Numbers that are interleaved at a time: enough for several threads, and few enough for the last cache.
  static let interleavedAtOnce = 1 << 20

  /// Memory for some tracks, components and frames.
  init(
    _ values: Column<Float>, _ velocities: Column<Float>?, _ order: BakeOrder,
    _ tracks: Int, components: Int, frames: Int
  ) {
    let isTrackMajor = order == .trackMajor
    let bytes = frames * tracks * components * 4 * (velocities == nil ? 1 : 2)
    first = BakeOutput(
      values: values, velocities: velocities, frameStride: isTrackMajor ? 1 : components * tracks,
      laneStride: isTrackMajor ? components * frames : 1,
      isStreamed: bytes > BakeLimits.streamedBytes && !isTrackMajor, overlap: 0, isContinued: false)
    componentStride = isTrackMajor ? frames : tracks
    isInterleaved = order == .interleaved && components > 1
  }

  /// The output of one component, from a track and a frame on.
  func output(ofComponent component: Int, lane: Int, frame: Int) -> BakeOutput {
    first.moved(by: component * componentStride).from(lane: lane, frame: frame)
  }
}

extension BakeOutput {
  /// Whether every row begins on a line.
  var isAligned: Bool {
    let addresses = unsafe Int(bitPattern: values.address) | Int(bitPattern: velocities?.address)
    return (addresses | frameStride * MemoryLayout<Float>.stride) & 63 == 0
  }

  /// The same from a lane and a frame on.
  func from(lane: Int, frame: Int) -> BakeOutput { moved(by: lane * laneStride + frame * frameStride) }

  fileprivate func moved(by offset: Int) -> BakeOutput {
    var part = self
    part.values = values + offset
    part.velocities = velocities.map { $0 + offset }
    return part
  }
}

/// The sizes at which a bake changes its method.
///
/// Dimensions on one clock (``RowFrames``) have no such size, although they could be matrix products of 4 terms. They are
/// computed as rows, four frames at a time, with the bits of sampling, which no product has. Our own tiles are quicker by
/// an eighth with a thousand dimensions, and by at most 3 % with more; OpenBLAS takes 2.2 to 2.7 times as long at every
/// size. Nanoseconds an output of 240 frames on a Zen 5 core with AVX-512 and OpenBLAS 0.3.21, the better of one call and
/// chunks, all in one run (`murmuration bench --only baking`):
///
/// | dimensions, frames a piece | sampled, copied | rows | tiles | OpenBLAS |
/// |---|---|---|---|---|
/// | 1 008, 18 | 0.141 | 0.056 | 0.049 | 0.141 |
/// | 1 008, 240 | 0.124 | 0.046 | 0.041 | 0.110 |
/// | 10 000, 18 | 0.166 | 0.063 | 0.065 | 0.139 |
/// | 10 000, 240 | 0.158 | 0.047 | 0.058 | 0.118 |
/// | 100 000, 18 | 0.370 | 0.115 | 0.144 | 0.266 |
/// | 100 000, 240 | 0.356 | 0.096 | 0.093 | 0.262 |
///
/// One frame at a time, from copies of the pieces, rows of 10 000 took 0.119 and 0.078.
enum BakeLimits {
  /// Bytes of output from which on it is stored past the caches. Measured on a Zen 5 core with 32 MiB of shared cache, a tile
  /// in C that writes 9.6 MB takes 0.052 ns an output through the caches and 0.096 past them; with 96 MB 0.211 and 0.099.
  static let streamedBytes = 1 << 24

  /// The least number of blocks of lanes times frames that is worth waking other threads for.
  static let parallelBlocks = 4_000
}
