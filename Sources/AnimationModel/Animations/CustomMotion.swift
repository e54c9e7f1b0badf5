// SPDX-License-Identifier: MIT
// Custom animations. Embedded builds have no custom animations: a call of a generic method on a value of any type needs the
// runtime.

#if hasFeature(Embedded)
  /// No motion at all.
  enum CustomMotion: Hashable, Sendable {
    func animate<V: VectorArithmetic>(value: V, time: Double, context: inout AnimationContext<V>) -> V? {
      switch self {}
    }

    func velocity<V: VectorArithmetic>(value: V, time: Double, context: AnimationContext<V>) -> V? {
      switch self {}
    }

    func shouldMerge<V: VectorArithmetic>(
      previous: Animation, value: V, time: Double, context: inout AnimationContext<V>
    ) -> Bool { switch self {} }

    func hasSameKind(as other: Animation) -> Bool { switch self {} }
  }

  /// The state of custom animations: empty.
  struct CustomState: Sendable {}
#else
  /// A motion defined outside this module.
  struct CustomMotion: Hashable, Sendable {
    let base: any CustomAnimation

    func animate<V: VectorArithmetic>(value: V, time: Double, context: inout AnimationContext<V>) -> V? {
      base.animate(value: value, time: time, context: &context)
    }

    func velocity<V: VectorArithmetic>(value: V, time: Double, context: AnimationContext<V>) -> V? {
      base.velocity(value: value, time: time, context: context)
    }

    func shouldMerge<V: VectorArithmetic>(
      previous: Animation, value: V, time: Double, context: inout AnimationContext<V>
    ) -> Bool {
      base.shouldMerge(previous: previous, value: value, time: time, context: &context)
    }

    func hasSameKind(as other: Animation) -> Bool { type(of: base) == type(of: other.base) }

    static func == (lhs: CustomMotion, rhs: CustomMotion) -> Bool {
      func equal<Base: CustomAnimation>(_ lhs: Base) -> Bool { lhs == rhs.base as? Base }
      return equal(lhs.base)
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(ObjectIdentifier(type(of: base)))
      base.hash(into: &hasher)
    }
  }

  extension Animation {
    /// The animation that moves as `base` does.
    public init(_ base: some CustomAnimation) {
      form =
        switch base {
        case let base as CurveAnimation: .curve(base)
        case let base as SpringAnimation: .spring(base)
        case let base as InterpolatingSpringAnimation: .interpolatingSpring(base)
        case let base as DecelerationAnimation: .deceleration(base)
        case let base as DelayAnimation: .delay(base)
        case let base as SpeedAnimation: .speed(base)
        case let base as RepeatAnimation: .repeat(base)
        case let base as LogicallyCompleteAnimation: .logicallyComplete(base)
        case let base as CombinedAnimation: .combined(base)
        default: .custom(CustomMotion(base: base))
        }
    }

    /// The motion that this animation stands for.
    public var base: any CustomAnimation {
      switch form {
      case .curve(let base): base
      case .spring(let base): base
      case .interpolatingSpring(let base): base
      case .deceleration(let base): base
      case .delay(let base): base
      case .speed(let base): base
      case .repeat(let base): base
      case .logicallyComplete(let base): base
      case .combined(let base): base
      case .custom(let base): base.base
      }
    }
  }

  extension Animation: CustomStringConvertible {
    /// The motion's own description.
    public var description: String { String(describing: base) }
  }

  /// The state of custom animations, by the types of the keys.
  struct CustomState: Sendable {
    fileprivate var pieces: [ObjectIdentifier: any Sendable] = [:]
  }

  extension AnimationState {
    /// The piece of state that `key` names.
    public subscript<K: AnimationStateKey>(key: K.Type) -> K.Value {
      get { custom.pieces[ObjectIdentifier(key)] as? K.Value ?? K.defaultValue }
      set { custom.pieces[ObjectIdentifier(key)] = newValue }
    }
  }
#endif
