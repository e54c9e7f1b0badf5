// SPDX-License-Identifier: MIT

/// Frames at equal distances, by their numbers: frame n is at `start + n / perSecond`.
///
/// ```swift
/// let frames = BakeFrames(0..<240, perSecond: 60)
/// var values = [Float](repeating: 0, count: frames.range.count * batch.indexCount)
/// var span = values.mutableSpan
/// try batch.bake(BakeRequest(frames, indices: 0..<batch.indexCount), into: &span)
/// ```
public struct BakeFrames: Hashable, Sendable {
  /// The numbers of the frames.
  public var range: Range<Int>
  /// Frames in a second; positive and finite.
  public var perSecond: Double
  /// The time of frame 0, in seconds on the clock.
  public var start: Double

  /// Frames of these numbers.
  public init(_ range: Range<Int>, perSecond: Double, start: Double = 0) {
    (self.range, self.perSecond, self.start) = (range, perSecond, start)
  }

  /// The time of a frame, in seconds on the clock.
  public func time(of frame: Int) -> Double { start + Double(frame) / perSecond }
}

/// The order of baked numbers.
public enum BakeOrder: Sendable {
  /// [frames × components × tracks]: of each frame the first component of all tracks, then the next.
  case timeMajor
  /// [frames × tracks × components]: of each frame all components of the first track, then of the next. With one component
  /// it is the same as ``timeMajor``.
  case interleaved
  /// [tracks × components × frames]: all frames of the first component of the first track, then of the next.
  case trackMajor
}
