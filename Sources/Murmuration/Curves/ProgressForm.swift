// SPDX-License-Identifier: MIT
import AnimationModel

/// What a progress is made of, but for the duration of its curve. Plain curves of one shape share it, so that a track that
/// sets out along one takes no memory, and what tracks keep is quickly copied.
final class ProgressForm: Sendable {
  enum Base: Sendable {
    case curve(UnitCurve)
    case spring(Spring, initialVelocity: Double, end: Double)
  }

  let base: Base
  let modifiers: [Progress.Modifier]
  /// The animation if it is modified or a spring; a plain curve's is made anew when it is asked for.
  let source: Animation?

  init(_ base: Base, _ modifiers: [Progress.Modifier] = [], source: Animation? = nil) {
    self.base = base
    self.modifiers = modifiers
    self.source = source
  }
}

/// The forms of plain curves that were asked for.
struct CurveForms {
  /// Curves among which one is looked for before its hash is computed, which takes longer than to compare it with a few.
  private static let few = 6
  /// Forms that are kept; those in use live on.
  private static let limit = 4096

  private var first: [(curve: UnitCurve, form: ProgressForm)] = []
  private var others: [UnitCurve: ProgressForm] = [:]

  mutating func form(of curve: UnitCurve) -> ProgressForm {
    for index in first.indices where first[index].curve == curve {
      return first[index].form
    }
    if let known = others[curve] { return known }
    let form = ProgressForm(.curve(curve))
    if first.count < Self.few {
      first.append((curve, form))
    } else {
      if others.count >= Self.limit { others.removeAll() }
      others[curve] = form
    }
    return form
  }
}
