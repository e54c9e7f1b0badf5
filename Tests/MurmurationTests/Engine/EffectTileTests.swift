// SPDX-License-Identifier: MIT
import Kernels
import TestSupport
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// Tiles of tracks with many effects each, which kernels add up together.
struct EffectTileTests {
  @Test("Kernels add up any number of effects")
  func manyEffects() throws {
    var batch = try AnimationBatch<Float>()
    let track = try batch.add(0)
    var model = AnimatedValue(0.0)
    for count in 1...80 {
      let goal = Float(count % 2 == 0 ? -count : count)
      try batch.animate(track, to: goal, .easeInOut(duration: 8))
      model.retarget(to: Double(goal), with: .easeInOut(duration: 8), at: batch.time)
      try batch.advance(by: 0.1)
      let isByKernels = batch.followsCurve(track)
      #expect(isByKernels, "\(count) effects")
      let error = abs(Double(batch[track] ?? .nan) - model.value(at: batch.time))
      #expect(error <= 1e-3, "\(count) effects")
    }
  }

  @Test("Tiles add up an effect for each frame as single tracks do, and as the model", arguments: KernelSet.available)
  func aTileAddsUpManyEffects(_ set: KernelSet) throws {
    var random = SplitMix64(seed: 60)
    var bulk = try AnimationBatch<Float>(kernels: set)
    var single = try AnimationBatch<Float>(kernels: set)
    let zeros = [Float](repeating: 0, count: 37)
    let (tracks, twins) = (try bulk.add(zeros), try single.add(zeros))
    var models = zeros.map { AnimatedValue(Double($0)) }
    for frame in 1...60 {
      let goals = zeros.map { _ in Float(random.uniform(-100...100)) }
      let ease = Animation.easeOut(duration: [0.3, 0.2, 0.25][frame % 3])
      try bulk.animate(.all, to: goals, ease)
      for index in twins.indices {
        try single.animate(twins[index], to: goals[index], ease)
        models[index].retarget(to: Double(goals[index]), with: ease, at: bulk.time)
      }
      try bulk.advance(to: Double(frame) / 60)
      try single.advance(to: Double(frame) / 60)
      #expect(bulk.calledCount == 0 && single.calledCount == 0)
      // The clock may go back, and forwards again.
      for time in frame == 60 ? [1, 1.11, 1.02, 1.22, 1.01, 1.4, 1.15] : [bulk.time] {
        try bulk.advance(to: time, velocities: true)
        try single.advance(to: time, velocities: true)
        for index in twins.indices {
          let (shown, alone) = (bulk[tracks[index]] ?? .nan, single[twins[index]] ?? .nan)
          #expect(shown.bitPattern == alone.bitPattern, "frame \(frame), \(time) s, track \(index)")
          #expect(bulk.velocity(of: tracks[index]) == single.velocity(of: twins[index]), "\(time) s, track \(index)")
          #expect(abs(Double(shown) - models[index].value(at: time)) <= 0.01, "\(time) s, track \(index)")
        }
      }
    }
  }

  /// Tiles whose tracks are alike have effects along the same curve, at the same places in their chains, from other moments.
  @Test(arguments: KernelSet.available)
  func neighbouringTilesHaveEffectsOfTheirOwn(_ set: KernelSet) throws {
    var batch = try AnimationBatch<Float>(kernels: set)
    let tracks = try batch.add([Float](repeating: 0, count: 4 * laneCountOfTile))
    var models = tracks.map { _ in AnimatedValue(0.0) }
    for frame in 1...40 {
      let sent = tracks.indices.filter { $0 / laneCountOfTile == frame % 4 }
      let (goals, ease) = (sent.map { Float((7 * frame + $0) % 31) }, Animation.easeOut(duration: 0.5))
      try batch.animate(sent.map { tracks[$0] }, to: goals, ease)
      for (index, goal) in zip(sent, goals) { models[index].retarget(to: Double(goal), with: ease, at: batch.time) }
      // All lengths are exact, so all rates are equal.
      try batch.advance(to: Double(frame) / 64, velocities: true)
      compare(batch, tracks, models, "frame \(frame)")
    }
  }

  /// Most tiles have one effect and share it. Some have none, one of another curve or rate, a second one, or a lane that lacks
  /// it or has it at another speed.
  @Test(arguments: KernelSet.available)
  func tilesOfOneEffectAmongOthers(_ set: KernelSet) throws {
    var random = SplitMix64(seed: 33)
    func pick(below count: Int) -> Int { Int(random.next() % UInt64(count)) }
    let ease = Animation.easeOut(duration: 0.5)
    for round in 0..<20 {
      var batch = try AnimationBatch<Float>(kernels: set)
      let tracks = try batch.add((0..<12 * laneCountOfTile).map { Float($0) })
      var models = tracks.indices.map { AnimatedValue(Double($0)) }
      let kinds = (0..<12).map { _ in pick(below: 2) == 0 ? 0 : 1 + pick(below: 6) }
      func lanes(_ tiles: [Int]) -> [Int] {
        tiles.flatMap { $0 * laneCountOfTile..<($0 + 1) * laneCountOfTile }
      }
      func send(_ sent: [Int], _ animation: Animation) throws {
        let goals = sent.map { _ in Float(random.uniform(-50...50)) }
        try batch.animate(sent.map { tracks[$0] }, to: goals, animation)
        for (index, goal) in zip(sent, goals) {
          models[index].retarget(to: Double(goal), with: animation, at: batch.time)
        }
      }
      func tiles(_ chosen: Int...) -> [Int] { kinds.indices.filter { chosen.contains(kinds[$0]) } }
      let lane = pick(below: laneCountOfTile)
      // Effects add to the motions of springs.
      try send(Array(tracks.indices), .smooth(duration: 2))
      try batch.advance(to: 1 / 32)
      try send(lanes(tiles(0, 4)), ease)
      try send(lanes(tiles(1)), .easeIn(duration: 0.5))
      try send(lanes(tiles(2)), .easeOut(duration: 0.4))
      try send(lanes(tiles(3, 5)).filter { $0 % laneCountOfTile != lane }, ease)
      try send(lanes(tiles(5)).filter { $0 % laneCountOfTile == lane }, ease.speed(2))
      for frame in 1...10 {
        try batch.advance(to: Double(frame) / 16, velocities: frame % 2 == 0)
        if frame == 2 { try send(lanes(tiles(4)), ease) }
        compare(batch, tracks, models, "round \(round), frame \(frame)")
      }
    }
  }

  /// Expects that the batch is sound, and that each track shows what its model shows.
  private func compare(
    _ batch: borrowing AnimationBatch<Float>, _ tracks: [TrackHandle], _ models: [AnimatedValue<Double>], _ note: String
  ) {
    let (broken, time) = (batch.checkInvariants(), batch.time)
    #expect(broken == nil, "\(note)")
    for (index, track) in tracks.enumerated() {
      let error = abs(Double(batch[track] ?? .nan) - models[index].value(at: time))
      #expect(error <= 0.01, "\(note), track \(index)")
    }
  }

  @Test("A track may leave a tile of many effects, and another may come")
  func aTrackLeavesManyEffects() throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([Float](repeating: 0, count: 16))
    var models = tracks.map { _ in AnimatedValue(0.0) }
    func send(_ index: Int, to goal: Float, _ batch: inout AnimationBatch<Float>) throws {
      try batch.animate(tracks[index], to: goal, .easeOut(duration: 0.3))
      models[index].retarget(to: Double(goal), with: .easeOut(duration: 0.3), at: batch.time)
    }
    for frame in 0..<90 {
      if frame == 40 || frame > 44, frame % 10 == 0 {
        try send(frame % 16, to: Float(frame), &batch)
      } else {
        let goals = tracks.map { Float(($0.index * 7 + frame * 31) % 100) }
        try batch.animate(.all, to: goals, .easeOut(duration: 0.3))
        for (index, goal) in goals.enumerated() {
          models[index].retarget(to: Double(goal), with: .easeOut(duration: 0.3), at: batch.time)
        }
      }
      try batch.advance(by: 1 / 60)
      compare(batch, tracks, models, "frame \(frame)")
    }
  }

  @Test("A track that takes the place of one in a tile of many effects has its own")
  func anotherTrackComesAmongManyEffects() throws {
    var batch = try AnimationBatch<Float>()
    var tracks = try batch.add([Float](repeating: 0, count: 16))
    var models = tracks.map { _ in AnimatedValue(0.0) }
    func send(_ goal: Float, _ chosen: Range<Int>, _ batch: inout AnimationBatch<Float>) throws {
      if chosen.count == 1 {
        try batch.animate(tracks[chosen.lowerBound], to: goal, .easeOut(duration: 1))
      } else {
        try batch.animate(.all, to: tracks.map { _ in goal }, .easeOut(duration: 1))
      }
      for index in chosen { models[index].retarget(to: Double(goal), with: .easeOut(duration: 1), at: batch.time) }
    }
    for frame in 0..<120 {
      if frame < 3 { try send(Float(frame + 1), 0..<16, &batch) }
      if frame == 10 {
        try batch.remove(tracks[5])
        (tracks[5], models[5]) = (try batch.add(0), AnimatedValue(0.0))
      }
      if 20..<23 ~= frame { try send(Float(-frame), 5..<6, &batch) }
      try batch.advance(by: 1 / 60)
      compare(batch, tracks, models, "frame \(frame)")
    }
  }

  /// No bit depends on an effect before one that has covered its way, however long it takes itself.
  @Test(arguments: [1, 16]) func shortEffectsOnALongOneAreForgotten(count: Int) throws {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([Float](repeating: 0, count: count))
    for track in tracks { try batch.animate(track, to: 1, .linear(duration: 1_000)) }
    for frame in 1...200 {
      try batch.advance(to: Double(frame) / 60)
      for track in tracks { try batch.animate(track, to: Float(frame), .linear(duration: 0.05)) }
      #expect(batch.engine.curves.effects.count <= 6)
    }
  }

  @Test("A lane that lacks the latest effect of its tile shows what its track shows alone", arguments: 1...4)
  func aLaneLacksTheLatestEffect(seed: UInt64) throws {
    /// A batch of one track, whose tiles are never full: each effect moves it.
    final class Alone {
      var batch: AnimationBatch<SIMD2<Float>>
      let track: TrackHandle
      init(at value: SIMD2<Float>, time: Double) throws {
        batch = try AnimationBatch()
        try batch.advance(to: time)
        track = try batch.add(value)
      }
    }
    var random = SplitMix64(seed: seed)
    func pick(below count: Int) -> Int { Int(random.next() % UInt64(count)) }
    func point() -> SIMD2<Float> { SIMD2(Float(random.uniform(-50...50)), Float(random.uniform(-50...50))) }
    var batch = try AnimationBatch<SIMD2<Float>>()
    var tracks = try batch.add((0..<37).map { _ in SIMD2<Float>.zero })
    var twins = try tracks.map { _ in try Alone(at: .zero, time: 0) }
    var vacancies = 0
    for frame in 0..<90 {
      // Most frames send all tracks, one after the other, along one curve; and some tracks do something else.
      let share = [1, 1, 0.9, 0.1][pick(below: 4)]
      let ease = Animation.easeOut(duration: [0.3, 0.3, 0.1][pick(below: 3)])
      for index in tracks.indices where random.uniform(0...1) <= share {
        func both(_ body: (inout AnimationBatch<SIMD2<Float>>, TrackHandle) throws -> Void) throws {
          try body(&batch, tracks[index])
          try body(&twins[index].batch, twins[index].track)
        }
        let (goal, next) = (point(), point())
        try both { try $0.animate($1, to: goal, ease) }
        guard pick(below: 60) == 0 else { continue }
        // After a modified effect all tracks are placed one by one, so there are none before the last frames.
        switch pick(below: frame < 70 ? 7 : 8) {
        case 0: try both { try $0.animate($1, to: next, .bouncy) }
        case 1: try both { try $0.pause([$1]) }
        case 2: try both { try $0.resume([$1]) }
        case 3: try both { try $0.animate([$1], to: [next], ease, delays: [0.01]) }
        case 4: try both { try $0.animate($1, to: next, .linear(duration: 0.2)) }
        case 5: try both { try $0.stop([$1]) }
        case 6:
          try batch.remove(tracks[index])
          (tracks[index], twins[index]) = (try batch.add(goal), try Alone(at: goal, time: batch.time))
        default: try both { try $0.animate($1, to: next, ease.repeatCount(2)) }
        }
      }
      if pick(below: 30) == 0 {
        let values = (0..<20).map { _ in point() }
        tracks += try batch.add(values)
        twins += try values.map { try Alone(at: $0, time: batch.time) }
      }
      if pick(below: 40) == 0 { try batch.compact() }
      // The clock goes back now and then.
      let time = Double(frame + 1) / 60
      for time in pick(below: 10) == 0 ? [time + 0.15, time] : [time] {
        let velocities = pick(below: 2) == 0
        try batch.advance(to: time, velocities: velocities)
        #expect(batch.checkInvariants() == nil)
        for (track, twin) in zip(tracks, twins) {
          try twin.batch.advance(to: time, velocities: velocities)
          #expect(batch[track] == twin.batch[twin.track], "frame \(frame), track \(track.index)")
          let (velocity, other) = (batch.velocity(of: track), twin.batch.velocity(of: twin.track))
          #expect(velocity == other, "frame \(frame), track \(track.index)")
          let (events, others) = (batch.events.filter { $0.track == track }, twin.batch.events)
          #expect(events.map(\.kind) == others.map(\.kind) && events.map(\.moment) == others.map(\.moment))
        }
      }
      vacancies += batch.engine.vacancyCount
    }
    #expect(vacancies > 10)
  }
}

extension Engine {
  /// The number of tracks that lack an effect of the last block of their tile.
  fileprivate var vacancyCount: Int {
    (0..<tracks.indices.count).count { index in
      guard tracks.indices.isLive(index) else { return false }
      guard tracks.tiles.kind(at: index) == .curves else { return false }
      var last = Int(curves.first[index / laneCountOfTile])
      while curves.effects[last].next >= 0 { last = Int(curves.effects[last].next) }
      return curves.effects[last].lanes & TileStore.bit(index) == 0
    }
  }
}
