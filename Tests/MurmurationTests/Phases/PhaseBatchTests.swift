// SPDX-License-Identifier: MIT
import AnimationModel
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

  @Test func offsetsAndScalesEndWhenTheTrackPlaysPhasesWithoutThem() throws {
    var batch = try AnimationBatch<SIMD2<Float>>()
    let tracks = try batch.add([Self.targets[0], Self.targets[0]])
    let sequence = try batch.load(try Self.sequence(Self.springs))
    try batch.play(sequence, on: tracks, offset: SIMD2(100, 7), scale: SIMD2(3, 2))
    try batch.advance(to: 0.125)
    try batch.play(sequence, on: tracks[0])
    try batch.advance(to: 0.25)
    #expect(tracks.map { batch.target(of: $0) } == [Self.targets[1], SIMD2(112, 1)])
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
    #expect(next == start && batch.events.map(\.number) == [1])
  }

  /// A step between equal targets takes no time.
  @Test func stillStepsTakeNoTime() throws {
    let sequence = try PhaseSequence([0, 3, 3, 5] as [Float], target: { $0 }, animation: { _ in .smooth })
    #expect((1...3).map { sequence.stepDuration(to: $0) } == [0.5, 0, 0.5] && sequence.cycleDuration == 1.5)
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
        #expect(batch.calledCount == 0 || drawn.count { $0 == animations.last } > 1, "seed \(seed)")
      }
      #expect(shown[0] == shown[1] && events[0] == events[1], "seed \(seed): \(drawn)")
    }
  }
}
