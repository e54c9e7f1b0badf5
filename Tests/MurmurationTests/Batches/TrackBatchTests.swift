// SPDX-License-Identifier: MIT
import AnimationModel
import Reference
import TestSupport
import Testing

@testable import Murmuration

/// All batches are read the same way.
struct TrackBatchTests {
  /// What is wrong with how a batch names and shows its tracks, or nil.
  private static func defect<Batch: TrackBatch & ~Copyable>(
    _ batch: inout Batch, _ handles: [TrackHandle], removed: [TrackHandle]
  ) throws -> String? {
    var found = 0
    for row in -1...batch.rowCount {
      guard let handle = batch.handle(atRow: row) else { continue }
      found += 1
      guard try batch.rowIndex(of: handle) == row, batch.handle(atIndex: handle.index) == handle else {
        return "row \(row)"
      }
    }
    guard found == batch.count, batch.count == handles.count else { return "\(found) tracks in rows" }
    for dimension in 0..<batch.dimensions {
      var (values, velocities) = (
        [Float](repeating: .nan, count: batch.indexCount), [Float](repeating: .nan, count: batch.indexCount)
      )
      var span = values.mutableSpan
      try batch.copyValues(dimension: dimension, into: &span)
      span = velocities.mutableSpan
      try batch.copyVelocities(dimension: dimension, into: &span)
      for handle in handles {
        let row = try batch.rowIndex(of: handle)
        let value = try batch.withValues(dimension: dimension) { $0[row] }
        let velocity = try batch.withVelocities(dimension: dimension) { $0[row] }
        var all = [Float](repeating: .nan, count: batch.dimensions)
        var place = all.mutableSpan
        try batch.copyValues(of: handle, into: &place)
        let one = try batch.value(of: handle, as: SIMD2<Float>.self)
        let speed = try batch.velocity(of: handle, as: SIMD2<Float>.self)
        guard value == values[handle.index], value == all[dimension], value == one[dimension],
          velocity == velocities[handle.index], velocity == speed[dimension]
        else {
          return "dimension \(dimension) of \(handle.index)"
        }
      }
      for handle in removed {
        guard !batch.contains(handle), values[handle.index] == 0 || batch.handle(atIndex: handle.index) != nil else {
          return "removed \(handle.index)"
        }
      }
    }
    return nil
  }

  private static let values: [Float] = {
    var random = SplitMix64(seed: 4)
    return random.floats(2 * 50, -1...1)
  }()

  @Test func springsThatMovedAmongRows() throws {
    var batch = try SpringBatch(dimensions: 2)
    var handles = try batch.add(.bouncy, values: Self.values.span, targets: Self.values.span)
    for index in stride(from: 0, to: 50, by: 3) {
      try batch.retarget(handles[index], to: SIMD2<Float>(2, 3))
    }
    let removed = [handles.remove(at: 30), handles.remove(at: 7)]
    try batch.remove(removed.span)
    batch.computesVelocities = false
    try batch.advance(to: 0.2)
    #expect(try Self.defect(&batch, handles, removed: removed) == nil)
  }

  @Test func curvesThatMovedAmongRows() throws {
    var batch = try CurveBatch(dimensions: 2)
    var handles = try batch.add(values: Self.values.span)
    for index in stride(from: 0, to: 50, by: 3) {
      try batch.retarget(handles[index], to: SIMD2<Float>(2, 3), with: index % 2 == 0 ? .easeIn : .linear)
    }
    let removed = [handles.remove(at: 30), handles.remove(at: 7)]
    try batch.remove(removed.span)
    batch.computesVelocities = false
    try batch.advance(to: 0.2)
    #expect(try Self.defect(&batch, handles, removed: removed) == nil)
  }

  @Test func clipsThatMovedAmongRows() throws {
    var batch = try KeyframeBatch(dimensions: 2)
    let clips = try (0..<2).map { clip in
      let piece = [SIMD4(Double(clip), 1, 0.5, 0)]
      return try Clip(
        dimensions: 2, initialValues: [0, 0],
        tracks: [PieceTrack(components: [0, 1], times: [0, 1], pieces: [piece, piece])])
    }
    let names = [try batch.load(clips[0]), try batch.load(clips[1])]
    let playbacks = [Playback](repeating: Playback(), count: 50)
    var handles = try batch.add(names[0], playbacks.span)
    for index in stride(from: 0, to: 50, by: 3) {
      try batch.trigger(handles[index], clip: names[1], from: .beginning)
    }
    let removed = [handles.remove(at: 30), handles.remove(at: 7)]
    try batch.remove(removed.span)
    batch.computesVelocities = false
    try batch.advance(to: 0.2)
    #expect(try Self.defect(&batch, handles, removed: removed) == nil)
  }

  @Test(arguments: [Animation.smooth, .easeInOut(duration: 0.3)])
  func phasesThatMovedAmongRows(_ animation: Animation) throws {
    let sequence = try PhaseSequence(
      dimensions: 2, targets: [[0, 1], [2, 3], [5, 4]], animations: [animation, animation, animation])
    var batch = try PhaseBatch(sequence)
    let starts = (0..<50).map { -0.03 * Double($0) }
    var handles = try batch.add(startingAt: starts.span)
    try batch.advance(to: 0.1)
    let removed = [handles.remove(at: 30), handles.remove(at: 7)]
    try batch.remove(removed.span)
    batch.computesVelocities = false
    try batch.advance(to: 0.2)
    #expect(try Self.defect(&batch, handles, removed: removed) == nil)
  }
}
