// SPDX-License-Identifier: MIT
import ArgumentParser
@testable import Formats
import Foundation
import Scenes
import TestSupport
import Testing

@testable import MurmurationTool

/// The tool accepts every command line in the README, the articles, the comments and the help texts.
struct DocumentedCommandTests {
  private static let root = (0..<3).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent()
  }

  private struct Shown: Hashable {
    /// The words after `murmuration`.
    var line: String
    var place: String
  }

  // MARK: - Finding

  /// The files of a folder with an ending.
  private static func files(_ folder: String, _ ending: String) throws -> [String] {
    let all = try FileManager.default.subpathsOfDirectory(atPath: root.appendingPathComponent(folder).path)
    return all.filter { $0.hasSuffix(ending) }.sorted().map { "\(folder)/\($0)" }
  }

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// The pages, and the comments of each source as a page.
  private static func pages() throws -> [(place: String, text: String)] {
    var pages = try (["README.md"] + files("Sources", ".md")).map { (place: $0, text: try text($0)) }
    for source in try files("Sources", ".swift") + files("Benchmarks/MurmurationBenchmarks", ".swift") {
      let comments = try text(source).split(separator: "\n", omittingEmptySubsequences: false).map { line in
        let line = line.drop { $0 == " " }
        return line.hasPrefix("///") ? String(line.dropFirst(3).drop { $0 == " " }) : ""
      }
      pages.append((source, comments.joined(separator: "\n")))
    }
    return pages
  }

  /// The inline code of a page, each piece on one line, and the lines of its blocks that are in no language.
  private static func code(in page: String) -> (spans: [String], lines: [String]) {
    var (prose, lines, fence): ([Substring], [String], Substring?) = ([], [], nil)
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        fence = fence == nil ? line.dropFirst(3) : nil
        prose.append("")
      } else if let fence {
        if fence.isEmpty || fence == "sh" || fence == "bash" { lines.append(String(line)) }
      } else {
        prose.append(line)
      }
    }
    // Code does not go on beyond a paragraph; a row of a table is one.
    let paragraphs = prose.map { $0.isEmpty || $0.hasPrefix("|") ? "\n\($0)\n" : "\($0) " }.joined()
      .split(separator: "\n")
    let spans = paragraphs.flatMap { paragraph in
      // Double marks are links to symbols.
      paragraph.replacingOccurrences(of: "``", with: "").components(separatedBy: "`").enumerated()
        .filter { $0.offset % 2 == 1 }.map(\.element)
    }
    return (spans, lines)
  }

  /// The words before a pipe.
  private static func unpiped(_ line: some StringProtocol) -> String { line.components(separatedBy: " | ")[0] }

  /// The command lines in lines of a shell or a help text, without what a pipe or a comment adds.
  private static func commands(in lines: [String]) -> [String] {
    let joined = lines.joined(separator: "\n").replacingOccurrences(of: "\\\n", with: " ")
    return joined.split(separator: "\n").compactMap { line in
      let line = line.components(separatedBy: " #")[0].drop { $0 == " " }
      guard let start = line.range(of: "murmuration ") else { return nil }
      let before = line[..<start.lowerBound]
      guard before.isEmpty || before.hasSuffix("| ") || before == "show " else { return nil }
      return unpiped(line[start.upperBound...])
    }
  }

  private static func shown() throws -> [Shown] {
    var found: [Shown] = []
    for (place, text) in try pages() {
      let (spans, lines) = code(in: text)
      let names = subcommands.map(\.name)
      for span in spans {
        let words = span.split(separator: " ")
        if words.count > 1, words[0] == "murmuration", words[1] != "…" {
          found.append(Shown(line: unpiped(words.dropFirst().joined(separator: " ")), place: place))
        } else if place == "README.md", words.count > 1, names.contains(String(words[0])) {
          // The table of the tool's commands leaves its name out.
          found.append(Shown(line: words.joined(separator: " "), place: place))
        }
      }
      found += commands(in: lines).map { Shown(line: $0, place: place) }
    }
    let all = [(name: "murmuration", type: MurmurationCommand.self as any ParsableCommand.Type)] + subcommands
    for (name, type) in all {
      let lines = type.configuration.discussion.components(separatedBy: "\n")
      found += commands(in: lines).map { Shown(line: $0, place: "the help of \(name)") }
    }
    found += commands(in: try text("Scripts/demo").components(separatedBy: "\n")).map {
      Shown(line: $0, place: "Scripts/demo")
    }
    return found
  }

  // MARK: - Parsing

  private static var subcommands: [(name: String, type: any ParsableCommand.Type)] {
    MurmurationCommand.configuration.subcommands.map { ($0.configuration.commandName ?? "", $0) }
  }

  /// The words of a line as a shell splits them, with placeholders filled in.
  private static func words(_ line: String) -> [String] {
    var (words, word, quote): ([String], String?, Character?) = ([], nil, nil)
    for character in line {
      if character == quote {
        quote = nil
      } else if quote == nil, character == "\"" || character == "'" {
        (quote, word) = (character, word ?? "")
      } else if quote == nil, character == " " {
        if let done = word { words.append(done) }
        word = nil
      } else if quote != nil || (character != "[" && character != "]") {
        // Brackets mark optional words.
        word = (word ?? "") + String(character)
      }
    }
    if let done = word { words.append(done) }
    let subject = words.first == "plot" ? "bouncy" : nil
    let filled = ["SCENE": "shapes", "SUBJECT": "bouncy", "N": "3", "…": subject] as [String: String?]
    return words.compactMap { filled[$0] ?? $0 }
  }

  /// The fault of a line, or nil.
  private static func complaint(_ line: String) -> String? {
    // In a sentence, a subcommand's name alone is a mention.
    if subcommands.contains(where: { $0.name == line }) { return nil }
    let command: any ParsableCommand
    do {
      command = try MurmurationCommand.command(for: words(line))
    } catch {
      return MurmurationCommand.message(for: error)
    }
    var scene: String?
    switch command {
    case let run as RunCommand: scene = run.scene.scene
    case let bake as BakeCommand: scene = bake.scene.scene
    case let verify as VerifyCommand: scene = verify.scene.scene
    case let render as RenderCommand: scene = render.scene.scene
    case let watch as WatchCommand: scene = watch.scene.scene
    case let plot as PlotCommand:
      do {
        for subject in plot.subjects.subjects { _ = try PlotSubjectOptions.Kind(subject) }
      } catch {
        return error.description
      }
    default: break
    }
    guard let scene, BuiltInScene.named(scene) == nil, !scene.contains("."), !scene.hasPrefix("$") else { return nil }
    return "there is no scene \(scene)"
  }

  @Test func everyCommandThatIsShownIsOneOfTheTool() throws {
    let shown = try Self.shown()
    #expect(shown.count >= 40, "\(shown.map(\.line))")
    for name in Self.subcommands.map(\.name) {
      #expect(shown.contains { $0.line.hasPrefix("\(name) ") || $0.line == name }, "no page shows \(name)")
    }
    // Several pages may show the same line.
    let complaints = Dictionary(uniqueKeysWithValues: Set(shown.map(\.line)).map { ($0, Self.complaint($0)) })
    for command in shown {
      let complaint = complaints[command.line] ?? nil
      #expect(complaint == nil, "\(command.place): murmuration \(command.line)")
    }
  }

  @Test(arguments: [
    "bench --matrices", "bench --only dances", "run shapess", "verify nothing", "plot shape --terminal",
    "run SCENE --fast", "bake shapes --frames 7..<7 --output FILE.npy", "bake shapes", "dance", "sample --engine steam",
    "verify --isa portable 7", "verify --frames 7", "run shapes --json --quiet", "run --verify",
    "run shapes --tracks 1..<2",
    "plot bouncy --output spring.png", "render shapes",
  ])
  func aWrongCommandIsNoticed(_ line: String) {
    #expect(Self.complaint(line) != nil)
  }

  /// The examples of these commands' help are run as printed, in an empty folder; the others take longer or need more.
  @Test(arguments: ["plot", "sample"]) func theExamplesOfTheHelpWork(_ name: String) throws {
    let command = try #require(Self.subcommands.first { $0.name == name })
    let help = command.type.configuration.discussion.replacingOccurrences(of: "\\\n", with: " ")
    let examples = help.components(separatedBy: "\n").filter { $0.contains("  murmuration ") || $0.contains("| murm") }
    #expect(examples.count >= 2, "\(help)")
    let (folder, tools) = (try TemporaryFolder(), try TemporaryFolder())
    try FileManager.default.createSymbolicLink(
      at: URL(fileURLWithPath: tools.path("murmuration")), withDestinationURL: ToolProcess.executable())
    for example in examples {
      let outcome = try ToolProcess.run(
        ["-c", "set -e; cd \"$0\"; \(example)", folder.url.path],
        environment: ["PATH": "\(tools.url.path):/usr/bin:/bin"], program: "/bin/sh")
      #expect(outcome.status == 0, "\(example): \(outcome.errors)")
    }
  }

  /// Options that stand alone in a sentence.
  @Test func everyOptionThatIsNamedIsOneOfTheTool() throws {
    let help = Self.subcommands.map { MurmurationCommand.helpMessage(for: $0.type, includeHidden: true) }
    let known = Set(help.joined(separator: " ").matches(of: /--[a-z-]+/).map { String($0.output) })
    #expect(known.contains("--frames") && known.contains("--list-scenes"))
    var named = 0
    for (place, text) in try Self.pages() {
      for span in Self.code(in: text).spans where span.hasPrefix("--") {
        let option = span.split(separator: " ")[0]
        named += 1
        #expect(known.contains(String(option)), "\(place): \(span)")
      }
    }
    #expect(named >= 8)
  }
}
