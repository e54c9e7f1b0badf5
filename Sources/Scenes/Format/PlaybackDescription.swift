// SPDX-License-Identifier: MIT
package import Formats
package import Murmuration

/// How the tracks of a timeline group play: how fast and how often.
package struct PlaybackDescription: Equatable, Sendable, Decodable {
  /// Seconds of the timelines per second; each track's speed is drawn evenly from this range.
  package var speed: ClosedRange<Double>
  /// How often the timelines are played; nil for once, or for ever if the group repeats them after some seconds.
  package var repeats: Playback.Repetition?
  /// Whether every second iteration goes the other way.
  package var autoreverses: Bool

  /// The keys of a playback.
  package enum Key: String, CodingKey, CaseIterable { case speed, repeats, autoreverses }

  /// A playback put together in code.
  package init(
    speed: ClosedRange<Double> = 1...1, repeats: Playback.Repetition? = nil, autoreverses: Bool = false
  ) {
    self.speed = speed
    self.repeats = repeats
    self.autoreverses = autoreverses
  }

  /// Reads a playback, strictly.
  package init(from decoder: any Decoder) throws(DescriptionError) {
    let fields = try StrictFields<Key>(decoder)
    speed = try fields.range(.speed, NumberRule("within ±1e6") { abs($0) <= 1e6 }, default: 1)
    autoreverses = try fields.optional(.autoreverses) ?? false
    guard fields.has(.repeats) else {
      repeats = nil
      return
    }
    guard let name = try? fields.value(.repeats, as: String.self) else {
      repeats = .count(try fields.integer(.repeats, in: 1...(1 << 53)))
      return
    }
    guard name == "forever" else {
      throw fields.error(.repeats, DescriptionError.unknown("number of repeats", name, known: ["forever"]))
    }
    repeats = .forever
  }

  /// The speed of each of `count` tracks.
  func speeds(count: Int, random: SceneRandom) -> [Double] {
    var random = random
    return (0..<count).map { _ in
      speed.lowerBound == speed.upperBound ? speed.lowerBound : random.number(in: speed)
    }
  }
}
