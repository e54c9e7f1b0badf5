// SPDX-License-Identifier: MIT
import Murmuration

/// The tracks of a batch that are in motion, by index. They follow from the calls and from the events of the batch.
struct Wakefulness {
  private var isAwake: [Bool]
  /// The number of tracks in motion.
  private(set) var count: Int

  /// `count` tracks, all in motion, as they are until a batch reports otherwise.
  init(count: Int, capacity: Int) {
    isAwake = (0..<capacity).map { $0 < count }
    self.count = count
  }

  /// Notes that tracks were sent to targets. A track that was at rest at its target stays at rest.
  mutating func wake(_ indices: some Sequence<Int>, of batch: borrowing AnimationBatch<Components>) {
    for index in indices where !isAwake[index] {
      guard let track = batch.handle(at: index), batch.isAtRest(track) == false else { continue }
      isAwake[index] = true
      count += 1
    }
  }

  /// Notes the tracks that came to rest with the last advance.
  mutating func rest(_ events: [AnimationEvent]) {
    for event in events where event.kind == .settled && isAwake[event.track.index] {
      isAwake[event.track.index] = false
      count -= 1
    }
  }
}
