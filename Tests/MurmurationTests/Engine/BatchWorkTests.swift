// SPDX-License-Identifier: MIT
import Kernels
import MurmurationReference
import TestSupport
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// The counts of ``BatchWork``, against what each track says of itself.
struct BatchWorkTests {
  /// The counts of tracks by definition.
  private func counts(_ batch: borrowing AnimationBatch<Components>) -> BatchWork.Tracks {
    var counts = BatchWork.Tracks()
    for index in 0..<batch.indexCount {
      guard let track = batch.handle(at: index), let motion = batch.motion(of: track) else { continue }
      if batch.isAtRest(track) == true { counts.atRest += 1 }
      if batch.engine.waiting.isWaiting(index) { counts.waiting += 1 }
      if batch.phase(of: track) != nil { counts.inPhases += 1 }
      if case .clip = motion {
        counts.clips += 1
      } else if batch.isPaused(track) == true, batch.isAtRest(track) == false {
        counts.paused += 1
      } else {
        switch motion {
        case .spring, .deceleration: counts.springs += 1
        case .curve, .sum: counts.effects += 1
        case .following: counts.following += 1
        case .still, .clip: counts.still += 1
        }
      }
    }
    // A sum may be computed track by track; its motion does not say so.
    counts.called = batch.calledCount
    counts.effects -= counts.called
    return counts
  }

  @Test func tracksCountByWhatTheyDo() throws {
    var seen = BatchWork()
    for seed in 0..<UInt64(Effort.draws(quick: 40, soak: 2_000)) {
      let program = RandomProgram.draw(seed: seed, size: seed % 8 == 7 ? .big : .small)
      var player = try BatchPlayer(program, kernels: .portable)
      for (position, call) in program.calls.enumerated() {
        do { try player.perform(call) } catch { continue }
        let (work, expected) = (player.batch.work, counts(player.batch))
        #expect(work.tracks == expected, "seed \(seed), call \(position): \(call.verb)")
        #expect(work.tracks.all == player.batch.count && work.dueTracks >= 0, "seed \(seed), call \(position)")
        guard case .advance = call.verb else { continue }
        seen = seen + work
        #expect(work.events == player.batch.events.count, "seed \(seed), call \(position)")
        #expect((work.effects == 0) == (work.tracks.effects == 0), "seed \(seed), call \(position)")
        #expect(work.effects >= work.tracks.effects, "seed \(seed), call \(position)")
        #expect((work.tiles.evaluated == 0) == (work.bytes == 0), "seed \(seed), call \(position): \(work)")
      }
    }
    let tracks = seen.tracks
    let all = [
      tracks.springs, tracks.effects, tracks.clips, tracks.following, tracks.called, tracks.paused, tracks.still,
      tracks.atRest, tracks.waiting, tracks.inPhases,
    ]
    #expect(all.allSatisfy { $0 > 0 } && seen.dueTracks > 0, "\(seen)")
  }

  /// Two tiles of each kind, and what frames make of them.
  @Test(arguments: 0..<7)
  func tilesCountByTheirKernels(_ kind: Int) throws {
    var batch = try AnimationBatch<Float>()
    let (values, goals) = ((0..<32).map { Float($0) }, (0..<32).map { Float(99 - $0) })
    let springs = (0..<32).map { Spring(duration: 0.5 + 0.01 * Double($0)) }
    let piece = PieceTrack(components: [0], times: [0, 9], pieces: [[SIMD4(0, 1, 0, 0)]])
    let clip = try Clip(dimensions: 1, initialValues: [0], tracks: [piece])
    var expected = BatchWork.Tiles()
    switch kind {
    case 0:
      try batch.add(values, to: goals, .bouncy)
      expected.uniform = 2
    case 1:
      try batch.add(values, to: goals, springs: springs)
      expected.laneWise = 2
    case 2:
      try batch.animate(batch.add(values), to: goals, .easeOut(duration: 1))
      expected.effects = 2
    case 3:
      let tracks = try batch.add(values, to: goals, springs: springs)
      try batch.advance(by: 0.01)
      try batch.animate(tracks, to: values, .easeOut(duration: 1))
      (expected.effects, expected.laneWise, expected.effectsOnSprings) = (2, 2, 2)
    case 4:
      try batch.add(playing: batch.load(clip), [Playback](repeating: Playback(), count: 32))
      expected.clips = 2
    case 5:
      try batch.add(playing: (0..<32).map { _ in try batch.load(clip) }, [Playback](repeating: Playback(), count: 32))
      expected.pieces = 2
    default:
      let tracks = try batch.add(values)
      try batch.follow(tracks, springs: springs)
      try batch.setGoals(of: tracks, goals)
      expected.following = 2
    }
    // A tile that stands.
    try batch.add([Float](repeating: 7, count: 16))
    expected.atRest = 1
    for velocities in [false, true] {
      for _ in 0..<2 { try batch.advance(by: 0.01, velocities: velocities) }
      let work = batch.work
      #expect(work.tiles == expected)
      #expect(work.bytes == batch.bytesPerFrame && work.bytes > 0)
    }
    #expect(batch.work.effects == (2...3 ~= kind ? 32 : 0))
    guard kind < 4 else { return }
    for _ in 0..<2 { try batch.advance(by: 1000) }
    #expect(batch.work.tiles.evaluated == 0 && batch.work.tiles.atRest == 3 && batch.work.bytes == 0)
    #expect(batch.work.tracks.atRest == 48)
  }

  /// A tile of springs, of which some tracks do something else, counts for each of its kernels.
  @Test func sharedTilesCountForEachKernel() throws {
    var batch = try AnimationBatch<Float>()
    let values = (0..<160).map { Float($0) }
    let tracks = try batch.add(values, to: values.map { $0 + 50 }, Spring(duration: 2, bounce: 0.2))
    let piece = PieceTrack(components: [0], times: [0, 9], pieces: [[SIMD4(0, 1, 0, 0)]])
    let clip = try batch.load(Clip(dimensions: 1, initialValues: [0], tracks: [piece]))
    try batch.play(clip, on: tracks[40])
    try batch.follow(tracks[41], with: .smooth)
    try batch.setGoals(of: tracks[41], -5)
    try batch.pause(tracks[120])
    for _ in 0..<2 { try batch.advance(by: 0.01) }
    let work = batch.work
    // Uniform tiles that lie apart, or a few of them behind others, are evaluated as the others are.
    #expect(work.tiles.uniform + work.tiles.laneWise == 10)
    #expect(work.tiles.clips + work.tiles.pieces == 1 && work.tiles.following == 1 && work.tiles.atRest == 0)
    #expect(work.tracks.springs == 157 && work.tracks.paused == 1)
  }

  @Test(arguments: [1, 3])
  func dueTracksAreThoseThatAFrameSeesTo(threads: Int) throws {
    var batch = try AnimationBatch<Float>()
    batch.threadCount = threads
    let values = (0..<64).map { Float($0) }
    let tracks = try batch.add(values)
    try batch.animate(tracks[..<20], to: [Float](repeating: 99, count: 20), .easeOut(duration: 1))
    try batch.animate(tracks[20..<30], to: 9, .smooth, delay: 0.25)
    var due: [Double: Int] = [:]
    for step in 0...12 {
      let time = Double(step) / 8
      try batch.advance(to: time)
      due[time] = batch.work.dueTracks
    }
    // Ten calls whose moment has come, whose springs are complete half a second later; the ends of twenty curves; and looks
    // at the ten springs until they rest.
    #expect(due[0.25] == 10 && due[0.75] == 10 && due[1] == 20, "\(due)")
    #expect(due.values.allSatisfy { $0 % 10 == 0 } && due.values.count { $0 == 0 } >= 7, "\(due)")
    try batch.advance(to: batch.time)
    #expect(batch.work.dueTracks == 0)
    for _ in 0..<2 { try batch.advance(by: 1) }
    #expect(batch.work.dueTracks == 0)
  }

  /// The end of each motion of a full tile is computed once.
  @Test func computedEndsAreThoseOfEachMotion() throws {
    var batch = try AnimationBatch<Float>()
    let values = (0..<32).map { Float($0) }
    try batch.add(
      values, to: values.map { 99 - $0 }, springs: (0..<32).map { Spring(duration: 0.2 + 0.01 * Double($0)) })
    var sum = BatchWork()
    for _ in 0..<200 {
      try batch.advance(by: 1.0 / 60)
      sum = sum + batch.work
    }
    #expect(sum.computedEnds == 32 && sum.events == 64 && sum.dueTracks >= 64, "\(sum)")
  }

  @Test func propertiesOfParticlesHaveTheirOwnWork() throws {
    var sparks = Particles()
    let (place, size) = (try sparks.addProperty(SIMD2<Float>.self), try sparks.addProperty(Float.self))
    let all = try sparks.add(40)
    try sparks[place].animate(all, to: [3, 4], .bouncy)
    try sparks.advance(by: 0.1)
    #expect(sparks[place].work.tracks.springs == 40 && sparks[size].work.tracks.still == 40)
    let both = sparks[place].work + sparks[size].work
    #expect(both.tracks.all == 80 && both.tracks.atRest == 40 && both.bytes == sparks[place].work.bytes)
  }
}
