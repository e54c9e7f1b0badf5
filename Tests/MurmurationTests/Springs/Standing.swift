// SPDX-License-Identifier: MIT
import MurmurationReference

@testable import Murmuration
@testable import MurmurationEngine

/// The company of a track in a batch, which decides how it is evaluated.
enum Standing: String, CaseIterable, Sendable {
  case alone, few, many

  /// Adds a track with a motion to a batch, together with its company.
  func add(_ motion: Motion, to batch: inout AnimationBatch<Float>) throws -> TrackHandle {
    let count =
      switch self {
      case .alone: 5
      case .few: 4
      case .many: 37
      }
    let own = count / 2
    let values = (0..<count).map { $0 == own ? motion.value : motion.value * Float($0) / Float(count) }
    let targets = [Float](repeating: motion.target, count: count)
    let velocities = (0..<count).map { $0 == own ? motion.velocity : 0 }
    guard self == .alone else {
      return try batch.add(values, velocities: velocities, to: targets, motion.spring)[own]
    }
    let springs = [Spring](repeating: motion.spring, count: count)
    return try batch.add(values, velocities: velocities, to: targets, springs: springs)[own]
  }
}

extension Motion {
  /// The motion in Double, from a time on.
  func exact(from time: Double = 0) -> SpringMotion {
    SpringMotion(spring, values: [value], velocities: [velocity], targets: [target], at: time)
  }
}

extension SpringMotion {
  /// The motion that follows this one from a moment on, in one dimension.
  func followed(at moment: Double, by spring: Spring? = nil, to target: Float) -> SpringMotion {
    var next = self
    next.retarget(to: [Double(target)], spring, at: moment)
    return next
  }
}

extension AnimatedTracks<Float> where Self: ~Copyable {
  /// How far a track is from a motion, in units of the bounds; infinite for a handle of no track.
  func excess(of track: TrackHandle, _ exact: any ReferenceMotion) -> Double {
    guard let value = self[track], let velocity = velocity(of: track) else { return .infinity }
    return Excess(value: value, velocity: velocity, of: exact.sample(0, at: engine.time)).largest
  }
}
