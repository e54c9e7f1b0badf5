// SPDX-License-Identifier: MIT

/// The part of a batch's motion to bake: the frames, the tracks, and the order of the numbers.
///
/// ```swift
/// var batch = try AnimationBatch<SIMD2<Float>>()
/// let dots = try batch.add([[0, 0], [10, 0]])
/// try batch.animate(dots, to: [[0, 50], [10, 50]], .bouncy)
/// let request = BakeRequest(BakeFrames(0..<60, perSecond: 60), indices: 0..<2, order: .interleaved)
/// var values = [Float](repeating: 0, count: 60 * 2 * 2)
/// try batch.bake(request, into: &values)
/// ```
public struct BakeRequest: Hashable, Sendable {
  /// The moments of a bake.
  public enum Moments: Hashable, Sendable {
    /// Frames at equal distances: the fastest, and any part of them has the bits of the whole.
    case frames(BakeFrames)
    /// Times on the batch's clock in any order, in seconds.
    case times([Double])
  }

  /// The frames or times.
  public var moments: Moments
  /// The indices of the tracks. The numbers of indices without a track are 0.
  public var indices: Range<Int>
  /// The components of each track; nil for all.
  public var components: Range<Int>?
  /// The order of the numbers.
  public var order: BakeOrder

  /// Frames at equal distances.
  ///
  /// - Parameters:
  ///   - frames: The frames; no frame may be before the last change of a track.
  ///   - indices: The tracks.
  ///   - components: The components of each track; nil for all.
  ///   - order: The order of the numbers.
  public init(
    _ frames: BakeFrames, indices: Range<Int>, components: Range<Int>? = nil, order: BakeOrder = .timeMajor
  ) {
    (moments, self.indices, self.components, self.order) = (.frames(frames), indices, components, order)
  }

  /// Times in any order, each of which is computed from the start of the motion.
  ///
  /// - Parameters:
  ///   - times: Absolute seconds; no time may be before the last change of a track.
  ///   - indices: The tracks.
  ///   - components: The components of each track; nil for all.
  ///   - order: The order of the numbers.
  public init(
    at times: [Double], indices: Range<Int>, components: Range<Int>? = nil, order: BakeOrder = .timeMajor
  ) {
    (moments, self.indices, self.components, self.order) = (.times(times), indices, components, order)
  }
}

/// Frames at equal distances, by their numbers: frame n is at `start + n / perSecond`.
///
/// ```swift
/// let frames = BakeFrames(0..<240, perSecond: 60)
/// var values = [Float](repeating: 0, count: frames.range.count * batch.indexCount)
/// try batch.bake(BakeRequest(frames, indices: 0..<batch.indexCount), into: &values)
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
