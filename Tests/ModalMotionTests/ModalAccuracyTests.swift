// SPDX-License-Identifier: MIT
import Kernels
import Murmuration
import MurmurationReference
import Rigs
import TestSupport
import Testing

@testable import ModalMotion

/// Modal motion against the forces themselves, over four seconds, and ten in `Scripts/soak`: positions within 10⁻⁵ of the
/// amplitude, velocities within 10⁻⁴.
@Suite(.enabled(if: BLAS.isUsable))
struct ModalAccuracyTests {
  /// A network, and its dashpots if its damping is a matrix.
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var network: SpringNetwork
    var dashpots: [Double] = []
  }

  static let cases: [Case] = {
    let dampings: [(String, NetworkDamping)] = [
      ("undamped", .none), ("lightly damped", .rayleigh(mass: 0.1, stiffness: 0.002)),
      // The share of the mass overdamps the lowest modes, the share of the stiffness the highest; some modes in between
      // swing.
      ("overdamped", .rayleigh(mass: 4, stiffness: 0.3)),
    ]
    do {
      let regular = try dampings.flatMap { name, damping in
        let networks = [
          "chain": try SpringNetwork.chain(points: 24, mass: 0.5, stiffness: 30, anchors: .top, damping: damping),
          "grid": try .grid(columns: 7, rows: 6, stiffness: 40, anchors: .border, damping: damping),
          "cloth": try .cloth(
            columns: 6, rows: 7, stiffness: 25, shearStiffness: 9, anchors: .corners, damping: damping),
          "floating cloth": try .cloth(
            columns: 5, rows: 6, stiffness: 25, shearStiffness: 9, anchors: .none, damping: damping),
        ]
        return networks.map { Case(testDescription: "\($0.key), \(name)", network: $0.value) }
      }
      return regular + [Case(testDescription: "uneven, overdamped", network: uneven()), try uneven(dashpotsAlong: 5)]
    } catch {
      preconditionFailure("\(error)")
    }
  }()

  /// Masses and stiffnesses that differ, a part that floats beside one that is held by a spring.
  static func uneven() -> SpringNetwork {
    var random = SplitMix64(seed: 3)
    var links: [SpringNetwork.Link] = []
    for point in 0..<29 where point != 20 {
      links.append(SpringNetwork.Link(point, point + 1, stiffness: random.uniform(5...60)))
    }
    for _ in 0..<12 {
      let first = Int(random.next() % 20)
      links.append(SpringNetwork.Link(first, (first + 5) % 21, stiffness: random.uniform(1...20)))
    }
    return SpringNetwork(
      masses: (0..<30).map { _ in random.uniform(0.2...3) }, links: links,
      groundings: [SpringNetwork.Grounding(4, stiffness: 7)], damping: .rayleigh(mass: 3, stiffness: 0.2))
  }

  /// A square grid whose dashpots differ along its two axes: the damping commutes with the stiffness, but is no function of
  /// it, and tells modes of one frequency apart.
  static func uneven(dashpotsAlong columns: Int) throws(ModalError) -> Case {
    var network = try SpringNetwork.grid(columns: columns, rows: columns, stiffness: 30, anchors: .none)
    network.groundings = (0..<columns * columns).map { SpringNetwork.Grounding($0, stiffness: 3) }
    let dashpots = network.links.map { $0.second == $0.first + 1 ? 0.4 : 0.05 }
    let count = network.pointCount
    var matrix = [Double](repeating: 0, count: count * count)
    for (link, damping) in zip(network.links, dashpots) {
      matrix[link.first * count + link.first] += damping
      matrix[link.second * count + link.second] += damping
      matrix[link.first * count + link.second] -= damping
      matrix[link.second * count + link.first] -= damping
    }
    network.damping = .matrix(matrix)
    return Case(testDescription: "dashpots that decouple", network: network, dashpots: dashpots)
  }

  @Test(arguments: cases) func itMovesAsTheForcesSay(_ test: Case) throws {
    let basis = try ModalBasis(test.network)
    var random = SplitMix64(seed: 11)
    var direct = NetworkMotion(test.network, dashpots: test.dashpots)
    let isFixed = Set(test.network.fixedPoints)
    for point in 0..<test.network.pointCount where !isFixed.contains(point) {
      direct.positions[point] = random.uniform(-1...1)
      direct.velocities[point] = random.uniform(-2...2)
    }
    var batch = try ModalBatch(basis, instances: 2)
    let (displacements, velocities) = (direct.positions, direct.velocities)
    try batch.add(instance: 1, displacements: displacements.span, velocities: velocities.span)
    let none = [Double](repeating: 0, count: basis.pointCount)
    #expect(worstDifference(try batch.positions(), none + direct.positions) < 1e-5)
    #expect(worstDifference(try batch.velocities(), none + direct.velocities) < 1e-5)
    var (worst, worstVelocity) = (0.0, 0.0)
    for second in 1...Effort.draws(quick: 4, soak: 10) {
      direct.advance(steps: 800, step: 1 / 800)
      try batch.advance(to: Double(second))
      // The amplitude of a part that drifts away is its distance.
      let amplitude = direct.positions.reduce(1) { max($0, abs($1)) }
      worst = max(worst, worstDifference(try batch.positions(), none + direct.positions) / amplitude)
      worstVelocity = max(worstVelocity, worstDifference(try batch.velocities(), none + direct.velocities))
    }
    #expect(worst < 1e-5, "positions")
    #expect(worstVelocity < 1e-4, "velocities")
  }

  @Test func everyModeIsASpringOfItsOwn() throws {
    var network = try SpringNetwork.grid(columns: 6, rows: 5, mass: 0.3, stiffness: 20)
    let ratios = (0..<12).map { [0, 0.02, 0.5, 1, 1.7][$0 % 5] }
    network.damping = .ratios(ratios)
    let basis = try ModalBasis(network)
    #expect(basis.modeCount == 12)
    #expect(basis.degreesOfFreedom == 12)
    var batch = try ModalBatch(basis, instances: 1)
    var random = SplitMix64(seed: 2)
    let start = (0..<30).map { _ in random.uniform(-1...1) }
    let speed = (0..<30).map { _ in random.uniform(-3...3) }
    try batch.add(instance: 0, displacements: start.span, velocities: speed.span)
    let (q, rate) = (try basis.modes(of: start.span), try basis.modes(of: speed.span))
    for time in [0.001, 0.3, 1, 2.5, 7, 10] {
      try batch.advance(to: time)
      for mode in 0..<12 {
        let ω = basis.frequencies[mode]
        #expect(abs(try basis.dampingRatio(mode: mode) - ratios[mode]) < 1e-12)
        let spring = Spring(mass: 1, stiffness: ω * ω, damping: 2 * ratios[mode] * ω, allowOverDamping: true)
        let expected =
          q[mode] + spring.value(target: -q[mode], initialVelocity: rate[mode], time: time)
        let state = try batch.mode(mode, ofInstance: 0)
        #expect(abs(state.value - expected) < 4e-6, "mode \(mode) at \(time)")
      }
    }
  }

  @Test func aGridHasTheFrequenciesOfTheTextbook() throws {
    // ω² = 4·k/m·(sin²(πi/2(c − 1)) + sin²(πj/2(r − 1))) for a grid with a fixed border.
    let basis = try ModalBasis(.grid(columns: 12, rows: 9, mass: 2, stiffness: 50))
    var expected: [Double] = []
    for i in 1...10 {
      for j in 1...7 {
        let (x, y) = (ReproducibleMath.sineAndCosine(quarterTurns: Double(i) / 11).sine, Double(j) / 8)
        let s = ReproducibleMath.sineAndCosine(quarterTurns: y).sine
        expected.append((4 * 50 / 2 * (x * x + s * s)).squareRoot())
      }
    }
    expected.sort()
    for (found, expected) in zip(basis.frequencies, expected) {
      #expect(abs(found - expected) < 1e-12 * expected)
    }
    #expect(basis.frequencies.count == 70 && basis.freeModeCount == 0)
    #expect(basis.residual < 1e-13)
  }
}
