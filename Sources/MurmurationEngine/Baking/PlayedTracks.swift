// SPDX-License-Identifier: MIT
import Kernels

/// Tracks that are baked by playing them ahead: copies of them, in an engine of their own, are advanced from frame to frame.
/// So any motion has the bits of frames. Lent to one thread.
final class PlayedTracks {
  private let bake: TrackBake
  /// The indices of the tracks, ascending. Their copies have the indices 0, 1, …
  private let indices: [Int]
  private var engine: Engine

  /// Copies that are played together; fewer if they have more than two components, so that they stay in the second cache.
  /// Half the number makes phases 4 % slower; twice the number makes them 3 % faster, and takes twice the memory (Xeon with
  /// AVX-512).
  static func count(dimensions: Int) -> Int { max(laneCountOfTile, 2048 / dimensions) }

  /// The tracks of some indices.
  @inline(never)
  init(_ bake: TrackBake, _ indices: [Int]) throws(BatchError) {
    (self.bake, self.indices) = (bake, indices)
    engine = try Engine(emptyCopyOf: bake.engine)
  }

  private func copyTracks() throws(BatchError) {
    let bake = bake
    for index in indices { try engine.addCopy(at: index, of: bake.engine) }
    // A custom animation is evaluated at every frame in turn.
    let called = engine.called.indices
    if !called.isEmpty {
      for frame in 0..<bake.frames.lowerBound {
        for index in called { engine.called[Int(index)].value.advance(to: bake.plan.times(frame)) }
      }
    }
    if engine.phases.playerCount > 0 { try catchUp() }
  }

  /// Takes the steps before the first frame. Rounds of phases that lie far ahead are skipped, and the rounding of that must
  /// not depend on where a bake begins. So the copies go from a milestone on, and from frame to frame if rounds would be
  /// skipped after it.
  private func catchUp() throws(BatchError) {
    guard bake.times.each == nil else { return }
    let first = bake.times.first
    func time(of frame: Int) -> Double { bake.times(frame - first) }
    let milestone = first & ~(Engine.bakedFramesAtOnce - 1)
    let cycles = engine.phases.library.entries.map { $0.players > 0 ? $0.loaded?.sequence.cycleDuration ?? 0 : 0 }
    let shortest = cycles.filter { $0 > 0 }.min() ?? .infinity
    let ahead = time(of: first) - max(engine.time, time(of: milestone))
    let skips = ahead >= Double(PhaseSequence.longestCatchUp) * shortest
    for frame in milestone..<(skips ? first : milestone + 1) where time(of: frame) > engine.time {
      try engine.advance(to: time(of: frame), velocities: false)
    }
  }

  /// Bakes all frames; called once.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)`` if there is no memory for the copies, or for steps on the way.
  @inline(never)
  func play() throws(BatchError) {
    try copyTracks()
    let (count, components) = (bake.frames.count, bake.plan.components.count)
    // Rows of frames, for each component.
    let stride = indices.count + laneCountOfTile
    let shape = ColumnShape(narrow: bake.hasVelocities ? 2 : 1)
    let size = frameCountOfBake * stride * components
    guard ColumnMemory.hasRoom(shape, count: size + BakedRows.roomCount) else { throw .capacityExceeded(indices.count) }
    let memory = ColumnMemory(shape, count: size + BakedRows.roomCount, isZeroed: false)
    let (values, velocities) = (memory.narrow(0), memory.narrow(bake.hasVelocities ? 1 : 0))
    let rows = (0..<components).map { component in
      let first = component * frameCountOfBake * stride
      return BakedRows(
        values: values + first, velocities: velocities + first, room: values + size, stride: stride, areLanes: false)
    }
    // The clock of phases does not go back.
    let order = bake.times.order
    var first = 0
    while first < count {
      let group = order == nil ? min(frameCountOfBake, count - first) : 1
      for row in 0..<group {
        try engine.advance(to: bake.times(order?[first] ?? first + row), velocities: bake.hasVelocities)
        for (position, component) in bake.plan.components.enumerated() { copy(component, to: rows[position], row) }
      }
      write(rows, group, at: order?[first] ?? first)
      first += group
    }
  }

  /// Copies a component of all copies into a row.
  private func copy(_ component: Int, to rows: BakedRows, _ row: Int) {
    let (columns, offset, first) = (engine.tracks.columns, engine.tracks.element(0, component), row * rows.stride)
    (rows.values + first).update(from: columns.value + offset, count: indices.count)
    if bake.hasVelocities { (rows.velocities + first).update(from: columns.velocity + offset, count: indices.count) }
  }

  /// Writes frames from one on, neighbours by index together.
  private func write(_ rows: [BakedRows], _ count: Int, at frame: Int) {
    var first = 0
    while first < indices.count {
      var end = first + 1
      while end < indices.count, indices[end] == indices[end - 1] + 1 { end += 1 }
      for (position, component) in bake.plan.components.enumerated() {
        let output = bake.output(ofComponent: component, from: indices[first], frame: frame)
        engine.table.bake.write(rows[position].from(lane: first), end - first, count, output)
      }
      first = end
    }
  }
}
