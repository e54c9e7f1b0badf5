// SPDX-License-Identifier: MIT
import Murmuration
import Text

#if canImport(Glibc)
  import Glibc
#endif

/// The nanoseconds of the terms of frames, measured on this machine with batches of its own, which do one thing each.
struct CostCalibration {
  let kernels: KernelSet
  /// The clips of groups.
  let clips: [Int: Clip]
  /// The bytes of a frame in memory, and the tiles of a batch there.
  let memoryBytes: Int
  let memoryTiles: Int
  private(set) var costs: [CostTerm: Double] = [:]

  /// The size of the second-level cache; 1 MiB where the system does not say.
  static let cacheBytes: Int = {
    #if canImport(Glibc)
      let size = sysconf(Int32(_SC_LEVEL2_CACHE_SIZE))
      return size > 0 ? size : 1 << 20
    #else
      return 1 << 20
    #endif
  }()

  /// A calibration for a scene.
  ///
  /// - Parameters:
  ///   - clips: The clips of groups.
  ///   - bytes: The bytes of the largest frame of a batch.
  ///   - tiles: The tiles of the largest batch.
  init(kernels: KernelSet, clips: [Int: Clip], bytes: Int, tiles: Int) {
    (self.kernels, self.clips) = (kernels, clips)
    memoryBytes = min(max(4 * Self.cacheBytes, bytes), 64 << 20)
    memoryTiles = min(max(1 << 12, tiles), 1 << 15)
  }

  /// Measures terms.
  ///
  /// - Parameter measured: Called after each term.
  mutating func measure(_ terms: Set<CostTerm>, _ measured: (_ done: Int) -> Void) throws {
    for (number, term) in Self.needed(for: terms).enumerated() {
      try Interruption.check()
      if term.kind == .due {
        try measureDue(term)
      } else {
        costs[term] = try cost(term)
      }
      measured(number + 1)
    }
  }

  /// The terms to measure, in order: the fixed part and tiles come before what is left of frames without them. Due tracks, ends
  /// and events are one measurement.
  static func needed(for terms: Set<CostTerm>) -> [CostTerm] {
    var all = terms.filter { $0.kind == .advance || $0.kind.isTiles }
    for term in terms where !term.kind.isTiles && term.kind != .advance {
      all.insert(CostTerm(kind: .advance, shape: term.shape))
      let tiles: CostTerm.Kind = term.shape.family == .clips ? .clips : .laneWise
      all.insert(CostTerm(kind: tiles, shape: term.shape, isInMemory: term.isInMemory))
      all.insert(CostTerm(kind: .due, shape: term.shape, isInMemory: term.isInMemory))
    }
    let order = CostTerm.Kind.allCases
    return all.sorted { order.firstIndex(of: $0.kind)! < order.firstIndex(of: $1.kind)! }
  }

  private func cost(_ term: CostTerm) throws -> Double {
    guard term.kind == .advance else {
      let tiles = try tiles(term)
      let (least, evaluated) = try quickest(term, tiles: tiles, frames: min(max(8, 40_000 / tiles), 200))
      let fixed = costs[CostTerm(kind: .advance, shape: term.shape)] ?? 0
      return max(0, least - fixed) / evaluated
    }
    // What is left of a frame of one tile without that tile.
    let (one, nine) = (try quickest(term, tiles: 1, frames: 300).least, try quickest(term, tiles: 9, frames: 300).least)
    return max(0, one - (nine - one) / 8)
  }

  /// The number of tiles to measure. Their bytes fit in the second-level cache, or exceed it, as the term says.
  private func tiles(_ term: CostTerm) throws -> Int {
    var sample = try batch(term.kind.isTiles ? term.kind : .laneWise, term.shape, tiles: 4)
    for _ in 0..<2 { try sample.advance(by: Self.step, velocities: term.shape.velocities) }
    let bytes = term.isInMemory ? memoryBytes : Self.cacheBytes / 2
    return min(max(64, bytes / max(1, sample.work.bytes / 4)), 1 << 15)
  }

  private static let step = 1.0 / 60

  /// The nanoseconds of the quickest of some frames, and their tiles.
  private func quickest(_ term: CostTerm, tiles: Int, frames: Int) throws -> (least: Double, evaluated: Double) {
    var batch = try batch(term.kind, term.shape, tiles: tiles)
    for _ in 0..<3 { try batch.advance(by: Self.step, velocities: term.shape.velocities) }
    var least = Double.infinity
    for _ in 0..<frames { least = min(least, try nanoseconds(ofFrame: &batch, term.shape)) }
    return (least, Double(max(1, batch.work.tiles.evaluated)))
  }

  private func nanoseconds(
    ofFrame batch: inout AnimationBatch<Components>, _ shape: CostTerm.Shape
  ) throws -> Double {
    let start = ContinuousClock.now
    try batch.advance(by: Self.step, velocities: shape.velocities)
    return (ContinuousClock.now - start).seconds * 1e9
  }

  /// Measures due tracks, computed ends and events: they explain what is left of frames without the fixed part and the tiles.
  /// Each frame counts with the quickest of some runs.
  private mutating func measureDue(_ term: CostTerm) throws {
    let frames = 75
    let tiles = term.isInMemory ? memoryTiles : 256
    var (quickest, works) = ([Double](repeating: .infinity, count: frames), [BatchWork]())
    for _ in 0..<(term.isInMemory ? 2 : 3) {
      var batch = try batch(.due, term.shape, tiles: tiles)
      works.removeAll()
      for frame in 0..<frames {
        quickest[frame] = min(quickest[frame], try nanoseconds(ofFrame: &batch, term.shape))
        works.append(batch.work)
      }
    }
    var equations = NearEquations()
    // The first frames find memory that nothing has touched.
    for (work, nanoseconds) in zip(works, quickest).dropFirst(5) {
      var tiles = work
      (tiles.dueTracks, tiles.computedEnds, tiles.events) = (0, 0, 0)
      var sheet = CostSheet()
      sheet.add(CostTerm.counts(of: tiles, term.shape, cacheBytes: term.isInMemory ? -1 : .max))
      // Long frames must not outweigh all others.
      let counts = [work.dueTracks, work.computedEnds, work.events].map { Double($0) / nanoseconds }
      equations.add(counts, sum: 1 - sheet.nanoseconds(costs) / nanoseconds)
    }
    for (kind, cost) in zip([.due, .ends, .events] as [CostTerm.Kind], equations.solution(unknowns: 3)) {
      costs[CostTerm(kind: kind, shape: term.shape, isInMemory: term.isInMemory)] = cost < 0.001 ? 0 : cost
    }
  }
}

// MARK: - Batches

extension CostCalibration {
  /// A batch all of whose tracks do one thing. Tiles of kernels have no due track for as long as they are measured.
  private func batch(
    _ kind: CostTerm.Kind, _ shape: CostTerm.Shape, tiles: Int
  ) throws -> AnimationBatch<Components> {
    let (dimensions, count) = (shape.dimensions, 16 * tiles)
    var batch = try AnimationBatch<Components>(dimensions: dimensions, reservingCapacity: count, kernels: kernels)
    var random = SplitMix64(seed: 1)
    let values = (0..<count * dimensions).map { _ in Float(random.uniform(-100...100)) }
    let goals = values.map { 10 - $0 }
    func draw(_ durations: ClosedRange<Double>) -> [Spring] {
      (0..<count).map { _ in Spring(duration: random.uniform(durations), bounce: 0.2) }
    }
    /// One for each track in the first half, and one for sixty-four tracks together in the other.
    func inPart<Element>(_ draw: () -> Element) -> [Element] {
      var elements: [Element] = []
      while elements.count < count {
        let number = elements.count < count / 2 ? 1 : min(64, count - elements.count)
        elements += repeatElement(draw(), count: number)
      }
      return elements
    }
    switch (kind, shape.family) {
    case (.uniform, _):
      try batch.add(planar: values.span, toPlanar: goals.span, Spring(duration: 100, bounce: 0.2))
    case (.effects, _):
      let tracks = try batch.add(planar: values.span)
      try batch.animate(tracks.span, toPlanar: goals.span, .easeOut(duration: 100))
    case (.following, _):
      let (tracks, springs) = (try batch.add(planar: values.span), draw(90...110))
      try batch.follow(tracks, springs: springs)
      try batch.setGoals(of: tracks.span, planar: goals.span)
    case (.clips, _), (.pieces, _), (_, .clips):
      try play(shape.group, count, kind, &random, in: &batch)
    case (.due, .phases):
      let (near, far) = ([Float](repeating: 0, count: dimensions), [Float](repeating: 50, count: dimensions))
      let spring = Animation.spring(Spring(duration: 0.4, bounce: 0.2))
      let sequence = try PhaseSequence(dimensions: dimensions, targets: [near, far], animations: [spring, spring])
      let tracks = try batch.add(planar: values.span)
      batch.reports = .phases
      let starts = inPart { random.uniform(0...0.4) }
      try batch.play(batch.load(sequence), on: tracks, .loops, startingAt: starts)
    case (.due, _):
      let springs = inPart { Spring(duration: random.uniform(0.2...0.8), bounce: 0.2) }
      try batch.add(planar: values.span, toPlanar: goals.span, springs: springs.span)
    default:
      let springs = draw(90...110)
      try batch.add(planar: values.span, toPlanar: goals.span, springs: springs.span)
    }
    return batch
  }

  /// Lets tracks play the clip of a group, for ever and each from another moment; so fast that an iteration takes 0.3 s, if due
  /// tracks are to be measured.
  private func play(
    _ group: Int?, _ count: Int, _ kind: CostTerm.Kind, _ random: inout SplitMix64,
    in batch: inout AnimationBatch<Components>
  ) throws {
    guard let clip = group.flatMap({ self.clips[$0] }) else { return }
    if kind == .due { batch.reports = .iterations }
    // A clip that few tracks play leaves each of them a copy of its piece.
    let names = try (0..<(kind == .pieces ? max(1, count / 8) : 1)).map { _ in try batch.load(clip) }
    let speed = kind == .due ? max(1e-3, clip.duration / 0.3) : 1
    let playbacks = (0..<count).map { _ in
      Playback(speed: speed, repetition: .forever, timeOffset: random.uniform(0...max(1e-3, clip.duration)))
    }
    try batch.add(playing: (0..<count).map { names[$0 % names.count] }, playbacks)
  }
}
