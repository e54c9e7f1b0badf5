// SPDX-License-Identifier: MIT
import Kernels

/// The times of the frames of a bake, padded by a vector.
final class BakeClock: Sendable {
  let count: Int
  /// Whether the times ascend.
  let ascends: Bool
  /// Frames per second, if they are at equal distances; else nil.
  let perSecond: Double?
  private let memory: MemoryBlock
  private var times: Column<Double> { memory.bytes.rebound(to: Double.self) }

  /// The times of moments, at least one.
  init(_ moments: BakeMoments) {
    count = moments.count
    if case .frames(let frames) = moments { perSecond = frames.perSecond } else { perSecond = nil }
    memory = MemoryBlock(byteCount: 8 * (count + laneCountOfTile), alignment: 64, isZeroed: false)
    let times = memory.bytes.rebound(to: Double.self)
    var (last, ascends) = (-Double.infinity, true)
    for frame in 0..<count {
      let time = moments.time(frame)
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
  func end(of frames: Range<Int>, from: Double, until: Double) -> Int {
    guard ascends else {
      var end = frames.lowerBound + 1
      while end < frames.upperBound, from <= self[end], self[end] <= until { end += 1 }
      return end
    }
    return end(of: frames, until: until)
  }

  /// The first frame of a range that is not of a kind, or the end of the range. The first frame must be of the kind,
  /// and the times must ascend.
  @inline(__always)
  func end(of frames: Range<Int>, while isOfKind: (Double) -> Bool) -> Int {
    if isOfKind(self[frames.upperBound - 1]) { return frames.upperBound }
    return (frames.lowerBound + 1..<frames.upperBound).endOfPrefix { isOfKind(self[$0]) }
  }

  /// The first frame of a range that is at a time or later, or the end of the range. The first frame must be before the
  /// time. If the frames are not at equal distances, this is the second frame.
  @inline(__always)
  func end(of frames: Range<Int>, before time: Double) -> Int {
    guard let perSecond else { return frames.lowerBound + 1 }
    let (first, last) = (frames.lowerBound, frames.upperBound)
    if self[last - 1] < time { return last }
    // This guess is right except for rounding; the processor would mispredict every second step of a search. If frames are
    // so close that their times are rounded to few numbers, it may be wrong by all frames.
    var end = first + 1 + Int(min((time - self[first]) * perSecond, Double(last - first - 1)))
    while end > first + 1, self[end - 1] >= time { end -= 1 }
    while end < last, self[end] < time { end += 1 }
    return end
  }

  /// The first frame of a range that is later than a time, or the end of the range. The first frame must not be later,
  /// and the times must ascend.
  @inline(__always)
  func end(of frames: Range<Int>, until time: Double) -> Int {
    perSecond == nil ? end(of: frames) { $0 <= time } : end(of: frames, before: time.nextUp)
  }
}
