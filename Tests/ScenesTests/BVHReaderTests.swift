// SPDX-License-Identifier: MIT
@testable import Formats
import Foundation
import TestSupport
import Testing

@testable import Scenes

struct BVHReaderTests {
  static let small = """
    HIERARCHY
    ROOT Hips
    {
      OFFSET 0 0 0
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
    }
    MOTION
    Frames: 2
    Frame Time: .0083333
    1 2 3 4 5 6 -7.5
    1e1 .5 -0.25 0 0 0 70

    """

  @Test func channelsBeyondCountingAreRefused() {
    let kinds = String(repeating: " Xposition", count: 1000)
    let text = "HIERARCHY\nROOT a\n{\n" + String(repeating: "CHANNELS 1000\(kinds)\n", count: 66)
    #expect(fileError { try Recording(bvh: Array(text.utf8)) }?.reason == "names more than 65536 channels")
  }

  @Test func channelsFramesAndRateAreRead() throws {
    let recording = try Recording(bvh: Array(Self.small.utf8))
    #expect(recording.channels == 7)
    #expect(recording.frames == 2)
    // Written with few digits; 120 frames a second is meant.
    #expect(recording.framesPerSecond == 120)
    #expect(recording.names.first == "Hips.Xposition")
    #expect(recording.names.last == "Left Leg.Zrotation")
    #expect(recording.values == [1, 2, 3, 4, 5, 6, -7.5, 10, 0.5, -0.25, 0, 0, 0, 70])
  }

  @Test func aRateThatIsNoWholeNumberStays() throws {
    let text = Self.small.replacingOccurrences(of: ".0083333", with: "0.0333667")
    let rate = try #require(try Recording(bvh: Array(text.utf8)).framesPerSecond)
    #expect(abs(rate - 29.97) < 1e-3)
  }

  /// A last number that is cut short cannot be told from a whole one, so the last two bytes and the line end may go.
  @Test func everyPrefixIsRefusedWithItsPlaceUnlessItsLastLineIsWhole() throws {
    let bytes = Array(Self.small.utf8)
    #expect(try Recording(bvh: Array(bytes.dropLast())) == Recording(bvh: bytes))
    for count in 0..<(bytes.count - 2) {
      let error = fileError { try Recording(bvh: Array(bytes[..<count])) }
      #expect(error?.place.isEmpty == false, "\(count) bytes were taken, or refused without a place")
    }
  }

  @Test(arguments: [
    ("HIERARCHY", "TREE", "line 1: expected HIERARCHY"),
    ("ROOT Hips", "ROOT", "line 2: ROOT without a name"),
    ("CHANNELS 1 Z", "CHANNELS 2 Z", "line 9: CHANNELS states another number"),
    ("CHANNELS 1 Zrotation", "CHANNELS 1 Zoom", "line 9: unknown channel “Zoom”"),
    ("OFFSET 1 -2.5 0", "OFFSET 1 -2.5", "line 8: OFFSET needs three numbers"),
    ("OFFSET 0 -1 0", "CHANNELS 1 Zrotation", "line 12: an end site has no channels"),
    ("Frames: 2", "Frames: -5", "line 17: Frames: must be a whole number"),
    ("Frames: 2", "Frames: 3.5", "line 17: Frames: must be a whole number"),
    ("Frames: 2", "Frames: 1e12", "line 17: Frames: must be a whole number"),
    (".0083333", "-1", "line 18: Frame Time:"),
    (".0083333", "nan", "line 18: Frame Time: “nan” is not a finite decimal number"),
    (".0083333", "1e999", "line 18: Frame Time:"),
    ("4 5 6 -7.5", "4 5 6", "line 19: has 6 values, the hierarchy 7"),
    ("4 5 6 -7.5", "4 5 6 inf", "line 19, value 7: “inf” is not a finite decimal number"),
    ("4 5 6 -7.5", "4 5 6 0x10", "line 19, value 7: “0x10” is not"),
    ("4 5 6 -7.5", "4 5 6 1e16", "line 19, value 7: values must be finite and within ±1e15"),
  ])
  func mistakesAreNamed(_ old: String, _ new: String, _ expected: String) {
    let text = Self.small.replacingOccurrences(of: old, with: new)
    expectRefusal(expected) { try Recording(bvh: Array(text.utf8)) }
  }

  @Test func nestedJointsEndSomewhere() {
    let text = "HIERARCHY\nROOT a\n{\n" + String(repeating: "JOINT b\n{\n", count: 100_000)
    let error = fileError { try Recording(bvh: Array(text.utf8)) }
    #expect(error?.description == "line 131: joints are nested more than 64 deep")
  }

  @Test func aRealCaptureIsRead() throws {
    let recording = try Recording(path: Fixtures.path("cmu_12_01_walk.bvh"))
    #expect(recording.frames == 524)
    #expect(recording.channels == 96)
    #expect(recording.framesPerSecond == 120)
    #expect(recording.names.count == 96)
    #expect(recording.value(frame: 523, channel: 0) != recording.value(frame: 0, channel: 0))
  }
}
