// SPDX-License-Identifier: MIT
package import Formats

/// Tracks that are born together in one point, fly off in all directions, and die where they come to rest.
package struct ParticleBurst: Equatable, Sendable, Decodable {
  /// The time in seconds.
  package var time: Double
  /// The number of tracks as a share of the group's, so that a burst grows with its group.
  package var share: Double
  /// The point where they are born, a number a dimension.
  package var origin: [Double]
  /// The speeds at which they fly off, drawn evenly, per second.
  package var speed: ClosedRange<Double>
  /// The positions where they come to rest.
  package var target: Layout
  /// The springs; nil for the group's.
  package var springs: SpringChoice?

  /// The keys of a burst.
  package enum Key: String, CodingKey, CaseIterable { case at, share, from, speed, target, spring, springs }

  /// A burst put together in code.
  package init(
    at time: Double, share: Double, from origin: [Double], speed: ClosedRange<Double> = 0...0, target: Layout,
    springs: SpringChoice? = nil
  ) {
    self.time = time
    self.share = share
    self.origin = origin
    self.speed = speed
    self.target = target
    self.springs = springs
  }

  /// Reads a burst, strictly.
  package init(from decoder: any Decoder) throws(DescriptionError) {
    let fields = try StrictFields<Key>(decoder)
    time = try fields.number(.at, .sceneTime)
    share = try fields.number(.share, NumberRule("in (0, 1)") { $0 > 0 && $0 < 1 })
    origin = try fields.numbers(.from, .coordinate)
    speed = try fields.range(.speed, NumberRule("in [0, 1e14]") { (0...1e14).contains($0) }, default: 0)
    target = try fields.value(.target)
    guard !(fields.has(.spring) && fields.has(.springs)) else {
      throw fields.error("has both spring and springs; one of them is the spring of the burst")
    }
    if fields.has(.spring) {
      springs = .shared(try fields.value(.spring))
    } else {
      springs = try fields.optional(.springs, as: SpringRanges.self).map { .drawn($0) }
    }
  }

  /// The number of tracks in a group of `count`.
  func count(of count: Int) -> Int { max(1, Int(share * Double(count))) }
}
