// SPDX-License-Identifier: MIT

/// Animations whose effects add up. They run where a new animation does not continue the previous one.
///
/// Each animation leads from where the earlier ones are towards the target that was set with it, so value and velocity
/// stay continuous. The combination has finished exactly when its last animation has.
struct CombinedAnimation: TimedAnimation {
  /// An animation and the seconds from the start of the run to its own start.
  struct Entry: Hashable, Sendable {
    let animation: Animation
    let start: Double
  }

  let entries: [Entry]

  func animate<V: VectorArithmetic>(value: V, time: Double, context: inout AnimationContext<V>) -> V? {
    var parts = context.state.parts
    guard parts.count == entries.count else { return nil }
    var reached = V.zero
    var hasFinished = false
    for (index, entry) in entries.enumerated() {
      let part = parts[index]
      let covered = entry.animation.animate(
        value: part.target - reached, time: time - entry.start, context: &parts[index].context)
      reached = covered.map { reached + $0 } ?? part.target
      hasFinished = covered == nil
    }
    context.isLogicallyComplete = parts.last?.context.isLogicallyComplete ?? true
    context.state.parts = parts
    return hasFinished ? nil : reached
  }

  /// The derivative of what `animate` returns; an animation that does not know its velocity counts as at rest.
  func velocity<V: VectorArithmetic>(value: V, time: Double, context: AnimationContext<V>) -> V? {
    let parts = context.state.parts
    guard parts.count == entries.count else { return .zero }
    var (reached, velocity) = (V.zero, V.zero)
    for (part, entry) in zip(parts, entries) {
      let remaining = part.target - reached
      let local = time - entry.start
      var probe = part.context
      guard let covered = entry.animation.animate(value: remaining, time: local, context: &probe) else {
        (reached, velocity) = (part.target, .zero)
        continue
      }
      let own = entry.animation.velocity(value: remaining, time: local, context: part.context) ?? .zero
      // The distance left to cover shrinks by the velocity of the earlier animations, and animations are linear in it.
      let shift = entry.animation.change(when: .zero - velocity, time: local, context: part.context)
      reached += covered
      velocity += own + shift
    }
    return velocity
  }

  func endTime<V: VectorArithmetic>(value: V, context: AnimationContext<V>) -> Double {
    last(context: context) { $0.endTime(value: $1, context: $2) }
  }

  func logicalEndTime<V: VectorArithmetic>(value: V, context: AnimationContext<V>) -> Double {
    last(context: context) { $0.logicalEndTime(value: $1, context: $2) }
  }

  /// A time of the last animation, in seconds from the start of the run.
  private func last<V: VectorArithmetic>(
    context: AnimationContext<V>, time: (Animation, V, AnimationContext<V>) -> Double
  ) -> Double {
    let parts = context.state.parts
    guard let entry = entries.last, let part = parts.last else { return 0 }
    return entry.start + time(entry.animation, Self.way(of: parts.count - 1, in: parts), part.context)
  }

  /// The way of an animation from the target of the one before it to its own target: never zero, also if it leads back to
  /// where the run began.
  private static func way<V: VectorArithmetic>(of index: Int, in parts: [CombinedPart<V>]) -> V {
    index == 0 ? parts[0].target : parts[index].target - parts[index - 1].target
  }
}

/// The state of a run of one animation of a combination.
package struct CombinedPart<V: VectorArithmetic>: Sendable {
  /// The target of the animation, as seen from the value at the start of the run.
  package var target: V
  package var context: AnimationContext<V>

  package init(target: V, context: AnimationContext<V>) { (self.target, self.context) = (target, context) }
}

extension CombinedAnimation {
  /// The combination of the running animation and a new one that starts `time` seconds into the run.
  ///
  /// Once an animation has finished, the animations before it have no effect, and are left out.
  static func combining<V: VectorArithmetic>(
    _ running: Animation, towards value: V, with animation: Animation, towards newValue: V, at time: Double,
    context: inout AnimationContext<V>
  ) -> Animation {
    var entries = [Entry(animation: running, start: 0)]
    var parts = [CombinedPart(target: value, context: context)]
    if case .combined(let combined) = running.form {
      entries = combined.entries
      parts = context.state.parts
    }
    let first = entries.indices.last { index in
      var probe = parts[index].context
      return entries[index].animation.animate(
        value: way(of: index, in: parts), time: time - entries[index].start, context: &probe) == nil
    }
    entries.removeSubrange(..<(first ?? 0))
    parts.removeSubrange(..<(first ?? 0))
    entries.append(Entry(animation: animation, start: time))
    parts.append(CombinedPart(target: newValue, context: AnimationContext()))
    context = AnimationContext()
    context.state.parts = parts
    return Animation(form: .combined(CombinedAnimation(entries: entries)))
  }
}

extension Animation {
  /// The change of the covered part when the value to cover changes by `difference`.
  fileprivate func change<V: VectorArithmetic>(
    when difference: V, time: Double, context: AnimationContext<V>
  ) -> V {
    guard difference != .zero else { return .zero }
    var (with, without) = (context, context)
    let moved = animate(value: difference, time: time, context: &with) ?? difference
    return moved - (animate(value: .zero, time: time, context: &without) ?? .zero)
  }
}
