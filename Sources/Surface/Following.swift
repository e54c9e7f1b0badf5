// SPDX-License-Identifier: MIT
// The names are those of the header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase
import AnimationModel
public import CSurface
import Murmuration

// Tracks that follow goals from frame to frame.

@c @implementation
public func murmuration_follow(
  _ batch: murmuration_batch, _ tracks: UnsafePointer<murmuration_track>?, _ first: Int32, _ count: Int32,
  _ springs: UnsafePointer<murmuration_spring>?, _ springCount: Int32, _ change: UnsafeMutablePointer<UInt32>?
) -> Int32 {
  if let fault = springFault(springs, springCount) { return fault }
  return withEngine(batch) { engine throws(BatchError) in
    let tracks = try engine.selection(tracks, first, count)
    let springs = try list(springs, springCount)
    change.take(try engine.follow(tracks, with: springs.span))
  }
}

@c @implementation
public func murmuration_follow_tracks(
  _ batch: murmuration_batch, _ tracks: UnsafePointer<murmuration_track>?, _ first: Int32, _ count: Int32,
  _ leaders: UnsafePointer<murmuration_track>?, _ leaderCount: Int32, _ offsets: UnsafePointer<Float>?,
  _ trackStride: Int32, _ componentStride: Int32, _ springs: UnsafePointer<murmuration_spring>?, _ springCount: Int32,
  _ change: UnsafeMutablePointer<UInt32>?
) -> Int32 {
  if let fault = springFault(springs, springCount) ?? inputFault("offsets", offsets, 0, trackStride, componentStride) {
    return fault
  }
  if leaders == nil, leaderCount != 0 { return failNull("leaders") }
  return withEngine(batch) { engine throws(BatchError) in
    let tracks = try engine.selection(tracks, first, count)
    guard case .handles(let leaders) = try engine.selection(leaders ?? .nothing, 0, leaderCount) else { return }
    let added = try offsets.map { offsets throws(BatchError) in
      try engine.values(offsets, of: tracks, trackStride, componentStride)
    }
    let springs = try list(springs, springCount)
    change.take(try engine.follow(tracks, valuesOf: leaders.span, offsets: added, with: springs.span))
  }
}

@c @implementation
public func murmuration_set_goals(
  _ batch: murmuration_batch, _ tracks: UnsafePointer<murmuration_track>?, _ first: Int32, _ count: Int32,
  _ goals: UnsafePointer<Float>?, _ trackStride: Int32, _ componentStride: Int32
) -> Int32 {
  if let fault = inputFault("goals", goals, count, trackStride, componentStride) { return fault }
  return withEngine(batch) { engine throws(BatchError) in
    let tracks = try engine.selection(tracks, first, count)
    try engine.setGoals(tracks, try engine.values(goals.orNothing, of: tracks, trackStride, componentStride))
  }
}

@c @implementation
public func murmuration_goals(
  _ batch: murmuration_batch, _ component: Int32, _ goals: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>?,
  _ count: UnsafeMutablePointer<Int32>?
) -> Int32 {
  guard let goals else { return failNull("goals") }
  guard let count else { return failNull("count") }
  return withEngine(batch) { engine throws(BatchError) in
    let lent = try engine.goals(component: Int(component), staysLent: true)
    goals.pointee = lent.isEmpty ? nil : lent.baseAddress
    count.pointee = Int32(lent.count)
  }
}

private func springFault(_ springs: UnsafePointer<murmuration_spring>?, _ count: Int32) -> Int32? {
  springs == nil && count != 0 ? failNull("springs") : nil
}

/// The springs of an array.
func list(
  _ springs: UnsafePointer<murmuration_spring>?, _ count: Int32
) throws(BatchError) -> [Spring] {
  guard count >= 0 else { throw .wrongCount(of: "springs", expected: 0, got: Int(count)) }
  try BatchLimits.checkRoom(for: Int(count), of: Spring.self)
  var list: [Spring] = []
  list.reserveCapacity(Int(count))
  for index in 0..<Int(count) {
    guard let spring = springs?[index] else { break }
    do throws(Defect) { list.append(try Spring(spring)) } catch {
      throw .invalidSpring(index: index, reason: error.reason)
    }
  }
  return list
}

extension UnsafePointer<murmuration_track> {
  /// An address for no tracks.
  fileprivate static var nothing: Self { UnsafePointer(bitPattern: 64).unsafelyUnwrapped }
}
