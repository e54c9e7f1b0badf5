// SPDX-License-Identifier: MIT

/// The way a value gets from where it is to a new target, as a value: it names a motion, and holds no progress.
///
/// Names, labels and defaults are SwiftUI's. Two animations are equal when they were made by the same calls.
public struct Animation: Hashable, Sendable {
  /// The motions that most animations stand for, which are quick to tell apart, and a box for the others.
  private enum Form: Sendable {
    case curve(CurveAnimation)
    case spring(SpringAnimation)
    case boxed(any CustomAnimation)
  }

  private let form: Form

  /// The motion that this animation stands for.
  public var base: any CustomAnimation {
    switch form {
    case .curve(let base): base
    case .spring(let base): base
    case .boxed(let base): base
    }
  }

  /// The animation that moves as `base` does.
  public init(_ base: some CustomAnimation) {
    form =
      if let curve = base as? CurveAnimation {
        .curve(curve)
      } else if let spring = base as? SpringAnimation {
        .spring(spring)
      } else {
        .boxed(base)
      }
  }

  /// What the animation is made of.
  package var structure: AnimationStructure {
    switch form {
    case .curve(let base): .curve(base.curve, duration: base.duration)
    case .spring(let base): .spring(base.spring)
    case .boxed(let base): AnimationStructure(base)
    }
  }

  /// The part of `value` that has been covered after `time` seconds, or nil when the animation has finished.
  public func animate<V: VectorArithmetic>(value: V, time: Double, context: inout AnimationContext<V>) -> V? {
    base.animate(value: value, time: time, context: &context)
  }

  /// The rate of change of what `animate` returns, in units per second, or nil if it is not known.
  public func velocity<V: VectorArithmetic>(value: V, time: Double, context: AnimationContext<V>) -> V? {
    base.velocity(value: value, time: time, context: context)
  }

  /// Whether this animation continues `previous` in its place, which has run for `time` seconds towards `value`.
  public func shouldMerge<V: VectorArithmetic>(
    previous: Animation, value: V, time: Double, context: inout AnimationContext<V>
  ) -> Bool {
    base.shouldMerge(previous: previous, value: value, time: time, context: &context)
  }

  /// Whether both animations are of the same kind with the same parameters.
  public static func == (lhs: Animation, rhs: Animation) -> Bool {
    switch (lhs.form, rhs.form) {
    case (.curve(let lhs), .curve(let rhs)): lhs == rhs
    case (.spring(let lhs), .spring(let rhs)): lhs == rhs
    default: equal(lhs.base, rhs.base)
    }
  }

  /// Hashes the kind and the parameters.
  public func hash(into hasher: inout Hasher) {
    let base = base
    hasher.combine(ObjectIdentifier(type(of: base)))
    base.hash(into: &hasher)
  }

  private static func equal<Base: CustomAnimation>(_ lhs: Base, _ rhs: any CustomAnimation) -> Bool {
    lhs == rhs as? Base
  }
}

extension Animation: CustomStringConvertible {
  /// The motion's own description.
  public var description: String { String(describing: base) }
}
