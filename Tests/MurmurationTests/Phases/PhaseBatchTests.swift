// SPDX-License-Identifier: MIT
import AnimationModel
import MurmurationReference
import TestSupport
import Testing

@testable import Murmuration
@testable import MurmurationEngine

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
    var batch = try AnimationBatch<SIMD2<Float>>()
    var random = SplitMix64(seed: 3)
    let count = 37
    let starts = (0..<count).map { _ in random.uniform(-1...1.5) }
    func vectors(_ range: ClosedRange<Double>) -> [SIMD2<Float>] {
      (0..<count).map { _ in SIMD2(Float(random.uniform(range)), Float(random.uniform(range))) }
    }
    let (offsets, scales) = (vectors(-5...5), vectors(-2...2))
    // As the documentation has it: scaled, then offset, and rounded once.
    func target(_ target: SIMD2<Float>, _ track: Int) -> SIMD2<Float> {
      SIMD2(SIMD2<Double>(target) * SIMD2<Double>(scales[track]) + SIMD2<Double>(offsets[track]))
    }
    let tracks = try batch.add((0..<count).map { target(Self.targets[0], $0) })
    try batch.play(
      try batch.load(try Self.sequence(animations)), on: tracks, startingAt: starts, offsets: offsets, scales: scales)
    let plan = PhasePlan(targets: Self.targets.map { [$0.x, $0.y] }, animations: animations)
    var models = (0..<count).map { track in
      let targets = Self.targets.map { phase in
        let own = target(phase, track)
        return [own.x, own.y]
      }
      return PhaseModel(plan, targets: targets, start: starts[track], curveTolerance: CurveLibrary.defaultTolerance)
    }
    var largest = (value: 0.0, velocity: 0.0)
    for _ in 0..<Effort.draws(quick: 20, soak: 200) {
      try batch.advance(by: random.uniform(0...0.1))
      for track in 0..<count {
        let (value, velocity) = (batch[tracks[track]] ?? .zero, batch.velocity(of: tracks[track]) ?? .zero)
        models[track].play(to: batch.time)
        // The model's springs end. Those of a batch go on where steps interrupt them, far below what can be seen.
        let speeds = [velocity.x, velocity.y].map { abs($0) < 1e-12 ? 0 : $0 }
        for (dimension, exact) in models[track].motion.samples(at: batch.time).enumerated() {
          let excess = Excess(value: value[dimension], velocity: speeds[dimension], of: exact)
          largest = (max(largest.value, excess.value), max(largest.velocity, excess.velocity))
          #expect(excess.largest < 1, "component \(dimension) of track \(track) at \(batch.time)")
        }
      }
    }
    print("phases of curves: \(largest) of the bounds")
  }

  @Test func offsetsAndScalesEndWhenTheTrackPlaysPhasesWithoutThem() throws {
    var batch = try AnimationBatch<SIMD2<Float>>()
    let tracks = try batch.add([SIMD2<Float>](repeating: Self.targets[0], count: 2))
    let sequence = try batch.load(try Self.sequence(Self.springs))
    let offsets = [SIMD2<Float>](repeating: SIMD2(100, 7), count: 2)
    try batch.play(sequence, on: tracks, offsets: offsets, scales: [SIMD2(3, 2), SIMD2(3, 2)])
    try batch.advance(to: 0.125)
    try batch.play(sequence, on: tracks[0])
    try batch.advance(to: 0.25)
    let targets = tracks.map { batch.target(of: $0) }
    #expect(targets == [Self.targets[1], SIMD2(112, 1)])
  }

  /// A spring takes over the velocity with which a curve ends, whatever the moments are rounded to.
  @Test func springsTakeOverFromCurvesThatEndInMotion() throws {
    for (start, tolerance) in [(0.0, Float(1e-4)), (0.1, 1e-4), (1234.567, 1e-2)] {
      let sequence = try PhaseSequence(
        [0, 8] as [Float], target: { $0 }, animation: { $0 == 8 ? .linear(duration: 0.5) : .smooth(duration: 0.25) })
      var batch = try AnimationBatch<Float>()
      let track = try batch.add(0)
      try batch.play(try batch.load(sequence), on: track, startingAt: start)
      try batch.advance(to: start + 0.5625)
      var model = AnimatedValue(0.0)
      model.retarget(to: 8, with: .linear(duration: 0.5), at: 0)
      model.retarget(to: 0, with: .smooth(duration: 0.25), at: 0.5)
      let error = (batch[track] ?? .nan) - Float(model.value(at: 0.5625))
      #expect(abs(error) < tolerance)
    }
  }

  /// Steps are reported at their moments, which are sums of logical durations.
  @Test func stepsAreReported() throws {
    var batch = try AnimationBatch<SIMD2<Float>>()
    batch.reports = .phases
    let track = try batch.add(Self.targets[0])
    try batch.play(try batch.load(try Self.sequence(Self.springs)), on: track, startingAt: 0.5)
    try batch.advance(to: 0.49)
    #expect(batch.events.isEmpty)
    try batch.advance(to: 1.2)
    #expect(batch.events.map(\.number) == [1, 2, 3] && batch.events.map(\.moment) == [0.5, 0.8, 1.05])
    #expect(batch.events.allSatisfy { $0.track == track && $0.kind == .phase })
    let (phase, next) = (batch.phase(of: track), batch.nextStepTime(of: track) ?? .nan)
    #expect(phase == 3 && abs(next - 1.75) < 1e-12)
    try batch.advance(to: 1.2)
    #expect(batch.events.isEmpty)
  }

  /// The clock may have gone back while no track played phases.
  @Test(arguments: [-1e6, -3, 2])
  func stepsAreTakenAfterTheClockWentBack(_ start: Double) throws {
    var batch = try AnimationBatch<SIMD2<Float>>()
    let track = try batch.add(.zero)
    batch.reports = .phases
    let sequence = try batch.load(try Self.sequence(Self.curves))
    try batch.advance(to: 5)
    try batch.advance(to: start)
    try batch.play(sequence, on: track)
    let next = batch.nextStepTime(of: track)
    try batch.advance(to: start + 0.25)
    let phases = batch.events.map(\.number)
    #expect(next == start && phases == [1])
  }

  /// A step between equal targets takes no time, and the motion before it goes on.
  @Test func stillStepsTakeNoTime() throws {
    let sequence = try PhaseSequence([0, 3, 3, 5] as [Float], target: { $0 }, animation: { _ in .smooth })
    #expect(sequence.stepDuration(to: 2) == 0 && sequence.cycleDuration == 1.5)
    var batch = try AnimationBatch<Float>()
    batch.reports = .phases
    let track = try batch.add(0)
    try batch.play(try batch.load(sequence), on: track)
    try batch.advance(to: 0.5)
    #expect(batch.events.map(\.number) == [1, 2, 3])
    try batch.advance(to: 0.75)
    var model = AnimatedValue(0.0)
    model.retarget(to: 3, with: .smooth, at: 0)
    model.retarget(to: 5, with: .smooth, at: 0.5)
    let error = Double(batch[track] ?? .nan) - model.value(at: 0.75)
    #expect(abs(error) < 1e-5)
  }

  /// Frames in between change nothing, whatever animations the phases have. Kernels evaluate all of these animations, but for
  /// modified springs that may take over from one another.
  @Test func stepsDoNotDependOnFrames() throws {
    let animations: [Animation?] = [
      nil, .bouncy(duration: 0.4), .easeInOut(duration: 0.3), .linear(duration: 0.2).delay(0.1),
      .easeOut(duration: 0.2).speed(0.5), .easeIn(duration: 0.1).repeatCount(3),
      .linear(duration: 0.1).repeatCount(4, autoreverses: true),
      .easeInOut(duration: 0.5).logicallyComplete(after: 0.1),
      .interpolatingSpring(duration: 0.4, bounce: 0.3), .bouncy(duration: 0.3).delay(0.05),
    ]
    let starts = (0..<20).map { Double($0) * 0.0137 }
    for seed in 0..<UInt64(Effort.draws(quick: 100, soak: 5_000)) {
      var random = SplitMix64(seed: seed)
      let targets = (0..<2 + random.next() % 4).map { _ in Float(random.next() % 9) }
      let drawn = targets.map { _ in animations[Int(random.next() % UInt64(animations.count))] }
      let sequence = try PhaseSequence(
        Array(targets.indices), target: { SIMD2(targets[$0], -targets[$0]) }, animation: { drawn[$0] })
      let end = random.uniform(0.5...4)
      var (shown, events): ([[SIMD2<Float>?]], [[String]]) = ([], [])
      for frames in [0, 20] {
        var batch = try AnimationBatch<SIMD2<Float>>()
        batch.reports = .phases
        let tracks = try batch.add([SIMD2<Float>](repeating: .zero, count: starts.count))
        try batch.play(try batch.load(sequence), on: tracks, startingAt: starts)
        var told: [String] = []
        for time in (0..<frames).map({ _ in random.uniform(0...end) }).sorted() + [end] {
          try batch.advance(to: time, velocities: time == end)
          told += batch.events.map { "\($0.track.index) \($0.kind) \($0.number) \($0.moment)" }
        }
        events.append(told.sorted())
        shown.append(tracks.map { batch[$0] } + tracks.map { batch.velocity(of: $0) })
        let delayedSprings = drawn.count { $0 == animations.last }
        #expect(batch.calledCount == 0 || delayedSprings > 1, "seed \(seed)")
      }
      #expect(shown[0] == shown[1] && events[0] == events[1], "seed \(seed): \(drawn)")
    }
  }
}
