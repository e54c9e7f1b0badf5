// SPDX-License-Identifier: MIT

/// New targets for a group at a moment, and new springs when given.
package struct SceneEvent: Equatable, Sendable, Decodable {
  /// An event spread over time: the tracks in as many parts, one after another.
  package struct Waves: Equatable, Sendable, Decodable {
    /// The number of parts.
    package var count: Int
    /// The seconds from the event to the moment when its last part would be followed by another.
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

  /// When the first tracks get their targets, in seconds.
  package var time: Double
  /// The new targets.
  package var target: Layout
  /// The new springs; nil: the tracks keep theirs.
  package var springs: SpringChoice?
  /// How the event is spread over time.
  package var waves: Waves

  /// When the last wave is over.
  package var end: Double { waves.count > 1 ? time + waves.over : time }

  /// The moment of wave `index`.
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
