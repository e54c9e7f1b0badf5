// SPDX-License-Identifier: MIT

/// A modified animation, shared by the tracks of one call.
final class CurveProgram: Sendable {
  let progress: Progress
  init(_ progress: Progress) { self.progress = progress }
}

extension CurveProgram {
  /// The program of an animation that is modified, or an interpolating spring; nil for a custom animation.
  convenience init?(_ animation: Animation) {
    guard !animation.isCustom else { return nil }
    let progress = Progress(animation, includesSprings: true)
    if let progress, CurveProgram(progress).isSteady { self.init(progress) } else { self.init(computing: animation) }
  }

  /// The program of an animation that is computed track by track.
  convenience init(computing animation: Animation) { self.init(Progress(computing: animation)) }

  /// Whether kernels can follow it: its clock takes time, and so does each of its legs. While it waits, kernels show the
  /// start of its curve, which then must be the start of the way.
  fileprivate var isSteady: Bool {
    // An animation that begins in the middle, and is modified further.
    let skips = progress.modifiers.dropFirst().contains { if case .delay(..<0) = $0 { true } else { false } }
    if skips { return false }
    if case .curve(let curve) = progress.form.base, curve.value(at: 0) != 0,
      progress.modifiers.contains(where: { if case .delay(0.nextUp...) = $0 { true } else { false } })
    {
      return false
    }
    var shortest = progress.clockLength
    for modifier in progress.modifiers.reversed() {
      switch modifier {
      case .delay: break
      case .speed(let speed): shortest /= speed
      case .legs(let length, _, _): shortest = min(shortest, length)
      }
    }
    return shortest >= CurveMotions.shortest && progress.clockLength < .infinity
  }

  /// Whether it takes over from another one, as a modified spring does from one with the same modifiers.
  func takesOver(from other: CurveProgram) -> Bool {
    var context = AnimationContext<TrackVector>()
    let way = TrackVector(count: 1) { _ in 1 }
    return progress.animation.shouldMerge(previous: other.progress.animation, value: way, time: 0, context: &context)
  }
}
