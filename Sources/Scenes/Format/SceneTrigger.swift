// SPDX-License-Identifier: MIT
package import Formats

/// A moment at which something happens to the tracks of a group, to all at once or in waves.
package struct SceneTrigger: Equatable, Sendable, Decodable {
  /// The time at which it happens to the first tracks, in seconds.
  package var time: Double
  /// The waves by which it is spread over time.
  package var waves: SceneEvent.Waves
  /// The order in which the waves take the tracks.
  package var order: Stagger.Order

  /// The keys of a trigger.
  package enum Key: String, CodingKey, CaseIterable { case at, waves, order }

  /// A trigger put together in code.
  package init(at time: Double, waves: SceneEvent.Waves = SceneEvent.Waves(), order: Stagger.Order = .index) {
    self.time = time
    self.waves = waves
    self.order = order
  }

  /// Reads a trigger, strictly.
  package init(from decoder: any Decoder) throws(DescriptionError) {
    let fields = try StrictFields<Key>(decoder)
    try self.init(fields, at: .at, waves: .waves, order: .order)
  }

  /// Reads the fields of a trigger from an object with other keys.
  init<Other>(_ fields: StrictFields<Other>, at: Other, waves: Other, order: Other) throws(DescriptionError) {
    time = try fields.number(at, .sceneTime)
    self.waves = try fields.optional(waves) ?? SceneEvent.Waves()
    self.order = try Stagger.Order(fields, order)
  }

  /// The time at which the last wave is over.
  package var end: Double { waves.count > 1 ? time + waves.over : time }

  /// The time of wave `index`.
  func time(wave index: Int) -> Double { time + waves.over * Double(index) / Double(waves.count) }

  /// The indices of each wave's tracks, ascending; a wave may be empty.
  func parts(count: Int, random: SceneRandom) -> [[Int]] {
    guard waves.count > 1 else { return [Array(0..<count)] }
    var parts = [[Int]](repeating: [], count: waves.count)
    for (track, share) in Stagger(over: 1, order: order).starts(count: count, random: random).enumerated() {
      // The farthest tracks of a ripple belong to its last wave.
      parts[min(waves.count - 1, Int(share * Double(waves.count)))].append(track)
    }
    return parts
  }
}
