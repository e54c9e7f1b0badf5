// SPDX-License-Identifier: MIT
import Kernels

/// The moments that a bake computes.
@safe
enum BakeMoments {
  case frames(BakeFrames)
  /// Lent times, in any order.
  case times(UnsafeBufferPointer<Double>)

  /// Some of the moments.
  func part(_ part: Range<Int>) -> BakeMoments {
    switch self {
    case .frames(var frames):
      frames.range = frames.range.lowerBound + part.lowerBound..<frames.range.lowerBound + part.upperBound
      return .frames(frames)
    case .times(let times): return unsafe .times(UnsafeBufferPointer(rebasing: times[part]))
    }
  }

  /// The number of the first frame, by which anchors are counted; 0 if each moment has a time of its own.
  var firstNumber: Int {
    if case .frames(let frames) = self { frames.range.lowerBound } else { 0 }
  }

  /// Calls `body` with parts of some of the moments, which are cut at frame numbers that are multiples of a power of
  /// two.
  func forEachPart(of range: Range<Int>, every size: Int, _ body: (Range<Int>) -> Void) {
    var first = range.lowerBound
    while first < range.upperBound {
      let left = size - (firstNumber &+ first) & (size - 1)
      let end = left < range.upperBound - first ? first + left : range.upperBound
      body(first..<end)
      first = end
    }
  }

  /// The number of moments.
  var count: Int {
    switch self {
    case .frames(let frames): frames.range.count
    case .times(let times): times.count
    }
  }

  /// The time of one of the moments.
  func time(_ moment: Int) -> Double {
    switch self {
    case .frames(let frames): frames.time(of: frames.range.lowerBound + moment)
    case .times(let times): unsafe times[moment]
    }
  }

  /// The results of a function of each moment's time.
  func map<Result>(_ body: (Double) -> Result) -> [Result] { (0..<count).map { body(time($0)) } }

  /// The moments by time, if that is another order than theirs; otherwise nil.
  var order: [Int]? {
    guard case .times = self, (1..<max(1, count)).contains(where: { time($0) < time($0 - 1) }) else { return nil }
    return (0..<count).sorted { time($0) < time($1) }
  }

  /// The times of some of the moments, as kernels of springs take them.
  func times(_ part: Range<Int>) -> BakeTimes {
    switch self {
    case .frames(let frames):
      BakeTimes(
        count: part.count, origin: frames.start, first: frames.range.lowerBound + part.lowerBound,
        rate: frames.perSecond)
    case .times(let times):
      unsafe BakeTimes(count: part.count, each: times.column.unsafelyUnwrapped + part.lowerBound)
    }
  }
}
