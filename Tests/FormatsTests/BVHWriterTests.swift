// SPDX-License-Identifier: MIT
@testable import Formats
import TestSupport
import Testing

struct BVHWriterTests {
  private static let small = """
    HIERARCHY
    ROOT Hips
    {
      OFFSET 0.5 0 1e-3
      CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
      JOINT Left Leg
      {
        OFFSET 1 -2.5 0
        CHANNELS 1 Zrotation
        End Site
        {
          OFFSET 0 -1 0
        }
      }
      JOINT Fixed
      {
        OFFSET 0 3 0
        CHANNELS 0
        JOINT Head
        {
          OFFSET 0 1 0
          CHANNELS 2 Xrotation Yposition
        }
      }
    }
    MOTION
    Frames: 2
    Frame Time: 0.0333667
    1 2 3 4 5 6 -7.5 0.1 1e-7
    1e1 .5 -0.25 0 0 0 70 1e15 -0

    """

  @Test func aRecordingReadsBackAsItself() throws {
    let recording = try Recording(bvh: Array(Self.small.utf8))
    let text = try recording.bvh()
    #expect(try Recording(bvh: text) == recording)
    #expect(
      String(decoding: text, as: UTF8.self).contains(
        "JOINT Left Leg\n  {\n    OFFSET 1.0 -2.5 0.0\n    CHANNELS 1 Zrotation\n"))
  }

  @Test func motionCaptureReadsBackAsItself() throws {
    let recording = try Recording(path: Fixtures.path("cmu_12_01_walk.bvh"))
    #expect(try Recording(bvh: recording.bvh()) == recording)
  }

  @Test func valuesMayBeOthers() throws {
    let recording = try Recording(bvh: Array(Self.small.utf8))
    let slow = try Recording(
      channels: 9, values: recording.values.map { $0 / 2 }, framesPerSecond: 120, names: recording.names,
      skeleton: recording.skeleton)
    #expect(try Recording(bvh: slow.bvh()) == slow)
  }

  @Test func whatIsNoMotionCaptureIsRefused() throws {
    let recording = try Recording(bvh: Array(Self.small.utf8))
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
