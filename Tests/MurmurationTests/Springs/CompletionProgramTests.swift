// SPDX-License-Identifier: MIT
import TestSupport
import Testing

@testable import Murmuration

/// Random programs of every call, against a list of what each track must report: each motion once in each list, at the
/// right advance, in the documented order, wherever the clock goes.
struct CompletionProgramTests {
  @Test(arguments: 1...8) func everyMotionIsReportedOnce(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for program in 0..<Effort.draws(quick: 12, soak: 60) {
      var stage = Stage(batch: try SpringBatch(kernels: KernelSet.available.randomElement(using: &random)))
      stage.batch.computesVelocities = program % 2 == 0
      for _ in 0..<60 {
        try stage.change(&random)
        try stage.move(&random)
        guard try stage.check() else {
          Issue.record("seed \(seed), program \(program):\n\(stage.log.joined(separator: "\n"))")
          return
        }
      }
    }
  }
}

/// What is known of one track's motion.
private struct Expected {
  var handle: TrackHandle
  var start: Double
  var duration: Double
  var isCompleteReported = false
  var isSettledReported = false
}

private struct Stage: ~Copyable {
  var batch: SpringBatch
  var log: [String] = []
  private var tracks: [Expected] = []

  init(batch: consuming SpringBatch) { self.batch = batch }

  // MARK: - Calls

  private func spring(_ random: inout SplitMix64) -> Spring {
    switch random.next() % 8 {
    case 0: Spring(duration: 0, bounce: 0)
    case 1: Spring(duration: random.uniform(0.1...2), bounce: 1)
    default: Motion(Motion.Regime.allCases[Int(random.next() % 5)], &random).spring
    }
  }

  private func numbers(_ count: Int, _ random: inout SplitMix64) -> [Float] {
    // Whole numbers, some of them 0, so that some motions have no length.
    (0..<count).map { _ in Float(Int(random.next() % 7) - 3) * 20 }
  }

  private func some(_ random: inout SplitMix64) -> [Int] {
    let share = random.next() % 4
    var indices = tracks.indices.filter { _ in random.next() % 4 <= share }
    if random.next() & 1 == 0 {
      indices.shuffle(using: &random)
    }
    return random.next() % 3 == 0 ? Array(indices.prefix(5)) : indices
  }

  /// A motion that a call started now.
  private mutating func restart(_ index: Int, _ spring: Spring?) {
    tracks[index].start = batch.time
    tracks[index].duration = spring?.duration ?? tracks[index].duration
    tracks[index].isCompleteReported = false
    tracks[index].isSettledReported = false
  }

  mutating func change(_ random: inout SplitMix64) throws {
    switch tracks.isEmpty ? random.next() % 3 : random.next() % 15 {
    case 0:
      let spring = spring(&random)
      let numbers = numbers(3, &random)
      let handle = try batch.add(spring, value: numbers[0], target: numbers[1], velocity: numbers[2])
      tracks.append(Expected(handle: handle, start: batch.time, duration: spring.duration))
      log.append("add \(handle.index) alone")
    case 1, 2:
      try addMany(&random)
    case 3, 4:
      let index = Int(random.next() % UInt64(tracks.count))
      let new = random.next() & 1 == 0 ? spring(&random) : nil
      try batch.retarget(tracks[index].handle, to: numbers(1, &random)[0], spring: new)
      restart(index, new)
      log.append("retarget \(tracks[index].handle.index)\(new == nil ? "" : " with a spring")")
    case 5, 6:
      let chosen = some(&random)
      let new = random.next() & 1 == 0 ? spring(&random) : nil
      let (handles, targets) = (chosen.map { tracks[$0].handle }, numbers(chosen.count, &random))
      try batch.retarget(handles.span, to: targets.span, spring: new)
      for index in chosen {
        restart(index, new)
      }
      log.append("retarget \(handles.map(\.index))\(new == nil ? "" : " with a spring")")
    case 7:
      let new = random.next() & 1 == 0 ? spring(&random) : nil
      let targets = numbers(batch.indexCount, &random)
      try batch.retargetAll(to: targets.span, spring: new)
      for index in tracks.indices {
        restart(index, new)
      }
      log.append("retarget all\(new == nil ? "" : " with a spring")")
    case 8:
      try retargetRange(&random)
    case 9:
      let chosen = some(&random)
      let handles = chosen.map { tracks[$0].handle }
      let (values, velocities) = (numbers(chosen.count, &random), numbers(chosen.count, &random))
      try batch.set(handles.span, values: values.span, velocities: velocities.span)
      for index in chosen {
        restart(index, nil)
      }
      log.append("set \(handles.map(\.index))")
    case 10:
      let chosen = some(&random)
      let handles = chosen.map { tracks[$0].handle }
      try batch.remove(handles.span)
      tracks.removeAll { handles.contains($0.handle) }
      log.append("remove \(handles.map(\.index))")
    case 11:
      let chosen = some(&random)
      let (handles, targets) = (chosen.map { tracks[$0].handle }, numbers(chosen.count, &random))
      let springs = chosen.map { _ in spring(&random) }
      try batch.retarget(handles.span, to: targets.span, springs: springs.span)
      for (place, index) in chosen.enumerated() {
        restart(index, springs[place])
      }
      log.append("retarget \(handles.map(\.index)) with springs")
    case 12:
      try batch.compact()
      log.append("compact")
    case 13:
      batch.restTolerance = try RestTolerances(value: Float(random.logarithmic(1e-5...1)))
      log.append("tolerance \(batch.restTolerance.value)")
    default:
      break
    }
  }

  private mutating func addMany(_ random: inout SplitMix64) throws {
    let count = 1 + Int(random.next() % 40)
    let (values, targets, velocities) = (numbers(count, &random), numbers(count, &random), numbers(count, &random))
    let springs = (0..<count).map { _ in spring(&random) }
    let isCohort = random.next() & 1 == 0
    let handles =
      isCohort
      ? try batch.add(springs[0], values: values.span, targets: targets.span, velocities: velocities.span)
      : try batch.add(springs.span, values: values.span, targets: targets.span, velocities: velocities.span)
    for (place, handle) in handles.enumerated() {
      let duration = springs[isCohort ? 0 : place].duration
      tracks.append(Expected(handle: handle, start: batch.time, duration: duration))
    }
    log.append("add \(handles.map(\.index)) \(isCohort ? "as a cohort" : "with springs")")
  }

  private mutating func retargetRange(_ random: inout SplitMix64) throws {
    let bounds = [Int(random.next() % UInt64(batch.indexCount + 1)), Int(random.next() % UInt64(batch.indexCount + 1))]
    let range = (bounds.min() ?? 0)..<(bounds.max() ?? 0)
    let new = random.next() & 1 == 0 ? spring(&random) : nil
    let targets = numbers(range.count, &random)
    try batch.retarget(range, to: targets.span, spring: new)
    for index in tracks.indices where range.contains(tracks[index].handle.index) {
      restart(index, new)
    }
    log.append("retarget \(range)\(new == nil ? "" : " with a spring")")
  }

  // MARK: - The clock

  mutating func move(_ random: inout SplitMix64) throws {
    let latest = tracks.map(\.start).max() ?? batch.time - 1
    let time =
      switch random.next() % 8 {
      case 0: latest
      case 1: latest + (batch.time - latest) * random.unit()
      case 2: batch.time
      case 3: batch.time + random.uniform(0...20)
      default: batch.time + random.uniform(0...0.5)
      }
    if !tracks.isEmpty {
      #expect(throws: BatchError.timeBeforeStart(time: latest - 1, start: latest)) { try batch.advance(to: latest - 1) }
    }
    let isMove = time != batch.time
    try batch.advance(to: time)
    log.append("advance(to: \(time))")
    if !isMove {
      let isQuiet = batch.logicallyComplete.isEmpty && batch.settled.isEmpty
      #expect(isQuiet)
    }
    isMoved = isMove
  }

  private var isMoved = true

  // MARK: - Reports

  /// Where a track's report comes: cohorts with tiles of their own by place, then small cohorts, then those that move alone;
  /// within each by row.
  private func order(_ handle: TrackHandle) throws -> [Int] {
    let row = try batch.rowIndex(of: handle)
    let kind = batch.tiles.kind(ofRow: row)
    if kind >= TileKind.firstCohort {
      return [0, Int(kind), row]
    }
    return [kind == TileKind.shared ? 1 : 2, Int(kind), row]
  }

  /// Whether the reports of the last advance are the expected ones.
  mutating func check() throws -> Bool {
    guard isMoved else {
      return true
    }
    let (complete, settled) = (batch.logicallyComplete, batch.settled)
    for reports in [complete, settled] {
      let places = try reports.map { handle in try order(handle) }
      for (place, next) in zip(places, places.dropFirst()) where !place.lexicographicallyPrecedes(next) {
        log.append("reports out of order: \(place), \(next)")
        return false
      }
    }
    let (completeSet, settledSet) = (Set(complete), Set(settled))
    for index in tracks.indices {
      let handle = tracks[index].handle
      let rest = try batch.restTime(of: handle)
      let age = batch.time - tracks[index].start
      let rests = batch.time >= rest
      let isLogical = rests || age >= tracks[index].duration * 0.999_999
      let isComplete = completeSet.contains(handle)
      let isSettled = settledSet.contains(handle)
      // Within a rounding of the perceptual duration either is right.
      let isClose = abs(age - tracks[index].duration) <= 2e-6 * tracks[index].duration
      guard isClose || isComplete == (isLogical && !tracks[index].isCompleteReported),
        isSettled == (rests && !tracks[index].isSettledReported), try batch.isAtRest(handle) == rests
      else {
        log.append(
          "track \(handle.index), begun at \(tracks[index].start), at rest from \(rest): "
            + "complete \(isComplete), settled \(isSettled)")
        return false
      }
      tracks[index].isCompleteReported = tracks[index].isCompleteReported || isComplete
      tracks[index].isSettledReported = tracks[index].isSettledReported || isSettled
      if tracks[index].isSettledReported && !tracks[index].isCompleteReported {
        log.append("track \(handle.index) settled before it was complete")
        return false
      }
    }
    let live = Set(tracks.map(\.handle))
    return completeSet.isSubset(of: live) && settledSet.isSubset(of: live) && batch.count == tracks.count
  }
}
