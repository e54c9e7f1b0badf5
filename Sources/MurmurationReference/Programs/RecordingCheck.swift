// SPDX-License-Identifier: MIT
public import Murmuration

/// What came of playing a recording on a batch and on the reference.
public struct CheckReport: Sendable, CustomStringConvertible {
  /// An error, and where and when it was seen.
  public struct Finding: Sendable, CustomStringConvertible {
    /// The error in units of its bound; infinite where there is no bound to compare with.
    public let error: Double
    /// The position among the calls of the recording.
    public let call: Int
    /// The batch's time, in seconds.
    public let time: Double
    /// The track, by the order of adding; nil if it is about the whole batch.
    public let track: Int?
    /// What was shown, and what should have been.
    public let text: String

    public var description: String {
      let place = track.map { "track \($0), " } ?? ""
      return "\(place)call \(call), \(time) s: \(text)"
    }
  }

  /// A recording that fails, as short as it was found.
  public struct Failure: Sendable {
    /// The first difference between the batch and the reference.
    public let finding: Finding
    /// The calls that lead there.
    public let recording: BatchRecording

    /// The calls as Swift source.
    public var source: String { recording.source }
  }

  /// The largest error of a value, and of a velocity, in units of their bounds.
  public internal(set) var value: Finding?
  public internal(set) var velocity: Finding?
  /// The number of values that were compared, with their velocities.
  public internal(set) var comparisons = 0
  /// Nil if the batch is as the reference says.
  public internal(set) var failure: Failure?

  public var passed: Bool { failure == nil }

  public var description: String {
    var lines = ["\(comparisons) values and velocities compared"]
    for case (let what, let finding?) in [("value", value), ("velocity", velocity)] {
      lines.append("largest error of a \(what): \(finding.error) of the bound; \(finding)")
    }
    if let failure { lines += ["FAILED: \(failure.finding)", "", failure.source] }
    return lines.joined(separator: "\n")
  }
}

/// Plays a recording on a fresh batch and on the reference, and compares the two: values, velocities, targets, events,
/// counts and indices. If they differ, the report has a short program that still shows a difference.
///
/// - Parameters:
///   - recording: The calls of a batch: see `AnimationBatch.record()`.
///   - kernels: The instruction set of the batch; nil for the one in force.
///   - threads: Threads of the batch.
/// - Throws: `BatchError` if there can be no such batch.
public func check(_ recording: BatchRecording, kernels: KernelSet? = nil, threads: Int = 1) throws -> CheckReport {
  func played(_ recording: BatchRecording) throws -> CheckReport {
    var run = try RecordingCheck(recording, kernels, threads)
    return run.play()
  }
  var report = try played(recording)
  guard let first = report.failure else { return report }
  let short = first.recording.shrunk { (try? played($0))?.failure?.recording }
  report.failure = try played(short).failure ?? first
  return report
}

/// One run of a recording on a batch and on the reference.
package struct RecordingCheck: ~Copyable {
  private let recording: BatchRecording
  package private(set) var player: BatchPlayer
  package private(set) var reference: ReferenceBatch
  private var report = CheckReport()
  /// The reference's numbers of changes, by the batch's.
  private var changes: [UInt32: Int] = [:]
  private var position = 0

  package init(_ recording: BatchRecording, _ kernels: KernelSet? = nil, _ threads: Int = 1) throws {
    self.recording = recording
    player = try BatchPlayer(recording, kernels: kernels, threads: threads)
    reference = ReferenceBatch(dimensions: recording.dimensions, curveTolerance: recording.curveTolerance)
  }

  /// Plays the recording up to the first difference.
  package mutating func play() -> CheckReport {
    do throws(Difference) {
      for call in recording.calls {
        try play(call)
        if let broken = player.batch.checkInvariants() { try expect(false, nil, broken) }
        position += 1
      }
    } catch {
      var short = recording
      short.calls = Array(recording.calls.prefix(position + 1))
      report.failure = .init(finding: error.finding, recording: short)
    }
    return report
  }

  private struct Difference: Error { let finding: CheckReport.Finding }

  private func finding(_ error: Double, _ track: Int?, _ text: String) -> CheckReport.Finding {
    .init(error: error, call: position, time: player.batch.time, track: track, text: text)
  }

  private func expect(_ holds: Bool, _ track: Int? = nil, _ text: @autoclosure () -> String) throws(Difference) {
    if !holds { throw Difference(finding: finding(.infinity, track, text())) }
  }

  // MARK: - Calls

  private mutating func play(_ call: BatchCall) throws(Difference) {
    let before = player.batch.latestChange
    let live = player.liveTracks
    do throws(BatchError) {
      try player.perform(call)
    } catch {
      // A refused call changes nothing: what comes after it would show that.
      return try compareTracks()
    }
    let done = try settled(call, live)
    do throws(ClipError) {
      try reference.perform(done)
    } catch {
      try expect(false, nil, "accepted, though \(error)")
    }
    for number in stride(from: before.rawValue &+ 1, through: player.batch.latestChange.rawValue, by: 1) {
      changes[number] = reference.latestChange
    }
    try compareTracks()
    guard case .advance = call.verb else { return }
    try compareEvents()
    try compareValues()
  }

  /// A call about settled tracks names those that the batch removed: within the tolerance it decides which tracks rest.
  private func settled(_ call: BatchCall, _ live: [Int]) throws(Difference) -> BatchCall {
    guard case .removeSettled = call.verb else { return call }
    let removed = live.filter { !player.isLive($0) }
    for track in removed { try expect(reference[track]?.mayRest ?? false, track, "is removed, and moves") }
    return BatchCall(.remove, .tracks(removed.sorted { player.handle($0).index < player.handle($1).index }))
  }

  private func compareTracks() throws(Difference) {
    let (live, expected) = (player.liveTracks, reference.liveTracks)
    try expect(live == expected, nil, "there are the tracks \(live), not \(expected)")
    try expect(player.batch.count == live.count, nil, "the batch counts \(player.batch.count) tracks")
    let (got, byIndex) = (player.tracksByIndex, (0..<reference.indexCount).map { reference.track(at: $0) })
    try expect(got == byIndex, nil, "the tracks by index are \(got), not \(byIndex)")
  }

  // MARK: - Frames

  private mutating func compareValues() throws(Difference) {
    let (time, count) = (player.batch.time, player.batch.indexCount)
    try expect(time == reference.time, nil, "the clock shows \(time) s, not \(reference.time) s")
    var columns = [Float](repeating: .nan, count: count * recording.dimensions)
    var span = columns.mutableSpan
    try expect((try? player.batch.copyValues(planar: &span)) != nil, nil, "no values")
    for dimension in 0..<recording.dimensions {
      let column = columns[(dimension * count)...].prefix(count)
      for track in player.liveTracks {
        let (index, value) = (player.handle(track).index, player.batch[player.handle(track)]?.component(dimension))
        let shown = column[column.startIndex + index]
        try expect(shown == value, track, "by index \(shown), by handle \(value ?? .nan)")
      }
    }
    for index in 0..<count where reference.track(at: index) == nil {
      let isZero = (0..<recording.dimensions).allSatisfy { columns[$0 * count + index].bitPattern == 0 }
      try expect(isZero, nil, "index \(index), which has no track, does not read 0")
    }
    for track in player.liveTracks where !(reference[track]?.isAtStep ?? false) {
      try compare(track)
      try compareStates(track)
    }
  }

  /// Compares what a track tells about itself, where the reference decides it.
  private func compareStates(_ track: Int) throws(Difference) {
    let handle = player.handle(track)
    guard let expected = reference[track], !expected.isUndecided else { return }
    let (isPaused, phase) = (player.batch.isPaused(handle), player.batch.phase(of: handle))
    // A pause leaves a track at rest alone, and near rest a batch may have it there.
    let pauseHolds = isPaused == expected.isPaused || isPaused == false && expected.mayRest
    try expect(pauseHolds, track, "isPaused is \(isPaused.map { "\($0)" } ?? "nil")")
    let isFollowing = player.batch.motion(of: handle) == .following
    try expect(isFollowing == (expected.follower != nil), track, "it follows: \(isFollowing)")
    let (due, next) = (expected.schedule?.phases, player.batch.nextStepTime(of: handle))
    try expect(phase == due?.phase, track, "its phase is \(phase ?? -1), not \(due?.phase ?? -1)")
    let step = due.map { expected.isPaused ? .infinity : expected.clock.moment(of: $0.nextChange) }
    let isNear = next == step || abs((next ?? .nan) - (step ?? .nan)) <= (due?.rounding(at: player.batch.time) ?? 0)
    try expect(isNear, track, "its next step is at \(next ?? .nan) s, not at \(step ?? .nan) s")
  }

  private mutating func compare(_ track: Int) throws(Difference) {
    let handle = player.handle(track)
    guard let value = player.batch[handle], let velocity = player.batch.velocity(of: handle),
      let target = player.batch.target(of: handle)
    else { return try expect(false, track, "is not there") }
    let (exact, goal) = (reference.state(of: track), reference.target(of: track))
    for dimension in 0..<recording.dimensions {
      let (got, speed, sample) = (value.component(dimension), velocity.component(dimension), exact[dimension])
      let excess = Excess(value: got, velocity: speed, of: sample)
      report.comparisons += 1
      try compare(
        excess.value, with: \.value, track,
        "component \(dimension) is \(got), exactly \(sample.value) ± \(sample.bound.value)")
      try compare(
        excess.velocity, with: \.velocity, track,
        "the velocity of component \(dimension) is \(speed), exactly \(sample.velocity) ± \(sample.bound.velocity)")
      // The end of a slide is a sum, which is rounded.
      if reference[track]?.isUndecided ?? false { continue }
      let error = abs(Double(target.component(dimension)) - Double(goal[dimension]))
      // Goals in place may be no numbers.
      let isTarget = error <= reference[track]?.goal[dimension].bound.value ?? 0 || !goal[dimension].isFinite
      try expect(
        isTarget, track,
        "its target is \(target.component(dimension)) in component \(dimension), not \(goal[dimension])")
    }
  }

  /// Keeps an error, in units of its bound, if it is the largest so far.
  private mutating func compare(
    _ error: Double, with largest: WritableKeyPath<CheckReport, CheckReport.Finding?>, _ track: Int,
    _ text: @autoclosure () -> String
  ) throws(Difference) {
    if !(error <= report[keyPath: largest]?.error ?? -1) { report[keyPath: largest] = finding(error, track, text()) }
    try expect(error <= 1, track, text())
  }

  // MARK: - Events

  private mutating func compareEvents() throws(Difference) {
    var due = Dictionary(grouping: reference.events, by: \.track).mapValues { $0.map(\.event) }
    let byIndex = player.tracksByIndex
    for event in player.batch.events {
      guard player.batch.contains(event.track), let track = byIndex[event.track.index] else {
        return try expect(false, nil, "\(event) is about a track that is gone")
      }
      let isUndecided = reference[track]?.eventsAreUndecided ?? false
      guard let change = changes[event.change.rawValue] else {
        try expect(isUndecided, track, "\(event) is about no change")
        continue
      }
      func tells(_ due: ReferenceEvent) -> Bool {
        (due.kind, due.number, due.change) == (event.kind, event.number, change) && due.moment.contains(event.moment)
      }
      // Events that had to come are matched before events that could come.
      let list = due[track] ?? []
      let found =
        list.firstIndex { tells($0) && $0.moment.upperBound <= reference.time } ?? list.firstIndex(where: tells)
      try expect(
        found != nil || isUndecided, track,
        "\(event.kind) \(event.number) of change \(change) is reported for \(event.moment) s; due is \(list)")
      if let found, let event = due[track]?.remove(at: found) { reference.note(event, of: track) }
    }
    for (last, event) in zip(player.batch.events, player.batch.events.dropFirst()) {
      let isOrdered = (last.track.index, last.moment) <= (event.track.index, event.moment)
      try expect(isOrdered, byIndex[event.track.index], "\(event) comes after \(last)")
    }
    for (track, list) in due.sorted(by: { $0.key < $1.key }) where !(reference[track]?.eventsAreUndecided ?? false) {
      let missing = list.first { $0.moment.upperBound <= reference.time }
      try expect(missing == nil, track, "not reported: \(missing.map { "\($0)" } ?? "")")
    }
  }
}
