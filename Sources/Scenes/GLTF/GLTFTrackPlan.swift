// SPDX-License-Identifier: MIT

/// What lies between two keys at different times.
struct KeySegment {
  /// The keys at its ends: of several at one time the last at the start and the first at the end.
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
/// A track is looked up once for all its components, whatever their number, so that few tracks are better. But all of them
/// get the pieces that the most curved needs, and tracks of few pieces are looked up faster. So channels share a track when
/// none of them gets more pieces by it, or when it has at most as many as asked for.
struct GLTFTrackPlan {
  /// The channels' places in the animation, and their first dimensions in the clip.
  private(set) var channels: [(channel: Int, dimension: Int)]
  /// What lies between the keys.
  let segments: [KeySegment]
  /// How many pieces each segment gets.
  private(set) var counts: [Int]

  private var total: Int { counts.reduce(0, +) }

  /// The most tracks for channels of the same key times; what fits into none of them goes to the last.
  private static let trackLimit = 8

  /// The plans for all channels of an animation.
  /// - Parameters:
  ///   - limit: The pieces up to which channels share a track even if some get more pieces by it.
  ///   - spare: The pieces that may be made, those of each component counted.
  /// - Throws: `SceneError` with the channel: a rotation that turns too sharply, or too many pieces.
  static func plans(
    for animation: GLTFAnimation, tolerance: Double, limit: Int, spare: Int
  ) throws(SceneError) -> [GLTFTrackPlan] {
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

  /// The error of an animation that would make more pieces than there may be.
  static func tooManyPieces(_ animation: GLTFAnimation) -> SceneError {
    SceneError(place: animation.place, "makes more than \(GLTFAnimation.pieceLimit) pieces")
  }

  private static func counts(
    of channel: GLTFAnimation.Channel, _ segments: [KeySegment], in animation: GLTFAnimation, tolerance: Double,
    spare: Int
  ) throws(SceneError) -> [Int] {
    guard segments.count <= spare / channel.sampler.width else { throw tooManyPieces(animation) }
    var counts = [Int](repeating: 1, count: segments.count)
    guard channel.path == .rotation, channel.sampler.interpolation != .step else { return counts }
    var total = 0
    for (index, segment) in segments.enumerated() {
      let arc = RotationArc(channel.sampler, from: segment.first, to: segment.last, duration: segment.duration)
      guard let count = arc.pieces(tolerance: tolerance) else {
        throw SceneError(
          place: "\(animation.place).channels[\(channel.index)]: key \(segment.first)",
          "turns too sharply on the way to the next key")
      }
      counts[index] = count
      total += count
      guard total <= spare / channel.sampler.width else { throw tooManyPieces(animation) }
    }
    return counts
  }

  /// Puts plans of one channel together, those of most pieces first, each to the first others that it may share with.
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
