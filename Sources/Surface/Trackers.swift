// SPDX-License-Identifier: MIT
// The names are those of the header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase
public import CSurface
import Murmuration

/// A set of velocity trackers as the table of objects holds it.
///
/// The trackers take columns. Numbers with other strides go through ``columns``.
final class TrackersObject {
  private var trackers: VelocityTrackers
  private var columns: [Float] = []

  init(count: Int, dimensions: Int) throws(BatchError) {
    trackers = try VelocityTrackers(count: count, dimensions: dimensions)
  }

  /// Whether numbers with some strides are columns one after the other.
  private func areColumns(_ trackStride: Int, _ componentStride: Int) -> Bool {
    trackStride == 1 && (componentStride == trackers.count || trackers.dimensions == 1)
  }

  /// Calls `body` with the offset of each number in columns and in memory with some strides.
  private func forEachNumber(_ trackStride: Int, _ componentStride: Int, _ body: (_ column: Int, _ other: Int) -> Void)
  {
    for dimension in 0..<trackers.dimensions {
      for track in 0..<trackers.count {
        body(dimension * trackers.count + track, track * trackStride + dimension * componentStride)
      }
    }
  }

  func record(
    _ values: UnsafePointer<Float>, _ trackStride: Int32, _ componentStride: Int32, at seconds: Double
  ) throws(BatchError) {
    try checkReach("values", trackers.count, trackers.dimensions, trackStride, componentStride)
    let count = trackers.count * trackers.dimensions
    let (trackStride, componentStride) = (Int(trackStride), Int(componentStride))
    if areColumns(trackStride, componentStride) {
      return try trackers.record(UnsafeBufferPointer(start: values, count: count).span, at: seconds)
    }
    try makeColumns(count)
    var copy: [Float] = []
    swap(&copy, &columns)
    defer { swap(&copy, &columns) }
    forEachNumber(trackStride, componentStride) { copy[$0] = values[$1] }
    try trackers.record(copy.span, at: seconds)
  }

  func velocities(
    at seconds: Double, into output: UnsafeMutablePointer<Float>, _ trackStride: Int32, _ componentStride: Int32
  ) throws(BatchError) {
    try checkReach("output", trackers.count, trackers.dimensions, trackStride, componentStride)
    let count = trackers.count * trackers.dimensions
    let (trackStride, componentStride) = (Int(trackStride), Int(componentStride))
    if areColumns(trackStride, componentStride) {
      var span = UnsafeMutableBufferPointer(start: output, count: count).mutableSpan
      return try trackers.velocities(at: seconds, into: &span)
    }
    try makeColumns(count)
    var span = columns.mutableSpan
    try trackers.velocities(at: seconds, into: &span)
    forEachNumber(trackStride, componentStride) { output[$1] = columns[$0] }
  }

  func reset(_ first: Int32, _ count: Int32) throws(BatchError) {
    if first == 0, count == MURMURATION_ALL { return trackers.reset() }
    let rest = trackers.count - Int(first)
    let count = count == MURMURATION_ALL ? rest : Int(count)
    guard first >= 0, rest >= 0, count <= rest else {
      throw .trackOutOfRange(first < 0 ? Int(first) : max(Int(first), trackers.count), count: trackers.count)
    }
    for index in Int(first)..<Int(first) + count { try trackers.reset(index) }
  }

  private func makeColumns(_ count: Int) throws(BatchError) {
    guard columns.count != count else { return }
    try BatchLimits.checkRoom(for: count, of: Float.self)
    columns = [Float](repeating: 0, count: count)
  }
}

private let kind = ObjectKind<TrackersObject>(OBJECT_TRACKERS, "set of trackers")

/// Runs a call about trackers.
private func withTrackers(
  _ trackers: murmuration_trackers, _ body: (TrackersObject) throws(BatchError) -> Void
) -> Int32 {
  kind.with(trackers) { trackers in status { () throws(BatchError) in try body(trackers) } }
}

// MARK: - Calls

@c @implementation
public func murmuration_trackers_create(
  _ count: Int32, _ dimensions: Int32, _ trackers: UnsafeMutablePointer<murmuration_trackers>?
) -> Int32 {
  guard let trackers else { return failNull("trackers") }
  do throws(BatchError) {
    return kind.register(try TrackersObject(count: Int(count), dimensions: Int(dimensions)), trackers)
  } catch {
    return fail(error)
  }
}

@c @implementation
public func murmuration_trackers_free(_ trackers: murmuration_trackers) -> Int32 { kind.free(trackers) }

@c @implementation
public func murmuration_trackers_record(
  _ trackers: murmuration_trackers, _ values: UnsafePointer<Float>?, _ trackStride: Int32, _ componentStride: Int32,
  _ seconds: Double
) -> Int32 {
  if let fault = inputFault("values", values, 1, trackStride, componentStride) { return fault }
  return withTrackers(trackers) { trackers throws(BatchError) in
    try trackers.record(values.orNothing, trackStride, componentStride, at: seconds)
  }
}

@c @implementation
public func murmuration_trackers_velocities(
  _ trackers: murmuration_trackers, _ seconds: Double, _ output: UnsafeMutablePointer<Float>?, _ trackStride: Int32,
  _ componentStride: Int32
) -> Int32 {
  if let fault = outputFault("output", output, 1, trackStride, componentStride) { return fault }
  return withTrackers(trackers) { trackers throws(BatchError) in
    try trackers.velocities(at: seconds, into: output.orNothing, trackStride, componentStride)
  }
}

@c @implementation
public func murmuration_trackers_reset(_ trackers: murmuration_trackers, _ first: Int32, _ count: Int32) -> Int32 {
  guard count >= 0 || count == MURMURATION_ALL else { return failCount("count", count) }
  return withTrackers(trackers) { trackers throws(BatchError) in try trackers.reset(first, count) }
}
