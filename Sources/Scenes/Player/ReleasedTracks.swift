// SPDX-License-Identifier: MIT
import Murmuration

/// The tracks of a timeline group that a hand has left to a spring: a batch of their own.
///
/// A class only because a class that owns it can hold no noncopyable value that may be missing.
final class ReleasedTracks {
  private var batch: SpringBatch
  /// The handle of each track that is here.
  private var handles: [Int: TrackHandle] = [:]
  /// The track of each index of the batch; nil where there is none.
  private var owners: [Int?] = []
  private var column: [Float] = []

  /// No tracks yet.
  init(dimensions: Int, kernels: KernelSet?, threads: Int) throws {
    batch = try SpringBatch(dimensions: dimensions, kernels: kernels)
    batch.threadCount = threads
    batch.restTolerance = try Self.restTolerance()
  }

  /// What the springs take for rest.
  static func restTolerance() throws(BatchError) -> RestTolerances { try RestTolerances(value: 0.001) }

  var isEmpty: Bool { handles.isEmpty }

  func advance(to time: Double) throws(BatchError) { try batch.advance(to: time) }

  /// Takes tracks over; numbers are component-major.
  func add(_ tracks: [Int], spring: Spring, values: [Float], velocities: [Float], targets: [Float]) throws(BatchError) {
    let added = try batch.add(spring, values: values.span, targets: targets.span, velocities: velocities.span)
    for (track, handle) in zip(tracks, added) {
      handles[track] = handle
      while owners.count <= handle.index { owners.append(nil) }
      owners[handle.index] = track
    }
  }

  /// Gives a track up: what it shows, a number a component; nil if it is not here.
  func remove(_ track: Int) throws(BatchError) -> (values: [Double], velocities: [Double])? {
    guard let handle = handles.removeValue(forKey: track) else { return nil }
    var motion: (values: [Double], velocities: [Double]) = ([], [])
    let row = try batch.rowIndex(of: handle)
    do {
      for dimension in 0..<batch.dimensions {
        motion.values.append(try batch.withValues(dimension: dimension) { Double($0[row]) })
        motion.velocities.append(try batch.withVelocities(dimension: dimension) { Double($0[row]) })
      }
    } catch let error as BatchError { throw error } catch { return nil }
    try batch.remove(handle)
    owners[handle.index] = nil
    return motion
  }

  /// Puts the values of one component in their tracks' places.
  func copyValues(_ component: Int, into output: inout MutableSpan<Float>) throws(BatchError) {
    guard !handles.isEmpty else { return }
    reserve()
    var span = column.mutableSpan
    try batch.copyValues(dimension: component, into: &span)
    scatter(into: &output)
  }

  /// Puts the velocities of one component in their tracks' places.
  func copyVelocities(_ component: Int, into output: inout MutableSpan<Float>) throws(BatchError) {
    guard !handles.isEmpty else { return }
    reserve()
    var span = column.mutableSpan
    try batch.copyVelocities(dimension: component, into: &span)
    scatter(into: &output)
  }

  private func reserve() {
    if column.count < batch.indexCount { column = [Float](repeating: 0, count: batch.indexCount) }
  }

  private func scatter(into output: inout MutableSpan<Float>) {
    for (index, owner) in owners.enumerated() {
      if let owner { output[owner] = column[index] }
    }
  }
}
