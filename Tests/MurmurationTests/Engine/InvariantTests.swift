// SPDX-License-Identifier: MIT
import AnimationModel
import Kernels
import TestSupport
import Testing

@testable import Murmuration
@testable import MurmurationEngine

#if DEBUG
  private let areChecked = true
#else
  private let areChecked = false
#endif

/// `checkInvariants` sees broken state. (That it sees nothing in sound state, random programs show.)
@Suite(.enabled(if: areChecked))
struct InvariantTests {
  /// A batch with motions of all sorts, of which some wait and some are paused, after a frame.
  private static func batch() throws -> AnimationBatch<Float> {
    var batch = try AnimationBatch<Float>()
    let tracks = try batch.add([Float](repeating: 0, count: 60))
    try batch.animate(Array(tracks[0..<20]), to: [Float](repeating: 1, count: 20), .spring(Spring(duration: 2)))
    try batch.animate(tracks[20], to: 1, .spring(Spring(duration: 2)))
    try batch.animate(tracks[21], to: 1, .linear(duration: 2))
    let clip = try Clip(initialValue: 0.0) { _ in LinearKeyframe(1.0, duration: 2) }
    try batch.play(try batch.load(clip), on: tracks[22])
    let sequence = try PhaseSequence(dimensions: 1, targets: [[0], [1]], animations: [.default, .default])
    try batch.play(try batch.load(sequence), on: tracks[23])
    try batch.animate([tracks[24]], to: [1], .default, delays: [1])
    try batch.animate(Array(tracks[25..<28]), to: [1, 1, 1], .spring(Spring(duration: 2)))
    try batch.animate(tracks[28], to: 1, .spring(Spring(duration: 2)))
    try batch.pause([tracks[28]])
    try batch.animate(tracks[29], to: 1, Animation(ClipAnimationTests.Wobble()))
    try batch.advance(to: 0.5)
    return batch
  }

  /// Expects that a damage is noticed, with some words.
  private func see(_ words: String, _ damage: (inout Engine) -> Void, line: Int = #line) throws {
    var batch = try Self.batch()
    #expect(batch.checkInvariants() == nil)
    damage(&batch.engine)
    let text = batch.checkInvariants()
    #expect(text?.contains(words) ?? false, "line \(line): \(text ?? "nothing is seen")")
  }

  @Test func whatHasNoTrack() throws {
    try see("indices have tracks") { $0.tracks.vacate(40 / laneCountOfTile, lanes: TileStore.bit(40)) }
    try see("indices have tracks") { $0.tracks.dismiss(40) }
  }

  @Test func whatChainsOfEffectsKnowWrong() throws {
    func see(_ words: String, _ damage: (inout CurveMotions, _ block: Int) -> Void, line: Int = #line) throws {
      var batch = try AnimationBatch<Float>()
      let tracks = try batch.add([Float](repeating: 0, count: 16))
      for goal: Float in [1, 2] {
        try batch.animate(.all, to: tracks.map { _ in goal }, .easeOut(duration: 2))
        try batch.advance(by: 0.5)
      }
      try batch.animate(tracks[0], to: 3, .easeOut(duration: 2))
      #expect(batch.checkInvariants() == nil)
      let second = Int(batch.engine.curves.effects[Int(batch.engine.curves.first[0])].next)
      damage(&batch.engine.curves, Int(batch.engine.curves.effects[second].next))
      let text = batch.checkInvariants()
      #expect(text?.contains(words) ?? false, "line \(line): \(text ?? "nothing is seen")")
    }
    try see("is vacant, and has an effect") { curves, block in
      curves.effects.markUnlike(block)
      curves.effects.columns(block).scale[5] = 1
    }
    try see("has the goals") { $0.effects.columns($1).offset[5] = .nan }
    try see("the last effect of track") { curves, block in curves.effects.vacate(block, 1) }
    try see("has effects of lanes") { curves, block in
      let empty = curves.effects.take(0, for: 0)
      curves.effects.link(empty, after: block)
    }
    try see("have springs under no effects") { curves, _ in curves.onSprings[curves.onSprings.count - 1] = 1 }
    try see("blocks are in chains") { curves, _ in _ = curves.effects.take(0, for: 0) }
    try see("begins too early") { curves, block in
      curves.effects.markUnlike(block)
      curves.effects.columns(block).start[0] = 0.25
    }
  }

  @Test func whatIsCountedWrong() throws {
    try see("follow curve") { $0.curves.library.users[0] += 1 }
    try see("play clip") { $0.clips.library.entries[0].players += 1 }
    try see("were given clip") { $0.clips.library.entries[0].instances -= 1 }
    try see("still expected") { $0.clips.library.expectedPlayers[0] += 1 }
    try see("are called") { $0.called.end(Int($0.called.indices.first ?? 0)) }
  }

  @Test func whatIsFoundTooLate() throws {
    try see("does not move as its tile") { $0.springs.columns.start[3] -= 1 }
    try see("its tile at") { engine in
      (engine.springs.columns.restAge[20], engine.springs.columns.logicalAge[20]) = (0.6, 0.6)
    }
    try see("is due before its tile") { $0.curves.columns.until[21] = 0.6 }
    try see("that is not under its effects") { $0.springs.columns.displacement[21] = 1 }
    try see("another target than under effects") { $0.curves.columns.under[20] += 1 }
    try see("has no track, and is due") {
      $0.clips.columns.from[22 / laneCountOfTile * laneCountOfTile + 9] = 2
    }
    try see("is late") { $0.waiting.add(3, at: 0.1, nil, change: 1) { _ in 1 } }
    try see("the latest start") { $0.springs.latestStart = -1 }
    try see("the latest curve") { $0.curves.latestStart = -1 }
    try see("the latest change") { $0.clips.latestChange = -1 }
    try see("the latest step") { $0.phases.latestStep = -1 }
    try see("the latest pause") { $0.pauses.latest = -1 }
  }

  @Test func whatIsPausedInPart() throws {
    try see("paused in part") { $0.phases.pause(23) }
    try see("and has no track") { $0.pauses.begin(70, since: 0, nil) { _ in 0 } }
    try see("is held, and goes on") { $0.waiting.hold(24, at: 0.5) }
    try see("with the velocities") { $0.tracks.columns.velocity[$0.tracks.element(28, 0)] = 1 }
  }

  @Test func whatIsNotShown() throws {
    try see("moves, and is left out") { _ = $0.clips.tiles.setEvaluated(22 / laneCountOfTile, false) }
    try see("stands at") { $0.springs.columns.displacement[40] = 1 }
    try see("component 0") { $0.tracks.columns.value[$0.tracks.element(20, 0)] = .nan }
    try see("follows a spring of") { $0.springs.columns.rate[20] = .infinity }
  }
}
