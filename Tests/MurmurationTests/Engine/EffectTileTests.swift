// SPDX-License-Identifier: MIT
import Kernels
import TestSupport
import Testing

@testable import Murmuration
@testable import MurmurationEngine

/// Tiles of tracks with many effects each, which kernels add up together.
struct EffectTileTests {
  /// Expects that a batch is sound, and that each track shows what its model shows.
  private func compare(_ twins: borrowing Modelled, _ note: String) {
    let (broken, error) = (twins.batch.checkInvariants(), twins.error)
    #expect(broken == nil && error <= 0.01, "\(note): \(error)")
  }

  @Test("Tiles add up an effect for each frame as single tracks do, and as the model", arguments: KernelSet.available)
  func aTileAddsUpManyEffects(_ set: KernelSet) throws {
    var random = SplitMix64(seed: 60)
    var bulk = try Modelled(count: 37, kernels: set)
    var single = try Modelled(count: 37, kernels: set)
    for frame in 1...60 {
      let goals = (0..<37).map { _ in Float(random.uniform(-100...100)) }
      let ease = Animation.easeOut(duration: [0.3, 0.2, 0.25][frame % 3])
      try bulk.send(toEach: goals, by: ease)
      for (index, goal) in goals.enumerated() { try single.send([index], to: goal, by: ease) }
      // The clock may go back, and forwards again.
      for time in [Double(frame) / 60] + (frame == 60 ? [1.11, 1.02, 1.22, 1.01, 1.4, 1.15] : []) {
        try bulk.advance(to: time, velocities: true)
        try single.advance(to: time, velocities: true)
        #expect(bulk.batch.bits(of: bulk.tracks) == single.batch.bits(of: single.tracks), "frame \(frame), \(time) s")
        compare(bulk, "frame \(frame), \(time) s")
      }
      #expect(bulk.batch.calledCount == 0 && single.batch.calledCount == 0)
    }
  }

  /// Tiles whose tracks are alike have effects along the same curve, at the same places in their chains, from other moments.
  @Test(arguments: KernelSet.available)
  func neighbouringTilesHaveEffectsOfTheirOwn(_ set: KernelSet) throws {
    var twins = try Modelled(count: 4 * laneCountOfTile, kernels: set)
    for frame in 1...40 {
      let sent = twins.tracks.indices.filter { $0 / laneCountOfTile == frame % 4 }
      try twins.send(sent, toEach: sent.map { Float((7 * frame + $0) % 31) }, by: .easeOut(duration: 0.5))
      // All lengths are exact, so all rates are equal.
      try twins.advance(to: Double(frame) / 64, velocities: true)
      compare(twins, "frame \(frame)")
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
      var twins = try Modelled((0..<12 * laneCountOfTile).map { Float($0) }, kernels: set)
      let kinds = (0..<12).map { _ in pick(below: 2) == 0 ? 0 : 1 + pick(below: 6) }
      func lanes(_ chosen: Int...) -> [Int] {
        twins.tracks.indices.filter { chosen.contains(kinds[$0 / laneCountOfTile]) }
      }
      func send(_ sent: [Int], _ animation: Animation) throws {
        guard !sent.isEmpty else { return }
        try twins.send(sent, toEach: sent.map { _ in Float(random.uniform(-50...50)) }, by: animation)
      }
      let lane = pick(below: laneCountOfTile)
      // Effects add to the motions of springs.
      try send(Array(twins.tracks.indices), .smooth(duration: 2))
      try twins.advance(to: 1 / 32)
      try send(lanes(0, 4), ease)
      try send(lanes(1), .easeIn(duration: 0.5))
      try send(lanes(2), .easeOut(duration: 0.4))
      try send(lanes(3, 5).filter { $0 % laneCountOfTile != lane }, ease)
      try send(lanes(5).filter { $0 % laneCountOfTile == lane }, ease.speed(2))
      for frame in 1...10 {
        try twins.advance(to: Double(frame) / 16, velocities: frame % 2 == 0)
        if frame == 2 { try send(lanes(4), ease) }
        compare(twins, "round \(round), frame \(frame)")
      }
    }
  }

  @Test("A track that takes the place of one in a tile of many effects has its own")
  func anotherTrackComesAmongManyEffects() throws {
    var twins = try Modelled(count: 16)
    for frame in 0..<120 {
      if frame < 3 { try twins.send(to: Float(frame + 1), by: .easeOut(duration: 1)) }
      if frame == 10 {
        try twins.batch.remove(twins.tracks[5])
        (twins.tracks[5], twins.models[5]) = (try twins.batch.add(0), AnimatedValue(0.0))
      }
      if 20..<23 ~= frame { try twins.send([5], to: Float(-frame), by: .easeOut(duration: 1)) }
      try twins.advance(by: 1 / 60)
      compare(twins, "frame \(frame)")
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
    var random = SplitMix64(seed: seed)
    func pick(below count: Int) -> Int { Int(random.next() % UInt64(count)) }
    func goal() -> Float { Float(random.uniform(-50...50)) }
    let neighbours = try Neighbours([Float](repeating: 0, count: 37))
    var vacancies = 0
    for frame in 0..<90 {
      // Most frames send all tracks, one after the other, along one curve; and some tracks do something else.
      let share = [1, 1, 0.9, 0.1][pick(below: 4)]
      let ease = Animation.easeOut(duration: [0.3, 0.3, 0.1][pick(below: 3)])
      for index in neighbours.tracks.indices where random.uniform(0...1) <= share {
        try neighbours.animate(index, to: goal(), ease)
        guard pick(below: 60) == 0 else { continue }
        let next = goal()
        // After a modified effect all tracks are placed one by one, so there are none before the last frames.
        switch pick(below: frame < 70 ? 7 : 8) {
        case 0: try neighbours.animate(index, to: next, .bouncy)
        case 1: try neighbours.call(index) { try $0.pause([$1]) }
        case 2: try neighbours.call(index) { try $0.resume([$1]) }
        case 3: try neighbours.animate(index, to: next, ease, after: 0.01)
        case 4: try neighbours.animate(index, to: next, .linear(duration: 0.2))
        case 5: try neighbours.call(index) { try $0.stop([$1]) }
        case 6: try neighbours.replace(index, by: next)
        default: try neighbours.animate(index, to: next, ease.repeatCount(2))
        }
      }
      if pick(below: 30) == 0 { try neighbours.add((0..<20).map { _ in goal() }) }
      if pick(below: 40) == 0 { try neighbours.batch.compact() }
      // The clock goes back now and then.
      let time = Double(frame + 1) / 60
      for time in pick(below: 10) == 0 ? [time + 0.15, time] : [time] {
        try neighbours.advance(to: time, velocities: pick(below: 2) == 0, "frame \(frame)")
      }
      vacancies += neighbours.batch.engine.vacancyCount
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
