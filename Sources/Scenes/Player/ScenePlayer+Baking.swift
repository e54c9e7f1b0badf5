// SPDX-License-Identifier: MIT
package import Formats
import Murmuration

extension ScenePlayer {
  /// Plays on through `frames`, from the current frame on or later, and returns the values of `tracks` in them.
  ///
  /// Groups of springs, keyframes, phases and animations are baked from change to change. Other groups, and keyframes
  /// that a hand holds, are played frame by frame. Baked values are within the error bound of `advance(toFrame:)`, with
  /// rests and changes in the same frames.
  ///
  /// - Parameters:
  ///   - frames: The indices of the frames; at least one.
  ///   - tracks: Indices of tracks, counted through all groups, in the order of frames that are written.
  ///   - isStopped: Asked before each change and each frame that is played; once it is true the result has no meaning.
  /// - Throws: `FileError`.
  package mutating func bake(
    _ frames: Range<Int>, tracks: Range<Int>, velocities: Bool, unless isStopped: () -> Bool = { false }
  ) throws(FileError) -> BakedBlock {
    var block = BakedBlock(
      frames: frames, tracks: tracks, dimensions: playable.scene.dimensions, hasVelocities: velocities)
    var first = 0
    for (index, group) in playable.scene.groups.enumerated() {
      let part = tracks.clamped(to: first..<first + group.count)
      if !part.isEmpty {
        try bake(group: index, part, from: first, into: &block, unless: isStopped)
        if isStopped() { return block }
        // A frame of a motion that exceeds float32 is an error. NaN stands for an absent value.
        if let (track, component) = block.firstNotFinite(part, mayBeAbsent: hasAbsentValues(group: index)) {
          throw FileError(
            place: "groups[\(index)]",
            "track \(track - first), component \(component): the motion is beyond what float32 can hold")
        }
      }
      first += group.count
    }
    return block
  }

  /// Plays a group, whose first track is given, through the frames of a block.
  private mutating func bake(
    group: Int, _ tracks: Range<Int>, from first: Int, into block: inout BakedBlock, unless isStopped: () -> Bool
  ) throws(FileError) {
    let player = bakingGroup(group)
    var next = block.frames.lowerBound
    while next < block.frames.upperBound, !isStopped() {
      let frame = next
      if let player {
        let left = BakeFrames(frame..<block.frames.upperBound, perSecond: playable.scene.framesPerSecond)
        do { next += try player.bake(left, tracks, from: first, into: &block) } catch {
          throw FileError(place: "groups[\(group)]", "\(error)")
        }
        if next > frame { continue }
      }
      let time = playable.time(ofFrame: frame)
      try advance(group: group, to: time, unless: isStopped)
      // The changes until then are made, so the frame can be baked.
      if let player, player.undisturbedUntil > time { continue }
      for component in 0..<block.dimensions {
        try withValues(group: group, component: component) { column in
          block.fill(component, frame: frame, tracks: tracks, from: first, with: column)
        }
        guard block.hasVelocities else { continue }
        try withVelocities(group: group, component: component) { column in
          block.fill(block.dimensions + component, frame: frame, tracks: tracks, from: first, with: column)
        }
      }
      next += 1
    }
    try advance(group: group, to: playable.time(ofFrame: block.frames.upperBound - 1), unless: isStopped)
  }
}
