// SPDX-License-Identifier: MIT
import Kernels

/// A clip in ticks. All dimensions are in tracks, also those that keep a value.
struct TickClip {
  let tracks: [TickTrack]
  let scale: TickScale

  /// A clip whose tracks with the same boundaries become one track, with their dimensions in order.
  init(_ clip: Clip) {
    let scale = TickScale(duration: clip.duration)
    let hasMargins = clip.duration == 0 || clip.tracks.contains { $0.needsMargins }
    let tracks = clip.tracks.count > 1 ? Self.merged(clip.tracks) : clip.tracks
    let (still, outer) = (clip.dimensionsWithoutTrack, Self.outerTicks(of: clip))
    self.tracks =
      tracks.map { TickTrack($0, scale, hasMargins: hasMargins, outer: outer) }
      + (still.isEmpty
        ? [] : [TickTrack(constants: still.map { (dimension: $0, value: clip.initialValues[$0]) })])
    self.scale = scale
  }

  /// The ticks at which instances are held before the start and after the end: those of the start and the end, unless the
  /// clip has other values there.
  static func outerTicks(of clip: Clip) -> (before: Int32, after: Int32) {
    let hasLength = clip.duration > 0
    return (
      hasLength && !clip.tracks.contains { $0.showsStart } ? ClipTick.start : ClipTick.before,
      hasLength && !clip.tracks.contains { $0.showsEnd } ? ClipTick.end : ClipTick.after
    )
  }

  private struct Boundaries: Hashable {
    let times: [Double]
    let belongToLater: Bool
    let early: [Int]

    init(_ track: PieceTrack) {
      (times, belongToLater, early) = (track.times, track.boundariesBelongToLater, track.earlyBoundaries)
    }
  }

  private static func merged(_ tracks: [PieceTrack]) -> [PieceTrack] {
    Dictionary(grouping: tracks) { Boundaries($0) }
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
