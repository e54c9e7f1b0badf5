// SPDX-License-Identifier: MIT

/// A modified animation, shared by the tracks of one call.
final class CurveProgram: Sendable {
  let progress: Progress
  init(_ progress: Progress) { self.progress = progress }
}

extension CurveProgram {
  /// Whether kernels can follow it: its clock takes time, and so does each of its legs.
  var isSteady: Bool {
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

  /// Whether it is a modified spring, which takes over from one with the same modifiers.
  var mayMerge: Bool {
    if case .spring = progress.form.base, progress.form.source.map({ Progress($0) == nil }) ?? false {
      true
    } else {
      false
    }
  }
}
