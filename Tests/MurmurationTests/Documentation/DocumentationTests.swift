// SPDX-License-Identifier: MIT
import Foundation
import Murmuration
import Testing

/// The examples of the documents compile, run, and say what they show.
struct DocumentationTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  /// This file is Tests/MurmurationTests/Documentation/DocumentationTests.swift.
  private static let root = (0..<3).reduce(folder) { url, _ in url.deletingLastPathComponent() }

  /// The examples of `Examples.swift`: the document of each, and its lines.
  private static func examples() throws -> [(document: String, lines: [String])] {
    let source = folder.appendingPathComponent("Examples.swift")
    var examples: [(document: String, lines: [String])] = []
    var isInside = false
    for line in try String(contentsOf: source, encoding: .utf8).split(separator: "\n") {
      let text = plain(line)
      if text.hasPrefix("// example: ") {
        examples.append((String(text.dropFirst("// example: ".count)), []))
        isInside = true
      } else if text == "// end" {
        isInside = false
      } else if isInside {
        examples[examples.count - 1].lines.append(text)
      }
    }
    return examples
  }

  /// The blocks of Swift in a document, or in the comments of a source.
  private static func blocks(of document: String) throws -> [[String]] {
    let text = try String(contentsOf: root.appendingPathComponent(document), encoding: .utf8)
    var blocks: [[String]] = []
    var isInside = false
    for line in text.split(separator: "\n") {
      var line = plain(line)
      if line.hasPrefix("///") { line = plain(line.dropFirst(3)) }
      if line.hasPrefix("```") {
        isInside = line == "```swift"
        if isInside { blocks.append([]) }
      } else if isInside, !line.isEmpty, line != "import Murmuration" {
        blocks[blocks.count - 1].append(line)
      }
    }
    return blocks
  }

  /// A line without indentation, and with one space where there are several.
  private static func plain(_ line: Substring) -> String {
    line.split(separator: " ").joined(separator: " ")
  }

  @Test func documentsShowWhatIsCompiledHere() throws {
    let examples = try Self.examples()
    #expect(examples.count == 10)
    for example in examples {
      #expect(!example.lines.isEmpty)
      #expect(try Self.blocks(of: example.document).contains(example.lines), "\(example.document) shows other code")
    }
  }

  @Test func theReadmeShowsOneMotionTwice() throws {
    var printer = Printer()
    try Examples.readme(&printer)
    #expect(printer.printed.count == 61)
    // Track 42 is on its way to 42 as the model is to 640; frame 15 is at 0.25 s, and is the 15th.
    let bound = 8 * 0x1p-24 * 42 + Double(Float(42).ulp) / 2
    #expect(abs(printer.printed[14] - printer.printed[60] * 42 / 640) <= bound)
  }

  @Test(.enabled(if: BLAS.configuration != nil)) func aClothIsPlucked() throws {
    var printer = Printer()
    try Examples.modalMotion(&printer)
    // It is on its way back from 2, and its neighbour has not moved.
    #expect(printer.printed[0] > 0.1 && printer.printed[0] < 2 && printer.printed[1] == 0)
  }

  @Test func matricesSayWhatTheyDo() throws {
    // Full pain hides the smile.
    #expect(try Examples.mixer() == [Float](repeating: 9, count: 2_000))
    // Half of the smile, 1 and 2.5, and half of the pain.
    let read = try Examples.mixerReading()
    #expect(read.prefix(2) == [5, 5.75] && read.suffix(2) == [5, 5.75])
    let pose = try Examples.poseBlender()
    // Three quarters of the way from −0.5 to 0.5; q and −q are one rotation.
    #expect(pose[0] == 0.25 && pose[3_000] == 0.5 && pose[6_999] == 0.5)
  }

  @Test func theOthersRun() throws {
    #expect(try Examples.landingPage() == Spring.bouncy.value(target: 100.0, time: 0.25))
    var printer = Printer()
    try Examples.springBatch(&printer)
    Examples.animatedValue(&printer)
    Examples.keyframeTimeline(&printer)
    Examples.keyframePlayer(&printer)
    // The batch turned round before it was at 100; so did the value, on its way to 100 from 0.
    #expect(printer.printed.count == 4)
    #expect(printer.printed.prefix(2).allSatisfy { (0..<100).contains($0) })
    // Halfway along cubics that begin at rest: to 100 and then back, and to 20 and rest.
    #expect(abs(printer.printed[2] - 50) < 1e-9 && abs(printer.printed[3] - 10) < 1e-9)
  }
}
