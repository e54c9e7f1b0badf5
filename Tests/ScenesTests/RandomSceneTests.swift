// SPDX-License-Identifier: MIT
import Murmuration
import SceneReference
import TestSupport
import Testing

@testable import Scenes

/// Random scenes of timelines, phases and animations, played by batches and by the model.
struct RandomSceneTests {
  typealias Draw = @Sendable (UInt64) throws -> PlayableScene

  static let draws: [Draw] = [
    { try RandomScene.timelines(seed: $0) }, { try RandomScene.phases(seed: $0) },
    { try RandomScene.animations(seed: $0) },
  ]

  @Test(arguments: KernelSet.available, draws.indices)
  func framesAreWithinTheBoundOfTheModel(_ kernels: KernelSet, kind: Int) throws {
    for seed in 1...UInt64(Effort.draws(quick: kernels == .portable ? 3 : 1, soak: 6)) {
      let result = try Self.draws[kind](seed).checked(kernels)
      #expect(result.passed, "seed \(seed): \(result.value) \(result.velocity)")
      #expect(result.comparisons > 1_000)
    }
  }

  @Test(arguments: draws.indices) func aReferenceThatIsWrongFails(kind: Int) throws {
    for seed in 1...3 as ClosedRange<UInt64> {
      #expect(try !Self.draws[kind](seed).checked(perturbation: 1e-3).passed, "seed \(seed)")
    }
  }

  /// Among these are timelines that are a move alone, repeated, turned round and taken by hands.
  @Test(arguments: [12_710_348_155_395_669_505, 17_505_121_123_262_786_554])
  func timelinesOfNoLengthAreWithinTheBound(_ seed: UInt64) throws {
    let playable = try RandomScene.timelines(seed: seed)
    guard case .timelines(let group) = playable.scene.groups[0].motion else { return #expect(Bool(false), "group 0") }
    #expect(group.timelines[0].duration == 0 && group.grab != nil)
    let result = try playable.checked()
    #expect(result.passed, "\(result.value) \(result.velocity)")
  }

  /// A playback that waits to run backwards stands at the end of its clip, and many pieces end within a tick of that
  /// end.
  ///
  /// The clip of the third seed lasts half a minute, and its spring is fast for its first hundredth of a second. The bound
  /// follows from that speed, which a grid over the clip misses. A clip of the last seed begins anew where it ends: a batch has
  /// a way to go, as long as the error of its start.
  @Test(arguments: [
    12_583_251_242_654_464_876, 11_012_009_786_045_520_870, 2_522_708_310_006_964_940, 3_304_961_649_531_080_050,
  ])
  func clipsThatAreFastForAMomentAreWithinTheBound(_ seed: UInt64) throws {
    let result = try RandomScene.timelines(seed: seed).checked()
    #expect(result.passed, "\(result.value) \(result.velocity)")
  }

  /// The first number that is compared is the velocity at the start of a quarter circle, which is infinite.
  @Test func aTimelineThatStartsUprightIsWithinTheBound() throws {
    let playable = try RandomScene.timelines(seed: 2168)
    guard case .timelines(let group) = playable.scene.groups[0].motion else { return #expect(Bool(false), "group 0") }
    #expect(group.timelines[0].timeline.velocity(time: 0) == .infinity)
    let result = try playable.checked()
    #expect(result.passed, "\(result.value) \(result.velocity)")
    // Later comparisons count too.
    #expect(result.velocity.share > 0.01)
  }

  @Test func aSeedGivesTheSameScene() throws {
    for draw in Self.draws {
      #expect(try draw(7).scene == draw(7).scene && draw(7).scene != draw(8).scene)
    }
  }

  /// Random scenes cover every kind of keyframe, hands that push, drag and hand over, jumps and triggers.
  @Test func scenesHaveEverything() throws {
    var kinds: Set<Substring> = []
    var seen: Set<String> = []
    for seed in 0..<60 as Range<UInt64> {
      for group in try RandomScene.timelines(seed: seed).scene.groups {
        guard case .timelines(let timelines) = group.motion else { continue }
        for keyframe in timelines.timelines.flatMap(\.track.keyframes) {
          kinds.insert("\(keyframe)".prefix { $0 != "(" })
        }
        if let grab = timelines.grab {
          seen.insert(grab.hold == 0 ? "push" : grab.release == nil ? "drag" : "release")
          if grab.release?.resume != nil { seen.insert("resume") }
        }
        if timelines.playback.speed.lowerBound < 0 { seen.insert("backwards") }
        if timelines.playback.autoreverses { seen.insert("autoreverses") }
        if timelines.repeatEvery != nil { seen.insert("repeat every") }
        if timelines.repetition == .forever { seen.insert("forever") }
      }
      for group in try RandomScene.phases(seed: seed).scene.groups {
        guard case .phases(let phases) = group.motion else { continue }
        seen.insert(phases.triggers == nil ? "loops" : "triggered")
        if phases.phases.contains(where: { $0.motion == nil }) { seen.insert("jump") }
        if zip(phases.phases, phases.phases.dropFirst()).contains(where: { $0.target == $1.target }) {
          seen.insert("still")
        }
      }
      for group in try RandomScene.animations(seed: seed).scene.groups {
        guard case .animations(let group) = group.motion else { continue }
        for choice in [group.animation] + group.events.compactMap(\.animation) {
          if case .spring = choice.animation.base, choice.animation.repeats != nil { seen.insert("repeated spring") }
          if choice.animation.delay < 0 { seen.insert("negative delay") }
          if choice.isDrawn { seen.insert("drawn") }
        }
        if zip(group.events, group.events.dropFirst()).contains(where: { $0.time == $1.time }) {
          seen.insert("at once")
        }
      }
    }
    #expect(kinds.count == 4, "\(kinds)")
    #expect(seen.count == 16, "\(seen.sorted())")
  }
}
