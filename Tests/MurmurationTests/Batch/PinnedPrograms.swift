// SPDX-License-Identifier: MIT
@testable import Murmuration
@testable import MurmurationEngine

// Programs of each family of motions, and their hashes. They are compiled for other processors too, so they call no code of
// tests: see `Tests/OtherProcessors`.

/// A batch whose values, velocities and events are hashed by index after each frame.
struct PinnedRun: ~Copyable {
  var batch: AnimationBatch<SIMD2<Float>>
  var random = SplitMix64(seed: 2031)
  private(set) var hash: UInt64 = 0xcbf2_9ce4_8422_2325
  /// Tracks that were called in any frame. Called animations may use the system's functions, whose bits differ among
  /// machines.
  private(set) var called = 0

  init(_ set: KernelSet) throws(BatchError) {
    batch = try AnimationBatch(kernels: set)
    batch.reports = [.iterations, .phases]
  }

  mutating func pick(below count: Int) -> Int { Int(random.next() % UInt64(count)) }

  mutating func vectors(_ count: Int, _ range: ClosedRange<Double> = -100...100) -> [SIMD2<Float>] {
    (0..<count).map { _ in SIMD2(Float(random.uniform(range)), Float(random.uniform(range))) }
  }

  /// Every n-th track, from one on.
  func some(_ tracks: [TrackHandle], from first: Int, by step: Int) -> [TrackHandle] {
    stride(from: first % step, to: tracks.count, by: step).map { tracks[$0] }
  }

  private mutating func take(_ bits: UInt64) { hash = (hash ^ bits) &* 0x100_0000_01b3 }

  mutating func advance(by seconds: Double) throws(BatchError) {
    try batch.advance(by: seconds, velocities: true)
    let count = batch.indexCount
    called += (0..<batch.indexCount).count { index in
      batch.handle(at: index) != nil && batch.engine.tracks.tiles.kind(at: index) == .called
    }
    for readsVelocities in [false, true] {
      var column = [Float](repeating: 0, count: 2 * count)
      var span = column.mutableSpan
      if readsVelocities { try batch.copyVelocities(planar: &span) } else { try batch.copyValues(planar: &span) }
      for number in column { take(UInt64(number.bitPattern)) }
    }
    for event in batch.events {
      take(UInt64(event.track.index) << 32 | UInt64(event.kind.rawValue) << 24 | UInt64(event.number))
      take(event.moment.bitPattern)
    }
  }

  mutating func advance(by steps: [Double]) throws(BatchError) {
    for seconds in steps { try advance(by: seconds) }
  }

  /// Frames of all lengths, until every motion with an end has ended; then back, and on again.
  mutating func finish() throws(BatchError) { try advance(by: [1, 2, 4, -3, 9]) }
}

/// The hash of a program, and the expected hash.
struct PinnedHash {
  let hash: UInt64
  let pinned: UInt64
  var called = 0
}

extension PinnedHash {
  init(_ run: borrowing PinnedRun, pinned: UInt64) {
    self.init(hash: run.hash, pinned: pinned, called: run.called)
  }
}

enum PinnedPrograms {
  /// Springs, slides and jumps, by all calls about them.
  static func springs(_ set: KernelSet) throws(BatchError) -> PinnedHash {
    var run = try PinnedRun(set)
    let springs = (0..<70).map { _ in
      Spring(duration: run.random.uniform(0.05...3), bounce: run.random.uniform(-0.95...1))
    }
    var tracks = try run.batch.add(run.vectors(70), velocities: run.vectors(70), to: run.vectors(70), springs: springs)
    tracks += try run.batch.add(run.vectors(40), velocities: run.vectors(40), to: run.vectors(40), .bouncy)
    tracks += try run.batch.add(run.vectors(9), to: run.vectors(9), .snappy)
    for frame in 0..<40 {
      try run.advance(by: run.random.uniform(0...0.05))
      let few = run.some(tracks, from: frame, by: 11)
      let goals = run.vectors(few.count)
      switch frame % 8 {
      case 0: try run.batch.animate(few, to: goals, .smooth)
      case 1: try run.batch.retarget(few, to: goals)
      case 2: try run.batch.decelerate(few, velocities: goals, by: .fast)
      case 3: try run.batch.displace(few, goals, velocities: run.vectors(few.count))
      case 4: try run.batch.animate(few, to: goals, .bouncy, delays: few.indices.map { 0.01 * Double($0) })
      case 5: try run.batch.set(few, goals, velocities: run.vectors(few.count))
      case 6: try run.batch.animate(few[0], to: goals[0], .spring(duration: 0.3, bounce: -0.4))
      default: try run.batch.pause(few)
      }
      if frame == 20 { try run.batch.compact() }
    }
    try run.batch.resume(tracks)
    try run.finish()
    return PinnedHash(run, pinned: 0xc206_d907_bce0_eb34)
  }

  /// Curves and interpolating springs, modified and not, on top of each other.
  static func curves(_ set: KernelSet) throws(BatchError) -> PinnedHash {
    var run = try PinnedRun(set)
    let animations: [Animation] = [
      .linear(duration: 0.25), .easeIn(duration: 0.5), .easeInOut(duration: 1 / 3),
      .timingCurve(.circularEaseOut, duration: 2),
      .timingCurve(0.2, 1.4, 0.6, -0.3, duration: 0.5), .timingCurve(.steps(3, position: .jumpStart), duration: 0.5),
      .easeIn.delay(0.1), .easeOut(duration: 0.2).repeatCount(4).speed(0.5), .linear(duration: 0.4).repeatForever(),
      .easeInOut(duration: 0.3).logicallyComplete(after: 0.1), .bouncy,
      .interpolatingSpring(Spring(duration: 0.5, bounce: 0.3), initialVelocity: 2),
    ]
    let tracks = try run.batch.add(run.vectors(90))
    for frame in 0..<40 {
      let few = run.some(tracks, from: frame, by: [2, 5, 30][frame % 3])
      let goals = run.vectors(few.count)
      if frame % 2 == 0 {
        try run.batch.animate(few, to: goals, animations[frame / 2 % animations.count])
      } else {
        let each: [Animation?] = few.map { _ in animations[run.pick(below: animations.count)] }
        try run.batch.animate(few, to: goals, animations: each)
      }
      if frame == 20 { try run.batch.compact() }
      try run.advance(by: run.random.uniform(0.001...0.3))
    }
    try run.finish()
    return PinnedHash(run, pinned: 0xadeb_f5c5_e0d1_82ef)
  }

  /// Clips, played and changed in all ways.
  ///
  /// - Parameter clip: Makes one of the clips, which can start from other values: see `PinnedBitsTests`.
  static func clips(_ set: KernelSet, hasOwnTiles: Bool, _ clip: (Int) -> Clip) throws(BatchError) -> PinnedHash {
    var run = try PinnedRun(set)
    if hasOwnTiles { run.batch.engine.clips.playersBeforeOwnTiles = 0 }
    var clips: [ClipID] = []
    for number in 0..<5 {
      clips.append(try run.batch.load(clip(number)))
    }
    let playbacks = (0..<70).map { index in
      Playback(
        delay: [0, 0.2, -0.3][index % 3], speed: run.random.uniform(-2...2),
        repetition: [.count(1), .count(3), .forever][index % 3], autoreverses: index % 2 == 0,
        timeOffset: run.random.uniform(0...0.5), holdsBefore: index % 4 != 0, holdsAfter: index % 5 != 0)
    }
    let tracks = try run.batch.add(playing: playbacks.map { _ in clips[run.pick(below: 5)] }, playbacks)
    for frame in 0..<40 {
      let few = run.some(tracks, from: frame, by: 9)
      switch frame % 7 {
      case 0:
        let scales = run.vectors(few.count, -2...2)
        try run.batch.setVariations(of: few, scales: scales, offsets: run.vectors(few.count))
      case 1: try run.batch.seek(few, progress: few.map { _ in run.random.unit() })
      case 2: try run.batch.setSpeed(run.random.uniform(-2...2), of: few)
      case 3: try run.batch.pause(few)
      case 4: try run.batch.play(clips[frame % 5], on: few, start: .shownValue)
      case 5: try run.batch.resume(few)
      default: try run.batch.play(clips[frame % 5], on: few, playbacks[frame])
      }
      if frame == 20 { try run.batch.compact() }
      try run.advance(by: run.random.uniform(0...0.2))
    }
    try run.advance(by: [1, 2, 4, 9])
    return PinnedHash(run, pinned: 0x8257_5700_3bdc_952e)
  }

  /// Phases of springs, of curves, and of both.
  static func phases(_ set: KernelSet) throws(BatchError) -> PinnedHash {
    var run = try PinnedRun(set)
    let targets: [[Float]] = [[0, 10], [4, -3], [4, 8], [-2, 1]]
    let animations: [[Animation?]] = [
      [.bouncy, .spring(duration: 0.3, bounce: -0.4), .smooth(duration: 0.25), .snappy(duration: 0.7)],
      [.bouncy, nil, .smooth(duration: 0.25), .spring(duration: 0)],
      [.easeIn(duration: 0.3), .easeInOut(duration: 0.5), .easeOut(duration: 0.2), .linear(duration: 0.4)],
      [.bouncy, .easeInOut(duration: 0.5), .smooth, .linear(duration: 0.25)],
    ]
    var tracks: [TrackHandle] = []
    for (number, animations) in animations.enumerated() {
      guard let phases = try? PhaseSequence(dimensions: 2, targets: targets, animations: animations) else {
        fatalError("the phases are refused")
      }
      let sequence = try run.batch.load(phases)
      let more = try run.batch.add([SIMD2<Float>](repeating: [0, 10], count: 25))
      try run.batch.play(
        sequence, on: more, number % 2 == 0 ? .loops : .triggered,
        startingAt: more.map { _ in run.random.uniform(-1...1) }, offsets: run.vectors(25, -5...5),
        scales: run.vectors(25, -2...2))
      tracks += more
    }
    for frame in 0..<40 {
      let few = run.some(tracks, from: frame, by: 7)
      switch frame % 5 {
      case 0, 1, 2: try run.batch.trigger(few)
      case 3: try run.batch.pause(few.filter { $0.index < 50 })
      default: try run.batch.resume(tracks)
      }
      if frame == 20 { try run.batch.compact() }
      try run.advance(by: run.random.uniform(0...0.3))
    }
    try run.batch.resume(tracks)
    // As far as a day ahead, which skips rounds.
    try run.advance(by: [1, 9, 86_400])
    return PinnedHash(run, pinned: 0xddb5_9da6_ef5b_bdf7)
  }
}
