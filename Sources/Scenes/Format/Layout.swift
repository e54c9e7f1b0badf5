// SPDX-License-Identifier: MIT
package import Formats

/// The positions of the tracks of a group: a shape, its centre and its size, or the positions one by one.
package struct Layout: Equatable, Sendable, Decodable {
  /// The shape; nil when the positions are given one by one.
  package var shape: Shape?
  /// The middle of the shape, a number a dimension; empty for the origin.
  package var center: [Double]
  /// The shape's extent from side to side: one number, or one a dimension.
  package var size: [Double]
  /// The turn of the shape in the plane of the first two dimensions, in turns.
  package var turn: Double
  /// Whether tracks take the positions of the shape in random order.
  package var isShuffled: Bool
  /// The positions one by one, each a number a dimension; empty with a shape.
  package var values: [[Double]]

  /// The keys of a layout.
  package enum Key: String, CodingKey, CaseIterable { case shape, center, size, turn, shuffled, values }

  /// A shape put together in code.
  package init(
    _ shape: Shape, center: [Double] = [], size: [Double] = [1], turn: Double = 0, isShuffled: Bool = false
  ) {
    self.shape = shape
    self.center = center
    self.size = size
    self.turn = turn
    self.isShuffled = isShuffled
    values = []
  }

  /// Positions put together in code.
  package init(values: [[Double]]) {
    self.init(.point)
    shape = nil
    self.values = values
  }

  /// Reads a layout, strictly.
  package init(from decoder: any Decoder) throws(DescriptionError) {
    let fields = try StrictFields<Key>(decoder)
    if fields.has(.values) {
      if let other = Key.allCases.first(where: { $0 != .values && fields.has($0) }) {
        throw fields.error(other, "does not go with values")
      }
      self.init(values: try Layout.readValues(fields))
      return
    }
    let name: String = try fields.value(.shape)
    guard let shape = Shape(rawValue: name) else {
      throw fields.error(.shape, DescriptionError.unknown("shape", name, known: Shape.allCases.map(\.rawValue)))
    }
    self.init(shape)
    if fields.has(.center) { center = try fields.numbers(.center, .coordinate) }
    if fields.has(.size) { size = try Layout.readSize(fields) }
    turn = try fields.number(.turn, NumberRule("within ±1e6") { abs($0) <= 1e6 }, default: 0)
    isShuffled = try fields.optional(.shuffled) ?? false
  }

  private static func readSize(_ fields: StrictFields<Key>) throws(DescriptionError) -> [Double] {
    let rule = NumberRule("in [0, 1e14]") { (0...1e14).contains($0) }
    guard let number = try? fields.value(.size, as: Double.self) else { return try fields.numbers(.size, rule) }
    try rule.check(number, at: fields.path(.size))
    return [number]
  }

  private static func readValues(_ fields: StrictFields<Key>) throws(DescriptionError) -> [[Double]] {
    let values: [[Double]] = try fields.value(.values)
    for (index, value) in values.enumerated() {
      for (component, number) in value.enumerated() {
        try NumberRule.coordinate.check(number, at: fields.path(.values) + [.index(index), .index(component)])
      }
    }
    return values
  }

  /// Checks what depends on the number of tracks and dimensions; `path` leads to the layout.
  func check(count: Int, dimensions: Int, path: [DescriptionError.Step]) throws(DescriptionError) {
    guard let shape else {
      guard values.count == count else {
        throw DescriptionError(
          path: path + [.key("values")], reason: "must hold \(count) values, one a track, holds \(values.count)")
      }
      for (index, value) in values.enumerated() where value.count != dimensions {
        throw DescriptionError(
          path: path + [.key("values"), .index(index)],
          reason: "must hold \(dimensions) numbers, one a dimension, holds \(value.count)")
      }
      return
    }
    guard dimensions >= shape.dimensions else {
      throw DescriptionError(
        path: path + [.key("shape")],
        reason: "\"\(shape.rawValue)\" needs \(shape.dimensions) dimensions, the scene has \(dimensions)")
    }
    guard center.isEmpty || center.count == dimensions else {
      throw DescriptionError(
        path: path + [.key("center")],
        reason: "must hold \(dimensions) numbers, one a dimension, holds \(center.count)")
    }
    guard size.count == 1 || size.count == dimensions else {
      throw DescriptionError(
        path: path + [.key("size")],
        reason: "must be a number or hold \(dimensions), one a dimension, holds \(size.count)")
    }
    guard turn == 0 || dimensions >= 2 else {
      throw DescriptionError(path: path + [.key("turn")], reason: "needs 2 dimensions, the scene has 1")
    }
  }
}
