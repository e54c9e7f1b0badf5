// SPDX-License-Identifier: MIT
package import Formats
package import Murmuration

/// The animation of some tracks: one that all share, or for each its own duration, speed and delay, drawn from ranges.
package struct AnimationChoice: Equatable, Sendable, Decodable {
  /// The animation, with the lower ends of the ranges.
  package var animation: AnimationDescription
  /// The ranges from which a track's own numbers are drawn, evenly; nil for the number of the animation.
  package var duration: ClosedRange<Double>?
  package var speed: ClosedRange<Double>?
  package var delay: ClosedRange<Double>?

  /// An animation put together in code.
  package init(_ animation: AnimationDescription) { self.animation = animation }

  /// Reads an animation in which `duration`, `speed` and `delay` may be arrays of two numbers, strictly.
  package init(from decoder: any Decoder) throws(DescriptionError) {
    var ranges: [AnimationDescription.Key: ClosedRange<Double>] = [:]
    animation = try AnimationDescription(from: decoder) { fields, key, rule, fallback throws(DescriptionError) in
      let range = try fields.range(key, rule, default: fallback)
      if range.lowerBound < range.upperBound { ranges[key] = range }
      return range.lowerBound
    }
    (duration, speed, delay) = (ranges[.duration], ranges[.speed], ranges[.delay])
  }

  /// Whether each track has its own.
  package var isDrawn: Bool { duration != nil || speed != nil || delay != nil }

  /// The animations of `count` tracks. The first `n` are the same for every count of `n` or more.
  func drawn(count: Int, random: SceneRandom) -> DrawnAnimations {
    guard isDrawn else { return .shared(animation.animation) }
    var random = random
    return .each(
      (0..<count).map { _ in
        var own = animation
        if let duration, case .curve(let curve, _) = own.base {
          own.base = .curve(curve, duration: random.number(in: duration))
        }
        if let speed { own.speed = random.number(in: speed) }
        if let delay { own.delay = random.number(in: delay) }
        return own.animation
      })
  }
}

/// The animations of some tracks: one for all, or one for each.
package enum DrawnAnimations {
  case shared(Animation)
  case each([Animation])

  /// The animation of the track at a position.
  package subscript(place: Int) -> Animation {
    switch self {
    case .shared(let animation): animation
    case .each(let animations): animations[place]
    }
  }
}
