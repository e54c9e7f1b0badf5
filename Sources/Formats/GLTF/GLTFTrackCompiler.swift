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
  private let segments: [KeySegment]
  /// The pieces of each segment.
  private let counts: [Int]
  /// The segment of each piece; nil for pieces that hold before the first key and after the last.
  private var segmentOfPiece: [Int?] = []

  /// The bounds of each component's distance from the specification's formulas.
  private(set) var valueErrors: [Double]
  /// The same for velocities, per second.
  private(set) var velocityErrors: [Double]

  /// A compiler of the channels of a plan.
  init(animation: GLTFAnimation, plan: GLTFTrackPlan) {
    self.animation = animation
    channels = plan.channels.map { animation.channels[$0.channel] }
    components = plan.channels.flatMap { source in
      source.dimension..<(source.dimension + animation.channels[source.channel].sampler.width)
    }
    times = channels.first?.sampler.times ?? []
    segments = plan.segments
    counts = plan.counts
    duration = animation.duration
    valueErrors = [Double](repeating: 0, count: components.count)
    velocityErrors = valueErrors
  }

  /// The track; nil if nothing changes from the first moment on.
  mutating func track(spare: inout Int) throws(FileError) -> PieceTrack? {
    guard times.count > 1, let first = times.first, let last = times.last, last > 0 else { return nil }
    // A jump at the end of the clip shows in a piece of no length.
    let endsWithJump =
      times[times.count - 2] == last || channels.contains { $0.sampler.interpolation == .step }
    let holdsLast = endsWithJump || last < duration
    let count = (first > 0 ? 1 : 0) + counts.reduce(0, +) + (holdsLast ? 1 : 0)
    guard count <= spare / max(1, components.count) else { throw GLTFTrackPlan.tooManyPieces(animation) }
    spare -= count * components.count

    let boundaries = boundaries(holdsFirst: first > 0, holdsLast: holdsLast)
    var pieces: [[SIMD4<Double>]] = []
    var component = 0
    for channel in channels {
      var columns = [[SIMD4<Double>]](repeating: [], count: channel.sampler.width)
      for index in columns.indices { columns[index].reserveCapacity(count) }
      if first > 0 { hold(channel, key: 0, in: &columns) }
      for (segment, count) in zip(segments, counts) {
        append(channel, segment, count: count, to: &columns, firstComponent: component)
      }
      if holdsLast { hold(channel, key: times.count - 1, in: &columns) }
      pieces += columns
      component += channel.sampler.width
    }
    return PieceTrack(components: components, times: boundaries, pieces: pieces, boundariesBelongToLater: true)
  }

  /// The place in the file of a piece and component of the track.
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

  // MARK: - Boundaries

  private mutating func boundaries(holdsFirst: Bool, holdsLast: Bool) -> [Double] {
    var boundaries = [0.0]
    if holdsFirst {
      boundaries.append(times[0])
      segmentOfPiece.append(nil)
    }
    for (index, segment) in segments.enumerated() {
      for piece in 1...counts[index] {
        // The last boundary is the key's own time, not a sum near it.
        let share = Double(piece) / Double(counts[index])
        boundaries.append(piece == counts[index] ? segment.end : segment.start + segment.duration * share)
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
    _ channel: GLTFAnimation.Channel, _ segment: KeySegment, count: Int, to columns: inout [[SIMD4<Double>]],
    firstComponent: Int
  ) {
    let sampler = channel.sampler
    if channel.path == .rotation, sampler.interpolation != .step {
      let arc = RotationArc(sampler, from: segment.first, to: segment.last, duration: segment.duration)
      let fit = arc.fit(pieces: count)
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
      for piece in 0..<count {
        columns[index].append(cubic.shifted(by: segment.duration * Double(piece) / Double(count)))
      }
      let component = firstComponent + index
      valueErrors[component] = max(valueErrors[component], cubic.valueError)
      velocityErrors[component] = max(velocityErrors[component], cubic.velocityError)
    }
  }
}
