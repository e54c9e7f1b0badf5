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

  /// The times of frames, at least one.
  init(_ frames: BakeTimes) {
    count = frames.count
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
