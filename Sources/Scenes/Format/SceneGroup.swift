// SPDX-License-Identifier: MIT
package import Formats
package import Murmuration
import Text

/// A group of tracks with one kind of motion.
package struct SceneGroup: Equatable, Sendable, Decodable {
  /// The motion of a group.
  package enum Motion: Equatable, Sendable {
    /// Springs that move towards targets, played by the kernels.
    case springs(SpringGroup)
    /// Targets to which animations lead.
    case animations(AnimationGroup)
    /// Keyframe timelines, compiled to a clip that all tracks play.
    case timelines(TimelineGroup)
    /// A sequence of phases.
    case phases(PhaseGroup)
    /// Networks of springs, played by their modes.
    case networks(NetworkGroup)
    /// Instances of an animation of a glTF file, played by the kernels.
    case rigs(RigGroup)
  }

  /// The group's name; empty if the file gives no name.
  package var name: String
  /// The number of tracks.
  package var count: Int
  /// The motion of the tracks.
  package var motion: Motion
  /// The tolerances of rest of the tracks' springs; networks have their own.
  package var rest = RestTolerances()
  /// How the tracks look in a picture.
  package var look = GroupLook()

  /// A group put together in code.
  package init(name: String = "", count: Int, motion: Motion) {
    self.name = name
    self.count = count
    self.motion = motion
  }

  /// The keys of a group of any kind.
  package enum Key: String, CodingKey, CaseIterable {
    case name, count, spring, springs, animation, start, velocity, events, follow, wander, pointer, bursts, timelines,
      stagger
    case repeatEvery, playback, offsets, grab, phases, triggers, network, gestures, look
    case restTolerance, restVelocity
  }

  /// The keys that may stand beside the key that names the kind of motion.
  static func companions(of kind: Key) -> [Key] {
    switch kind {
    case .animation: [.start, .stagger, .events, .restTolerance, .restVelocity]
    case .timelines: [.stagger, .repeatEvery, .playback, .offsets, .grab, .restTolerance, .restVelocity]
    case .phases: [.stagger, .offsets, .triggers, .restTolerance, .restVelocity]
    case .network: [.start, .gestures]
    default: [.start, .velocity, .events, .follow, .wander, .pointer, .bursts, .restTolerance, .restVelocity]
    }
  }

  /// Reads a group, strictly.
  package init(from decoder: any Decoder) throws(DescriptionError) {
    let fields = try StrictFields<Key>(decoder)
    name = try fields.text(.name) ?? ""
    count = try SceneGroup.readCount(fields)
    let kinds = [Key.spring, .springs, .animation, .timelines, .phases, .network].filter { fields.has($0) }
    guard let kind = kinds.first, kinds.count == 1 else {
      throw fields.error("must have one of the keys spring, springs, animation, timelines, phases and network")
    }
    let known = [.name, .count, .look, kind] + SceneGroup.companions(of: kind)
    if let other = Key.allCases.first(where: { fields.has($0) && !known.contains($0) }) {
      throw fields.error(other, "does not go with \(kind.stringValue)")
    }
    switch kind {
    case .animation: motion = .animations(try AnimationGroup(fields))
    case .timelines: motion = .timelines(try TimelineGroup(fields))
    case .phases: motion = .phases(try PhaseGroup(fields))
    case .network: motion = .networks(try NetworkGroup(fields))
    default: motion = .springs(try SpringGroup(fields))
    }
    rest = try SceneGroup.readRest(fields)
    look = try fields.optional(.look) ?? GroupLook()
  }

  private static func readRest(_ fields: StrictFields<Key>) throws(DescriptionError) -> RestTolerances {
    let value = try fields.number(.restTolerance, .restTolerance, default: Double(RestTolerances().value))
    let velocity = fields.has(.restVelocity) ? Float(try fields.number(.restVelocity, .restVelocity)) : nil
    do { return try RestTolerances(value: Float(value), velocity: velocity) } catch {
      throw fields.error(.restTolerance, error.description)
    }
  }

  private static func readCount(_ fields: StrictFields<Key>) throws(DescriptionError) -> Int {
    let number: Double = try fields.value(.count)
    guard let count = Int(exactly: number), (1...SceneLimits.tracks).contains(count) else {
      let memory = SceneLimits.memory(tracks: SceneLimits.tracks, dimensions: 1)
      throw fields.error(
        .count,
        "must be a whole number from 1 to \(SceneLimits.tracks) (about \(memory) a dimension), is "
          + NumberText.short(number))
    }
    return count
  }

  /// Checks what depends on the scene's dimensions and the group's count; `path` leads to the group.
  func check(dimensions: Int, path: [DescriptionError.Step]) throws(DescriptionError) {
    switch motion {
    case .springs(let springs): try springs.check(count: count, dimensions: dimensions, path: path)
    case .animations(let animations): try animations.check(count: count, dimensions: dimensions, path: path)
    case .timelines(let timelines): try timelines.check(count: count, dimensions: dimensions, path: path)
    case .phases(let phases): try phases.check(count: count, dimensions: dimensions, path: path)
    case .networks(let networks): try networks.check(count: count, dimensions: dimensions, path: path)
    case .rigs: break
    }
  }
}
