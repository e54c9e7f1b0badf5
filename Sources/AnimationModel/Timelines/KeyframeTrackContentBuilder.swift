// SPDX-License-Identifier: MIT

/// Builds the keyframes of one track from a closure with conditions, optionals and loops.
///
/// Every part is collected into one ``KeyframeSequence``, so a track of a thousand keyframes from a loop costs the
/// compiler nothing.
@resultBuilder
public struct KeyframeTrackContentBuilder<Value: Animatable> {
  /// The keyframes of one expression.
  public static func buildExpression(_ expression: some KeyframeTrackContent<Value>) -> KeyframeSequence<Value> {
    var sequence = KeyframeSequence<Value>()
    expression.append(to: &sequence)
    return sequence
  }

  /// A block without expressions: no keyframes.
  public static func buildBlock() -> KeyframeSequence<Value> { KeyframeSequence() }

  /// The first part of a block.
  public static func buildPartialBlock(first: KeyframeSequence<Value>) -> KeyframeSequence<Value> { first }

  /// A block and the part that follows it.
  public static func buildPartialBlock(
    accumulated: KeyframeSequence<Value>, next: KeyframeSequence<Value>
  ) -> KeyframeSequence<Value> {
    var sequence = accumulated
    next.append(to: &sequence)
    return sequence
  }

  /// The keyframes of an `if` without `else`; empty when the condition fails.
  public static func buildOptional(_ component: KeyframeSequence<Value>?) -> KeyframeSequence<Value> {
    component ?? KeyframeSequence()
  }

  /// The keyframes of the first branch.
  public static func buildEither(first component: KeyframeSequence<Value>) -> KeyframeSequence<Value> { component }

  /// The keyframes of the second branch.
  public static func buildEither(second component: KeyframeSequence<Value>) -> KeyframeSequence<Value> { component }

  /// The keyframes of all turns of a loop.
  public static func buildArray(_ components: [KeyframeSequence<Value>]) -> KeyframeSequence<Value> {
    var sequence = KeyframeSequence<Value>()
    for component in components { component.append(to: &sequence) }
    return sequence
  }

  /// The keyframes of a branch that depends on availability.
  public static func buildLimitedAvailability(_ component: KeyframeSequence<Value>) -> KeyframeSequence<Value> {
    component
  }
}
