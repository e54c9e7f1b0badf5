// SPDX-License-Identifier: MIT
import AnimationModel

@testable import Murmuration
@testable import MurmurationEngine

/// Tracks of a batch, and the model of each in Double, which get the same calls.
struct Modelled: ~Copyable {
  var batch: AnimationBatch<Float>
  var tracks: [TrackHandle]
  var models: [AnimatedValue<Double>]

  /// Tracks that stand at values.
  init(_ values: [Float] = [0], kernels: KernelSet? = nil, curveTolerance: Double = 0x1p-16) throws {
    var batch = try AnimationBatch<Float>(curveTolerance: curveTolerance, kernels: kernels)
    tracks = try batch.add(values)
    models = values.map { AnimatedValue(Double($0)) }
    self.batch = batch
  }

  /// Tracks that stand at 0.
  init(count: Int, kernels: KernelSet? = nil, curveTolerance: Double = 0x1p-16) throws {
    try self.init([Float](repeating: 0, count: count), kernels: kernels, curveTolerance: curveTolerance)
  }

  /// Sends the tracks of some positions, or all tracks, to goals or to one goal, perhaps after a delay.
  mutating func send(
    _ chosen: [Int]? = nil, to goals: Float..., by animation: Animation, delay: Double? = nil
  ) throws {
    try send(chosen, toEach: goals, by: animation, delay: delay)
  }

  mutating func send(
    _ chosen: [Int]? = nil, toEach goals: [Float], by animation: Animation, delay: Double? = nil
  ) throws {
    let chosen = chosen ?? Array(tracks.indices)
    let goals = goals.count == 1 ? chosen.map { _ in goals[0] } : goals
    let delays = delay.map { delay in chosen.map { _ in delay } } ?? []
    if chosen.count == 1, delay == nil {
      try batch.animate(tracks[chosen[0]], to: goals[0], animation)
    } else {
      try batch.animate(chosen.map { tracks[$0] }, to: goals, animation, delays: delays)
    }
    for (index, goal) in zip(chosen, goals) {
      models[index].retarget(to: Double(goal), with: animation, at: batch.time + (delay ?? 0))
    }
  }

  mutating func advance(to time: Double, velocities: Bool = false) throws {
    try batch.advance(to: time, velocities: velocities)
  }

  mutating func advance(by seconds: Double, velocities: Bool = false) throws {
    try batch.advance(by: seconds, velocities: velocities)
  }

  /// Holds all tracks for a time.
  mutating func pause(for seconds: Double) throws {
    try batch.pause(tracks)
    try batch.advance(by: seconds)
    try batch.resume(tracks)
    for index in models.indices { models[index].delay(by: seconds) }
  }

  /// The distance of a track from its model.
  func error(_ index: Int = 0) -> Double {
    abs(Double(batch[tracks[index]] ?? .nan) - models[index].value(at: batch.time))
  }

  /// The difference between the velocities of a track and its model.
  func velocityError(_ index: Int = 0) -> Double {
    abs(Double(batch.velocity(of: tracks[index]) ?? .nan) - models[index].velocity(at: batch.time))
  }

  /// The error of the track that is furthest from its model.
  var error: Double { models.indices.map { error($0) }.reduce(0) { $1 <= $0 ? $0 : $1.isNaN ? .infinity : $1 } }

  /// Whether kernels evaluate a track's curves.
  func isByKernels(_ index: Int = 0) -> Bool { batch.followsCurve(tracks[index]) }
}
