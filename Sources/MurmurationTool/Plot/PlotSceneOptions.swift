// SPDX-License-Identifier: MIT
import ArgumentParser
import Charts
import Formats
import Murmuration
import Scenes
import Text

/// The options that say which group and track of a scene to draw.
struct PlotSceneOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The scene's group, by its name or its number from 0; else the first that moves by a model."))
  var group: String?

  @Option(
    help: ArgumentHelp("The component to draw, by its name; may be given several times, else all.", valueName: "name"))
  var component: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Draw this track of the group as it is played, counted from 0.", valueName: "n"))
  var track: Int?

  /// Whether any of the options is given.
  var isGiven: Bool { group != nil || !component.isEmpty || track != nil }

  /// The curves of a scene and their heading.
  func read(_ name: String, _ playing: SceneOptions) throws -> (title: String, subjects: [PlotSubject]) {
    // A motion that a model describes may be drawn beyond the longest scene.
    var options = playing
    if track == nil { options.duration = nil }
    let scene = try options.load(name).playable.scene
    let index = try number(in: scene)
    let title = scene.groups[index].name.isEmpty ? "group \(index)" : scene.groups[index].name
    if track == nil, playing.frames == nil, let found = Self.subjects(of: scene.groups[index], scene) {
      return ("\(found.kind) of \(title)", try chosen(found.subjects))
    }
    let track = track ?? 0
    guard 0..<scene.groups[index].count ~= track else {
      throw FileError(place: "--track", "must be within 0..<\(scene.groups[index].count), is \(track)")
    }
    return ("Track \(track) of \(title)", try played(name, playing, group: index, track: track))
  }

  /// The components that are asked for.
  private func chosen(_ subjects: [PlotSubject]) throws -> [PlotSubject] {
    let names = KnownNames(subjects.map(\.name))
    for name in component where !subjects.contains(where: { $0.name == name }) {
      let known = subjects.prefix(20).map(\.name).joined(separator: ", ")
      throw FileError(
        place: "--component \(name.printable)",
        "there is no such component (known: \(known)\(subjects.count > 20 ? ", …" : ""))\(names.suggestion(for: name))")
    }
    return component.isEmpty ? subjects : subjects.filter { component.contains($0.name) }
  }

  /// The index of the named group, or of the first group whose motion a model describes, or of the first group.
  private func number(in scene: Scene) throws -> Int {
    guard let group else { return scene.groups.firstIndex { Self.subjects(of: $0, scene) != nil } ?? 0 }
    if let named = scene.groups.firstIndex(where: { $0.name == group }) { return named }
    if let number = Int(group), scene.groups.indices.contains(number) { return number }
    let known = scene.groups.enumerated().prefix(20).map { $0.element.name.isEmpty ? "\($0.offset)" : $0.element.name }
    throw FileError(
      place: "--group \(group.printable)",
      "there is no such group (known: \(known.joined(separator: ", ")))\(KnownNames(known).suggestion(for: group))")
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
    case .animations(let animations):
      guard case let description = animations.animation.animation, !animations.animation.isDrawn else { return nil }
      let name = description.summary(\.summary)
      return ("Animation", [PlotSubject(name: name, motion: .animation(description, from: 0, target: 1))])
    case .networks, .rigs: return nil
    }
  }

  // MARK: - Playing

  /// The most frames of a track that are kept: more would not show.
  private static let frameLimit = 100_000

  /// The components of one track, frame by frame; of more than fit on a chart, those that move the most.
  private func played(_ name: String, _ playing: SceneOptions, group: Int, track: Int) throws -> [PlotSubject] {
    // The scene was loaded once before, to find the group.
    let (playable, frames) = try playing.load(name, warns: false)
    guard frames.count <= Self.frameLimit else {
      throw FileError(place: "--frames", "at most \(Self.frameLimit) are drawn, not \(frames.count)")
    }
    var player = try ScenePlayer(playable, kernels: try playing.kernels())
    let components = playable.scene.components
    var columns = [PlotSubject.Frames](repeating: PlotSubject.Frames(), count: components.count)
    Interruption.watch()
    for frame in frames {
      try player.advance(toFrame: frame) { Interruption.isNoted }
      try Interruption.check()
      for component in components.indices {
        columns[component].times.append(playable.time(ofFrame: frame))
        try player.withValues(group: group, component: component) {
          columns[component].values.append(Double($0[track]))
        }
        try player.withVelocities(group: group, component: component) {
          columns[component].velocities.append(Double($0[track]))
        }
      }
    }
    let seen = zip(components, columns).filter { $0.1.values.contains(where: \.isFinite) }
    guard !seen.isEmpty else { throw FileError(file: name, "track \(track) is absent in every frame") }
    let subjects = seen.map { PlotSubject(name: $0.0, motion: .played($0.1)) }
    let wanted = try chosen(subjects)
    guard wanted.count > SVGChart.seriesLimit, component.isEmpty else { return wanted }
    // By their places: nodes of a file may share a name.
    let largest = wanted.indices.sorted { (seen[$1].1.extent, $0) < (seen[$0].1.extent, $1) }
    return largest.prefix(SVGChart.seriesLimit).sorted().map { wanted[$0] }
  }
}

extension PlotSubject {
  /// One component of a track that was played.
  struct Frames: Equatable, Sendable {
    var times: [Double] = []
    var values: [Double] = []
    var velocities: [Double] = []

    /// The distance between the lowest and the highest value.
    var extent: Double {
      let finite = values.filter(\.isFinite)
      return (finite.max() ?? 0) - (finite.min() ?? 0)
    }
  }
}
