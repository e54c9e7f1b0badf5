// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// `murmuration run` as a process, with streams, files and an exit status.
struct RunProcessTests {
  private let small = """
    {"murmuration": 1, "name": "small", "dimensions": 2, "duration": 1, "groups": [
      {"count": 50, "springs": {"duration": [0.2, 0.6], "bounce": [0, 0.5]}, "start": {"shape": "grid", "size": 9},
        "events": [{"at": 0.25, "target": {"shape": "heart", "size": 20}}]}]}
    """

  @Test func theBuiltInScenesAreListed() throws {
    let outcome = try ToolProcess.run(["run", "--list-scenes"])
    #expect(outcome.status == 0)
    for name in ["shapes", "hearts", "murmuration", "burst", "meadow", "camera-tour", "phases"] {
      #expect(outcome.output.contains("\(name)\n"))
    }
  }

  @Test func aRunWritesItsFramesAndSaysHowItWent() throws {
    let folder = try TemporaryFolder()
    let scene = folder.file("small.json", Data(small.utf8)).path
    let outcome = try ToolProcess.run(["run", scene, "--verify", "--output", folder.path("out.npy")])
    #expect(outcome.status == 0)
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
    let outcome = try ToolProcess.run(
      ["run", "meadow", "--tracks", "2000", "--fps", "10", "--verify", "--output", folder.path("out.npy")])
    #expect(outcome.status == 0, "\(outcome.errors)")
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
      let cloths = try ToolProcess.run(["run", "cloths"], environment: environment)
      #expect(cloths.status == 1)
      #expect(cloths.errors.contains("OpenBLAS cannot be used") && cloths.errors.contains("libopenblas.so.0"))
      let burst = try ToolProcess.run(["run", "burst"], environment: environment)
      #expect(burst.status == 0, "\(burst.errors)")
    }
  #endif

  @Test func optionsChangeWhatIsPlayed() throws {
    let folder = try TemporaryFolder()
    let scene = folder.file("small.json", Data(small.utf8)).path
    let arguments = ["run", scene, "--frames", "3", "--fps", "4", "--tracks", "2", "--isa", "portable"]
    let outcome = try ToolProcess.run(arguments + ["--seed", "8", "--output", folder.path("out.csv")])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("(portable)"))
    let lines = try String(contentsOfFile: folder.path("out.csv"), encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines[0] == "x0,y0,x1,y1")
    #expect(
      lines[1] == lines[2], "the event at 0.25 s comes with the second frame, where the values have not moved yet")
    #expect(lines[2] != lines[3])
  }

  @Test func theSameSeedGivesTheSameFile() throws {
    let folder = try TemporaryFolder()
    let scene = folder.file("small.json", Data(small.utf8)).path
    for (name, seed) in [("a.npy", "1"), ("b.npy", "1"), ("c.npy", "2")] {
      #expect(try ToolProcess.run(["run", scene, "--seed", seed, "--output", folder.path(name)]).status == 0)
    }
    let files = try ["a.npy", "b.npy", "c.npy"].map { try Data(contentsOf: URL(fileURLWithPath: folder.path($0))) }
    #expect(files[0] == files[1])
    #expect(files[0] != files[2])
  }

  @Test func theFileDoesNotDependOnTheThreads() throws {
    let folder = try TemporaryFolder()
    for (name, threads) in [("a.npy", "1"), ("b.npy", "3")] {
      let outcome = try ToolProcess.run(
        ["run", "shapes", "--frames", "75", "--threads", threads, "--output", folder.path(name)])
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.output.contains("3 threads") == (threads == "3"))
    }
    let files = try ["a.npy", "b.npy"].map { try Data(contentsOf: URL(fileURLWithPath: folder.path($0))) }
    #expect(files[0] == files[1])
  }

  @Test func aVerificationThatFailsFailsTheRunAndLeavesNothing() throws {
    let folder = try TemporaryFolder()
    let scene = folder.file("small.json", Data(small.utf8)).path
    let outcome = try ToolProcess.run(
      ["run", scene, "--verify", "--perturb-reference", "1e-4", "--output", folder.path("out.npy")])
    #expect(outcome.status == 1)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains("the frames are not within the error bound"))
    #expect(outcome.errors.contains("FAILED"))
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
    (["--output", "out.gif"], "out.gif: an output is .npy or .csv by its name"),
    (["--output", "none/out.npy"], "none/out.npy: cannot be written: No such file or directory"),
    (["--output", "/dev/full"], "/dev/full: an output is .npy or .csv"),
  ])
  func mistakesAreNamedAndNothingIsWritten(_ arguments: [String], _ expected: String) throws {
    let folder = try TemporaryFolder()
    let scene = folder.file("small.json", Data(small.utf8)).path
    let outcome = try ToolProcess.run(["run", scene] + arguments)
    #expect(outcome.status == 1)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains(expected), "\(outcome.errors)")
    #expect(folder.names == ["small.json"])
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
      (cut, "\(cut): line 3"), (folder.url.path, "is a directory"), ("/dev/zero", "is not a regular file"),
      ("shape", "no such built-in scene (known: shapes, hearts, murmuration, burst, meadow"),
      ("none.json", "none.json: cannot be opened"), ("none.glb", "none.glb: cannot be opened"),
    ] {
      let outcome = try ToolProcess.run(["run", name])
      #expect(outcome.status == 1)
      #expect(outcome.errors.contains(expected), "\(outcome.errors)")
    }
  }

  @Test func aDiskThatFillsUpIsAnErrorAndLeavesNothing() throws {
    let folder = try TemporaryFolder()
    let scene = folder.file("small.json", Data(small.utf8)).path
    // The shell lets a file grow to a few kilobytes and no further, as a full disk would.
    let command = "trap '' XFSZ; ulimit -f 8; exec \"$0\" run \"$1\" --output \"$2\" 2> /dev/null"
    for name in ["out.npy", "out.csv"] {
      let run = Process()
      run.executableURL = URL(fileURLWithPath: "/bin/sh")
      run.arguments = ["-c", command, try ToolProcess.executable().path, scene, folder.path(name)]
      run.standardOutput = FileHandle.nullDevice
      try run.run()
      run.waitUntilExit()
      #expect(run.terminationReason == .exit && run.terminationStatus == 1, "\(name)")
    }
    #expect(folder.names == ["small.json"])
  }

  @Test func aFileThatGrowsBeyondItsAllowedSizeIsAnErrorAndNotTheEnd() throws {
    let folder = try TemporaryFolder()
    let scene = folder.file("small.json", Data(small.utf8)).path
    let run = Process()
    run.executableURL = URL(fileURLWithPath: "/bin/sh")
    run.arguments = [
      "-c", "ulimit -f 8; exec \"$0\" run \"$1\" --output \"$2\" 2> /dev/null",
      try ToolProcess.executable().path, scene, folder.path("out.csv"),
    ]
    run.standardOutput = FileHandle.nullDevice
    try run.run()
    run.waitUntilExit()
    #expect(run.terminationReason == .exit && run.terminationStatus == 1)
    #expect(folder.names == ["small.json"])
  }

  @Test func aHugeShareOfTheBoundIsPrintedInsteadOfTrapping() throws {
    let folder = try TemporaryFolder()
    let scene = folder.file("small.json", Data(small.utf8)).path
    for share in ["1e30", "1e300", "nan"] {
      let outcome = try ToolProcess.run(["run", scene, "--verify", "--perturb-reference", share])
      #expect(outcome.status == 1 && outcome.errors.contains("FAILED"), "\(outcome.errors.prefix(200))")
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
    let scene = folder.file("small.json", Data(small.utf8)).path
    let outcome = try ToolProcess.run(["run", scene], outputPath: "/dev/full")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("standard output"))
  }
}
