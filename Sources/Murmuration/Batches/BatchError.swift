// SPDX-License-Identifier: MIT

/// Why a batch refused a call; nothing has changed when one is thrown.
public enum BatchError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A batch has at least one dimension and at most ``BatchLimits/maximumDimensions``; one of keyframes at most
  /// ``Clip/maximumDimensions``.
  case invalidDimensions(Int)
  /// The processor, or this build, lacks the instruction set.
  case unsupportedKernels(KernelSelectionError)
  /// A value of the type is not its components side by side in memory.
  case unsupportedValue(String)
  /// The bounce is outside (−1, 1], the duration outside [10⁻⁴, 10⁶] s and not 0, or a parameter is not finite.
  case invalidSpring(index: Int, reason: String)
  /// A duration, delay or speed of an animation is not a finite number, or a spring in it is not accepted.
  case invalidAnimation(index: Int, reason: String)
  /// More animations of a track add their effects than ``CurveBatch/maximumAnimationCount``.
  case tooManyAnimations(TrackHandle)
  /// A value, target or velocity is NaN, infinite or beyond ±10¹⁵.
  case invalidValue(index: Int, value: Float)
  /// The rate is outside (0, 1), or the decay constant that follows from it outside 10⁻⁵…10⁶ per second.
  case invalidDeceleration(rate: Double)
  /// The particles have no such property.
  case propertyOutOfRange(Int)
  /// The batch has no such index.
  case trackOutOfRange(Int)
  /// A rest tolerance is NaN, not positive, or beyond the range of Float's usual numbers.
  case invalidTolerance(Float)
  /// A time is NaN, infinite or beyond ±10¹⁰ s.
  case invalidTime(Double)
  /// The time lies before the latest start of a motion.
  case timeBeforeStart(time: Double, start: Double)
  /// A number of frames per second is NaN, infinite or not positive.
  case invalidFrameRate(Double)
  /// The track sets out for another target at this time, which lies within the frames to bake.
  case retargetWaiting(TrackHandle, time: Double)
  /// A span has the wrong number of elements.
  case wrongCount(expected: Int, got: Int)
  /// The value type has another number of dimensions than the batch.
  case wrongDimensions(expected: Int, got: Int)
  /// The batch has no such dimension.
  case dimensionOutOfRange(Int)
  /// The handle's track was removed, or never was.
  case staleHandle(TrackHandle)
  /// The handle belongs to another batch.
  case storeMismatch(TrackHandle)
  /// More tracks than ``BatchLimits/maximumTracks``, or than there is memory for.
  case capacityExceeded(Int)
  /// The track moves alone, not as one of a cohort.
  case notInCohort(TrackHandle)
  /// A time or the speed of a playback is not finite or too large, or its number of legs outside 1…2⁵³.
  case invalidPlayback(index: Int, reason: String)
  /// The clip was unloaded, or belongs to another batch.
  case unknownClip(ClipID)
  /// Instances play the clip, or were given it.
  case clipInUse(ClipID)
  /// The sequence of phases was unloaded, or belongs to another batch.
  case unknownSequence(PhaseSequenceID)
  /// Tracks play the sequence of phases.
  case sequenceInUse(PhaseSequenceID)
  /// The clip of the instance cannot be made anew from its current value.
  case cannotRestart(TrackHandle, ClipError)

  /// The reason in words, with the offending value.
  public var description: String {
    switch self {
    case .invalidDimensions(let count):
      "a batch has 1 to \(BatchLimits.maximumDimensions) dimensions (of keyframes: \(Clip.maximumDimensions)), not \(count)"
    case .unsupportedKernels(let error): "\(error)"
    case .unsupportedValue(let type): "a \(type) is not its components side by side in memory"
    case .invalidSpring(let index, let reason): "spring \(index): \(reason)"
    case .invalidAnimation(let index, let reason): "animation \(index): \(reason)"
    case .tooManyAnimations(let handle):
      "more than \(CurveBatch.maximumAnimationCount) animations would add their effects in track \(handle.slot)"
    case .invalidValue(let index, let value): "value \(index) must be finite and within ±1e15, is \(value)"
    case .invalidDeceleration(let rate):
      "a deceleration must keep a part of the velocity, and slow down within a day, its rate is \(rate)"
    case .propertyOutOfRange(let property): "the particles have no property \(property)"
    case .trackOutOfRange(let index): "there is no track \(index)"
    case .invalidTolerance(let tolerance): "a rest tolerance must be within 1e-30…1e30, is \(tolerance)"
    case .invalidTime(let time): "a time must be finite and within ±1e10 s, is \(time)"
    case .timeBeforeStart(let time, let start): "time \(time) s lies before the latest start at \(start) s"
    case .invalidFrameRate(let rate): "a number of frames per second must be positive and finite, is \(rate)"
    case .retargetWaiting(let handle, let time):
      "track \(handle.slot) sets out for another target at \(time) s, within the frames to bake"
    case .wrongCount(let expected, let got): "expected \(expected) elements, got \(got)"
    case .wrongDimensions(let expected, let got): "the batch has \(expected) dimensions, the value \(got)"
    case .dimensionOutOfRange(let dimension): "the batch has no dimension \(dimension)"
    case .staleHandle(let handle): "track \(handle.slot) of generation \(handle.generation) is no longer there"
    case .storeMismatch(let handle): "track \(handle.slot) belongs to another batch"
    case .capacityExceeded(let count):
      "\(count) tracks are more than \(BatchLimits.maximumTracks), or than memory can hold"
    case .notInCohort(let handle): "track \(handle.slot) is not part of a cohort"
    case .invalidPlayback(let index, let reason): "playback \(index): \(reason)"
    case .unknownClip(let clip): "clip \(clip.place) is not loaded in this batch"
    case .clipInUse(let clip): "clip \(clip.place) is in use"
    case .unknownSequence(let sequence): "sequence \(sequence.index) is not loaded in this batch"
    case .sequenceInUse(let sequence): "sequence \(sequence.index) is in use"
    case .cannotRestart(let handle, let error): "track \(handle.slot) cannot start from where it is: \(error)"
    }
  }
}
