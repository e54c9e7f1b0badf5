// SPDX-License-Identifier: MIT
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// Tracks of one batch, and each of them alone in a batch, with the same calls.
final class Neighbours {
  typealias Batch = AnimationBatch<Float>

  private final class Alone {
    var batch: Batch
    let track: TrackHandle
    let clips: [ClipID]

    init(_ value: Float, _ set: KernelSet?, at time: Double) throws {
      var batch = try Batch(kernels: set)
      clips = try Neighbours.loadClips(&batch)
      try batch.advance(to: time)
      track = try batch.add(value)
      self.batch = batch
    }
  }

  var batch: Batch
  private(set) var tracks: [TrackHandle]
  private var alone: [Alone]
  private let clips: [ClipID]
  private let set: KernelSet?

  init(_ values: [Float] = (0..<16).map { Float($0) / 3 }, on set: KernelSet? = nil) throws {
    var batch = try Batch(kernels: set)
    clips = try Self.loadClips(&batch)
    tracks = try batch.add(values)
    alone = try values.map { try Alone($0, set, at: 0) }
    self.set = set
    self.batch = batch
  }

  /// Loads clips of which one or several may be common.
  private static func loadClips(_ batch: inout Batch) throws -> [ClipID] {
    batch.engine.clips.playersBeforeOwnTiles = 3
    return try (1...3).map { try batch.load(ClipTablesTests.clip(pieces: 3 * $0, seed: UInt64($0))) }
  }

  func add(_ values: [Float]) throws {
    tracks += try batch.add(values)
    alone += try values.map { try Alone($0, set, at: batch.time) }
  }

  /// Removes a track, and adds another one in its place.
  func replace(_ index: Int, by value: Float) throws {
    try batch.remove(tracks[index])
    (tracks[index], alone[index]) = (try batch.add(value), try Alone(value, set, at: batch.time))
  }

  /// Calls both batches of a track.
  func call(_ index: Int, _ body: (inout Batch, TrackHandle) throws -> Void) throws {
    try body(&batch, tracks[index])
    try body(&alone[index].batch, alone[index].track)
  }

  func animate(_ index: Int, to goal: Float, _ animation: Animation?, after delay: Double? = nil) throws {
    try call(index) { batch, track in
      if let delay {
        try batch.animate([track], to: [goal], animation, delays: [delay])
      } else {
        try batch.animate(track, to: goal, animation)
      }
    }
  }

  /// Plays one of the clips.
  func play(_ index: Int, _ clip: Int, _ playback: Playback) throws {
    try batch.play(clips[clip], on: tracks[index], playback)
    try alone[index].batch.play(alone[index].clips[clip], on: alone[index].track, playback)
  }

  func resumeAll() throws {
    try batch.resume(tracks)
    for own in alone { try own.batch.resume(own.track) }
  }

  func advance(by seconds: Double, velocities: Bool, _ note: String) throws {
    try advance(to: batch.time + seconds, velocities: velocities, note)
  }

  /// Advances all batches, and expects that each track shows and reports what it does alone.
  func advance(to time: Double, velocities: Bool, _ note: String) throws {
    try batch.advance(to: time, velocities: velocities)
    let events = Dictionary(grouping: batch.events, by: \.track)
    for (track, own) in zip(tracks, alone) {
      try own.batch.advance(to: time, velocities: velocities)
      let (shared, expected) = (batch.bits(of: track), own.batch.bits(of: own.track))
      let reports = (events[track] ?? [], own.batch.events)
      let isSame =
        shared == expected && batch.isAtRest(track) == own.batch.isAtRest(own.track)
        && reports.0.map(\.kind) == reports.1.map(\.kind) && reports.0.map(\.moment) == reports.1.map(\.moment)
      #expect(isSame, "\(note): track \(track.index) shows \(shared), and alone \(expected); \(reports)")
    }
    if let broken = batch.checkInvariants() { Issue.record("\(note): \(broken)") }
  }
}

/// Tracks share tiles, whatever each of them does, and set out and stop where they are. Each shows what it would show alone.
struct SharedTileTests {
  @Test("Whatever neighbours do, a track has its own bits", arguments: KernelSet.available)
  func neighboursKeepTheirBits(_ set: KernelSet) throws {
    let animations: [Animation?] = [
      .spring(duration: 0.3, bounce: 0.2), .spring(duration: 2, bounce: -0.4), .smooth, nil,
      .easeOut(duration: 0.3), .linear(duration: 4), .easeInOut(duration: 0.8).repeatCount(3), .easeIn.delay(0.2),
      Animation(ClipAnimationTests.Wobble()),
    ]
    for seed in 0..<UInt64(set == .portable ? 3 : 8) {
      var random = SplitMix64(seed: seed)
      let neighbours = try Neighbours(on: set)
      for step in 0..<80 {
        for _ in 0..<random.next() % 4 {
          let (position, number) = (Int(random.next() % 16), Float(random.next() % 1000) / 7)
          switch random.next() % 16 {
          case 0: try neighbours.call(position) { try $0.pause([$1]) }
          case 1: try neighbours.call(position) { try $0.resume([$1]) }
          case 2: try neighbours.call(position) { try $0.stop([$1]) }
          case 3: try neighbours.call(position) { try $0.set([$1], [-number], velocities: [number]) }
          case 4:
            let spring = random.next() % 2 == 0 ? Spring.bouncy : Spring(duration: Double(number) / 50)
            try neighbours.call(position) { try $0.follow([$1], with: spring) }
          case 5: try neighbours.call(position) { try $0.setGoals(of: $1, number / 3) }
          case 6, 7, 8:
            let clip = Int(random.next() % 5)
            let playback = Playback(repetition: .count(position % 3 + 1), holdsAfter: position % 2 == 0)
            try neighbours.play(position, clip < 3 ? 0 : clip - 2, playback)
          case 9: try neighbours.call(position) { try $0.seek($1, to: Double(number) / 100) }
          default:
            let animation = animations[Int(random.next() % UInt64(animations.count))]
            try neighbours.animate(position, to: number, animation)
          }
        }
        // A frame of the time at which calls were made shows their curves, and nothing else again.
        let seconds = [0, 0.01, 0.1, 0.7][Int(random.next() % 4)]
        try neighbours.advance(by: seconds, velocities: random.next() % 4 == 0, "seed \(seed), step \(step)")
      }
    }
  }

  @Test("A spring goes on under effects when its neighbours come to rest", arguments: KernelSet.available)
  func springsUnderEffectsDoNotRest(_ set: KernelSet) throws {
    let neighbours = try Neighbours(on: set)
    for index in 0..<4 { try neighbours.animate(index, to: 50, .spring(duration: 0.4, bounce: 0.3)) }
    try neighbours.advance(by: 0.1, velocities: false, "springs")
    try neighbours.animate(0, to: 90, .linear(duration: 8))
    for step in 0..<120 {
      // Frames compute the ages of the tile for neighbours that set out, and calls that wait ask for them.
      if step == 20 { try neighbours.animate(1, to: -20, .spring(duration: 0.2, bounce: 0.5)) }
      if step % 30 == 10 { try neighbours.animate(2, to: Float(step), .smooth, after: 0.4) }
      try neighbours.advance(by: 0.021, velocities: step % 3 == 0, "step \(step)")
    }
  }

  @Test("Calls for whole tiles end the animations of users")
  func callsForWholeTiles() throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add((0..<16).map { Float($0) })
    let (goals, zeros) = ([Float](repeating: 40, count: 16), [Float](repeating: 0, count: 16))
    let calls: [(inout AnimationBatch<Float>) throws -> Void] = [
      { try $0.animate(tracks, to: goals, .smooth) }, { try $0.animate(.all, to: goals, .smooth) },
      { try $0.animate(tracks, to: goals, .easeOut(duration: 0.3)) }, { try $0.set(tracks, goals, velocities: zeros) },
      { try $0.stop(tracks) }, { try $0.follow(tracks) },
    ]
    for (number, call) in calls.enumerated() {
      for track in tracks.prefix(5) {
        try batch.animate(track, to: 60, Animation(ClipAnimationTests.Wobble()))
      }
      try batch.advance(by: 0.4)
      #expect(batch.calledCount == 5)
      try call(&batch)
      #expect(number == 2 || batch.calledCount == 0, "call \(number)")
      #expect(batch.checkInvariants() == nil, "call \(number)")
      try batch.advance(by: 4)
      try batch.set(tracks, tracks.map { Float($0.index) }, velocities: zeros)
    }
  }

  @Test("A track whose effects or animation are over is removed from among moving neighbours")
  func removalAmongNeighbours() throws {
    for animation in [Animation(ClipAnimationTests.Wobble()), .easeOut(duration: 2)] {
      var batch = try AnimationBatch<Float>()
      let tracks = try batch.add((0..<16).map { Float($0) })
      try batch.animate(tracks, to: tracks.map { Float(90 - $0.index) }, .spring(duration: 60))
      try batch.stop([tracks[5]])
      try batch.animate(tracks[5], to: 50, animation)
      try batch.advance(by: 1)
      #expect(batch.removeSettled() == 0)
      try batch.advance(by: 1.5)
      #expect(batch.removeSettled() == 1 && batch[tracks[5]] == nil, "\(animation)")
    }
  }

  @Test("Springs that are paused one by one go on together", arguments: KernelSet.available)
  func springsPausedOneByOne(_ set: KernelSet) throws {
    let neighbours = try Neighbours(on: set)
    for index in 0..<16 {
      try neighbours.animate(index, to: 50, .spring(duration: 0.5 + Double(index) / 40, bounce: 0.3))
    }
    // Their tile is not due for some frames after they go on.
    try neighbours.advance(by: 0.01, velocities: true, "springs")
    for index in 0..<15 { try neighbours.call(index) { try $0.pause([$1]) } }
    // The ages of the tile are computed for the last track, and the others would have come to rest long ago.
    for step in 0..<40 { try neighbours.advance(by: 0.2, velocities: false, "paused, step \(step)") }
    try neighbours.animate(15, to: -8, .bouncy)
    try neighbours.advance(by: 0.01, velocities: true, "the last track")
    try neighbours.call(15) { try $0.pause([$1]) }
    try neighbours.resumeAll()
    for step in 0..<90 { try neighbours.advance(by: 0.005, velocities: step % 2 == 0, "resumed, step \(step)") }
  }

  @Test("A spring goes on under effects when a call asks whether a neighbour is at rest")
  func callsDoNotEndSpringsUnderEffects() throws {
    let neighbours = try Neighbours()
    try neighbours.animate(0, to: 50, .spring(duration: 2, bounce: 0.3))
    try neighbours.advance(by: 0.1, velocities: false, "spring")
    try neighbours.animate(0, to: 90, .linear(duration: 60))
    for round in 0..<14 {
      // Within one frame, the first spring comes to rest before the second takes over.
      try neighbours.animate(3, to: Float(round), .spring(duration: 0.1))
      try neighbours.animate(3, to: -5 - Float(round), .smooth, after: 0.5)
      try neighbours.advance(by: 0.6, velocities: false, "round \(round)")
    }
  }
}
