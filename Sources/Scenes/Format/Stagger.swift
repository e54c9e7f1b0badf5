// SPDX-License-Identifier: MIT
package import Formats

/// When the tracks of a group start, one after another.
package struct Stagger: Equatable, Sendable, Decodable {
  /// The order in which tracks start.
  package enum Order: String, CaseIterable, Sendable {
    /// By index in the group.
    case index
    /// In an order drawn from the seed.
    case random
    /// Outwards from the middle of the grid that the tracks fill row by row.
    case ripple
  }

  /// The seconds over which the starts are spread.
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
    order = try Order(fields, .order)
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

extension Stagger.Order {
  /// The order under a key; by index if the key is missing.
  init<Key>(_ fields: StrictFields<Key>, _ key: Key) throws(DescriptionError) {
    let name = try fields.text(key) ?? Self.index.rawValue
    guard let order = Self(rawValue: name) else {
      throw fields.error(key, DescriptionError.unknown("order", name, known: Self.allCases.map(\.rawValue)))
    }
    self = order
  }
}
