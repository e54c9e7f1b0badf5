// SPDX-License-Identifier: MIT

/// When particles are removed, by index.
struct Lifetimes: Sendable {
  /// By index the end of a particle, in seconds of the clock; infinity for none.
  private var ends: [Double] = []
  /// The particle that an end was set for. It may be gone.
  private var particles: [TrackHandle] = []
  /// For each sixteen indices a moment before which none of them ends.
  private var firstEnds: [Double] = []

  private static let groupSize = 16

  /// Whether any end was ever set.
  var mayEnd: Bool { !ends.isEmpty }

  /// - Throws: ``BatchError/invalidDelay(index:seconds:)``.
  static func check(_ seconds: Double, index: Int, at now: Double) throws(BatchError) {
    let isValid = seconds == .infinity || seconds >= 0 && now + seconds <= BatchLimits.maximumTime
    guard isValid else { throw .invalidDelay(index: index, seconds: seconds) }
  }

  mutating func set(_ particle: TrackHandle, end: Double) {
    let index = particle.index
    if end == .infinity, index >= ends.count { return }
    while ends.count <= index {
      firstEnds.append(.infinity)
      ends.append(contentsOf: repeatElement(.infinity, count: Self.groupSize))
      particles.append(contentsOf: repeatElement(.noTrack, count: Self.groupSize))
    }
    (ends[index], particles[index]) = (end, particle)
    firstEnds[index / Self.groupSize] = min(firstEnds[index / Self.groupSize], end)
  }

  /// Gives each particle whose end has come, and forgets the end.
  mutating func end(by time: Double, _ body: (_ particle: TrackHandle) -> Void) {
    for group in firstEnds.indices where firstEnds[group] <= time {
      firstEnds[group] = .infinity
      for index in group * Self.groupSize..<(group + 1) * Self.groupSize {
        if ends[index] <= time {
          ends[index] = .infinity
          body(particles[index])
        }
        firstEnds[group] = min(firstEnds[group], ends[index])
      }
    }
  }
}
