// SPDX-License-Identifier: MIT
package import Formats
package import Murmuration
import Text

/// One sequence of phases that all tracks of a group play, in a loop or when they are triggered.
package struct PhaseGroup: Equatable, Sendable {
  /// The phases.
  package var phases: [PhaseDescription]
  /// When each track that loops sets out.
  package var stagger: StaggerDescription
  /// The offsets of the targets, a position for each track; nil without offsets.
  package var offsets: Layout?
  /// The triggers of a run through all phases; nil if tracks loop.
  package var triggers: [SceneTrigger]?

  /// A group put together in code.
  package init(
    phases: [PhaseDescription], stagger: StaggerDescription = StaggerDescription(), offsets: Layout? = nil,
    triggers: [SceneTrigger]? = nil
  ) {
    self.phases = phases
    self.stagger = stagger
    self.offsets = offsets
    self.triggers = triggers
  }

  init(_ fields: StrictFields<SceneGroup.Key>) throws(DescriptionError) {
    phases = try fields.value(.phases)
    guard (1...SceneLimits.phases).contains(phases.count) else {
      throw fields.error(.phases, "must hold 1 to \(SceneLimits.phases) phases, holds \(phases.count)")
    }
    offsets = try fields.optional(.offsets)
    triggers = try fields.optional(.triggers)
    stagger = try fields.optional(.stagger) ?? StaggerDescription()
    guard let triggers else { return }
    if fields.has(.stagger) { throw fields.error(.stagger, "does not go with triggers, which say when tracks set out") }
    guard triggers.count <= SceneLimits.events else {
      throw fields.error(.triggers, "must hold at most \(SceneLimits.events) triggers, holds \(triggers.count)")
    }
    for index in triggers.indices.dropFirst() where triggers[index].time < triggers[index - 1].end {
      throw DescriptionError(
        path: fields.path(.triggers) + [.index(index), .key("at")],
        reason: "must not be before the end of the trigger before it, at \(NumberText.short(triggers[index - 1].end)), "
          + "is \(NumberText.short(triggers[index].time))")
    }
  }

  /// The sequence that a batch plays.
  func sequence(dimensions: Int) throws(PhaseError) -> PhaseSequence {
    try PhaseSequence(
      dimensions: dimensions, targets: phases.map { $0.target.map { Float($0) } },
      animations: phases.map { $0.motion.map { .spring($0) } })
  }

  /// The approximate number of moments in a run of `seconds` at which tracks of the group change: each wave, and each step
  /// of a round.
  package func changes(in seconds: Double) -> Double {
    if let triggers { return triggers.reduce(0) { $0 + Double($1.waves.count) } }
    let cycle = phases.reduce(0) { $0 + ($1.motion?.duration ?? 0) }
    return cycle > 0 ? seconds / cycle * Double(phases.count) : 0
  }

  func check(count: Int, dimensions: Int, path: [DescriptionError.Step]) throws(DescriptionError) {
    for (index, phase) in phases.enumerated() where phase.target.count != dimensions {
      throw DescriptionError(
        path: path + [.key("phases"), .index(index), .key("target")],
        reason: "must hold \(dimensions) numbers, one a dimension, holds \(phase.target.count)")
    }
    do { _ = try sequence(dimensions: dimensions) } catch {
      throw DescriptionError(path: path + [.key("phases")], reason: error.description)
    }
    try stagger.check(count: count, path: path + [.key("stagger")])
    try offsets?.check(count: count, dimensions: dimensions, path: path + [.key("offsets")])
  }
}

/// A phase: its value, and the spring that leads there.
package struct PhaseDescription: Equatable, Sendable, Decodable {
  /// The values, a number a dimension.
  package var target: [Double]
  /// The spring that leads there; nil for a jump.
  package var spring: SpringDescription?

  /// The keys of a phase.
  package enum Key: String, CodingKey, CaseIterable { case target, spring }

  /// A phase put together in code.
  package init(target: [Double], spring: SpringDescription? = nil) {
    self.target = target
    self.spring = spring
  }

  /// Reads a phase, strictly.
  package init(from decoder: any Decoder) throws(DescriptionError) {
    let fields = try StrictFields<Key>(decoder)
    target = try fields.numbers(.target, .coordinate)
    spring = try fields.optional(.spring)
  }

  /// The spring that leads there; nil for a jump, and for a spring of duration 0, which is one.
  package var motion: Spring? {
    guard let spring, !spring.isJump else { return nil }
    return spring.spring
  }
}
