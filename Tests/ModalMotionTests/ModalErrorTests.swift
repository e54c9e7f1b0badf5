// SPDX-License-Identifier: MIT
import Murmuration
import Rigs
import Testing

@testable import ModalMotion

struct ModalErrorTests {
  private let links = [SpringNetwork.Link(0, 1, stiffness: 2), SpringNetwork.Link(1, 2, stiffness: 3)]

  private func error(_ network: SpringNetwork, modes: Int? = nil) -> ModalError? {
    do throws(ModalError) {
      _ = try ModalBasis(network, modes: modes)
      return nil
    } catch {
      return error
    }
  }

  private func network(_ change: (inout SpringNetwork) -> Void = { _ in }) -> SpringNetwork {
    var network = SpringNetwork(masses: [1, 2, 3], links: links, fixedPoints: [0])
    change(&network)
    return network
  }

  @Test func whatIsNoNetworkIsRefused() {
    #expect(error(SpringNetwork(masses: [], links: [])) == .invalidPointCount(0))
    #expect(error(network { $0.fixedPoints = [2, 1, 0, 1] }) == .nothingMoves)
    #expect(error(network { $0.fixedPoints = [3] }) == .pointOutOfRange(3, count: 3))
    for mass in [0, -1, 1e-13, 1e13, Double.infinity] {
      #expect(error(network { $0.masses[1] = mass }) == .invalidMass(point: 1, mass: mass))
    }
    #expect(error(network { $0.masses[1] = .nan }) != nil)
    // The mass of a fixed point does not matter.
    #expect(error(network { $0.masses[0] = .nan }) == unlessUsable)
    for stiffness in [-1, 2e15, Double.infinity] {
      #expect(error(network { $0.links[1].stiffness = stiffness }) == .invalidStiffness(link: 1, stiffness: stiffness))
      #expect(
        error(network { $0.groundings = [SpringNetwork.Grounding(2, stiffness: stiffness)] })
          == .invalidGrounding(point: 2, stiffness: stiffness))
    }
    #expect(error(network { $0.links[1].stiffness = .nan }) != nil)
    for (first, second) in [(1, 3), (-1, 1), (1, 1), (Int.min, Int.max)] {
      #expect(
        error(network { $0.links[0] = SpringNetwork.Link(first, second, stiffness: 1) })
          == .invalidLink(link: 0, first: first, second: second))
    }
    #expect(
      error(network { $0.groundings = [SpringNetwork.Grounding(7, stiffness: 1)] }) == .pointOutOfRange(7, count: 3))
    #expect(
      error(SpringNetwork(masses: Array(repeating: 1, count: 2049), links: [])) == .tooManyDegreesOfFreedom(2049))
    #expect(
      error(SpringNetwork(masses: Array(repeating: 1, count: 65_537), links: [])) == .invalidPointCount(65_537))
    #expect(
      error(network { $0.links = Array(repeating: links[0], count: ModalLimits.maximumLinks + 1) })
        == .tooManyLinks(ModalLimits.maximumLinks + 1))
    for modes in [0, -1, 3] {
      #expect(error(network(), modes: modes) == .modesOutOfRange(requested: modes, available: 2))
    }
    #expect(throws: ModalError.invalidPointCount(0)) { try SpringNetwork.chain(points: 0, stiffness: 1) }
    #expect(throws: ModalError.invalidPointCount(.max)) {
      try SpringNetwork.grid(columns: .max, rows: 2, stiffness: 1)
    }
    #expect(throws: ModalError.invalidPointCount(0)) { try SpringNetwork.grid(columns: -1, rows: -1, stiffness: 1) }
  }

  /// The error of a network without a fault.
  private var unlessUsable: ModalError? {
    guard BLAS.isUsable else {
      return error(network())
    }
    return nil
  }

  @Test func aBasisNeedsOpenBLAS() {
    let found = error(network())
    if BLAS.isUsable {
      #expect(found == nil)
    } else if case .matrices(.unusableBLAS(let reason)) = found {
      #expect(!reason.isEmpty)
    } else {
      Issue.record("\(String(describing: found))")
    }
    #if !OpenBLAS
      #expect(found?.description.contains("trait OpenBLAS") == true)
    #endif
  }

  @Test func dampingThatIsNoneIsRefused() {
    for factor in [-1, 2e12, Double.nan, .infinity] {
      #expect(isInvalidDamping(network { $0.damping = .rayleigh(mass: factor, stiffness: 0) }))
      #expect(isInvalidDamping(network { $0.damping = .rayleigh(mass: 0, stiffness: factor) }))
      #expect(isInvalidDamping(network { $0.damping = .ratio(factor) }))
      #expect(isInvalidDamping(network { $0.damping = .ratios([0.1, factor]) }))
    }
    for entry in [2e15, Double.nan, .infinity] {
      #expect(isInvalidDamping(network { $0.damping = .matrix([1, 0, 0, 0, entry, 0, 0, 0, 1]) }))
    }
    #expect(isInvalidDamping(network { $0.damping = .ratios([0.1]) }))
    #expect(isInvalidDamping(network { $0.damping = .ratios([0.1, 0.1, 0.1]) }))
    #expect(isInvalidDamping(network { $0.damping = .matrix([1, 0, 0, 1]) }))
    #expect(isInvalidDamping(network { $0.damping = .matrix([1, 0, 0, 0, 1, 0.5, 0, 0.4, 1]) }))
  }

  private func isInvalidDamping(_ network: SpringNetwork) -> Bool {
    if case .invalidDamping = error(network) { true } else { false }
  }

  @Test(.enabled(if: BLAS.isUsable)) func dampingThatCouplesModesIsRefused() throws {
    // One dashpot at one point.
    let one = error(network { $0.damping = .matrix([0, 0, 0, 0, 0.5, 0, 0, 0, 0]) })
    guard case .dampingDoesNotDecouple(let coupling) = one else {
      Issue.record("\(String(describing: one))")
      return
    }
    #expect(coupling > 0.01)
    // A multiple of the masses, and one of the stiffnesses, do not couple modes; negative damping would add energy.
    #expect(error(network { $0.damping = .matrix([1, 0, 0, 0, 2, 0, 0, 0, 3]) }) == nil)
    #expect(error(network { $0.damping = .matrix([2, -2, 0, -2, 5, -3, 0, -3, 3]) }) == nil)
    #expect(isInvalidDamping(network { $0.damping = .matrix([0, 0, 0, 0, -2, 0, 0, 0, -3]) }))
    // Damping so strong that a mode would take weeks to move.
    #expect(isInvalidDamping(network { $0.damping = .rayleigh(mass: 1e12, stiffness: 0) }))
  }

  @Test(.enabled(if: BLAS.isUsable)) func frequenciesThatNoSpringHasAreRefused() {
    let fast = error(network { $0.masses = [1, 1e-9, 1e-9] })
    guard case .frequencyOutOfRange(0, let frequency) = fast, frequency > 1e4 else {
      // The slowest of both modes may be slow enough; then the other one is not.
      guard case .frequencyOutOfRange = fast else {
        Issue.record("\(String(describing: fast))")
        return
      }
      return
    }
  }

  @Test(.enabled(if: BLAS.isUsable)) func stiffnessesThatDrownOthersAreRefused() {
    var network = SpringNetwork(masses: [1, 1], links: [SpringNetwork.Link(0, 1, stiffness: 1e8)])
    network.groundings = [SpringNetwork.Grounding(0, stiffness: 1e-8)]
    guard case .illConditioned(0, _) = error(network) else {
      Issue.record("\(String(describing: error(network)))")
      return
    }
  }

  @Test(.enabled(if: BLAS.isUsable)) func gesturesOnNothingAreRefused() throws {
    let basis = try ModalBasis(network())
    #expect(throws: ModalError.instancesOutOfRange(0)) { _ = try ModalBatch(basis, instances: 0) }
    #expect(throws: ModalError.instancesOutOfRange(.max)) { _ = try ModalBatch(basis, instances: .max) }
    #expect(throws: ModalError.axesOutOfRange(5)) { _ = try ModalBatch(basis, instances: 1, axes: 5) }
    for tolerance in [0, -1, Float.infinity] {
      #expect(throws: ModalError.springs(.invalidTolerance(tolerance))) {
        _ = try ModalBatch(basis, instances: 1, tolerance: tolerance)
      }
    }
    var batch = try ModalBatch(basis, instances: 2)
    try batch.pluck(instance: 0, point: 1, by: 1)
    let before = try batch.positions()
    for instance in [-1, 2] {
      #expect(throws: ModalError.instanceOutOfRange(instance, count: 2)) { try batch.release(instance: instance) }
      #expect(throws: ModalError.instanceOutOfRange(instance, count: 2)) {
        try batch.pluck(instance: instance, point: 1, by: 1)
      }
      #expect(throws: ModalError.instanceOutOfRange(instance, count: 2)) { _ = try batch.energy(ofInstance: instance) }
    }
    #expect(throws: ModalError.axisOutOfRange(1, count: 1)) { try batch.pull(instance: 0, point: 1, to: 1, axis: 1) }
    #expect(throws: ModalError.pointIsFixed(0)) { try batch.strike(instance: 0, point: 0, impulse: 1) }
    #expect(throws: ModalError.pointOutOfRange(3, count: 3)) { try batch.strike(instance: 0, point: 3, impulse: 1) }
    for number in [2e15, -Double.infinity] {
      #expect(throws: ModalError.invalidNumber(of: "impulse", number)) {
        try batch.strike(instance: 0, point: 1, impulse: number)
      }
      #expect(throws: ModalError.invalidNumber(of: "displacement", number)) {
        try batch.pull(instance: 0, point: 1, to: number)
      }
      let profile = [0, number, 0]
      #expect(throws: ModalError.invalidNumber(of: "number 1 of the profile", number)) {
        try batch.add(instance: 0, displacements: profile.span)
      }
    }
    #expect(throws: ModalError.self) { try batch.pluck(instance: 0, point: 1, by: .nan) }
    let short = [1.0, 2]
    #expect(throws: ModalError.wrongCount(of: "profile", expected: 3, got: 2)) {
      try batch.add(instance: 0, velocities: short.span)
    }
    #expect(throws: ModalError.self) { try batch.advance(to: .nan) }
    #expect(throws: ModalError.springs(.timeBeforeStart(time: -1, start: 0))) { try batch.advance(to: -1) }
    #expect(try batch.positions() == before)
    try batch.advance(to: 0.5)
    var rates = [Float](repeating: 7, count: batch.instanceCount * basis.pointCount)
    #expect(throws: ModalError.springs(.velocitiesNotComputed)) {
      var span = rates.mutableSpan
      try batch.copyVelocities(into: &span)
    }
    #expect(rates.allSatisfy { $0 == 7 })
  }

  @Test(.enabled(if: BLAS.isUsable)) func outputsThatDoNotFitAreLeftAlone() throws {
    let batch = try ModalBatch(ModalBasis(network()), instances: 2)
    func refusal(
      _ instances: Range<Int>? = nil, _ points: Range<Int>? = nil, stride: Int? = nil, count: Int = 6
    ) -> ModalError? {
      var numbers = [Float](repeating: 7, count: count)
      var found: ModalError?
      do throws(ModalError) {
        var span = numbers.mutableSpan
        try batch.copyPositions(instances: instances, points: points, stride: stride, into: &span)
      } catch {
        found = error
      }
      #expect(found == nil || numbers.allSatisfy { $0 == 7 })
      return found
    }
    #expect(refusal() == nil)
    #expect(refusal(count: 5) == .wrongCount(of: "output", expected: 6, got: 5))
    #expect(refusal(count: 0) == .wrongCount(of: "output", expected: 6, got: 0))
    #expect(refusal(0..<3) == .rangeOutOfBounds(of: "instances", 0..<3, count: 2))
    #expect(refusal(-1..<1) == .rangeOutOfBounds(of: "instances", -1..<1, count: 2))
    #expect(refusal(1..<1) == .rangeOutOfBounds(of: "instances", 1..<1, count: 2))
    #expect(refusal(nil, 2..<4) == .rangeOutOfBounds(of: "points", 2..<4, count: 3))
    #expect(refusal(stride: 2) == .invalidStride(2, atLeast: 3))
    #expect(refusal(stride: .max) == .invalidStride(.max, atLeast: 3))
    #expect(refusal(1..<2, 2..<3, count: 1) == nil)
  }

  @Test(.enabled(if: BLAS.isUsable)) func whatTheModesDoNotMoveCannotBePulled() throws {
    // The lowest mode of a chain of three between two walls has no node, the next has one in the middle.
    let chain = try SpringNetwork.chain(points: 5, stiffness: 1)
    let basis = try ModalBasis(chain)
    #expect(abs(try basis.shape(mode: 1)[2]) < 1e-12)
    var split = chain
    split.links[1].stiffness = 0
    split.links[2].stiffness = 10
    // Two parts; the slowest modes of the one do not move the other.
    let half = try ModalBasis(split, modes: 1)
    let still = (1...3).filter { abs((try? half.shape(mode: 0)[$0]) ?? 1) < 1e-12 }
    var batch = try ModalBatch(half, instances: 1)
    #expect(!still.isEmpty)
    for point in still {
      #expect(throws: ModalError.pointStandsStill(point)) { try batch.pull(instance: 0, point: point, to: 1) }
    }
  }

  @Test("A pull that only some modes could follow moves no mode", .enabled(if: BLAS.isUsable))
  func refusedPullsChangeNothing() throws {
    // The slow modes are overdamped, the quick ones swing: and a pull moves slow ones most.
    let damping = NetworkDamping.rayleigh(mass: 100, stiffness: 0)
    let network = try SpringNetwork.chain(points: 12, mass: 1, stiffness: 1e4, damping: damping)
    let basis = try ModalBasis(network)
    let (slow, quick) = try (basis.dampingRatio(mode: 0), basis.dampingRatio(mode: basis.modeCount - 1))
    #expect(slow > 1 && quick < 1)
    var batch = try ModalBatch(basis, instances: 1)
    #expect(throws: ModalError.self) { try batch.pull(instance: 0, point: 5, to: 1e15) }
    try batch.advance(to: 0.05)
    let places = try batch.positions()
    #expect(places.allSatisfy { $0 == 0 })
  }

  @Test(
    "Each kind of error of networks says what was given and what is allowed",
    arguments: [
      (.wrongCount(of: "profile", expected: 3, got: 2), "profile: 3 elements are needed, 2 were given"),
      (.pointOutOfRange(3, count: 3), "point 3 must be within 0..<3"),
      (.instanceOutOfRange(-1, count: 2), "instance -1 must be within 0..<2"),
      (.axisOutOfRange(1, count: 1), "axis 1 must be within 0..<1"),
      (
        .rangeOutOfBounds(of: "points", 2..<4, count: 3),
        "the range of points must not be empty and must be within 0..<3, is 2..<4"
      ),
      (.invalidStride(2, atLeast: 3), "the stride must be in 3…2147483647, is 2"),
      (.invalidNumber(of: "impulse", .nan), "the impulse must be finite and within ±1e15, is nan"),
    ] as [(ModalError, String)])
  func texts(_ error: ModalError, _ text: String) {
    #expect(error.description == text)
  }
}
