// SPDX-License-Identifier: MIT
import ArgumentParser
import Reference
import Foundation
import Murmuration
import Scenes

/// `murmuration verify`: compares the kernels with the model, on this machine.
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Compares the results of batches with references in Double, on every instruction set.",
    discussion: """
      Each line is one kernel, regime and output: the largest error found and the bound, in units of 2⁻²⁴ of the \
      spring's scale S = max(|displacement|, |velocity| / ω₀). Ages reach up to a week, and every lane has a spring \
      and a start of its own. Random programs of calls drive batches; a program that fails is shortened. Tracks are \
      baked, timelines and phases are played in random scenes, layers are mixed, and networks moved. Each track has a \
      bound of its own there, and errors are shares of it. The exit status is 1 if a bound is exceeded.
      """)

  @Option(help: "Check a scene instead: a built-in name, a scene file, a recording or a glTF file.")
  var scene: String?

  @Option(help: "Check one instruction set only.")
  var isa: String?

  @Option(parsing: .unconditional, help: "Where the random draws start.")
  var seed: UInt64 = 1

  @Option(parsing: .unconditional, help: "Springs, values or calls to draw for each check.")
  var samples = 2_000

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    guard 1...100_000_000 ~= samples else {
      throw ValidationError("--samples must be in 1…100000000, is \(samples)")
    }
  }

  func run() throws {
    let sets = try isa.map { [try KernelSet(named: $0)] } ?? KernelSet.available
    var checks: [CheckResult] = []
    if let scene {
      let playable = try SceneSource.load(scene)
      let name = scene.split(separator: "/").last.map(String.init) ?? scene
      for set in sets {
        var verification = SceneVerification("scene.\(name)", on: set)
        try verification.play(playable)
        try report(verification.results, in: &checks)
      }
    } else {
      try checkKernels(sets, in: &checks)
    }
    if json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      encoder.nonConformingFloatEncodingStrategy = .convertToString(
        positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
      try StandardOutput.write(String(decoding: try encoder.encode(["checks": checks]), as: UTF8.self) + "\n")
    } else {
      let failed = checks.filter { !$0.passed }.count
      try StandardOutput.write("\(checks.count - failed) checks passed, \(failed) failed, seed \(seed)\n")
    }
    if checks.contains(where: { !$0.passed }) {
      throw ExitCode.failure
    }
  }

  private func checkKernels(_ sets: [KernelSet], in checks: inout [CheckResult]) throws {
    let kernels = KernelCheck(sets: sets)
    for regime in SpringRegime.allCases {
      try report(kernels.mixed(regime, samples: samples, seed: seed), in: &checks)
      try report(kernels.cohort(regime, samples: samples, seed: seed &+ 1), in: &checks)
      try report(kernels.baked(regime, samples: samples, seed: seed &+ 3), in: &checks)
    }
    for set in sets {
      for (number, subject) in BatchCheck.Subject.allCases.enumerated() {
        let seed = seed &+ 2 &+ 16 &* UInt64(number)
        try report(BatchCheck(set: set).programs(of: subject, operations: samples, seed: seed), in: &checks)
        try report(BakeCheck.bakes(of: subject, on: set, samples: samples, seed: seed &+ 1), in: &checks)
      }
      try report(ParticleCheck.particles(on: set, samples: samples, seed: seed &+ 7), in: &checks)
      try report(MatrixCheck(set: set).mixers(samples: samples, seed: seed &+ 8), in: &checks)
      try report(MatrixCheck(set: set).networks(samples: min(samples, 2_000), seed: seed &+ 9), in: &checks)
      var timelines = SceneVerification("timelines", on: set)
      try timelines.play(samples: samples, seed: seed &+ 4) { try RandomScene.timelines(seed: $0) }
      try report(timelines.results, in: &checks)
      var phases = SceneVerification("phases", on: set)
      try phases.play(samples: samples, seed: seed &+ 5) { try RandomScene.phases(seed: $0) }
      try report(phases.results, in: &checks)
    }
  }

  private func report(_ results: [CheckResult], in checks: inout [CheckResult]) throws {
    checks += results
    guard !json else {
      return
    }
    for result in results {
      let name = result.name.padding(toLength: max(36, result.name.count), withPad: " ", startingAt: 0)
      let isa = result.isa.padding(toLength: 9, withPad: " ", startingAt: 0)
      let error = String(format: "%8.3f", locale: Locale(identifier: "en_US_POSIX"), result.maxError)
      var text = "\(result.passed ? "ok  " : "FAIL") \(name) \(isa) \(error) of \(Int(result.bound)) \(result.unit)\n"
      if !result.passed {
        text += "     worst: \(result.worst)\n"
      }
      try StandardOutput.write(text)
    }
  }
}
