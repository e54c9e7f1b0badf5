// SPDX-License-Identifier: MIT
import AnimationModel
import Reference
import Testing

@testable import Murmuration

/// Calls at random: tracks that come, go, are triggered, paused and resumed, in frames of any length, show what the model
/// shows within the bounds of springs, report what it reports, and have the same bits whatever frames there were.
struct PhaseProgramTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let springs: [Spring?]
    let targets: [[Float]]

    var sequence: PhaseSequence {
      get throws {
        try PhaseSequence(dimensions: 2, targets: targets, animations: springs.map { $0.map { .spring($0) } })
      }
    }
  }

  static let cases = [
    Case(
      testDescription: "bouncing springs",
      springs: [Spring(duration: 0.4, bounce: 0.3), .smooth, Spring(duration: 0.3, bounce: 0.15), .bouncy],
      targets: [[0, 10], [100, -3], [-40, 8], [60, 1]]),
    Case(
      testDescription: "springs of both kinds",
      springs: [.bouncy, Spring(duration: 0.3, bounce: -0.4), .smooth, Spring(duration: 0.7, bounce: -0.1)],
      targets: [[0, 10], [4, -3], [4, 8], [-2, 1]]),
    Case(
      testDescription: "jumps", springs: [.bouncy, nil, Spring(duration: 0.25), nil, .snappy],
      targets: [[0, 10], [4, -3], [4, 8], [-2, 1], [7, 7]]),
    Case(
      testDescription: "steps that change nothing",
      springs: [.bouncy, .smooth, .snappy, Spring(duration: 0.2), .smooth],
      targets: [[0, 10], [4, -3], [4, -3], [-2, 1], [0, 10]]),
    Case(
      testDescription: "a jump that stops what moves", springs: [.smooth, .smooth, nil, .snappy],
      targets: [[0, 10], [3, -3], [3, -3], [5, 1]]),
    Case(testDescription: "two phases", springs: [.bouncy, .smooth], targets: [[-3, 0], [8, 1]]),
  ]

  @Test(arguments: cases, [PhaseBatch.Playback.loops, .triggered])
  func calls(_ test: Case, playback: PhaseBatch.Playback) throws {
    for seed in 1...3 {
      var program = try Run(test, playback, seed: UInt64(seed))
      try program.begin()
      for _ in 0..<140 where program.fault == nil {
        try program.step()
      }
      let (fault, largest, checks, time) = (program.fault, program.largestExcess, program.checks, program.batch.time)
      #expect(fault == nil, "seed \(seed), at \(time)")
      #expect(largest < 1)
      #expect(checks > 2_000)
      print("phases, \(test.testDescription), \(playback): \(largest) of the bound")
    }
  }

  /// A program under way, in a batch of few frames and one of many.
  private struct Run: ~Copyable {
    var batch: PhaseBatch
    private var other: PhaseBatch
    private var models: [TrackHandle: ReferenceTrack] = [:]
    private let test: Case
    private let plan: PhasePlan
    private var random: SplitMix64
    private var changes: [PhaseChange] = []
    private(set) var fault: String?
    private(set) var largestExcess = 0.0
    private(set) var checks = 0

    init(_ test: Case, _ playback: PhaseBatch.Playback, seed: UInt64) throws {
      self.test = test
      plan = PhasePlan(targets: test.targets, animations: test.springs.map { $0.map { .spring($0) } })
      random = SplitMix64(seed: seed)
      let sequence = try test.sequence
      var batch = try PhaseBatch(sequence, playback: playback)
      var other = try PhaseBatch(sequence, playback: playback, kernels: .portable)
      // What rests shows its target, which is another promise.
      let tolerances = try RestTolerances(value: 1e-30)
      batch.springs.restTolerance = tolerances
      other.springs.restTolerance = tolerances
      batch.reportsPhaseChanges = true
      self.batch = batch
      self.other = other
    }

    /// Adds the first tracks.
    mutating func begin() throws {
      for _ in 0..<20 {
        try add()
      }
    }

    mutating func step() throws {
      let handles = models.keys.sorted { $0.slot < $1.slot }
      let some = handles.isEmpty ? nil : handles[Int(random.next() % UInt64(handles.count))]
      switch (random.next() % 16, some) {
      case (0, _):
        try add()
      case (1, let handle?) where handles.count > 10:
        try batch.remove(handle)
        try other.remove(handle.moved(to: other))
        models[handle] = nil
      case (2...5, let handle?):
        try batch.trigger(handle)
        try other.trigger(handle.moved(to: other))
        models[handle]?.trigger(at: batch.time)
      case (6, let handle?):
        try batch.pause(handle)
        try other.pause(handle.moved(to: other))
        models[handle]?.pause(at: batch.time)
      case (7, let handle?):
        try batch.resume(handle)
        try other.resume(handle.moved(to: other))
        models[handle]?.resume(at: batch.time)
      case (8, _):
        try advance(by: 0)
      case (9, _):
        try advance(by: random.uniform(0...5))
      default:
        try advance(by: random.uniform(0...0.12))
      }
    }

    private mutating func add() throws {
      let start = batch.time + random.uniform(-2...0.7)
      let isPlain = random.next() % 3 == 0
      let offset = isPlain ? SIMD2(0, 0) : SIMD2(Float(random.uniform(-5...5)), Float(random.uniform(-5...5)))
      let scale = isPlain ? SIMD2(1, 1) : SIMD2(Float(random.uniform(-2...2)), Float(random.uniform(-2...2)))
      let handle: TrackHandle
      if isPlain {
        handle = try batch.add(startingAt: start)
        try other.add(startingAt: start)
      } else {
        handle = try batch.add(startingAt: start, offset: offset, scale: scale)
        try other.add(startingAt: start, offset: offset, scale: scale)
      }
      // As the documentation has it: scaled, then offset, and rounded once.
      let targets = test.targets.map { target in
        (0..<2).map { Float(Double(target[$0]) * Double(scale[$0]) + Double(offset[$0])) }
      }
      var track = ReferenceTrack(
        targets[0], at: min(start, batch.time), ReferenceRules(restTolerance: batch.springs.restTolerance))
      if batch.playback == .loops {
        track.play(plan, targets: targets, startingAt: start, at: min(start, batch.time))
      } else {
        track.prepare(plan, targets: targets, at: batch.time)
      }
      models[handle] = track
    }

    private mutating func advance(by seconds: Double) throws {
      let now = batch.time + seconds
      try batch.advance(to: now)
      for _ in 0..<Int(random.next() % 4) where seconds > 0 {
        try other.advance(to: other.time + (now - other.time) * random.unit())
      }
      try other.advance(to: now)
      var reported: [TrackHandle: [PhaseChange]] = [:]
      for change in batch.phaseChanges {
        reported[change.handle, default: []].append(change)
      }
      if batch.phaseChanges.map(\.handle.slot) != batch.phaseChanges.map(\.handle.slot).sorted() {
        fault = "steps out of order"
      }
      let completed = batch.completed
      for handle in models.keys {
        guard var model = models[handle] else { continue }
        let events = model.advance(to: now)
        check(handle, events, reported[handle] ?? [], completions: completed.filter { $0 == handle }.count)
        models[handle] = model
        try checkMotion(handle, model)
      }
    }

    private mutating func check(
      _ handle: TrackHandle, _ events: [ReferenceEvent], _ changes: [PhaseChange], completions: Int
    ) {
      let steps = events.compactMap { event in
        if case .phase(let phase) = event.kind { (phase: phase, moment: event.moment) } else { nil }
      }
      let agrees =
        changes.map(\.phase) == steps.map(\.phase) && zip(changes, steps).allSatisfy { $1.moment.contains($0.time) }
      if !agrees { fault = "\(handle.index): steps \(changes), not \(steps)" }
      if completions != events.count(where: { $0.kind == .phasesEnd }) {
        fault = "\(handle.index): completed \(completions) times"
      }
    }

    private mutating func checkMotion(_ handle: TrackHandle, _ model: ReferenceTrack) throws {
      let value = try batch.value(of: handle, as: SIMD2<Float>.self)
      let velocity = try batch.velocity(of: handle, as: SIMD2<Float>.self)
      let twin = handle.moved(to: other)
      let otherValue = try other.value(of: twin, as: SIMD2<Float>.self)
      let otherVelocity = try other.velocity(of: twin, as: SIMD2<Float>.self)
      if try batch.phase(of: handle) != model.phase { fault = "\(handle.index): not in phase \(model.phase ?? -1)" }
      for dimension in 0..<2 {
        checks += 1
        let excess = Excess(
          value: value[dimension], velocity: velocity[dimension], of: model.sample(dimension, at: batch.time)
        ).largest
        largestExcess = max(largestExcess, excess)
        if !(excess < 1) { fault = "\(handle.index).\(dimension) is \(excess) of its bound off" }
        if value[dimension].bitPattern != otherValue[dimension].bitPattern
          || velocity[dimension].bitPattern != otherVelocity[dimension].bitPattern
        {
          fault =
            "\(handle.index).\(dimension): \(value), \(velocity), after other frames \(otherValue), \(otherVelocity)"
        }
      }
    }
  }
}

extension TrackHandle {
  /// The handle of the track of another batch that was told the same.
  fileprivate func moved(to batch: borrowing PhaseBatch) -> TrackHandle {
    batch.handle(atIndex: index) ?? self
  }
}
