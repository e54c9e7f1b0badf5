// SPDX-License-Identifier: MIT
import MurmurationReference
import Murmuration
import SceneReference
import Scenes

/// Scenes played on one instruction set and compared with the model, frame by frame, without any output.
struct SceneVerification {
  private let set: KernelSet
  private var value: CheckResult
  private var velocity: CheckResult
  private var rest: CheckResult

  /// - Parameter name: The name of the results, before the name of the compared quantity.
  init(_ name: String, on set: KernelSet) {
    self.set = set
    func result(_ kind: String) -> CheckResult {
      CheckResult(name: "\(name).\(kind)", isa: set.rawValue, unit: "of the bound", bound: 1)
    }
    (value, velocity, rest) = (result("value"), result("velocity"), result("rest"))
  }

  /// The number of values compared so far.
  var samples: Int { value.samples }

  /// The worst errors, as shares of their bounds.
  var results: [CheckResult] { [value, velocity, rest].filter { $0.samples > 0 } }

  /// Plays frames of a scene, or all; `note` is put before the places that results name.
  mutating func play(_ playable: PlayableScene, frames: Range<Int>? = nil, note: String = "") throws {
    var player = try ScenePlayer(playable, kernels: set)
    var check = try SceneCheck(playable, watching: player)
    for frame in frames ?? 0..<playable.frameCount {
      try player.advance(toFrame: frame)
      try check.compare(player, frame: frame, time: playable.time(ofFrame: frame))
    }
    value.record(check.value.share, samples: check.comparisons, note + check.value.place)
    if check.comparesVelocities {
      velocity.record(check.velocity.share, samples: check.comparisons, note + check.velocity.place)
    }
    if check.rests > 0 { rest.record(check.rest.share, samples: check.rests, note + check.rest.place) }
  }

  /// Plays random scenes until a number of values were compared.
  mutating func play(
    samples: Int, seed: UInt64, _ scene: (_ seed: UInt64) throws -> PlayableScene
  ) throws {
    var seeds = SplitMix64(seed: seed)
    while self.samples < samples {
      let seed = seeds.next()
      try play(scene(seed), note: "scene of seed \(seed), ")
    }
  }
}
