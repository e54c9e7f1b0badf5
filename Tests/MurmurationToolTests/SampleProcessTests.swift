// SPDX-License-Identifier: MIT
import Formats
import Foundation
import Murmuration
import TestSupport
import Testing

/// `murmuration sample` as a process, with streams and an exit status.
struct SampleProcessTests {
  private let request = #"{"kind": "spring", "spring": {"duration": 0.5, "bounce": 0.2}, "times": [0, 0.1, 0.2]}"#

  @Test func moreRequestsThanMemoryHoldsAreRefused() throws {
    let input = "[" + String(repeating: "0,", count: 1_000_000) + "0]"
    let words = "Error: standard input: must hold at most 1000000 requests, holds 1000001\n"
    try ToolProcess.refuse(["sample"], words, exactly: true, input: input)
  }

  @Test func oneRequestIsAnsweredWithOneObject() throws {
    let outcome = try ToolProcess.succeed(["sample"], input: request)
    #expect(outcome.errors.isEmpty)
    let answer = try outcome.json
    let values = try #require(answer.values?.numbers)
    // x(t) = 1 − e^{−dt}(cos ωt + d/ω·sin ωt) with d = 0.8·4π, ω = 0.6·4π, computed outside this package.
    #expect(values.count == 3 && values[0] == 0 && isClose(values[1], 0.399251267934662, absolute: 1e-14))
    #expect(isClose(values[2], 0.813403338123451, absolute: 1e-14) && answer.velocities?.numbers.count == 3)
    // ln((d + 1)/0.001)/d, as SwiftUI has it.
    #expect(isClose(try #require(answer.duration?.number), 0.926129168365972, absolute: 1e-14))
  }

  @Test func requestsAreAnsweredInOrderAndABadOneInItsPlace() throws {
    let requests = """
      [\(request),
       {"kind": "spring", "spring": {"bounce": 3}, "times": [0]},
       {"kind": "curve", "curve": "linear", "times": [0.25]},
       {"kind": "settling", "spring": {"bounce": 1}},
       {"kind": "dance"}, 7]
      """
    let outcome = try ToolProcess.run(["sample", "-"], input: requests)
    #expect(outcome.status == 1)
    let answers = try outcome.json.elements
    #expect(answers.count == 6 && answers[0].values?.numbers.count == 3)
    #expect(answers[1].error?.string == "spring.bounce: must be in (−1, 1], is 3")
    #expect(answers[2].values?.numbers == [0.25] && answers[2].duration == nil)
    #expect(answers[3].settlingDuration?.string == "inf")
    let unknown = "kind: unknown kind \"dance\" (known: spring, curve, timeline, settling)"
    #expect(answers[4].error?.string == unknown && answers[5].error?.string == "must be an object, is a number")
  }

  /// The name - is standard output, and a file that cannot be written is refused before all work.
  @Test func outputsAreStandardOutputOrFilesThatCanBeWritten() throws {
    let plain = try ToolProcess.succeed(["sample"], input: request)
    #expect(try ToolProcess.succeed(["sample", "-o", "-"], input: request).output == plain.output)
    for command in [["verify", "--samples", "100000000"], ["bench"]] {
      try ToolProcess.refuse(command + ["-o", "/missing/a.json"], "/missing/a.json: cannot be written: No such file")
      try ToolProcess.refuse(command + ["-o", "-"], status: 64, "--json prints on standard output")
    }
  }

  /// With --json the outcome of a file is told, whatever its format. Nothing was.
  @Test func theOutcomeOfAFileIsAnObject() throws {
    let folder = try TemporaryFolder()
    for format in ["json", "csv"] {
      let (arguments, path) = (["sample", "--format", format, "--json", "-o"], folder.path("a.\(format)"))
      let outcome = try ToolProcess.run(arguments + [path], input: "[\(request), {\"kind\": \"dance\"}]")
      let json = try outcome.json
      #expect(outcome.status == 1 && json.output?.string == path)
      #expect(json.requests?.number == 2 && json.errors?.number == 1)
      #expect(try ToolProcess.succeed(["sample", "--format", format, "-o", path], input: request).output.isEmpty)
      #expect(try !folder.text("a.\(format)").isEmpty)
    }
    try ToolProcess.refuse(["sample", "--format", "csv", "--json"], status: 64, "--json goes with", input: request)
  }

  @Test func anInterruptedSampleLeavesNothing() throws {
    let folder = try TemporaryFolder()
    let times = (0..<100).map { "\($0)e-2" }.joined(separator: ",")
    let request = "{\"kind\": \"spring\", \"spring\": \"bouncy\", \"times\": [\(times)]}"
    let requests = "[" + [String](repeating: request, count: 4000).joined(separator: ",") + "]"
    let process = Process()
    process.executableURL = try ToolProcess.executable()
    process.arguments = ["sample", folder.write("in.json", requests), "-o", folder.path("out.json")]
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    // The file that is written has another name at first.
    while process.isRunning, folder.names.count < 2 { usleep(1000) }
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 130 && folder.names == ["in.json"])
    #expect(errors.fileHandleForReading.availableData == Data("interrupted; nothing was written\n".utf8))
  }

  @Test func numbersAsTextReadBackAsTheSameBits() throws {
    let requests = #"{"kind": "spring", "spring": "bouncy", "from": 0.1, "target": 1e15, "times": [0, 0.3, 1e-9, 7]}"#
    let json = try ToolProcess.run(["sample"], input: requests).json
    let csv = try ToolProcess.run(["sample", "--format", "csv"], input: requests).output.split(separator: "\n")
    #expect(csv[0] == "request,time,value,velocity")
    let rows = csv.dropFirst().map { $0.split(separator: ",").compactMap { Double($0) } }
    #expect(rows.map { $0[1] } == [0, 0.3, 1e-9, 7] && rows.map { $0[2] } == json.values?.numbers)
    #expect(rows.map { $0[3] } == json.velocities?.numbers)
  }

  @Test func csvTellsErrorsAndSettlingApart() throws {
    let requests = #"[{"kind": "spring"}, {"kind": "settling", "spring": {"bounce": 1}}]"#
    let outcome = try ToolProcess.run(["sample", "--format", "csv"], input: requests)
    #expect(outcome.status == 1 && outcome.output == "request,time,value,velocity\n1,inf,,\n")
    #expect(outcome.errors == "Error: request 0: spring: is missing\n")
  }

  @Test func noAnswerIsNotANumber() throws {
    let requests =
      #"[{"kind": "spring", "spring": "bouncy", "times": [0, -1, -1000]}, {"kind": "settling", "spring": {}}]"#
    let outcome = try ToolProcess.run(["sample"], input: requests)
    let answers = try outcome.json.elements
    #expect(answers[0].error?.string == "times[2]: the motion is beyond what a Double can hold there")
    #expect(answers[1].settlingDuration != nil && outcome.status == 1)
  }

  @Test func anEndlessInputIsGivenUp() throws {
    let words = "Error: standard input: is larger than the limit of 64 MiB\n"
    try ToolProcess.refuse(["sample"], words, exactly: true, inputPath: "/dev/zero")
  }

  @Test func aFullDiskIsNoSuccess() throws {
    for arguments in [
      ["sample"], ["--help"], ["plot", "bouncy", "--terminal"], ["run", Fixtures.path("Scenes/run.json")],
      ["verify", "--samples", "1", "--isa", "portable"],
    ] {
      let words = "Error: standard output: No space left on device\n"
      try ToolProcess.refuse(arguments, words, exactly: true, input: request, outputPath: "/dev/full")
    }
  }

  @Test func aClosedPipeEndsQuietlyAndIsNoSuccess() throws {
    let process = Process()
    process.executableURL = try ToolProcess.executable()
    process.arguments = ["plot", "--spring", "bouncy", "--output", "-"]
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    process.standardInput = FileHandle.nullDevice
    // The reader closes the stream before the first byte.
    try output.fileHandleForReading.close()
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 141)
    #expect(errors.fileHandleForReading.availableData.isEmpty)
  }

  /// (`SampleAnswerTests` has its values.)
  @Test func simdPlaysWhatItCanAndSaysWhatItCannot() throws {
    let requests = """
      [\(request), {"kind": "curve", "curve": {"steps": 100000}, "times": [0.5]}, {"kind": "timeline", "track": []}]
      """
    let outcome = try ToolProcess.run(["sample", "--engine", "simd"], input: requests)
    let answers = try outcome.json.elements
    let values = try #require(answers[0].values?.numbers)
    #expect(outcome.status == 1 && isClose(values[2], 0.813403338123451, absolute: 8 * 0x1p-24))
    #expect(answers[1].error?.string == "track 0, key 0: too rough for pieces at about 0.0 s")
    #expect(answers[2].error?.string == "times: is missing")
    try ToolProcess.refuse(
      ["sample", "--engine", "simd"], "abacus", input: request, environment: ["MURMURATION_ISA": "abacus"])
  }

  @Test func simdAnswersTheMotionItselfAndNotItsRest() throws {
    let request = """
      {"kind": "spring", "spring": {"duration": 0.5, "bounce": 0.2}, "from": 1, "target": 0, "times": [2]}
      """
    let values = try ["reference", "simd"].map { engine in
      try ToolProcess.run(["sample", "--engine", engine], input: request).json.values?.numbers.first ?? .nan
    }
    let (exact, value) = (values[0], values[1])
    #expect(abs(exact) < 1e-6 && value != 0 && abs(value - exact) < 1e-3 * abs(exact))
  }

  /// A spring is the `linear()` of its tolerance, and requests without a form in CSS are named.
  @Test func motionsAreWrittenAsCSS() throws {
    let requests = """
      [{"kind": "spring", "spring": "bouncy", "from": 3, "target": 7}, {"kind": "curve", "curve": "ease-out"},
       {"kind": "timeline", "track": [{"type": "linear", "to": 10, "duration": 0.5}, {"type": "move", "to": 1},
        {"type": "linear", "to": 3, "duration": 1.5}]},
       {"kind": "settling", "spring": {}}, {"kind": "spring", "spring": "bouncy", "velocity": 4}, {"kind": "circle"}]
      """
    let outcome = try ToolProcess.run(["sample", "--format", "css", "--tolerance", "0.004"], input: requests)
    #expect(outcome.status == 1)
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.first == "/* A spring, within 0.004 of its way. */")
    let match = outcome.output.firstMatch(
      of: /\.request-0 \{ transition-duration: (.+)s; transition-timing-function: (.+); \}/)
    #expect(try match.map { String($0.2) } == CSSLinear(.bouncy, tolerance: 0.004).css)
    outcome.expect(
      ".request-1 { transition-timing-function: cubic-bezier(0, 0, 0.58, 1); }\n",
      "  25% { --value: 1; animation-timing-function: linear; }\n  100% { --value: 3; }\n")
    #expect(outcome.output.hasSuffix(".request-2 { animation: request-2-value 2s linear both; }\n"))
    for words in [
      "request 3: the time to settle is no motion", "request 4: a spring is written as CSS if it starts from rest",
      "request 5: kind: unknown kind",
    ] { #expect(outcome.errors.contains("Error: \(words)"), "\(outcome.errors)") }
  }
}
