// SPDX-License-Identifier: MIT
import ArgumentParser
import Formats
import Foundation
import Murmuration
import MurmurationReference
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
      baked, animations, timelines and phases are played in random scenes, layers are mixed, and networks moved. Each track has a \
      bound of its own there, and errors are shares of it. The exit status is 1 if a bound is exceeded.

      With a SCENE, its frames are checked instead. With a file of a batch's recording, its calls are: the report has \
      the largest errors in units of their bounds, where and when they were seen, and if the batch differs from the \
      reference, the shortest program that still does, as Swift source. --seed is where random draws start, and --isa \
      checks one instruction set alone. -o writes the checks to a file as JSON; with --quiet only failed checks and \
      the number of checks are printed.

      EXAMPLES:
        murmuration verify
        murmuration verify --samples 100 --isa portable --json
        murmuration verify burst --duration 2
        murmuration verify recording.json
      """)

  @OptionGroup var scene: SceneArgument

  /// The earlier way to name a scene.
  @Option(name: .customLong("scene"), help: .hidden)
  var oldScene: String?

  @Option(parsing: .unconditional, help: "Springs, values or calls to draw for each check; 2000 without it.")
  var samples: Int?

  @OptionGroup var playing: SceneOptions

  @OptionGroup var output: OutputOptions

  private var seed: UInt64 { playing.play.seed ?? 1 }

  func validate() throws {
    try playing.requireCountOfTracks()
    guard scene.scene ?? oldScene != nil || !playing.areForScenes else {
      throw ValidationError("--frames, --duration, --fps, --tracks, --lenient and --threads go with a SCENE")
    }
    guard let samples else { return }
    guard scene.scene ?? oldScene == nil else { throw ValidationError("--samples goes without a SCENE") }
    guard 1...100_000_000 ~= samples else {
      throw ValidationError("--samples must be in 1…100000000, is \(samples)")
    }
  }

  func run() throws {
    try output.check()
    let sets = playing.play.isa.map { [$0] } ?? KernelSet.available
    var checks: [CheckResult] = []
    let name = scene.scene ?? oldScene
    if let name, let recording = try recording(inFile: name) {
      try check(recording, sets, in: &checks)
    } else if let name {
      let (playable, frames) = try playing.load(name)
      let shortName = name.split(separator: "/").last.map(String.init) ?? name
      for set in sets {
        var verification = SceneVerification("scene.\(shortName)", on: set)
        try verification.play(playable, frames: frames)
        try report(verification.results, in: &checks)
      }
    } else {
      try checkKernels(sets, samples: samples ?? 2_000, in: &checks)
    }
    if let path = output.output { try OutputOptions.write(try JSONText.of(["checks": checks]), to: path) }
    let failed = checks.count { !$0.passed }
    try output.print(
      "\(checks.count - failed) checks passed, \(failed) failed, seed \(seed)\n", json: ["checks": checks])
    if checks.contains(where: { !$0.passed }) {
      throw ExitCode.failure
    }
  }

  /// The recording of a batch in a .json file; nil if the file is something else, such as a scene.
  private func recording(inFile name: String) throws -> BatchRecording? {
    struct Outline: Decodable { var calls: [Call]? }
    struct Call: Decodable {}
    guard name.hasSuffix(".json"), let bytes = try? FileBytes.read(name, limit: FileBytes.recordingLimit),
      let outline = try? JSONDocument.decode(Outline.self, from: bytes), outline.calls != nil
    else { return nil }
    // --threads and --isa go with a recording too.
    var options = playing
    (options.play.threads, options.play.isa) = (1, nil)
    guard !options.areGiven else {
      throw ValidationError(
        "--frames, --duration, --fps, --tracks, --lenient and --seed go with a SCENE, and \(name) is a recording")
    }
    do {
      return try BatchRecording(json: String(decoding: bytes, as: UTF8.self))
    } catch {
      throw FileError(file: name, error.description)
    }
  }

  /// Plays a recording on each instruction set, and prints the reports.
  private func check(_ recording: BatchRecording, _ sets: [KernelSet], in checks: inout [CheckResult]) throws {
    for set in sets {
      var check = ProgramCheck("recording", on: set)
      let report = try check.play(recording, threads: playing.play.threads)
      checks += check.results
      if !output.json, !output.quiet || !report.passed {
        try StandardOutput.write("\(report.passed ? "ok  " : "FAIL") \(set.rawValue): \(report)\n")
      }
    }
  }

  private func checkKernels(_ sets: [KernelSet], samples: Int, in checks: inout [CheckResult]) throws {
    let kernels = KernelCheck(sets: sets)
    try report(kernels.mixed(SpringRegime.allCases, samples: samples, seed: seed), in: &checks)
    for regime in SpringRegime.allCases {
      try report(kernels.mixed([regime], samples: samples, seed: seed), in: &checks)
      try report(kernels.uniform(regime, samples: samples, seed: seed &+ 1), in: &checks)
      try report(kernels.baked(regime, samples: samples, seed: seed &+ 3), in: &checks)
    }
    for set in sets {
      try report(ProgramCheck.programs(on: set, calls: samples, seed: seed &+ 2), in: &checks)
      try report(BakeCheck.bakes(on: set, samples: samples, seed: seed &+ 6), in: &checks)
      try report(ParticleCheck.particles(on: set, samples: samples, seed: seed &+ 7), in: &checks)
      try report(MatrixCheck.mixers(on: set, samples: samples, seed: seed &+ 8), in: &checks)
      try report(MatrixCheck.networks(on: set, samples: min(samples, 2_000), seed: seed &+ 9), in: &checks)
      var animations = SceneVerification("animations", on: set)
      try animations.play(samples: samples, seed: seed &+ 10) { try RandomScene.animations(seed: $0) }
      try report(animations.results, in: &checks)
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
    guard !output.json else {
      return
    }
    for result in results where !output.quiet || !result.passed {
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
