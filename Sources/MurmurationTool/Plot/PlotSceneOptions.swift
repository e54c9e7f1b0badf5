// SPDX-License-Identifier: MIT
import ArgumentParser
import Formats
import Scenes
import Text

/// The options that say which group of a scene to draw.
struct PlotSceneOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Draw the motion of a scene's track: its phases, its timelines, or its spring; a curve for each component.",
      discussion: "A built-in scene or a scene file. Offsets, staggers and playbacks are left out.", valueName: "scene")
  )
  var scene: String?

  @Option(help: ArgumentHelp("The scene's group, by its name or its number from 0; else the first that can be drawn."))
  var group: String?

  @Option(
    help: ArgumentHelp("The component to draw, by its name; may be given several times, else all.", valueName: "name"))
  var component: [String] = []

  /// The curves and their heading; nil if no scene is asked for.
  func read() throws -> (title: String, subjects: [PlotSubject])? {
    guard let name = scene else {
      if group != nil || !component.isEmpty { throw ValidationError("--group and --component go with --scene") }
      return nil
    }
    let scene = try SceneSource.load(name).scene
    let index = try number(in: scene)
    guard let index, let found = Self.subjects(of: scene.groups[index], scene) else {
      let place = index.map { "groups[\($0)]" } ?? ""
      throw FileError(file: name, place: place, "has no phases, no timelines and no shared spring to draw")
    }
    let group = scene.groups[index].name
    return ("\(found.kind) of \(group.isEmpty ? "group \(index)" : group)", try chosen(found.subjects))
  }

  /// The components that are asked for.
  private func chosen(_ subjects: [PlotSubject]) throws -> [PlotSubject] {
    for name in component where !subjects.contains(where: { $0.name == name }) {
      let known = subjects.map(\.name).joined(separator: ", ")
      throw FileError(place: "--component \(name.printable)", "there is no such component (known: \(known))")
    }
    return component.isEmpty ? subjects : subjects.filter { component.contains($0.name) }
  }

  /// The index of the named group, or of the first group that can be drawn; nil if no group can be drawn.
  private func number(in scene: Scene) throws -> Int? {
    guard let group else { return scene.groups.firstIndex { Self.subjects(of: $0, scene) != nil } }
    if let named = scene.groups.firstIndex(where: { $0.name == group }) { return named }
    if let number = Int(group), scene.groups.indices.contains(number) { return number }
    let known = scene.groups.enumerated().prefix(20).map { $0.element.name.isEmpty ? "\($0.offset)" : $0.element.name }
    throw FileError(
      place: "--group \(group.printable)", "there is no such group (known: \(known.joined(separator: ", ")))")
  }

  private static func subjects(of group: SceneGroup, _ scene: Scene) -> (kind: String, subjects: [PlotSubject])? {
    switch group.motion {
    case .phases(let phases):
      let subjects = scene.components.enumerated().map { component, name in
        PlotSubject(name: name, motion: .phases(phases, component: component))
      }
      return ("Phases", subjects)
    case .timelines(let timelines):
      let subjects = zip(scene.components, timelines.timelines).map { name, timeline in
        PlotSubject(name: name, motion: .timeline(timeline.track, initialValue: timeline.initialValue))
      }
      return (subjects.count == 1 ? "Keyframe timeline" : "Keyframe timelines", subjects)
    case .springs(let springs):
      guard case .shared(let spring) = springs.springs else { return nil }
      return ("Spring", [PlotSubject(name: spring.summary, motion: .spring(SpringSample(spring: spring)))])
    case .networks, .rigs: return nil
    }
  }
}
