// SPDX-License-Identifier: MIT
// The names are those of the header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase
public import CSurface
import Murmuration

// How changes end.

/// The fault of a code for a completion; nil if there is none.
func completionFault(_ completion: Int32) -> Int32? {
  0...Int32(MURMURATION_UNTIL_SETTLED) ~= completion ? nil : failCode("completion", completion)
}

extension Engine {
  /// Makes a call that gives a change, whose end is told if a code says so.
  mutating func change(
    _ tracks: SelectedTracks, _ completion: Int32, _ call: (inout Engine) throws(BatchError) -> UInt32
  ) throws(BatchError) -> UInt32 {
    let criteria: CompletionCriteria? =
      switch Int(completion) {
      case MURMURATION_UNTIL_LOGICALLY_COMPLETE: .logicallyComplete
      case MURMURATION_UNTIL_SETTLED: .settled
      default: nil
      }
    return try watching(tracks, until: criteria, call)
  }
}

@c @implementation
public func murmuration_outcomes(
  _ batch: murmuration_batch, _ outcomes: UnsafeMutablePointer<UnsafePointer<murmuration_outcome>?>?,
  _ count: UnsafeMutablePointer<Int32>?
) -> Int32 {
  guard let outcomes else { return failNull("outcomes") }
  guard let count else { return failNull("count") }
  return withBatch(batch) { object throws(BatchError) in
    try object.pointee.outcomes.lend(object.pointee.engine.pointee.outcomes, outcomes, count) { outcome in
      murmuration_outcome(
        change: outcome.change.rawValue, completed: Int32(outcome.completed), replaced: Int32(outcome.replaced),
        removed: Int32(outcome.removed))
    }
  }
}

@c @implementation
public func murmuration_track_outcomes(
  _ batch: murmuration_batch, _ outcomes: UnsafeMutablePointer<UnsafePointer<murmuration_track_outcome>?>?,
  _ count: UnsafeMutablePointer<Int32>?
) -> Int32 {
  guard let outcomes else { return failNull("outcomes") }
  guard let count else { return failNull("count") }
  return withBatch(batch) { object throws(BatchError) in
    try object.pointee.trackOutcomes.lend(object.pointee.engine.pointee.trackOutcomes, outcomes, count) { outcome in
      let result =
        switch outcome.result {
        case .complete: MURMURATION_COMPLETE
        case .replaced: MURMURATION_REPLACED
        case .removed: MURMURATION_REMOVED
        }
      return murmuration_track_outcome(
        track: murmuration_track(outcome.track), change: outcome.change.rawValue, result: Int32(result))
    }
  }
}
