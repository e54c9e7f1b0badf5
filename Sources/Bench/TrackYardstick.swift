// SPDX-License-Identifier: MIT
import AnimationModel
import CYardsticks
import Murmuration

/// Loops in C over tracks of two components that keep their lanes, from the widest instruction set of this processor.
final class TrackYardstick {
  /// The loops of every instruction set that this processor has, the widest one last.
  static var allLoops: [yardstick_loops] {
    (0...).lazy.map { yardstick_loops_at($0) }.prefix { $0 != nil }.compactMap { $0?.pointee }
  }

  /// The widest loops.
  static var loops: yardstick_loops { allLoops.reversed()[0] }

  private let loops: yardstick_loops
  private let tracks: OpaquePointer
  private let count: Int
  /// The time of the last frame.
  private(set) var time = 0.0

  /// Tracks at rest at 0.
  ///
  /// - Parameter count: A multiple of 16.
  init(count: Int, loops: yardstick_loops = TrackYardstick.loops) throws(BenchError) {
    // The rule of the batch: stores go past the caches where a frame does not fit into them.
    guard let tracks = yardstick_tracks_create(count, count > 300_000 ? 1 : 0) else { throw .noMemory }
    (self.loops, self.tracks, self.count) = (loops, tracks, count)
  }

  deinit { yardstick_tracks_destroy(tracks) }

  /// Computes the values at a time.
  func advance(to seconds: Double) {
    time = seconds
    loops.advance(tracks, seconds)
  }

  /// Sends all tracks to goals.
  func sendAll(to goals: [SIMD2<Float>], _ spring: Spring) {
    let motion = yardstick_motion(spring)
    goals.withFloats { loops.send_all(tracks, $0, motion, time) }
  }

  /// Sends some tracks to goals, in one call.
  func send(_ indices: [UInt32], to goals: [SIMD2<Float>], _ spring: Spring) {
    let motion = yardstick_motion(spring)
    goals.withFloats { loops.send_some(tracks, indices, indices.count, $0, motion, time) }
  }

  /// Sends one track to a goal.
  func send(_ index: Int, to goal: SIMD2<Float>, _ motion: yardstick_motion) {
    loops.send_one(tracks, index, goal.x, goal.y, motion, time)
  }

  /// Copies the values side by side.
  func copyValues(into output: UnsafeMutablePointer<Float>) {
    loops.interleave(output, yardstick_tracks_values(tracks, 0), yardstick_tracks_values(tracks, 1), count)
  }

  /// A value, by index.
  subscript(index: Int) -> SIMD2<Float> {
    SIMD2(yardstick_tracks_values(tracks, 0)[index], yardstick_tracks_values(tracks, 1)[index])
  }
}

/// Columns that follow goals from frame to frame: by the exact step of a spring, by explicit Euler, and by the same over
/// structs.
final class FollowingYardstick {
  private let loops: yardstick_loops
  private let count: Int
  private let spring: Spring
  private let frame: Double
  private let exact: yardstick_step
  /// Values, velocities, and two sets of goals; a column for each component.
  private let columns: [[LineColumn]]
  private let goals: [[SIMD2<Float>]]
  private let bodies: UnsafeMutableBufferPointer<yardstick_body>
  private let moving: UnsafeMutableBufferPointer<UInt8>

  /// Values at rest at 0.
  ///
  /// - Parameters:
  ///   - goals: Two sets of goals, of a multiple of 16 each.
  ///   - frame: The seconds of a frame.
  init(
    goals: [[SIMD2<Float>]], _ spring: Spring, frame: Double, loops: yardstick_loops = TrackYardstick.loops
  ) {
    (self.goals, self.spring, self.frame, self.loops, count) = (goals, spring, frame, loops, goals[0].count)
    exact = yardstick_step(spring, frame: frame)
    let count = count
    columns = (0..<4).map { kind in
      (0..<2).map { component in
        let column = LineColumn(count: count, stagger: 2 * kind + component)
        if kind >= 2 {
          for index in 0..<count { column.floats[index] = goals[kind - 2][index][component] }
        }
        return column
      }
    }
    bodies = .allocate(capacity: count)
    let (stiffness, damping) = (Float(spring.stiffness), Float(spring.damping))
    bodies.initialize(
      repeating: yardstick_body(
        value: (0, 0), velocity: (0, 0), goal: (0, 0), stiffness: stiffness, damping: damping))
    moving = .allocate(capacity: count / 16)
    moving.initialize(repeating: 0)
  }

  deinit {
    bodies.deallocate()
    moving.deallocate()
  }

  /// Goes back to rest at 0.
  func reset() {
    for column in columns[..<2].joined() { column.floats.update(repeating: 0) }
    for index in bodies.indices {
      (bodies[index].value, bodies[index].velocity) = ((0, 0), (0, 0))
    }
  }

  /// Follows a set of goals for a frame by the exact step, and notes which tracks move.
  func follow(_ set: Int) {
    for component in 0..<2 {
      loops.follow(
        columns[0][component].address, columns[1][component].address, columns[2 + set][component].address,
        moving.baseAddress, count, exact, 1e-3, 1e-3)
    }
  }

  /// Follows a set of goals for a frame by explicit Euler over columns.
  func stepColumns(_ set: Int) {
    let (stiffness, damping) = (Float(spring.stiffness), Float(spring.damping))
    for component in 0..<2 {
      loops.step_columns(
        columns[0][component].address, columns[1][component].address, columns[2 + set][component].address, count,
        stiffness, damping, Float(frame))
    }
  }

  /// Follows a set of goals for a frame by explicit Euler over structs.
  func stepBodies(_ set: Int) {
    goals[set].withFloats { loops.step_bodies(bodies.baseAddress, $0, count, Float(frame)) }
  }

  /// The value of the columns, by index.
  func column(_ index: Int) -> SIMD2<Float> { SIMD2(columns[0][0].floats[index], columns[0][1].floats[index]) }

  /// The value of the structs, by index.
  func body(_ index: Int) -> SIMD2<Float> { SIMD2(bodies[index].value.0, bodies[index].value.1) }
}

/// Eases that add, in C: a layer of effects for each call, all of one curve and one length.
final class EffectYardstick {
  private let loops: yardstick_loops
  private let effects: OpaquePointer
  private let layers: Int
  private let duration: Double
  private let curve: LineColumn
  private var next = 0

  /// Tracks at 0, whose effects are over.
  ///
  /// - Parameter count: A multiple of 16.
  init(
    count: Int, layers: Int, _ curve: UnitCurve, duration: Double, loops: yardstick_loops = TrackYardstick.loops
  ) throws(BenchError) {
    guard let effects = yardstick_effects_create(count, layers) else { throw .noMemory }
    (self.effects, self.layers, self.loops, self.duration) = (effects, layers, loops, duration)
    self.curve = Self.cubics(of: curve)
  }

  deinit { yardstick_effects_destroy(effects) }

  /// Cubics that share values and slopes with a curve at eight ends.
  private static func cubics(of curve: UnitCurve) -> LineColumn {
    let terms = LineColumn(count: 64, stagger: 0)
    for part in 0..<8 {
      let (start, end) = (Double(part) / 8, Double(part + 1) / 8)
      let (p, q) = (curve.value(at: start), curve.value(at: end))
      let (u, v) = (curve.velocity(at: start) / 8, curve.velocity(at: end) / 8)
      let cubic = [p, u, 3 * (q - p) - 2 * u - v, u + v - 2 * (q - p)]
      for (power, term) in cubic.enumerated() { terms.floats[16 * power + part] = Float(term) }
    }
    return terms
  }

  /// Starts an effect on all tracks, in place of the oldest one.
  func start(towards goals: [SIMD2<Float>], at seconds: Double) {
    let first = (next + 1) % layers
    goals.withFloats { yardstick_effects_set(effects, next, $0, seconds, Float(duration), first) }
    next = first
  }

  /// Computes the values at a time.
  func advance(to seconds: Double) { loops.add_effects(effects, curve.address, seconds) }

  /// A value, by index.
  subscript(index: Int) -> SIMD2<Float> {
    SIMD2(yardstick_effects_values(effects, 0)[index], yardstick_effects_values(effects, 1)[index])
  }
}

/// Floats from the start of a line on, where no two staggers share an offset within a page.
final class LineColumn {
  let floats: UnsafeMutableBufferPointer<Float>
  private let block: UnsafeMutableRawPointer

  init(count: Int, stagger: Int) {
    block = .allocate(byteCount: 4 * count + 832 * stagger, alignment: 4096)
    let start = (block + 832 * stagger).bindMemory(to: Float.self, capacity: count)
    floats = UnsafeMutableBufferPointer(start: start, count: count)
    floats.initialize(repeating: 0)
  }

  deinit { block.deallocate() }

  var address: UnsafeMutablePointer<Float>? { floats.baseAddress }
}

extension [SIMD2<Float>] {
  /// The components, side by side.
  fileprivate func withFloats(_ body: (UnsafePointer<Float>?) -> Void) {
    withUnsafeBytes { body($0.bindMemory(to: Float.self).baseAddress) }
  }
}

extension yardstick_motion {
  /// An underdamped spring.
  init(_ spring: Spring) {
    self.init(decay: Float(spring.decayConstant), frequency: Float(spring.angularFrequency))
  }
}

extension yardstick_step {
  /// The exact step of an underdamped spring.
  init(_ spring: Spring, frame: Double) {
    let (decay, frequency) = (spring.decayConstant, spring.angularFrequency)
    // The distance from the goal after a start at 1 without velocity, and after a start at the goal with velocity 1.
    let (c, s) = (
      1 - spring.value(target: 1.0, time: frame), spring.value(target: 0.0, initialVelocity: 1, time: frame)
    )
    self.init(
      a: Float(c - 1), b: Float(s), c: Float(-s * (frequency * frequency + decay * decay)),
      d: Float(c - 2 * decay * s - 1))
  }
}
