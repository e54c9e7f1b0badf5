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
    for set in KernelSet.available {
      #expect(outcome.output.contains(" \(set.rawValue) "))
    }
    #expect(outcome.output.hasSuffix(", 0 failed, seed 1\n"))
  }

  @Test func theAnswerInJSONHasTheNamedFields() throws {
    let outcome = try ToolProcess.succeed(["verify", "--samples", "10", "--isa", "portable", "--seed", "7", "--json"])
    struct Check: Decodable {
      var name, isa, unit: String
      var samples: Int
      var maxError, bound: Double
      var passed: Bool
    }
    let checks = try JSONDecoder().decode([String: [Check]].self, from: Data(outcome.output.utf8))["checks"] ?? []
    #expect(checks.count > 30)
    #expect(checks.allSatisfy { $0.isa == "portable" && $0.passed && $0.samples >= 10 && $0.maxError <= $0.bound })
  }

  @Test func aSceneIsCheckedOnOneSet() throws {
    let outcome = try ToolProcess.succeed(["verify", "burst", "--tracks", "60", "--isa", "portable"])
    #expect(outcome.output.contains("scene.burst.value"))
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

    struct Check: Decodable { var name: String, samples: Int, maxError: Double }
    let json = try ToolProcess.run(["verify", path, "--isa", "portable", "--threads", "2", "--json"])
    let checks = try JSONDecoder().decode([String: [Check]].self, from: Data(json.output.utf8))["checks"] ?? []
    #expect(checks.map(\.name) == ["recording.value", "recording.velocity", "recording.state"])
    #expect(checks.prefix(2).allSatisfy { $0.samples == 6 && $0.maxError > 0 } && checks[2].maxError == 0)
  }

  @Test func aRecordingThatCannotBePlayedIsAnErrorThatSaysWhy() throws {
    let folder = try TemporaryFolder()
    let unknown = #"{"curveTolerance": 0.001, "dimensions": 1, "calls": [{"call": "fly"}]}"#
    let impossible = #"{"curveTolerance": 7, "dimensions": 1, "calls": []}"#
    let wrong = #"{"curveTolerance": 0.001, "dimensions": 1, "calls": [{"call": "add", "values": ["far"]}]}"#
    let empty = #"{"curveTolerance": 0.001, "dimensions": 1, "calls": []}"#
    for (text, options, reason) in [
      (unknown, [], "call 0, fly, is unknown"), (impossible, [], "tolerance"), (wrong, [], "calls[0].values[0]"),
      (empty, ["--fps", "30"], "go with a SCENE"),
    ] {
      let path = folder.write("recording.json", text)
      let outcome = try ToolProcess.run(["verify", path] + options)
      #expect(outcome.status != 0 && outcome.output.isEmpty && outcome.errors.contains(reason), "\(outcome.errors)")
    }
    // Calls that the batch refuses are no fault: the reference does not get them either.
    let refused = """
      {"curveTolerance": 0.001, "dimensions": 1, "calls": [{"call": "add", "values": [1]},
        {"call": "stop", "indices": [-3, 1]}, {"call": "stop", "tracks": [-1, 9]}, {"call": "advance", "time": 1}]}
      """
    let path = folder.write("recording.json", refused)
    let outcome = try ToolProcess.succeed(["verify", path])
    #expect(outcome.output.contains("1 values and velocities compared"), "\(outcome.errors)")
  }

  /// Mistakes in drawn calls depend on the seed alone. They once depended on the order of a dictionary.
  @Test func aSeedGivesTheSameProgramsInEveryProcess() throws {
    let arguments = ["programs", "--count", "12", "--seed", "90"]
    let (first, second) = (try ToolProcess.run(arguments), try ToolProcess.run(arguments))
    #expect(first.status == 0 && !first.output.isEmpty && first.output == second.output)
  }

  @Test(arguments: ["hearts", "camera-tour", "phases"])
  func keyframesAndPhasesAreChecked(_ scene: String) throws {
    let arguments = ["run", scene, "--tracks", "40", "--fps", "12", "--verify", "--details"]
    let outcome = try ToolProcess.succeed(arguments)
    #expect(outcome.output.contains("40 of 40 kernel tracks (100.0 %)"), "\(outcome.errors)")
    try ToolProcess.refuse(arguments + ["--perturb-reference", "1e-4"], "not within the error bound")
  }

  @Test(arguments: [
    (["nowhere"], "nowhere"), (["burst", "--tracks", "1..<2"], "--tracks takes a number here"),
    (["--isa", "sse9"], "sse9"), (["--samples", "0"], "--samples"), (["--samples", "1e3"], "--samples"),
  ])
  func whatCannotBeCheckedIsAnErrorThatSaysWhy(_ arguments: [String], _ reason: String) throws {
    let outcome = try ToolProcess.run(["verify"] + arguments)
    #expect(outcome.status != 0 && outcome.output.isEmpty)
    #expect(outcome.errors.contains(reason), "\(outcome.errors)")
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"))) func aFullDiskIsAnError() throws {
    try ToolProcess.refuse(
      ["verify", "--samples", "1", "--isa", "portable"], "standard output", outputPath: "/dev/full")
  }
}
