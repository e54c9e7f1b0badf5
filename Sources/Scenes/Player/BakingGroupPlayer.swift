// SPDX-License-Identifier: MIT
import Murmuration

/// Plays a group that can be baked between changes from outside, such as retargets and triggers.
protocol BakingGroupPlayer: BatchGroupPlayer {
  /// The time of the next change from outside; −∞ if there is one in every frame.
  var undisturbedUntil: Double { get }
  /// The component of a track for each component of the batch.
  var components: [Int] { get }
}

extension BakingGroupPlayer {
  var components: [Int] { Array(0..<batch.dimensions) }

  /// Bakes the undisturbed frames, from the first one on, into a block. The clock stays where it is.
  ///
  /// - Parameters:
  ///   - frames: The frames; no frame may be before the current time.
  ///   - tracks: Indices of tracks, counted through all groups.
  ///   - first: The first track of this group.
  /// - Returns: The number of baked frames.
  func bake(
    _ frames: BakeFrames, _ tracks: Range<Int>, from first: Int, into block: inout BakedBlock
  ) throws -> Int {
    let until = undisturbedUntil
    var part = frames
    part.range = frames.range.prefix { frames.time(of: $0) < until }
    guard !part.range.isEmpty else { return 0 }
    let components = components
    let indices = tracks.lowerBound - first..<tracks.upperBound - first
    try batch.bake(
      BakeRequest(part, indices: indices, order: .interleaved), framesAtOnce: part.range.count,
      velocities: block.hasVelocities
    ) { (_, values: Span<Float>, velocities: Span<Float>) in
      block.fill(part.range, tracks: tracks, components: components, values: values, velocities: velocities)
    }
    return part.range.count
  }
}
