// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// `Tests/Calls.md` has a row for each public call of batches and of the types beside them. This page and the article on
/// promises name tests that exist.
struct CallsTests {
  /// The types whose public members have rows.
  private static let types = [
    "AnimationBatch", "AnimatedTracks", "MovingTracks", "TrackSet", "TrackBatch", "RotationBatch", "Particles",
    "ParticleProperty", "TrackHandle",
    "TrackValue", "Components",
    "AnimationEvent", "AnimationReports", "TrackMotion", "Playback", "ClipStart", "PhaseSequence", "PhasePlayback",
    "PhaseError", "RestTolerances", "BatchLimits", "BatchError", "BakeFrames", "BakeRequest", "BakeOrder",
    "ClipSampler", "VelocityTrackers", "FrameClock", "FrameStep", "FrameSequence", "AnimationFrame", "FrameRun",
    "FrameClockError", "TrackSelection", "PerTrack", "ColumnLayout", "VertexLayout",
    "ColorConversion", "Stagger", "SnapPoints",
    "ChangeID", "CompletionCriteria",
    "TrackOutcome", "ChangeOutcome", "Completions", "PendingOutcome", "CompletionError",
  ]

  /// This file is Tests/MurmurationTests/Documentation/CallsTests.swift.
  private static let root = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
    url.deletingLastPathComponent()
  }

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// The files of a folder with an ending.
  private static func files(_ folder: String, _ ending: String) throws -> [String] {
    let all = try FileManager.default.subpathsOfDirectory(atPath: root.appendingPathComponent(folder).path)
    return all.filter { $0.hasSuffix(ending) }.map { "\(folder)/\($0)" }
  }

  /// The lines of the page.
  private static func page() throws -> [Substring] { try text("Tests/Calls.md").split(separator: "\n") }

  /// The rows of its tables.
  private static func rows() throws -> [Substring] { try page().filter { $0.hasPrefix("|") } }

  /// The public members of each type of the library, by a scan of the lines of its sources.
  private static func members() throws -> [String: Set<String>] {
    var members: [String: Set<String>] = [:]
    let modules = ["Murmuration", "MurmurationClips", "MurmurationEngine"]
    let sources = try modules.flatMap { try files("Sources/\($0)", ".swift") }
    for path in sources {
      var owner = ""
      // Cases of an enum and requirements of a protocol are public without the word.
      var isOpen = false
      // Declarations behind a condition stand further to the right.
      var indentation = 0
      for line in try text(path).split(separator: "\n") {
        if line.hasPrefix("#") { indentation = line.hasPrefix("#endif") ? 0 : 2 }
        let line = line.dropFirst(indentation)
        if line.hasPrefix("}") {
          owner = ""
        } else if line.hasPrefix(" ") {
          if let name = member(in: line, isOpen: isOpen) { members[owner, default: []].insert(name) }
        } else if let type = line.prefixMatch(of: /(?:public )?(struct|enum|protocol|extension|final class) (\w+)/) {
          (owner, isOpen) = (String(type.2), type.1 == "enum" || type.1 == "protocol")
        }
      }
    }
    return members
  }

  private static func member(in line: Substring, isOpen: Bool) -> String? {
    guard line.hasPrefix("  public ") else {
      return isOpen ? line.prefixMatch(of: /[ ]{2}(?:case|func|mutating func|var) (\w+)/).map { String($0.1) } : nil
    }
    let member =
      /[ ]{2}public (?:mutating |static |internal\(set\) |private\(set\) )*(?:(?:func|var|let|enum) (\w+)|(init))/
    return line.prefixMatch(of: member).flatMap { $0.1 ?? $0.2 }.map { String($0) }
  }

  // MARK: - Tests

  @Test func everyPublicMemberHasARow() throws {
    let (calls, members) = (try Self.rows().compactMap { $0.split(separator: "|").first }, try Self.members())
    for type in Self.types {
      let names = members[type] ?? []
      #expect(!names.isEmpty, "\(type) has nothing public in the sources")
      let missing = try names.filter { name in
        let mention = try Regex("`\(name)[^A-Za-z0-9_]")
        return !calls.contains { $0.contains(mention) }
      }
      #expect(missing.isEmpty, "no row names \(missing.sorted().joined(separator: ", ")) of \(type)")
    }
  }

  /// The suites by name, each with its text.
  private static func suites() throws -> [Substring: String] {
    var suites: [Substring: String] = [:]
    for path in try files("Tests", "Tests.swift") {
      suites[path.split(separator: "/").last?.dropLast(".swift".count) ?? ""] = try text(path)
    }
    return suites
  }

  @Test func everyTestThatIsNamedExists() throws {
    let suites = try Self.suites()
    let promises = try Self.text("Sources/Murmuration/Murmuration.docc/Articles/Promises.md")
    let pages = try Self.page().joined(separator: "\n") + promises
    let named = pages.matches(of: /`(\w+Tests)\.(\w+)`/).map(\.output)
    #expect(named.count > 500)
    let unknown = named.filter { suites[$0.1]?.contains("func \($0.2)(") != true }.map(\.0)
    #expect(unknown.isEmpty, "there is no \(unknown.joined(separator: ", "))")
    let alone = promises.matches(of: /`(\w+Tests)`/).map(\.output.1)
    #expect(alone.count >= 10 && alone.allSatisfy { suites[$0] != nil }, "\(alone)")
  }

  @Test func everyPromiseIsHeld() throws {
    let bare = try Self.rows().filter { $0.split(separator: "|").last?.contains(/\bnone\b/) != false }
    #expect(bare.isEmpty, "no test: \(bare.joined(separator: "\n"))")
  }

  /// The table of verbs and languages names functions that exist, and none is missing in a language.
  @Test func everyVerbExistsInEveryLanguage() throws {
    let page = try Self.text("Sources/Murmuration/Murmuration.docc/Articles/WhichCall.md").split(separator: "\n")
    let head = try #require(page.firstIndex { $0.hasPrefix("| verb | Swift | C | Python | JavaScript |") })
    let rows = page[(head + 2)...].prefix { $0.hasPrefix("|") }
    #expect(rows.count >= 18)
    let swift = try Self.files("Sources/Murmuration/Batch", ".swift").map { try Self.text($0) }.joined()
    let header = try Self.text("Sources/CSurface/include/murmuration.h")
    let python = try Self.files("Sources/Python/murmuration", ".py").map { try Self.text($0) }.joined()
    let script = try Self.text("Sources/Web/murmuration.d.mts")
    for row in rows {
      let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      #expect(cells.count == 5, "\(row)")
      let names = cells.dropFirst().map { cell in
        cell.split(separator: ",").map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "` ")) }
      }
      #expect(names.allSatisfy { !$0.isEmpty })
      let isThere =
        [
          { swift.contains("func \($0)(") || swift.contains("func \($0)<") }, { header.contains("int32_t \($0)(") },
          { python.contains("def \($0)(") }, { script.contains("  \($0)(") || script.contains("readonly \($0):") },
        ] as [(String) -> Bool]
      for (list, isThere) in zip(names, isThere) {
        let missing = list.filter { !isThere($0) }
        #expect(missing.isEmpty, "\(row)")
      }
    }
  }
}
