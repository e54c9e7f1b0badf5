// SPDX-License-Identifier: MIT
import Foundation
import TestSupport
import Testing

/// `murmuration run` as a process, with streams, files and an exit status.
struct RunProcessTests {
  private let small = """
    {"murmuration": 1, "name": "small", "dimensions": 2, "duration": 1, "groups": [
      {"count": 50, "springs": {"duration": [0.2, 0.6], "bounce": [0, 0.5]}, "start": {"shape": "grid", "size": 9},
        "events": [{"at": 0.25, "target": {"shape": "heart", "size": 20}}]}]}
    """

  @Test func theBuiltInScenesAreListed() throws {
    let outcome = try ToolProcess.succeed(["run", "--list-scenes"])
    for name in ["shapes", "hearts", "murmuration", "burst", "meadow", "camera-tour", "phases"] {
      #expect(outcome.output.contains("\(name)\n"))
    }
  }

  @Test func aRunWritesItsFramesAndSaysHowItWent() throws {
    let (folder, scene) = try TemporaryFolder.with("small.json", small)
    let outcome = try ToolProcess.succeed(["run", scene, "--verify", "--details", "--output", folder.path("out.npy")])
    #expect(outcome.errors.isEmpty)
    for part in [
      "60 at 60 a second", "50 in 2 dimensions", "50 played by kernels",
      "ns a kernel track and frame",
      "of the copy bandwidth", "verify    passed", "50 of 50 kernel tracks (100.0 %)",
      "times a track was at rest", "% of the tracks in the mean", "50 retargets of a track",
      "times a motion was logically complete", "[60, 50, 2] float32",
    ] {
      #expect(outcome.output.contains(part), "“\(part)” is not in\n\(outcome.output)")
    }
    #expect(folder.names == ["out.npy", "small.json"])
    let size = try FileManager.default.attributesOfItem(atPath: folder.path("out.npy"))[.size] as? Int
    #expect(size == 128 + 60 * 50 * 2 * 4)
  }

  @Test func particlesAreBornAndDie() throws {
    let folder = try TemporaryFolder()
    let outcome = try ToolProcess.succeed(
      ["run", "meadow", "--tracks", "2000", "--fps", "10", "--verify", "--details", "-o", folder.path("out.npy")])
    for part in ["2000 of 2000 kernel tracks", "200 births, ", "deaths, ", "passed", "[120, 2000, 2] float32"] {
      #expect(outcome.output.contains(part), "“\(part)” is not in\n\(outcome.output)")
    }
  }

  #if OpenBLAS && os(Linux)
    /// If OpenBLAS is not a library, scenes that need it end with the reason, and all other scenes play.
    @Test func aMachineWithoutOpenBLASPlaysWhatDoesNotNeedIt() throws {
      let folder = try TemporaryFolder()
      _ = folder.file("libopenblas.so.0", Data("none".utf8))
      _ = folder.file("libopenblas.so", Data("none".utf8))
      let environment = ["LD_LIBRARY_PATH": folder.url.path]
      try ToolProcess.refuse(
        ["run", "cloths"], "OpenBLAS cannot be used", "libopenblas.so.0", environment: environment)
      try ToolProcess.succeed(["run", "burst"], environment: environment)
    }
  #endif

  @Test func optionsChangeWhatIsPlayed() throws {
    let (folder, scene) = try TemporaryFolder.with("small.json", small)
    let arguments = ["run", scene, "--frames", "3", "--fps", "4", "--tracks", "2", "--isa", "portable"]
    let outcome = try ToolProcess.succeed(arguments + ["--seed", "8", "--output", folder.path("out.csv")])
    #expect(outcome.output.contains("(portable)"))
    let lines = try folder.text("out.csv").split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines[0] == "x0,y0,x1,y1")
    #expect(
      lines[1] == lines[2], "the event at 0.25 s comes with the second frame, where the values have not moved yet")
    #expect(lines[2] != lines[3])
  }

  @Test func theSameSeedGivesTheSameFile() throws {
    let (folder, scene) = try TemporaryFolder.with("small.json", small)
    for (name, seed) in [("a.npy", "1"), ("b.npy", "1"), ("c.npy", "2")] {
      try ToolProcess.succeed(["run", scene, "--seed", seed, "--output", folder.path(name)])
    }
    let files = try ["a.npy", "b.npy", "c.npy"].map { try folder.data($0) }
    #expect(files[0] == files[1])
    #expect(files[0] != files[2])
  }

  @Test func theFileDoesNotDependOnTheThreads() throws {
    let folder = try TemporaryFolder()
    for (name, threads) in [("a.npy", "1"), ("b.npy", "3")] {
      let outcome = try ToolProcess.succeed(
        ["run", "shapes", "--frames", "25", "--threads", threads, "--output", folder.path(name)])
      #expect(outcome.output.contains("3 threads") == (threads == "3"))
    }
    let files = try ["a.npy", "b.npy"].map { try folder.data($0) }
    #expect(files[0] == files[1])
  }

  @Test func aVerificationThatFailsFailsTheRunAndLeavesNothing() throws {
    let (folder, scene) = try TemporaryFolder.with("small.json", small)
    try ToolProcess.refuse(
      ["run", scene, "--verify", "--perturb-reference", "1e-4", "--output", folder.path("out.npy")],
      "the frames are not within the error bound", "FAILED")
    #expect(folder.names == ["small.json"])
  }

  @Test(arguments: [
    (["--frames", "0"], "--frames: must be from 1 to 10000000, is 0"),
    (["--frames=-5"], "--frames: must be from 1 to 10000000, is -5"),
    (["--frames", "1000000000000"], "--frames: must be from 1 to 10000000"),
    (["--tracks", "0"], "--tracks: must be from 1 to 16777216"),
    (["--tracks=-1"], "--tracks: must be from 1 to 16777216"),
    (["--tracks", "1000000000000"], "--tracks: must be from 1 to 16777216 (about 2048 MiB here)"),
    (["--threads", "0"], "--threads: must be from 1 to 64, is 0"),
    (["--threads", "65"], "--threads: must be from 1 to 64, is 65"),
    (["--threads=-1"], "--threads: must be from 1 to 64, is -1"),
    (["--fps", "0"], "--fps: must be in [0.001, 10000], is 0"),
    (["--fps", "1e12"], "--fps: must be in [0.001, 10000]"),
    (["--fps", "nan"], "--fps: must be in [0.001, 10000]"),
    (["--output", "out.gif"], "out.gif: an output is .npy, .npz or .csv by its name"),
    (["--output", "none/out.npy"], "none/out.npy: cannot be written: No such file or directory"),
    (["--output", "/dev/full"], "/dev/full: an output is .npy, .npz or .csv"),
  ])
  func mistakesAreNamedAndNothingIsWritten(_ arguments: [String], _ expected: String) throws {
    let (folder, scene) = try TemporaryFolder.with("small.json", small)
    try ToolProcess.refuse(["run", scene] + arguments, expected)
    #expect(folder.names == ["small.json"])
  }

  /// A refusal of a reported file names the file and the place in it, and no output is left.
  @Test(arguments: [
    ("31-csv/missing-first.csv", "line 1, column 2: “N/A” is not a finite decimal number"),
    ("31-csv/follow.json", "groups[0].follow.file: "),
    ("20-bvh-numbers/glued.bvh", "line 19, value 3: “0.0-7.5” is not"),
    ("25-bvh-frames/one-more.bvh", "line 17: states 2 frames, holds 3; correct the number, or read them all with"),
    ("30-npy/nan.npy", "byte 148: "), ("49-gltf-required/meshopt.gltf", "extensionsRequired[0]: “EXT_meshopt"),
  ])
  func recordingsThatAreWrongAreRefusedAndNothingIsWritten(_ name: String, _ words: String) throws {
    let folder = try TemporaryFolder()
    let path = Fixtures.path("Reports/\(name)")
    for command in ["run", "bake", "render"] {
      let output = folder.path(command == "render" ? "a.png" : "a.npy")
      let outcome = try ToolProcess.run([command, path, "--output", output])
      #expect(outcome.status == 1 && outcome.output.isEmpty)
      #expect(outcome.errors.hasPrefix("Error: \(path): \(words)"), "\(outcome.errors)")
    }
    #expect(folder.names.isEmpty)
  }

  @Test func otherFramesThanStatedAreReadWithAWarningIfAsked() throws {
    let folder = try TemporaryFolder()
    let path = Fixtures.path("Reports/25-bvh-frames/one-more.bvh")
    let warning = "Warning: \(path): line 17: states 2 frames, holds 3\n"
    for command in [
      ["run", path, "--lenient", "--output", folder.path("a.npy")], ["verify", path, "--lenient"],
      ["plot", path, "--lenient", "--output", folder.path("a.svg")],
    ] {
      let outcome = try ToolProcess.succeed(command)
      #expect(outcome.errors == warning, "\(outcome.errors)")
    }
    #expect(folder.names == ["a.npy", "a.svg"])
    try ToolProcess.refuse(["plot", "bouncy", "--lenient"], status: 64, "go with a scene")
  }

  @Test func commandLinesThatAreNotUnderstoodAreRefused() throws {
    for arguments in [
      ["run"], ["run", "burst", "--isa", "sse9"], ["run", "burst", "--frames", "1e12"], ["run", "a", "b"],
    ] {
      let outcome = try ToolProcess.run(arguments)
      #expect(outcome.status == 64, "\(arguments)")
      #expect(outcome.output.isEmpty && !outcome.errors.isEmpty)
    }
  }

  @Test func whatIsNoSceneIsRefused() throws {
    let folder = try TemporaryFolder()
    let cut = folder.file("cut.json", Data(small.utf8.prefix(200))).path
    for (name, expected) in [
      (cut, "\(cut): line 3"), ("shapes.", "known: shapes"), (folder.url.path, "is a directory, not a file"),
      ("/dev/zero", "is not a regular file"), ("none.GLTF", "none.GLTF: cannot be opened"),
      ("shape", "no such built-in scene (known: shapes, hearts, murmuration, burst, meadow"),
      ("none.json", "none.json: cannot be opened"), ("none.glb", "none.glb: cannot be opened"),
    ] {
      try ToolProcess.refuse(["run", name], expected)
    }
  }

  @Test func aFileOfTheWrongKindIsNamedBeforeItIsParsed() throws {
    let folder = try TemporaryFolder()
    func file(_ name: String, _ bytes: [UInt8]) -> String { folder.file(name, Data(bytes)).path }
    let request = Array(#"{"kind": "spring", "spring": "bouncy"}"#.utf8)
    for (path, expected) in [
      (file("notes.md", Array("# Notes".utf8)), "is text, not a scene"),
      (file("flock.png", [0x89] + Array("PNG\r\n".utf8)), "is a PNG picture, not a scene"),
      (file("flock.mp4", [0, 0, 0, 32] + Array("ftypisom".utf8)), "is an MP4 film, not a scene"),
      (file("request.json", request), "is a file of requests, not a scene: murmuration sample answers it"),
      (file("requests.json", [0x5B] + request + [0x5D]), "is a file of requests, not a scene"),
      (file("fox.json", Array(#"{"asset": {}}"#.utf8)), "is a glTF file, not a scene: its name must end in .gltf"),
      (file("walk.npy", Array("HIERARCHY".utf8)), "is motion capture, not a NumPy array: its name must end in .bvh"),
      (file("walk.bvh", Array(small.utf8)), "is a scene, not motion capture: murmuration run plays it"),
      (file("fox.gltf", Array(small.utf8)), "is a scene, not a glTF file"),
      (file("empty", []), "is empty, not a scene"),
    ] {
      try ToolProcess.refuse(["run", path], "\(path): \(expected)")
    }
    let scene = folder.write("scene.json", small)
    try ToolProcess.refuse(["sample", scene], "is a scene, not a file of requests")
  }

  @Test func mistypedCommandsAndScenesAreToldTheNearest() throws {
    for (arguments, status, expected) in [
      (
        ["rnu"], 64,
        "there is no command rnu (known: run, estimate, bake, verify, bench, sample, plot, render, watch, serve, help); "
          + "did you mean “run”?"
      ),
      (["shapes"], 64, "did you mean “run shapes”?"), (["dance"], 64, "there is no command dance"),
      (["run", "herats"], 1, "did you mean “hearts”?"), (["bake", "burts", "-o", "a.npy"], 1, "did you mean “burst”?"),
      (["verify", "meadov"], 1, "did you mean “meadow”?"), (["render", "phase", "-o", "a.png"], 1, "“phases”?"),
      (["run"], 64, "name a SCENE: shapes, hearts,"),
      (["bake", "shapes"], 64, "name the file to write: -o frames.npy"),
    ] as [([String], Int32, String)] {
      try ToolProcess.refuse(arguments, status: status, expected)
    }
    try ToolProcess.succeed(["run", "cameraTour", "--frames", "2", "--quiet"])
  }

  @Test func aRangeOfFramesIsThePartOfTheWhole() throws {
    let (folder, scene) = try TemporaryFolder.with("small.json", small)
    let whole = try ToolProcess.succeed(["run", scene, "-o", folder.path("whole.npy"), "--quiet"])
    #expect(whole.output.isEmpty && whole.errors.isEmpty)
    let part = try ToolProcess.succeed(["run", scene, "--frames", "20..<45", "--verify", "-o", folder.path("part.npy")])
    #expect(part.output.contains("[25, 50, 2] float32"), "\(part.errors)")
    let frame = 50 * 2 * 4
    let files = try ["whole.npy", "part.npy"].map { try folder.data($0) }
    let (start, length): (Int, Int) = (128 + 20 * frame, 25 * frame)
    #expect(files[1].dropFirst(128) == files[0].dropFirst(start).prefix(length))
    // A range may begin in the middle of anything.
    for scene in ["hearts", "burst", "phases", "camera-tour", "meadow", "cloths"] {
      let outcome = try ToolProcess.run(
        ["run", scene, "--tracks", "200", "--fps", "10", "--frames", "25..<30", "--verify"])
      let refused = scene == "cloths"
      #expect(refused || outcome.status == 0 && outcome.output.contains("passed"), "\(scene) \(outcome.errors)")
    }
    try ToolProcess.succeed(["run", scene, "--duration", "0.5", "--quiet", "-o", folder.path("half.npy")])
    let half = try folder.data("half.npy")
    #expect(half.dropFirst(128) == files[0].dropFirst(128).prefix(30 * frame))
  }

  @Test func theSummarySaysWhatPeopleAsk() throws {
    let folder = try TemporaryFolder()
    let scene = folder.write("small.json", small)
    let text = try ToolProcess.run(["run", scene, "--verify"]).output
    for part in [
      "scene     small", "60 at 60 a second (1.00 s)", "50 in 2 dimensions", "s of wall time", "frames a second",
      "times real time", "ns a track and frame", "ns a value", "50 new goals, ", "tracks that came to rest",
      "passed against the Double model: ", "none; --output FILE.npy",
    ] { #expect(text.contains(part), "“\(part)” is not in\n\(text)") }
    #expect(text.split(separator: "\n").count <= 8, "\(text)")
    let details = try ToolProcess.run(["run", scene, "--verify", "--details"]).output
    for part in ["s to prepare", "s to play", "s to read the frames", "s to check them", "last work"] {
      #expect(details.contains(part), "“\(part)” is not in\n\(details)")
    }
    let json = try ToolProcess.succeed(["run", scene, "--verify", "--json"])
    #expect(json.errors.isEmpty)
    let object = try #require(JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    #expect(object["frames"] as? Int == 60 && object["tracks"] as? Int == 50 && object["scene"] as? String == "small")
    let numbers = ["wallSeconds", "framesPlayedPerSecond", "timesRealTime", "nsPerTrack", "nsPerValue"].map {
      object[$0] as? Double ?? 0
    }
    #expect(numbers.allSatisfy { $0 > 0 })
    #expect(abs(numbers[1] * numbers[0] - 60) < 1e-6 && abs(numbers[2] * numbers[0] - 1) < 1e-6)
    #expect(abs(numbers[3] / numbers[4] - 2) < 1e-6)
    #expect((object["verify"] as? [String: Any])?["passed"] as? Bool == true)
    let roofline = (object["rooflines"] as? [String: [String: Any]])?["springs"]
    #expect(roofline?["share"] is Double && roofline?["explanation"] is String)
  }

  @Test func eachCommandPrintsOneObjectOrNothingThatAFileHolds() throws {
    let (folder, request) = try TemporaryFolder.with("r.json", #"{"kind": "settling", "spring": "bouncy"}"#)
    let commands = [
      ["run", "--list-scenes"], ["run", "shapes", "--frames", "3"],
      ["bake", "shapes", "--frames", "3", "-o", folder.path("a.npy")],
      ["verify", "burst", "--frames", "3", "--isa", "portable", "-o", folder.path("checks.json")],
      ["plot", "bouncy", "-o", folder.path("a.svg")], ["sample", request],
    ]
    for command in commands {
      let json = try ToolProcess.succeed(command + ["--json"])
      #expect(json.errors.isEmpty, "\(command) \(json.errors)")
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(json.output.utf8)) }
      // What no file holds is printed all the same, without progress.
      let quiet = try ToolProcess.succeed(command + ["--quiet"])
      #expect(quiet.errors.isEmpty && quiet.output.isEmpty == command.contains("-o"), "\(command) \(quiet)")
      #expect(try ToolProcess.run(command + ["--quiet", "--json"]).status == 64)
    }
    let checks = try folder.data("checks.json")
    #expect(try (JSONSerialization.jsonObject(with: checks) as? [String: [Any]])?["checks"]?.isEmpty == false)
    let written = try ToolProcess.succeed(["sample", request, "--output", folder.path("answer.json")])
    #expect(written.output.isEmpty)
    let printed = try ToolProcess.run(["sample", request]).output
    #expect(try folder.text("answer.json") == printed)
  }

  /// The shell lets a file grow to a few kilobytes and no further, as a full disk would, with a signal or without.
  @Test(arguments: [("trap '' XFSZ; ", "out.npy"), ("trap '' XFSZ; ", "out.csv"), ("", "out.csv")])
  func aDiskThatFillsUpIsAnErrorAndLeavesNothing(_ trap: String, _ name: String) throws {
    let (folder, scene) = try TemporaryFolder.with("small.json", small)
    let command = trap + "ulimit -f 8; exec \"$0\" run \"$1\" --output \"$2\" > /dev/null 2>&1"
    let arguments = ["-c", command, try ToolProcess.executable().path, scene, folder.path(name)]
    #expect(try ToolProcess.run(arguments, program: "/bin/sh").status == 1)
    #expect(folder.names == ["small.json"])
  }

  @Test func aHugeShareOfTheBoundIsPrintedInsteadOfTrapping() throws {
    let folder = try TemporaryFolder()
    let scene = folder.write("small.json", small)
    for share in ["1e30", "1e300", "nan"] {
      try ToolProcess.refuse(["run", scene, "--verify", "--perturb-reference", share], "FAILED")
    }
  }

  @Test func aRunThatIsStoppedLeavesNothing() throws {
    let folder = try TemporaryFolder()
    let run = Process()
    run.executableURL = try ToolProcess.executable()
    run.arguments = ["run", "burst", "--tracks", "1", "--frames", "10000000", "--output", folder.path("out.npy")]
    run.standardOutput = FileHandle.nullDevice
    run.standardError = FileHandle.nullDevice
    try run.run()
    // The signal comes in the middle of the run: when its temporary file is there.
    while folder.names.isEmpty, run.isRunning {}
    run.terminate()
    run.waitUntilExit()
    #expect(run.terminationReason == .exit)
    #expect(run.terminationStatus == 128 + 15)
    #expect(folder.names.isEmpty)
  }

  @Test func aSummaryThatCannotBePrintedIsAFailure() throws {
    let folder = try TemporaryFolder()
    let scene = folder.write("small.json", small)
    try ToolProcess.refuse(["run", scene], "standard output", outputPath: "/dev/full")
  }
}
