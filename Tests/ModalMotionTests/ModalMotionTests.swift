// SPDX-License-Identifier: MIT
import Kernels
import Murmuration
import MurmurationReference
import Rigs
import Testing

@testable import ModalMotion

/// The invariants of modal motion, and the effects of gestures.
@Suite(.enabled(if: BLAS.isUsable))
struct ModalMotionTests {
  private func cloth(_ damping: NetworkDamping = .none) throws(ModalError) -> SpringNetwork {
    try .cloth(columns: 9, rows: 8, mass: 0.7, stiffness: 60, shearStiffness: 20, damping: damping)
  }

  @Test func withoutDampingEnergyStays() throws {
    var batch = try ModalBatch(ModalBasis(cloth()), instances: 2)
    try batch.pluck(instance: 0, point: 31, by: 3)
    try batch.strike(instance: 1, point: 40, impulse: 5)
    // Half the squared impulse over the mass; and half the force times the way.
    let start = [try batch.energy(ofInstance: 0), try batch.energy(ofInstance: 1)]
    #expect(start[0].kinetic == 0 && start[0].potential > 1)
    #expect(start[1].potential == 0 && abs(start[1].kinetic - 0.5 * 25 / 0.7) < 1e-4)
    for time in [0.1, 3, 100, 3600, 86_400] {
      try batch.advance(to: time)
      for (instance, before) in start.enumerated() {
        let (now, sum) = (try batch.energy(ofInstance: instance), before.kinetic + before.potential)
        #expect(abs(now.kinetic + now.potential - sum) < 2e-6 * sum, "at \(time)")
        #expect(now.kinetic > 0 && now.potential > 0)
      }
    }
  }

  @Test func theClockGoesBackToTheSameBits() throws {
    var network = try cloth(.rayleigh(mass: 1, stiffness: 0.3))
    network.fixedPoints = []
    network.masses[5] = 2
    // Free, swinging and overdamped modes together.
    let basis = try ModalBasis(network, modes: 40)
    #expect(basis.freeModeCount == 1)
    var batch = try ModalBatch(basis, instances: 3, axes: 2)
    try batch.strike(instance: 1, point: 12, impulse: 2, axis: 1)
    try batch.advance(to: 0.5)
    try batch.strike(instance: 2, point: 30, impulse: -1)
    var seen: [Double: [[Float]]] = [:]
    // (At the moment of a gesture the columns have the exact values that were set; an evaluation may round them.)
    for time in [0.75, 0.5, 9, 100, 9, 0.5, 0.75, 1e6, 0.75] {
      try batch.advance(to: time)
      let all = [
        try batch.positions(), try batch.positions(axis: 1), try batch.velocities(), try batch.velocities(axis: 1),
      ]
      #expect(seen[time] == nil || seen[time] == all, "at \(time)")
      seen[time] = all
    }
    #expect(seen[0.5] != seen[0.75] && seen[9] != seen[0.75])
    #expect(throws: ModalError.springs(.timeBeforeStart(time: 0.25, start: 0.5))) { try batch.advance(to: 0.25) }
  }

  @Test func networksAdvanceByDurations() throws {
    var batch = try ModalBatch(ModalBasis(.chain(points: 3, stiffness: 1)), instances: 1)
    try batch.advance(to: .milliseconds(300))
    #expect(batch.time == 0.3)
    #expect(throws: ModalError.springs(.invalidTime(2e10))) { try batch.advance(to: .seconds(20_000_000_000)) }
  }

  @Test(arguments: [(NetworkDamping.none, 0), (.ratio(0.3), 0), (.rayleigh(mass: 0.4, stiffness: 0.01), 0.4)])
  func aFreeChainDriftsAsItsCentreOfMass(damping: NetworkDamping, drag: Double) throws {
    var network = try SpringNetwork.chain(points: 16, mass: 0.5, stiffness: 12, anchors: .none, damping: damping)
    network.masses[3] = 4
    let mass = network.masses.reduce(0, +)
    let basis = try ModalBasis(network)
    #expect(basis.freeModeCount == 1 && basis.frequencies[0] == 0 && basis.frequencies[1] > 0.1)
    var batch = try ModalBatch(basis, instances: 1)
    try batch.strike(instance: 0, point: 7, impulse: 9)
    let speed = 9 / mass
    for time in [0.0, 1, 10, 1000] {
      try batch.advance(to: time)
      let centre = zip(try batch.positions(), network.masses).reduce(0) { $0 + Double($1.0) * $1.1 } / mass
      let reach = drag == 0 ? time : (1 - ReproducibleMath.exp2OfNegative(-drag * time / 0.6931471805599453)) / drag
      #expect(abs(centre - speed * reach) < 1e-6 * max(1, speed * reach), "at \(time)")
    }
    // A force has no equilibrium there; an impulse needs no equilibrium.
    #expect(throws: ModalError.pointFloats(7)) { try batch.pull(instance: 0, point: 7, to: 1) }
    #expect(throws: ModalError.pointFloats(7)) { try batch.pluck(instance: 0, point: 7, by: 1) }
  }

  /// The product of such a damping and a time has no digits, or is 0.
  @Test(arguments: [5e-324, 0x1p-1030, 1e-300]) func theSmallestDampingSlowsNothing(_ damping: Double) throws {
    let network = SpringNetwork(masses: [2], links: [], damping: .rayleigh(mass: damping, stiffness: 0))
    var batch = try ModalBatch(ModalBasis(network), instances: 1)
    try batch.strike(instance: 0, point: 0, impulse: 6)
    for time in [0.3, 7] {
      try batch.advance(to: time)
      #expect(try batch.positions() == [Float(3 * time)])
    }
  }

  /// A square cloth has pairs of equal frequencies, up to rounding.
  @Test(arguments: SpringNetwork.Anchors.allCases) func frequenciesAscend(_ anchors: SpringNetwork.Anchors) throws {
    let cloth = try SpringNetwork.cloth(
      columns: 10, rows: 10, stiffness: 900, shearStiffness: 300, anchors: anchors, damping: .ratio(0.02))
    let frequencies = try ModalBasis(cloth).frequencies
    #expect(zip(frequencies, frequencies.dropFirst()).allSatisfy { $0 <= $1 })
  }

  @Test func fewModesAreExactForWhatTheySpan() throws {
    let network = try cloth(.rayleigh(mass: 0.1, stiffness: 0.001))
    let (few, all) = (try ModalBasis(network, modes: 9), try ModalBasis(network))
    #expect(few.frequencies == Array(all.frequencies.prefix(9)))
    let amounts = (0..<9).map { Double($0 % 4) - 1.5 }
    let start = try few.profile(of: amounts.span)
    var truncated = try ModalBatch(few, instances: 1)
    var complete = try ModalBatch(all, instances: 1)
    try truncated.add(instance: 0, displacements: start.span)
    try complete.add(instance: 0, displacements: start.span)
    var pushed = NetworkMotion(network)
    pushed.positions = start
    for second in 1...5 {
      pushed.advance(steps: 800, step: 1 / 800)
      try truncated.advance(to: Double(second))
      try complete.advance(to: Double(second))
      #expect(worstDifference(try truncated.positions(), pushed.positions) < 1e-5)
      #expect(worstDifference(try complete.positions(), pushed.positions) < 1e-5)
    }
    // Any other state keeps only the share of these modes, and a second projection changes nothing.
    var spike = [Double](repeating: 0, count: network.pointCount)
    spike[31] = 1
    func projected(_ state: [Double]) throws -> [Double] {
      let modes = try few.modes(of: state.span)
      return try few.profile(of: modes.span)
    }
    let shown = try projected(spike)
    #expect(shown[31] > 0.1 && shown[31] < 0.9)
    #expect(zip(shown, try projected(shown)).allSatisfy { abs($0 - $1) < 1e-12 })
  }

  @Test func aPullLeadsToTheEquilibriumOfItsForce() throws {
    let network = try cloth(.ratio(0.4))
    var batch = try ModalBatch(ModalBasis(network), instances: 3, axes: 2)
    try batch.pull(instance: 1, point: 40, to: 2)
    try batch.pull(instance: 1, point: 30, to: -1, axis: 1)
    try batch.advance(to: 200)
    let points = network.pointCount
    for (axis, point, displacement) in [(0, 40, Float(2)), (1, 30, -1)] {
      let form = Array(try batch.positions(axis: axis)[points..<2 * points])
      #expect(abs(form[point] - displacement) < 1e-5)
      // The only force left is at the point that is pulled.
      var forces = [Double](repeating: 0, count: points)
      for link in network.links {
        let force = link.stiffness * Double(form[link.first] - form[link.second])
        forces[link.first] -= force
        forces[link.second] += force
      }
      let isFixed = Set(network.fixedPoints)
      for other in 0..<points where other != point && !isFixed.contains(other) {
        #expect(abs(forces[other]) < 1e-3)
      }
      #expect(abs(forces[point]) > 10)
    }
    try batch.release(instance: 1)
    try batch.advance(to: 201)
    #expect(try batch.positions().contains { abs($0) > 0.001 })
    try batch.advance(to: 500)
    for axis in 0..<2 { #expect(try batch.positions(axis: axis).allSatisfy { $0 == 0 }) }
  }

  @Test func aPluckIsThePullLetGo() throws {
    let basis = try ModalBasis(cloth(.ratio(0.1)), modes: 30)
    var batch = try ModalBatch(basis, instances: 2)
    try batch.pull(instance: 0, point: 40, to: 1.5)
    try batch.advance(to: 1000)
    try batch.release(instance: 0)
    try batch.pluck(instance: 1, point: 40, by: 1.5)
    let points = basis.pointCount
    for time in [1000, 1000.3, 1002] {
      try batch.advance(to: time)
      let positions = try batch.positions()
      #expect(abs(positions[40]) > 1e-3)
      #expect(worstDifference(Array(positions[..<points]), positions[points...].map(Double.init)) < 3e-6)
    }
    try batch.reset(instance: 0)
    #expect(try batch.positions()[..<points].allSatisfy { $0 == 0 })
    #expect(try batch.velocities()[..<points].allSatisfy { $0 == 0 })
    #expect(try batch.positions()[points...].contains { $0 != 0 })
  }

  @Test func aDraggedPointFollowsAndOthersDoNotNotice() throws {
    let basis = try ModalBasis(cloth(.ratio(0.2)), modes: 30)
    var dragged = try ModalBatch(basis, instances: 2)
    var alone = try ModalBatch(basis, instances: 1)
    try dragged.pluck(instance: 1, point: 20, by: 1)
    try alone.pluck(instance: 0, point: 20, by: 1)
    for time in (1...60).map({ Double($0) / 60 }) {
      try dragged.pull(instance: 0, point: 40, to: time)
      try dragged.advance(to: time)
      try alone.advance(to: time)
      for mode in 0..<30 { #expect(try dragged.mode(mode, ofInstance: 1) == alone.mode(mode, ofInstance: 0)) }
    }
    let height = try dragged.positions()[40]
    #expect(height > 0.4 && height < 1.2)
  }

  @Test func partsAreReadInPlace() throws {
    var network = try cloth(.rayleigh(mass: 1, stiffness: 0.15))
    network.groundings = []
    let basis = try ModalBasis(network)
    var batch = try ModalBatch(basis, instances: 5)
    for instance in 0..<5 {
      try batch.pluck(instance: instance, point: 20 + instance, by: 1 + Double(instance))
    }
    try batch.advance(to: 0.2)
    let (all, rates, points) = (try batch.positions(), try batch.velocities(), basis.pointCount)
    var positions = [Float](repeating: 7, count: 3 * 40)
    var velocities = [Float](repeating: 7, count: 111)
    var span = positions.mutableSpan
    try batch.copyPositions(instances: 1..<4, points: 10..<41, stride: 40, into: &span)
    span = velocities.mutableSpan
    try batch.copyVelocities(instances: 1..<4, points: 10..<41, stride: 40, into: &span)
    for (part, whole, bound) in [(positions, all, Float(1e-5)), (velocities, rates, 1e-4)] {
      for (index, number) in part.enumerated() {
        let (row, column) = (index / 40, index % 40)
        #expect(column < 31 ? abs(number - whole[(row + 1) * points + 10 + column]) < bound : number == 7)
      }
    }
  }
}
