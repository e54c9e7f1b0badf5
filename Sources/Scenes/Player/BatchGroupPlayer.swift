// SPDX-License-Identifier: MIT
import Murmuration

/// Plays a group through a batch of its own. Unless a player says otherwise, a track has the same index in the batch
/// and in the group.
///
/// A class only because arrays cannot hold noncopyable values: each has one owner, its `ScenePlayer`.
protocol BatchGroupPlayer: AnyObject {
  /// The number of tracks.
  var count: Int { get }
  /// The tracks.
  var batch: AnimationBatch<Components> { get set }
  /// The values of the tracks.
  var values: GroupColumns { get set }
  /// The velocities of the tracks, per second.
  var velocities: GroupColumns { get set }
  /// The work of the batch, if it is kept.
  var log: WorkLog { get set }

  /// Lends the values of one component, track after track; NaN for absent tracks.
  func withValues<R>(_ component: Int, _ body: (Span<Float>) throws -> R) throws -> R
  /// Lends the velocities of one component, track after track; NaN for absent tracks.
  func withVelocities<R>(_ component: Int, _ body: (Span<Float>) throws -> R) throws -> R
}

extension AnimationBatch<Components> {
  /// A batch for the tracks of group `index` of a scene, still without them.
  init(group index: Int, of scene: Scene, count: Int, kernels: KernelSet?, threads: Int) throws(BatchError) {
    try self.init(dimensions: scene.dimensions, reservingCapacity: count, kernels: kernels)
    threadCount = threads
    restTolerance = scene.groups[index].rest
  }
}

extension BatchGroupPlayer {
  func withValues<R>(_ component: Int, _ body: (Span<Float>) throws -> R) throws -> R {
    try values.withColumn(component, copy: { try batch.copyValues(component: component, planar: &$0) }, body)
  }

  func withVelocities<R>(_ component: Int, _ body: (Span<Float>) throws -> R) throws -> R {
    try velocities.withColumn(component, copy: { try batch.copyVelocities(component: component, planar: &$0) }, body)
  }

  /// Notes that the batch has moved on.
  func expire() {
    log.note(batch.work)
    values.expire()
    velocities.expire()
  }
}
