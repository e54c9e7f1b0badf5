// SPDX-License-Identifier: MIT
import Murmuration

/// The modes of a network: the forms in which it swings, each like a single spring.
///
/// With M the masses, K the stiffnesses and C the damping, M^(−1/2)·K·M^(−1/2) is decomposed once. Its eigenvalues are ω²,
/// and its eigenvectors times M^(−1/2) the *shapes* U, for which Uᵀ·M·U = 1 and Uᵀ·K·U = ω². The motion of the network is
///
///     u(t) = Σ Uᵢ·qᵢ(t),   q̈ᵢ + cᵢ·q̇ᵢ + ωᵢ²·qᵢ = 0,   qᵢ(0) = Uᵢᵀ·M·u(0)
///
/// which is exact at any time. A part of the network that nothing holds has one *free mode*, which moves it as a whole,
/// with ω = 0: it goes on as q + q̇·t, or slows down as q + q̇·(1 − e^(−ct))/c where Rayleigh damping or a matrix says so.
///
/// With fewer modes than points that move, the motion of the other modes is left out. States in the span of the kept
/// modes, which are the slowest ones, are exact.
///
/// Source: Shabana, "Vibration of Discrete and Continuous Systems", chapter 3; Pentland and Williams, "Good vibrations"
/// (SIGGRAPH 1989).
public struct ModalBasis: Sendable {
  /// The network that was decomposed.
  public let network: SpringNetwork
  /// The number of modes without stiffness; they come first.
  public let freeModeCount: Int
  /// ω of each mode in radians per second, ascending; exactly 0 for free modes.
  public let frequencies: [Double]
  /// c of each mode, per second: the rate at which it loses velocity, 2ζω where it swings.
  public let dampings: [Double]
  /// The largest error that the check of the decomposition found: ‖K'φ − ω²φ‖ of any kept mode as a share of the
  /// largest eigenvalue, ‖φ‖² − 1, or a product of two modes.
  public let residual: Double

  /// U, mode after mode, with a number for each point.
  let shapes: [Double]
  /// For each point, whether it is fixed and whether nothing holds it.
  let freedom: SpringNetwork.Freedom

  /// The number of points of the network, fixed ones included.
  public var pointCount: Int { network.pointCount }
  /// The number of modes that are kept.
  public var modeCount: Int { frequencies.count }
  /// The number of points that move, which is the number of the network's modes.
  public var degreesOfFreedom: Int { freedom.points.count }

  /// The distance to which a force of 1 on each point leads it: Σ U²/ω² over the held modes, 0 for points that do not
  /// move.
  package var compliances: [Double] {
    var sums = [Double](repeating: 0, count: pointCount)
    for mode in freeModeCount..<modeCount {
      let softness = 1 / (frequencies[mode] * frequencies[mode])
      for point in freedom.points {
        let shape = shapes[mode * pointCount + point]
        sums[point] += shape * shape * softness
      }
    }
    return sums
  }

  /// ζ of a mode: c/2ω; 0 for free modes, which have no such ratio.
  ///
  /// - Throws: ``ModalError/modeOutOfRange(_:count:)``.
  public func dampingRatio(mode: Int) throws(ModalError) -> Double {
    try check(mode: mode)
    return mode < freeModeCount ? 0 : dampings[mode] / (2 * frequencies[mode])
  }

  /// The shape of a mode: a number for each point, in units of one over the root of mass; 0 for fixed points.
  ///
  /// - Throws: ``ModalError/modeOutOfRange(_:count:)``.
  public func shape(mode: Int) throws(ModalError) -> [Double] {
    try check(mode: mode)
    return Array(shapes[mode * pointCount..<(mode + 1) * pointCount])
  }

  func check(mode: Int) throws(ModalError) {
    guard frequencies.indices.contains(mode) else { throw .modeOutOfRange(mode, count: modeCount) }
  }

  /// The network's modes.
  ///
  /// - Parameters:
  ///   - network: The network; at most ``ModalLimits/maximumDegreesOfFreedom`` of its points move.
  ///   - modes: The number of modes to keep, the slowest ones; nil for all.
  ///   - threads: The number of threads that the decomposition may use, the caller's included, clamped to 1…64.
  /// - Throws: ``ModalError`` with the fault of the network or of the decomposition, which is checked whatever the
  ///   library reports; ``ModalError/matrices(_:)`` without OpenBLAS.
  /// - Complexity: O(n³) for n points that move, and 3·8·n² bytes meanwhile.
  public init(_ network: SpringNetwork, modes: Int? = nil, threads: Int = 1) throws(ModalError) {
    let freedom = try network.checked(modes: modes)
    let kept = modes ?? freedom.points.count
    if case .ratios(let ratios) = network.damping, ratios.count != kept {
      throw .invalidDamping("\(kept) modes have as many damping ratios, not \(ratios.count)")
    }
    let decomposition = try NetworkDecomposition(network, freedom, modes: kept, threads: min(max(1, threads), 64))
    self.network = network
    self.freedom = freedom
    freeModeCount = min(kept, freedom.floatingParts)
    frequencies = decomposition.frequencies
    dampings = decomposition.dampings
    shapes = decomposition.shapes
    residual = decomposition.residual
  }
}

// MARK: - Between points and modes

extension ModalBasis {
  /// q = Uᵀ·M·u: the amount of each mode in displacements or velocities of the points. The part that the kept modes
  /// cannot show is left out.
  ///
  /// - Parameter profile: A number for each point; the numbers of fixed points have no effect.
  /// - Throws: ``ModalError/wrongCount(of:expected:got:)``, or ``ModalError/invalidNumber(of:_:)``, also for fixed points.
  public func modes(of profile: Span<Double>) throws(ModalError) -> [Double] {
    guard profile.count == pointCount else {
      throw .wrongCount(of: "profile", expected: pointCount, got: profile.count)
    }
    for point in profile.indices where !(abs(profile[point]) <= Double(BatchLimits.maximumMagnitude)) {
      throw .invalidNumber(of: "number \(point) of the profile", profile[point])
    }
    return (0..<modeCount).map { mode in
      freedom.points.reduce(0) { $0 + network.masses[$1] * shapes[mode * pointCount + $1] * profile[$1] }
    }
  }

  /// Σ Uᵢ·qᵢ: the displacements or velocities of the points from the amounts of the modes.
  ///
  /// - Throws: ``ModalError/wrongCount(of:expected:got:)`` or ``ModalError/invalidNumber(of:_:)``.
  public func profile(of modes: Span<Double>) throws(ModalError) -> [Double] {
    guard modes.count == modeCount else { throw .wrongCount(of: "modes", expected: modeCount, got: modes.count) }
    var result = [Double](repeating: 0, count: pointCount)
    for mode in 0..<modeCount {
      let amount = modes[mode]
      guard amount.isFinite else { throw .invalidNumber(of: "amount of mode \(mode)", amount) }
      for point in freedom.points {
        result[point] += shapes[mode * pointCount + point] * amount
      }
    }
    return result
  }

  /// The change of each mode's velocity by an impulse on one point: Uᵀ·impulse.
  ///
  /// - Throws: ``ModalError/pointOutOfRange(_:count:)``, ``ModalError/pointIsFixed(_:)`` or
  ///   ``ModalError/invalidNumber(of:_:)``.
  public func modes(ofImpulse impulse: Double, at point: Int) throws(ModalError) -> [Double] {
    try checkMoves(point)
    guard abs(impulse) <= Double(BatchLimits.maximumMagnitude) else { throw .invalidNumber(of: "impulse", impulse) }
    return (0..<modeCount).map { shapes[$0 * pointCount + point] * impulse }
  }

  /// The equilibrium under a force on one point that leads this point to a displacement: qᵢ = Uᵢ·f/ωᵢ². Free modes have
  /// no part in it.
  ///
  /// - Throws: As ``modes(ofImpulse:at:)``, and ``ModalError/pointFloats(_:)`` or ``ModalError/pointStandsStill(_:)``.
  public func modes(ofPullTo displacement: Double, at point: Int) throws(ModalError) -> [Double] {
    try checkMoves(point)
    guard !freedom.floats[point] else { throw .pointFloats(point) }
    guard abs(displacement) <= Double(BatchLimits.maximumMagnitude) else {
      throw .invalidNumber(of: "displacement", displacement)
    }
    var compliances = [Double](repeating: 0, count: modeCount)
    var give = 0.0
    for mode in freeModeCount..<modeCount {
      let shape = shapes[mode * pointCount + point]
      compliances[mode] = shape / (frequencies[mode] * frequencies[mode])
      give += shape * compliances[mode]
    }
    // By symmetry a point may stand still in all modes, except for the rounding of the decomposition.
    guard modeCount > freeModeCount else { throw .pointStandsStill(point) }
    let stiffest = network.masses[point] * frequencies[freeModeCount] * frequencies[freeModeCount]
    guard give * stiffest > 1e-20 else { throw .pointStandsStill(point) }
    let force = displacement / give
    return compliances.map { $0 * force }
  }

  private func checkMoves(_ point: Int) throws(ModalError) {
    try network.check(point: point)
    guard freedom.places[point] >= 0 else { throw .pointIsFixed(point) }
  }
}
