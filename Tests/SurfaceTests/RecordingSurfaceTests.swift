// SPDX-License-Identifier: MIT
import CSurface
import Foundation
import TestSupport
import Testing

/// Recordings of batches, and their checks.
@Suite struct RecordingSurfaceTests {
  /// The recorded text of a batch.
  private func recording(of batch: CBatch) -> String {
    var text: UnsafePointer<CChar>?
    #expect(murmuration_recording(batch.id, &text) == ok, "\(words())")
    return text.map { String(cString: $0) } ?? ""
  }

  private func check(_ text: String, _ report: inout murmuration_report) -> Int32 {
    murmuration_check(text, Int64(text.utf8.count), &report)
  }

  @Test func theCallsOfABatchAreCheckedAgainstTheReference() throws {
    let batch = try CBatch()
    #expect(murmuration_record(batch.id) == ok)
    let tracks = try batch.add([0, 0, 1, 1, 2, 2])
    var bouncy = spring(0.5, 0.3)
    #expect(murmuration_animate(batch.id, tracks, 0, 3, [5, 50], 0, 1, &bouncy, [0, 0.1, 0.2], 0, nil) == ok)
    for time in [0.15, 0.3] { #expect(murmuration_advance(batch.id, time, 0) == ok) }
    let early = recording(of: batch)
    #expect(murmuration_pause(batch.id, tracks, 1, 1) == ok && murmuration_remove(batch.id, tracks, 0, 1) == ok)
    // A refused call is not kept.
    #expect(murmuration_pause(batch.id, tracks, 0, 1) == MURMURATION_STALE_HANDLE)
    #expect(murmuration_advance(batch.id, 0.6, 1) == ok)
    let text = recording(of: batch)
    #expect(early.count < text.count && text.contains(#""call":"remove""#))
    #expect(text.components(separatedBy: #""call":"pause""#).count == 2)

    for (text, comparisons) in [(early, 12), (text, 16)] {
      var report: murmuration_report = 0
      try #require(check(text, &report) == ok, "\(words())")
      var info = murmuration_report_info()
      #expect(murmuration_report_describe(report, &info) == ok)
      #expect(info.passed == 1 && info.comparisons == comparisons && info.reserved == 0)
      #expect(0 < info.value_error && info.value_error <= 1 && 0 < info.velocity_error && info.velocity_error <= 1)
      var lent: UnsafePointer<CChar>?
      #expect(murmuration_report_text(report, &lent) == ok)
      let said = lent.map { String(cString: $0) } ?? ""
      #expect(said.hasPrefix("\(comparisons) values and velocities compared\n"))
      #expect(said.contains("of the bound; track ") && murmuration_report_free(report) == ok)
      #expect(murmuration_report_text(report, &lent) == MURMURATION_UNKNOWN_OBJECT)
    }
    #expect(murmuration_stop_recording(batch.id) == ok)
    var lent: UnsafePointer<CChar>?
    #expect(murmuration_recording(batch.id, &lent) == MURMURATION_NOT_RECORDED && name(-62) == "notRecorded")
    #expect(murmuration_stop_recording(batch.id) == MURMURATION_NOT_RECORDED)
  }

  @Test func recordingBeginsBeforeTheFirstTrackClipOrSequence() throws {
    for change: (CBatch) throws -> Void in [
      { _ = try $0.add([1, 2]) },
      {
        var clip = murmuration_clip()
        #expect(murmuration_load_clip($0.id, [0, 0], nil, [0, 0], 2, 0, &clip, nil) == ok)
      },
      {
        var phases = murmuration_phases()
        #expect(murmuration_load_phases($0.id, [0, 1], nil, 2, 1, &phases) == ok)
      },
    ] {
      let batch = try CBatch()
      try change(batch)
      #expect(murmuration_record(batch.id) == MURMURATION_RECORDS_FROM_START && name(-61) == "recordsFromStart")
    }
    // Time and settings come first.
    let batch = try CBatch()
    #expect(murmuration_advance(batch.id, 3, 0) == ok && murmuration_set_reports(batch.id, 3) == ok)
    #expect(murmuration_record(batch.id) == ok)
    #expect(recording(of: batch).contains(#"{"call":"advance","computesVelocities":false,"time":3}"#))
    var particles: murmuration_particles = 0
    var property: murmuration_batch = 0
    #expect(murmuration_particles_create([2], 1, &particles, &property) == ok)
    #expect(murmuration_record(property) == MURMURATION_PART_OF_PARTICLES)
    #expect(murmuration_particles_free(particles) == ok && murmuration_record(property) == MURMURATION_UNKNOWN_OBJECT)
  }

  /// Whatever a text says, it is refused or played; nothing ends the process.
  @Test func textsThatAreNoRecordingsAreRefused() {
    let rows = TextTable.rows(of: "no recordings", in: "inputs.txt")
    for text in [""] + rows.map({ $0[0] }) {
      var report: murmuration_report = 77
      #expect(check(text, &report) == MURMURATION_FILE_ERROR && report == 77, "\(text)")
      #expect(words().hasPrefix("this is no recording: "))
    }
    #expect(rows.count == 10)
  }

  /// Calls that the batch refuses are passed over, with whatever numbers.
  @Test(arguments: TextTable.rows(of: "calls of recordings", in: "inputs.txt").map { $0[0] })
  func hostileCallsAreRefusedOrPlayed(_ call: String) {
    let text = """
      {"curveTolerance":0.001,"dimensions":1,"calls":[{"call":"add","values":[1]},\(call),{"call":"advance","time":1}]}
      """
    var report: murmuration_report = 0
    let status = check(text, &report)
    #expect(status == ok || status == MURMURATION_FILE_ERROR, "\(words())")
    guard status == ok else { return }
    var info = murmuration_report_info()
    #expect(murmuration_report_describe(report, &info) == ok && info.passed == 1 && info.comparisons == 1)
    #expect(murmuration_report_free(report) == ok)
  }

  @Test func badArgumentsAreRefused() {
    var report: murmuration_report = 0
    var info = murmuration_report_info()
    #expect(murmuration_check(nil, 3, &report) == MURMURATION_NULL_POINTER)
    #expect(murmuration_check("{}", -1, &report) == MURMURATION_INVALID_COUNT)
    #expect(murmuration_check("{}", 2, nil) == MURMURATION_NULL_POINTER)
    #expect(murmuration_recording(1, nil) == MURMURATION_NULL_POINTER)
    #expect(murmuration_report_describe(1, &info) == MURMURATION_UNKNOWN_OBJECT)
    #expect(murmuration_report_describe(1, nil) == MURMURATION_NULL_POINTER)
    #expect(murmuration_report_text(1, nil) == MURMURATION_NULL_POINTER)
    let impossible = #"{"curveTolerance":7,"dimensions":1,"calls":[]}"#
    #expect(check(impossible, &report) == MURMURATION_INVALID_TOLERANCE)
  }
}
