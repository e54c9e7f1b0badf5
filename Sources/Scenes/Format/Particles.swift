// SPDX-License-Identifier: MIT
import Formats
import Text

/// A field of tracks that sleep unless a pointer comes near, and bursts of tracks that live for a moment.
///
/// The first tracks of the group are the field; then come the tracks of the first burst, of the second, and so on.
package struct Particles: Equatable, Sendable {
  /// The pointer that the field follows; nil if it sleeps.
  package var pointer: Pointer?
  /// The bursts, in the order of their times.
  package var bursts: [ParticleBurst]

  /// Particles put together in code.
  package init(pointer: Pointer? = nil, bursts: [ParticleBurst] = []) {
    self.pointer = pointer
    self.bursts = bursts
  }

  init(_ fields: StrictFields<SceneGroup.Key>) throws(DescriptionError) {
    pointer = try fields.optional(.pointer)
    bursts = try fields.optional(.bursts) ?? []
    guard bursts.count <= SceneLimits.events else {
      throw fields.error(.bursts, "must hold at most \(SceneLimits.events) bursts, holds \(bursts.count)")
    }
    for index in bursts.indices.dropFirst() where bursts[index].time < bursts[index - 1].time {
      throw DescriptionError(
        path: fields.path(.bursts) + [.index(index), .key("at")],
        reason: "must not be before the burst before it, at \(NumberText.short(bursts[index - 1].time)), is "
          + NumberText.short(bursts[index].time))
    }
  }

  /// The number of tracks of the field, of `count` in the group; 0 or less if the bursts leave no track.
  package func fieldCount(of count: Int) -> Int { bursts.reduce(count) { $0 - $1.count(of: count) } }

  /// The number of times that tracks are retargeted or added in a run of `seconds`.
  func changes(in seconds: Double) -> Double {
    (pointer.map { seconds * $0.movesPerSecond + 1 } ?? 0) + Double(bursts.count)
  }

  /// Checks what depends on the number of tracks and dimensions; `path` leads to the group.
  func check(count: Int, dimensions: Int, path: [DescriptionError.Step]) throws(DescriptionError) {
    guard pointer == nil || dimensions >= 2 else {
      throw DescriptionError(path: path + [.key("pointer")], reason: "needs 2 dimensions, the scene has 1")
    }
    guard fieldCount(of: count) >= 1 else {
      throw DescriptionError(
        path: path + [.key("count")],
        reason: "is \(count), and the bursts take \(count - fieldCount(of: count)) of that; a track must be left")
    }
    for (index, burst) in bursts.enumerated() {
      let path = path + [.key("bursts"), .index(index)]
      guard burst.origin.count == dimensions else {
        throw DescriptionError(
          path: path + [.key("from")],
          reason: "must hold \(dimensions) numbers, one a dimension, holds \(burst.origin.count)")
      }
      try burst.target.check(count: burst.count(of: count), dimensions: dimensions, path: path + [.key("target")])
    }
  }
}
