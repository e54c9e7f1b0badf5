// SPDX-License-Identifier: MIT

/// Points with masses, joined by springs, that move by small displacements from their places at rest.
///
/// The displacement uₚ of a point is one number. A link pulls its two points together, by the difference of their
/// numbers:
///
///     mₚ·üₚ + (damping) + Σ k·(uₚ − u_q) + gₚ·uₚ = 0
///
/// So a stretched string or cloth moves across itself, with k the tension over the distance of two points, and masses
/// on a line move along it. With several axes the points move along each independently: the stiffness is the same along
/// all axes, and nothing couples them. So lengths at rest do not matter; large displacements, bending and buckling are
/// not described.
///
/// Units are the caller's, as long as they agree: with kilograms, and newtons a metre, times are seconds.
public struct SpringNetwork: Hashable, Sendable {
  /// A spring between two points.
  public struct Link: Hashable, Sendable {
    /// One end.
    public var first: Int
    /// The other end.
    public var second: Int
    /// Force for each unit of the difference of displacements.
    public var stiffness: Double

    /// A spring between two points.
    public init(_ first: Int, _ second: Int, stiffness: Double) {
      self.first = first
      self.second = second
      self.stiffness = stiffness
    }
  }

  /// A spring that holds a point at its place at rest.
  public struct Grounding: Hashable, Sendable {
    /// The point.
    public var point: Int
    /// Force for each unit of displacement.
    public var stiffness: Double

    /// A spring that holds a point.
    public init(_ point: Int, stiffness: Double) {
      self.point = point
      self.stiffness = stiffness
    }
  }

  /// The mass of each point, in ``ModalLimits/masses``; the masses of fixed points do not matter.
  public var masses: [Double]
  /// Springs between points. Two may join the same points; stiffness is in ``ModalLimits/stiffnesses``, where 0 has no
  /// effect.
  public var links: [Link]
  /// Points that never move.
  public var fixedPoints: [Int]
  /// Springs that hold points.
  public var groundings: [Grounding]
  /// The damping, which takes energy out.
  public var damping: NetworkDamping

  /// A network. It is checked when its modes are computed.
  public init(
    masses: [Double], links: [Link], fixedPoints: [Int] = [], groundings: [Grounding] = [],
    damping: NetworkDamping = .none
  ) {
    self.masses = masses
    self.links = links
    self.fixedPoints = fixedPoints
    self.groundings = groundings
    self.damping = damping
  }

  /// Points, fixed ones included.
  public var pointCount: Int { masses.count }
}

/// The damping of a network, which takes energy out of it.
///
/// Modes move independently only if the damping is diagonal where mass and stiffness are. The first four kinds always are;
/// a matrix is checked.
public enum NetworkDamping: Hashable, Sendable {
  /// No damping: the network moves for ever.
  case none
  /// C = α·M + β·K: α in 1/s slows all motion, free motion too; β in s slows quick modes more than slow ones. The ratio
  /// of a mode is (α/ω + β·ω)/2.
  case rayleigh(mass: Double, stiffness: Double)
  /// The same damping ratio ζ for each mode; 0 is undamped, 1 critical. Free modes are not damped.
  case ratio(Double)
  /// A damping ratio for each mode that is kept, the lowest first. The ratios of free modes have no effect.
  case ratios([Double])
  /// A symmetric matrix C, row-major over all points, in mass per second. It must decouple, which it does if and only
  /// if C·M⁻¹·K is symmetric; otherwise ``ModalError/dampingDoesNotDecouple(coupling:)`` is thrown.
  ///
  /// Source: Caughey and O'Kelly, "Classical normal modes in damped linear dynamic systems" (J. Appl. Mech. 32, 1965).
  case matrix([Double])
}

// MARK: - Builders

extension SpringNetwork {
  /// The points of a chain, grid or cloth that are fixed.
  public enum Anchors: String, Hashable, Sendable, CaseIterable {
    /// No points: it floats.
    case none
    /// The first row; for a chain the first point.
    case top
    /// The four corners; for a chain both ends.
    case corners
    /// The whole border; for a chain both ends.
    case border
  }

  /// Points on a line, each linked to the next.
  ///
  /// - Parameters:
  ///   - points: The number of points, fixed ones included.
  ///   - mass: The mass of each point.
  ///   - stiffness: The stiffness of each link.
  ///   - anchors: The points that are fixed.
  ///   - damping: The damping, which takes energy out.
  /// - Throws: ``ModalError/invalidPointCount(_:)``.
  public static func chain(
    points: Int, mass: Double = 1, stiffness: Double, anchors: Anchors = .border, damping: NetworkDamping = .none
  ) throws(ModalError) -> SpringNetwork {
    try grid(columns: points, rows: 1, mass: mass, stiffness: stiffness, anchors: anchors, damping: damping)
  }

  /// Points in rows, row by row, each linked to its neighbours beside, above and below.
  ///
  /// - Throws: ``ModalError/invalidPointCount(_:)``.
  public static func grid(
    columns: Int, rows: Int, mass: Double = 1, stiffness: Double, anchors: Anchors = .border,
    damping: NetworkDamping = .none
  ) throws(ModalError) -> SpringNetwork {
    try cloth(
      columns: columns, rows: rows, mass: mass, stiffness: stiffness, shearStiffness: 0, anchors: anchors,
      damping: damping)
  }

  /// A grid whose squares have diagonals too.
  ///
  /// - Parameters:
  ///   - columns: The number of points of a row.
  ///   - rows: The number of rows.
  ///   - mass: The mass of each point.
  ///   - stiffness: The stiffness of each link to a neighbour beside, above or below.
  ///   - shearStiffness: The stiffness of each diagonal; 0 for a grid.
  ///   - anchors: The points that are fixed.
  ///   - damping: The damping, which takes energy out.
  /// - Throws: ``ModalError/invalidPointCount(_:)``.
  public static func cloth(
    columns: Int, rows: Int, mass: Double = 1, stiffness: Double, shearStiffness: Double, anchors: Anchors = .border,
    damping: NetworkDamping = .none
  ) throws(ModalError) -> SpringNetwork {
    let (count, overflow) = columns.multipliedReportingOverflow(by: rows)
    guard columns >= 1, rows >= 1, !overflow, count <= ModalLimits.maximumPoints else {
      throw .invalidPointCount(columns < 1 || rows < 1 ? 0 : overflow ? .max : count)
    }
    var links: [Link] = []
    for row in 0..<rows {
      for column in 0..<columns {
        let point = row * columns + column
        if column + 1 < columns {
          links.append(Link(point, point + 1, stiffness: stiffness))
        }
        if row + 1 < rows {
          links.append(Link(point, point + columns, stiffness: stiffness))
        }
        if shearStiffness != 0, column + 1 < columns, row + 1 < rows {
          links.append(Link(point, point + columns + 1, stiffness: shearStiffness))
          links.append(Link(point + 1, point + columns, stiffness: shearStiffness))
        }
      }
    }
    let fixed = (0..<count).filter { point in
      let (column, row) = (point % columns, point / columns)
      let isAtSide = column == 0 || column == columns - 1
      let isAtEnd = row == 0 || row == rows - 1
      return switch anchors {
      case .none: false
      case .top: rows == 1 ? column == 0 : row == 0
      case .corners: isAtSide && isAtEnd
      case .border: rows == 1 ? isAtSide : isAtSide || isAtEnd
      }
    }
    return SpringNetwork(
      masses: Array(repeating: mass, count: count), links: links, fixedPoints: fixed, damping: damping)
  }
}

extension SpringNetwork {
  /// The points that move, and which parts of the network nothing holds.
  struct Freedom {
    /// The points that move, ascending.
    var points: [Int] = []
    /// The index of each point among those that move; −1 for fixed ones.
    var places: [Int32]
    /// For each point, whether nothing holds the part it belongs to.
    var floats: [Bool]
    /// The number of parts that nothing holds, and so of modes without stiffness.
    var floatingParts = 0
  }

  /// Checks everything that does not need the modes, and the number of modes that is asked for.
  package func check(modes: Int?) throws(ModalError) { _ = try checked(modes: modes) }

  /// The points that move, after ``check(modes:)``.
  func checked(modes: Int?) throws(ModalError) -> Freedom {
    guard 1...ModalLimits.maximumPoints ~= pointCount else { throw .invalidPointCount(pointCount) }
    guard links.count <= ModalLimits.maximumLinks else { throw .tooManyLinks(links.count) }
    for (index, link) in links.enumerated() {
      guard masses.indices.contains(link.first), masses.indices.contains(link.second), link.first != link.second else {
        throw .invalidLink(link: index, first: link.first, second: link.second)
      }
      guard ModalLimits.stiffnesses ~= link.stiffness else {
        throw .invalidStiffness(link: index, stiffness: link.stiffness)
      }
    }
    for grounding in groundings {
      try check(point: grounding.point)
      guard ModalLimits.stiffnesses ~= grounding.stiffness else {
        throw .invalidGrounding(point: grounding.point, stiffness: grounding.stiffness)
      }
    }
    var freedom = Freedom(
      places: Array(repeating: 0, count: pointCount), floats: Array(repeating: false, count: pointCount))
    for point in fixedPoints {
      try check(point: point)
      freedom.places[point] = -1
    }
    for point in masses.indices where freedom.places[point] == 0 {
      guard ModalLimits.masses ~= masses[point] else { throw .invalidMass(point: point, mass: masses[point]) }
      freedom.places[point] = Int32(freedom.points.count)
      freedom.points.append(point)
    }
    guard !freedom.points.isEmpty else { throw .nothingMoves }
    guard freedom.points.count <= ModalLimits.maximumDegreesOfFreedom else {
      throw .tooManyDegreesOfFreedom(freedom.points.count)
    }
    try checkDamping()
    findFloatingParts(&freedom)
    if let modes, !(1...freedom.points.count ~= modes) {
      throw .modesOutOfRange(requested: modes, available: freedom.points.count)
    }
    return freedom
  }

  func check(point: Int) throws(ModalError) {
    guard masses.indices.contains(point) else { throw .pointOutOfRange(point, count: pointCount) }
  }

  private func checkDamping() throws(ModalError) {
    switch damping {
    case .none: break
    case .rayleigh(let mass, let stiffness):
      guard 0...1e12 ~= mass, 0...1e12 ~= stiffness else {
        throw .invalidDamping("the factors of Rayleigh damping must be in 0…1e12, are \(mass) and \(stiffness)")
      }
    case .ratio(let ratio): try check(ratio: ratio)
    case .ratios(let ratios): for ratio in ratios { try check(ratio: ratio) }
    case .matrix(let matrix):
      let count = pointCount
      guard matrix.count == count * count else {
        throw .invalidDamping("a damping matrix of \(count) points has \(count * count) entries, not \(matrix.count)")
      }
      for row in 0..<count {
        for column in 0...row {
          let (entry, other) = (matrix[row * count + column], matrix[column * count + row])
          guard entry == other, abs(entry) <= 1e15 else {
            throw .invalidDamping(
              "a damping matrix must be symmetric and within ±1e15; between \(row) and \(column) it is "
                + "\(entry) and \(other)")
          }
        }
      }
    }
  }

  private func check(ratio: Double) throws(ModalError) {
    guard ModalLimits.dampingRatios ~= ratio else {
      throw .invalidDamping("a damping ratio must be in 0…1e6, is \(ratio)")
    }
  }

  /// Joins the points that springs join, and finds for each part whether something holds it.
  private func findFloatingParts(_ freedom: inout Freedom) {
    var parents = Array(masses.indices)
    func root(_ point: Int) -> Int {
      var point = point
      while parents[point] != point {
        parents[point] = parents[parents[point]]
        point = parents[point]
      }
      return point
    }
    var isHeld = Array(repeating: false, count: pointCount)
    for link in links where link.stiffness > 0 {
      if freedom.places[link.first] >= 0, freedom.places[link.second] >= 0 {
        parents[root(link.first)] = root(link.second)
      } else {
        // A fixed end holds the other one. What is held of fixed points does not count.
        (isHeld[link.first], isHeld[link.second]) = (true, true)
      }
    }
    for grounding in groundings where grounding.stiffness > 0 { isHeld[grounding.point] = true }
    for point in freedom.points where isHeld[point] { isHeld[root(point)] = true }
    for point in freedom.points { freedom.floats[point] = !isHeld[root(point)] }
    freedom.floatingParts = freedom.points.count { freedom.floats[$0] && root($0) == $0 }
  }
}
