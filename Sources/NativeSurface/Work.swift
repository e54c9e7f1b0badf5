// SPDX-License-Identifier: MIT
// The names are those of the header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase
public import CSurface
import Murmuration
import Surface

@c @implementation
public func murmuration_batch_work(
  _ batch: murmuration_batch, _ work: UnsafeMutablePointer<murmuration_work>?
) -> Int32 {
  guard let work else { return failNull("work") }
  return withBatch(batch) { object in
    let all = object.pointee.engine.pointee.work
    let (tracks, tiles) = (all.tracks, all.tiles)
    work.pointee = murmuration_work(
      bytes: Int64(all.bytes), springs: Int32(tracks.springs), effects: Int32(tracks.effects),
      clips: Int32(tracks.clips), following: Int32(tracks.following), called: Int32(tracks.called),
      paused: Int32(tracks.paused), still: Int32(tracks.still), at_rest: Int32(tracks.atRest),
      waiting: Int32(tracks.waiting), in_phases: Int32(tracks.inPhases), uniform_tiles: Int32(tiles.uniform),
      lane_wise_tiles: Int32(tiles.laneWise), effect_tiles: Int32(tiles.effects), clip_tiles: Int32(tiles.clips),
      piece_tiles: Int32(tiles.pieces), following_tiles: Int32(tiles.following), resting_tiles: Int32(tiles.atRest),
      effect_count: Int32(all.effects), due_tracks: Int32(all.dueTracks), computed_ends: Int32(all.computedEnds),
      event_count: Int32(all.events), reserved: 0)
  }
}
