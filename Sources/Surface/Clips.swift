// SPDX-License-Identifier: MIT
// The names are those of the header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase
import AnimationModel
public import CSurface
import Murmuration

// Clips: keyframes, and playing them.

extension murmuration_clip {
  fileprivate var id: ClipID { ClipID(index: index, generation: generation, store: store) }
}

extension murmuration_keyframe {
  /// Whether its duration counts.
  fileprivate var hasDuration: Bool {
    switch Int(kind) {
    case MURMURATION_LINEAR_KEYFRAME, MURMURATION_CUBIC_KEYFRAME: true
    case MURMURATION_SPRING_KEYFRAME: Int(flags) & MURMURATION_HAS_DURATION != 0
    default: false
    }
  }
}

extension Keyframe<Double> {
  /// The keyframe of a struct.
  fileprivate init(_ keyframe: murmuration_keyframe) throws(Defect) {
    func given(_ flag: Int, _ number: Double) -> Double? { Int(keyframe.flags) & flag != 0 ? number : nil }
    let startVelocity = given(MURMURATION_HAS_START_VELOCITY, keyframe.start_velocity)
    guard 0...7 ~= keyframe.flags else { throw .unlisted("flags", keyframe.flags) }
    // The model takes NaN for a duration of zero, as SwiftUI does.
    guard !keyframe.duration.isNaN || !keyframe.hasDuration else {
      throw Defect(code: MURMURATION_INVALID_CLIP, reason: "the duration must be a number, is NaN")
    }
    switch Int(keyframe.kind) {
    case MURMURATION_MOVE: self = .move(to: keyframe.to)
    case MURMURATION_LINEAR_KEYFRAME:
      self = .linear(to: keyframe.to, duration: keyframe.duration, timingCurve: try UnitCurve(keyframe.curve))
    case MURMURATION_CUBIC_KEYFRAME:
      self = .cubic(
        to: keyframe.to, duration: keyframe.duration, startVelocity: startVelocity,
        endVelocity: given(MURMURATION_HAS_END_VELOCITY, keyframe.end_velocity))
    case MURMURATION_SPRING_KEYFRAME:
      self = .spring(
        to: keyframe.to, duration: keyframe.hasDuration ? keyframe.duration : nil,
        spring: try Spring(accepted: keyframe.spring), startVelocity: startVelocity)
    default: throw .unlisted("kind", keyframe.kind)
    }
  }
}

/// The memory of a keyframe while its clip is made: two copies of it, and its pieces.
private typealias KeyframeMemory = (
  Keyframe<Double>, Keyframe<Double>, InlineArray<16, (Double, Double, Double, Double, Double)>
)

@c @implementation
public func murmuration_load_clip(
  _ batch: murmuration_batch, _ initialValues: UnsafePointer<Double>?,
  _ keyframes: UnsafePointer<murmuration_keyframe>?,
  _ keyframeCounts: UnsafePointer<Int32>?, _ dimensions: Int32, _ tolerance: Double,
  _ clip: UnsafeMutablePointer<murmuration_clip>?, _ duration: UnsafeMutablePointer<Double>?
) -> Int32 {
  guard 1...Int32(BatchLimits.maximumDimensions) ~= dimensions else {
    return fail(BatchError.invalidDimensions(Int(dimensions)))
  }
  guard let initialValues else { return failNull("initial_values") }
  guard let keyframeCounts else { return failNull("keyframe_counts") }
  guard let clip else { return failNull("clip") }
  var total = 0
  for component in 0..<Int(dimensions) {
    let count = keyframeCounts[component]
    guard count >= 0 else { return failCount("keyframe_counts[\(component)]", count) }
    total += Int(count)
  }
  if keyframes == nil, total > 0 { return failNull("keyframes") }
  if let fault = roomFault("keyframes", total, of: KeyframeMemory.self) { return fault }
  var lists: [[Keyframe<Double>]] = []
  var rest = UnsafeBufferPointer(start: keyframes, count: total)[...]
  for component in 0..<Int(dimensions) {
    var list: [Keyframe<Double>] = []
    list.reserveCapacity(Int(keyframeCounts[component]))
    for index in rest.indices.prefix(Int(keyframeCounts[component])) {
      do throws(Defect) { list.append(try Keyframe(rest[index])) } catch {
        return fail(error.code, "keyframe \(index): \(error.reason)")
      }
    }
    rest = rest.dropFirst(list.count)
    lists.append(list)
  }
  let made: Clip
  do throws(ClipError) {
    made = try Clip(
      initialValues: Array(UnsafeBufferPointer(start: initialValues, count: Int(dimensions))), keyframes: lists,
      tolerance: tolerance == 0 ? 0x1p-16 : tolerance)
  } catch {
    return fail(error)
  }
  return withEngine(batch) { engine throws(BatchError) in
    let id = try engine.load(made)
    clip.pointee = murmuration_clip(index: id.index, generation: id.generation, store: id.store)
    duration?.pointee = made.duration
  }
}

@c @implementation
public func murmuration_unload_clip(_ batch: murmuration_batch, _ clip: UnsafePointer<murmuration_clip>?) -> Int32 {
  guard let clip else { return failNull("clip") }
  return withEngine(batch) { engine throws(BatchError) in try engine.unload(clip.pointee.id) }
}

// MARK: - Playing

@c @implementation
public func murmuration_playback_default(_ playback: UnsafeMutablePointer<murmuration_playback>?) -> Int32 {
  guard let playback else { return failNull("playback") }
  playback.pointee = murmuration_playback(
    start: 0, delay: 0, speed: 1, iterations: 1, time_offset: 0, flags: 0, reserved: 0)
  return ok
}

extension Playback {
  /// The playback of a struct.
  fileprivate init(_ playback: murmuration_playback, index: Int) throws(BatchError) {
    func has(_ flag: Int) -> Bool { Int(playback.flags) & flag != 0 }
    guard playback.reserved == 0 else {
      throw .invalidPlayback(index: index, reason: "reserved must be 0, is \(playback.reserved)")
    }
    guard 0...15 ~= playback.flags else {
      throw .invalidPlayback(index: index, reason: "flags \(playback.flags) are none that the header lists")
    }
    let repetition: Repetition
    if playback.iterations == .infinity {
      repetition = .forever
    } else if let count = Int(exactly: playback.iterations) {
      repetition = .count(count)
    } else {
      throw .invalidPlayback(
        index: index, reason: "the number of iterations must be whole or infinite, is \(playback.iterations)")
    }
    self.init(
      start: has(MURMURATION_STARTS_AT) ? playback.start : nil, delay: playback.delay, speed: playback.speed,
      repetition: repetition, autoreverses: has(MURMURATION_AUTOREVERSES), timeOffset: playback.time_offset,
      holdsBefore: !has(MURMURATION_TARGET_BEFORE), holdsAfter: !has(MURMURATION_TARGET_AFTER))
  }
}

@c @implementation
public func murmuration_play_clip(
  _ batch: murmuration_batch, _ clip: UnsafePointer<murmuration_clip>?, _ tracks: UnsafePointer<murmuration_track>?,
  _ first: Int32, _ count: Int32, _ playbacks: UnsafePointer<murmuration_playback>?, _ playbackCount: Int32,
  _ start: Int32, _ completion: Int32, _ change: UnsafeMutablePointer<UInt32>?
) -> Int32 {
  guard let clip else { return failNull("clip") }
  guard playbackCount >= 0 else { return failCount("playback_count", playbackCount) }
  if playbacks == nil, playbackCount != 0 { return failNull("playbacks") }
  let starts: ClipStart
  switch Int(start) {
  case MURMURATION_FIRST_VALUE: starts = .firstValue
  case MURMURATION_SHOWN_VALUE: starts = .shownValue
  case MURMURATION_AUTOMATIC: starts = .automatic
  default: return failCode("start", start)
  }
  if let fault = completionFault(completion) { return fault }
  return withEngine(batch) { engine throws(BatchError) in
    let tracks = try engine.selection(tracks, first, count)
    if playbackCount > 1 {
      try BatchError.check(Int(playbackCount), of: "playbacks", expected: engine.count(of: tracks))
      try BatchLimits.checkRoom(for: Int(playbackCount), of: Playback.self)
    }
    var list: [Playback] = []
    if let playbacks {
      list.reserveCapacity(Int(playbackCount))
      for index in 0..<Int(playbackCount) { list.append(try Playback(playbacks[index], index: index)) }
    }
    if playbackCount == 0 { list.append(Playback()) }
    let clips = [clip.pointee.id]
    change.take(
      try engine.change(tracks, completion) { engine throws(BatchError) in
        try engine.play(clips.span, on: tracks, list.span, start: starts)
      })
  }
}

@c @implementation
public func murmuration_set_speed(
  _ batch: murmuration_batch, _ tracks: UnsafePointer<murmuration_track>?, _ first: Int32, _ count: Int32,
  _ speeds: UnsafePointer<Double>?, _ speedCount: Int32
) -> Int32 {
  guard speedCount >= 0 else { return failCount("speed_count", speedCount) }
  if speeds == nil, speedCount != 0 { return failNull("speeds") }
  return withEngine(batch) { engine throws(BatchError) in
    try engine.setSpeed(span(speeds, Int(speedCount)).span, of: try engine.selection(tracks, first, count))
  }
}

@c @implementation
public func murmuration_seek(
  _ batch: murmuration_batch, _ tracks: UnsafePointer<murmuration_track>?, _ first: Int32, _ count: Int32,
  _ times: UnsafePointer<Double>?, _ timeCount: Int32
) -> Int32 {
  guard timeCount >= 0 else { return failCount("time_count", timeCount) }
  if times == nil, timeCount != 0 { return failNull("times") }
  return withEngine(batch) { engine throws(BatchError) in
    try engine.seek(try engine.selection(tracks, first, count), to: span(times, Int(timeCount)).span)
  }
}

@c @implementation
public func murmuration_vary(
  _ batch: murmuration_batch, _ tracks: UnsafePointer<murmuration_track>?, _ first: Int32, _ count: Int32,
  _ scales: UnsafePointer<Float>?, _ scaleTrackStride: Int32, _ scaleComponentStride: Int32,
  _ offsets: UnsafePointer<Float>?, _ offsetTrackStride: Int32, _ offsetComponentStride: Int32
) -> Int32 {
  if let fault = inputFault("scales", scales, count, scaleTrackStride, scaleComponentStride) { return fault }
  if let fault = inputFault("offsets", offsets, count, offsetTrackStride, offsetComponentStride) { return fault }
  return withEngine(batch) { engine throws(BatchError) in
    let tracks = try engine.selection(tracks, first, count)
    try engine.vary(
      tracks, scales: try engine.values(scales.orNothing, of: tracks, scaleTrackStride, scaleComponentStride),
      offsets: try engine.values(offsets.orNothing, of: tracks, offsetTrackStride, offsetComponentStride))
  }
}
