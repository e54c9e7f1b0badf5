// SPDX-License-Identifier: MIT
import AnimationModel
import Testing

@testable import Murmuration

/// Sequences and times that make no sense, given to phases.
struct HostilePhaseTests {
  private static func sequence(_ animation: Animation? = .smooth) throws -> PhaseSequence {
    try PhaseSequence([0, 1, 2] as [Float], target: { $0 }, animation: { _ in animation })
  }

  @Test("No phases, and targets and animations of impossible numbers, are refused")
  func badSequencesAreRefused() {
    func expect(_ error: PhaseError, _ targets: [[Float]], _ animations: [Animation?], dimensions: Int = 1) {
      #expect(throws: error) { _ = try PhaseSequence(dimensions: dimensions, targets: targets, animations: animations) }
      #expect(!error.description.isEmpty)
    }
    expect(.noPhases, [], [])
    expect(.invalidDimensions(0), [[]], [nil], dimensions: 0)
    expect(.invalidDimensions(4097), [[]], [nil], dimensions: 4097)
    expect(.wrongDimensions(phase: 1, expected: 1, got: 2), [[0], [1, 2]], [nil, nil])
    expect(.wrongCount(expected: 2, got: 1), [[0], [1]], [nil])
    expect(.invalidValue(phase: 1, dimension: 0, value: .infinity), [[0], [.infinity]], [nil, nil])
    expect(.tooManyPhases(65_537), Array(repeating: [0], count: 65_537), [])
    let bad: [Animation] = [
      .spring(Spring(duration: 1e-5)), .spring(duration: 0.5, bounce: -1), .linear(duration: .nan),
      .linear(duration: .infinity), .easeIn.delay(.nan), .easeIn.speed(.infinity),
      .easeIn.logicallyComplete(after: .nan), .timingCurve(.nan, 0, 1, 1), .linear(duration: 1e-6),
      // They go on for ever while the sequence does not.
      .linear.repeatForever().logicallyComplete(after: 0.5), .interpolatingSpring(duration: 0.5, bounce: 1),
    ]
    for animation in bad {
      #expect(throws: PhaseError.self, "\(animation)") { _ = try Self.sequence(animation) }
    }
  }

  /// An animation without end keeps a track in its phase.
  @Test func anEndlessStepStays() throws {
    let sequence = try PhaseSequence(
      [0, 1, 2] as [Float], target: { $0 }, animation: { $0 == 1 ? .linear.repeatForever() : .smooth })
    #expect(sequence.cycleDuration == .infinity)
    var batch = try AnimationBatch<Float>()
    let track = try batch.add(0)
    try batch.play(try batch.load(sequence), on: track)
    try batch.advance(to: 1e9)
    #expect(batch.phase(of: track) == 1 && batch.nextStepTime(of: track) == .infinity && abs(batch[track] ?? .nan) <= 1)
  }

  @Test("One frame of 10⁹ seconds leads where small frames do, even with springs that hardly settle")
  func aLongSleepIsMadeUpFor() throws {
    // A spring that hardly settles still shows after many rounds where it started. So the number of rounds that are made up
    // for must be exact.
    let springs = [Animation.spring(duration: 0.5, bounce: 0.999), .bouncy, .smooth(duration: 1e-4)]
    let lengths: [Double] = [67, 98.4, 127.4]
    for (number, animation) in (springs + [.easeInOut, .easeInOut]).enumerated() {
      let (sequence, rounds) = (try Self.sequence(animation), lengths[number % 3])
      var asleep = try AnimationBatch<Float>()
      var awake = try AnimationBatch<Float>()
      let (track, twin) = (try asleep.add(3), try awake.add(3))
      try asleep.play(try asleep.load(sequence), on: track, offset: 3, scale: -1.75)
      try awake.play(try awake.load(sequence), on: twin, offset: 3, scale: -1.75)
      let end = sequence.cycleDuration * rounds
      for frame in 1...100 { try awake.advance(to: end * Double(frame) / 100) }
      try asleep.advance(to: end)
      let (phase, expected) = (asleep.phase(of: track), awake.phase(of: twin))
      let error = (asleep[track] ?? .nan) - (awake[twin] ?? .nan)
      // Each of the three steps of a round may err by 8 · 2⁻²⁴ · S, with S at most 4 times the scale. The tolerance of
      // rest is added.
      let bound = Float(3 * rounds + 3) * 8 * 0x1p-24 * 7 + 1e-4
      #expect(abs(error) < bound && phase == expected, "\(animation), \(rounds) rounds")
      try asleep.advance(to: 1e9)
      try asleep.advance(to: 1e10)
      let (value, next) = (asleep[track] ?? .nan, asleep.nextStepTime(of: track) ?? .nan)
      #expect(value.isFinite && next > 1e10 - 2 * sequence.cycleDuration)
    }
  }

  /// An undamped spring neither settles nor grows beyond what its targets feed it with.
  @Test func undampedSpringsStayFinite() throws {
    var batch = try AnimationBatch<Float>()
    let track = try batch.add(0)
    try batch.play(try batch.load(try Self.sequence(.spring(duration: 0.5, bounce: 1))), on: track)
    try batch.advance(to: 1e6)
    #expect((batch[track] ?? .nan).isFinite)
  }

  /// A round of 10⁻¹⁰ s: more rounds than an `Int64` counts.
  @Test func roundsBeyondCountingAreSkipped() throws {
    var batch = try AnimationBatch<Float>()
    let track = try batch.add(0)
    try batch.play(try batch.load(try Self.sequence(.linear(duration: 0.00004))), on: track)
    try batch.setSpeed(1e6, of: track)
    for time in [0.5, 1e10] { try batch.advance(to: time) }
    let (value, next) = (batch[track] ?? .nan, batch.nextStepTime(of: track) ?? .nan)
    #expect((0...2).contains(value) && next > 1e10)
  }
}
