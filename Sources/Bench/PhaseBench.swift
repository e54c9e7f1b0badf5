// SPDX-License-Identifier: MIT
import AnimationModel
import Murmuration

/// Curves and phases in batches, each timed by turns with its yardstick in one run.
struct PhaseBench {
  private let tracks: Int
  private let rounds: Int

  private static let frame = 1.0 / 60

  /// - Parameters:
  ///   - tracks: The number of tracks in each batch.
  ///   - rounds: The number of frames of each kind.
  init(tracks: Int, rounds: Int) {
    self.tracks = tracks
    self.rounds = rounds
  }

  private static func what(_ velocities: Bool) -> String { velocities ? "value-and-velocity" : "value" }

  /// A frame with its index, counted from 0.
  private static func advance(_ shared: SharedBatch<Float>, as name: String? = nil, velocities: Bool) -> Step {
    Step(name) { try shared.batch.advance(to: Double($0 + 1) * frame, velocities: velocities) }
  }

  // MARK: - Phases

  static let springs: [Spring] = [.bouncy(duration: 0.4), .smooth(duration: 0.5), .snappy(duration: 0.3), .bouncy]
  static let targets: [Float] = [0, 100, -40, 60]

  /// A batch whose tracks go through four spring phases, each at another moment of its round.
  static func phases(tracks: Int) throws -> SharedBatch<Float> {
    let sequence = try PhaseSequence(0..<4, target: { targets[$0] }, animation: { .spring(springs[$0]) })
    var random = SplitMix64(seed: 17)
    let starts = (0..<tracks).map { _ in random.uniform(-sequence.cycleDuration...0) }
    var batch = try AnimationBatch<Float>(reservingCapacity: tracks)
    let handles = try batch.add([Float](repeating: targets[0], count: tracks))
    try batch.play(try batch.load(sequence), on: handles, startingAt: starts)
    return SharedBatch(batch)
  }

  /// Phases, beside batches of springs that are sent to the same targets with the same springs: one at the same moments
  /// (with delays), and one at the frames before these moments.
  ///
  /// The row of the springs sent at frames states the ratio to the springs sent at the exact moments; the row of the
  /// phases states the ratio to the springs sent at frames.
  func phases() throws -> [OperationResult] {
    try [false, true].flatMap { (velocities: Bool) -> [OperationResult] in
      let what = Self.what(velocities)
      let phases = try Self.phases(tracks: tracks)
      // A third batch gives the yardsticks' calls, frame by frame, outside the timed work.
      let guide = try Self.phases(tracks: tracks)
      guide.batch.reports = .phases
      let (exact, framed) = (try Retargeted(tracks: tracks), try Retargeted(tracks: tracks))
      let (delayed, sent) = (
        "phases.springs.\(what).retargets-at-their-moments", "phases.springs.\(what).retargets-at-frames"
      )
      let timings = try Rounds(tracks: tracks, count: rounds, warmUp: 130).time([
        Self.advance(guide, velocities: velocities),
        Step { _ in
          exact.prepare(guide.batch.events, delays: true)
          framed.prepare(guide.batch.events, delays: false)
        },
        Self.advance(phases, as: "phases.\(what)", velocities: velocities),
        Step(delayed) { try exact.play(to: Double($0 + 1) * Self.frame, velocities: velocities) },
        Step(sent) { try framed.play(to: Double($0 + 1) * Self.frame, velocities: velocities) },
      ])
      let total = timings.map(\.total)
      return [
        timings[1].row(), timings[2].row(ratio: total[2] / total[1]), timings[0].row(ratio: total[0] / total[2]),
      ]
    }
  }

  /// A batch of springs that is sent to targets. If a track has several steps in a frame, the last one counts.
  private final class Retargeted {
    private var batch: AnimationBatch<Float>
    private let handles: [TrackHandle]
    /// The calls before the next frame: each with a spring and delays, or with a spring for each track.
    private var delayed: [(spring: Spring, tracks: [TrackHandle], goals: [Float], delays: [Double])] = []
    private var sent: (tracks: [TrackHandle], goals: [Float], springs: [Spring]) = ([], [], [])

    init(tracks: Int) throws {
      let zeros = [Float](repeating: 0, count: tracks)
      batch = try AnimationBatch(reservingCapacity: tracks)
      handles = try batch.add(zeros, to: zeros, springs: [Spring](repeating: .smooth, count: tracks))
    }

    /// Notes the calls that stand for steps of phases.
    func prepare(_ steps: [AnimationEvent], delays: Bool) {
      guard delays else {
        sent = (
          steps.map { handles[$0.track.index] }, steps.map { PhaseBench.targets[$0.number] },
          steps.map { PhaseBench.springs[$0.number] }
        )
        return
      }
      delayed = PhaseBench.springs.enumerated().map { phase, spring in
        let own = steps.filter { $0.number == phase }
        return (
          spring, own.map { handles[$0.track.index] }, own.map { PhaseBench.targets[$0.number] },
          own.map { max(0, $0.moment - batch.time) }
        )
      }
    }

    /// Makes the calls, and the frame.
    func play(to time: Double, velocities: Bool) throws {
      for call in delayed {
        try batch.animate(call.tracks, to: call.goals, .spring(call.spring), delays: call.delays)
      }
      if !sent.tracks.isEmpty { try batch.animate(sent.tracks, to: sent.goals, springs: sent.springs) }
      try batch.advance(to: time, velocities: velocities)
    }
  }

  // MARK: - Curves

  private static let curves: [UnitCurve] = [.easeIn, .easeOut, .easeInOut, .linear]

  /// Eased tweens from value to target, of mixed curves and durations, with every track at another moment. First come
  /// frames in which all tracks move, back to back. Then such frames take turns with frames of another batch, which fills
  /// much of the caches, and whose tracks set out again when they have arrived. The yardstick of a row is a scalar loop
  /// over the same tweens in Double, which solves the curve of each.
  func tweens() throws -> [OperationResult] {
    try [false, true].flatMap { (velocities: Bool) -> [OperationResult] in
      let what = Self.what(velocities)
      var random = SplitMix64(seed: 23)
      let curves = (0..<tracks).map { _ in Self.curves[Int(random.next() % 4)] }
      let durations = (0..<tracks).map { _ in random.uniform(0.3...3) }
      let goals = (0..<tracks).map { _ in Float(random.uniform(-100...100)) }
      let long = (0..<tracks).map { Optional(Animation.timingCurve(curves[$0], duration: durations[$0] + 1000)) }
      let short = (0..<tracks).map { Optional(Animation.timingCurve(curves[$0], duration: durations[$0])) }
      let (moving, again) = (try tweens(to: goals, long), try tweens(to: goals, short))
      let frames = Rounds(tracks: tracks, count: rounds, warmUp: 200)
      let alone = try frames.time([Self.advance(moving, as: "tweens.\(what)", velocities: velocities)])[0]
      let shift = 200 + rounds
      var places = goals
      var next: (tracks: [TrackHandle], goals: [Float], animations: [Animation?]) = ([], [], [])
      var output = goals
      let timings = try frames.time([
        Step("tweens.\(what).by-turns") { round in
          try moving.batch.advance(to: Double(shift + round + 1) * Self.frame, velocities: velocities)
        },
        Step { _ in
          next.tracks = again.batch.events.filter { $0.kind == .settled }.map(\.track)
          next.goals = next.tracks.map { track in
            places[track.index].negate()
            return places[track.index]
          }
          next.animations = next.tracks.map { short[$0.index] }
        },
        Step("tweens.\(what).set-out-again") { round in
          try again.batch.animate(next.tracks, to: next.goals, animations: next.animations)
          try again.batch.advance(to: Double(round + 1) * Self.frame, velocities: velocities)
        },
        Step("tweens.\(what).scalar-loop", every: 8) { round in
          for track in 0..<tracks {
            let progress = curves[track].value(at: Double(round + 1) * Self.frame / (durations[track] + 1000))
            output[track] = Float(Double(goals[track]) * progress)
          }
        },
      ])
      // The loop's result is used, so that the compiler keeps it.
      precondition(output.first?.isFinite ?? true)
      let (turns, restarts, scalar) = (timings[0], timings[1], timings[2])
      let total = scalar.total / Double(max(1, scalar.nanoseconds.count)) * Double(rounds)
      return [scalar.row()] + [alone, turns, restarts].map { $0.row(ratio: $0.total / total) }
    }
  }

  /// A batch whose tracks leave 0 along curves.
  private func tweens(to goals: [Float], _ animations: [Animation?]) throws -> SharedBatch<Float> {
    var batch = try AnimationBatch<Float>(reservingCapacity: tracks)
    let handles = try batch.add([Float](repeating: 0, count: tracks))
    try batch.animate(handles, to: goals, animations: animations)
    return SharedBatch(batch)
  }
}
