// SPDX-License-Identifier: MIT
public import Murmuration
public import Rigs

/// Why a network, its modes or their motion were refused; nothing has changed when one is thrown.
public enum ModalError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A network has at least one point that is not fixed.
  case nothingMoves
  /// More points than ``ModalLimits/maximumPoints``, or fewer than one.
  case invalidPointCount(Int)
  /// More links than ``ModalLimits/maximumLinks``.
  case tooManyLinks(Int)
  /// More points that move than ``ModalLimits/maximumDegreesOfFreedom``.
  case tooManyDegreesOfFreedom(Int)
  /// A mass is outside ``ModalLimits/masses``.
  case invalidMass(point: Int, mass: Double)
  /// A stiffness is outside ``ModalLimits/stiffnesses``.
  case invalidStiffness(link: Int, stiffness: Double)
  /// A link names a point that the network does not have, or one point twice.
  case invalidLink(link: Int, first: Int, second: Int)
  /// A spring to a point's place at rest is outside ``ModalLimits/stiffnesses``.
  case invalidGrounding(point: Int, stiffness: Double)
  /// The network has no such point.
  case pointOutOfRange(Int, count: Int)
  /// A damping has a wrong number of values, or one that is negative, too large or no number.
  case invalidDamping(String)
  /// The damping couples modes: it is not diagonal in any basis that diagonalises the stiffness.
  case dampingDoesNotDecouple(coupling: Double)
  /// A basis keeps at least one mode, and at most those that the network has.
  case modesOutOfRange(requested: Int, available: Int)
  /// The basis has no such mode.
  case modeOutOfRange(Int, count: Int)
  /// The library's decomposition failed, or its result is not a decomposition of the matrix.
  case decompositionFailed(String)
  /// The stiffnesses differ so much that the lowest modes are rounding errors.
  case illConditioned(mode: Int, frequency: Double)
  /// A mode is quicker or slower than a spring of a batch can be.
  case frequencyOutOfRange(mode: Int, frequency: Double)
  /// A batch has 1 to ``ModalLimits/maximumInstances`` instances.
  case instancesOutOfRange(Int)
  /// A batch has 1 to ``ModalLimits/maximumAxes`` axes.
  case axesOutOfRange(Int)
  /// The batch has no such instance.
  case instanceOutOfRange(Int, count: Int)
  /// The batch has no such axis.
  case axisOutOfRange(Int, count: Int)
  /// A fixed point cannot be moved.
  case pointIsFixed(Int)
  /// Nothing holds the part of the network that the point belongs to, so no force leads it to an equilibrium.
  case pointFloats(Int)
  /// No mode that was kept moves the point.
  case pointStandsStill(Int)
  /// The argument `of` has the wrong number of elements.
  case wrongCount(of: String, expected: Int, got: Int)
  /// A range of instances or points is empty or goes beyond the last one.
  case rangeOutOfBounds(of: String, Range<Int>, count: Int)
  /// Rows of the output would overlap, or are farther apart than a matrix product can count.
  case invalidStride(Int, atLeast: Int)
  /// A given number, or one of a mode that follows from it, is not finite or beyond ±10¹⁵.
  case invalidNumber(of: String, Double)
  /// OpenBLAS cannot be used, or there is no memory for the shapes of the modes, or for free modes.
  case matrices(MatrixError)
  /// A time, a tolerance or a capacity was refused by the springs.
  case springs(BatchError)

  /// The reason in words, with the offending value.
  public var description: String {
    switch self {
    case .nothingMoves: "all points are fixed; a network needs one that moves"
    case .invalidPointCount(let count): "a network has 1 to \(ModalLimits.maximumPoints) points, not \(count)"
    case .tooManyLinks(let count): "\(count) links are more than \(ModalLimits.maximumLinks)"
    case .tooManyDegreesOfFreedom(let count):
      "\(count) points that move are more than \(ModalLimits.maximumDegreesOfFreedom)"
    case .invalidMass(let point, let mass): "the mass of point \(point) must be in 1e-12…1e12, is \(mass)"
    case .invalidStiffness(let link, let stiffness):
      "the stiffness of link \(link) must be in 0…1e15, is \(stiffness)"
    case .invalidLink(let link, let first, let second):
      "link \(link) joins the points \(first) and \(second), which must be two of the network's"
    case .invalidGrounding(let point, let stiffness):
      "the stiffness that holds point \(point) must be in 0…1e15, is \(stiffness)"
    case .pointOutOfRange(let point, let count): "point \(point) must be within 0..<\(count)"
    case .invalidDamping(let reason): reason
    case .dampingDoesNotDecouple(let coupling):
      "the damping couples modes (\(coupling) of its size); Rayleigh damping and a ratio a mode do not"
    case .modesOutOfRange(let requested, let available):
      "\(requested) modes were asked for; there are 1 to \(available)"
    case .modeOutOfRange(let mode, let count): "mode \(mode) must be within 0..<\(count)"
    case .decompositionFailed(let reason): "the modes could not be computed: \(reason)"
    case .illConditioned(let mode, let frequency):
      "mode \(mode) at \(frequency) rad/s is lost in the rounding of the stiffest part of the network"
    case .frequencyOutOfRange(let mode, let frequency):
      "mode \(mode) has \(frequency) rad/s; its period must be in [1e-4, 1e6] s"
    case .instancesOutOfRange(let count): "a batch has 1 to \(ModalLimits.maximumInstances) instances, not \(count)"
    case .axesOutOfRange(let count): "a batch has 1 to \(ModalLimits.maximumAxes) axes, not \(count)"
    case .instanceOutOfRange(let instance, let count): "instance \(instance) must be within 0..<\(count)"
    case .axisOutOfRange(let axis, let count): "axis \(axis) must be within 0..<\(count)"
    case .pointIsFixed(let point): "point \(point) is fixed"
    case .pointFloats(let point): "nothing holds point \(point) or what it is linked to"
    case .pointStandsStill(let point): "no mode that was kept moves point \(point)"
    case .wrongCount(let what, let expected, let got):
      "\(what): \(expected) elements are needed, \(got) were given"
    case .rangeOutOfBounds(let what, let range, let count):
      "the range of \(what) must not be empty and must be within 0..<\(count), is \(range)"
    case .invalidStride(let stride, let least): "the stride must be in \(least)…\(Int32.max), is \(stride)"
    case .invalidNumber(let what, let number): "the \(what) must be finite and within ±1e15, is \(number)"
    case .matrices(let error): error.description
    case .springs(let error): error.description
    }
  }
}

/// The limits of modal motion.
public enum ModalLimits {
  /// The most points that move. A dense matrix with a row for each of them is decomposed, which takes memory by the
  /// square and time by the cube.
  public static let maximumDegreesOfFreedom = 2048
  /// The most points, fixed ones included.
  public static let maximumPoints = 65_536
  /// The most links.
  public static let maximumLinks = 1 << 20
  /// The most networks that one batch moves; the number of tracks is limited too.
  public static let maximumInstances = 1 << 20
  /// The most axes along which points move.
  public static let maximumAxes = 4
  /// The mass of a point.
  public static let masses = 1e-12...1e12
  /// The stiffness of a link, or of a spring that holds a point.
  public static let stiffnesses = 0.0...1e15
  /// The damping ratio of a mode.
  public static let dampingRatios = 0.0...1e6
}
