// SPDX-License-Identifier: MIT
import Foundation
import Murmuration
import Testing

/// The README: its length, its order, its links, and the calls in its tables.
struct ReadmeTests {
  /// This file is Tests/MurmurationTests/Documentation/ReadmeTests.swift.
  private static let root = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent()
  }

  private static func lines(_ path: String) throws -> [String] {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8).components(separatedBy: "\n")
  }

  /// The lines of a section, without its heading.
  private static func section(_ name: String) throws -> ArraySlice<String> {
    let lines = try lines("README.md")
    let start = try #require(lines.firstIndex(of: "## \(name)")) + 1
    return lines[start...].prefix { !$0.hasPrefix("## ") }
  }

  /// The inline code of a line.
  private static func code(in line: String) -> [String] {
    line.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
  }

  // MARK: - The calls of the tables

  /// Every call of the tables about batches, once, on values that fit them.
  private static func calls() throws -> (height: Double, vertex: SIMD2<Float>, x: Float) {
    var batch = try AnimationBatch<SIMD2<Float>>()
    let tracks = try batch.add([SIMD2<Float>](repeating: .zero, count: 3))
    let (track, speed) = (tracks[0], SIMD2<Float>(30, 40))
    let goals = [SIMD2<Float>](repeating: [1, 2], count: 3)
    let starts = [0, 0.1, 0.2]
    let clip = try batch.load(
      Clip(KeyframeTimeline(initialValue: SIMD2<Float>.zero) { CubicKeyframe([3, 4], duration: 0.5) }))
    let playbacks = [Playback(), Playback(delay: 0.1)]
    let pulse = try batch.load(PhaseSequence([1, 2], target: { SIMD2(Float($0), 0) }, animation: { _ in .smooth }))
    var rig = try ClipSampler(Clip(KeyframeTimeline(initialValue: 0.0) { CubicKeyframe(100, duration: 0.5) }))
    var sparks = Particles()
    let position = try sparks.addProperty(SIMD2<Float>.self)
    let (places, ends) = (goals, goals)
    // calls: Which call for which need
    let height = Spring.bouncy.value(target: 100.0, time: 0.25)
    try batch.animate(tracks, to: goals, .bouncy)
    try batch.animate(tracks, to: goals, .bouncy, delays: .each(0.02))
    try batch.follow(tracks, with: .snappy)
    try batch.setGoals(of: tracks, goals)
    try batch.animate(tracks, to: goals, .easeInOut(duration: 0.3))
    let coins = try batch.add(playing: clip, playbacks)
    try rig.sample(at: 0.25)
    try batch.play(pulse, on: tracks, startingAt: starts)
    try batch.decelerate(track, velocity: speed, by: .normal)
    let burst = try sparks.add(position.start(at: places, to: ends, .bouncy))
    // end
    let request = BakeRequest(BakeFrames(0..<2, perSecond: 60), indices: 0..<batch.indexCount)
    var (frames, vertices) = ([Float](repeating: 0, count: 2 * 5 * 2), [SIMD2<Float>](repeating: .zero, count: 5))
    do {
      // calls: Which call for which need
      try batch.bake(request, into: &frames)
      // end
    }
    // calls: Which call for which need
    try batch.copyValues(into: &vertices)
    // end
    #expect(coins.count == 2 && burst.count == 3 && frames[0] == 0)
    let moved = vertices[1]
    return (height, moved, try swiftUICalls())
  }

  private static func swiftUICalls() throws -> Float {
    var batch = try AnimationBatch<Float>()
    let (x, completions) = (try batch.add(0), Completions())
    // calls: From SwiftUI
    try batch.animate(x, to: 100, .bouncy)
    try batch.animate(x, to: 0, .easeOut(duration: 0.3).delay(0.1))
    try batch.animate(x, to: 0, nil)
    let change = try batch.animate(x, to: 100, .bouncy, completion: .logicallyComplete)
    completions.when(change) { print($0.isComplete) }
    let hop = KeyframeTimeline(initialValue: 0.0) { CubicKeyframe(100, duration: 0.3) }
    try batch.play(batch.load(Clip(hop)), on: [x])
    let beat = try PhaseSequence([1, 1.25], target: { Float($0) }, animation: { _ in .smooth })
    try batch.set(x, 20, velocity: 300)
    // end
    #expect(beat.phaseCount == 2)
    return batch[x] ?? .nan
  }

  /// The lines between `calls: NAME` and `end`, of this file and of the tests of the products beside the library.
  private static func compiled(_ name: String) throws -> [String] {
    var (calls, isInside): ([String], Bool) = ([], false)
    let files = [
      "MurmurationTests/Documentation/ReadmeTests", "RigsTests/RigsExamples", "ModalMotionTests/ModalMotionExamples",
    ]
    for line in try files.flatMap({ try lines("Tests/\($0).swift") }) {
      let text = line.trimmingCharacters(in: .whitespaces)
      if text == "// calls: \(name)" || text == "// end" {
        isInside = text != "// end"
      } else if isInside {
        calls.append(text)
      }
    }
    return calls
  }

  @Test func theCallsOfTheTablesRun() throws {
    let (height, vertex, x) = try Self.calls()
    #expect(height == Spring.bouncy.value(target: 100.0, time: 0.25))
    #expect(vertex == .zero && x == 20)
  }

  @Test(arguments: ["Which call for which need", "From SwiftUI"]) func theTablesShowTheseCalls(_ name: String) throws {
    let rows = try Self.section(name).filter { $0.hasPrefix("| ") }.dropFirst()
    let shown = rows.flatMap { row in
      // The code of the last column is calls, and names of types.
      Self.code(in: row.components(separatedBy: " | ").last ?? "").filter { $0.contains { !$0.isLetter } }
    }
    #expect(shown.count >= rows.count && rows.count >= 8)
    #expect(Set(shown) == Set(try Self.compiled(name)))
  }

  // MARK: - The page

  @Test func itIsShortAndInOrder() throws {
    let lines = try Self.lines("README.md")
    #expect(lines.count <= 200)
    #expect(
      lines.filter { $0.hasPrefix("## ") }.map { $0.dropFirst(3) } == [
        "Why", "When not to use it", "Quick start", "See it", "Which call for which need", "From SwiftUI", "Speed",
        "How it is checked", "The tool", "Formats and languages", "Examples", "Documentation", "Requirements",
        "Contributing, stability, licence",
      ])
  }

  @Test func whatItNamesIsThere() throws {
    let text = try Self.lines("README.md").joined(separator: " ")
    let links = text.matches(of: /\]\(([A-Za-z0-9_.\/-]+)\)/).map { String($0.output.1) }
    let scripts = text.matches(of: /`(Scripts\/[a-z-]+|\.ci\/run|Benchmarks\/[a-z.]+)`/).map { String($0.output.1) }
    #expect(links.count >= 12 && scripts.count >= 5)
    for path in links + scripts {
      let file = Self.root.appendingPathComponent(path).path
      #expect(FileManager.default.fileExists(atPath: file), "\(path)")
      if scripts.contains(path), !path.hasPrefix("Benchmarks") {
        #expect(FileManager.default.isExecutableFile(atPath: file), "\(path)")
      }
    }
    let picture = "Sources/Murmuration/Murmuration.docc/Resources/flock.webp"
    #expect(try Data(contentsOf: Self.root.appendingPathComponent(picture)).count <= 3_000_000)
  }

  /// The text below the first example is its output.
  @Test func theOutputIsTheExamples() throws {
    let lines = try Self.section("Quick start")
    let start = try #require(lines.firstIndex(of: "```text"))
    let shown = lines[(start + 1)...].prefix { $0 != "```" }.map { Double($0) }
    var printer = Printer()
    try Examples.readme(&printer)
    #expect(shown.count == printer.printed.count)
    for (shown, printed) in zip(shown, printer.printed.dropLast()) {
      #expect(shown.map { Float($0) } == Float(printed), "\(Float(printed))")
    }
    // The last line is the model's; sines of the C library may differ in their last bit.
    let last = try #require(shown.last ?? nil)
    #expect(abs(last - printer.printed[printer.printed.count - 1]) < 1e-12, "\(printer.printed)")
  }
}
