// SPDX-License-Identifier: MIT
import Foundation
import Murmuration
import ScenePictures
import Scenes
import TestSupport
import Testing

@testable import MurmurationTool

/// `serve` becomes the program beside the tool.
@Suite struct ServeProcessTests {
  /// Runs a copy of the tool in a folder of its own, beside a program or none.
  private func serve(_ arguments: [String], program: String?) throws -> ToolProcess.Outcome {
    let folder = try TemporaryFolder()
    try folder.install(ToolProcess.executable().resolvingSymlinksInPath().path, as: "murmuration")
    if let program { try folder.install(folder.write("program", program), as: "murmuration-serve") }
    return try ToolProcess.run(["serve"] + arguments, program: folder.path("murmuration"))
  }

  @Test func itPassesArgumentsAndStatusOn() throws {
    let program = "#!/bin/sh\nprintf '<%s>' \"$@\"\necho words >&2\nexit 7\n"
    let outcome = try serve(["--port", "0", "--folder", "a b", "--help", "--", "-x"], program: program)
    #expect(outcome.output == "<--port><0><--folder><a b><--help><--><-x>")
    #expect(outcome.errors == "words\n" && outcome.status == 7)
    #expect(try serve([], program: "#!/bin/sh\necho $#\n").output == "0\n")
  }

  @Test func withoutTheProgramItSaysHowToBuildIt() throws {
    let outcome = try serve(["--port", "0"], program: nil)
    #expect(outcome.status == 1 && outcome.output.isEmpty)
    #expect(outcome.errors.contains("murmuration-serve: cannot be run: No such file or directory"))
    #expect(outcome.errors.contains("swift build -c release --product murmuration-serve"))
  }
}

/// The keys of `murmuration watch`, and what they do.
struct WatchStateTests {
  @Test func keysAreReadFromBytes() {
    #expect(
      WatchState.keys(Array("q hl[]jkrt".utf8)) == [
        .quit, .pause, .back, .forward, .shorter, .longer, .flatter, .bouncier, .restart, .theme,
      ])
    #expect(
      WatchState.keys([0x1B, 0x5B, 0x41, 0x1B, 0x5B, 0x42, 0x1B, 0x4F, 0x43, 0x1B, 0x5B, 0x44])
        == [.bouncier, .flatter, .forward, .back])
    // An arrow with Shift, and sequences of no key or cut short.
    #expect(WatchState.keys([0x1B, 0x5B] + Array("1;2C".utf8)) == [.forward])
    #expect(WatchState.keys([0x1B, 0x5B] + Array("200~".utf8) + [0x20]) == [.pause])
    for cut in [[0x1B], [0x1B, 0x5B], [0x1B, 0x5B, 0x31], [0xFF, 0x00]] as [[UInt8]] {
      #expect(WatchState.keys(cut).isEmpty)
    }
  }

  @Test func timePassesUnlessPausedAndStartsAgain() {
    var state = WatchState(duration: 3, theme: .dark)
    state.pass(1.5)
    #expect(state.time == 1.5)
    state.press(.pause)
    state.pass(1)
    #expect(state.time == 1.5 && state.isPaused)
    state.press(.forward)
    #expect(state.time == 2.5)
    state.press(.forward)
    #expect(state.time == 3)
    state.press(.pause)
    state.pass(0.1)
    #expect(state.time == 0)
    state.press(.back)
    #expect(state.time == 0)
  }

  @Test func springsStayWithinTheirLimits() {
    var state = WatchState(duration: 3, theme: .dark)
    for _ in 0..<100 { state.press(.longer) }
    for _ in 0..<100 { state.press(.bouncier) }
    #expect(state.change.durationFactor == 16 && state.change.bounce == 1)
    for _ in 0..<200 { state.press(.shorter) }
    for _ in 0..<200 { state.press(.flatter) }
    #expect(state.change.durationFactor == 1.0 / 16 && state.change.bounce == -1)
  }

  @Test func theStatusFitsTheScreen() {
    let state = WatchState(duration: 12, theme: .dark)
    var tracks = BatchWork.Tracks()
    (tracks.springs, tracks.still, tracks.atRest) = (70, 30, 45)
    for columns in [0, 1, 20, 80, 300] {
      #expect(state.status(name: "shapes", tracks, columns: columns).count <= columns)
    }
    let whole = state.status(name: "shapes", tracks, columns: 300)
    #expect(whole.hasPrefix("▶ shapes  0.0 of 12.0 s  springs × 1.00, bounce +0.0  55 of 100 move"))
  }
}

/// The sentence about a share of the roofline names the main reason for it.
struct RooflineTests {
  @Test(arguments: [
    (0.9, 1e9, 1.0, 1.0, 0.0, "about as fast as memory"), (0.1, 1e9, 1, 0.1, 1, "set out, complete or come to rest"),
    (0.1, 1e9, 1, 0.1, 0, "most tracks are at rest"), (0.1, 1e4, 5e-6, 1, 0, "takes 5 µs, of which its fixed cost"),
    (0.1, 1048576.0, 1e-3, 1, 0, "the 1000 KiB of a frame fit into caches"), (0.1, 1e9, 1, 1, 0, "more arithmetic"),
  ])
  func theSentenceSaysWhatIsKnown(
    share: Double, bytes: Double, seconds: Double, awake: Double, events: Double, words: String
  ) {
    let explanation = Roofline.explanation(
      share: share, bytesAtOnce: bytes, secondsPerFrame: seconds, awake: awake, events: events)
    #expect(explanation.contains(words), "\(explanation)")
  }

  @Test func nothingIsMeasuredWhereNothingMoved() {
    #expect(Roofline(bytes: 0, bytesAtOnce: 0, seconds: 0, frames: 0) == nil)
    #expect(Roofline(bytes: 10, bytesAtOnce: 10, seconds: 0, frames: 1) == nil)
  }
}

/// Commands that are refused: the tables of `Tests/Fixtures/Tables/commands.txt`.
///
/// A row has the status, the words after `murmuration`, and words of the error; these are the whole error if they begin with
/// `Error:` and end a line. SCENE and BURST are scene files, BARS one of bars, CORPORA the folder of corpora, and FOLDER an empty folder.
struct RefusedCommandTests {
  private static let rows = TextTable.all(in: "commands.txt").filter { $0.name != "drawn" }.flatMap(\.rows)

  @Test func theTablesAreThere() { #expect(Self.rows.count > 130) }

  @Test(arguments: rows) func mistakesAreNamedAndNothingIsWritten(_ row: [String]) throws {
    let folder = try TemporaryFolder()
    let places = [
      "SCENE": Fixtures.path("Scenes/bake.json"), "BURST": Fixtures.path("Scenes/burst.json"),
      "BARS": Fixtures.path("../../Benchmarks/springs.json"),
      "CORPORA": Fixtures.path("Corpora"), "FOLDER": folder.url.path,
    ]
    let arguments = ToolProcess.words(row[1]).map { word in
      places.reduce(word) { $0.replacing($1.key, with: $1.value) }
    }
    let isWhole = row[2].hasPrefix("Error: ") && row[2].hasSuffix("\n") && row[0] == "1"
    try ToolProcess.refuse(arguments, status: #require(Int32(row[0])), row[2], exactly: isWhole)
    #expect(folder.names.isEmpty)
  }
}

/// The answers of the tool to wrong command lines.
@Suite struct CommandLineTests {
  @Test(arguments: [["help"], ["help", "run"], ["help", "help"]]) func helpOfWhatThereIs(arguments: [String]) throws {
    let outcome = try ToolProcess.run(arguments)
    #expect(outcome.status == 0 && outcome.output.hasPrefix("OVERVIEW:") && outcome.errors.isEmpty)
  }

  @Test("A fault that is found late names the help of its command", arguments: [["--frames", "3"], ["--group", "0"]])
  func lateFaults(options: [String]) throws {
    let outcome = try ToolProcess.run(["plot", "bouncy"] + options)
    #expect(outcome.status == 64 && outcome.output.isEmpty)
    #expect(outcome.errors.hasPrefix("Error: --group, --component, --track,"))
    #expect(outcome.errors.contains("See 'murmuration plot --help'") && !outcome.errors.contains("<subcommand>"))
  }
}
