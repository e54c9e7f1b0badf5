// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// `Tests/Calls.md` has a row for each public call of the batches that one batch is to replace, and names tests that exist.
struct CallsTests {
  /// The types that the page goes through; the name of one that is gone from the sources leaves this list.
  private static let types = [
    "SpringBatch", "CurveBatch", "KeyframeBatch", "PhaseBatch", "ParticleBatch", "TrackBatch", "TrackHandle",
    "TrackValue", "Playback", "RepeatEvent", "PhaseSequence", "PhaseChange", "PhaseError", "RestTolerances",
    "BatchLimits", "BatchError", "BakeFrames", "BakeOrder", "ClipSampler", "VelocityTrackers",
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

  /// The lines of each section of the page, by its heading.
  private static func sections() throws -> [String: [Substring]] {
    var sections: [String: [Substring]] = [:]
    var heading = ""
    for line in try page() {
      if line.hasPrefix("## ") {
        heading = String(line.dropFirst(3))
      } else {
        sections[heading, default: []].append(line)
      }
    }
    return sections
  }

  /// The public members of each type of the library, by a scan of the lines of its sources.
  private static func members() throws -> [String: Set<String>] {
    var members: [String: Set<String>] = [:]
    for path in try files("Sources/Murmuration", ".swift") {
      var owner = ""
      // Cases of an enum and requirements of a protocol are public without the word.
      var isOpen = false
      for line in try text(path).split(separator: "\n") {
        if line.hasPrefix("}") {
          owner = ""
        } else if line.hasPrefix(" ") {
          if let name = member(in: line, isOpen: isOpen) { members[owner, default: []].insert(name) }
        } else if let type = line.prefixMatch(of: /(?:public )?(struct|enum|protocol|extension) (\w+)/) {
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
    let (sections, members) = (try Self.sections(), try Self.members())
    for type in Self.types {
      let (rows, names) = (sections[type]?.filter { $0.hasPrefix("|") } ?? [], members[type] ?? [])
      #expect(!rows.isEmpty && !names.isEmpty, "\(type) has no section, or nothing public in the sources")
      let calls = rows.compactMap { $0.split(separator: "|").first }
      let missing = try names.filter { name in
        let mention = try Regex("`\(name)[^A-Za-z0-9_]")
        return !calls.contains { $0.contains(mention) }
      }
      #expect(missing.isEmpty, "the section \(type) lacks \(missing.sorted().joined(separator: ", "))")
    }
  }

  @Test func everyTestThatIsNamedExists() throws {
    var suites: [Substring: String] = [:]
    for path in try Self.files("Tests", "Tests.swift") {
      suites[path.split(separator: "/").last?.dropLast(".swift".count) ?? ""] = try Self.text(path)
    }
    let named = try Self.page().flatMap { $0.matches(of: /`(\w+Tests)\.(\w+)`/) }.map(\.output)
    #expect(named.count > 300)
    let unknown = named.filter { suites[$0.1]?.contains("func \($0.2)(") != true }.map(\.0)
    #expect(unknown.isEmpty, "there is no \(unknown.joined(separator: ", "))")
  }

  /// A row that names no test has the number of a gap, and each number is explained in the list at the end.
  @Test func everyGapIsListed() throws {
    let (rows, items) = (try Self.page().filter { $0.hasPrefix("|") }, try Self.page().filter { $0.hasPrefix("- ") })
    let unnumbered = rows.filter { $0.split(separator: "|").last?.contains(/\bnone\b(?! \(G\d+\))/) == true }
    #expect(unnumbered.isEmpty, "no number: \(unnumbered.joined(separator: "\n"))")
    for (mark, item) in [(/(G\d+)\)/, /^- (G\d+):/), (/(†\d+)/, /^- (†\d+)/)] {
      let marked = Set(rows.flatMap { $0.matches(of: mark) }.map(\.1))
      let listed = Set(items.compactMap { $0.firstMatch(of: item)?.1 })
      let differing = marked.symmetricDifference(listed).sorted().joined(separator: ", ")
      #expect(!marked.isEmpty && marked == listed, "rows and list differ in \(differing)")
    }
  }
}
