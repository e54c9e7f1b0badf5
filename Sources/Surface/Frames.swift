// SPDX-License-Identifier: MIT
// The names are those of the header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase
public import CSurface
package import Murmuration

// Time, events and reading.

@c @implementation
public func murmuration_advance(_ batch: murmuration_batch, _ seconds: Double, _ flags: Int32) -> Int32 {
  guard flags & ~MURMURATION_WITH_VELOCITIES == 0 else { return failCode("flags", flags) }
  return withEngine(batch, changesTracks: true) { engine throws(BatchError) in
    try engine.advance(to: seconds, velocities: flags != 0)
  }
}

@c @implementation
public func murmuration_advance_by(_ batch: murmuration_batch, _ seconds: Double, _ flags: Int32) -> Int32 {
  guard flags & ~MURMURATION_WITH_VELOCITIES == 0 else { return failCode("flags", flags) }
  return withEngine(batch, changesTracks: true) { engine throws(BatchError) in
    try engine.advance(by: seconds, velocities: flags != 0)
  }
}

// MARK: - Events

@c @implementation
public func murmuration_events(
  _ batch: murmuration_batch, _ events: UnsafeMutablePointer<UnsafePointer<murmuration_event>?>?,
  _ count: UnsafeMutablePointer<Int32>?
) -> Int32 {
  guard let events else { return failNull("events") }
  guard let count else { return failNull("count") }
  return withBatch(batch) { object throws(BatchError) in
    try object.pointee.events.lend(object.pointee.engine.pointee.frameEvents, events, count, murmuration_event.init)
  }
}

extension murmuration_event {
  package init(_ event: AnimationEvent) {
    let kind =
      switch event.kind {
      case .logicallyComplete: MURMURATION_LOGICALLY_COMPLETED
      case .settled: MURMURATION_SETTLED
      case .iteration: MURMURATION_ITERATION_BEGAN
      case .phase: MURMURATION_PHASE_BEGAN
      case .invalidGoal: MURMURATION_INVALID_GOAL
      }
    self.init(
      time: event.moment, number: Int64(event.number), track: murmuration_track(event.track),
      change: event.change.rawValue,
      kind: Int32(kind), reserved: 0)
  }
}

@c @implementation
public func murmuration_set_reports(_ batch: murmuration_batch, _ reports: Int32) -> Int32 {
  guard 0...7 ~= reports else { return failCode("reports", reports) }
  return withEngine(batch) { engine in engine.reports = AnimationReports(rawValue: UInt8(reports)) }
}

// MARK: - Reading

extension Engine.Numbers {
  /// The numbers of a code; nil for an unknown one.
  init?(_ what: Int32) {
    switch Int(what) {
    case MURMURATION_VALUES: self = .values
    case MURMURATION_VELOCITIES: self = .velocities
    case MURMURATION_TARGETS: self = .targets
    default: return nil
    }
  }
}

@c @implementation
public func murmuration_read(
  _ batch: murmuration_batch, _ what: Int32, _ tracks: UnsafePointer<murmuration_track>?, _ first: Int32,
  _ count: Int32, _ output: UnsafeMutablePointer<Float>?, _ trackStride: Int32, _ componentStride: Int32
) -> Int32 {
  guard let numbers = Engine.Numbers(what) else { return failCode("what", what) }
  if let fault = outputFault("output", output, count, trackStride, componentStride) { return fault }
  return withEngine(batch) { engine throws(BatchError) in
    let tracks = try engine.selection(tracks, first, count)
    try checkReach("output", engine.count(of: tracks), engine.dimensions, trackStride, componentStride)
    try engine.copy(
      numbers, of: tracks, to: output.orNothing, trackStride: Int(trackStride), componentStride: Int(componentStride))
  }
}

@c @implementation
public func murmuration_column(
  _ batch: murmuration_batch, _ what: Int32, _ component: Int32,
  _ column: UnsafeMutablePointer<UnsafePointer<Float>?>?, _ count: UnsafeMutablePointer<Int32>?
) -> Int32 {
  guard let numbers = Engine.Numbers(what) else { return failCode("what", what) }
  guard let column else { return failNull("column") }
  guard let count else { return failNull("count") }
  return withEngine(batch) { engine throws(BatchError) in
    let lent = try engine.column(of: numbers, Int(component))
    column.pointee = lent.isEmpty ? nil : lent.baseAddress
    count.pointee = Int32(lent.count)
  }
}
