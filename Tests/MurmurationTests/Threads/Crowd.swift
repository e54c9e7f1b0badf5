// SPDX-License-Identifier: MIT
@testable import Murmuration
@testable import MurmurationEngine

/// A batch with tracks of every kind, whose frames are shared among threads, and a life of many calls.
struct Crowd: ~Copyable {
  var batch: AnimationBatch<Components>
  private var handles: [TrackHandle] = []
  private var clips: [ClipID] = []
  /// Tracks that follow goals.
  private var followers: [TrackHandle] = []
  private var random: SplitMix64

  private init(_ batch: consuming AnimationBatch<Components>, seed: UInt64) {
    self.batch = batch
    random = SplitMix64(seed: seed)
  }

  static func make(dimensions: Int, seed: UInt64 = 60, kernels: KernelSet? = nil) throws -> Crowd {
    var crowd = Crowd(try AnimationBatch(dimensions: dimensions, kernels: kernels), seed: seed)
    // The thresholds of work, for threads that watch and for sleeping ones, are so low that a small crowd is shared.
    crowd.batch.engine.frames.parallelCost = .init(watching: sharedCost, asleep: sharedCost)
    try crowd.fill()
    return crowd
  }

  private static let sharedCost = 500

  private mutating func fill() throws {
    let dimensions = batch.dimensions
    try add(alone: 3_000 / dimensions, bounce: 0...0.9)
    try add(alone: 1_200 / dimensions, bounce: -0.9 ... -0.01)
    try emit(3_000 / dimensions, .smooth)
    for _ in 0..<90 / dimensions {
      try emit(
        Int(random.next() % 14) + 1, Spring(duration: random.uniform(0.1...2), bounce: random.uniform(-0.5...0.9)))
    }
    // Tracks that soon sleep.
    try emit(300, Spring(duration: 0.02, bounce: 0))
    try addCurves(900 / dimensions)
    try addPlayers(600 / dimensions)
    followers = try batch.add(planar: numbers(500))
    let springs = (0..<500).map { _ in Spring(duration: random.uniform(0.1...2), bounce: random.uniform(-0.5...0.9)) }
    try batch.follow(followers, springs: springs)
    let targets = (0..<3).map { _ in numbers(1) }
    let phases = try PhaseSequence(
      dimensions: dimensions, targets: targets,
      animations: [.bouncy(duration: 0.1), .easeInOut(duration: 0.02), .smooth(duration: 0.05)])
    let players = try batch.add(planar: numbers(300))
    try batch.play(try batch.load(phases), on: players, startingAt: players.indices.map { 1e-4 * Double($0) })
  }

  /// Whether the last frame was shared among threads.
  var isShared: Bool {
    var cost = 0
    batch.engine.tracks.frame.forEachRun { cost += FrameWork.cost($0, perSpring: 1, perSum: 8) }
    return cost * batch.dimensions >= Self.sharedCost
  }

  /// Advances by a frame, with changes before it.
  mutating func play(_ frame: Int, velocities: Bool = true) throws {
    for _ in 0..<30 {
      let goal = numbers(1)
      let handle = [handles[Int(random.next() % UInt64(handles.count))]]
      try batch.animate(handle.span, toPlanar: goal.span, springs: [frame % 3 == 0 ? .snappy : .bouncy].span)
    }
    let count = handles.count / 5
    let first = Int(random.next() % UInt64(handles.count - count))
    let (part, goals) = (Array(handles[first..<first + count]), numbers(count))
    switch frame % 4 {
    case 0: try batch.animate(part.span, toPlanar: goals.span, .easeInOut(duration: 0.4))
    case 1: try batch.animate(part.span, toPlanar: goals.span, .snappy)
    case 2: try batch.retarget(part.span, toPlanar: goals.span)
    default:
      let delays = (0..<count).map { _ in random.uniform(0...0.1) }
      try batch.retarget(part.span, toPlanar: goals.span, delays: delays.span)
    }
    try batch.setGoals(of: followers, planar: numbers(followers.count))
    let gone = (0..<100).map { _ in handles.remove(at: Int(random.next() % UInt64(handles.count))) }
    try batch.remove(gone)
    try emit(100, .bouncy)
    try batch.advance(by: frame % 5 == 4 ? 0.3 : random.uniform(0.001...0.02), velocities: velocities)
  }

  /// A hash of every value, of every velocity that the last advance computed, and of its events.
  func hash() throws -> Int {
    var hasher = Hasher()
    for dimension in 0..<batch.dimensions {
      try batch.values(dimension).withUnsafeBytes { hasher.combine(bytes: $0) }
      guard batch.engine.velocities.areAsked else { continue }
      try batch.velocities(dimension).withUnsafeBytes { hasher.combine(bytes: $0) }
    }
    // Stores have numbers of their own.
    for event in batch.events {
      hasher.combine(event.kind)
      hasher.combine(event.track.index)
      hasher.combine(event.change)
      hasher.combine(event.moment)
    }
    return hasher.finalize()
  }

  private mutating func numbers(_ tracks: Int) -> [Float] {
    (0..<tracks * batch.dimensions).map { _ in Float(random.uniform(-100...100)) }
  }

  private mutating func emit(_ count: Int, _ spring: Spring) throws {
    let (values, goals) = (numbers(count), numbers(count))
    handles += try batch.add(planar: values.span, toPlanar: goals.span, spring)
  }

  private mutating func add(alone count: Int, bounce: ClosedRange<Double>) throws {
    let (values, goals) = (numbers(count), numbers(count))
    // A run of them is at rest early, so that whole tiles sleep.
    let springs = (0..<count).map { index in
      Spring(duration: index < count / 4 ? 0.01 : random.uniform(0.1...3), bounce: random.uniform(bounce))
    }
    handles += try batch.add(planar: values.span, toPlanar: goals.span, springs: springs.span)
  }

  /// Curves, some of them upon springs.
  private mutating func addCurves(_ count: Int) throws {
    let curves: [Animation] = [
      .easeIn(duration: 0.5), .easeOut(duration: 0.3).repeatForever(), .linear(duration: 0.4).delay(0.05),
      .easeInOut(duration: 0.2).speed(0.5),
    ]
    for (index, curve) in curves.enumerated() {
      let (values, goals) = (numbers(count / 4), numbers(count / 4))
      let tracks =
        index % 2 == 0
        ? try batch.add(planar: values.span) : try batch.add(planar: values.span, toPlanar: goals.span, .bouncy)
      let ends = numbers(count / 4)
      try batch.animate(tracks.span, toPlanar: ends.span, curve)
      handles += tracks
    }
  }

  /// Clips: one that many play, and some that few play each.
  private mutating func addPlayers(_ count: Int) throws {
    let components = Array(0..<batch.dimensions)
    for clip in 0..<20 {
      let pieces = components.map { [SIMD4(Double(clip), Double($0), 0.5, -1)] }
      clips.append(
        try batch.load(
          Clip(
            dimensions: batch.dimensions, initialValues: components.map { _ in 0 },
            tracks: [PieceTrack(components: components, times: [0, 0.3], pieces: pieces)])))
    }
    let values = numbers(count)
    let tracks = try batch.add(planar: values.span)
    for (index, clip) in clips.enumerated() {
      let few = 3 * index..<3 * index + 3
      try batch.play(
        clip, on: Array(index == 0 ? tracks[60...] : tracks[few]), Playback(repetition: .forever, autoreverses: true))
    }
    handles += tracks
  }
}
