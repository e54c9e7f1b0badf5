// SPDX-License-Identifier: MIT
import Foundation
import TestSupport
import Testing

@testable import MurmurationTool

/// The commands of the README's blocks run: in small, in a folder of their own.
struct ReadmeCommandTests {
  /// This file is Tests/MurmurationToolTests/ReadmeCommandTests.swift.
  private static let root = (0..<3).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent()
  }

  /// The words of each command line of the tool in the blocks for a shell, and of those that stand in a sentence of their
  /// section on speed.
  private static func commands() throws -> [[String]] {
    let text = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
    let parts = text.components(separatedBy: "```")
    let blocks = parts.enumerated().filter { $0.offset % 2 == 1 && $0.element.hasPrefix("sh\n") }.map(\.element)
    let lines = blocks.joined().split(separator: "\n").map { $0.components(separatedBy: " #")[0] }
    let sentences = text.matches(of: /`(murmuration plot [^`]*)`/).map { String($0.output.1) }
    return (lines + sentences).filter { $0.hasPrefix("murmuration ") }
      .map { $0.replacing("\"", with: "").split(separator: " ").dropFirst().map(String.init) }
  }

  @Test func theyRun() throws {
    let commands = try Self.commands()
    #expect(Set(commands.map { $0[0] }) == ["watch", "run", "render", "plot"])
    for words in commands {
      let folder = try TemporaryFolder()
      var arguments = words.map { word in
        let here = Self.root.appendingPathComponent(word).path
        return word.contains("/") && FileManager.default.fileExists(atPath: here) ? here : word
      }
      var output: String?
      if let place = words.firstIndex(of: "--output") {
        output = words[place + 1]
        arguments[place + 1] = folder.path(words[place + 1])
      }
      if words[0] == "run" || words[0] == "render" { arguments += ["--tracks", "400"] }
      if words[0] == "render" { arguments += ["--size", "64x36"] }
      if words.contains(where: { $0.hasSuffix(".mp4") }), FrameEncoder.program() == nil { continue }
      let outcome = try ToolProcess.run(arguments)
      if words[0] == "watch" {
        #expect(outcome.errors.contains("watch: needs a terminal"), "\(words)")
      } else {
        #expect(outcome.status == 0, "\(words): \(outcome.errors)")
      }
      if let output { #expect(folder.names == [output]) }
    }
  }

  @Test func thePicturesOfTheReadmeAreThoseOfItsCommands() throws {
    for (picture, words) in [
      ("speed", ["--bars", Self.root.appendingPathComponent("Benchmarks/springs.json").path]),
      ("springs", ["--spring", "bouncy", "--spring", "smooth", "--spring", "flattened:bounce=-0.4"]),
    ] {
      let outcome = try ToolProcess.run(["plot", "--output", "-"] + words)
      let file = "Sources/Murmuration/Murmuration.docc/Resources/\(picture).svg"
      let shown = try String(contentsOf: Self.root.appendingPathComponent(file), encoding: .utf8)
      #expect(outcome.output == shown, "\(picture).svg is not what murmuration plot draws")
    }
  }

  @Test(arguments: ["[]", "[{\"name\": \"a\", \"value\": 0, \"source\": \"\"}]", "[{\"name\": \"a\"}]", "7"])
  func barsThatCannotBeDrawnAreRefused(_ bars: String) throws {
    let text = "{\"title\": \"T\", \"unit\": \"ms\", \"notes\": [], \"bars\": \(bars)}"
    try ToolProcess.refuse(["plot", "--bars", "-", "--output", "-"], "bars", input: text)
  }
}
