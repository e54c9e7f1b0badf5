// SPDX-License-Identifier: MIT
import Kernels
@testable import Murmuration
@testable import MurmurationClips
@testable import MurmurationEngine

/// A clip with a track of drawn cubics for each number of pieces. Tracks have the given numbers of components; otherwise
/// those with an odd number of pieces have two components, the others one.
func drawClip(pieceCounts: [Int], components: [Int]? = nil, seed: UInt64) -> Clip {
  var random = SplitMix64(seed: seed)
  var dimension = 0
  var tracks: [PieceTrack] = []
  for (index, count) in pieceCounts.enumerated() {
    var times = [0.0]
    for _ in 0..<count { times.append(times[times.count - 1] + random.uniform(0.01...0.5)) }
    var track = PieceTrack(components: [], times: times, pieces: [], boundariesBelongToLater: count % 3 == 0)
    for _ in 0..<(components?[index] ?? 1 + count % 2) {
      track.components.append(dimension)
      track.pieces.append(
        (0..<count).map { _ in
          SIMD4(
            random.uniform(-100...100), random.uniform(-500...500), random.uniform(-500...500),
            random.uniform(-500...500))
        })
      dimension += 1
    }
    tracks.append(track)
  }
  let values = [Double](repeating: 0.5, count: dimension)
  guard let clip = try? Clip(dimensions: dimension, initialValues: values, tracks: tracks) else {
    fatalError("a drawn clip is refused")
  }
  return clip
}

/// Instances that stand anywhere in their clip at time 0, and stay within it for two seconds.
func drawInstances(
  _ count: Int, dimensions: Int, varies: Bool, pieces: PieceColumns? = nil, seed: UInt64
) -> PlaybackColumns {
  var random = SplitMix64(seed: seed)
  let all = count * dimensions
  let scale = random.floats(all, -3...3)
  let offset = random.floats(all, -100...100)
  return PlaybackColumns(
    origin: random.doubles(count, -0.5...0.5), base: random.doubles(count, -1e9...1e9),
    rate: random.doubles(count, -4e8...4e8), scale: varies ? scale : nil, offset: varies ? offset : nil,
    value: zeroed(all), velocity: zeroed(all), dimensionStride: count, dimensions: dimensions,
    pieces: pieces)
}

/// The records of each dimension of a clip.
func records(of clip: Clip) -> [ConstantColumn<PieceRecord>] {
  var records = [ConstantColumn<PieceRecord>?](repeating: nil, count: clip.dimensions)
  for track in TickClip(clip).tracks {
    for (component, dimension) in track.components.enumerated() {
      let pieces = zeroed(track.lasts.count, of: PieceRecord.self)
      var (count, first) = (0, Int64(Int32.min))
      for (piece, last) in track.lasts.enumerated() where Int64(last) >= first {
        pieces[count] = PieceRecord(
          first: Int32(first), last: last, center: track.centers[piece], cubic: track.coefficients[component][piece])
        (count, first) = (count + 1, Int64(last) + 1)
      }
      pieces[0].count = Int32(count)
      records[Int(dimension)] = pieces.constant
    }
  }
  return records.compactMap { $0 }
}
