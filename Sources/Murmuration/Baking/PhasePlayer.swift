// SPDX-License-Identifier: MIT
import Kernels

/// Tracks whose phases or sums of curves are baked by playing copies of them in an engine of their own. Lent to one thread.
final class PhasePlayer {
  private let bake: TrackBake
  private var engine: Engine
  /// The lane of each track in the block, and the slot of its copy.
  private var lanes: [(place: Int, slot: Int)] = []
  private let indices: [(place: Int, index: Int)]
  /// The time that the copies show. They cannot take back steps.
  private var time = -Double.infinity

  /// Begins with the tracks of a block, given their lanes in it and their indices.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)`` if there is no memory for the copies.
  init(_ bake: TrackBake, _ indices: [(place: Int, index: Int)]) throws(BatchError) {
    (self.bake, self.indices) = (bake, indices)
    engine = try Engine(emptyCopyOf: bake.engine)
    try addCopies()
  }

  private func addCopies() throws(BatchError) {
    lanes.clear()
    for (place, index) in indices { lanes.append((place, try engine.addCopy(ofSlot: index, of: bake.engine))) }
    time = -.infinity
    // Rounds far ahead are skipped, and the rounding of that must not depend on where a bake begins.
    if let milestone = bake.milestone, milestone > engine.time { try show(milestone, velocities: false) }
  }

  private func show(_ seconds: Double, velocities: Bool) throws(BatchError) {
    try engine.advance(to: seconds, velocities: velocities)
    time = seconds
  }

  /// Writes what the tracks show in some frames.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)`` if there is no memory for steps of phases on the way.
  func compute(
    _ frames: Range<Int>, _ clock: BakeClock, into block: BakedLanes, velocities: Bool
  ) throws(BatchError) {
    for frame in frames {
      if clock[frame] < time {
        engine = try Engine(emptyCopyOf: bake.engine)
        try addCopies()
      }
      try show(clock[frame], velocities: velocities)
      for (place, slot) in lanes {
        let element = place * BakedLanes.stride + frame - frames.lowerBound
        let from = engine.tracks.element(engine.tracks.slots.row(of: slot), bake.component)
        block.values[element] = engine.tracks.columns.value[from]
        if velocities { block.velocities[element] = engine.tracks.columns.velocity[from] }
      }
    }
  }
}
