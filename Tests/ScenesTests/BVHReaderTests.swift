// SPDX-License-Identifier: MIT
import Foundation
import TestSupport
import Testing

@testable import Formats
@testable import Scenes

struct BVHReaderTests {
  static let small = (try? Fixtures.text("Scenes/small.bvh")) ?? ""

  @Test func channelsBeyondCountingAreRefused() {
    let kinds = String(repeating: " Xposition", count: 1000)
    let text = "HIERARCHY\nROOT a\n{\n" + String(repeating: "CHANNELS 1000\(kinds)\n", count: 66)
    #expect(fileError { try Recording(bvh: Array(text.utf8)) }?.reason == "names more than 65536 channels")
  }

  @Test func channelsFramesAndRateAreRead() throws {
    let recording = try Recording(bvh: Array(Self.small.utf8))
    #expect(recording.channels == 7 && recording.frames == 2)
    // Written with few digits; 120 frames a second is meant.
    #expect(recording.framesPerSecond == 120 && recording.names.first == "Hips.Xposition")
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

  @Test func nestedJointsEndSomewhere() {
    let text = "HIERARCHY\nROOT a\n{\n" + String(repeating: "JOINT b\n{\n", count: 100_000)
    let error = fileError { try Recording(bvh: Array(text.utf8)) }
    #expect(error?.description == "line 131: joints are nested more than 64 deep")
  }
}
