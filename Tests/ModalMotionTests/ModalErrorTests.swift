// SPDX-License-Identifier: MIT
import Murmuration
import Rigs
import Testing

@testable import ModalMotion

struct ModalErrorTests {
  private let links = [SpringNetwork.Link(0, 1, stiffness: 2), SpringNetwork.Link(1, 2, stiffness: 3)]

  /// The error of a network of three points, the first of which is fixed, after a change.
  private func error(modes: Int? = nil, _ change: (inout SpringNetwork) -> Void = { _ in }) -> ModalError? {
    var network = SpringNetwork(masses: [1, 2, 3], links: links, fixedPoints: [0])
    change(&network)
    do throws(ModalError) {
      _ = try ModalBasis(network, modes: modes)
      return nil
    } catch {
      return error
    }
  }

  private func basis() throws -> ModalBasis {
    try ModalBasis(SpringNetwork(masses: [1, 2, 3], links: links, fixedPoints: [0]))
  }

  private func isInvalid(_ damping: NetworkDamping) -> Bool {
    if case .invalidDamping = error({ $0.damping = damping }) { true } else { false }
  }

  @Test func whatIsNoNetworkIsRefused() {
    #expect(error { $0 = SpringNetwork(masses: [], links: []) } == .invalidPointCount(0))
    #expect(error { $0.fixedPoints = [2, 1, 0, 1] } == .nothingMoves)
    #expect(error { $0.fixedPoints = [3] } == .pointOutOfRange(3, count: 3))
    for mass in [0, -1, 1e-13, 1e13, Double.infinity] {
      #expect(error { $0.masses[1] = mass } == .invalidMass(point: 1, mass: mass))
    }
    #expect(error { $0.masses[1] = .nan } != nil && error { $0.links[1].stiffness = .nan } != nil)
    // The mass of a fixed point does not matter.
    #expect(error { $0.masses[0] = .nan } == (BLAS.isUsable ? nil : error()))
    for stiffness in [-1, 2e15, Double.infinity] {
      #expect(error { $0.links[1].stiffness = stiffness } == .invalidStiffness(link: 1, stiffness: stiffness))
      let grounding = SpringNetwork.Grounding(2, stiffness: stiffness)
      #expect(error { $0.groundings = [grounding] } == .invalidGrounding(point: 2, stiffness: stiffness))
    }
    for (first, second) in [(1, 3), (-1, 1), (1, 1), (Int.min, Int.max)] {
      let link = SpringNetwork.Link(first, second, stiffness: 1)
      #expect(error { $0.links[0] = link } == .invalidLink(link: 0, first: first, second: second))
    }
    #expect(error { $0.groundings = [SpringNetwork.Grounding(7, stiffness: 1)] } == .pointOutOfRange(7, count: 3))
    let many = ModalLimits.maximumLinks + 1
    #expect(error { $0.links = Array(repeating: links[0], count: many) } == .tooManyLinks(many))
    for (count, refusal) in [(2049, ModalError.tooManyDegreesOfFreedom(2049)), (65_537, .invalidPointCount(65_537))] {
      #expect(error { $0 = SpringNetwork(masses: Array(repeating: 1, count: count), links: []) } == refusal)
    }
    for modes in [0, -1, 3] { #expect(error(modes: modes) == .modesOutOfRange(requested: modes, available: 2)) }
    #expect(throws: ModalError.invalidPointCount(0)) { try SpringNetwork.chain(points: 0, stiffness: 1) }
    for (columns, rows, count) in [(Int.max, 2, Int.max), (-1, -1, 0)] {
      #expect(throws: ModalError.invalidPointCount(count)) {
        try SpringNetwork.grid(columns: columns, rows: rows, stiffness: 1)
      }
    }
  }

  @Test func aBasisNeedsOpenBLAS() {
    let found = error()
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

  @Test("Modes are counted from 0, and the message says to which", .enabled(if: BLAS.isUsable))
  func modesThatABasisLacks() throws {
    let basis = try basis()
    let batch = try ModalBatch(basis, instances: 1)
    for mode in [2, -1, Int.max] {
      let refusal = ModalError.modeOutOfRange(mode, count: 2)
      #expect(throws: refusal) { try basis.dampingRatio(mode: mode) }
      #expect(throws: refusal) { try basis.shape(mode: mode) }
      #expect(throws: refusal) { try batch.mode(mode, ofInstance: 0) }
      #expect("\(refusal)" == "mode \(mode) must be within 0..<2")
    }
  }

  @Test func dampingThatIsNoneIsRefused() {
    var dampings: [NetworkDamping] = [
      .ratios([0.1]), .ratios([0.1, 0.1, 0.1]), .matrix([1, 0, 0, 1]), .matrix([1, 0, 0, 0, 1, 0.5, 0, 0.4, 1]),
    ]
    for factor in [-1, 2e12, Double.nan, .infinity] {
      dampings += [
        .rayleigh(mass: factor, stiffness: 0), .rayleigh(mass: 0, stiffness: factor), .ratio(factor),
        .ratios([0.1, factor]),
      ]
    }
    for entry in [2e15, Double.nan, .infinity] { dampings.append(.matrix([1, 0, 0, 0, entry, 0, 0, 0, 1])) }
    for damping in dampings { #expect(isInvalid(damping), "\(damping)") }
  }

  @Test(.enabled(if: BLAS.isUsable)) func dampingThatCouplesModesIsRefused() {
    // One dashpot at one point.
    let one = error { $0.damping = .matrix([0, 0, 0, 0, 0.5, 0, 0, 0, 0]) }
    if case .dampingDoesNotDecouple(let coupling) = one {
      #expect(coupling > 0.01)
    } else {
      Issue.record("\(String(describing: one))")
    }
    // A multiple of the masses, and one of the stiffnesses, do not couple modes; negative damping would add energy.
    #expect(error { $0.damping = .matrix([1, 0, 0, 0, 2, 0, 0, 0, 3]) } == nil)
    #expect(error { $0.damping = .matrix([2, -2, 0, -2, 5, -3, 0, -3, 3]) } == nil)
    #expect(isInvalid(.matrix([0, 0, 0, 0, -2, 0, 0, 0, -3])))
    // Damping so strong that a mode would take weeks to move.
    #expect(isInvalid(.rayleigh(mass: 1e12, stiffness: 0)))
  }

  @Test(.enabled(if: BLAS.isUsable)) func networksThatNoSpringsFollowAreRefused() {
    let fast = error { $0.masses = [1, 1e-9, 1e-9] }
    guard case .frequencyOutOfRange = fast else {
      Issue.record("\(String(describing: fast))")
      return
    }
    let drowned = error {
      $0 = SpringNetwork(
        masses: [1, 1], links: [SpringNetwork.Link(0, 1, stiffness: 1e8)],
        groundings: [SpringNetwork.Grounding(0, stiffness: 1e-8)])
    }
    guard case .illConditioned(0, _) = drowned else {
      Issue.record("\(String(describing: drowned))")
      return
    }
  }

  @Test(.enabled(if: BLAS.isUsable)) func gesturesOnNothingAreRefused() throws {
    let basis = try basis()
    for (error, instances, axes, tolerance) in [
      (.instancesOutOfRange(0), 0, 1, 1e-6), (.instancesOutOfRange(.max), .max, 1, 1e-6),
      (.axesOutOfRange(5), 1, 5, 1e-6),
      (.springs(.invalidTolerance(0)), 1, 1, 0), (.springs(.invalidTolerance(-1)), 1, 1, -1),
      (.springs(.invalidTolerance(.infinity)), 1, 1, .infinity),
    ] as [(ModalError, Int, Int, Float)] {
      #expect(throws: error) { _ = try ModalBatch(basis, instances: instances, axes: axes, tolerance: tolerance) }
    }
    var batch = try ModalBatch(basis, instances: 2)
    try batch.pluck(instance: 0, point: 1, by: 1)
    let before = try batch.positions()
    func expect(_ error: ModalError?, _ gesture: (inout ModalBatch) throws(ModalError) -> Void) {
      let found = #expect(throws: ModalError.self) { try gesture(&batch) }
      #expect(error == nil || found == error)
    }
    for instance in [-1, 2] {
      let error = ModalError.instanceOutOfRange(instance, count: 2)
      expect(error) { batch throws(ModalError) in try batch.release(instance: instance) }
      expect(error) { batch throws(ModalError) in try batch.pluck(instance: instance, point: 1, by: 1) }
      expect(error) { batch throws(ModalError) in _ = try batch.energy(ofInstance: instance) }
    }
    expect(.axisOutOfRange(1, count: 1)) { batch throws(ModalError) in
      try batch.pull(instance: 0, point: 1, to: 1, axis: 1)
    }
    for (point, error) in [(0, ModalError.pointIsFixed(0)), (3, .pointOutOfRange(3, count: 3))] {
      expect(error) { batch throws(ModalError) in try batch.strike(instance: 0, point: point, impulse: 1) }
    }
    for number in [2e15, -Double.infinity] {
      expect(.invalidNumber(of: "impulse", number)) { batch throws(ModalError) in
        try batch.strike(instance: 0, point: 1, impulse: number)
      }
      expect(.invalidNumber(of: "displacement", number)) { batch throws(ModalError) in
        try batch.pull(instance: 0, point: 1, to: number)
      }
      let profile = [0, number, 0]
      expect(.invalidNumber(of: "number 1 of the profile", number)) { batch throws(ModalError) in
        try batch.add(instance: 0, displacements: profile.span)
      }
    }
    let short = [1.0, 2]
    expect(.wrongCount(of: "profile", expected: 3, got: 2)) { batch throws(ModalError) in
      try batch.add(instance: 0, velocities: short.span)
    }
    expect(nil) { batch throws(ModalError) in try batch.pluck(instance: 0, point: 1, by: .nan) }
    expect(nil) { batch throws(ModalError) in try batch.advance(to: .nan) }
    expect(.springs(.timeBeforeStart(time: -1, start: 0))) { batch throws(ModalError) in try batch.advance(to: -1) }
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
    let batch = try ModalBatch(basis(), instances: 2)
    func expect(
      _ error: ModalError?, _ instances: Range<Int>? = nil, _ points: Range<Int>? = nil, stride: Int? = nil,
      count: Int = 6
    ) {
      var numbers = [Float](repeating: 7, count: count)
      var found: ModalError?
      do throws(ModalError) {
        var span = numbers.mutableSpan
        try batch.copyPositions(instances: instances, points: points, stride: stride, into: &span)
      } catch {
        found = error
      }
      #expect(found == error && (found == nil || numbers.allSatisfy { $0 == 7 }))
    }
    expect(nil)
    for count in [0, 5] { expect(.wrongCount(of: "output", expected: 6, got: count), count: count) }
    for range in [0..<3, -1..<1, 1..<1] { expect(.rangeOutOfBounds(of: "instances", range, count: 2), range) }
    expect(.rangeOutOfBounds(of: "points", 2..<4, count: 3), nil, 2..<4)
    for stride in [2, Int.max] { expect(.invalidStride(stride, atLeast: 3), stride: stride) }
    expect(nil, 1..<2, 2..<3, count: 1)
  }

  /// A mode's tolerance is larger or smaller than that of points, and may not be one that batches take.
  @Test(.enabled(if: BLAS.isUsable)) func anyToleranceOfABatchIsOneOfPoints() throws {
    for mass in [1e-12, 1, 1e12] {
      let networks = [
        SpringNetwork(masses: [mass], links: []), try .chain(points: 5, mass: mass, stiffness: mass),
      ]
      for network in networks {
        let basis = try ModalBasis(network)
        for tolerance in [Float(1e-30), 1e-6, 1e15] {
          #expect(try ModalBatch(basis, instances: 1, tolerance: tolerance).tolerance == tolerance)
        }
        #expect(throws: ModalError.springs(.invalidTolerance(2e15))) {
          _ = try ModalBatch(basis, instances: 1, tolerance: 2e15)
        }
      }
    }
  }

  /// Twice the ratio times the frequency, divided by twice the frequency, may be a rounding more than the ratio.
  @Test(.enabled(if: BLAS.isUsable)) func theLargestDampingRatioIsTaken() throws {
    let largest = ModalLimits.dampingRatios.upperBound
    for points in 3..<30 {
      let damped = try SpringNetwork.chain(points: points, stiffness: 1, anchors: .top, damping: .ratio(largest))
      let basis = try ModalBasis(damped)
      #expect(abs(try basis.dampingRatio(mode: 0) - largest) < 1e-6)
      #expect(try ModalBatch(basis, instances: 1).time == 0)
    }
  }

  /// More than 64 GiB, the limit of a batch, for the states of modes without stiffness.
  @Test(.enabled(if: BLAS.isUsable)) func freeModesForWhichThereIsNoMemoryAreRefused() throws {
    let basis = try ModalBasis(SpringNetwork(masses: Array(repeating: 1, count: 1025), links: []))
    #expect(throws: ModalError.matrices(.invalidSize(of: "free modes of all instances", 1025 << 22))) {
      _ = try ModalBatch(basis, instances: 1 << 20, axes: 4)
    }
  }

  @Test(.enabled(if: BLAS.isUsable)) func whatTheModesDoNotMoveCannotBePulled() throws {
    // The lowest mode of a chain of three between two walls has no node, the next has one in the middle.
    var chain = try SpringNetwork.chain(points: 5, stiffness: 1)
    #expect(abs(try ModalBasis(chain).shape(mode: 1)[2]) < 1e-12)
    // Two parts; the slowest modes of the one do not move the other.
    chain.links[1].stiffness = 0
    chain.links[2].stiffness = 10
    let half = try ModalBasis(chain, modes: 1)
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
    let basis = try ModalBasis(.chain(points: 12, mass: 1, stiffness: 1e4, damping: damping))
    let (slow, quick) = try (basis.dampingRatio(mode: 0), basis.dampingRatio(mode: basis.modeCount - 1))
    #expect(slow > 1 && quick < 1)
    var batch = try ModalBatch(basis, instances: 1)
    #expect(throws: ModalError.self) { try batch.pull(instance: 0, point: 5, to: 1e15) }
    try batch.advance(to: 0.05)
    #expect(try batch.positions().allSatisfy { $0 == 0 })
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
