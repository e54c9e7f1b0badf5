// SPDX-License-Identifier: MIT
import Foundation
import Testing

@testable import Formats
@testable import Scenes

struct CSVReaderTests {
  private func read(_ text: String) throws(FileError) -> Recording { try Recording(csv: Array(text.utf8)) }

  @Test func fieldsBeyondCountingAreRefused() {
    let line = [UInt8](repeating: 0x2C, count: 1 << 24) + [0x0A]
    #expect(fileError { try Recording(csv: line) }?.description == "line 1: has more than 16777216 fields")
  }

  @Test func numbersAreReadLineByLine() throws {
    let recording = try read("1,2.5\n-3e-2, .5\n")
    #expect(recording.channels == 2 && recording.values == [1, 2.5, -0.03, 0.5] && recording.names.isEmpty)
    #expect(recording.framesPerSecond == nil)
  }

  @Test func aFirstLineOfNamesIsOne() throws {
    let recording = try read("x,y2\r\n1,2\r\n")
    #expect(recording.names == ["x", "y2"] && recording.values == [1, 2])
  }

  @Test func aFileCutInsideALineIsRefused() {
    let text = "x,y\n1,25\n3,45\n"
    for count in 0..<text.utf8.count {
      let prefix = String(decoding: Array(text.utf8)[..<count], as: UTF8.self)
      // Cut after the first number of the last field of a frame, it is a valid file with fewer frames or digits.
      guard ![7, 8, 9, 12, 13].contains(count) else { continue }
      #expect(fileError { try read(prefix) } != nil, "“\(prefix)” was taken")
    }
  }

  /// Tables that resemble decimal commas: pixels, an index and whole numbers, a single frame, numbers with points.
  @Test(arguments: [
    "512,384\n513,385\n", "0,100\n1,200\n", "1,250\n", "1,25\n1,37\n", "1,02\n1.5,3\n", "x,y\n1,250\n1,375\n",
    "1;05\n1;06\n",
  ])
  func tablesOfWholeNumbersAreRead(_ text: String) throws {
    #expect(try read(text).channels == 2)
  }

  /// They were taken for the names of the channels, and the frame was lost.
  @Test(arguments: [
    "1.234,5;2.345,6\n999,5;998,5\n", "\"1,234.5\",\"-2,345.6\"\n1,2\n", "1 234 567;a\n1;2\n", "1'234,a\n1,2\n",
    "−1,−2\n3,4\n", "50%,20 %\n1,2\n",
  ])
  func otherSpellingsOfNumbersAreNoNames(_ text: String) {
    #expect(fileError { try read(text) }?.description.hasPrefix("line 1, column 1: ") == true)
  }

  @Test func namesMayBeginWithDigits() throws {
    for names in ["1st,2nd", "1.2.3,4.5.6", "30.11.2026,1.12.2026", "2026-11-30,2026-12-01"] {
      #expect(try read("\(names)\n1,2\n").names == names.split(separator: ",").map(String.init))
    }
  }

  @Test func quotedFieldsAreReadWithTheirSeparators() throws {
    let recording = try read("\"a \"\"b\"\", c\" , d\n\"1\",\" 2 \"\n")
    #expect(recording.names == ["a \"b\", c", "d"] && recording.values == [1, 2])
    #expect(try read("\"x;y\",z\n\"1\",2").names == ["x;y", "z"] && read("\"0,5\";1\n").values == [0.5, 1])
  }

  @Test func otherEncodingsAreRefused() {
    for bytes: [UInt8] in [[0xFF, 0xFE, 0x31, 0], [0xFE, 0xFF, 0, 0x31], [0x31, 0x80, 0x0A], [0xC0, 0xAF, 0x0A]] {
      #expect(fileError { try Recording(csv: bytes) } != nil)
    }
  }
}
