// SPDX-License-Identifier: MIT
package import Formats
package import Murmuration

/// The positions and looks of a scene's marks. A picture needs this and a player.
package struct SceneStage: Sendable {
  /// The groups, in the scene's order.
  package private(set) var groups: [GroupStage]
  /// The look of the scene.
  package let look: SceneLook
  /// A box around most marks of all moments, or the one that the look gives.
  package private(set) var bounds: (low: SIMD3<Double>, high: SIMD3<Double>)
  /// Whether marks have a third coordinate.
  package let isSolid: Bool

  /// The most tracks that are played to find the box, and the most moments.
  private static let (trackLimit, momentLimit) = (4096, 120)

  /// The stage of a scene.
  ///
  /// Unless the look gives the bounds, some of the tracks are played through first, so that the picture's frame does not
  /// depend on the moment.
  package init(_ playable: PlayableScene, kernels: KernelSet? = nil, unless isStopped: () -> Bool = { false })
    throws(FileError)
  {
    let scene = playable.scene
    look = scene.look
    groups = scene.groups.indices.map { GroupStage($0, of: playable) }
    isSolid = groups.contains(where: \.isSolid)
    let given = look.camera?.bounds
    bounds = given.map { ($0[0], $0[1]) } ?? (SIMD3(repeating: -1), SIMD3(repeating: 1))
    if given != nil, !groups.contains(where: { $0.spread != .none }) {
      let box = MarkBounds(low: bounds.low, high: bounds.high)
      for index in groups.indices { groups[index].setUsualRange(box) }
      return
    }
    let found = try Self.play(playable, kernels, unless: isStopped)
    var (all, left) = (MarkBounds(), 0.0)
    for index in groups.indices {
      // Groups that have no place of their own stand side by side.
      let width = groups[index].spread(found[index], shift: 0, scene: scene, index: index)
      if width > 0, left > 0 {
        _ = groups[index].spread(found[index], shift: left + width / 2, scene: scene, index: index)
      }
      left = left > 0 ? left + width : width / 2
      all.include(found[index].spread(over: groups[index].places))
      groups[index].setUsualRange(found[index])
    }
    if given == nil, !all.isEmpty {
      let margin = all.size * 0.06 + SIMD3(repeating: 1e-6)
      bounds = (all.low - margin, all.high + margin)
    }
  }

  /// The box around most marks of each group, before they are spread.
  private static func play(
    _ playable: PlayableScene, _ kernels: KernelSet?, unless isStopped: () -> Bool
  ) throws(FileError) -> [MarkBounds] {
    var sample = playable
    let each = playable.recordings.compactMap { $0?.channels }.max() ?? 1
    let limit = playable.rigs == nil ? max(trackLimit, 4 * each) : max(64, playable.scene.groups.count)
    // Positions that are given one by one cannot be fewer.
    if playable.scene.trackCount > limit { try? sample.setTracks(limit) }
    let groups = sample.scene.groups.indices.map { GroupStage($0, of: sample) }
    var player = try ScenePlayer(sample, kernels: kernels)
    var (found, marks) = (groups.map { _ in MarkBounds() }, SceneMarks())
    let moments = min(momentLimit, sample.frameCount)
    for moment in 0..<moments where !isStopped() {
      try player.advance(
        toFrame: moments > 1 ? moment * (sample.frameCount - 1) / (moments - 1) : 0, unless: isStopped)
      for (index, group) in groups.enumerated() {
        try group.fill(&marks, group: index, from: player, velocities: false)
        found[index].include(mostOf: marks)
      }
    }
    return found
  }
}
