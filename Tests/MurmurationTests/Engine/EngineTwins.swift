// SPDX-License-Identifier: MIT
@testable import Murmuration

/// An engine and a batch of springs that get the same calls, and must show the same bits and report the same completions.
struct EngineTwins: ~Copyable {
  private var engine: Engine
  private var batch: SpringBatch
  private let dimensions: Int
  /// The handles of a track in both.
  private var tracks: [(engine: TrackHandle, batch: TrackHandle)] = []
  private var random: SplitMix64
  /// The calls so far.
  private(set) var log: [String] = []

  init(seed: UInt64, dimensions: Int, set: KernelSet? = nil) throws {
    let engine = try Engine(dimensions: dimensions, capacity: 0, kernels: set)
    let batch = try SpringBatch(dimensions: dimensions, kernels: set)
    random = SplitMix64(seed: seed)
    self.dimensions = dimensions
    self.engine = engine
    self.batch = batch
  }

  // MARK: - Draws

  private mutating func pick(below count: Int) -> Int { Int(random.next() % UInt64(max(1, count))) }

  private mutating func spring() -> Spring {
    let bounces = [0.0, 0.3, 0.7, 1, -0.3, -0.8]
    return pick(below: 12) == 0
      ? Spring(duration: 0, bounce: 0)
      : Spring(duration: [0.05, 0.2, 0.5, 1.3, 4][pick(below: 5)], bounce: bounces[pick(below: bounces.count)])
  }

  private mutating func numbers(_ count: Int) -> [Float] {
    (0..<count * dimensions).map { _ in Float(random.uniform(-100...100)) }
  }

  /// Some tracks, at times in their order, at times with some named twice.
  private mutating func someTracks() -> [Int] {
    let count = 1 + pick(below: pick(below: 2) == 0 ? 6 : tracks.count)
    let first = pick(below: tracks.count)
    var chosen = (0..<min(count, tracks.count)).map { (first + $0) % tracks.count }
    if pick(below: 3) == 0 { chosen.shuffle(using: &random) }
    if pick(below: 4) == 0 { chosen += chosen.prefix(2) }
    return chosen
  }

  // MARK: - Calls

  /// Makes a random call on both.
  mutating func call() throws {
    switch tracks.isEmpty ? 0 : pick(below: 24) {
    case 0, 1: try add()
    case 2, 3, 4: try retargetOne()
    case 5, 6, 7, 8: try retargetSome()
    case 9: try retargetAll()
    case 10: try setSome()
    case 11: try decelerateSome()
    case 12: try delaySome()
    case 13, 14: try remove()
    case 15: try compactOrTolerate()
    default: try advance()
    }
  }

  private mutating func add() throws {
    let count = pick(below: 3) == 0 ? 1 : 1 + pick(below: 70)
    let (values, targets) = (numbers(count), numbers(count))
    let velocities = pick(below: 2) == 0 ? numbers(count) : [Float](repeating: 0, count: count * dimensions)
    let each = pick(below: 3) == 0
    let springs = (0..<(each ? count : 1)).map { _ in spring() }
    log.append("add \(count), springs \(springs.count)")
    var handles = [TrackHandle](repeating: .noTrack, count: count)
    var span = handles.mutableSpan
    try with(values) { values, engine in try engine.add(values, handles: &span) }
    try with(values, velocities) { values, velocities, engine in
      try engine.pick(handles.span)
      _ = engine.setPicked(values, velocities)
    }
    try with(targets) { targets, engine in
      try engine.pick(handles.span)
      _ =
        each
        ? engine.animatePicked(targets) { .spring(SpringCoefficients(accepted: springs[$0])) }
        : engine.animatePicked(targets, .spring(SpringCoefficients(accepted: springs[0])))
    }
    let others =
      each
      ? try batch.add(springs.span, values: values.span, targets: targets.span, velocities: velocities.span)
      : try batch.add(springs[0], values: values.span, targets: targets.span, velocities: velocities.span)
    for index in handles.indices { tracks.append((handles[index], others[index])) }
  }

  private mutating func retargetOne() throws {
    let track = pick(below: tracks.count)
    let goal = numbers(1)
    let spring = pick(below: 3) == 0 ? nil : spring()
    log.append("retarget \(track) \(spring.map { "\($0.duration) \($0.bounce)" } ?? "keep")")
    let handle = tracks[track].engine
    try with(goal) { goal, engine in
      _ = try engine.animate(handle, to: goal, spring.map { .spring(SpringCoefficients(accepted: $0)) })
    }
    // As a call about one track.
    switch dimensions {
    case 1: try batch.retarget(tracks[track].batch, to: goal[0], spring: spring)
    case 2: try batch.retarget(tracks[track].batch, to: SIMD2(goal[0], goal[1]), spring: spring)
    default: try batch.retarget(tracks[track].batch, to: SIMD3(goal[0], goal[1], goal[2]), spring: spring)
    }
  }

  private mutating func retargetSome() throws {
    let chosen = someTracks()
    let goals = numbers(chosen.count)
    let handles = chosen.map { tracks[$0].engine }
    let others = chosen.map { tracks[$0].batch }
    if pick(below: 3) == 0 {
      let springs = chosen.map { _ in spring() }
      log.append("retarget \(chosen) with a spring each")
      try with(goals) { goals, engine in
        try engine.pick(handles.span)
        _ = engine.animatePicked(goals) { .spring(SpringCoefficients(accepted: springs[$0])) }
      }
      try batch.retarget(others.span, to: goals.span, springs: springs.span)
    } else {
      let spring = pick(below: 3) == 0 ? nil : spring()
      log.append("retarget \(chosen), \(spring.map { "\($0.duration) \($0.bounce)" } ?? "keep")")
      try with(goals) { goals, engine in
        try engine.pick(handles.span)
        _ = engine.animatePicked(goals, spring.map { .spring(SpringCoefficients(accepted: $0)) })
      }
      try batch.retarget(others.span, to: goals.span, spring: spring)
    }
  }

  private mutating func retargetAll() throws {
    let goals = numbers(batch.indexCount)
    let spring = pick(below: 2) == 0 ? nil : spring()
    log.append("retarget all, \(spring.map { "\($0.duration) \($0.bounce)" } ?? "keep")")
    try with(goals) { goals, engine in
      _ = try engine.animateAll(goals, spring.map { SpringCoefficients(accepted: $0) })
    }
    try batch.retargetAll(to: goals.span, spring: spring)
  }

  private mutating func setSome() throws {
    let chosen = someTracks()
    let (values, velocities) = (numbers(chosen.count), numbers(chosen.count))
    log.append("set \(chosen)")
    let handles = chosen.map { tracks[$0].engine }
    try with(values, velocities) { values, velocities, engine in
      try engine.pick(handles.span)
      _ = engine.setPicked(values, velocities)
    }
    let others = chosen.map { tracks[$0].batch }
    try batch.set(others.span, values: values.span, velocities: velocities.span)
  }

  private mutating func decelerateSome() throws {
    let chosen = someTracks()
    let velocities = numbers(chosen.count)
    log.append("decelerate \(chosen)")
    let handles = chosen.map { tracks[$0].engine }
    try with(velocities) { velocities, engine in
      try engine.pick(handles.span)
      _ = try engine.deceleratePicked(velocities, by: .fast)
    }
    let others = chosen.map { tracks[$0].batch }
    try batch.decelerate(others.span, velocities: velocities.span, by: .fast)
  }

  private mutating func delaySome() throws {
    let chosen = someTracks()
    let goals = numbers(chosen.count)
    let delays = chosen.map { _ in random.uniform(0...1) }
    let spring = pick(below: 2) == 0 ? nil : spring()
    log.append("delay \(chosen) \(delays), \(spring.map { "\($0.duration) \($0.bounce)" } ?? "keep")")
    let handles = chosen.map { tracks[$0].engine }
    try with(goals) { goals, engine in
      try engine.pick(handles.span)
      _ = try engine.animatePicked(goals, delays: delays.span) { _ in
        spring.map { .spring(SpringCoefficients(accepted: $0)) }
      }
    }
    let others = chosen.map { tracks[$0].batch }
    try batch.retarget(others.span, to: goals.span, spring: spring, delays: delays.span)
  }

  private mutating func remove() throws {
    let chosen = Set(someTracks().prefix(1 + pick(below: 20)))
    log.append("remove \(chosen.sorted())")
    let (handles, others) = (chosen.sorted().map { tracks[$0].engine }, chosen.sorted().map { tracks[$0].batch })
    try engine.remove(handles.span)
    try batch.remove(others.span)
    tracks = tracks.indices.filter { !chosen.contains($0) }.map { tracks[$0] }
  }

  private mutating func compactOrTolerate() throws {
    if pick(below: 2) == 0 {
      log.append("compact")
      try engine.compact()
      try batch.compact()
    } else {
      let tolerance = try RestTolerances(value: pick(below: 2) == 0 ? 1 : 0.001)
      log.append("tolerance \(tolerance.value)")
      engine.springs.setTolerance(tolerance, engine.tracks)
      batch.restTolerance = tolerance
    }
  }

  private mutating func advance() throws {
    let velocities = pick(below: 2) == 0
    batch.computesVelocities = velocities
    var time = batch.time + [0, 1e-4, 1.0 / 60, 0.3, 2][pick(below: 5)]
    if pick(below: 5) == 0 { time = max(batch.latestStart, batch.time - 0.5) }
    log.append("advance to \(time)\(velocities ? ", velocities" : "")")
    let refused = Result { try batch.advance(to: time) }
    let otherRefused = Result { try engine.advance(to: time, velocities: velocities) }
    switch (refused, otherRefused) {
    case (.success, .success), (.failure, .failure): break
    default: throw Difference("advance to \(time): \(refused), engine \(otherRefused)")
    }
    if case .success = refused { try compareEvents() }
  }

  // MARK: - Comparison

  struct Difference: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }

  private func compareEvents() throws {
    let logical = engine.events.events.filter { $0.kind == .logicallyComplete }.map(\.track.index)
    let settled = engine.events.events.filter { $0.kind == .settled }.map(\.track.index)
    guard logical == batch.logicallyComplete.map(\.index).sorted() else {
      throw Difference("complete: \(logical), batch \(batch.logicallyComplete.map(\.index).sorted())")
    }
    guard settled == batch.settled.map(\.index).sorted() else {
      throw Difference("settled: \(settled), batch \(batch.settled.map(\.index).sorted())")
    }
    for event in engine.events.events where event.moment > engine.time + 1e-6 * abs(engine.time) + 1e-9 {
      throw Difference("\(event) after \(engine.time)")
    }
  }

  /// Compares what both show.
  mutating func compare() throws {
    guard engine.tracks.count == batch.count else { throw Difference("\(engine.tracks.count) tracks, \(batch.count)") }
    let readsVelocities = pick(below: 2) == 0
    if readsVelocities { batch.refreshVelocities() }
    for track in tracks {
      let row = try engine.tracks.slots.row(of: track.engine)
      let other = try batch.rowIndex(of: track.batch)
      // Nothing is computed again where a call comes next, so this must not change what it finds.
      for dimension in 0..<dimensions {
        let element = engine.tracks.element(row, dimension)
        let value = engine.tracks.columns.value[element]
        let expected = batch.columnValue(other, dimension).pointee
        guard value.bitPattern == expected.bitPattern else {
          throw Difference("value of \(track.engine.index): \(value), batch \(expected)")
        }
        if readsVelocities {
          engine.computeVelocity(ofRow: row)
          let velocity = engine.tracks.columns.velocity[element]
          let expected = batch.columnVelocity(other, dimension).pointee
          guard velocity.bitPattern == expected.bitPattern else {
            throw Difference("velocity of \(track.engine.index): \(velocity), batch \(expected)")
          }
        }
      }
      guard try engine.springs.isAtRest(row, engine.tracks) == batch.isAtRest(track.batch) else {
        throw Difference("rest of \(track.engine.index)")
      }
    }
  }

  // MARK: - Numbers of the engine

  private mutating func with(_ a: [Float], _ body: (InputValues, inout Engine) throws -> Void) throws {
    let dimensions = dimensions
    try a.withUnsafeBufferPointer { try body(Self.planar($0, dimensions), &engine) }
  }

  private mutating func with(
    _ a: [Float], _ b: [Float], _ body: (InputValues, InputValues, inout Engine) throws -> Void
  ) throws {
    let dimensions = dimensions
    try a.withUnsafeBufferPointer { a in
      try b.withUnsafeBufferPointer { b in
        try body(Self.planar(a, dimensions), Self.planar(b, dimensions), &engine)
      }
    }
  }

  private static func planar(_ numbers: UnsafeBufferPointer<Float>, _ dimensions: Int) -> InputValues {
    InputValues(
      numbers.baseAddress ?? UnsafePointer(bitPattern: 64)!, count: numbers.count / dimensions, dimensions: dimensions,
      componentStride: numbers.count / dimensions, trackStride: 1)
  }
}
