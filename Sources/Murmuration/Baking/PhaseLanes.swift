// SPDX-License-Identifier: MIT
import Kernels

/// A track of a bake that springs lead through phases: where it is in its sequence, and the motion under way.
struct PhaseLane {
  let index: Int
  var clock = PhaseClock(origin: 0, next: .infinity)
  /// Which of the springs moves it, and when it began to; −1 where it stands.
  var spring = -1
  var start = -Double.infinity
  /// The age from which on it rests, once that is known.
  var restAge: Double?
}

/// Displacement, amplitude and target of one dimension of a lane.
typealias PhaseState = SIMD3<Float>

/// The lanes of a block: memory that is written where it is, as most steps change little of what is known of a lane.
@safe
final class PhaseLanes {
  let count: Int
  private let dimensions: Int
  private let lanes: UnsafeMutablePointer<PhaseLane>
  private let states: UnsafeMutablePointer<PhaseState>

  /// Lanes that stand at 0.
  init(_ indices: Range<Int>, dimensions: Int) {
    (count, self.dimensions) = (indices.count, dimensions)
    unsafe lanes = .allocate(capacity: indices.count)
    unsafe states = .allocate(capacity: indices.count * dimensions)
    for (place, index) in indices.enumerated() {
      unsafe (lanes + place).initialize(to: PhaseLane(index: index))
    }
    unsafe states.initialize(repeating: .zero, count: indices.count * dimensions)
  }

  subscript(place: Int) -> PhaseLane {
    @inline(__always) get { unsafe lanes[place] }
    @inline(__always) _modify { yield unsafe &lanes[place] }
  }

  subscript(place: Int, dimension: Int) -> PhaseState {
    @inline(__always) get { unsafe states[place &* dimensions &+ dimension] }
    @inline(__always) set { unsafe states[place &* dimensions &+ dimension] = newValue }
  }

  deinit {
    unsafe lanes.deallocate()
    unsafe states.deallocate()
  }
}
