// SPDX-License-Identifier: MIT
import Reference
import Testing

@testable import Murmuration

/// Long random programs of calls, each instance compared with its model after every frame, and every event.
struct KeyframeProgramTests {
  @Test(arguments: Array(UInt64(0)..<24)) func aProgramDoesWhatItsModelsDo(_ seed: UInt64) throws {
    let run = try KeyframeProgram.make(seed: seed)
    for step in 0..<600 {
      try run.step()
      if let fault = run.fault {
        Issue.record("seed \(seed), step \(step): \(fault)\n\(run.calls.suffix(12).joined(separator: "\n"))")
        return
      }
    }
    #expect(run.completions > 0 && run.repeats > 0 && run.checks > 1_000)
  }
}

/// One instance as it should be: the clip that it was given, its own value, and what it plays.
private struct Instance {
  var clip: Clip
  var own: [Float]
  /// What it plays; nil while it is idle.
  var motion: ClipMotion?
  var clock = TrackClock()
  var variation: (scales: [Float], offsets: [Float])

  init(_ clip: Clip) {
    self.clip = clip
    own = (0..<clip.dimensions).map { Float(clip.value(dimension: $0, at: -1)) }
    variation = (own.map { _ in 1 }, own.map { _ in 0 })
  }

  private var ownSamples: [MotionSample] { own.map { MotionSample(value: Double($0), velocity: 0) } }

  mutating func begin(_ playback: Playback, at now: Double) {
    clock = TrackClock()
    motion = ClipMotion(ClipContent(clip), playback, own: ownSamples, at: now)
    motion?.variation = variation
  }

  mutating func seek(to time: Double, at now: Double) {
    if motion == nil {
      begin(Playback(), at: now)
      pause(at: now)
    }
    let local = clock.time(at: now)
    motion?.clock.seek(to: time, at: local)
  }

  mutating func pause(at now: Double) {
    guard motion != nil, !clock.isPaused else { return }
    let local = clock.time(at: now)
    motion?.clock.anchor(at: local)
    clock.pause(at: now)
  }

  mutating func resume(at now: Double) {
    let local = clock.time(at: now)
    if clock.isPaused { motion?.clock.anchor(at: local) }
    clock.resume(at: now)
  }

  mutating func setSpeed(_ speed: Double, at now: Double) {
    let local = clock.time(at: now)
    motion?.clock.setSpeed(speed, at: local)
  }

  mutating func cancel(showing value: [Float]) {
    own = value
    motion = nil
  }

  mutating func setOwn(_ value: [Float]) {
    own = value
    let samples = ownSamples
    motion?.own = samples
  }

  mutating func vary(_ scales: [Float], _ offsets: [Float]) {
    variation = (scales, offsets)
    motion?.variation = variation
  }

  /// Whether it moves at a time.
  func isPlaying(at now: Double) -> Bool {
    !clock.isPaused && motion?.clock.position(at: clock.time(at: now)).phase == .playing
  }

  func samples(at now: Double) -> [MotionSample] {
    guard let motion else { return ownSamples }
    let samples = motion.samples(at: clock.time(at: now))
    return clock.isPaused ? samples.map(\.standing) : samples
  }
}

/// A batch, the models of its instances, and the calls that were made.
final class KeyframeProgram {
  private var random: SplitMix64
  private var batch: KeyframeBatch
  private var clips: [(id: ClipID, clip: Clip)] = []
  private var models: [TrackHandle: Instance] = [:]
  private var gone: [TrackHandle] = []
  private(set) var calls: [String] = []
  private(set) var fault: String?
  private(set) var completions = 0
  private(set) var repeats = 0
  private(set) var checks = 0
  /// The clock's time of the last call that changed anything.
  private var floor = 0.0

  static func make(seed: UInt64) throws -> KeyframeProgram {
    var batch = try KeyframeBatch(
      dimensions: 1 + Int(seed % 3), variations: seed % 2 == 0,
      kernels: KernelSet.available[Int(seed) % KernelSet.available.count])
    // Tiles of clips alone, mixed ones alone, and both.
    batch.rowsBeforeOwnTiles = [32, 0, 3][Int(seed / 3 % 3)]
    let program = KeyframeProgram(seed: seed, batch)
    try program.load(seed: seed)
    return program
  }

  private init(seed: UInt64, _ batch: consuming KeyframeBatch) {
    random = SplitMix64(seed: seed)
    self.batch = batch
  }

  private func load(seed: UInt64) throws {
    let dimensions = batch.dimensions
    for index in 0..<5 {
      let clip = try ClipTablesTests.clip(
        pieces: [1, 5, 14, 40, 2][index], components: dimensions, seed: seed &* 5 &+ UInt64(index))
      clips.append((try batch.load(clip), clip))
    }
    let jump = PieceTrack(components: [0], times: [0, 0, 0], pieces: [[SIMD4(1, 0, 0, 0), SIMD4(2, 0, 0, 0)]])
    let clip = try Clip(
      dimensions: dimensions, initialValues: [Double](repeating: 3, count: dimensions), tracks: [jump])
    clips.append((try batch.load(clip), clip))
    batch.threadCount = 1 + Int(seed % 2)
    batch.computesVelocities = seed % 4 != 3
  }

  private func anyHandle() -> TrackHandle? {
    models.isEmpty
      ? nil : models.keys.sorted { $0.index < $1.index }[Int(random.next() % UInt64(models.count))]
  }

  func step() throws {
    let now = batch.time
    guard random.unit() < 0.7 || models.isEmpty else {
      // Forwards, to the same time, or back to the last change.
      let draw = random.unit()
      let time =
        draw < 0.1
        ? now : draw < 0.25 ? random.uniform(floor...max(floor, now)) : now + random.uniform(0...1) * random.unit()
      calls.append("advance to \(time)")
      try batch.advance(to: time)
      try check()
      return
    }
    if batch.computesVelocities == false, random.unit() < 0.1 { batch.refreshVelocities() }
    let choice = random.next() % 15
    if choice < 3 || models.isEmpty {
      let clip = clips[Int(random.next() % UInt64(clips.count))]
      let playback: Playback? = random.unit() < 0.1 ? nil : random.playback(near: batch.time)
      let handle = try batch.add(clip.id, playback)
      calls.append("add \(handle.index): \(clip.clip.duration) s, \(String(describing: playback))")
      var model = Instance(clip.clip)
      if let playback { model.begin(playback, at: now) }
      models[handle] = model
      floor = now
      return
    }
    guard let handle = anyHandle() else { return }
    var model: Instance! = models[handle]
    floor = now
    switch choice {
    case 3:
      calls.append("remove \(handle.index)")
      try batch.remove(handle)
      models[handle] = nil
      gone.append(handle)
      return
    case 4, 5:
      let playback = random.playback(near: batch.time)
      calls.append("trigger \(handle.index) \(playback)")
      let clip = clips[Int(random.next() % UInt64(clips.count))]
      let changes = random.unit() < 0.5
      try batch.trigger(handle, playback, clip: changes ? clip.id : nil)
      if changes { model.clip = clip.clip }
      model.begin(playback, at: now)
    case 6:
      calls.append("pause \(handle.index)")
      try batch.pause(handle)
      model.pause(at: now)
    case 7:
      calls.append("resume \(handle.index)")
      try batch.resume(handle)
      model.resume(at: now)
    case 8:
      let speed = random.unit() < 0.1 ? 0 : random.uniform(-2...2)
      calls.append("retime \(handle.index) to \(speed)")
      try batch.retime(handle, speed: speed)
      model.setSpeed(speed, at: now)
    case 9, 10:
      let progress = random.unit()
      calls.append("scrub \(handle.index) to \(progress)")
      if choice == 9 {
        try batch.scrub(handle, toProgress: progress)
      } else {
        try batch.scrub(handle, to: progress * model.clip.duration)
      }
      model.seek(to: progress * model.clip.duration, at: now)
    case 11:
      calls.append("cancel \(handle.index)")
      let value = try shown(handle)
      try batch.cancel(handle)
      model.cancel(showing: value)
    case 12:
      let value = (0..<batch.dimensions).map { _ in Float(random.uniform(-5...5)) }
      calls.append("set \(handle.index) to \(value)")
      let one = [handle]
      try batch.set(one.span, to: value.span)
      model.setOwn(value)
    case 13:
      // Two in one time: each shows.
      for _ in 0..<2 {
        let progress = random.unit()
        calls.append("scrub \(handle.index) to \(progress), and advance")
        try batch.scrub(handle, toProgress: progress)
        model.seek(to: progress * model.clip.duration, at: now)
        models[handle] = model
        try batch.advance(to: now)
        try check()
        model = models[handle]
      }
    default:
      let draw = random.unit()
      if draw < 0.2 {
        calls.append("compact")
        try batch.compact()
      } else if draw < 0.25 {
        calls.append("remove all")
        batch.removeAll()
        gone += models.keys
        models = [:]
        return
      } else {
        let factors = (0..<batch.dimensions).map { _ in Float(random.uniform(-2...2)) }
        let sums = (0..<batch.dimensions).map { _ in Float(random.uniform(-2...2)) }
        calls.append("vary \(handle.index) \(factors) \(sums)")
        let one = [handle]
        try batch.setVariations(one.span, scales: factors.span, offsets: sums.span)
        model.vary(factors, sums)
      }
    }
    models[handle] = model
  }

  private func shown(_ handle: TrackHandle) throws -> [Float] {
    var value = [Float](repeating: .nan, count: batch.dimensions)
    var span = value.mutableSpan
    try batch.copyValues(of: handle, into: &span)
    return value
  }

  private func check() throws {
    let now = batch.time
    var completed = Set(batch.completed)
    var repeated: [TrackHandle: Int] = [:]
    for event in batch.repeated { repeated[event.handle] = event.leg }
    (completions, repeats) = (completions + completed.count, repeats + repeated.count)
    if completed.count != batch.completed.count || repeated.count != batch.repeated.count { fault = "sent twice" }
    if batch.count != models.count { fault = "\(batch.count) live, not \(models.count)" }
    for handle in gone.suffix(20) where batch.contains(handle) { fault = "\(handle) is gone" }
    for (handle, old) in models {
      var model = old
      let local = model.clock.time(at: now)
      if let (begun, ends) = model.motion?.clock.events(until: local) {
        let leg = repeated.removeValue(forKey: handle)
        if leg != begun?.upperBound {
          fault = try "\(handle.index): leg \(leg ?? 0), not \(begun?.upperBound ?? 0); \(description(of: handle))"
        }
        if (completed.remove(handle) != nil) != ends { fault = "\(handle.index): completed should be \(ends)" }
      }
      models[handle] = model
      let isPlaying = model.isPlaying(at: now)
      if try batch.isPlaying(handle) != isPlaying { fault = "\(handle.index): playing should be \(isPlaying)" }
      try checkMotion(handle, model)
    }
    if !completed.isEmpty || !repeated.isEmpty { fault = "events of nobody: \(completed) \(repeated)" }
  }

  private func description(of handle: TrackHandle) throws -> String {
    let row = try batch.rowIndex(of: handle)
    return "row \(row): \(batch.state(ofRow: row)) \(batch.tiles.moving) \(batch.plan.runs)"
  }

  private func checkMotion(_ handle: TrackHandle, _ model: Instance) throws {
    let values = try shown(handle)
    let row = try batch.rowIndex(of: handle)
    for (dimension, sample) in model.samples(at: batch.time).enumerated() {
      checks += 1
      let velocity = try batch.withVelocities(dimension: dimension) { $0[row] }
      let excess = Excess(value: values[dimension], velocity: velocity, of: sample)
      if !(excess.largest <= 1) {
        fault = try
          "\(handle.index).\(dimension) shows \(values[dimension]) and moves at \(velocity), not \(sample); \(description(of: handle))"
      }
    }
  }
}
