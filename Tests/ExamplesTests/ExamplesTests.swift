// SPDX-License-Identifier: MIT
import ArgumentParser
import Foundation
import Testing

@testable import Examples

/// The examples run, stay short, and draw the pictures that the documentation shows.
struct ExamplesTests {
  /// This file is Tests/ExamplesTests/ExamplesTests.swift.
  private static let root = (0..<3).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
    url.deletingLastPathComponent()
  }

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  @Test(arguments: Examples.all.map(\.name)) func theDocumentationShowsWhatAnExampleDraws(_ name: String) throws {
    let example = try #require(Examples.all.first { $0.name == name })
    let drawn = try example.run().svg
    let shown = try Self.text("Sources/Murmuration/Murmuration.docc/Resources/\(name).svg")
    // Sines of the C library differ in their last bit between machines, so shapes are compared without their numbers.
    let numbers = /-?[0-9]+(\.[0-9]+)?(e-?[0-9]+)?/
    #expect(drawn.replacing(numbers, with: "") == shown.replacing(numbers, with: ""))
    #expect(drawn.contains("<g ") && !drawn.contains("nan"))
  }

  @Test func eachExampleIsAShortFileOfTheDocumentation() throws {
    let page = try Self.text("Sources/Murmuration/Murmuration.docc/Articles/Examples.md")
    for example in Examples.all {
      let source = try Self.text("Sources/Examples/\(example.name).swift")
      #expect(source.split(separator: "\n", omittingEmptySubsequences: false).count <= 91, "\(example.name)")
      #expect(page.contains("### \(example.name)\n") && page.contains("](\(example.name)"), "\(example.name)")
    }
    let files = try FileManager.default.contentsOfDirectory(
      atPath: Self.root.appendingPathComponent("Sources/Examples").path)
    let names = Set(Examples.all.map { "\($0.name).swift" } + ["Examples.swift", "Sketch.swift"])
    #expect(Set(files) == names)
  }

  @Test func unknownExamplesAreRefused() {
    #expect(throws: (any Error).self) { try Examples.parse(["Nothing"]).run() }
  }
}
