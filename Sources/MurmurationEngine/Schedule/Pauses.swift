// SPDX-License-Identifier: MIT
import Kernels

/// The paused tracks by index, and the motion with which each goes on. A clip keeps its own pause, so a track that plays a
/// clip is here only if its phases or its waiting call are paused too.
struct Pauses: Sendable {
  /// The state of a track when it was paused.
  struct Pause: Sendable {
    let since: Double
    /// The motion of the track; nil if the track stood, or plays a clip.
    let motion: PausedMotion?

    /// Whether the columns of springs keep a spring at the index of the track.
    var keepsSpring: Bool {
      switch motion {
      case .spring: true
      case .curves(let held): held.areOnSpring
      default: false
      }
    }

    /// The time of a moment if the track goes on now. A moment that lay ahead at the pause is not in the past then, however
    /// sums are rounded.
    func moment(_ moment: Double, resumedAt now: Double) -> Double { now + (moment - since) }
  }

  private let dimensions: Int
  /// The pause of each track, and the velocity that it had.
  var pauses: [Pause?] = []
  private var velocities: [Float] = []
  private(set) var count = 0
  /// No pause began after this moment.
  var latest = -BatchLimits.maximumTime

  init(dimensions: Int) { self.dimensions = dimensions }

  var isEmpty: Bool { count == 0 }
  func contains(_ index: Int) -> Bool { self[index] != nil }
  subscript(index: Int) -> Pause? { count > 0 && index < pauses.count ? pauses[index] : nil }

  /// The indices of paused tracks.
  ///
  /// - Complexity: O(indices), unless none is paused.
  var indices: some Sequence<Int> { (isEmpty ? 0..<0 : pauses.indices).lazy.filter { pauses[$0] != nil } }

  /// The velocity that a track takes up again after its pause, or took up again after its last one.
  func velocity(_ index: Int, _ dimension: Int) -> Float { velocities[index * dimensions + dimension] }

  /// Bytes for all indices.
  var byteCount: Int { pauses.count * (MemoryLayout<Pause?>.stride + 4 * dimensions) }

  mutating func code(_ coder: inout StateCoder) {
    coder.code(&velocities)
    coder.code(&count)
    coder.code(&latest)
  }

  /// Whether a track goes on to follow.
  func isOfFollower(_ index: Int) -> Bool {
    if case .following? = self[index]?.motion { true } else { false }
  }

  /// Makes room for the pauses of a number of indices.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)`` if there is no memory; nothing changes then.
  mutating func makeRoom(for indexCount: Int) throws(BatchError) {
    guard indexCount > pauses.count else { return }
    try BatchLimits.checkRoom(
      forIndices: indexCount, beyond: pauses.count, bytes: [MemoryLayout<Pause?>.stride, 4 * dimensions])
    pauses.grow(to: indexCount, with: nil)
    velocities.grow(to: indexCount * dimensions, with: 0)
  }

  /// Notes that a track, which is not paused, is paused with its velocities.
  mutating func begin(_ index: Int, since: Double, _ motion: PausedMotion?, velocity: (_ dimension: Int) -> Float) {
    pauses.grow(to: index + 1, with: nil)
    velocities.grow(to: (index + 1) * dimensions, with: 0)
    for dimension in 0..<dimensions { velocities[index * dimensions + dimension] = velocity(dimension) }
    pauses[index] = Pause(since: since, motion: motion)
    count += 1
    latest = max(latest, since)
  }

  /// Lets a paused track go on with another motion, and with velocities of another pace.
  mutating func pace(_ index: Int, by ratio: Double, _ motion: PausedMotion) {
    guard let pause = self[index] else { return }
    pauses[index] = Pause(since: pause.since, motion: motion)
    for dimension in 0..<dimensions {
      let velocity = velocities[index * dimensions + dimension]
      velocities[index * dimensions + dimension] = AmplitudeRule.shown(Double(velocity) * ratio)
    }
  }

  /// Forgets the pause of a track, and returns it.
  mutating func end(_ index: Int) -> Pause? {
    guard let pause = self[index] else { return nil }
    pauses[index] = nil
    count -= 1
    return pause
  }

  mutating func removeAll() {
    pauses.removeAll()
    velocities.removeAll()
    count = 0
  }
}

/// The motion of a track that is paused, and what was reported of it: small for springs, of which there may be many.
enum PausedMotion: Sendable {
  /// The columns of springs keep it at the index of the track.
  case spring(SpringWatch.Reported)
  indirect case curves(HeldCurves)
  /// Goals and leaders stay where they are.
  indirect case following(SpringCoefficients)
  indirect case called(CalledMotions.Motion)
}

/// Curves that a track goes on with.
struct HeldCurves: Sendable {
  /// A curve, or a modified animation, which began at a moment and leads to a goal.
  struct Effect: Sendable {
    let motion: MotionRequest
    let start: Double
    let goal: [Float]
  }

  /// The values where the first of them began, or the targets of the spring under them, by dimension.
  let under: [Float]
  /// Whether they add to a spring. The columns of springs keep it at the index of the track.
  let areOnSpring: Bool
  let reported: SpringWatch.Reported
  /// The effects in the order in which they began.
  var effects: [Effect] = []
}
