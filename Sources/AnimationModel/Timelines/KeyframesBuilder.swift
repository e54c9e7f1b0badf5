// SPDX-License-Identifier: MIT

/// Builds the tracks of a timeline from a closure with conditions, optionals and loops.
///
/// The closure holds either tracks, or keyframes of the value as a whole, which form one track.
@resultBuilder
public struct KeyframesBuilder<Value> {
  /// The tracks of one expression.
  public static func buildExpression(_ expression: some Keyframes<Value>) -> KeyframeTracks<Value> {
    var tracks = KeyframeTracks<Value>()
    expression.append(to: &tracks)
    return tracks
  }

  /// A block without expressions: no tracks.
  public static func buildBlock() -> KeyframeTracks<Value> { KeyframeTracks() }

  /// The first part of a block of tracks.
  public static func buildPartialBlock(first: KeyframeTracks<Value>) -> KeyframeTracks<Value> { first }

  /// A block of tracks and the part that follows it.
  public static func buildPartialBlock(
    accumulated: KeyframeTracks<Value>, next: KeyframeTracks<Value>
  ) -> KeyframeTracks<Value> {
    var tracks = accumulated
    next.append(to: &tracks)
    return tracks
  }

  /// The tracks of an `if` without `else`; empty when the condition fails.
  public static func buildOptional(_ component: KeyframeTracks<Value>?) -> KeyframeTracks<Value> {
    component ?? KeyframeTracks()
  }

  /// The tracks of the first branch.
  public static func buildEither(first component: KeyframeTracks<Value>) -> KeyframeTracks<Value> { component }

  /// The tracks of the second branch.
  public static func buildEither(second component: KeyframeTracks<Value>) -> KeyframeTracks<Value> { component }

  /// The tracks of all turns of a loop.
  public static func buildArray(_ components: [KeyframeTracks<Value>]) -> KeyframeTracks<Value> {
    var tracks = KeyframeTracks<Value>()
    for component in components { component.append(to: &tracks) }
    return tracks
  }

  /// The tracks of the whole closure.
  public static func buildFinalResult(_ component: KeyframeTracks<Value>) -> KeyframeTracks<Value> { component }
}

/// Keyframes of the value as a whole.
extension KeyframesBuilder where Value: Animatable {
  /// The keyframes of one expression.
  public static func buildExpression(_ expression: some KeyframeTrackContent<Value>) -> KeyframeSequence<Value> {
    KeyframeTrackContentBuilder<Value>.buildExpression(expression)
  }

  /// A block without expressions: a track without keyframes.
  public static func buildBlock() -> KeyframeSequence<Value> { KeyframeSequence() }

  /// The first part of a block of keyframes.
  public static func buildPartialBlock(first: KeyframeSequence<Value>) -> KeyframeSequence<Value> { first }

  /// A block of keyframes and the part that follows it.
  public static func buildPartialBlock(
    accumulated: KeyframeSequence<Value>, next: KeyframeSequence<Value>
  ) -> KeyframeSequence<Value> {
    KeyframeTrackContentBuilder<Value>.buildPartialBlock(accumulated: accumulated, next: next)
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
    KeyframeTrackContentBuilder<Value>.buildArray(components)
  }

  /// One track of all keyframes of the closure.
  public static func buildFinalResult(
    _ component: KeyframeSequence<Value>
  ) -> KeyframeTrack<Value, Value, KeyframeSequence<Value>> {
    KeyframeTrack { component }
  }
}
