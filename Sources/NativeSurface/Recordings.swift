// SPDX-License-Identifier: MIT
// The names are those of the header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase
public import CSurface
import Murmuration
import MurmurationReference
import Surface

/// A report as the table of objects holds it.
private final class ReportObject {
  let report: CheckReport
  var text = LentText()

  init(_ report: CheckReport) { self.report = report }

  deinit { text.free() }
}

private let kind = ObjectKind<ReportObject>(OBJECT_REPORT, "report")

// MARK: - Calls

@c @implementation
public func murmuration_record(_ batch: murmuration_batch) -> Int32 {
  withBatch(batch, changesTracks: true) { object throws(BatchError) in
    try object.pointee.engine.pointee.startRecording()
  }
}

@c @implementation
public func murmuration_recording(
  _ batch: murmuration_batch, _ text: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) -> Int32 {
  guard let text else { return failNull("text") }
  var status = ok
  let taken = withBatch(batch) { object in
    guard let recording = object.pointee.engine.pointee.recording else {
      status = failAsNotRecorded(batch)
      return
    }
    do {
      object.pointee.text.lend(try recording.json(), text)
    } catch {
      status = fail(MURMURATION_INVALID_ANIMATION, "\(error)")
    }
  }
  return taken == ok ? status : taken
}

@c @implementation
public func murmuration_stop_recording(_ batch: murmuration_batch) -> Int32 {
  var status = ok
  let taken = withBatch(batch) { object in
    if object.pointee.engine.pointee.stopRecording() == nil { status = failAsNotRecorded(batch) }
  }
  return taken == ok ? status : taken
}

private func failAsNotRecorded(_ batch: murmuration_batch) -> Int32 {
  fail(MURMURATION_NOT_RECORDED, "the calls of batch \(batch) are not recorded")
}

@c @implementation
public func murmuration_check(
  _ start: UnsafePointer<CChar>?, _ count: Int64, _ report: UnsafeMutablePointer<murmuration_report>?
) -> Int32 {
  guard let report else { return failNull("report") }
  return bytes(start, count) { bytes in
    do {
      let recording = try BatchRecording(json: String(decoding: bytes, as: UTF8.self))
      return kind.register(ReportObject(try check(recording)), report)
    } catch let error as BatchError {
      return fail(error)
    } catch {
      return fail(MURMURATION_FILE_ERROR, "\(error)")
    }
  }
}

@c @implementation
public func murmuration_report_free(_ report: murmuration_report) -> Int32 { kind.free(report) }

@c @implementation
public func murmuration_report_describe(
  _ report: murmuration_report, _ info: UnsafeMutablePointer<murmuration_report_info>?
) -> Int32 {
  guard let info else { return failNull("info") }
  return kind.with(report) { object in
    let report = object.report
    info.pointee = murmuration_report_info(
      comparisons: Int64(report.comparisons), value_error: report.value?.error ?? 0,
      velocity_error: report.velocity?.error ?? 0, passed: report.passed ? 1 : 0, reserved: 0)
    return ok
  }
}

@c @implementation
public func murmuration_report_text(
  _ report: murmuration_report, _ text: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) -> Int32 {
  guard let text else { return failNull("text") }
  return kind.with(report) { object in
    object.text.lend(object.report.description, text)
    return ok
  }
}
