// SPDX-License-Identifier: MIT
import Reference

@testable import Murmuration

/// An engine and a batch of keyframes that get the same calls, and must show the same bits and report the same ends.
struct ClipTwins: ~Copyable {
  private var batch: KeyframeBatch
  private var twin: AnimationBatch<SIMD2<Float>>
  private let clips: [(clip: Clip, old: ClipID, new: ClipID)]
  private var tracks: [(old: TrackHandle, new: TrackHandle)] = []
  private var random: SplitMix64
  private(set) var log: [String] = []

  /// - Parameter hasOwnTiles: Whether even clips that one track plays have tiles of their own.
  init(seed: UInt64, hasOwnTiles: Bool, set: KernelSet? = nil) throws {
    var batch = try KeyframeBatch(dimensions: 2, kernels: set)
    var twin = try AnimationBatch<SIMD2<Float>>(kernels: set)
    if hasOwnTiles {
      batch.rowsBeforeOwnTiles = 0
      twin.engine.clips.rowsBeforeOwnTiles = 0
    }
    twin.reports = .iterations
    var random = SplitMix64(seed: seed)
    var clips: [(clip: Clip, old: ClipID, new: ClipID)] = []
    var draws = RandomTimeline(seed: seed)
    for _ in 0..<3 {
      let x = draws.sequence(count: 1 + Int(random.next() % 6)) { $0.random.uniform(-50...50) }
      let y = draws.sequence(count: 1 + Int(random.next() % 6)) { $0.random.uniform(-50...50) }
      let clip = try Clip(initialValue: AnimatablePair(1.0, 2.0)) { _ in
        KeyframeTrack(\.first) { x }
        KeyframeTrack(\.second) { y }
      }
      clips.append((clip, try batch.load(clip), try twin.load(clip)))
    }
    self.clips = clips
    self.random = random
    self.batch = batch
    self.twin = twin
  }

  private mutating func pick(below count: Int) -> Int { Int(random.next() % UInt64(max(1, count))) }

  private mutating func someTracks() -> [Int] {
    let count = 1 + pick(below: pick(below: 2) == 0 ? 4 : tracks.count)
    let first = pick(below: tracks.count)
    return (0..<min(count, tracks.count)).map { (first + $0) % tracks.count }
  }

  /// Makes a random call on both.
  mutating func call() throws {
    switch tracks.isEmpty ? 0 : pick(below: 20) {
    case 0, 1: try add()
    case 2, 3, 4: try play()
    case 5: try pause(true)
    case 6: try pause(false)
    case 7: try setSpeed()
    case 8, 9: try seek()
    case 10: try remove()
    case 11: try compact()
    default: try advance()
    }
  }

  private mutating func add() throws {
    let count = 1 + pick(below: pick(below: 2) == 0 ? 3 : 40)
    let index = pick(below: clips.count)
    let playbacks = (0..<count).map { _ in random.playback(near: batch.time) }
    log.append("add \(count) of clip \(index)")
    let old = try batch.add(clips[index].old, playbacks.span)
    // What a track shows before and after a playback is its own value: here the first one of the clip.
    let first = SIMD2<Float> { Float(clips[index].clip.value(dimension: $0 == 0 ? 0 : 1, at: -1)) }
    let new = try twin.add([SIMD2<Float>](repeating: first, count: count))
    try twin.play([ClipID](repeating: clips[index].new, count: count), on: new, playbacks)
    for place in old.indices { tracks.append((old[place], new[place])) }
  }

  private mutating func play() throws {
    let chosen = Array(Set(someTracks())).sorted()
    let index = pick(below: clips.count)
    var playback = random.playback()
    let isShown = pick(below: 3) == 0
    if isShown { playback.speed = playback.speed.magnitude }
    log.append("play clip \(index) on \(chosen), \(isShown ? "from what is shown" : "from the start")")
    for track in chosen {
      try batch.trigger(
        tracks[track].old, playback, clip: clips[index].old, from: isShown ? .current : .beginning)
    }
    try twin.play(
      clips[index].new, on: chosen.map { tracks[$0].new }, playback, start: isShown ? .shown : .firstValue)
  }

  private mutating func pause(_ pauses: Bool) throws {
    let chosen = someTracks()
    log.append("\(pauses ? "pause" : "resume") \(chosen)")
    let old = chosen.map { tracks[$0].old }
    if pauses {
      try batch.pause(old.span)
      try twin.pausePlayback(of: chosen.map { tracks[$0].new })
    } else {
      try batch.resume(old.span)
      try twin.resumePlayback(of: chosen.map { tracks[$0].new })
    }
  }

  private mutating func setSpeed() throws {
    let chosen = someTracks()
    let speed = [-1.5, 0, 0.5, 2][pick(below: 4)]
    log.append("speed \(speed) of \(chosen)")
    for track in chosen { try batch.retime(tracks[track].old, speed: speed) }
    try twin.setPlaybackSpeed(speed, of: chosen.map { tracks[$0].new })
  }

  private mutating func seek() throws {
    let chosen = someTracks()
    let times = chosen.map { _ in random.uniform(-0.5...3) }
    log.append("seek \(chosen)")
    let old = chosen.map { tracks[$0].old }
    try batch.scrub(old.span, to: times.span)
    try twin.seek(chosen.map { tracks[$0].new }, to: times)
  }

  private mutating func remove() throws {
    let chosen = Set(someTracks())
    log.append("remove \(chosen.sorted())")
    let old = chosen.sorted().map { tracks[$0].old }
    try batch.remove(old.span)
    try twin.remove(chosen.sorted().map { tracks[$0].new })
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
    var time = batch.time + [0, 1.0 / 60, 0.3, 2][pick(below: 4)]
    if pick(below: 5) == 0 { time = batch.time - 0.5 }
    log.append("advance to \(time)\(velocities ? ", velocities" : "")")
    let old = Result { try batch.advance(to: time) }
    let new = Result { try twin.advance(to: time, velocities: velocities) }
    switch (old, new) {
    case (.success, .success): try compareEvents()
    case (.failure, .failure): break
    default: throw EngineTwins.Difference("advance to \(time): \(old), engine \(new)")
    }
  }

  private func compareEvents() throws {
    let ended = twin.events.filter { $0.kind == .settled }.map(\.track.index)
    let expected = batch.completed.map(\.index).sorted()
    guard ended == expected else { throw EngineTwins.Difference("ended \(ended), batch \(expected)") }
    let begun = twin.events.filter { $0.kind == .iteration }.map { [$0.track.index, $0.number] }
    let legs = batch.repeated.map { [$0.handle.index, $0.leg] }.sorted { $0[0] < $1[0] }
    guard begun == legs else { throw EngineTwins.Difference("iterations \(begun), batch \(legs)") }
  }

  /// Compares what both show.
  mutating func compare() throws {
    guard twin.count == batch.count else { throw EngineTwins.Difference("\(twin.count) tracks, \(batch.count)") }
    let readsVelocities = pick(below: 2) == 0
    for (old, new) in tracks {
      let (value, expected) = (twin[new], try batch.value(of: old, as: SIMD2<Float>.self))
      guard value == expected else {
        throw EngineTwins.Difference("value of \(new.index): \(String(describing: value)), batch \(expected)")
      }
      guard readsVelocities else { continue }
      let (speed, slope) = (twin.velocity(of: new), try batch.velocity(of: old, as: SIMD2<Float>.self))
      guard speed == slope else {
        throw EngineTwins.Difference("velocity of \(new.index): \(String(describing: speed)), batch \(slope)")
      }
    }
  }
}
