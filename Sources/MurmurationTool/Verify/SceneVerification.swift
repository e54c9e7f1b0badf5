// SPDX-License-Identifier: MIT
import CrossCheck
import Murmuration
import Scenes

/// A scene played on one instruction set and compared with the model, frame by frame, without any output.
struct SceneVerification {
  let scene: String
  let set: KernelSet

  /// The worst value, the worst velocity and the worst rest, as shares of their bounds.
  func results() throws -> [CheckResult] {
    let playable = try SceneSource.load(scene)
    var player = try ScenePlayer(playable, kernels: set)
    var check = try SceneCheck(playable, watching: player)
    for frame in 0..<playable.frameCount {
      try player.advance(toFrame: frame)
      try check.compare(player, frame: frame, time: playable.time(ofFrame: frame))
    }
    var motions = [result("value", check.value, samples: check.comparisons)]
    if check.comparesVelocities { motions.append(result("velocity", check.velocity, samples: check.comparisons)) }
    return check.rests > 0 ? motions + [result("rest", check.rest, samples: check.rests)] : motions
  }

  private func result(_ kind: String, _ worst: SceneCheck.Worst, samples: Int) -> CheckResult {
    let name = scene.split(separator: "/").last.map(String.init) ?? scene
    var result = CheckResult(name: "scene.\(name).\(kind)", isa: set.rawValue, unit: "of the bound", bound: 1)
    result.record(worst.share, worst.place)
    result.samples = samples
    return result
  }
}
