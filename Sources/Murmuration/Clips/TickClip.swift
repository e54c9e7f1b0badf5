// SPDX-License-Identifier: MIT
import Kernels

/// A clip in ticks: all of its dimensions are in tracks, those that keep a value too.
struct TickClip {
  let tracks: [TickTrack]
  let scale: TickScale
  /// Where an instance stands that is held before the start, and after the end.
  let beforeTick: Int32
  let afterTick: Int32

  /// - Parameter mergesEqualTimes: Whether tracks with the same boundaries become one, their dimensions in order.
  init(_ clip: Clip, mergesEqualTimes: Bool = false) {
    let scale = TickScale(duration: clip.duration)
    let hasMargins = Self.hasMargins(clip)
    let tracks = mergesEqualTimes ? Self.merged(clip.tracks) : clip.tracks
    let still = clip.dimensionsWithoutTrack
    self.tracks =
      tracks.map { TickTrack($0, scale, hasMargins: hasMargins) }
      + (still.isEmpty
        ? [] : [TickTrack(constants: still.map { (dimension: $0, value: clip.initialValues[$0]) })])
    self.scale = scale
    beforeTick = hasMargins ? ClipTick.before : ClipTick.start
    afterTick = hasMargins ? ClipTick.after : ClipTick.end
  }

  /// Whether what shows before the start and after the end of a clip has pieces of its own.
  static func hasMargins(_ clip: Clip) -> Bool {
    clip.duration == 0 || clip.tracks.contains { $0.needsMargins }
  }

  private struct Boundaries: Hashable {
    let times: [Double]
    let belongToLater: Bool
    let early: [Int]
  }

  private static func merged(_ tracks: [PieceTrack]) -> [PieceTrack] {
    Dictionary(grouping: tracks) {
      Boundaries(times: $0.times, belongToLater: $0.boundariesBelongToLater, early: $0.earlyBoundaries)
    }
    .map { boundaries, group in
      let columns = group.flatMap { zip($0.components, $0.pieces) }.sorted { $0.0 < $1.0 }
      var track = PieceTrack(
        components: columns.map { $0.0 }, times: boundaries.times, pieces: columns.map { $0.1 },
        boundariesBelongToLater: boundaries.belongToLater)
      track.earlyBoundaries = boundaries.early
      return track
    }
    .sorted { $0.components[0] < $1.components[0] }
  }
}
