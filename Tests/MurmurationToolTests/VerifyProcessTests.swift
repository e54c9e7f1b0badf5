// SPDX-License-Identifier: MIT
import Foundation
import Murmuration
import TestSupport
import Testing

/// `murmuration verify` as a process.
struct VerifyProcessTests {
  @Test func everyKernelOfThisMachineIsCheckedAndPasses() throws {
    let outcome = try ToolProcess.run(["verify", "--samples", "40"])
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    for set in KernelSet.available {
      #expect(outcome.output.contains(" \(set.rawValue) "))
    }
    #expect(outcome.output.hasSuffix(", 0 failed, seed 1\n"))
  }

  @Test func theAnswerInJSONHasTheNamedFields() throws {
    let outcome = try ToolProcess.run(["verify", "--samples", "40", "--isa", "portable", "--seed", "7", "--json"])
    #expect(outcome.status == 0)
    struct Check: Decodable {
      var name, isa, unit: String
      var samples: Int
      var maxError, bound: Double
      var passed: Bool
    }
    let checks = try JSONDecoder().decode([String: [Check]].self, from: Data(outcome.output.utf8))["checks"] ?? []
    #expect(checks.count > 30)
    #expect(checks.allSatisfy { $0.isa == "portable" && $0.passed && $0.samples >= 40 && $0.maxError <= $0.bound })
  }

  @Test func aSceneIsCheckedOnOneSet() throws {
    let outcome = try ToolProcess.run(["verify", "burst", "--isa", "portable"])
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("scene.burst.value"))
  }

  @Test(arguments: ["hearts", "camera-tour", "phases"])
  func keyframesAndPhasesAreChecked(_ scene: String) throws {
    let arguments = ["run", scene, "--tracks", "100", "--fps", "20", "--verify"]
    let outcome = try ToolProcess.run(arguments)
    #expect(outcome.status == 0 && outcome.output.contains("100 of 100 kernel tracks (100.0 %)"), "\(outcome.errors)")
    let failure = try ToolProcess.run(arguments + ["--perturb-reference", "1e-4"])
    #expect(failure.status != 0 && failure.errors.contains("not within the error bound"))
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
    let outcome = try ToolProcess.run(["verify", "--samples", "10"], outputPath: "/dev/full")
    #expect(outcome.status == 1 && outcome.errors.contains("standard output"))
  }
}
