// SPDX-License-Identifier: MIT
// The names are those of the header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase
import AnimationModel
public import CSurface
import Murmuration

// Sending tracks to goals, by animations and by hand.

@c @implementation
public func murmuration_animate(
  _ batch: murmuration_batch, _ tracks: UnsafePointer<murmuration_track>?, _ first: Int32, _ count: Int32,
  _ goals: UnsafePointer<Float>?, _ trackStride: Int32, _ componentStride: Int32,
  _ animation: UnsafePointer<murmuration_animation>?, _ delays: UnsafePointer<Double>?, _ completion: Int32,
  _ change: UnsafeMutablePointer<UInt32>?
) -> Int32 {
  if let fault = inputFault("goals", goals, count, trackStride, componentStride) ?? completionFault(completion) {
    return fault
  }
  return withEngine(batch) { engine throws(BatchError) in
    let tracks = try engine.selection(tracks, first, count)
    let goals = try engine.values(goals.orNothing, of: tracks, trackStride, componentStride)
    let animation = try animation?.animation()
    change.take(
      try engine.change(tracks, completion) { engine throws(BatchError) in
        try engine.animate(tracks, to: goals, animation, delays: span(delays, goals.count).span)
      })
  }
}

@c @implementation
public func murmuration_animate_each(
  _ batch: murmuration_batch, _ tracks: UnsafePointer<murmuration_track>?, _ first: Int32, _ count: Int32,
  _ goals: UnsafePointer<Float>?, _ trackStride: Int32, _ componentStride: Int32,
  _ animations: UnsafePointer<murmuration_animation>?, _ delays: UnsafePointer<Double>?, _ completion: Int32,
  _ change: UnsafeMutablePointer<UInt32>?
) -> Int32 {
  if let fault = inputFault("goals", goals, count, trackStride, componentStride) ?? completionFault(completion) {
    return fault
  }
  if animations == nil, count != 0 { return failNull("animations") }
  return withEngine(batch) { engine throws(BatchError) in
    let tracks = try engine.selection(tracks, first, count)
    let goals = try engine.values(goals.orNothing, of: tracks, trackStride, componentStride)
    // A single track needs no list.
    if case .handles(let handles) = tracks, handles.count == 1, delays == nil, let animations {
      let animation = try animations.animation()
      return change.take(
        try engine.change(tracks, completion) { engine throws(BatchError) in
          try engine.animate(handles[0], to: goals, animation)
        })
    }
    var each: [Animation?] = []
    if let animations {
      try BatchLimits.checkRoom(for: goals.count, of: Animation?.self)
      each.reserveCapacity(goals.count)
      for index in 0..<goals.count { each.append(try (animations + index).animation(index: index)) }
    }
    change.take(
      try engine.change(tracks, completion) { engine throws(BatchError) in
        try engine.animate(tracks, to: goals, each: each, delays: span(delays, goals.count).span)
      })
  }
}

@c @implementation
public func murmuration_retarget(
  _ batch: murmuration_batch, _ tracks: UnsafePointer<murmuration_track>?, _ first: Int32, _ count: Int32,
  _ goals: UnsafePointer<Float>?, _ trackStride: Int32, _ componentStride: Int32, _ delays: UnsafePointer<Double>?,
  _ completion: Int32, _ change: UnsafeMutablePointer<UInt32>?
) -> Int32 {
  if let fault = inputFault("goals", goals, count, trackStride, componentStride) ?? completionFault(completion) {
    return fault
  }
  return withEngine(batch) { engine throws(BatchError) in
    let tracks = try engine.selection(tracks, first, count)
    let goals = try engine.values(goals.orNothing, of: tracks, trackStride, componentStride)
    change.take(
      try engine.change(tracks, completion) { engine throws(BatchError) in
        try engine.retarget(tracks, to: goals, delays: span(delays, goals.count).span)
      })
  }
}

@c @implementation
public func murmuration_cancel_delays(
  _ batch: murmuration_batch, _ tracks: UnsafePointer<murmuration_track>?, _ first: Int32, _ count: Int32
) -> Int32 {
  withEngine(batch) { engine throws(BatchError) in try engine.cancelDelays(try engine.selection(tracks, first, count)) }
}

// MARK: - By hand

@c @implementation
public func murmuration_set(
  _ batch: murmuration_batch, _ tracks: UnsafePointer<murmuration_track>?, _ first: Int32, _ count: Int32,
  _ values: UnsafePointer<Float>?, _ trackStride: Int32, _ componentStride: Int32,
  _ velocities: UnsafePointer<Float>?, _ velocityTrackStride: Int32, _ velocityComponentStride: Int32,
  _ change: UnsafeMutablePointer<UInt32>?
) -> Int32 {
  put(
    batch, tracks, first, count, values, trackStride, componentStride, velocities, velocityTrackStride,
    velocityComponentStride, change, goesOn: false)
}

@c @implementation
public func murmuration_displace(
  _ batch: murmuration_batch, _ tracks: UnsafePointer<murmuration_track>?, _ first: Int32, _ count: Int32,
  _ values: UnsafePointer<Float>?, _ trackStride: Int32, _ componentStride: Int32,
  _ velocities: UnsafePointer<Float>?, _ velocityTrackStride: Int32, _ velocityComponentStride: Int32,
  _ change: UnsafeMutablePointer<UInt32>?
) -> Int32 {
  put(
    batch, tracks, first, count, values, trackStride, componentStride, velocities, velocityTrackStride,
    velocityComponentStride, change, goesOn: true)
}

@inline(__always)
private func put(
  _ batch: murmuration_batch, _ tracks: UnsafePointer<murmuration_track>?, _ first: Int32, _ count: Int32,
  _ values: UnsafePointer<Float>?, _ trackStride: Int32, _ componentStride: Int32,
  _ velocities: UnsafePointer<Float>?, _ velocityTrackStride: Int32, _ velocityComponentStride: Int32,
  _ change: UnsafeMutablePointer<UInt32>?, goesOn: Bool
) -> Int32 {
  if let fault = inputFault("values", values, count, trackStride, componentStride) { return fault }
  if velocities != nil,
    let fault = inputFault("velocities", velocities, count, velocityTrackStride, velocityComponentStride)
  {
    return fault
  }
  return withEngine(batch) { engine throws(BatchError) in
    let tracks = try engine.selection(tracks, first, count)
    let values = try engine.values(values.orNothing, of: tracks, trackStride, componentStride)
    var speeds: InputValues?
    if let velocities {
      speeds = try engine.values(velocities, of: tracks, velocityTrackStride, velocityComponentStride)
    }
    change.take(try engine.put(tracks, values, speeds, goesOn: goesOn))
  }
}

@c @implementation
public func murmuration_push(
  _ batch: murmuration_batch, _ tracks: UnsafePointer<murmuration_track>?, _ first: Int32, _ count: Int32,
  _ velocities: UnsafePointer<Float>?, _ trackStride: Int32, _ componentStride: Int32,
  _ change: UnsafeMutablePointer<UInt32>?
) -> Int32 {
  if let fault = inputFault("velocities", velocities, count, trackStride, componentStride) { return fault }
  return withEngine(batch) { engine throws(BatchError) in
    let tracks = try engine.selection(tracks, first, count)
    let speeds = try engine.values(velocities.orNothing, of: tracks, trackStride, componentStride)
    change.take(try engine.push(tracks, by: speeds))
  }
}

@c @implementation
public func murmuration_decelerate(
  _ batch: murmuration_batch, _ tracks: UnsafePointer<murmuration_track>?, _ first: Int32, _ count: Int32,
  _ velocities: UnsafePointer<Float>?, _ trackStride: Int32, _ componentStride: Int32, _ rate: Double,
  _ bounds: UnsafePointer<Float>?, _ snapPoints: UnsafePointer<Float>?, _ snapCount: Int32,
  _ spring: UnsafePointer<murmuration_spring>?, _ completion: Int32, _ change: UnsafeMutablePointer<UInt32>?
) -> Int32 {
  if velocities != nil, let fault = inputFault("velocities", velocities, count, trackStride, componentStride) {
    return fault
  }
  if let fault = completionFault(completion) { return fault }
  return withEngine(batch) { engine throws(BatchError) in
    let tracks = try engine.selection(tracks, first, count)
    var own: InputValues?
    if let velocities { own = try engine.values(velocities, of: tracks, trackStride, componentStride) }
    let limits = try engine.slideBounds(bounds, snapPoints, snapCount, spring)
    change.take(
      try engine.change(tracks, completion) { engine throws(BatchError) in
        try engine.decelerate(tracks, own, by: Deceleration(rate: rate), within: limits)
      })
  }
}

extension Engine {
  /// The bounds and the points of a call; nil without either.
  fileprivate func slideBounds(
    _ bounds: UnsafePointer<Float>?, _ points: UnsafePointer<Float>?, _ count: Int32,
    _ spring: UnsafePointer<murmuration_spring>?
  ) throws(BatchError) -> SlideBounds? {
    guard bounds != nil || points != nil else { return nil }
    guard points == nil || count >= MURMURATION_GRID else {
      throw .wrongCount(of: "snap points", expected: 1, got: Int(count))
    }
    let isGrid = points != nil && count == MURMURATION_GRID
    let numbers = points == nil ? 0 : isGrid ? dimensions : Int(clamping: Int64(count) * Int64(dimensions))
    try BatchLimits.checkRoom(for: numbers, of: Float.self)
    return SlideBounds(
      lower: bounds.numbers(from: 0, dimensions), upper: bounds.numbers(from: dimensions, dimensions),
      spring: try list(spring, spring == nil ? 0 : 1).first ?? Spring(),
      points: points == nil ? nil : points.numbers(from: isGrid ? dimensions : 0, numbers),
      spacing: isGrid ? points.numbers(from: 0, dimensions) : nil)
  }
}

extension UnsafePointer<Float>? {
  /// Some numbers; none behind a null pointer.
  @inline(never)
  fileprivate func numbers(from first: Int, _ count: Int) -> [Float] {
    guard let self else { return [] }
    return Array(UnsafeBufferPointer(start: self + first, count: count))
  }
}

// MARK: - Standing still

@c @implementation
public func murmuration_pause(
  _ batch: murmuration_batch, _ tracks: UnsafePointer<murmuration_track>?, _ first: Int32, _ count: Int32
) -> Int32 {
  withEngine(batch) { engine throws(BatchError) in try engine.pause(try engine.selection(tracks, first, count)) }
}

@c @implementation
public func murmuration_resume(
  _ batch: murmuration_batch, _ tracks: UnsafePointer<murmuration_track>?, _ first: Int32, _ count: Int32
) -> Int32 {
  withEngine(batch) { engine throws(BatchError) in try engine.resume(try engine.selection(tracks, first, count)) }
}

@c @implementation
public func murmuration_stop(
  _ batch: murmuration_batch, _ tracks: UnsafePointer<murmuration_track>?, _ first: Int32, _ count: Int32
) -> Int32 {
  withEngine(batch) { engine throws(BatchError) in try engine.stop(try engine.selection(tracks, first, count)) }
}
