// SPDX-License-Identifier: MIT
package import Formats
package import Murmuration

/// A moment at which something happens to the tracks of a group, to all at once or in waves.
package struct SceneTrigger: Equatable, Sendable, Decodable {
  /// The time at which it happens to the first tracks, in seconds.
  package var time: Double
  /// The waves by which it is spread over time.
  package var waves: SceneEvent.Waves
  /// The order in which the waves take the tracks.
  package var order: StaggerDescription

  /// The keys of a trigger.
  package enum Key: String, CodingKey, CaseIterable { case at, waves, from, columns }

  /// A trigger put together in code.
  package init(
    at time: Double, waves: SceneEvent.Waves = SceneEvent.Waves(), from origin: Stagger.Origin = .first,
    columns: StaggerDescription.Columns? = nil
  ) {
    self.time = time
    self.waves = waves
    order = StaggerDescription(1, from: origin, columns: columns)
  }

  /// Reads a trigger, strictly.
  package init(from decoder: any Decoder) throws(DescriptionError) {
    let fields = try StrictFields<Key>(decoder)
    try self.init(fields, at: .at, waves: .waves, from: .from, columns: .columns)
  }

  /// Reads the fields of a trigger from an object with other keys.
  init<Other>(
    _ fields: StrictFields<Other>, at: Other, waves: Other, from: Other, columns: Other
  ) throws(DescriptionError) {
    time = try fields.number(at, .sceneTime)
    self.waves = try fields.optional(waves) ?? SceneEvent.Waves()
    order = try StaggerDescription(fields, from: from, columns: columns)
  }

  /// The time at which the last wave is over.
  package var end: Double { waves.count > 1 ? time + waves.over : time }

  /// The time of wave `index`.
  func time(wave index: Int) -> Double { time + waves.over * Double(index) / Double(waves.count) }

  /// The indices of each wave's tracks, ascending; a wave may be empty.
  func parts(count: Int, random: SceneRandom) -> [[Int]] {
    guard waves.count > 1 else { return [Array(0..<count)] }
    var parts = [[Int]](repeating: [], count: waves.count)
    for (track, share) in order.delays(count: count, random: random).enumerated() {
      // The last tracks have the share 1, and belong to the last wave.
      parts[min(waves.count - 1, Int(share * Double(waves.count)))].append(track)
    }
    return parts
  }
}
