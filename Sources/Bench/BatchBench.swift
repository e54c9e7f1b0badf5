// SPDX-License-Identifier: MIT
import Murmuration

/// The work of a batch around its kernels: retargets, arrivals and departures, rest, whole frames, threads. Tracks have one
/// dimension, and no two are alike. Frames compute velocities, unless the name of a row says `value`.
struct BatchBench {
  let tracks: Int
  let rounds: Rounds
  let values: [Float]
  let targets: [[Float]]
  let springs: [Spring]

  /// The time of a frame at 60 a second.
  static let frame = 1.0 / 60

  /// - Parameters:
  ///   - tracks: The number of tracks in each batch.
  ///   - rounds: The number of calls of each kind.
  init(tracks: Int, rounds: Int) {
    self.tracks = tracks
    self.rounds = Rounds(tracks: tracks, count: rounds)
    var random = SplitMix64(seed: 42)
    values = (0..<tracks).map { _ in Float(random.uniform(-100...100)) }
    targets = (0..<2).map { _ in (0..<tracks).map { _ in Float(random.uniform(-100...100)) } }
    springs = (0..<tracks).map { _ in
      Spring(duration: random.uniform(0.3...3), bounce: random.uniform(0.05...0.6))
    }
  }

  enum Kind: String, CaseIterable { case cohort, mixed }

  func batch(_ kind: Kind) throws -> AnimationBatch<Float> {
    var batch = try AnimationBatch<Float>(reservingCapacity: tracks)
    switch kind {
    case .cohort: try batch.add(values, to: targets[0], .bouncy)
    case .mixed: try batch.add(values, to: targets[0], springs: springs)
    }
    try batch.advance(to: Self.frame, velocities: true)
    return batch
  }

  func shared(_ kind: Kind) throws -> SharedBatch<Float> { SharedBatch(try batch(kind)) }

  /// A frame of a length in sixtieths of a second.
  static func advance<Value>(
    _ shared: SharedBatch<Value>, as name: String? = nil, by frames: Double = 1, velocities: Bool = true
  ) -> Step {
    Step(name) { _ in try shared.batch.advance(by: frames * frame, velocities: velocities) }
  }

  // MARK: - Retargets

  /// Calls that send every track to a new target with the spring that it has, one before each frame; and those frames.
  func retargetsOfAll() throws -> [OperationResult] {
    try Kind.allCases.flatMap { kind in
      let shared = try shared(kind)
      return try rounds.rows([
        Step("retarget.all.\(kind)") { round in
          let goals = targets[round & 1]
          try shared.batch.retarget(.all, to: goals.span)
        },
        Self.advance(shared, as: "retarget.all.\(kind).frame-after"),
      ])
    }
  }

  /// Retargets by handle: all tracks in order, all at random, a tenth at random in one call, and some one by one.
  func retargetsByHandle() throws -> [OperationResult] {
    let cohort = try shared(.cohort)
    let handles = cohort.batch.handles
    let shuffled = Self.shuffled(handles)
    var results = try [("in-order", handles), ("random", shuffled)].flatMap { order, handles in
      try rounds.rows([
        Step("retarget.handles.\(order)") { try cohort.batch.animate(handles, to: targets[$0 & 1], .bouncy) },
        Self.advance(cohort),
      ])
    }
    let tenth = tracks / 10
    let goals = targets.map { Array($0.prefix(tenth)) }
    let parts = (0..<10).map { part in Array(shuffled[part * tenth..<(part + 1) * tenth]) }
    results += try rounds.rows([
      // The targets alternate: a track that heads for its goal already would stay as it is.
      Step("retarget.handles.random-tenth", called: tenth) {
        try cohort.batch.animate(parts[$0 % 10], to: goals[$0 / 10 & 1], .bouncy)
      },
      Self.advance(cohort),
    ])
    let mixed = try shared(.mixed)
    let order = Self.shuffled(mixed.batch.handles)
    let count = min(tracks, 10_000)
    return try results
      + rounds.rows([
        Step("retarget.one.random", called: count) { round in
          for index in 0..<count {
            // A track that comes again gets another goal: with its own it would be left alone.
            try mixed.batch.retarget(order[(round * count + index) % tracks], to: values[(round + index) % tracks])
          }
        },
        Self.advance(mixed),
      ])
  }

  // MARK: - Arrivals and departures

  /// Frames in each of which a hundredth of the tracks is removed, the oldest or any, and the same number is added.
  func churn() throws -> [OperationResult] {
    let each = tracks / 100
    let (values, targets) = (Array(values.prefix(each)), Array(targets[0].prefix(each)))
    return try ["oldest", "random"].flatMap { which in
      var batch = try AnimationBatch<Float>(reservingCapacity: 2 * tracks)
      var living: [TrackHandle] = []
      for _ in 0..<100 {
        living += try batch.add(values, to: targets, .smooth)
        try batch.advance(by: Self.frame / 10, velocities: true)
      }
      let shared = SharedBatch(batch)
      var random = SplitMix64(seed: 9)
      var (places, handles): ([Int], [TrackHandle]) = ([], [])
      // Long enough for another track to take every index.
      let rounds = Rounds(tracks: tracks, count: max(rounds.count, 150))
      return try rounds.rows([
        Step { frame in
          places = (0..<each).map { index in
            which == "random" ? index * 100 + Int(random.next() % 100) : frame % 100 * each + index
          }
          handles = places.map { living[$0] }
        },
        Step("remove.\(which)", called: each) { _ in try shared.batch.remove(handles) },
        Step("emit.after-\(which)", called: each) { _ in
          var span = handles.mutableSpan
          try shared.batch.add(values.span, to: targets.span, .smooth, handles: &span)
        },
        Step { _ in for (place, handle) in zip(places, handles) { living[place] = handle } },
        Self.advance(shared, as: "churn.frame.\(which)", by: 0.1),
      ])
    }
  }

  // MARK: - Frames

  /// Frames in which all tracks move, and frames in which all are at rest.
  func rest() throws -> [OperationResult] {
    try Kind.allCases.flatMap { kind in
      let shared = try shared(kind)
      let awake = try rounds.time([Self.advance(shared, as: "frame.awake.\(kind)", by: 0.01)])[0]
      try shared.batch.comeToRest()
      let asleep = try rounds.time([Self.advance(shared, as: "frame.asleep.\(kind)")])[0]
      return [awake.row(), asleep.row(ratio: asleep.total / awake.total)]
    }
  }

  /// Whole frames, with events, of a thousand calls with a spring each (cohorts) and a tenth of tracks with springs of their
  /// own; and the kernels of each frame, run again.
  func framesOfCohorts() throws -> [OperationResult] {
    let each = tracks * 9 / 10 / 1000
    return try [(false, "value"), (true, "value-and-velocity")].flatMap { velocities, what in
      var batch = try AnimationBatch<Float>(reservingCapacity: tracks)
      for cohort in 0..<1000 {
        let part = cohort * each..<(cohort + 1) * each
        try batch.add(Array(values[part]), to: Array(targets[0][part]), springs[cohort])
      }
      let part = 1000 * each..<tracks
      try batch.add(Array(values[part]), to: Array(targets[0][part]), springs: Array(springs[part]))
      try batch.advance(to: Self.frame, velocities: velocities)
      let shared = SharedBatch(batch)
      let timings = try Rounds(tracks: tracks, count: max(rounds.count, 60)).time([
        Self.advance(shared, as: "frame.cohorts.\(what)", velocities: velocities),
        Step("kernels.cohorts.\(what)") { _ in shared.batch.runKernels() },
      ])
      return [timings[1].row(), timings[0].row(ratio: timings[0].total / timings[1].total)]
    }
  }

  /// Whole frames of tracks that came in calls for 2 to 15, each with a spring (cohorts), which share tiles. They take turns
  /// with frames of the same tracks in calls for 160, whose tiles are uniform, with frames of each track alone, and with the
  /// kernels of each.
  func smallCohorts() throws -> [OperationResult] {
    var random = SplitMix64(seed: 5)
    let batches = [
      ("cohorts-of-2-to-15", try cohorts { 2 + Int(random.next() % 14) }), ("cohorts-of-160", try cohorts { 160 }),
      ("mixed", try shared(.mixed)),
    ]
    let timings = try Rounds(tracks: tracks, count: 2 * rounds.count).time(
      batches.flatMap { name, shared in
        [
          Self.advance(shared, as: "frame.\(name)", by: 0.01),
          Step("kernels.\(name)") { _ in shared.batch.runKernels() },
        ]
      })
    return stride(from: 0, to: timings.count, by: 2).flatMap { place in
      let (frames, kernels) = (timings[place], timings[place + 1])
      return [kernels.row(), frames.row(ratio: frames.total / kernels.total)]
    }
  }

  /// A batch whose tracks come in calls for `next()` tracks, each with a spring.
  private func cohorts(_ next: () -> Int) throws -> SharedBatch<Float> {
    var batch = try AnimationBatch<Float>(reservingCapacity: tracks)
    var first = 0
    while first < tracks {
      let part = first..<min(tracks, first + next())
      try batch.add(Array(values[part]), to: Array(targets[0][part]), springs[first])
      first = part.upperBound
    }
    try batch.advance(to: Self.frame, velocities: true)
    return SharedBatch(batch)
  }

  private static func shuffled<T>(_ array: [T]) -> [T] {
    var random = SplitMix64(seed: 7)
    var array = array
    for index in stride(from: array.count - 1, to: 0, by: -1) {
      array.swapAt(index, Int(random.next() % UInt64(index + 1)))
    }
    return array
  }
}

extension AnimationBatch {
  /// The tracks, by index.
  var handles: [TrackHandle] { (0..<indexCount).compactMap { handle(at: $0) } }

  /// Advances until all springs are at rest, and once more, so that they have left the plan.
  mutating func comeToRest() throws {
    for _ in 0..<2 { try advance(by: 1000, velocities: true) }
  }
}
