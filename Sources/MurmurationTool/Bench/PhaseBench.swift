// SPDX-License-Identifier: MIT
import Murmuration

/// Curves and phases in batches, each beside its yardstick, by turns in one run.
struct PhaseBench {
  private let tracks: Int
  private let rounds: Int

  private static let frame = 1.0 / 60

  /// - Parameters:
  ///   - tracks: In each batch.
  ///   - rounds: Frames of each kind.
  init(tracks: Int, rounds: Int) {
    self.tracks = tracks
    self.rounds = rounds
  }

  private func time(_ work: () throws -> Void) rethrows -> Double {
    let duration = try ContinuousClock().measure(work)
    return Double(duration.components.seconds) * 1e9 + Double(duration.components.attoseconds) * 1e-9
  }

  // MARK: - Phases

  /// Four spring phases, every track at another moment of its round; beside a batch of springs that is sent to the same
  /// targets with the same springs, at the same moments (with delays) and at the frames before them.
  ///
  /// The ratio of the springs sent at frames is their total over that of those sent at their own moments; the ratio of the
  /// phases is theirs over that of the springs sent at frames.
  func phases() throws -> [OperationResult] {
    var results: [OperationResult] = []
    for velocities in [false, true] {
      let what = velocities ? "value-and-velocity" : "value"
      let springs: [Spring] = [.bouncy(duration: 0.4), .smooth(duration: 0.5), .snappy(duration: 0.3), .bouncy]
      let targets: [Float] = [0, 100, -40, 60]
      let sequence = try PhaseSequence(
        0..<4, target: { targets[$0] }, animation: { .spring(springs[$0]) })
      let round = sequence.cycleDuration
      var random = SplitMix64(seed: 17)
      let starts = (0..<tracks).map { _ in random.uniform(-round...0) }
      var phases = try PhaseBatch(sequence, reservingCapacity: tracks)
      phases.computesVelocities = velocities
      phases.reportsPhaseChanges = true
      try phases.add(startingAt: starts.span)
      var exact = try Retargeted(tracks: tracks, velocities: velocities)
      var framed = try Retargeted(tracks: tracks, velocities: velocities)
      // What the yardsticks are told is found out with a batch of its own, frame by frame, outside of what is timed.
      var guide = try PhaseBatch(sequence, reservingCapacity: tracks)
      guide.reportsPhaseChanges = true
      try guide.add(startingAt: starts.span)
      phases.reportsPhaseChanges = false
      var (own, delayed, sent): ([Double], [Double], [Double]) = ([], [], [])
      let warmUp = 130
      for frame in 1...warmUp + rounds {
        let now = Double(frame) * Self.frame
        try guide.advance(to: now)
        let steps = guide.phaseChanges
        let taken = try time { try phases.advance(to: now) }
        let takenDelayed = try exact.play(steps, targets, springs, to: now, delays: true, time)
        let takenSent = try framed.play(steps, targets, springs, to: now, delays: false, time)
        if frame > warmUp {
          own.append(taken)
          delayed.append(takenDelayed)
          sent.append(takenSent)
        }
      }
      let total = delayed.reduce(0, +)
      results += [
        OperationResult("phases.springs.\(what).retargets-at-their-moments", tracks: tracks, called: tracks, delayed),
        OperationResult(
          "phases.springs.\(what).retargets-at-frames", tracks: tracks, called: tracks, sent,
          ratio: sent.reduce(0, +) / total),
        OperationResult(
          "phases.\(what)", tracks: tracks, called: tracks, own, ratio: own.reduce(0, +) / sent.reduce(0, +)),
      ]
    }
    return results
  }

  /// A batch of springs that is told where to go.
  private struct Retargeted: ~Copyable {
    var batch: SpringBatch
    let handles: [TrackHandle]

    init(tracks: Int, velocities: Bool) throws {
      var batch = try SpringBatch(reservingCapacity: tracks)
      batch.computesVelocities = velocities
      let zeros = [Float](repeating: 0, count: tracks)
      let springs = [Spring](repeating: .smooth, count: tracks)
      let handles = try batch.add(springs.span, values: zeros.span, targets: zeros.span)
      self.batch = batch
      self.handles = handles
    }

    /// The nanoseconds of a frame: its retargets and its evaluation.
    mutating func play(
      _ steps: [PhaseChange], _ targets: [Float], _ springs: [Spring], to now: Double, delays: Bool,
      _ measure: (() throws -> Void) throws -> Double
    ) throws -> Double {
      // Of several steps of one track in a frame the last counts for both.
      var nanoseconds = 0.0
      if delays {
        for (phase, spring) in springs.enumerated() {
          let own = steps.filter { $0.phase == phase }
          let some = own.map { handles[$0.handle.index] }
          let goals = own.map { targets[$0.phase] }
          let waits = own.map { max(0, $0.time - batch.time) }
          nanoseconds += try measure {
            try batch.retarget(some.span, to: goals.span, spring: spring, delays: waits.span)
          }
        }
      } else {
        let some = steps.map { handles[$0.handle.index] }
        let goals = steps.map { targets[$0.phase] }
        let each = steps.map { springs[$0.phase] }
        nanoseconds += try measure { try batch.retarget(some.span, to: goals.span, springs: each.span) }
      }
      return try nanoseconds + measure { try batch.advance(to: now) }
    }
  }

  // MARK: - Curves

  private static let curves: [UnitCurve] = [.easeIn, .easeOut, .easeInOut, .linear]

  /// Eased tweens from value to target, of mixed curves and durations, every track at another moment: frames in which all
  /// move, one after the other; such frames by turns with those of another batch, which takes much of the caches from
  /// them; and the frames of that one, in which tracks that have arrived set out again. The yardstick of a row is a scalar
  /// loop over the same tweens in Double, which solves the curve of each.
  func tweens() throws -> [OperationResult] {
    var results: [OperationResult] = []
    for velocities in [false, true] {
      let what = velocities ? "value-and-velocity" : "value"
      var random = SplitMix64(seed: 23)
      let curves = (0..<tracks).map { _ in Self.curves[Int(random.next() % 4)] }
      let durations = (0..<tracks).map { _ in random.uniform(0.3...3) }
      let goals = (0..<tracks).map { _ in Float(random.uniform(-100...100)) }
      let animations = (0..<tracks).map { Optional(Animation.timingCurve(curves[$0], duration: durations[$0] + 1000)) }
      var moving = try CurveBatch(reservingCapacity: tracks)
      moving.computesVelocities = velocities
      let zeros = [Float](repeating: 0, count: tracks)
      let handles = try moving.add(values: zeros.span)
      try moving.retarget(handles.span, to: goals.span, animations: animations.span)
      var again = try CurveBatch(reservingCapacity: tracks)
      again.computesVelocities = velocities
      let others = try again.add(values: zeros.span)
      let short = (0..<tracks).map { Optional(Animation.timingCurve(curves[$0], duration: durations[$0])) }
      try again.retarget(others.span, to: goals.span, animations: short.span)
      var places: [Float] = goals
      var output = zeros
      var (frames, turns, restarts, scalar): ([Double], [Double], [Double], [Double]) = ([], [], [], [])
      let shift = 200 + rounds
      for frame in 1...shift {
        let taken = try time { try moving.advance(to: Double(frame) * Self.frame) }
        if frame > 200 {
          frames.append(taken)
        }
      }
      for frame in 1...200 + rounds {
        let now = Double(frame) * Self.frame
        let taken = try time { try moving.advance(to: Double(shift + frame) * Self.frame) }
        let settled = again.settled
        let targets = settled.map { handle in
          places[handle.index] = -places[handle.index]
          return places[handle.index]
        }
        let next = settled.map { short[$0.index] }
        let takenAgain = try time {
          try again.retarget(settled.span, to: targets.span, animations: next.span)
          try again.advance(to: now)
        }
        guard frame > 200 else { continue }
        turns.append(taken)
        restarts.append(takenAgain)
        if frame % 8 == 0 {
          scalar.append(
            time {
              for track in 0..<tracks {
                let progress = curves[track].value(at: now / (durations[track] + 1000))
                output[track] = Float(Double(goals[track]) * progress)
              }
            })
        }
      }
      let perFrame = scalar.reduce(0, +) / Double(max(1, scalar.count)) * Double(frames.count)
      results += [
        OperationResult("tweens.\(what).scalar-loop", tracks: tracks, called: tracks, scalar),
        OperationResult(
          "tweens.\(what)", tracks: tracks, called: tracks, frames, ratio: frames.reduce(0, +) / perFrame),
        OperationResult(
          "tweens.\(what).by-turns", tracks: tracks, called: tracks, turns, ratio: turns.reduce(0, +) / perFrame),
        OperationResult(
          "tweens.\(what).set-out-again", tracks: tracks, called: tracks, restarts,
          ratio: restarts.reduce(0, +) / perFrame),
      ]
      // So that the loop is not found to be for nothing.
      precondition(output.first?.isFinite ?? true)
    }
    return results
  }
}
