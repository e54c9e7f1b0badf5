// SPDX-License-Identifier: MIT
@testable import Murmuration

/// A batch of phases and a batch of any motions that get the same calls, and must show the same and report the same.
struct PhaseTwins: ~Copyable {
  /// What sequences are made of.
  enum Content: String, CaseIterable, Sendable {
    case springs, jumps, curves, both
  }

  private var batch: PhaseBatch
  private var twin: AnimationBatch<SIMD2<Float>>
  /// Takes the same calls, in other frames and with other kernels.
  private var other: AnimationBatch<SIMD2<Float>>
  private let content: Content
  private let sequence: PhaseSequence
  private let playback: PhasePlayback
  private let ids: [PhaseSequenceID]
  private var tracks: [(old: TrackHandle, new: TrackHandle, other: TrackHandle, scale: Float)] = []
  private var random: SplitMix64
  private(set) var log: [String] = []
  /// Whether no call was made since the last frame.
  private var isFrame = false
  /// Comparisons of values so far.
  private(set) var checks = 0

  /// - Parameter tolerance: What counts as at rest.
  init(seed: UInt64, _ content: Content, _ playback: PhasePlayback, tolerance: Float) throws {
    var random = SplitMix64(seed: seed)
    func pick(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
    let count = 2 + pick(4)
    var targets: [[Float]] = []
    var animations: [Animation?] = []
    for phase in 0..<count {
      // At times a step changes nothing.
      let repeats = phase > 0 && pick(5) == 0
      targets.append(repeats ? targets[phase - 1] : [Float(pick(40)) - 20, Float(pick(2000)) - 1000])
      animations.append(Self.animation(content, pick))
    }
    let sequence = try PhaseSequence(dimensions: 2, targets: targets, animations: animations)
    var batch = try PhaseBatch(sequence, playback: playback)
    batch.reportsPhaseChanges = true
    batch.springs.restTolerance = try RestTolerances(value: tolerance)
    var twin = try AnimationBatch<SIMD2<Float>>()
    var other = try AnimationBatch<SIMD2<Float>>(kernels: .portable)
    twin.restTolerance = try RestTolerances(value: tolerance)
    other.restTolerance = try RestTolerances(value: tolerance)
    twin.reports = .phases
    other.reports = .phases
    ids = [try twin.load(sequence), try other.load(sequence)]
    (self.content, self.sequence, self.playback, self.random) = (content, sequence, playback, random)
    log = ["\(animations.map { $0.map { "\($0)" } ?? "nil" }), targets \(targets)"]
    self.batch = batch
    self.twin = twin
    self.other = other
  }

  private static func animation(_ content: Content, _ pick: (Int) -> Int) -> Animation? {
    let bounces = [0.0, 0.2, 0.4, -0.3, -0.6]
    let spring = Animation.spring(
      duration: [0.08, 0.25, 0.4, 0.7][pick(4)], bounce: bounces[pick(content == .springs ? 3 : 5)])
    let curves: [Animation] = [
      .easeInOut(duration: 0.3), .linear(duration: 0.2), .easeOut(duration: 0.25).delay(0.1), .easeIn.speed(2),
    ]
    switch content {
    case .springs: return spring
    case .jumps: return pick(3) == 0 ? (pick(3) == 0 ? .spring(duration: 0) : nil) : spring
    case .curves: return curves[pick(4)]
    case .both: return pick(2) == 0 ? spring : curves[pick(4)]
    }
  }

  private var hasCurves: Bool { content == .curves || content == .both }

  private mutating func pick(below count: Int) -> Int { Int(random.next() % UInt64(max(1, count))) }

  private mutating func someTracks() -> [Int] {
    let count = 1 + pick(below: 5)
    let first = pick(below: tracks.count)
    return (0..<min(count, tracks.count)).map { (first + $0) % tracks.count }
  }

  // MARK: - Calls

  /// Makes a random call on all.
  mutating func call() throws {
    isFrame = false
    switch tracks.isEmpty ? 0 : pick(below: 24) {
    case 0, 1: try add()
    case 2, 3, 4: try trigger()
    case 5, 6: try pause()
    case 7, 8: try resume()
    case 9: try remove()
    case 10: try compact()
    default: try advance()
    }
  }

  private mutating func add() throws {
    let count = 1 + pick(below: pick(below: 2) == 0 ? 3 : 40)
    let starts = (0..<count).map { _ in batch.time + random.uniform(-1.5...0.7) }
    let isPlain = pick(below: 2) == 0
    let varied = (0..<2 * count).map { _ in Float(random.uniform(-5...5)) }
    let scales = (0..<2 * count).map { _ in pick(below: 9) == 0 ? 0 : Float(random.uniform(-2...2)) }
    log.append("add \(count), \(isPlain ? "plain" : "varied")")
    let old =
      isPlain
      ? try batch.add(startingAt: starts.span)
      : try batch.add(startingAt: starts.span, offsets: varied.span, scales: scales.span)
    let offsetVectors = (0..<count).map { SIMD2(varied[$0], varied[count + $0]) }
    let scaleVectors = (0..<count).map { SIMD2(scales[$0], scales[count + $0]) }
    var firsts: [SIMD2<Float>] = []
    for handle in old { firsts.append(try batch.value(of: handle, as: SIMD2<Float>.self)) }
    let (new, others) = (try twin.add(firsts), try other.add(firsts))
    try twin.play(
      ids[0], on: new, playback, startingAt: starts, offsets: isPlain ? [] : offsetVectors,
      scales: isPlain ? [] : scaleVectors)
    try other.play(
      ids[1], on: others, playback, startingAt: starts, offsets: isPlain ? [] : offsetVectors,
      scales: isPlain ? [] : scaleVectors)
    for index in old.indices {
      let scale = isPlain ? 1 : max(abs(scales[index]), abs(scales[count + index]))
      tracks.append((old[index], new[index], others[index], scale))
    }
  }

  private mutating func trigger() throws {
    var chosen = someTracks()
    // Two steps at the very end of a curve add up or replace each other as roundings have it.
    if hasCurves { chosen.removeAll { hasJustStepped(tracks[$0].new) } }
    log.append("trigger \(chosen.map { tracks[$0].new.index })")
    let old = chosen.map { tracks[$0].old }
    try batch.trigger(old.span)
    try twin.trigger(chosen.map { tracks[$0].new })
    try other.trigger(chosen.map { tracks[$0].other })
  }

  private func hasJustStepped(_ track: TrackHandle) -> Bool {
    guard let phase = twin.phase(of: track), let next = twin.nextStepTime(of: track) else { return false }
    return abs(next - twin.time - sequence.stepDuration(to: phase)) < 1e-9
  }

  private mutating func pause() throws {
    let chosen = someTracks()
    log.append("pause \(chosen.map { tracks[$0].new.index })")
    for track in chosen { try batch.pause(tracks[track].old) }
    try twin.pausePlayback(of: chosen.map { tracks[$0].new })
    try other.pausePlayback(of: chosen.map { tracks[$0].other })
  }

  private mutating func resume() throws {
    let chosen = someTracks()
    log.append("resume \(chosen.map { tracks[$0].new.index })")
    for track in chosen { try batch.resume(tracks[track].old) }
    try twin.resumePlayback(of: chosen.map { tracks[$0].new })
    try other.resumePlayback(of: chosen.map { tracks[$0].other })
  }

  private mutating func remove() throws {
    let chosen = Set(someTracks()).sorted()
    log.append("remove \(chosen.map { tracks[$0].new.index })")
    let old = chosen.map { tracks[$0].old }
    try batch.remove(old.span)
    try twin.remove(chosen.map { tracks[$0].new })
    try other.remove(chosen.map { tracks[$0].other })
    tracks = tracks.indices.filter { !chosen.contains($0) }.map { tracks[$0] }
  }

  private mutating func compact() throws {
    log.append("compact")
    try batch.compact()
    try twin.compact()
  }

  private mutating func advance() throws {
    let velocities = pick(below: 2) == 0
    batch.computesVelocities = velocities
    var time = batch.time + [0, 1e-4, 1.0 / 60, 0.11, 0.6, 3][pick(below: 6)]
    if pick(below: 6) == 0 { time = batch.time - 0.05 }
    log.append("advance to \(time)\(velocities ? ", velocities" : "")")
    let (now, isBack) = (batch.time, time < batch.time)
    let old = Result { try batch.advance(to: time) }
    let new = Result { try twin.advance(to: time, velocities: velocities) }
    switch (old, new) {
    case (.success, .success): break
    // How far a batch of curves goes back is another matter.
    case (.failure, .success) where isBack && hasCurves, (.success, .failure) where isBack && hasCurves:
      try batch.advance(to: now)
      try twin.advance(to: now)
      return try other.advance(to: now)
    case (.failure, .failure): return
    default: throw EngineTwins.Difference("advance to \(time): \(old), engine \(new)")
    }
    if !isBack {
      for _ in 0..<pick(below: 4) { try other.advance(to: other.time + (batch.time - other.time) * random.unit()) }
    }
    try other.advance(to: batch.time)
    isFrame = isBack || time > now
    try compareEvents()
  }

  // MARK: - Comparison

  private func compareEvents() throws {
    let steps = twin.events.filter { $0.kind == .phase }.map { [$0.track.index, $0.number] }
    let expected = batch.phaseChanges.map { [$0.handle.index, $0.phase] }
    guard steps == expected else { throw EngineTwins.Difference("steps \(steps), batch \(expected)") }
    let moments = twin.events.filter { $0.kind == .phase }.map(\.moment)
    let agree = zip(moments, batch.phaseChanges).allSatisfy { abs($0 - $1.time) <= 16 * max(1, abs($0)).ulp }
    guard agree else { throw EngineTwins.Difference("moments \(moments)") }
    let ended = twin.events.filter { $0.kind == .logicallyComplete }.map(\.track.index)
    let ends = (batch.completed + batch.stalled).map(\.index).sorted()
    guard ended == ends else { throw EngineTwins.Difference("ended \(ended), batch \(ends)") }
    for event in twin.events where event.moment > twin.time + 1e-6 * abs(twin.time) + 1e-9 {
      throw EngineTwins.Difference("\(event) after \(twin.time)")
    }
  }

  /// Compares what all show.
  mutating func compare() throws {
    guard twin.count == batch.count else { throw EngineTwins.Difference("\(twin.count) tracks, \(batch.count)") }
    // Of what was resumed, a batch of phases has the velocity of the next frame with that frame.
    let readsVelocities = pick(below: 2) == 0 && isFrame
    for (old, new, third, scale) in tracks {
      let (phase, next) = (twin.phase(of: new), twin.nextStepTime(of: new))
      let (oldPhase, oldNext) = (try batch.phase(of: old), try batch.nextStepTime(of: old))
      guard phase == oldPhase, next == oldNext else {
        throw EngineTwins.Difference(
          "\(new.index): phase \(phase ?? -1), next step \(next ?? -1), batch \(oldPhase), \(oldNext)")
      }
      let (value, expected) = (twin[new] ?? .zero, try batch.value(of: old, as: SIMD2<Float>.self))
      try compare(new, "value", value, expected, bound: 1e-4 * scale)
      try compareExactly(new, "in other frames, value", value, other[third] ?? .zero)
      // The velocity of a curve changes at once where a step begins.
      let untilStep = oldNext - batch.time
      let isStep = abs(untilStep) < 1e-6 || abs(untilStep - sequence.stepDuration(to: oldPhase)) < 1e-6
      guard readsVelocities, !hasCurves || !isStep else { continue }
      let (speed, slope) = (twin.velocity(of: new) ?? .zero, try batch.velocity(of: old, as: SIMD2<Float>.self))
      try compare(new, "velocity", speed, slope, bound: 3e-2 * scale)
      try compareExactly(new, "in other frames, velocity", speed, other.velocity(of: third) ?? .zero)
    }
  }

  /// Compares the bits where springs play, and with a bound otherwise: a share of the longest way.
  private mutating func compare(
    _ track: TrackHandle, _ what: String, _ shown: SIMD2<Float>, _ expected: SIMD2<Float>, bound: Float
  ) throws {
    checks += 1
    guard hasCurves else { return try compareExactly(track, what, shown, expected) }
    let error = abs(shown.x - expected.x) / 40 + abs(shown.y - expected.y) / 2000
    guard error <= bound + 1e-6 else {
      throw EngineTwins.Difference("\(what) of \(track.index): \(shown), batch \(expected)")
    }
  }

  private func compareExactly(
    _ track: TrackHandle, _ what: String, _ shown: SIMD2<Float>, _ expected: SIMD2<Float>
  ) throws {
    // A batch of phases takes the rest of what does not end with its step from another bound than frames do.
    func agrees(_ a: Float, _ b: Float) -> Bool { a.bitPattern == b.bitPattern || max(abs(a), abs(b)) < 1e-20 }
    let agrees = agrees(shown.x, expected.x) && agrees(shown.y, expected.y)
    guard agrees else { throw EngineTwins.Difference("\(what) of \(track.index): \(shown), not \(expected)") }
  }
}
