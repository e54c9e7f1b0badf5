// SPDX-License-Identifier: MIT
import Foundation
import TestSupport
import Testing

@testable import Formats

struct BVHWriterTests {
  private static let small = Fixtures.path("Scenes/branches.bvh")

  @Test func aRecordingReadsBackAsItself() throws {
    let recording = try Recording(path: Self.small)
    let text = try recording.bvh()
    #expect(try Recording(bvh: text) == recording)
    #expect(
      String(decoding: text, as: UTF8.self).contains(
        "JOINT Left Leg\n  {\n    OFFSET 1.0 -2.5 0.0\n    CHANNELS 1 Zrotation\n"))
  }

  @Test func whatIsNoMotionCaptureIsRefused() throws {
    let recording = try Recording(path: Self.small)
    func other(
      values: [Float]? = nil, rate: Double? = 60, names: [String]? = nil, skeleton: Skeleton?? = nil
    ) throws -> Recording {
      try Recording(
        channels: 9, values: values ?? recording.values, framesPerSecond: rate, names: names ?? recording.names,
        skeleton: skeleton ?? recording.skeleton)
    }
    #expect(throws: FileError.self) { try other(rate: nil).bvh() }
    #expect(throws: FileError.self) { try other(rate: 0).bvh() }
    #expect(throws: FileError.self) { try other(names: []).bvh() }
    #expect(throws: FileError.self) { try other(skeleton: .some(nil)).bvh() }
    var values = recording.values
    values[10] = .nan
    let error = #expect(throws: FileError.self) { try other(values: values).bvh() }
    #expect(error?.place == "frame 1, Hips.Yposition")
    #expect(throws: FileError.self) { try Recording(csv: Array("1,2\n".utf8)).bvh() }
  }
}
