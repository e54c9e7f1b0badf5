// SPDX-License-Identifier: MIT
package import Formats

/// How the tracks of a group look in a picture.
package struct GroupLook: Equatable, Sendable, Decodable {
  /// The mark of a track.
  package enum Mark: String, CaseIterable, Sendable {
    /// A soft point.
    case point
    /// Lines to the neighbours in a network or a skeleton.
    case line
    /// A filled shape, upright in the picture.
    case heart, disc, arrow
  }

  /// The meaning of a component of a track in the picture.
  package enum Role: String, CaseIterable, Sendable {
    /// The position; the third coordinate points up.
    case x, y, z
    /// The size of the mark, 1 for its usual size.
    case size
    /// The height of a shape at one width, 1 for its usual height.
    case stretch
    /// The turn of a shape in degrees, counted from upright against the clock.
    case turn
  }

  /// The quantity that a mark's colour shows.
  package enum Colouring: Equatable, Sendable {
    /// The position of the track in its group, from the first to the last.
    case track
    /// The speed of its mark, in units of length per second.
    case speed
    /// A component of its value, by its index.
    case component(Int)
  }

  /// The mark; nil for lines where tracks are joined, and points elsewhere.
  package var mark: Mark?
  /// The radius of a point or the width of a line, in pixels of a picture 720 pixels high; the height of a shape in
  /// units of length. Nil for a usual size.
  package var size: Double?
  /// How strong a mark is: 1 shows its colour.
  package var strength: Double
  /// The colours from the low end of `range` to the high one; empty for a colour by the group's index.
  package var colours: [RGB]
  /// The property that gives the colour: `track`, `speed`, or the name of a component. Nil means the speed.
  package var colourBy: String?
  /// The ends of what decides the colour; nil for all tracks, or for usual speeds.
  package var range: ClosedRange<Double>?
  /// The places to which the positions are added, in three dimensions; nil for none, or a grid for tracks that have no
  /// place of their own.
  package var place: Layout?
  /// The component of a track that has each role; nil for the first ones as the position.
  package var axes: [Role: String]?

  /// The keys of a group's look.
  package enum Key: String, CodingKey, CaseIterable {
    case mark, size, strength, colors, colorBy, range, place, axes
  }

  /// The usual look.
  package init() {
    strength = 1
    colours = []
  }

  /// Reads a look, strictly.
  package init(from decoder: any Decoder) throws(DescriptionError) {
    let fields = try StrictFields<Key>(decoder)
    if let name = try fields.text(.mark) {
      guard let known = Mark(rawValue: name) else {
        throw fields.error(.mark, DescriptionError.unknown("mark", name, known: Mark.allCases.map(\.rawValue)))
      }
      mark = known
    }
    size = try fields.optionalNumber(.size, NumberRule("in (0, 1e6]") { $0 > 0 && $0 <= 1e6 })
    strength = try fields.number(.strength, NumberRule("in [0, 1000]") { (0...1000).contains($0) }, default: 1)
    colours = try fields.colours(.colors, count: 1...16) ?? []
    colourBy = try fields.text(.colorBy)
    if let ends = try fields.optionalNumbers(.range, .value) {
      guard ends.count == 2, ends[0] < ends[1] else {
        throw fields.error(.range, "must hold 2 numbers, the lower one first")
      }
      range = ends[0]...ends[1]
    }
    place = try fields.optional(.place)
    if let names: [String: String] = try fields.optional(.axes) {
      var axes: [Role: String] = [:]
      for (name, component) in names.sorted(by: { $0.key < $1.key }) {
        guard let role = Role(rawValue: name) else {
          throw fields.error(.axes, DescriptionError.unknown("axis", name, known: Role.allCases.map(\.rawValue)))
        }
        axes[role] = component
      }
      self.axes = axes
    }
  }

  /// Checks what depends on the scene and the group's count; `path` leads to the look.
  func check(components: [String], count: Int, path: [DescriptionError.Step]) throws(DescriptionError) {
    for (role, component) in (axes ?? [:]).sorted(by: { $0.key.rawValue < $1.key.rawValue })
    where !components.contains(component) {
      throw DescriptionError(
        path: path + [.key("axes"), .key(role.rawValue)],
        reason: DescriptionError.unknown("component", component, known: components))
    }
    if let colourBy, !["track", "speed"].contains(colourBy), !components.contains(colourBy) {
      throw DescriptionError(
        path: path + [.key("colorBy")],
        reason: DescriptionError.unknown("component", colourBy, known: ["track", "speed"] + components))
    }
    try place?.check(count: count, dimensions: 3, path: path + [.key("place")])
  }

  /// The quantity that colours show, in a scene of the given components.
  func colouring(components: [String]) -> Colouring {
    switch colourBy {
    case "track": .track
    case nil, "speed": .speed
    case .some(let name): components.firstIndex(of: name).map { .component($0) } ?? .speed
    }
  }
}
