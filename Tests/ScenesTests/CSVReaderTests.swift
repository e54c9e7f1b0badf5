// SPDX-License-Identifier: MIT
@testable import Formats
import Testing

@testable import Scenes

struct CSVReaderTests {
  private func read(_ text: String) throws(FileError) -> Recording { try Recording(csv: Array(text.utf8)) }

  @Test func fieldsBeyondCountingAreRefused() {
    let line = [UInt8](repeating: 0x2C, count: 1 << 24) + [0x0A]
    #expect(fileError { try Recording(csv: line) }?.description == "line 1: has more than 16777216 fields")
  }

  @Test func numbersAreReadLineByLine() throws {
    let recording = try read("1,2.5\n-3e-2, .5\n")
    #expect(recording.channels == 2)
    #expect(recording.values == [1, 2.5, -0.03, 0.5])
    #expect(recording.names.isEmpty)
    #expect(recording.framesPerSecond == nil)
  }

  @Test func aFirstLineOfNamesIsOne() throws {
    let recording = try read("x,y2\r\n1,2\r\n")
    #expect(recording.names == ["x", "y2"])
    #expect(recording.values == [1, 2])
  }

  @Test func aFileCutInsideALineIsRefused() {
    let text = "x,y\n1,25\n3,45\n"
    for count in 0..<text.utf8.count {
      let prefix = String(decoding: Array(text.utf8)[..<count], as: UTF8.self)
      // Cut at the end of a line after the first frame, it is a valid file with fewer frames.
      guard !prefix.hasSuffix("5\n") else { continue }
      #expect(fileError { try read(prefix) } != nil, "“\(prefix)” was taken")
    }
  }

  @Test(arguments: [
    ("", "byte 0: the file is empty"),
    ("\n", "line 1: a field is empty"),
    ("x,y\n", "holds no frame"),
    ("1,2\n3\n", "line 2: has 1 fields, the first line 2"),
    ("1,2\n\n", "line 2: has 1 fields"),
    ("1,2\n3,\n", "line 2, column 2: “” is not a finite decimal number"),
    ("1,nan\n", "line 1, column 2: “nan” is not"),
    ("1\n-inf\n", "line 2, column 1: “-inf” is not"),
    ("1\n1e999\n", "line 2, column 1: values must be finite"),
    ("1\n1e16\n", "line 2, column 1: values must be finite and within ±1e15"),
    ("1;2\n3;4\n", "line 2, column 1: “3;4” is not"),
    ("\"a,b\",c\n1,2,3\n", "line 1: quoted fields are not supported"),
    ("1\n\u{0}\n", "byte 2: holds a zero byte"),
    ("\u{FEFF}1\n", "byte 0: starts with a byte-order mark"),
    ("1\n\u{1B}[31m\n", "line 2, column 1: “\u{FFFD}[31m” is not"),
  ])
  func mistakesAreNamed(_ text: String, _ expected: String) {
    let error = fileError { try read(text) }
    #expect(error?.description.contains(expected) == true, "\(error?.description ?? "accepted")")
  }

  @Test func otherEncodingsAreRefused() {
    for bytes: [UInt8] in [[0xFF, 0xFE, 0x31, 0], [0xFE, 0xFF, 0, 0x31], [0x31, 0x80, 0x0A], [0xC0, 0xAF, 0x0A]] {
      #expect(fileError { try Recording(csv: bytes) } != nil)
    }
  }
}
