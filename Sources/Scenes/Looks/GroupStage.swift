// SPDX-License-Identifier: MIT
package import Formats
import Murmuration

/// The marks of a group: their shapes, the lines between them, and the way in which a player's values move them.
package struct GroupStage: Sendable {
  /// How marks follow from values.
  private enum Source {
    /// Each track has a mark, with a component for each role.
    case tracks([GroupLook.Role: Int])
    /// Some tracks, or one, pose a skeleton, whose joints are the marks.
    case figures(Skeleton, tracksEach: Int)
  }

  /// The arrangement of marks that would otherwise all stand in one place.
  enum Spread { case none, line, grid }

  /// The mark.
  package let mark: GroupLook.Mark
  /// The radius of a point or the width of a line in pixels of a picture 720 pixels high, or the height of a shape.
  package let size: Double
  /// How strong a mark is.
  package let strength: Float
  /// The colours, at least one.
  package let colours: [RGB]
  /// The pairs of marks that are joined by lines.
  package let links: [SIMD2<Int32>]
  /// Whether marks have a third coordinate.
  let isSolid: Bool
  /// How the units are spread, and their number: tracks, or figures.
  let spread: Spread
  let units: Int
  private let source: Source
  private let colouring: GroupLook.Colouring
  private let component: Int
  private let marksEach: Int
  private(set) var range: ClosedRange<Double>?
  private(set) var places: [[Float]] = []

  private static let usualColours: [[RGB]] = [
    [RGB(64, 150, 255), RGB(150, 235, 255)], [RGB(255, 120, 60), RGB(255, 225, 130)],
    [RGB(70, 210, 130), RGB(215, 255, 160)], [RGB(225, 85, 165), RGB(255, 195, 225)],
    [RGB(150, 110, 255), RGB(215, 205, 255)], [RGB(240, 200, 60), RGB(255, 250, 200)],
  ]

  /// The stage of group `index` of a scene.
  init(_ index: Int, of playable: PlayableScene) {
    let scene = playable.scene
    let group = scene.groups[index]
    let look = group.look
    strength = Float(look.strength)
    colours = look.colours.isEmpty ? Self.usualColours[index % Self.usualColours.count] : look.colours
    range = look.range
    var colouring = look.colouring(components: scene.components)
    var roles = look.axes?.compactMapValues { scene.components.firstIndex(of: $0) }
    let skeleton = Self.skeleton(of: group, index, playable)
    var (links, hasPlace): ([SIMD2<Int32>], Bool) = ([], true)
    var own = [[Float]]()
    if let (skeleton, tracksEach) = skeleton {
      source = .figures(skeleton, tracksEach: tracksEach)
      units = group.count / tracksEach
      marksEach = skeleton.joints.count
      links = Self.links(skeleton.bones, units: units, marksEach: marksEach)
      (hasPlace, isSolid) = (false, true)
      if look.colourBy == nil || colouring == .speed { colouring = .track }
    } else {
      if case .networks(let networks) = group.motion {
        links = Self.links(networks.network, count: group.count)
        if scene.dimensions == 1 {
          roles = roles ?? [.z: 0]
          own = (0..<3).map { axis in
            (0..<group.count).map { track in
              let place = networks.network.place(of: track % networks.network.points)
              return axis == 0 ? Float(place.x) : axis == 1 ? Float(place.y) : 0
            }
          }
        }
        if look.colourBy == nil { colouring = .component(scene.dimensions - 1) }
      }
      let isFlat = scene.dimensions == 1
      switch group.motion {
      case .timelines(let timelines): hasPlace = timelines.offsets != nil
      case .phases(let phases): hasPlace = phases.offsets != nil
      default: break
      }
      let position: [GroupLook.Role] = isFlat ? [.y] : [.x, .y, .z]
      let usual = Dictionary(uniqueKeysWithValues: zip(position, 0..<scene.dimensions).map { ($0, $1) })
      let chosen = roles ?? usual
      source = .tracks(chosen)
      (units, marksEach) = (group.count, 1)
      isSolid = chosen[.z] != nil
    }
    self.links = links
    self.colouring = colouring
    if case .component(let index) = colouring { component = index } else { component = -1 }
    mark = look.mark ?? (links.isEmpty ? .point : .line)
    let isPlaced = look.place != nil || !own.isEmpty
    let isLine = scene.dimensions == 1 && skeleton == nil
    spread = isPlaced ? .none : isLine ? .line : hasPlace ? .none : .grid
    size = look.size ?? (mark == .point ? 1.6 : mark == .line ? (skeleton == nil ? 1.2 : 2.6) : 1)
    places = own
    if let place = look.place, place.shape != nil || units * marksEach == group.count {
      setPlaces(place, scene: scene, index: index)
    }
  }

  /// Joins the marks of a network's points to the ones on their right and beneath.
  private static func links(_ network: NetworkDescription, count: Int) -> [SIMD2<Int32>] {
    var links: [SIMD2<Int32>] = []
    links.reserveCapacity(2 * count)
    for track in 0..<count {
      let point = track % network.points
      if (point + 1) % network.columns != 0, track + 1 < count { links.append([Int32(track), Int32(track + 1)]) }
      let below = track + network.columns
      if point + network.columns < network.points, below < count { links.append([Int32(track), Int32(below)]) }
    }
    return links
  }

  private static func links(_ bones: [(from: Int, to: Int)], units: Int, marksEach: Int) -> [SIMD2<Int32>] {
    (0..<units).flatMap { unit in
      bones.map { SIMD2(Int32(unit * marksEach + $0.from), Int32(unit * marksEach + $0.to)) }
    }
  }

  /// The skeleton of a group and the tracks that pose it: a track of an animation, or a track a channel of a recording.
  private static func skeleton(
    of group: SceneGroup, _ index: Int, _ playable: PlayableScene
  ) -> (Skeleton, tracksEach: Int)? {
    switch group.motion {
    case .rigs: return playable.rigs.map { ($0.skeleton, 1) }
    case .springs(let springs):
      guard case .follow = springs.course, playable.scene.dimensions == 1, let recording = playable.recordings[index],
        let skeleton = recording.skeleton, group.count >= recording.channels
      else { return nil }
      return (skeleton, recording.channels)
    default: return nil
    }
  }

  // MARK: - Places

  private mutating func setPlaces(_ layout: Layout, scene: Scene, index: Int) {
    let points = layout.points(
      count: units, dimensions: 3, random: SceneRandom(seed: scene.seed, purpose: .offsets, group: index))
    places = (0..<3).map { axis in
      (0..<units * marksEach).map { points[axis * units + $0 / marksEach] }
    }
  }

  /// Spreads the units by the size that they were found to have, and moves them to the right by `shift`.
  /// - Returns: The width of all of them, with the room between this group and the next.
  mutating func spread(_ found: MarkBounds, shift: Double, scene: Scene, index: Int) -> Double {
    let size = found.size * 1.15
    let step = SIMD2(max(size.x, size.y / 2, 1e-6), max(size.y, size.x / 2, 1e-6))
    switch spread {
    case .none: return 0
    case .line:
      let width = 1.7 * max(found.size.y, 1e-6)
      setPlaces(Layout(.line, center: [shift, 0, 0], size: [width, 0, 0]), scene: scene, index: index)
      return width
    case .grid:
      let steps = Double(max(1, Shape.columns(of: units) - 1))
      setPlaces(
        Layout(.grid, center: [shift, 0, 0], size: [step.x * steps, step.y * steps, 0]), scene: scene, index: index)
      return step.x * Double(Shape.columns(of: units))
    }
  }

  /// Sets the range of what decides the colour, unless the look gives it.
  mutating func setUsualRange(_ bounds: MarkBounds) {
    let length = max((bounds.size * bounds.size).sum().squareRoot(), 1e-6)
    switch colouring {
    case _ where range != nil: break
    case .track: range = 0...1
    case .speed: range = 0...0.8 * length
    case .component:
      let half = max(abs(bounds.low.z), abs(bounds.high.z), 1e-6)
      range = isSolid && !bounds.isEmpty ? -half...half : 0...length
    }
  }

  // MARK: - Marks

  /// The marks of the group, whose index is given, at a player's moment.
  ///
  /// - Parameter velocities: Whether the marks of tracks get velocities, where the group has any.
  package func fill(
    _ marks: inout SceneMarks, group index: Int, from player: borrowing ScenePlayer, velocities: Bool
  ) throws(FileError) {
    marks.removeAll()
    switch source {
    case .tracks(let roles):
      try fill(&marks, roles, index, player, velocities: velocities || (colouring == .speed && mark != .line))
    case .figures(let skeleton, let tracksEach): try fill(&marks, skeleton, tracksEach, index, player)
    }
    marks.add(places)
    try colour(&marks, index, player)
  }

  private func fill(
    _ marks: inout SceneMarks, _ roles: [GroupLook.Role: Int], _ group: Int, _ player: borrowing ScenePlayer,
    velocities: Bool
  ) throws(FileError) {
    let positions: [(GroupLook.Role, WritableKeyPath<SceneMarks, [Float]>, WritableKeyPath<SceneMarks, [Float]>)] = [
      (.x, \.x, \.velocityX), (.y, \.y, \.velocityY), (.z, \.z, \.velocityZ),
    ]
    for (role, column, velocity) in positions {
      guard let component = roles[role] else {
        marks[keyPath: column] = Array(repeating: 0, count: units)
        if velocities { marks[keyPath: velocity] = Array(repeating: 0, count: units) }
        continue
      }
      try player.withValues(group: group, component: component) { Self.copy($0, to: &marks[keyPath: column]) }
      if velocities {
        try player.withVelocities(group: group, component: component) { Self.copy($0, to: &marks[keyPath: velocity]) }
      }
    }
    let factors: [(GroupLook.Role, WritableKeyPath<SceneMarks, [Float]>)] = [
      (.size, \.size), (.stretch, \.stretch), (.turn, \.turn),
    ]
    for (role, column) in factors {
      guard let component = roles[role] else { continue }
      try player.withValues(group: group, component: component) { Self.copy($0, to: &marks[keyPath: column]) }
    }
  }

  /// The third axis of pictures points up, the second one of skeletons.
  private func fill(
    _ marks: inout SceneMarks, _ skeleton: Skeleton, _ tracksEach: Int, _ group: Int, _ player: borrowing ScenePlayer
  ) throws(FileError) {
    var columns: [[Float]] = []
    let isOneTrack = tracksEach == 1 && skeleton.width > 1
    for component in 0..<(isOneTrack ? skeleton.width : 1) {
      var column: [Float] = []
      try player.withValues(group: group, component: component) { Self.copy($0, to: &column) }
      columns.append(column)
    }
    var (positions, transforms): ([SIMD3<Float>], [Transform]) = ([], [])
    for unit in 0..<units {
      skeleton.pose(
        { isOneTrack ? columns[$0][unit] : columns[0][unit * tracksEach + $0] }, into: &positions, &transforms)
      for (joint, position) in positions.enumerated() {
        let isShown = skeleton.joints[joint].isMoved
        marks.x.append(isShown ? position.x : .nan)
        marks.y.append(-position.z)
        marks.z.append(position.y)
      }
    }
  }

  private func colour(
    _ marks: inout SceneMarks, _ group: Int, _ player: borrowing ScenePlayer
  ) throws(FileError) {
    let range = range ?? 0...1
    switch colouring {
    case .track:
      let last = Float(max(1, units - 1))
      marks.shade = marks.x.indices.map { Float($0 / marksEach) / last }
    case .speed: marks.shadeBySpeed(range)
    case .component:
      var numbers: [Float] = []
      try player.withValues(group: group, component: component) { Self.copy($0, to: &numbers) }
      marks.shade(by: numbers, range)
    }
  }

  private static func copy(_ column: Span<Float>, to array: inout [Float]) {
    array = Array(unsafeUninitializedCapacity: column.count) { buffer, count in
      for index in column.indices { buffer.initializeElement(at: index, to: column[index]) }
      count = column.count
    }
  }
}
