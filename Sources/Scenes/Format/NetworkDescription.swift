// SPDX-License-Identifier: MIT
package import Formats
package import ModalMotion
import Murmuration

/// A network of springs as a scene file describes it: a chain, a grid or a cloth, and the number of modes that are
/// played.
package struct NetworkDescription: Equatable, Sendable, Decodable {
  /// The links of a network.
  package enum Form: String, CaseIterable, Sendable {
    /// Points on a line.
    case chain
    /// Points in rows, each linked to its neighbours.
    case grid
    /// A grid with diagonals.
    case cloth
  }

  /// The links.
  package var form: Form
  /// The number of points of a row, and of rows; a chain has one row.
  package var columns: Int
  package var rows: Int
  /// The distance from the first column to the last, at rest; rows are as far apart as columns.
  package var size: Double
  /// The mass of each point.
  package var mass: Double
  /// The stiffness of each link, and of each diagonal of a cloth.
  package var stiffness: Double
  package var shear: Double
  /// The points that are fixed.
  package var anchors: SpringNetwork.Anchors
  /// The number of modes that are played, the slowest ones; nil for all.
  package var modes: Int?
  /// The damping, which takes energy out.
  package var damping: Damping

  /// The damping, which takes energy out: one ratio for all modes, or a share of the masses and of the stiffnesses.
  package struct Damping: Equatable, Sendable, Decodable {
    /// The damping as a network has it.
    package var value: NetworkDamping

    /// The keys of a damping.
    package enum Key: String, CodingKey, CaseIterable { case ratio, mass, stiffness }

    /// Reads a damping, strictly.
    package init(from decoder: any Decoder) throws(DescriptionError) {
      let fields = try StrictFields<Key>(decoder)
      guard fields.has(.ratio) else {
        value = .rayleigh(
          mass: try fields.number(.mass, .dampingFactor, default: 0),
          stiffness: try fields.number(.stiffness, .dampingFactor, default: 0))
        return
      }
      if let other = [Key.mass, .stiffness].first(where: { fields.has($0) }) {
        throw fields.error(other, "does not go with ratio")
      }
      value = .ratio(try fields.number(.ratio, NumberRule("in [0, 1e6]") { ModalLimits.dampingRatios ~= $0 }))
    }

    init(_ value: NetworkDamping) { self.value = value }
  }

  /// The keys of a network.
  package enum Key: String, CodingKey, CaseIterable {
    case form, columns, rows, size, mass, stiffness, shear, anchors, modes, damping
  }

  /// Reads a network, strictly.
  package init(from decoder: any Decoder) throws(DescriptionError) {
    let fields = try StrictFields<Key>(decoder)
    form = try NetworkDescription.word(fields, .form, Form.self)
    columns = try fields.integer(.columns, in: 2...ModalLimits.maximumPoints)
    if form == .chain, fields.has(.rows) { throw fields.error(.rows, "does not go with a chain, which has one row") }
    rows = form == .chain ? 1 : try fields.integer(.rows, in: 2...ModalLimits.maximumPoints)
    size = try fields.number(.size, NumberRule("in [0, 1e14]") { (0...1e14).contains($0) }, default: 1)
    mass = try fields.number(.mass, NumberRule("in [1e-12, 1e12]") { ModalLimits.masses ~= $0 }, default: 1)
    let stiffnessRule = NumberRule("in [0, 1e15]") { ModalLimits.stiffnesses ~= $0 }
    stiffness = try fields.number(.stiffness, stiffnessRule)
    if form != .cloth, fields.has(.shear) { throw fields.error(.shear, "is for a cloth, this is a \(form.rawValue)") }
    shear = form == .cloth ? try fields.number(.shear, stiffnessRule, default: stiffness / 2) : 0
    anchors = fields.has(.anchors) ? try NetworkDescription.word(fields, .anchors, SpringNetwork.Anchors.self) : .border
    modes =
      fields.has(.modes) ? try fields.integer(.modes, in: 1...ModalLimits.maximumDegreesOfFreedom) : nil
    damping = try fields.optional(.damping) ?? Damping(.none)
    do { try network().check(modes: modes) } catch {
      throw DescriptionError(at: fields.codingPath, reason: error.description)
    }
  }

  private static func word<Word: RawRepresentable & CaseIterable>(
    _ fields: StrictFields<Key>, _ key: Key, _ type: Word.Type
  ) throws(DescriptionError) -> Word where Word.RawValue == String {
    let name: String = try fields.value(key)
    guard let word = Word(rawValue: name) else {
      throw fields.error(key, DescriptionError.unknown(key.stringValue, name, known: Word.allCases.map(\.rawValue)))
    }
    return word
  }

  /// The number of points of one network.
  package var points: Int { columns * rows }

  /// The network.
  package func network() throws(ModalError) -> SpringNetwork {
    try .cloth(
      columns: columns, rows: rows, mass: mass, stiffness: stiffness, shearStiffness: shear, anchors: anchors,
      damping: damping.value)
  }

  /// The position of a point at rest, from the middle of the network.
  func place(of point: Int) -> (x: Double, y: Double) {
    let step = size / Double(columns - 1)
    let (column, row) = (Double(point % columns), Double(point / columns))
    return (step * (column - Double(columns - 1) / 2), step * (Double(rows - 1) / 2 - row))
  }
}

extension NumberRule {
  /// The factors of Rayleigh damping.
  static let dampingFactor = NumberRule("in [0, 1e12]") { (0...1e12).contains($0) }
}
