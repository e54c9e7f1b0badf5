// SPDX-License-Identifier: MIT
import Foundation
import TestSupport
import Testing

/// `murmuration run` as a process, with streams, files and an exit status.
struct RunProcessTests {
  private let scene = Fixtures.path("Scenes/run.json")

  @Test func aRunWritesItsFramesAndSaysHowItWent() throws {
    let folder = try TemporaryFolder()
    let outcome = try ToolProcess.succeed(["run", scene, "--verify", "--details", "--output", folder.path("out.npy")])
    #expect(outcome.errors.isEmpty)
    outcome.expect(
      "60 at 60 a second", "50 in 2 dimensions", "50 played by kernels", "ns a kernel track and frame",
      "of the copy bandwidth", "verify    passed", "50 of 50 kernel tracks (100.0 %)", "times a track was at rest",
      "% of the tracks in the mean", "50 retargets of a track", "times a motion was logically complete",
      "[60, 50, 2] float32", "s to prepare", "s to play", "s to write the frames", "s to check them", "last work")
    try ToolProcess.succeed(["run", scene, "--details"]).expect("s to read the frames")
    try ToolProcess.succeed(["run", "--list-scenes"]).expect("shapes\n", "meadow\n", "camera-tour\n")
    #expect(try folder.names == ["out.npy"] && folder.data("out.npy").count == 128 + 60 * 50 * 2 * 4)
  }

  #if OpenBLAS && os(Linux)
    /// If OpenBLAS is not a library, scenes that need it end with the reason, and all other scenes play.
    @Test func aMachineWithoutOpenBLASPlaysWhatDoesNotNeedIt() throws {
      let folder = try TemporaryFolder()
      for name in ["libopenblas.so.0", "libopenblas.so"] { _ = folder.write(name, "none") }
      let environment = ["LD_LIBRARY_PATH": folder.url.path]
      try ToolProcess.refuse(
        ["run", "cloths"], "OpenBLAS cannot be used", "libopenblas.so.0", environment: environment)
      try ToolProcess.succeed(["run", "burst"], environment: environment)
    }
  #endif

  @Test func aGLTFFileIsPlayedByManyInstances() throws {
    let folder = try TemporaryFolder()
    let arguments = ["run", Fixtures.path("Scenes/arm.gltf"), "--tracks", "50", "--verify", "--details"]
    let outcome = try ToolProcess.succeed(arguments + ["--output", folder.path("out.npy")])
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    outcome.expect(
      "50 in 7 dimensions", "50 played by kernels", "wave: 50 instances of 7 components, 1.00 s", "ns a component",
      "of the copy bandwidth", "times an instance began again", "passed against the glTF specification",
      "50 of 50 kernel tracks (100.0 %), every frame, 21000 values", "value: largest error", "[60, 50, 7] float32")
    #expect(!outcome.output.contains("velocity:") && folder.names == ["out.npy"])
  }

  @Test func optionsChangeWhatIsPlayed() throws {
    let folder = try TemporaryFolder()
    let arguments = ["run", scene, "--frames", "3", "--fps", "4", "--tracks", "2", "--isa", "portable"]
    try ToolProcess.succeed(arguments + ["--seed", "8", "--output", folder.path("out.csv")]).expect("(portable)")
    let lines = try folder.text("out.csv").split(separator: "\n")
    #expect(lines.count == 4 && lines[0] == "x0,y0,x1,y1")
    // The event at 0.25 s comes with the second frame, where the values have not moved yet.
    #expect(lines[1] == lines[2] && lines[2] != lines[3])
  }

  @Test func theSameSeedGivesTheSameFileWithAnyThreads() throws {
    let folder = try TemporaryFolder()
    for (name, more) in [
      ("a.npy", ["--seed", "1"]), ("b.npy", ["--seed", "1"]), ("c.npy", ["--seed", "2"]),
      ("d.npy", ["--frames", "25", "--threads", "1"]), ("e.npy", ["--frames", "25", "--threads", "3"]),
    ] {
      let played = more[0] == "--seed" ? scene : "shapes"
      let outcome = try ToolProcess.succeed(["run", played, "--output", folder.path(name)] + more)
      #expect(outcome.output.contains("3 threads") == (name == "e.npy"))
    }
    let files = try ["a.npy", "b.npy", "c.npy", "d.npy", "e.npy"].map { try folder.data($0) }
    #expect(files[0] == files[1] && files[0] != files[2] && files[3] == files[4])
  }

  @Test func aVerificationThatFailsFailsTheRunAndLeavesNothing() throws {
    let folder = try TemporaryFolder()
    // A huge share of the bound is printed instead of trapping.
    for share in ["1e-4", "1e30", "1e300", "nan"] {
      try ToolProcess.refuse(
        ["run", scene, "--verify", "--perturb-reference", share, "--output", folder.path("out.npy")],
        "the frames are not within the error bound", "FAILED")
    }
    #expect(folder.names.isEmpty)
  }

  /// A refusal of a reported file names the file and the place in it, and no output is left.
  @Test(arguments: [
    ("31-csv/missing-first.csv", "line 1, column 2: “N/A” is not a finite decimal number"),
    ("31-csv/follow.json", "groups[0].follow.file: "),
    ("49-gltf-required/meshopt.gltf", "animations[0].samplers[0].input: accessors[0]: bufferViews[0]: “EXT_meshopt"),
  ])
  func recordingsThatAreWrongAreRefusedAndNothingIsWritten(_ name: String, _ words: String) throws {
    let folder = try TemporaryFolder()
    let path = Fixtures.path("Reports/\(name)")
    for (command, file) in [("run", "a.npy"), ("bake", "a.npy"), ("render", "a.png")] {
      try ToolProcess.refuse([command, path, "--output", folder.path(file)], "Error: \(path): \(words)")
    }
    #expect(folder.names.isEmpty)
  }

  /// A fault that shows only when a scene is played names the file too.
  @Test func faultsOfPlayersNameTheFile() throws {
    let folder = try TemporaryFolder()
    let keyframe = #"{"type": "linear", "to": 1, "duration": 1, "timingCurve": {"steps": 65537}}"#
    let groups = "[{\"count\": 1, \"timelines\": [{\"track\": [\(keyframe)]}]}]"
    let path = folder.write("rough.json", "{\"murmuration\": 1, \"duration\": 1, \"groups\": \(groups)}")
    for command in [
      ["run"], ["verify"], ["bake", "-o", folder.path("a.npy")], ["render", "-o", folder.path("a.png")],
    ] {
      try ToolProcess.refuse(command + [path], "Error: \(path): groups[0].timelines: track 0, key 0: too rough")
    }
    #expect(folder.names == ["rough.json"])
  }

  @Test func otherFramesThanStatedAreReadWithAWarningIfAsked() throws {
    let folder = try TemporaryFolder()
    let path = Fixtures.path("Reports/25-bvh-frames/one-more.bvh")
    for command in [
      ["run", path, "--lenient", "--output", folder.path("a.npy")], ["verify", path, "--lenient"],
      ["plot", path, "--lenient", "--output", folder.path("a.svg")],
    ] {
      let outcome = try ToolProcess.succeed(command)
      #expect(outcome.errors == "Warning: \(path): line 17: states 2 frames, holds 3\n")
    }
    #expect(folder.names == ["a.npy", "a.svg"])
    try ToolProcess.refuse(["plot", "bouncy", "--lenient"], status: 64, "go with a scene")
  }

  @Test func aFileOfTheWrongKindIsNamedBeforeItIsParsed() throws {
    let folder = try TemporaryFolder()
    let (request, small) = (#"{"kind": "spring", "spring": "bouncy"}"#, try Fixtures.text("Scenes/run.json"))
    for (name, text, expected) in [
      ("notes.md", "# Notes", "is text, not a scene"),
      ("flock.png", "\u{FFFD}PNG\r\n", "is a PNG picture, not a scene"),
      ("flock.mp4", "\0\0\0 ftypisom", "is an MP4 film, not a scene"),
      ("request.json", request, "is a file of requests, not a scene: murmuration sample answers it"),
      ("requests.json", "[\(request)]", "is a file of requests, not a scene"),
      ("fox.json", #"{"asset": {}}"#, "is a glTF file, not a scene: its name must end in .gltf"),
      ("walk.npy", "HIERARCHY", "is motion capture, not a NumPy array: its name must end in .bvh"),
      ("walk.bvh", small, "is a scene, not motion capture: murmuration run plays it"),
      ("fox.gltf", small, "is a scene, not a glTF file"), ("empty", "", "is empty, not a scene"),
    ] {
      let bytes = Data(text.utf8)
      let path = folder.write(name, text.hasPrefix("\u{FFFD}") ? [0x89] + bytes.dropFirst(3) : bytes)
      try ToolProcess.refuse(["run", path], "\(path): \(expected)")
    }
    try ToolProcess.refuse(["sample", scene], "is a scene, not a file of requests")
  }

  @Test func aRangeOfFramesIsThePartOfTheWhole() throws {
    let folder = try TemporaryFolder()
    let whole = try ToolProcess.succeed(["run", scene, "-o", folder.path("whole.npy"), "--quiet"])
    #expect(whole.output.isEmpty && whole.errors.isEmpty)
    try ToolProcess.succeed(["run", scene, "--frames", "20..<45", "--verify", "-o", folder.path("part.npy")])
      .expect("[25, 50, 2] float32")
    try ToolProcess.succeed(["run", scene, "--duration", "0.5", "--quiet", "-o", folder.path("half.npy")])
    let frame = 50 * 2 * 4
    let files = try ["whole.npy", "part.npy", "half.npy"].map { try folder.data($0).dropFirst(128) }
    #expect(files[1] == files[0].dropFirst(20 * frame).prefix(25 * frame) && files[2] == files[0].prefix(30 * frame))
  }

  @Test func theSummarySaysWhatPeopleAsk() throws {
    let text = try ToolProcess.run(["run", scene, "--verify"])
    text.expect(
      "scene     small", "60 at 60 a second (1.00 s)", "50 in 2 dimensions", "s of wall time", "frames a second",
      "times real time", "ns a track and frame", "ns a value", "50 new goals, ", "tracks that came to rest",
      "passed against the Double model: ", "none; --output FILE.npy")
    #expect(text.output.split(separator: "\n").count <= 8, "\(text)")
    let outcome = try ToolProcess.succeed(["run", scene, "--verify", "--json"])
    #expect(outcome.errors.isEmpty)
    let json = try outcome.json
    #expect(json.frames?.number == 60 && json.tracks?.number == 50 && json.scene?.string == "small")
    let numbers = ["wallSeconds", "framesPlayedPerSecond", "timesRealTime", "nsPerTrack", "nsPerValue"].map {
      json[$0]?.number ?? 0
    }
    #expect(numbers.allSatisfy { $0 > 0 })
    #expect(abs(numbers[1] * numbers[0] - 60) < 1e-6 && abs(numbers[2] * numbers[0] - 1) < 1e-6)
    #expect(abs(numbers[3] / numbers[4] - 2) < 1e-6 && json.verify?.passed?.bool == true)
    let roofline = json.rooflines?.springs
    #expect(roofline?.share?.number != nil && roofline?.explanation?.string != nil)
  }

  @Test func eachCommandPrintsOneObjectOrNothingThatAFileHolds() throws {
    let folder = try TemporaryFolder()
    let request = folder.write("r.json", #"{"kind": "settling", "spring": "bouncy"}"#)
    let commands = [
      ["run", "--list-scenes"], ["run", "shapes", "--frames", "3"],
      ["bake", "shapes", "--frames", "3", "-o", folder.path("a.npy")],
      ["verify", "burst", "--frames", "3", "--isa", "portable", "-o", folder.path("checks.json")],
      ["plot", "bouncy", "-o", folder.path("a.svg")], ["sample", request],
    ]
    for command in commands {
      let json = try ToolProcess.succeed(command + ["--json"])
      #expect(json.errors.isEmpty, "\(command) \(json.errors)")
      #expect(throws: Never.self) { try json.json }
      // What no file holds is printed all the same, without progress.
      let quiet = try ToolProcess.succeed(command + ["--quiet"])
      #expect(quiet.errors.isEmpty && quiet.output.isEmpty == command.contains("-o"), "\(command) \(quiet)")
      #expect(try ToolProcess.run(command + ["--quiet", "--json"]).status == 64)
    }
    let checks = try JSONDecoder().decode(JSONValue.self, from: folder.data("checks.json"))
    #expect(checks.checks?.elements.isEmpty == false)
    let written = try ToolProcess.succeed(["sample", request, "--output", folder.path("answer.json")])
    #expect(try written.output.isEmpty && folder.text("answer.json") == ToolProcess.run(["sample", request]).output)
  }

  /// The shell lets a file grow to a few kilobytes and no further, as a full disk would, with a signal or without.
  @Test(arguments: [("trap '' XFSZ; ", "out.npy"), ("trap '' XFSZ; ", "out.csv"), ("", "out.csv")])
  func aDiskThatFillsUpIsAnErrorAndLeavesNothing(_ trap: String, _ name: String) throws {
    let folder = try TemporaryFolder()
    let command = trap + "ulimit -f 8; exec \"$0\" run \"$1\" --output \"$2\" > /dev/null 2>&1"
    let arguments = ["-c", command, try ToolProcess.executable().path, scene, folder.path(name)]
    #expect(try ToolProcess.run(arguments, program: "/bin/sh").status == 1 && folder.names.isEmpty)
  }

  @Test func aRunThatIsStoppedLeavesNothing() throws {
    let folder = try TemporaryFolder()
    let run = Process()
    run.executableURL = try ToolProcess.executable()
    run.arguments = ["run", "burst", "--tracks", "1", "--frames", "10000000", "--output", folder.path("out.npy")]
    (run.standardOutput, run.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    try run.run()
    // The signal comes in the middle of the run: when its temporary file is there.
    while folder.names.isEmpty, run.isRunning {}
    run.terminate()
    run.waitUntilExit()
    #expect(run.terminationReason == .exit && run.terminationStatus == 128 + 15 && folder.names.isEmpty)
  }
}
