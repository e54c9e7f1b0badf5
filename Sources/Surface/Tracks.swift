// SPDX-License-Identifier: MIT
// The names are those of the header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase
import AnimationModel
public import CSurface
import Murmuration

// Tracks: adding, removing, and what is known of them.

extension murmuration_track {
  init(_ track: TrackHandle?) {
    self.init(index: track?.index32 ?? 0, generation: track?.generation ?? 0, store: track?.store ?? 0)
  }
}

@c @implementation
public func murmuration_add(
  _ batch: murmuration_batch, _ values: UnsafePointer<Float>?, _ trackStride: Int32, _ componentStride: Int32,
  _ tracks: UnsafeMutablePointer<murmuration_track>?, _ count: Int32
) -> Int32 {
  guard count >= 0 else { return failCount("count", count) }
  if let fault = inputFault("values", values, count, trackStride, componentStride) { return fault }
  return withEngine(batch, changesTracks: true) { engine throws(BatchError) in
    let handles = UnsafeMutableRawPointer(tracks)?.assumingMemoryBound(to: TrackHandle.self)
    let values = try engine.values(values.orNothing, count: Int(count), trackStride, componentStride)
    try engine.add(values, handles: handles)
  }
}

@c @implementation
public func murmuration_remove(
  _ batch: murmuration_batch, _ tracks: UnsafePointer<murmuration_track>?, _ first: Int32, _ count: Int32
) -> Int32 {
  withEngine(batch, changesTracks: true) { engine throws(BatchError) in
    try engine.remove(try engine.selection(tracks, first, count))
  }
}

@c @implementation
public func murmuration_remove_settled(_ batch: murmuration_batch, _ removed: UnsafeMutablePointer<Int32>?) -> Int32 {
  withEngine(batch, changesTracks: true) { engine in
    let count = engine.removeSettled()
    removed?.pointee = Int32(count)
  }
}

@c @implementation
public func murmuration_remove_all(_ batch: murmuration_batch) -> Int32 {
  withEngine(batch, changesTracks: true) { engine in engine.removeAll() }
}

@c @implementation
public func murmuration_track_at(
  _ batch: murmuration_batch, _ index: Int32, _ track: UnsafeMutablePointer<murmuration_track>?
) -> Int32 {
  guard let track else { return failNull("track") }
  return withEngine(batch) { engine throws(BatchError) in
    guard 0..<engine.indexCount ~= Int(index) else { throw .trackOutOfRange(Int(index), count: engine.indexCount) }
    track.pointee = murmuration_track(engine.handle(at: Int(index)))
  }
}

@c @implementation
public func murmuration_live(
  _ batch: murmuration_batch, _ tracks: UnsafePointer<murmuration_track>?, _ first: Int32, _ count: Int32,
  _ live: UnsafeMutablePointer<murmuration_track>?, _ liveCount: UnsafeMutablePointer<Int32>?
) -> Int32 {
  if live == nil, count != 0 { return failNull("live") }
  guard let liveCount else { return failNull("live_count") }
  return withEngine(batch) { engine throws(BatchError) in
    let tracks = try engine.selection(tracks, first, count)
    try BatchLimits.checkRoom(for: engine.count(of: tracks), of: TrackHandle.self)
    let handles = try engine.liveHandles(of: tracks)
    for index in handles.indices { live?[index] = murmuration_track(handles[index]) }
    liveCount.pointee = Int32(handles.count)
  }
}

@c @implementation
public func murmuration_track_describe(
  _ batch: murmuration_batch, _ track: UnsafePointer<murmuration_track>?,
  _ info: UnsafeMutablePointer<murmuration_track_info>?
) -> Int32 {
  guard let track else { return failNull("track") }
  guard let info else { return failNull("info") }
  return withEngine(batch) { engine throws(BatchError) in
    let state = try engine.state(of: track.handle)
    info.pointee = murmuration_track_info(
      rest_time: state.restTime ?? .nan, clip_time: state.localTime ?? .nan, next_step_time: state.nextStepTime ?? .nan,
      motion: Int32(state.motion.code), phase: Int32(state.phase ?? -1), is_at_rest: state.isAtRest ? 1 : 0,
      is_paused: state.isPaused ? 1 : 0)
  }
}

extension UnsafePointer<murmuration_track> {
  fileprivate var handle: TrackHandle {
    TrackHandle(index: pointee.index, generation: pointee.generation, store: pointee.store)
  }
}

extension TrackMotion {
  fileprivate var code: Int {
    switch self {
    case .still: MURMURATION_MOTION_STILL
    case .spring: MURMURATION_MOTION_SPRING
    case .deceleration: MURMURATION_MOTION_DECELERATION
    case .curve: MURMURATION_MOTION_CURVE
    case .sum: MURMURATION_MOTION_SUM
    case .clip: MURMURATION_MOTION_CLIP
    case .following: MURMURATION_MOTION_FOLLOWING
    }
  }
}
