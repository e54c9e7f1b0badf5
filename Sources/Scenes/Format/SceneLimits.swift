// SPDX-License-Identifier: MIT
import Formats

/// The largest scene that is played. A larger number in a file is most often a mistake.
package enum SceneLimits {
  /// The tracks of all groups together.
  package static let tracks = 1 << 24
  /// The values of all tracks together.
  package static let values = 4 * tracks
  /// Frames of a run.
  package static let frames = 10_000_000
  /// Frames per second, of output and of recordings.
  package static let framesPerSecond = 10_000.0
  /// Seconds of a scene, and the latest time in it.
  package static let seconds = 1e6
  /// Groups of a scene.
  package static let groups = 1024
  /// Events of a group.
  package static let events = 10_000
  /// Phases of a sequence.
  package static let phases = 1000
  /// Waves of an event.
  package static let waves = 10_000
  /// Changes of a group's targets in a run: each wave of an event, each step of a wandering course or pointer, and each
  /// step of a round of phases.
  package static let changes = 10_000_000
  /// Delays of all events of a group that have a stagger of their own: they are computed when the scene is read.
  package static let delays = 1 << 28
  /// Unicode scalars of a name.
  package static let name = 200

  /// The approximate memory of a track in each dimension, in bytes: its columns, its targets and its share of a frame.
  package static let bytesPerValue = 64

  /// The memory that `tracks` tracks need, in words for a message.
  package static func memory(tracks: Int, dimensions: Int) -> String {
    "\(max(1, (tracks * dimensions * bytesPerValue) >> 20)) MiB"
  }
}

extension NumberRule {
  /// Positions, sizes and speeds of a layout: a sum of a few of them is still within a batch's 10¹⁵.
  static let coordinate = NumberRule("within ±1e14") { abs($0) <= 1e14 }
  /// A time or a duration in a scene, in seconds.
  static let sceneTime = NumberRule("in [0, 1e6]") { (0...SceneLimits.seconds).contains($0) }
  /// A duration that must not be 0, in seconds.
  static let period = NumberRule("in [1e-4, 1e6]") { (1e-4...SceneLimits.seconds).contains($0) }
  /// Frames per second.
  static let frameRate = NumberRule("in [0.001, 10000]") { (0.001...SceneLimits.framesPerSecond).contains($0) }
  /// A distance from the target, as `RestTolerances` takes it.
  static let restTolerance = NumberRule("in [1e-30, 1e15]") { (1e-30...1e15).contains($0) }
  /// A speed at rest, as `RestTolerances` takes it.
  static let restVelocity = NumberRule("in [1e-30, 1e30]") { (1e-30...1e30).contains($0) }
  /// Turns of a wandering path per second.
  static let pace = NumberRule("in [0, 1000]") { (0...1000).contains($0) }
}
