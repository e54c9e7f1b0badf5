// SPDX-License-Identifier: MIT
import Kernels
import Murmuration
import Rigs

/// The modes without stiffness of all instances, in Double: no spring of a batch moves on for ever.
///
/// q(t) = q + q̇·(1 − e^(−ct))/c, or q + q̇·t where c is 0. There are few: one for each part that nothing holds.
struct FreeModes: Sendable {
  /// c of each free mode, per second.
  let dampings: [Double]
  private let instances: Int
  private let axes: Int
  /// Axis-major, then instance, then mode.
  private var states: [(value: Double, velocity: Double)]
  /// When each instance set out.
  private var starts: [Double]

  var count: Int { dampings.count }
  /// The latest start of any instance.
  private(set) var latestStart = -BatchLimits.maximumTime

  private static let log2OfE = 1.4426950408889634

  init(dampings: [Double], instances: Int, axes: Int) {
    self.dampings = dampings
    self.instances = instances
    self.axes = axes
    states = Array(repeating: (0, 0), count: axes * instances * dampings.count)
    starts = Array(repeating: 0, count: dampings.isEmpty ? 0 : instances)
    if !dampings.isEmpty { latestStart = 0 }
  }

  /// Throws ``ModalError/matrices(_:)`` if there is no memory for the states.
  static func check(count: Int, instances: Int, axes: Int) throws(ModalError) {
    let states = axes * instances * count
    let room = [MemoryLayout<(Double, Double)>.stride * states, MemoryLayout<Double>.stride * instances]
    guard count == 0 || MemoryBlock.hasRoom(forBlocks: room) else {
      throw .matrices(.invalidSize(of: "free modes of all instances", states))
    }
  }

  private func index(_ axis: Int, _ instance: Int, _ mode: Int) -> Int { (axis * instances + instance) * count + mode }

  /// Value and velocity of a mode at a time.
  func state(_ axis: Int, _ instance: Int, _ mode: Int, at time: Double) -> (value: Double, velocity: Double) {
    let (age, c) = (time - starts[instance], dampings[mode])
    let (value, velocity) = states[index(axis, instance, mode)]
    // With less damping nothing is lost yet, up to rounding, and the smallest products would have no digits.
    guard c * age > 0x1p-60 else { return (value + velocity * age, velocity) }
    let lost = ReproducibleMath.oneMinusExp2OfNegative(-c * age * Self.log2OfE)
    return (value + velocity * (lost / c), velocity * (1 - lost))
  }

  /// Starts an instance anew at a time, with a change to the value and velocity that it has then.
  mutating func change(
    _ instance: Int, at time: Double, _ change: (Int, Int, (value: Double, velocity: Double)) -> (Double, Double)
  ) {
    guard count > 0 else { return }
    for axis in 0..<axes {
      for mode in 0..<count {
        states[index(axis, instance, mode)] = change(axis, mode, state(axis, instance, mode, at: time))
      }
    }
    starts[instance] = time
    latestStart = max(latestStart, time)
  }

  /// Computes the latest start anew: an instance that set out again has left its earlier start behind.
  mutating func refreshLatestStart() {
    latestStart = starts.max() ?? -BatchLimits.maximumTime
  }

  /// The values or velocities of a range of instances along an axis, row-major [instances × modes].
  func matrix(axis: Int, instances: Range<Int>, at time: Double, velocities: Bool) -> [Float] {
    instances.flatMap { instance in
      (0..<count).map { mode in
        let state = state(axis, instance, mode, at: time)
        return Float(velocities ? state.velocity : state.value)
      }
    }
  }
}
