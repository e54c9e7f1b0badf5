// SPDX-License-Identifier: MIT
import AnimationModel
import Reference
import TestSupport
import Testing

@testable import Murmuration

/// Sequences of phases against the model, step by step.
struct PhaseBatchTests {
  static let targets: [SIMD2<Float>] = [SIMD2(0, 10), SIMD2(4, -3), SIMD2(4, 8), SIMD2(-2, 1)]

  static func sequence(_ animations: [Animation?]) throws -> PhaseSequence {
    try PhaseSequence(
      0..<4, target: { PhaseBatchTests.targets[$0] }, animation: { animations[$0] })
  }

  static let springs: [Animation?] = [
    .bouncy, .spring(duration: 0.3, bounce: -0.4), .smooth(duration: 0.25), .snappy(duration: 0.7),
  ]
  static let jumps: [Animation?] = [.bouncy, nil, .smooth(duration: 0.25), nil]
  static let curves: [Animation?] = [
    .easeIn(duration: 0.3), .easeInOut(duration: 0.5), .easeOut(duration: 0.2).delay(0.1), .easeIn.speed(2),
  ]
  static let both: [Animation?] = [
    .bouncy, .easeInOut(duration: 0.5), .smooth, .easeInOut(duration: 0.1).repeatCount(3),
  ]
  static let springsThatAdd: [Animation?] = [
    .interpolatingSpring(duration: 0.3, bounce: 0.2), .bouncy.delay(0.1), .spring(duration: 0.4).speed(1.5),
    .easeInOut.logicallyComplete(after: 0.2),
  ]

  /// Many tracks with starts, offsets and scales of their own show what the model shows, whatever steps they pass.
  /// (For springs alone there are random programs.)
  @Test(arguments: [curves, both, springsThatAdd])
  func tracksPlayAsTheModelDoes(animations: [Animation?]) throws {
    let sequence = try Self.sequence(animations)
    var batch = try PhaseBatch(sequence)
    var random = SplitMix64(seed: 3)
    let count = 37
    let starts = (0..<count).map { _ in random.uniform(-1...1.5) }
    let offsets = (0..<2 * count).map { _ in Float(random.uniform(-5...5)) }
    let scales = (0..<2 * count).map { _ in Float(random.uniform(-2...2)) }
    let handles = try batch.add(startingAt: starts.span, offsets: offsets.span, scales: scales.span)
    let plan = PhasePlan(targets: Self.targets.map { [$0.x, $0.y] }, animations: animations)
    var models = (0..<count).map { track in
      let targets = plan.targets.map { target in
        [
          PhaseBatch.target(target[0], SIMD2(offsets[track], scales[track])),
          PhaseBatch.target(target[1], SIMD2(offsets[count + track], scales[count + track])),
        ]
      }
      return PhaseModel(plan, targets: targets, start: starts[track], curveTolerance: batch.curves.curveTolerance)
    }
    var largest = (value: 0.0, velocity: 0.0)
    for _ in 0..<Effort.draws(quick: 60, soak: 200) {
      try batch.advance(by: random.uniform(0...0.1))
      for track in 0..<count {
        let value = try batch.value(of: handles[track], as: SIMD2<Float>.self)
        let velocity = try batch.velocity(of: handles[track], as: SIMD2<Float>.self)
        models[track].play(to: batch.time)
        let isLane = batch.curves.tracks[handles[track].index].kind == .lane
        models[track].motion.evaluation = isLane ? .fitted : .called
        let excess = models[track].motion.excess(
          values: [value.x, value.y], velocities: [velocity.x, velocity.y], at: batch.time)
        largest = (max(largest.value, excess.value), max(largest.velocity, excess.velocity))
        #expect(excess.value < 1, "track \(track) at \(batch.time)")
        #expect(excess.velocity < 1, "track \(track) at \(batch.time)")
      }
    }
    print("phases of curves: \(largest) of the bounds")
  }

  /// A spring takes over the velocity with which a curve ends, whatever the moments are rounded to.
  @Test func springsTakeOverFromCurvesThatEndInMotion() throws {
    for (start, tolerance) in [(0.0, Float(1e-4)), (0.1, 1e-4), (1234.567, 1e-2)] {
      let sequence = try PhaseSequence(
        [0, 8] as [Float], target: { $0 }, animation: { $0 == 8 ? .linear(duration: 0.5) : .smooth(duration: 0.25) })
      var batch = try PhaseBatch(sequence)
      let handle = try batch.add(startingAt: start)
      try batch.advance(to: start + 0.5625)
      var model = AnimatedValue(0.0)
      model.retarget(to: 8, with: .linear(duration: 0.5), at: 0)
      model.retarget(to: 0, with: .smooth(duration: 0.25), at: 0.5)
      let error = try batch.value(of: handle, as: Float.self) - Float(model.value(at: 0.5625))
      #expect(abs(error) < tolerance)
    }
  }

  /// What is shown at a time has the same bits whatever frames came before.
  @Test(arguments: [springs, jumps, curves, both, springsThatAdd])
  func framesChangeNothing(animations: [Animation?]) throws {
    var shown: [[UInt32]] = []
    for frames in [1, 2, 60, 311] {
      var batch = try PhaseBatch(try Self.sequence(animations))
      batch.reportsPhaseChanges = true
      let starts = (0..<20).map { Double($0) * 0.093 }
      let handles = try batch.add(startingAt: starts.span)
      var changes: [PhaseChange] = []
      for frame in 1...frames {
        try batch.advance(to: frame == frames ? 7.3 : 7.3 * Double(frame) / Double(frames))
        changes += batch.phaseChanges
      }
      var bits: [UInt32] = []
      for handle in handles {
        let value = try batch.value(of: handle, as: SIMD2<Float>.self)
        let velocity = try batch.velocity(of: handle, as: SIMD2<Float>.self)
        bits += [value.x.bitPattern, value.y.bitPattern, velocity.x.bitPattern, velocity.y.bitPattern]
      }
      for handle in handles {
        bits += changes.filter { $0.handle == handle }.flatMap {
          [UInt32($0.phase), UInt32(truncatingIfNeeded: $0.time.bitPattern)]
        }
      }
      shown.append(bits)
    }
    for other in shown.dropFirst() {
      let differing = zip(other, shown[0]).enumerated().filter { $1.0 != $1.1 }.map(\.offset)
      #expect(differing == [])
      #expect(other.count == shown[0].count)
    }
  }

  /// Steps are reported at their moments, which are sums of logical durations.
  @Test func stepsAreReported() throws {
    let sequence = try Self.sequence(Self.springs)
    var batch = try PhaseBatch(sequence)
    batch.reportsPhaseChanges = true
    let handle = try batch.add(startingAt: 0.5)
    try batch.advance(to: 0.49)
    #expect(batch.phaseChanges.isEmpty)
    try batch.advance(to: 1.2)
    #expect(batch.phaseChanges.map(\.phase) == [1, 2, 3])
    #expect(batch.phaseChanges.map(\.time) == [0.5, 0.8, 1.05])
    #expect(batch.phaseChanges.allSatisfy { $0.handle == handle })
    #expect(try batch.phase(of: handle) == 3)
    let next = try batch.nextStepTime(of: handle)
    #expect(abs(next - 1.75) < 1e-12)
    try batch.advance(to: 1.2)
    #expect(batch.phaseChanges.isEmpty)
  }

  /// A step between equal targets takes no time, and the motion before it goes on.
  @Test func stillStepsTakeNoTime() throws {
    let sequence = try PhaseSequence([0, 3, 3, 5] as [Float], target: { $0 }, animation: { _ in .smooth })
    #expect(sequence.stepDuration(to: 2) == 0)
    #expect(sequence.cycleDuration == 1.5)
    var batch = try PhaseBatch(sequence)
    batch.reportsPhaseChanges = true
    let handle = try batch.add()
    try batch.advance(to: 0.5)
    #expect(batch.phaseChanges.map(\.phase) == [1, 2, 3])
    try batch.advance(to: 0.75)
    var model = AnimatedValue(0.0)
    model.retarget(to: 3, with: .smooth, at: 0)
    model.retarget(to: 5, with: .smooth, at: 0.5)
    let error = Double(try batch.value(of: handle, as: Float.self)) - model.value(at: 0.75)
    #expect(abs(error) < 1e-5)
  }
}
