// SPDX-License-Identifier: MIT

/// The time between two keys at different times.
struct KeySegment {
  /// The keys at its ends. Where several keys have the same time, a segment starts with the last and ends with the first of
  /// them.
  var first: Int
  var last: Int
  /// Seconds.
  var start: Double
  var end: Double

  var duration: Double { end - start }

  /// The segments between keys at these times.
  static func segments(of times: [Double]) -> [KeySegment] {
    times.indices.dropLast().filter { times[$0 + 1] > times[$0] }.map {
      KeySegment(first: $0, last: $0 + 1, start: times[$0], end: times[$0 + 1])
    }
  }
}

/// Channels with the same key times that become one track, and the pieces of its segments.
///
/// A track is looked up once for all its components, so fewer tracks are better. But all components get the number of
/// pieces that the most curved one needs, and tracks with fewer pieces are looked up faster. So channels share a track if
/// no channel gets more pieces that way, or if the track has at most `limit` pieces.
struct GLTFTrackPlan {
  /// The indices of the channels in the animation, and their first dimensions in the clip.
  private(set) var channels: [(channel: Int, dimension: Int)]
  /// The segments between the keys.
  let segments: [KeySegment]
  /// The number of pieces of each segment.
  private(set) var counts: [Int]

  private var total: Int { counts.reduce(0, +) }

  /// The most tracks for channels with the same key times; channels that fit no track go to the last one.
  private static let trackLimit = 8

  /// The plans for all channels of an animation.
  /// - Parameters:
  ///   - limit: Channels share a track of at most this number of pieces even if some of them get more pieces that way.
  ///   - spare: The number of pieces that may be made, counted for each component.
  /// - Throws: `FileError` with the channel: for a rotation that turns too sharply, or too many pieces.
  static func plans(
    for animation: GLTFAnimation, tolerance: Double, limit: Int, spare: Int
  ) throws(FileError) -> [GLTFTrackPlan] {
    var groups: [[GLTFTrackPlan]] = []
    var places: [[Double]: Int] = [:]
    var segments: [[KeySegment]] = []
    var dimension = 0
    var needed = 0
    for (index, channel) in animation.channels.enumerated() {
      let place = places[channel.sampler.times] ?? groups.count
      if place == groups.count {
        places[channel.sampler.times] = place
        groups.append([])
        segments.append(KeySegment.segments(of: channel.sampler.times))
      }
      let counts = try counts(of: channel, segments[place], in: animation, tolerance: tolerance, spare: spare)
      needed += counts.reduce(0, +) * channel.sampler.width
      guard needed <= spare else { throw tooManyPieces(animation) }
      groups[place].append(
        GLTFTrackPlan(channels: [(index, dimension)], segments: segments[place], counts: counts))
      dimension += channel.sampler.width
    }
    return groups.flatMap { packed($0, limit: limit) }
  }

  /// The error of an animation that would need more pieces than the limit.
  static func tooManyPieces(_ animation: GLTFAnimation) -> FileError {
    FileError(place: animation.place, "makes more than \(GLTFAnimation.pieceLimit) pieces")
  }

  private static func counts(
    of channel: GLTFAnimation.Channel, _ segments: [KeySegment], in animation: GLTFAnimation, tolerance: Double,
    spare: Int
  ) throws(FileError) -> [Int] {
    guard segments.count <= spare / channel.sampler.width else { throw tooManyPieces(animation) }
    var counts = [Int](repeating: 1, count: segments.count)
    guard channel.path == .rotation, channel.sampler.interpolation != .step else { return counts }
    var total = 0
    for (index, segment) in segments.enumerated() {
      let arc = RotationArc(channel.sampler, from: segment.first, to: segment.last, duration: segment.duration)
      guard let count = arc.pieces(tolerance: tolerance) else {
        throw FileError(
          place: "\(animation.place).channels[\(channel.index)]: key \(segment.first)",
          "turns too sharply on the way to the next key")
      }
      counts[index] = count
      total += count
      guard total <= spare / channel.sampler.width else { throw tooManyPieces(animation) }
    }
    return counts
  }

  /// Joins plans of one channel, those with the most pieces first; each goes to the first plan that it may share.
  private static func packed(_ plans: [GLTFTrackPlan], limit: Int) -> [GLTFTrackPlan] {
    let totals = plans.map(\.total)
    let order = plans.indices.sorted { (totals[$1], $0) < (totals[$0], $1) }
    var tracks: [GLTFTrackPlan] = []
    for index in order {
      let plan = plans[index]
      let place = tracks.indices.first { tracks[$0].mayShare(with: plan, limit: limit) }
      if let place {
        tracks[place].add(plan)
      } else if tracks.count < trackLimit {
        tracks.append(plan)
      } else {
        tracks[trackLimit - 1].add(plan)
      }
    }
    for index in tracks.indices { tracks[index].channels.sort { $0.channel < $1.channel } }
    return tracks.sorted { $0.channels[0].channel < $1.channels[0].channel }
  }

  private func mayShare(with other: GLTFTrackPlan, limit: Int) -> Bool {
    let common = zip(counts, other.counts).reduce(0) { $0 + max($1.0, $1.1) }
    return common <= limit || (common == total && common == other.total)
  }

  private mutating func add(_ other: GLTFTrackPlan) {
    channels += other.channels
    for index in counts.indices { counts[index] = max(counts[index], other.counts[index]) }
  }
}
