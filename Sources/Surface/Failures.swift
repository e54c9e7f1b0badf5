// SPDX-License-Identifier: MIT
import AnimationModel
import CSurface
package import Murmuration

// How a call fails: it keeps the words for the thread, and returns the code.

/// The result of a call that did what it was asked to.
package let ok = Int32(MURMURATION_OK)

/// Fails with a code and words.
package func fail(_ code: Int, _ words: String) -> Int32 {
  var words = words
  words.withUTF8 { utf8 in
    utf8.withMemoryRebound(to: CChar.self) { object_set_message($0.baseAddress, $0.count) }
  }
  return Int32(code)
}

/// Fails as an argument is null.
package func failNull(_ name: String) -> Int32 { fail(MURMURATION_NULL_POINTER, "\(name) must not be NULL") }

/// Fails as a count is out of range.
package func failCount(_ name: String, _ count: Int32) -> Int32 {
  fail(MURMURATION_INVALID_COUNT, "\(name) must be 0 or more, is \(count)")
}

/// Fails as a kind, form, order or flag is unknown.
package func failCode(_ name: String, _ code: Int32) -> Int32 {
  fail(MURMURATION_INVALID_CODE, "\(name) \(code) is none that the header lists")
}

/// Fails with an error of a batch.
package func fail(_ error: BatchError) -> Int32 { fail(error.code, error.description) }

/// Fails with the defect of a struct.
package func fail(_ defect: Defect) -> Int32 { fail(defect.code, defect.reason) }

/// Fails with an error of a clip.
package func fail(_ error: ClipError) -> Int32 { fail(MURMURATION_INVALID_CLIP, error.description) }

/// Fails with an error of phases.
func fail(_ error: PhaseError) -> Int32 { fail(MURMURATION_INVALID_PHASES, error.description) }

/// The fault of a call that would need memory for a number of elements; nil if there is memory.
///
/// A Swift array for which there is no memory ends the process. So a call whose arguments say how much it needs asks here
/// first.
package func roomFault<Element>(_ name: String, _ count: Int, of type: Element.Type) -> Int32? {
  guard !BatchLimits.hasRoom(for: count, of: type) else { return nil }
  return fail(MURMURATION_CAPACITY_EXCEEDED, "there is no memory for \(count) \(name)")
}

/// The status of a call: that of the error that `body` throws, if it does.
@inline(__always)
package func status(_ body: () throws(BatchError) -> Void) -> Int32 {
  do throws(BatchError) { try body() } catch { return fail(error) }
  return ok
}

extension BatchError {
  /// The code of the header.
  fileprivate var code: Int {
    switch self {
    case .invalidDimensions: MURMURATION_INVALID_DIMENSIONS
    case .unsupportedKernels: MURMURATION_UNSUPPORTED_KERNELS
    case .unsupportedValue, .propertyOutOfRange: MURMURATION_INVALID_CODE
    case .invalidSpring: MURMURATION_INVALID_SPRING
    case .invalidAnimation: MURMURATION_INVALID_ANIMATION
    case .invalidValue, .invalidSlide: MURMURATION_INVALID_VALUE
    case .invalidDeceleration: MURMURATION_INVALID_DECELERATION
    case .trackOutOfRange: MURMURATION_TRACK_OUT_OF_RANGE
    case .invalidTolerance: MURMURATION_INVALID_TOLERANCE
    case .invalidTime: MURMURATION_INVALID_TIME
    case .invalidDelay: MURMURATION_INVALID_DELAY
    case .invalidRotation: MURMURATION_INVALID_VALUE
    case .timeBeforeStart: MURMURATION_TIME_BEFORE_START
    case .velocitiesNotComputed: MURMURATION_VELOCITIES_NOT_COMPUTED
    case .invalidFrameRate: MURMURATION_INVALID_FRAME_RATE
    case .changeWaiting: MURMURATION_CHANGE_WAITING
    case .wrongCount, .unequalColumns: MURMURATION_INVALID_COUNT
    case .invalidStride: MURMURATION_INVALID_STRIDE
    case .springsAndAnimations: MURMURATION_INVALID_ANIMATION
    case .velocitiesOfColors: MURMURATION_INVALID_CODE
    case .wrongDimensions: MURMURATION_WRONG_DIMENSIONS
    case .dimensionOutOfRange: MURMURATION_DIMENSION_OUT_OF_RANGE
    case .staleHandle: MURMURATION_STALE_HANDLE
    case .storeMismatch: MURMURATION_STORE_MISMATCH
    case .capacityExceeded: MURMURATION_CAPACITY_EXCEEDED
    case .invalidPlayback: MURMURATION_INVALID_PLAYBACK
    case .unknownClip: MURMURATION_UNKNOWN_CLIP
    case .clipInUse: MURMURATION_CLIP_IN_USE
    case .unknownSequence: MURMURATION_UNKNOWN_PHASES
    case .sequenceInUse: MURMURATION_PHASES_IN_USE
    case .cannotRestart: MURMURATION_CANNOT_RESTART
    case .recordsFromStart: MURMURATION_RECORDS_FROM_START
    case .snapshotMismatch: MURMURATION_SNAPSHOT_MISMATCH
    case .isRecorded: MURMURATION_IS_RECORDED
    case .invalidSnapshot: MURMURATION_INVALID_SNAPSHOT
    }
  }
}
