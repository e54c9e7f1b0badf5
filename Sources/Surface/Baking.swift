// SPDX-License-Identifier: MIT
// The names are those of the header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase
public import CSurface
import Murmuration

// Many frames at once. Modules for the web leave this out.

@c @implementation
public func murmuration_bake(
  _ batch: murmuration_batch, _ request: UnsafePointer<murmuration_bake_request>?, _ times: UnsafePointer<Double>?,
  _ timeCount: Int32, _ values: UnsafeMutablePointer<Float>?, _ velocities: UnsafeMutablePointer<Float>?,
  _ numberCount: Int64
) -> Int32 {
  guard let request = request?.pointee else { return failNull("request") }
  guard timeCount >= 0 else { return failCount("time_count", timeCount) }
  if times == nil, timeCount != 0 { return failNull("times") }
  if values == nil, numberCount != 0 { return failNull("values") }
  guard let capacity = Int(exactly: numberCount), capacity >= 0 else {
    return fail(MURMURATION_INVALID_COUNT, "number_count must be 0 or more and fit in memory, is \(numberCount)")
  }
  guard let order = BakeOrder(code: request.order) else { return failCode("order", request.order) }
  do throws(Defect) { try Defect.checkReserved(request.reserved) } catch { return fail(error) }
  return withEngine(batch) { engine throws(BatchError) in
    let (count, dimensions) = (engine.indexCount, engine.dimensions)
    let indices = try range("indices", request.first_index, request.index_count, of: count) {
      .trackOutOfRange($0, count: count)
    }
    let components = try range("components", request.first_component, request.component_count, of: dimensions) {
      .dimensionOutOfRange($0, count: dimensions)
    }
    let baked: BakeRequest
    if let times {
      let (needed, overflow) = (indices.count * components.count).multipliedReportingOverflow(by: Int(timeCount))
      try BatchError.check(capacity, of: "values", expected: overflow ? .max : needed)
      try BatchLimits.checkRoom(for: Int(timeCount), of: Double.self)
      baked = BakeRequest(
        at: Array(UnsafeBufferPointer(start: times, count: Int(timeCount))), indices: indices, components: components,
        order: order)
    } else {
      guard request.frame_count >= 0 else {
        throw .wrongCount(of: "frames", expected: 0, got: Int(truncatingIfNeeded: request.frame_count))
      }
      guard let first = Int(exactly: request.first_frame),
        let count = Int(exactly: request.frame_count), case let (end, overflow) = first.addingReportingOverflow(count),
        !overflow
      else { throw .wrongCount(of: "frames", expected: .max, got: 0) }
      baked = BakeRequest(
        BakeFrames(first..<end, perSecond: request.frames_per_second, start: request.start), indices: indices,
        components: components, order: order)
    }
    try engine.bake(
      baked, into: UnsafeMutableBufferPointer(start: values.orNothing, count: capacity),
      velocities: velocities.map { UnsafeMutableBufferPointer(start: $0, count: capacity) })
  }
}

/// The range of a first element and a count, which may be ``MURMURATION_ALL``.
///
/// - Parameter error: The error of an element that there is not.
private func range(
  _ name: String, _ first: Int32, _ count: Int32, of all: Int, _ error: (Int) -> BatchError
) throws(BatchError) -> Range<Int> {
  let rest = all - Int(first)
  let count = count == MURMURATION_ALL ? max(0, rest) : Int(count)
  guard count >= 0 else { throw .wrongCount(of: name, expected: 0, got: count) }
  guard first >= 0, count <= rest else { throw error(first < 0 ? Int(first) : max(Int(first), all)) }
  return Int(first)..<Int(first) + count
}

extension BakeOrder {
  fileprivate init?(code: Int32) {
    switch Int(code) {
    case MURMURATION_TIME_MAJOR: self = .timeMajor
    case MURMURATION_INTERLEAVED: self = .interleaved
    case MURMURATION_TRACK_MAJOR: self = .trackMajor
    default: return nil
    }
  }
}
