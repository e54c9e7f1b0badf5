// SPDX-License-Identifier: MIT
import Murmuration

/// Plays a group that can be baked for as long as nothing from outside changes its motions.
protocol BakingGroupPlayer: AnyObject {
  /// When something from outside next changes a motion; −∞ where it does in every frame.
  var undisturbedUntil: Double { get }

  /// Computes one dimension of some tracks in some frames; none is before the current time, and all are undisturbed.
  func bake(
    _ frames: BakeFrames, _ tracks: Range<Int>, component: Int, values: inout MutableSpan<Float>) throws
  /// Computes velocities too.
  func bake(
    _ frames: BakeFrames, _ tracks: Range<Int>, component: Int, values: inout MutableSpan<Float>,
    velocities: inout MutableSpan<Float>) throws
  /// Has the group stand where it is at a time that is undisturbed.
  func moveOn(to time: Double) throws
}

extension BakingGroupPlayer {
  /// Bakes frames from the first on that are undisturbed, adds them to the planes, and stands at the last of them.
  ///
  /// - Returns: How many they are.
  func bake(
    _ frames: BakeFrames, _ tracks: Range<Int>, velocities: Bool, into planes: inout GroupPlanes
  ) throws -> Int {
    let until = undisturbedUntil
    let end = frames.range.first { !(frames.time(of: $0) < until) } ?? frames.range.upperBound
    var part = frames
    part.range = frames.range.lowerBound..<end
    let size = part.range.count * tracks.count
    guard size > 0 else { return part.range.count }
    var (plane, speeds) = ([Float](repeating: 0, count: size), [Float](repeating: 0, count: velocities ? size : 0))
    for component in planes.values.indices {
      var span = plane.mutableSpan
      if velocities {
        var speedSpan = speeds.mutableSpan
        try bake(part, tracks, component: component, values: &span, velocities: &speedSpan)
        planes.velocities[component] += speeds
      } else {
        try bake(part, tracks, component: component, values: &span)
      }
      planes.values[component] += plane
    }
    try moveOn(to: frames.time(of: end - 1))
    return part.range.count
  }
}
