// SPDX-License-Identifier: MIT
import Murmuration

extension ScenePlayer {
  /// Plays on through `frames`, none of which is before the current one, and returns what `tracks` show in them.
  ///
  /// Groups of springs, keyframes, phases and animations are baked from change to change; others, and keyframes that a
  /// hand holds, are played frame by frame. What is baked is within the error bound of what `advance(toFrame:)` shows, and
  /// rests and changes in the same frames.
  ///
  /// - Parameters:
  ///   - frames: The numbers of the frames; at least one.
  ///   - tracks: Counted through all groups, in the order of frames that are written.
  ///   - isStopped: Asked before each change and each frame that is played; once it says so the answer means nothing.
  /// - Throws: `SceneError`.
  package mutating func bake(
    _ frames: Range<Int>, tracks: Range<Int>, velocities: Bool, unless isStopped: () -> Bool = { false }
  ) throws(SceneError) -> BakedBlock {
    let dimensions = playable.scene.dimensions
    var block = BakedBlock(frames: frames, tracks: tracks, width: velocities ? 2 * dimensions : dimensions)
    var first = 0
    for (index, group) in playable.scene.groups.enumerated() {
      let part = tracks.clamped(to: first..<first + group.count)
      if !part.isEmpty {
        let own = part.lowerBound - first..<part.upperBound - first
        let planes = try bake(group: index, frames, own, velocities: velocities, unless: isStopped)
        if isStopped() { return block }
        for component in 0..<dimensions {
          try check(planes.values[component], group: index, component: component, tracks: own)
          block.fill(component, tracks: part, with: planes.values[component])
          if velocities { block.fill(dimensions + component, tracks: part, with: planes.velocities[component]) }
        }
      }
      first += group.count
    }
    return block
  }

  private mutating func bake(
    group: Int, _ frames: Range<Int>, _ tracks: Range<Int>, velocities: Bool, unless isStopped: () -> Bool
  ) throws(SceneError) -> GroupPlanes {
    let dimensions = playable.scene.dimensions
    if let springs = springGroup(group) {
      do {
        return try springs.bake(
          BakeFrames(frames, perSecond: playable.scene.framesPerSecond), tracks, dimensions: dimensions,
          velocities: velocities, unless: isStopped)
      } catch { throw SceneError(place: "groups[\(group)]", "\(error)") }
    }
    var planes = GroupPlanes(dimensions: dimensions)
    var next = frames.lowerBound
    while next < frames.upperBound {
      if isStopped() { return planes }
      let frame = next
      if let player = bakingGroup(group) {
        do {
          let left = BakeFrames(frame..<frames.upperBound, perSecond: playable.scene.framesPerSecond)
          next += try player.bake(left, tracks, velocities: velocities, into: &planes)
        } catch { throw SceneError(place: "groups[\(group)]", "\(error)") }
        if next > frame { continue }
      }
      next += 1
      try advance(group: group, to: playable.time(ofFrame: frame), unless: isStopped)
      for component in 0..<dimensions {
        planes.values[component] += try withValues(group: group, component: component) { column in
          tracks.map { column[$0] }
        }
        guard velocities else { continue }
        planes.velocities[component] += try withVelocities(group: group, component: component) { column in
          tracks.map { column[$0] }
        }
      }
    }
    return planes
  }

  /// A motion that outgrows float32 is no frame that anybody could use; NaN stands for what is absent.
  private func check(_ plane: [Float], group: Int, component: Int, tracks: Range<Int>) throws(SceneError) {
    let mayBeAbsent = hasAbsentValues(group: group)
    for (place, value) in plane.enumerated() where !value.isFinite && !(mayBeAbsent && value.isNaN) {
      let track = tracks.lowerBound + place % tracks.count
      throw SceneError(
        place: "groups[\(group)]", "track \(track), component \(component): the motion is beyond what float32 can hold")
    }
  }
}
