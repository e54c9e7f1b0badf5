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
      // Cut after the first number of the last field of a frame, it is a valid file with fewer frames or digits.
      guard ![7, 8, 9, 12, 13].contains(count) else { continue }
      #expect(fileError { try read(prefix) } != nil, "“\(prefix)” was taken")
    }
  }

  @Test(arguments: [
    ("", "byte 0: the file is empty"),
    ("\n", "line 1: holds no frame"),
    ("x,y\n", "line 1: holds no frame"),
    ("x,,y\n1,2,3\n", "line 1: a field is empty; name all channels"),
    ("x,1\n2,3\n", "line 1, column 1: “x” is not a finite decimal number"),
    ("N/A,N/A\n2,3\n", "line 1, column 1: “N/A” is not"),
    ("?\n2\n", "line 1, column 1: “?” is not"),
    ("1,2\n3\n", "line 2: has 1 fields, the first line 2"),
    ("1,2\n \n\n3,4\n", "line 2: is blank, and lines with fields follow"),
    ("\n1,2\n", "line 1: is blank, and lines with fields follow"),
    ("1\n2\n# end\n", "line 3: is a comment"),
    ("1,2\n3,\n", "line 2, column 2: is empty"),
    ("1\t2\n\t\n", "line 2, column 1: is empty"),
    ("1,nan\n", "line 1, column 2: “nan” is not"),
    ("1\n-inf\n", "line 2, column 1: “-inf” is not"),
    ("1\n1e999\n", "line 2, column 1: values must be finite"),
    ("1\n1e16\n", "line 2, column 1: values must be finite and within ±1e15"),
    ("1;2\n3,4\n", "line 2: has 1 fields, the first line 2"),
    ("x\n3;4\n", "line 2, column 1: “3;4” is not"),
    ("x\ty\n0,5\t1,5\n", "line 2, column 1: “0,5” is not a finite decimal number; decimals are written with a point"),
    ("0,5\t1,5\n", "line 1, column 2: “5\u{FFFD}1” is not"),
    ("x;y\n0,5;1.5\n", "line 2, column 2: “1.5” has another decimal mark than numbers before it"),
    ("x;y\n1.234,5;2\n", "line 2, column 1: “1.234,5” is not"),
    ("x,y\n\"1,5\",2\n", "line 2, column 1: “1,5” is not"),
    ("\"a,b\",c\n1,2,3\n", "line 2: has 3 fields, the first line 2"),
    ("x,y\n\"1,2\n", "line 2: a quoted field has no end on its line"),
    ("x,y\n\"1\" 5,2\n", "line 2: “ 5” follows a quoted field"),
    ("x,y\n1\"5,2\n", "line 2, column 1: “1\"5” is not"),
    ("0,98\n1,02\n", "line 2, column 2: its commas may be decimal commas"),
    ("1,250\n1,375\n", "line 1: its commas may be decimal commas"),
    ("1\n\u{0}\n", "byte 2: holds a zero byte"),
    ("1\n\u{1B}[31m\n", "line 2, column 1: “\u{FFFD}[31m” is not"),
  ])
  func mistakesAreNamed(_ text: String, _ expected: String) {
    expectRefusal(expected) { try read(text) }
  }

  /// Tables that resemble decimal commas: pixels, an index and whole numbers, a single frame, numbers with points.
  @Test(arguments: [
    "512,384\n513,385\n", "0,100\n1,200\n", "1,250\n", "1,25\n1,37\n", "1,02\n1.5,3\n", "x,y\n1,250\n1,375\n",
    "1;05\n1;06\n",
  ])
  func tablesOfWholeNumbersAreRead(_ text: String) throws {
    #expect(try read(text).channels == 2)
  }

  @Test func quotedFieldsAreReadWithTheirSeparators() throws {
    let recording = try read("\"a \"\"b\"\", c\" , d\n\"1\",\" 2 \"\n")
    #expect(recording.names == ["a \"b\", c", "d"])
    #expect(recording.values == [1, 2])
    #expect(try read("\"x;y\",z\n\"1\",2").names == ["x;y", "z"])
    #expect(try read("\"0,5\";1\n").values == [0.5, 1])
  }

  @Test func otherEncodingsAreRefused() {
    for bytes: [UInt8] in [[0xFF, 0xFE, 0x31, 0], [0xFE, 0xFF, 0, 0x31], [0x31, 0x80, 0x0A], [0xC0, 0xAF, 0x0A]] {
      #expect(fileError { try Recording(csv: bytes) } != nil)
    }
  }
}
