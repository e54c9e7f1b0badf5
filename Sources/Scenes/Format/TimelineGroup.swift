// SPDX-License-Identifier: MIT

/// Keyframe timelines, one a dimension, that all tracks of a group play at staggered times.
package struct TimelineGroup: Equatable, Sendable {
  /// The timelines, one a dimension.
  package var timelines: [TimelineDescription]
  /// When each track starts.
  package var stagger: Stagger
  /// The seconds after which a track plays its timelines again, from their initial values; nil: it plays them once.
  package var repeatEvery: Double?

  /// A group put together in code.
  package init(timelines: [TimelineDescription], stagger: Stagger = Stagger(), repeatEvery: Double? = nil) {
    self.timelines = timelines
    self.stagger = stagger
    self.repeatEvery = repeatEvery
  }

  init(_ fields: StrictFields<SceneGroup.Key>) throws(DescriptionError) {
    timelines = try fields.value(.timelines)
    stagger = try fields.optional(.stagger) ?? Stagger()
    repeatEvery = try fields.optionalNumber(.repeatEvery, .period)
  }

  func check(dimensions: Int, path: [DescriptionError.Step]) throws(DescriptionError) {
    guard timelines.count == dimensions else {
      throw DescriptionError(
        path: path + [.key("timelines")],
        reason: "must hold \(dimensions) timelines, one a dimension, holds \(timelines.count)")
    }
    let duration = timelines.map(\.duration).max() ?? 0
    if let repeatEvery, repeatEvery < duration {
      throw DescriptionError(
        path: path + [.key("repeatEvery")],
        reason: "must not be shorter than the timelines, which take \(NumberText.short(duration)) s, is "
          + NumberText.short(repeatEvery))
    }
  }
}

/// When the tracks of a group start, one after another.
package struct Stagger: Equatable, Sendable, Decodable {
  /// The order in which tracks start.
  package enum Order: String, CaseIterable, Sendable {
    /// As they stand in the group.
    case index
    /// Drawn from the seed.
    case random
    /// From the middle of the grid that the tracks fill row by row, outwards.
    case ripple
  }

  /// The seconds between the first start and the end of the last track's share.
  package var over: Double
  /// The order in which tracks start.
  package var order: Order

  /// The keys of a stagger.
  package enum Key: String, CodingKey, CaseIterable { case over, order }

  /// A stagger put together in code.
  package init(over: Double = 0, order: Order = .index) {
    self.over = over
    self.order = order
  }

  /// Reads a stagger, strictly.
  package init(from decoder: any Decoder) throws(DescriptionError) {
    let fields = try StrictFields<Key>(decoder)
    over = try fields.number(.over, .sceneTime)
    let name = try fields.text(.order) ?? Order.index.rawValue
    guard let order = Order(rawValue: name) else {
      throw fields.error(.order, DescriptionError.unknown("order", name, known: Order.allCases.map(\.rawValue)))
    }
    self.order = order
  }

  /// The start of each of `count` tracks, in seconds.
  func starts(count: Int, random: SceneRandom) -> [Double] {
    switch order {
    case .index: return (0..<count).map { over * Double($0) / Double(count) }
    case .random:
      var random = random
      return random.permutation(count).map { over * Double($0) / Double(count) }
    case .ripple:
      let columns = Shape.columns(of: count)
      let middle = Double(columns - 1) / 2
      let farthest = max(1, (2 * middle * middle).squareRoot())
      return (0..<count).map { index in
        let (x, y) = (Double(index % columns) - middle, Double(index / columns) - middle)
        return over * min(1, (x * x + y * y).squareRoot() / farthest)
      }
    }
  }
}
