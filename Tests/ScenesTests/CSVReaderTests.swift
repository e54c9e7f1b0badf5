// SPDX-License-Identifier: MIT
import Foundation
import TestSupport
import Testing

@testable import Formats
@testable import Scenes

struct CSVReaderTests {
  private func read(_ text: String) throws(FileError) -> Recording { try Recording(csv: Array(text.utf8)) }

  @Test func fieldsBeyondCountingAreRefused() {
    let line = [UInt8](repeating: 0x2C, count: 1 << 24) + [0x0A]
    #expect(fileError { try Recording(csv: line) }?.description == "line 1: has more than 16777216 fields")
  }

  /// Numbers, names, quoted fields, and tables that resemble decimal commas: pixels, an index and whole numbers, a single
  /// frame, numbers with points.
  @Test(arguments: TextTable.rows(of: "CSV", in: "inputs.txt")) func filesAreRead(_ row: [String]) throws {
    let recording = try read(row[0])
    #expect(recording.names == (row[1] == "-" ? [] : row[1].components(separatedBy: " & ")))
    #expect(recording.values == row[2].split(separator: " ").map { Float($0) } && recording.framesPerSecond == nil)
    #expect(recording.channels == 2)
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

  /// They were taken for the names of the channels, and the frame was lost.
  @Test(arguments: [
    "1.234,5;2.345,6\n999,5;998,5\n", "\"1,234.5\",\"-2,345.6\"\n1,2\n", "1 234 567;a\n1;2\n", "1'234,a\n1,2\n",
    "−1,−2\n3,4\n", "50%,20 %\n1,2\n",
  ])
  func otherSpellingsOfNumbersAreNoNames(_ text: String) {
    #expect(fileError { try read(text) }?.description.hasPrefix("line 1, column 1: ") == true)
  }

  @Test func otherEncodingsAreRefused() {
    for bytes: [UInt8] in [[0xFF, 0xFE, 0x31, 0], [0xFE, 0xFF, 0, 0x31], [0x31, 0x80, 0x0A], [0xC0, 0xAF, 0x0A]] {
      #expect(fileError { try Recording(csv: bytes) } != nil)
    }
  }
}
