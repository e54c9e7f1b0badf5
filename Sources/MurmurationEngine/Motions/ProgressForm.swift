// SPDX-License-Identifier: MIT

/// The parts of a progress, except for the duration of its curve. Plain curves of one shape share a form, so a track
/// that sets out along one takes no memory for it.
final class ProgressForm: Sendable {
  enum Base: Hashable, Sendable {
    case curve(UnitCurve)
    case spring(Spring, initialVelocity: Double, end: Double)
  }

  let base: Base
  let modifiers: [Progress.Modifier]
  /// The animation, if it is modified or a spring. The animation of a plain curve is made when it is asked for.
  let source: Animation?

  init(_ base: Base, _ modifiers: [Progress.Modifier] = [], source: Animation? = nil) {
    self.base = base
    self.modifiers = modifiers
    self.source = source
  }
}
