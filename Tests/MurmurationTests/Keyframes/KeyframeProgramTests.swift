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

/// A batch, the models of its instances, and the calls that were made.
final class KeyframeProgram {
  private var random: SplitMix64
  private var batch: KeyframeBatch
  private var clips: [(id: ClipID, clip: Clip)] = []
  private var models: [TrackHandle: PlaybackModel] = [:]
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
      var model = PlaybackModel(clip.clip, clip.id)
      if let playback { model.begin(playback, at: now) }
      models[handle] = model
      floor = now
      return
    }
    guard let handle = anyHandle() else { return }
    var model: PlaybackModel! = models[handle]
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
      if changes { (model.clip, model.clipID) = (clip.clip, clip.id) }
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
      model.retime(speed, at: now)
    case 9, 10:
      let progress = random.unit()
      calls.append("scrub \(handle.index) to \(progress)")
      if choice == 9 {
        try batch.scrub(handle, toProgress: progress)
      } else {
        try batch.scrub(handle, to: progress * model.clip.duration)
      }
      model.scrub(to: progress * model.clip.duration, at: now)
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
      model.own = value
    case 13:
      // Two in one time: each shows.
      for _ in 0..<2 {
        let progress = random.unit()
        calls.append("scrub \(handle.index) to \(progress), and advance")
        try batch.scrub(handle, toProgress: progress)
        model.scrub(to: progress * model.clip.duration, at: now)
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
        (model.scale, model.offset) = (factors.map(Double.init), sums.map(Double.init))
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
      let place = model.place(at: now)
      if model.mode != .idle {
        let expectedLeg =
          model.clip.duration > 0 && place.phase != .waiting && place.leg > model.reportedLeg ? Int(place.leg) : nil
        let leg = repeated.removeValue(forKey: handle)
        if leg != expectedLeg {
          let state = try batch.state(ofRow: batch.rowIndex(of: handle))
          fault =
            "\(handle.index): leg \(String(describing: leg)), not \(String(describing: expectedLeg)); \(state); \(model.mode) \(place) \(model.origin) \(model.played) \(model.firstLeg) \(model.reportedLeg) \(model.legs)"
        }
        if let expectedLeg { model.reportedLeg = Double(expectedLeg) }
        let ends = place.phase == .over && !model.isReported
        if (completed.remove(handle) != nil) != ends { fault = "\(handle.index): completed should be \(ends)" }
        if ends { model.isReported = true }
      }
      models[handle] = model
      let isPlaying = model.mode == .running && place.phase == .playing
      if try batch.isPlaying(handle) != isPlaying { fault = "\(handle.index): playing should be \(isPlaying)" }
      try checkMotion(handle, model)
    }
    if !completed.isEmpty || !repeated.isEmpty { fault = "events of nobody: \(completed) \(repeated)" }
  }

  private func checkMotion(_ handle: TrackHandle, _ model: PlaybackModel) throws {
    let slack = model.clip.duration * 0x1p-32 + 1e-12 * abs(model.speed)
    let expected = model.shown(at: batch.time, slack: slack)
    let values = try shown(handle)
    let reach = ClipReach(model.clip)
    let (size, steepness) = (reach.value, reach.slope)
    for dimension in values.indices {
      checks += 1
      let scale = abs(model.scale[dimension])
      let bound =
        8 * 0x1p-24 * size * scale + 2 * slack * steepness * scale + abs(expected[1].value[dimension]) * 0x1p-23
      if !expected.contains(where: { abs($0.value[dimension] - Double(values[dimension])) <= bound + 1e-9 }) {
        fault = "\(handle.index).\(dimension) shows \(values[dimension]), not \(expected.map { $0.value[dimension] })"
      }
      let row = try batch.rowIndex(of: handle)
      let velocity = try batch.withVelocities(dimension: dimension) { $0[row] }
      // A slope is as exact as its piece is long; what is fine at the ends of a piece is not at the ends of another.
      let speedBound = 1e-4 * steepness * abs(model.speed) * scale + 1e-6
      if !expected.contains(where: { abs($0.velocity[dimension] - Double(velocity)) <= speedBound }) {
        fault =
          "\(handle.index).\(dimension) moves at \(velocity), not \(expected.map { $0.velocity[dimension] }), of row \(row): \(batch.state(ofRow: row)) \(batch.tiles.moving) \(batch.plan.runs)"
      }
    }
  }
}
