// SPDX-License-Identifier: MIT
import Murmuration

/// Plays a group of instances of one animation through a batch.
///
/// A class only because arrays hold no noncopyable values: each has one owner, its `ScenePlayer`.
final class RigGroupPlayer {
  private var batch: KeyframeBatch
  /// For each value of a track the dimension of the clip; nil where the animation does not move it.
  private let dimensions: [Int?]
  private var values: GroupColumns
  private var velocities: GroupColumns?
  private(set) var clock = RigClock()

  let count: Int
  /// Whether a track lacks some of the values.
  let hasAbsentValues: Bool

  /// Starts the instances of group number `index` at time 0.
  init(_ group: RigGroup, index: Int, _ playable: PlayableScene, rigs: RigFile, kernels: KernelSet?) throws {
    let clip = rigs.parts[group.part].clip
    count = playable.scene.groups[index].count
    batch = try KeyframeBatch(dimensions: clip.dimensions, reservingCapacity: count, kernels: kernels)
    batch.threadCount = playable.threads
    batch.computesVelocities = false
    let id = try batch.load(clip)
    let playbacks = RigGroup.offsets(
      count: count, duration: clip.duration, index: index, seed: playable.scene.seed
    ).map { Playback(repetition: .forever, timeOffset: $0) }
    try batch.add(id, playbacks.span)
    // What was added shows with the next advance.
    try batch.advance(to: 0)
    var dimensions = [Int?](repeating: nil, count: rigs.labels.count)
    for (dimension, column) in rigs.columns[group.part].enumerated() { dimensions[column] = dimension }
    self.dimensions = dimensions
    hasAbsentValues = dimensions.contains(nil)
    values = GroupColumns(count: count, dimensions: dimensions.count)
  }

  /// Plays to `time`.
  func advance(to time: Double) throws(BatchError) {
    guard time != batch.time else { return }
    let start = ContinuousClock.now
    try batch.advance(to: time)
    let (whole, atto) = (ContinuousClock.now - start).components
    clock.seconds += Double(whole) + Double(atto) * 1e-18
    clock.values += batch.count * batch.dimensions
    clock.bytes += batch.bytesPerFrame
    clock.repeats += batch.repeated.count
    values.expire()
    velocities?.expire()
  }

  // MARK: - Reading

  /// Lends one value of all tracks, track after track; NaN where the animation does not move it.
  func withValues<R>(_ component: Int, _ body: (Span<Float>) throws -> R) throws -> R {
    let dimension = dimensions[component]
    return try values.withColumn(
      component,
      copy: { column in
        if let dimension {
          try batch.copyValues(dimension: dimension, into: &column)
        } else {
          RigGroupPlayer.fill(&column)
        }
      }, body)
  }

  /// Lends the velocities of one value likewise.
  func withVelocities<R>(_ component: Int, _ body: (Span<Float>) throws -> R) throws -> R {
    let dimension = dimensions[component]
    var columns = velocities ?? GroupColumns(count: count, dimensions: dimensions.count)
    velocities = nil
    defer { velocities = columns }
    return try columns.withColumn(
      component,
      copy: { column in
        if let dimension {
          try batch.copyVelocities(dimension: dimension, into: &column)
        } else {
          RigGroupPlayer.fill(&column)
        }
      }, body)
  }

  private static func fill(_ column: inout MutableSpan<Float>) {
    for index in column.indices { column[index] = .nan }
  }
}

// MARK: - Baking

extension RigGroupPlayer: BakingGroupPlayer {
  var undisturbedUntil: Double { .infinity }

  func bake(
    _ frames: BakeFrames, _ tracks: Range<Int>, component: Int, values: inout MutableSpan<Float>
  ) throws {
    guard let dimension = dimensions[component] else { return Self.fill(&values) }
    try batch.bake(frames, indices: tracks, dimension: dimension, values: &values)
  }

  func bake(
    _ frames: BakeFrames, _ tracks: Range<Int>, component: Int, values: inout MutableSpan<Float>,
    velocities: inout MutableSpan<Float>
  ) throws {
    guard let dimension = dimensions[component] else {
      Self.fill(&values)
      return Self.fill(&velocities)
    }
    try batch.bake(frames, indices: tracks, dimension: dimension, values: &values, velocities: &velocities)
  }

  func moveOn(to time: Double) throws { try advance(to: time) }
}
