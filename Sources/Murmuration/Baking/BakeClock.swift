// SPDX-License-Identifier: MIT
import Kernels

/// The times of the frames of a bake, and a vector more that is never shown.
@safe
final class BakeClock: Sendable {
  let count: Int
  /// Whether no time is before the one in front of it.
  let ascends: Bool
  /// Frames in a second where they are at equal distances; else nil.
  let perSecond: Double?
  /// The earliest time.
  let earliest: Double
  private nonisolated(unsafe) let times: UnsafeMutablePointer<Double>

  private init(count: Int, perSecond: Double?, time: (Int) -> Double) {
    (self.count, self.perSecond) = (count, perSecond)
    unsafe times = .allocate(capacity: count + laneCountOfTile)
    var (last, earliest, ascends) = (-Double.infinity, Double.infinity, true)
    for frame in 0..<count {
      let time = time(frame)
      unsafe times[frame] = time
      ascends = ascends && last <= time
      earliest = min(earliest, time)
      last = time
    }
    unsafe (times + count).initialize(repeating: last, count: laneCountOfTile)
    (self.ascends, self.earliest) = (ascends, earliest)
  }

  /// The times of frames, at least one.
  ///
  /// - Parameter isSteady: Whether they count as equally far apart, although each is rounded.
  convenience init(_ frames: BakeFrames, isSteady: Bool = true) {
    self.init(count: frames.range.count, perSecond: isSteady ? frames.perSecond : nil) {
      frames.time(of: frames.range.lowerBound + $0)
    }
  }

  /// Times of any order, at least one.
  convenience init(_ times: UnsafeBufferPointer<Double>) {
    self.init(count: times.count, perSecond: nil) { unsafe times[$0] }
  }

  subscript(frame: Int) -> Double { unsafe times[frame] }

  /// The times from a frame on, as kernels take them.
  @unsafe
  func from(_ frame: Int) -> UnsafePointer<Double> { unsafe UnsafePointer(times + frame) }

  /// The first of some frames whose time is not within an interval, given that the first one's is; or the end of them.
  func end(of frames: Range<Int>, from: Double, until: Double) -> Int {
    guard ascends else {
      var end = frames.lowerBound + 1
      while end < frames.upperBound, from <= self[end], self[end] <= until { end += 1 }
      return end
    }
    return end(of: frames, until: until)
  }

  /// The first of some frames, whose times ascend, that is no longer of a kind, given that the first one is; or the end.
  @inline(__always)
  func end(of frames: Range<Int>, while isOfKind: (Double) -> Bool) -> Int {
    var (low, high) = (frames.lowerBound + 1, frames.upperBound)
    if isOfKind(self[high - 1]) { return high }
    while low < high {
      let middle = (low + high) / 2
      if isOfKind(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The first of some frames that is at a time or later, given that the first one is before it; or the end of them. Where
  /// frames are at any distances, one.
  @inline(__always)
  func end(of frames: Range<Int>, before time: Double) -> Int {
    guard let perSecond else { return frames.lowerBound + 1 }
    let (first, last) = (frames.lowerBound, frames.upperBound)
    if self[last - 1] < time { return last }
    // A guess that is right but for rounding: a search would be wrong about every second step of its way. Where frames are so
    // close that their times are rounded to few numbers, it may be wrong by all of them.
    var end = first + 1 + Int(min((time - self[first]) * perSecond, Double(last - first - 1)))
    while end > first + 1, self[end - 1] >= time { end -= 1 }
    while end < last, self[end] < time { end += 1 }
    return end
  }

  /// The first of some frames, whose times ascend, that is later than a time, given that the first one is not; or the end.
  func end(of frames: Range<Int>, until time: Double) -> Int {
    perSecond == nil ? end(of: frames) { $0 <= time } : end(of: frames, before: time.nextUp)
  }

  deinit {
    unsafe times.deallocate()
  }
}
