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
