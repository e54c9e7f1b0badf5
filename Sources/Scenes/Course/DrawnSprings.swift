// SPDX-License-Identifier: MIT
package import Murmuration

/// The springs of some tracks: one for all, or one for each.
package enum DrawnSprings {
  case shared(Spring)
  case each([Spring])

  /// The spring of the track at a position.
  package subscript(place: Int) -> Spring {
    switch self {
    case .shared(let spring): spring
    case .each(let springs): springs[place]
    }
  }
}

extension SpringChoice {
  /// The springs of `count` tracks. The first `n` springs are the same for every count of `n` or more.
  package func drawn(count: Int, seed: UInt64, group: Int, event: Int) -> DrawnSprings {
    switch self {
    case .shared(let description): return .shared(description.spring)
    case .drawn(let ranges):
      var random = SceneRandom(seed: seed, purpose: .springs, group: group, event: event)
      return .each((0..<count).map { _ in ranges.draw(using: &random) })
    }
  }
}
