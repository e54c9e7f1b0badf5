// SPDX-License-Identifier: MIT
import Benchmark
import Murmuration

/// A player that goes on from frame to frame, and can check its own values.
protocol Player: AnyObject {
  /// Plays the next frame, with its calls.
  func frame() throws
  /// Whether the current values are right.
  func isRight() throws -> Bool
}

/// Registers motions that play by themselves; their frames allocate nothing once there is room.
func registerPlayBenchmarks() {
  registerPlayer("clip.forward.10000", warmUp: 600) { try Instances() }
  registerPlayer("curve.repeating.10000", warmUp: 600) { try RepeatingCurves() }
  registerPlayer("curve.again.10000", warmUp: 1_200) { try CurvesThatSetOutAgain() }
  registerPlayer("phase.springs.10000", warmUp: 1_200) {
    try LoopingPhases(.bouncy(duration: 0.4), .smooth(duration: 0.5), .snappy(duration: 0.3))
  }
  registerPlayer("phase.tiles.10000", warmUp: 1_200) {
    try LoopingPhases(.bouncy(duration: 0.4), .spring(duration: 0.5, bounce: -0.3), .snappy(duration: 0.3))
  }
  registerPlayer("phase.curves.10000", warmUp: 1_200) {
    try LoopingPhases(.easeIn(duration: 0.4), .easeOut(duration: 0.5), .linear(duration: 0.3))
  }
  registerPlayer("phase.triggered.10000", warmUp: 1_200) { try TriggeredPhases() }
  registerPlayer("sampler.clock.10000", warmUp: 10) { try Sampled() }
  registerPlayer("mixer.100", warmUp: 10) { try Mixed() }
  registerPlayer("modal.cloths.20", warmUp: 600) { try Cloths() }
}

private func registerPlayer(
  _ name: String, warmUp: Int, _ make: @escaping () throws -> any Player
) {
  Benchmark(name, configuration: .bulk) { (benchmark: Benchmark, player: any Player) in
    orExit(name) {
      try benchmark.measureCounting { _ in
        for _ in 0..<10 {
          try player.frame()
        }
      }
      let isRight = try player.isRight()
      benchmark.check(isRight, "what is shown is wrong")
    }
  } setup: {
    orExit(name) {
      let player = try make()
      for _ in 0..<warmUp {
        try player.frame()
      }
      return player
    }
  }
}

/// The constants of all players of many tracks.
enum Played {
  static let trackCount = 10_000
  static let frameDuration = 1.0 / 60
}
