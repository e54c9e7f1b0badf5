// SPDX-License-Identifier: MIT
import Formats
import Murmuration

/// Plays a group of instances of one animation.
final class RigGroupPlayer: BakingGroupPlayer {
  var batch: AnimationBatch<Components>
  var values: GroupColumns
  var velocities: GroupColumns
  let clip: ClipID
  /// The index, among a track's values, of each component of the clip.
  let components: [Int]
  /// The component of the clip for each value of a track; nil if the animation does not move it.
  private let dimensions: [Int?]
  /// A column of absent values.
  private let absent: [Float]
  private(set) var clock = RigClock()
  var log = WorkLog()

  let count: Int
  /// Whether a track lacks some of the values.
  var hasAbsentValues: Bool { !absent.isEmpty }
  var undisturbedUntil: Double { .infinity }

  /// Starts the instances of group `index` at time 0.
  init(_ group: RigGroup, index: Int, _ playable: PlayableScene, rigs: RigFile, kernels: KernelSet?) throws {
    let clip = rigs.parts[group.part].clip
    count = playable.scene.groups[index].count
    var batch = try AnimationBatch<Components>(
      dimensions: clip.dimensions, reservingCapacity: count, kernels: kernels)
    batch.threadCount = playable.threads
    batch.reports = .iterations
    let playbacks = RigGroup.offsets(
      count: count, duration: clip.duration, index: index, seed: playable.scene.seed
    ).map { Playback(repetition: .forever, timeOffset: $0) }
    self.clip = try batch.load(clip)
    try batch.add(playing: self.clip, playbacks)
    // Added tracks show with the next advance.
    try batch.advance(to: 0)
    self.batch = batch
    components = rigs.columns[group.part]
    var dimensions = [Int?](repeating: nil, count: rigs.labels.count)
    for (dimension, component) in components.enumerated() { dimensions[component] = dimension }
    self.dimensions = dimensions
    absent = dimensions.contains(nil) ? Array(repeating: .nan, count: count) : []
    values = GroupColumns(count: count, dimensions: clip.dimensions)
    velocities = values
  }

  /// Plays to `time`.
  func evaluate(at time: Double) throws {
    guard time != batch.time else { return }
    try NetworkClock.measure(&clock.seconds) { try batch.advance(to: time) }
    clock.values += count * batch.dimensions
    clock.bytes += batch.bytesPerFrame
    clock.repeats += batch.events.count { $0.kind == .iteration }
    expire()
  }

  // MARK: - Reading

  private func lendAbsent<R>(_ body: (Span<Float>) throws -> R) rethrows -> R {
    let absent = absent
    return try body(absent.span)
  }

  /// Lends one value of all tracks, track after track; NaN if the animation does not move it.
  func withValues<R>(_ component: Int, _ body: (Span<Float>) throws -> R) throws -> R {
    guard let dimension = dimensions[component] else { return try lendAbsent(body) }
    return try values.withColumn(
      dimension, copy: { try batch.copyValues(component: dimension, planar: &$0) }, body)
  }

  /// Lends the velocities of one value, in the same way.
  func withVelocities<R>(_ component: Int, _ body: (Span<Float>) throws -> R) throws -> R {
    guard let dimension = dimensions[component] else { return try lendAbsent(body) }
    return try velocities.withColumn(
      dimension,
      copy: {
        // Frames leave velocities out.
        try batch.advance(to: batch.time, velocities: true)
        try batch.copyVelocities(component: dimension, planar: &$0)
      }, body)
  }
}
