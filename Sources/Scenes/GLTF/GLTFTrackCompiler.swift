// SPDX-License-Identifier: MIT
import Murmuration

/// Makes one track of pieces from channels that have the same key times.
struct GLTFTrackCompiler {
  private let animation: GLTFAnimation
  private let channels: [GLTFAnimation.Channel]
  private let components: [Int]
  private let times: [Double]
  /// Seconds until the end of the clip.
  private let duration: Double
  private var segments: [KeySegment] = []
  /// The segment of each piece; nil for those that hold before the first key and after the last.
  private var segmentOfPiece: [Int?] = []

  /// How far each component's pieces may be from the specification's formulas.
  private(set) var valueErrors: [Double]
  /// Likewise for velocities, per second.
  private(set) var velocityErrors: [Double]

  /// What lies between two keys at different times.
  private struct KeySegment {
    /// The keys at its ends: of several at one time the last at the start and the first at the end.
    var first: Int
    var last: Int
    /// Seconds.
    var start: Double
    var end: Double
    /// The pieces it is made of.
    var pieces = 1

    var duration: Double { end - start }
  }

  /// A compiler of `channels`, which all have the same key times; `dimension` is the first of each in the clip.
  init(animation: GLTFAnimation, channels: [(channel: Int, dimension: Int)]) {
    self.animation = animation
    self.channels = channels.map { animation.channels[$0.channel] }
    components = channels.flatMap { source in
      let width = animation.channels[source.channel].sampler.width
      return source.dimension..<(source.dimension + width)
    }
    times = self.channels.first?.sampler.times ?? []
    duration = animation.duration
    valueErrors = [Double](repeating: 0, count: components.count)
    velocityErrors = valueErrors
    for key in times.indices.dropLast() where times[key + 1] > times[key] {
      segments.append(KeySegment(first: key, last: key + 1, start: times[key], end: times[key + 1]))
    }
  }

  /// The track; nil where nothing changes from the first moment on.
  mutating func track(tolerance: Double, spare: inout Int) throws(SceneError) -> PieceTrack? {
    guard times.count > 1, let first = times.first, let last = times.last, last > 0 else { return nil }
    // A jump at the end of the clip shows in a piece of no length.
    let endsWithJump =
      times[times.count - 2] == last || channels.contains { $0.sampler.interpolation == .step }
    let holdsLast = endsWithJump || last < duration
    var count = (first > 0 ? 1 : 0) + segments.count + (holdsLast ? 1 : 0)
    try check(count, spare: spare)
    for index in segments.indices {
      for channel in channels {
        let needed = try pieces(of: channel, segments[index], tolerance: tolerance)
        count += max(0, needed - segments[index].pieces)
        segments[index].pieces = max(needed, segments[index].pieces)
      }
      try check(count, spare: spare)
    }
    spare -= count * components.count

    let boundaries = boundaries(holdsFirst: first > 0, holdsLast: holdsLast)
    var pieces: [[SIMD4<Double>]] = []
    var component = 0
    for channel in channels {
      var columns = [[SIMD4<Double>]](repeating: [], count: channel.sampler.width)
      for index in columns.indices { columns[index].reserveCapacity(count) }
      if first > 0 { hold(channel, key: 0, in: &columns) }
      for segment in segments {
        append(channel, segment, to: &columns, firstComponent: component)
      }
      if holdsLast { hold(channel, key: times.count - 1, in: &columns) }
      pieces += columns
      component += channel.sampler.width
    }
    return PieceTrack(components: components, times: boundaries, pieces: pieces, boundariesBelongToLater: true)
  }

  /// The place in the file of a piece of a component of the track.
  func place(piece: Int, component: Int) -> String {
    var rest = component
    for channel in channels {
      if rest < channel.sampler.width {
        let key = segmentOfPiece.indices.contains(piece) ? segmentOfPiece[piece].map { segments[$0].first } : nil
        return place(of: channel) + (key.map { ": key \($0)" } ?? "") + ", component \(rest)"
      }
      rest -= channel.sampler.width
    }
    return animation.place
  }

  private func place(of channel: GLTFAnimation.Channel) -> String {
    "\(animation.place).channels[\(channel.index)]"
  }

  private func check(_ count: Int, spare: Int) throws(SceneError) {
    guard count <= spare / max(1, components.count) else {
      throw SceneError(place: animation.place, "makes more than \(GLTFAnimation.pieceLimit) pieces")
    }
  }

  // MARK: - Boundaries

  private func pieces(
    of channel: GLTFAnimation.Channel, _ segment: KeySegment, tolerance: Double
  ) throws(SceneError) -> Int {
    guard channel.path == .rotation, channel.sampler.interpolation != .step else { return 1 }
    let arc = RotationArc(channel.sampler, from: segment.first, to: segment.last, duration: segment.duration)
    guard let count = arc.pieces(tolerance: tolerance) else {
      throw SceneError(
        place: "\(place(of: channel)): key \(segment.first)", "turns too sharply on the way to the next key")
    }
    return count
  }

  private mutating func boundaries(holdsFirst: Bool, holdsLast: Bool) -> [Double] {
    var boundaries = [0.0]
    if holdsFirst {
      boundaries.append(times[0])
      segmentOfPiece.append(nil)
    }
    for (index, segment) in segments.enumerated() {
      for piece in 1...segment.pieces {
        // The last is the key's own time, not a sum that comes near it.
        let share = Double(piece) / Double(segment.pieces)
        boundaries.append(piece == segment.pieces ? segment.end : segment.start + segment.duration * share)
        segmentOfPiece.append(index)
      }
    }
    if holdsLast {
      boundaries.append(duration)
      segmentOfPiece.append(nil)
    }
    return boundaries
  }

  // MARK: - Pieces

  private func hold(_ channel: GLTFAnimation.Channel, key: Int, in columns: inout [[SIMD4<Double>]]) {
    let value = GLTFReference.value(of: channel, key: key)
    for (index, number) in value.enumerated() { columns[index].append(SIMD4(number, 0, 0, 0)) }
  }

  private mutating func append(
    _ channel: GLTFAnimation.Channel, _ segment: KeySegment, to columns: inout [[SIMD4<Double>]],
    firstComponent: Int
  ) {
    let sampler = channel.sampler
    if channel.path == .rotation, sampler.interpolation != .step {
      let arc = RotationArc(sampler, from: segment.first, to: segment.last, duration: segment.duration)
      let fit = arc.fit(pieces: segment.pieces)
      for index in 0..<4 { columns[index] += fit.pieces[index] }
      for component in firstComponent..<(firstComponent + 4) {
        valueErrors[component] = max(valueErrors[component], fit.valueError)
        velocityErrors[component] = max(velocityErrors[component], fit.velocityError)
      }
      return
    }
    for index in columns.indices {
      let cubic = KeyCubic(
        sampler, component: index, from: segment.first, to: segment.last, duration: segment.duration)
      for piece in 0..<segment.pieces {
        columns[index].append(cubic.shifted(by: segment.duration * Double(piece) / Double(segment.pieces)))
      }
      let component = firstComponent + index
      valueErrors[component] = max(valueErrors[component], cubic.valueError)
      velocityErrors[component] = max(velocityErrors[component], cubic.velocityError)
    }
  }
}
