// SPDX-License-Identifier: MIT
package import Formats
package import Murmuration

/// The order in which the tracks of a group set out, and the seconds in which they do: a ``Stagger`` as JSON describes it.
///
/// - `"over"`: the seconds until the last track sets out, or `"each"`: the seconds from one track to the next;
/// - `"from"`: where the first tracks are: `first`, `last`, `center`, `edges`, `random`, a position, or `[column, row]`;
/// - `"columns"`: the tracks in a row of the grid that they fill, or `"square"`; without it they stand in a line;
/// - `"ease"`: the course of the delays, a curve.
package struct StaggerDescription: Equatable, Sendable, Decodable {
  /// A grid that tracks fill row by row.
  package enum Columns: Equatable, Sendable {
    /// The most square grid that holds them, as the layout `grid` has it.
    case square
    case count(Int)
  }

  /// Seconds for a step of distance, or until the last track sets out.
  package var seconds: Double
  /// Whether the seconds are those until the last track.
  package var isTotal: Bool
  /// The place of the tracks that set out first. The seed of a random order is drawn from that of the scene.
  package var origin: Stagger.Origin
  /// The grid; nil for a line.
  package var columns: Columns?
  /// The course of the delays.
  package var ease: CurveDescription

  /// The keys of a stagger.
  package enum Key: String, CodingKey, CaseIterable { case each, over, from, columns, ease }

  /// A stagger put together in code.
  package init(
    _ seconds: Double = 0, isTotal: Bool = true, from origin: Stagger.Origin = .first, columns: Columns? = nil,
    ease: CurveDescription = .named(.linear)
  ) {
    (self.seconds, self.isTotal) = (seconds, isTotal)
    (self.origin, self.columns, self.ease) = (origin, columns, ease)
  }

  /// Reads a stagger, strictly.
  package init(from decoder: any Decoder) throws(DescriptionError) {
    let fields = try StrictFields<Key>(decoder)
    try self.init(fields, from: .from, columns: .columns)
    guard fields.has(.each) != fields.has(.over) else { throw fields.error("must have one of the keys each and over") }
    isTotal = fields.has(.over)
    seconds = try fields.number(isTotal ? .over : .each, .sceneTime)
    ease = try fields.optional(.ease) ?? ease
  }

  /// Reads the order of tracks from an object with other keys. Their delays are shares from 0 to 1.
  init<Other>(_ fields: StrictFields<Other>, from: Other, columns: Other) throws(DescriptionError) {
    self.init(1)
    origin = try fields.optional(from, as: Place.self)?.origin ?? .first
    if fields.has(columns) {
      if let name = try? fields.value(columns, as: String.self) {
        guard name == "square" else {
          throw fields.error(columns, DescriptionError.unknown("number of columns", name, known: ["square"]))
        }
        self.columns = .square
      } else {
        self.columns = .count(try fields.integer(columns, in: 1...SceneLimits.tracks))
      }
    }
    if case .point = origin, self.columns == nil { throw fields.error(from, "a column and a row need columns") }
  }
}

// MARK: - Delays

extension StaggerDescription {
  /// The delay of each of `count` tracks, in seconds.
  func delays(count: Int, random: SceneRandom) -> [Double] {
    var (random, origin) = (random, origin)
    if case .random = origin { origin = .random(seed: random.next()) }
    let width: Int? =
      switch columns {
      case nil: nil
      case .square: Shape.columns(of: count)
      case .count(let count): count
      }
    let stagger: Stagger =
      isTotal
      ? .over(seconds, from: origin, columns: width, ease: ease.curve)
      : .each(seconds, from: origin, columns: width, ease: ease.curve)
    return stagger.delays(count: count)
  }

  /// Checks that all of `count` tracks set out within the time of a scene.
  func check(count: Int, path: [DescriptionError.Step]) throws(DescriptionError) {
    let delays = delays(count: count, random: SceneRandom(seed: 0, purpose: .stagger, group: 0))
    if let delay = delays.max(), let complaint = NumberRule.sceneTime.complaint(about: delay) {
      throw DescriptionError(path: path, reason: "a delay \(complaint)")
    }
  }
}

// MARK: - Places

extension StaggerDescription {
  /// The names of places.
  static let places: [(name: String, origin: Stagger.Origin)] = [
    ("first", .first), ("last", .last), ("center", .center), ("edges", .edges), ("random", .random(seed: 0)),
  ]

  /// The place under the key `from`.
  private struct Place: Decodable {
    let origin: Stagger.Origin

    init(from decoder: any Decoder) throws(DescriptionError) {
      let error = DescriptionError(at: decoder.codingPath, reason: "must be a name, a position or [column, row]")
      guard let value = try? decoder.singleValueContainer() else { throw error }
      if let name = try? value.decode(String.self) {
        guard let place = StaggerDescription.places.first(where: { $0.name == name }) else {
          let known = StaggerDescription.places.map(\.name)
          throw DescriptionError(path: error.path, reason: DescriptionError.unknown("place", name, known: known))
        }
        origin = place.origin
      } else if let position = try? value.decode(Double.self) {
        try NumberRule.value.check(position, at: error.path)
        origin = .position(position)
      } else {
        guard let point = try? value.decode([Double].self), point.count == 2 else { throw error }
        for (index, number) in point.enumerated() {
          try NumberRule.value.check(number, at: error.path + [.index(index)])
        }
        origin = .point(column: point[0], row: point[1])
      }
    }
  }
}
