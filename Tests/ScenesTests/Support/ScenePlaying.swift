// SPDX-License-Identifier: MIT
import Formats
import Murmuration
import SceneReference
import Testing

@testable import Scenes

extension PlayableScene {
  /// A scene that is written down here.
  init(text: String) throws { try self.init(SceneSource.decode(Array(text.utf8))) }

  /// Plays every frame and compares it with the model, of another scene if one is given, up to the first that is wrong.
  ///
  /// - Parameters:
  ///   - sampleLimit: How many tracks are compared at most.
  ///   - step: How many frames are played for each that is compared.
  func checked(
    _ kernels: KernelSet? = nil, against other: PlayableScene? = nil, sampleLimit: Int = SceneCheck.sampleLimit,
    perturbation: Double = 0, every step: Int = 1
  ) throws -> SceneCheck {
    var player = try ScenePlayer(self, kernels: kernels)
    var check = try SceneCheck(
      other ?? self, watching: player, sampleLimit: sampleLimit, perturbation: perturbation)
    for frame in 0..<frameCount {
      try player.advance(toFrame: frame)
      guard frame % step == 0 else { continue }
      try check.compare(player, frame: frame, time: time(ofFrame: frame))
      if !check.passed { break }
    }
    return check
  }

  /// Whether a player that plays this scene is found wrong at a time, where another scene is expected.
  func isFoundWrong(at time: Double, against expected: PlayableScene) throws -> Bool {
    var player = try ScenePlayer(self)
    var check = try SceneCheck(expected, watching: player)
    try player.advance(to: time)
    try check.compare(player, frame: 0, time: time)
    return !check.passed
  }
}

extension ScenePlayer {
  /// The values of one component, track after track.
  func column(_ component: Int = 0, group: Int = 0) throws -> [Float] {
    try withValues(group: group, component: component) { column in column.indices.map { column[$0] } }
  }

  /// The velocities of one component, track after track.
  func velocities(_ component: Int = 0, group: Int = 0) throws -> [Float] {
    try withVelocities(group: group, component: component) { column in column.indices.map { column[$0] } }
  }
}

/// Expects that a scene is refused for what `new` in the place of `old` makes of it.
func expectMistake(_ old: String, _ new: String, in scene: String, _ expected: String) {
  let text = scene.replacing(old, with: new, maxReplacements: 1)
  #expect(text != scene, "“\(old)” is not in the scene")
  let found = fileError { try SceneSource.decode(Array(text.utf8)) }?.description ?? "accepted"
  #expect(found.hasPrefix(expected), "\(found)")
}
