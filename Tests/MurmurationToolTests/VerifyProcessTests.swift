// SPDX-License-Identifier: MIT
import Foundation
import Murmuration
import MurmurationReference
import TestSupport
import Testing

/// `murmuration verify` as a process.
struct VerifyProcessTests {
  @Test func everyKernelOfThisMachineIsCheckedAndPasses() throws {
    let outcome = try ToolProcess.succeed(["verify", "--samples", "10"])
    #expect(outcome.errors.isEmpty)
    for set in KernelSet.available { outcome.expect(" \(set.rawValue) ") }
    #expect(outcome.output.hasSuffix(", 0 failed, seed 1\n"))
  }

  @Test func theAnswerInJSONHasTheNamedFields() throws {
    let json = try ToolProcess.succeed(["verify", "--samples", "10", "--isa", "portable", "--seed", "7", "--json"]).json
    let checks = json.checks?.elements ?? []
    #expect(checks.count > 30)
    for check in checks {
      #expect(check.isa?.string == "portable" && check.passed?.bool == true && check.unit?.string != nil)
      let (error, bound) = (try #require(check.maxError?.number), try #require(check.bound?.number))
      #expect(error <= bound && check.samples?.number ?? 0 >= 10, "\(check.name?.string ?? "")")
    }
  }

  @Test func aRecordingIsCheckedOnEverySet() throws {
    let folder = try TemporaryFolder()
    var batch = try AnimationBatch<SIMD2<Float>>()
    try batch.record()
    let dots = try batch.add([[0, 0], [10, 0]])
    try batch.animate(dots, to: [[0, 50], [-20, 5]], .bouncy)
    try batch.advance(to: 0.25)
    try batch.remove(dots[1])
    try batch.advance(to: 0.5)
    let kept = batch.stopRecording()
    let recording = try #require(kept)
    let path = folder.write("recording.json", try recording.json())

    let outcome = try ToolProcess.succeed(["verify", path])
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    for set in KernelSet.available {
      #expect(outcome.output.contains("ok   \(set): 6 values and velocities compared\n"), "\(outcome.output)")
    }
    // Where and when: a track, a call and a time.
    let place = try Regex(
      "largest error of a (value|velocity): 0[.][0-9]+ of the bound; track [01], call [46], 0[.]2?5 s: ")
    #expect(outcome.output.matches(of: place).count == 2 * KernelSet.available.count, "\(outcome.output)")

    let json = try ToolProcess.run(["verify", path, "--isa", "portable", "--threads", "2", "--json"]).json
    let checks = json.checks?.elements ?? []
    #expect(checks.map(\.name?.string) == ["recording.value", "recording.velocity", "recording.state"])
    #expect(checks.prefix(2).map(\.samples?.number) == [6, 6])
    #expect(checks.map { ($0.maxError?.number ?? .nan) > 0 } == [true, true, false])
  }

  @Test func aRecordingThatCannotBePlayedIsAnErrorThatSaysWhy() throws {
    let folder = try TemporaryFolder()
    func recording(_ calls: String, tolerance: Double = 0.001) -> String {
      folder.write("a.json", #"{"curveTolerance": \#(tolerance), "dimensions": 1, "calls": [\#(calls)]}"#)
    }
    let far = #"{"call": "add", "values": ["far"]}"#
    try ToolProcess.refuse(["verify", recording(#"{"call": "fly"}"#)], "call 0, fly, is unknown")
    try ToolProcess.refuse(["verify", recording("", tolerance: 7)], "tolerance")
    try ToolProcess.refuse(["verify", recording(far)], "calls[0].values[0]")
    for option in [["--fps", "30"], ["--seed", "3"], ["--lenient"]] {
      try ToolProcess.refuse(["verify", recording("")] + option, status: 64, "go with a SCENE")
    }
    // Calls that the batch refuses are no fault: the reference does not get them either.
    let path = recording(
      #"""
      {"call": "add", "values": [1]}, {"call": "stop", "indices": [-3, 1]}, {"call": "stop", "tracks": [-1, 9]},
      {"call": "advance", "time": 1}
      """#)
    try ToolProcess.succeed(["verify", path]).expect("1 values and velocities compared")
  }

  /// Mistakes in drawn calls depend on the seed alone. They once depended on the order of a dictionary.
  ///
  /// Seed 119 draws a call about no tracks, which has no playback.
  @Test(arguments: [[], ["--web"]])
  func aSeedGivesTheSameProgramsInEveryProcess(options: [String]) throws {
    let arguments = ["programs", "--count", "31", "--seed", "90"] + options
    let (first, second) = (try ToolProcess.run(arguments), try ToolProcess.run(arguments))
    #expect(first.status == 0 && !first.output.isEmpty && first.output == second.output)
  }
}
