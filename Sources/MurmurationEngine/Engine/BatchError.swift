// SPDX-License-Identifier: MIT

/// Why a batch refused a call; nothing has changed when one is thrown.
public enum BatchError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A batch has at least one dimension and at most ``BatchLimits/maximumDimensions``.
  case invalidDimensions(Int)
  /// The processor, or this build, lacks the instruction set.
  case unsupportedKernels(KernelSelectionError)
  /// A value of the type is not its components side by side in memory.
  case unsupportedValue(String)
  /// The bounce is outside (−1, 1], the duration outside [10⁻⁴, 10⁶] s and not 0, or a parameter is not finite.
  case invalidSpring(index: Int, reason: String)
  /// A duration, delay or speed of an animation is not a finite number, or a spring in it is not accepted.
  case invalidAnimation(index: Int, reason: String)
  /// A value, goal or velocity is NaN, infinite or beyond ±10¹⁵; `of` names it.
  case invalidValue(of: String, index: Int, value: Float)
  /// The components of the quaternion that `of` names are all 0, or their squares add up to less than 10⁻³⁰ or more than 10³⁰.
  case invalidRotation(of: String, index: Int)
  /// The rate is outside (0, 1), or the decay constant that follows from it outside 10⁻⁵…10⁶ per second.
  case invalidDeceleration(rate: Double)
  /// The upper bound of a slide is below the lower one, one of them is NaN, or the spacing of snap points is not above 0.
  case invalidSlide(component: Int, reason: String)
  /// A snapshot is of another batch or of other particles, of other kinds of values, or of another number of properties.
  case snapshotMismatch
  /// Bytes are not those of a snapshot that can be read here, or a snapshot holds what cannot be written.
  case invalidSnapshot(reason: String)
  /// The calls of the batch are recorded, which snapshots would leave out.
  case isRecorded
  /// The particles have no such property.
  case propertyOutOfRange(Int)
  /// The index of a track is not within 0..<`count`.
  case trackOutOfRange(Int, count: Int)
  /// A tolerance of rest or of curves is NaN or out of range.
  case invalidTolerance(Float)
  /// A time is NaN, infinite or beyond ±10¹⁰ s.
  case invalidTime(Double)
  /// A delay is NaN or negative, or ends after 10¹⁰ s.
  case invalidDelay(index: Int, seconds: Double)
  /// The time lies before the latest start of a motion.
  case timeBeforeStart(time: Double, start: Double)
  /// The last advance left velocities out, so there is no column of them. The velocity of a single track can still be
  /// read.
  case velocitiesNotComputed
  /// A number of frames per second is NaN, infinite or not positive.
  case invalidFrameRate(Double)
  /// The track sets out for another target at this time, which lies within the frames to bake.
  case changeWaiting(TrackHandle, time: Double)
  /// The argument that `of` names has the wrong number of elements. An expected `Int.max` stands for more than memory
  /// can hold.
  case wrongCount(of: String, expected: Int, got: Int)
  /// The columns are not all equally long.
  case unequalColumns(count: Int, dimensions: Int)
  /// A stride or an offset of a ``ColumnLayout`` or a ``VertexLayout`` is out of range, or vertices overlap.
  case invalidStride(Int)
  /// A layout of vertices converts colours, whose velocities have no such conversion.
  case velocitiesOfColors
  /// A call was given both springs and animations for its tracks.
  case springsAndAnimations
  /// The value, clip, sequence or conversion of colours that `of` names has another number of dimensions than the batch.
  case wrongDimensions(of: String, expected: Int, got: Int)
  /// The dimension is not within 0..<`count`.
  case dimensionOutOfRange(Int, count: Int)
  /// The track of the handle was removed, or never existed.
  case staleHandle(TrackHandle)
  /// The handle belongs to another batch.
  case storeMismatch(TrackHandle)
  /// More tracks than ``BatchLimits/maximumTracks``, or than there is memory for.
  case capacityExceeded(Int)
  /// A time or the speed of a playback is not finite or too large, its number of iterations is outside 1…2⁵³, or a motion
  /// cannot have a speed.
  case invalidPlayback(index: Int, reason: String)
  /// The clip was unloaded, or belongs to another batch.
  case unknownClip(ClipID)
  /// Tracks play the clip, or a clip that was made anew from it.
  case clipInUse(ClipID)
  /// The sequence of phases was unloaded, or belongs to another batch.
  case unknownSequence(PhaseSequenceID)
  /// Tracks play the sequence of phases.
  case sequenceInUse(PhaseSequenceID)
  /// The clip cannot be made anew from the current value of the track.
  case cannotRestart(TrackHandle, ClipError)
  /// A batch that ever had tracks, clips or sequences cannot begin to record.
  case recordsFromStart

  /// Throws ``wrongCount(of:expected:got:)`` unless an argument has the right number of elements.
  package static func check(_ got: Int, of what: String, expected: Int) throws(BatchError) {
    guard got == expected else { throw .wrongCount(of: what, expected: expected, got: got) }
  }

  /// The reason in words, with the offending value.
  public var description: String {
    switch self {
    case .invalidDimensions(let count):
      "a batch has 1 to \(BatchLimits.maximumDimensions) dimensions, not \(count)"
    case .unsupportedKernels(let error): "\(error)"
    case .unsupportedValue(let type): "the components of \(type) must lie side by side in memory, in their order"
    case .invalidSpring(let index, let reason): "spring \(index): \(reason)"
    case .invalidAnimation(let index, let reason): "animation \(index): \(reason)"
    case .invalidValue(let what, let index, let value):
      "\(what) \(index) must be finite and within ±1e15, is \(value)"
    case .invalidRotation(let what, let index):
      "the quaternion of \(what) \(index) has no direction: its squared length must be in 1e-30…1e30"
    case .invalidDeceleration(let rate):
      "the rate of a deceleration must be in (0, 1) and its decay constant in 1e-5…1e6 per second, the rate is \(rate)"
    case .invalidSlide(let component, let reason): "component \(component) of \(reason)"
    case .snapshotMismatch: "the snapshot is not one of this batch"
    case .invalidSnapshot(let reason): "the snapshot cannot be used: \(reason)"
    case .isRecorded: "the batch cannot go back to a snapshot while its calls are recorded"
    case .propertyOutOfRange(let property): "the particles have no property \(property)"
    case .trackOutOfRange(let index, let count): "the index of a track must be within 0..<\(count), is \(index)"
    case .invalidTolerance(let tolerance):
      "a tolerance of rest must be in 1e-30…1e15, for velocities in 1e-30…1e30, and one of curves in 2⁻⁴⁰…2⁻², "
        + "is \(tolerance)"
    case .invalidTime(let time): "a time must be finite and within ±1e10 s, is \(time)"
    case .invalidDelay(let index, let seconds):
      "delay \(index) must be 0 s or more and end by 1e10 s, is \(seconds) s"
    case .timeBeforeStart(let time, let start): "the time must be at least \(start) s, the latest start, is \(time) s"
    case .velocitiesNotComputed: "the velocities were not computed: the last advance must be asked for them"
    case .invalidFrameRate(let rate): "a number of frames per second must be positive and finite, is \(rate)"
    case .changeWaiting(let handle, let time):
      "track \(handle.index) sets out for another target at \(time) s, within the frames to bake"
    case .wrongCount(let what, _, let got) where got < 0: "\(what): their number must be 0 or more, is \(got)"
    case .wrongCount(let what, .max, let got):
      "\(what): \(got) elements were given, and more are needed than memory can hold"
    case .wrongCount(let what, let expected, let got):
      "\(what): \(expected) elements are needed, \(got) were given"
    case .unequalColumns(let count, let dimensions):
      "planar columns: a multiple of \(dimensions) floats is needed for \(dimensions) dimensions, \(count) were given"
    case .invalidStride(let stride):
      "a stride must be 1 or more, and at least the bytes of a vertex, an offset 0 or more, and both below 2³¹; one is \(stride)"
    case .velocitiesOfColors: "a layout that converts colours is for values and targets, not for velocities"
    case .springsAndAnimations: "give springs or animations for the tracks of a call, not both"
    case .wrongDimensions(let what, let expected, let got):
      "the \(what) must have \(expected) dimensions as the batch has, it has \(got)"
    case .dimensionOutOfRange(let dimension, let count):
      "the dimension must be within 0..<\(count), is \(dimension)"
    case .staleHandle(let handle): "track \(handle.index) of generation \(handle.generation) is no longer there"
    case .storeMismatch(let handle): "track \(handle.index) belongs to another batch"
    case .capacityExceeded(let count):
      "the number of tracks must be in 0…\(BatchLimits.maximumTracks) and fit in memory, is \(count)"
    case .invalidPlayback(let index, let reason): "playback \(index): \(reason)"
    case .unknownClip(let clip): "clip \(clip.index) is not loaded in this batch"
    case .clipInUse(let clip): "clip \(clip.index) is in use"
    case .unknownSequence(let sequence): "sequence \(sequence.index) is not loaded in this batch"
    case .sequenceInUse(let sequence): "sequence \(sequence.index) is in use"
    case .recordsFromStart: "a recording begins before the first track, clip or sequence"
    case .cannotRestart(let handle, let error): "track \(handle.index) cannot start from where it is: \(error)"
    }
  }
}
