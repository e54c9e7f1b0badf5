// SPDX-License-Identifier: MIT
@testable import Murmuration

/// A batch of any motions and a batch of curves that get the same calls. Where a track follows one curve they must show the
/// same bits, where effects add up nearly the same, and they must report the same completions.
struct CurveMotionTwins: ~Copyable {
  private var batch: AnimationBatch<SIMD2<Float>>
  private var curves: CurveBatch
  /// The handles of a track in both.
  private var tracks: [(batch: TrackHandle, curves: TrackHandle)] = []
  private var random: SplitMix64
  /// Moments at which curves end.
  private var ends: [Double] = []
  /// Whether tracks have been sent on from the very end of a curve, at that moment. A second time they are not: to a batch of
  /// curves the effects of both then add up.
  private var isSentFromEnd = false
  /// How often a track was compared bit by bit.
  private(set) var aloneCount = 0
  /// The calls so far.
  private(set) var log: [String] = []

  init(seed: UInt64, set: KernelSet? = nil) throws {
    let batch = try AnimationBatch<SIMD2<Float>>(kernels: set)
    let curves = try CurveBatch(dimensions: 2, kernels: set)
    random = SplitMix64(seed: seed)
    self.batch = batch
    self.curves = curves
  }

  // MARK: - Draws

  private mutating func pick(below count: Int) -> Int { Int(random.next() % UInt64(max(1, count))) }

  private mutating func points(_ count: Int) -> [SIMD2<Float>] {
    // Some are where the track stands or heads already.
    (0..<count).map { _ in SIMD2(Float(pick(below: 9) - 4), Float(random.uniform(-100...100)).rounded()) }
  }

  private mutating func animation() -> Animation {
    let shapes: [UnitCurve] = [
      .linear, .easeIn, .easeInOut, .circularEaseOut,
      .bezier(startControlPoint: UnitPoint(x: 0.2, y: 1.4), endControlPoint: UnitPoint(x: 0.6, y: -0.3)),
      .steps(3, position: .jumpStart), .steps(4, position: .jumpEnd),
    ]
    let durations = [0.25, 0.5, 1.0 / 3, 2]
    let duration = durations[pick(below: durations.count)]
    ends.append(batch.time + duration)
    return .timingCurve(shapes[pick(below: shapes.count)], duration: duration)
  }

  /// Some tracks, each once.
  private mutating func someTracks() -> [Int] {
    let count = min(tracks.count, 1 + pick(below: pick(below: 2) == 0 ? 6 : tracks.count))
    let first = pick(below: tracks.count)
    var chosen = (0..<count).map { (first + $0) % tracks.count }
    if pick(below: 3) == 0 { chosen.shuffle(using: &random) }
    return chosen
  }

  // MARK: - Calls

  /// Makes a random call on both.
  mutating func call() throws {
    let call = tracks.isEmpty ? 0 : pick(below: 20)
    if 2...9 ~= call, ends.contains(batch.time) {
      guard !isSentFromEnd else { return }
      isSentFromEnd = true
    }
    switch call {
    case 0, 1: try add()
    case 2, 3: try sendOne()
    case 4, 5, 6, 7: try sendSome()
    case 8, 9: try sendSome(each: true)
    case 10: try remove()
    case 11: try compact()
    default: try advance()
    }
  }

  private mutating func add() throws {
    let values = points(pick(below: 3) == 0 ? 1 : 1 + pick(below: 70))
    log.append("add \(values.count)")
    let handles = try batch.add(values)
    let others = try curves.add(values: planar(values).span)
    for index in handles.indices { tracks.append((handles[index], others[index])) }
  }

  private mutating func sendOne() throws {
    let (track, goal) = (pick(below: tracks.count), points(1)[0])
    let animation = pick(below: 10) == 0 ? nil : animation()
    log.append("send \(track) to \(goal), \(animation.map(String.init(describing:)) ?? "at once")")
    try batch.animate(tracks[track].batch, to: goal, animation)
    try curves.retarget(tracks[track].curves, to: goal, with: animation)
  }

  private mutating func sendSome(each: Bool = false) throws {
    let chosen = someTracks()
    let goals = points(chosen.count)
    let animations = (0..<(each ? chosen.count : 1)).map { _ in animation() }
    log.append("send \(chosen) to \(goals), \(animations)")
    let (handles, others) = (chosen.map { tracks[$0].batch }, chosen.map { tracks[$0].curves })
    if each {
      try batch.animate(handles, to: goals, animations: animations)
      let optionals = animations.map(Optional.init)
      try curves.retarget(others.span, to: planar(goals).span, animations: optionals.span)
    } else {
      try batch.animate(handles, to: goals, animations[0])
      try curves.retarget(others.span, to: planar(goals).span, with: animations[0])
    }
  }

  private mutating func remove() throws {
    let chosen = someTracks().prefix(5)
    log.append("remove \(chosen)")
    try batch.remove(chosen.map { tracks[$0].batch })
    let others = chosen.map { tracks[$0].curves }
    try curves.remove(others.span)
    let gone = Set(chosen)
    tracks = tracks.indices.filter { !gone.contains($0) }.map { tracks[$0] }
  }

  private mutating func compact() throws {
    log.append("compact")
    try batch.compact()
    try curves.compact()
  }

  private mutating func advance() throws {
    var time = batch.time + [0.01, 0.1, 0.3, 1][pick(below: 4)] * random.uniform(0...1)
    // At times to the very end of a curve, where no effects add up: those may end by the last digit of a time earlier or later.
    let end = ends.filter { $0 > batch.time }.min()
    if pick(below: 3) == 0, curves.singleCount == 0, let end { time = end }
    // At times back.
    if pick(below: 6) == 0 { time = max(curves.latestStart, batch.time - 0.2) }
    let velocities = pick(below: 2) == 0
    if time != batch.time { isSentFromEnd = false }
    log.append("advance to \(time), velocities \(velocities)")
    try batch.advance(to: time, velocities: velocities)
    try curves.advance(to: time)
    try compareEvents()
  }

  private func planar(_ points: [SIMD2<Float>]) -> [Float] { points.map(\.x) + points.map(\.y) }

  // MARK: - What must agree

  private func compareEvents() throws {
    let events = batch.events
    let mine = { (kind: AnimationEvent.Kind) in Set(events.filter { $0.kind == kind }.map(\.track)) }
    let names = Dictionary(uniqueKeysWithValues: tracks.map { ($0.curves, $0.batch) })
    let logical = Set(curves.logicallyComplete.compactMap { names[$0] })
    let settled = Set(curves.settled.compactMap { names[$0] })
    guard mine(.logicallyComplete) == logical, mine(.settled) == settled else {
      let (own, others) = (mine(.settled).map(\.index).sorted(), settled.map(\.index).sorted())
      throw EngineTwins.Difference("settled \(own), others \(others), at \(batch.time)")
    }
  }

  /// Throws if something differs.
  mutating func compare() throws {
    for (track, other) in tracks {
      guard let value = batch[track], let velocity = batch.velocity(of: track) else {
        throw EngineTwins.Difference("no track")
      }
      let expected = try curves.value(of: other, as: SIMD2<Float>.self)
      let isCalled = batch.row(of: track).map { batch.engine.tracks.tiles.kind(ofRow: $0) == .called } ?? false
      let isAlone = curves.tracks[other.index].kind == .lane || curves.tracks[other.index].kind == .rests
      if isAlone, !isCalled { aloneCount += 1 }
      // What begins at this very moment shows with the next frame.
      if curves.tracks[other.index].lastSpan?.start == batch.time { continue }
      // By the last digits of the time before an end the one is there, and the other not quite.
      let span = curves.tracks[other.index].lastSpan
      let isEnd = span.map { abs(batch.time - $0.end) <= 32 * batch.time.ulp } ?? false
      let isExact = isAlone && !isCalled && !isEnd
      guard isExact ? value == expected : near(value, expected, isEnd ? 1e-12 : 1e-3) else {
        throw EngineTwins.Difference("track \(other.index) shows \(value), not \(expected), at \(batch.time)")
      }
      // A velocity that a call has just changed shows with the next frame.
      if isEnd { continue }
      let speed = try curves.velocity(of: other, as: SIMD2<Float>.self)
      guard isAlone && !isCalled ? velocity == speed : near(velocity, speed, 1e-3 * max(1, largest(speed))) else {
        throw EngineTwins.Difference("track \(other.index) moves at \(velocity), not \(speed), at \(batch.time)")
      }
      guard batch.target(of: track) == (try curves.target(of: other, as: SIMD2<Float>.self)) else {
        throw EngineTwins.Difference("track \(other.index) heads for \(String(describing: batch.target(of: track)))")
      }
    }
  }

  private func largest(_ vector: SIMD2<Float>) -> Float { max(vector.x.magnitude, vector.y.magnitude) }

  private func near(_ value: SIMD2<Float>, _ other: SIMD2<Float>, _ tolerance: Float) -> Bool {
    largest(value - other) <= tolerance
  }
}
