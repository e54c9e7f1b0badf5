// SPDX-License-Identifier: MIT
package import Formats

/// New targets for a group at a moment, and new springs if given.
package struct SceneEvent: Equatable, Sendable, Decodable {
  /// An event spread over time: `count` parts of the tracks, one after another.
  package struct Waves: Equatable, Sendable, Decodable {
    /// The number of parts.
    package var count: Int
    /// The seconds over which the parts are spread: each comes at the start of an equal share.
    package var over: Double

    /// The keys of the waves.
    package enum Key: String, CodingKey, CaseIterable { case count, over }

    /// Waves put together in code.
    package init(count: Int = 1, over: Double = 0) {
      self.count = count
      self.over = over
    }

    /// Reads the waves, strictly.
    package init(from decoder: any Decoder) throws(DescriptionError) {
      let fields = try StrictFields<Key>(decoder)
      count = try fields.integer(.count, in: 1...SceneLimits.waves)
      over = try fields.number(.over, .sceneTime)
    }
  }

  /// The time at which the first tracks get their targets, in seconds.
  package var time: Double
  /// The new targets.
  package var target: Layout
  /// The new springs; nil if the tracks keep theirs.
  package var springs: SpringChoice?
  /// The waves by which the event is spread over time.
  package var waves: Waves

  /// The time at which the last wave is over.
  package var end: Double { waves.count > 1 ? time + waves.over : time }

  /// The time of wave `index`.
  func time(wave index: Int) -> Double { time + waves.over * Double(index) / Double(waves.count) }

  /// The keys of an event.
  package enum Key: String, CodingKey, CaseIterable { case at, target, spring, springs, waves }

  /// An event put together in code.
  package init(at time: Double, target: Layout, springs: SpringChoice? = nil, waves: Waves = Waves()) {
    self.time = time
    self.target = target
    self.springs = springs
    self.waves = waves
  }

  /// Reads an event, strictly.
  package init(from decoder: any Decoder) throws(DescriptionError) {
    let fields = try StrictFields<Key>(decoder)
    time = try fields.number(.at, .sceneTime)
    target = try fields.value(.target)
    waves = try fields.optional(.waves) ?? Waves()
    guard !(fields.has(.spring) && fields.has(.springs)) else {
      throw fields.error("has both spring and springs; one of them is the new spring")
    }
    if fields.has(.spring) {
      springs = .shared(try fields.value(.spring))
    } else if fields.has(.springs) {
      springs = .drawn(try fields.value(.springs))
    } else {
      springs = nil
    }
  }
}
