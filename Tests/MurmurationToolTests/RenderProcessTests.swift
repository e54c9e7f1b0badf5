// SPDX-License-Identifier: MIT
import Foundation
import Testing

@testable import MurmurationTool

/// `murmuration render` as its users meet it.
struct RenderProcessTests {
  private let scene = """
    {"murmuration": 1, "name": "small", "dimensions": 2, "duration": 1, "framesPerSecond": 10, "groups": [
      {"count": 50, "springs": {"duration": [0.2, 0.6], "bounce": [0, 0.5]}, "start": {"shape": "grid", "size": 9},
        "events": [{"at": 0.25, "target": {"shape": "heart", "size": 20}}]}]}
    """

  @discardableResult
  private func render(_ folder: TemporaryFolder, _ name: String, _ options: String...) throws -> ToolProcess.Outcome {
    let path = folder.write("small.json", scene)
    return try ToolProcess.succeed(["render", path, "--output", folder.path(name)] + options)
  }

  /// The width and the height in the header of a PNG file.
  private func size(_ path: String) throws -> [Int] {
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)).prefix(24))
    #expect(Array(bytes.prefix(4)) == [0x89, 0x50, 0x4E, 0x47])
    return [bytes[16..<20], bytes[20..<24]].map { $0.reduce(0) { $0 << 8 | Int($1) } }
  }

  @Test func theSameCallWritesTheSameBytes() throws {
    let folder = try TemporaryFolder()
    for options in [["--size", "96x54"], ["--sheet", "4", "--size", "96x54"]] {
      var files: [Data] = []
      for name in ["a.png", "b.png"] {
        let path = folder.write("small.json", scene)
        let threads = name == "a.png" ? "1" : "2"
        try ToolProcess.succeed(["render", path, "-o", folder.path(name), "--threads", threads] + options)
        files.append(try folder.data(name))
      }
      #expect(files[0] == files[1])
    }
  }

  @Test func aPictureHasTheSizeThatIsAskedFor() throws {
    let folder = try TemporaryFolder()
    try render(folder, "a.png", "--size", "97x31")
    #expect(try size(folder.path("a.png")) == [97, 31])
    try render(folder, "sheet.PNG", "--sheet", "5", "--size", "300x120")
    // Three columns and two rows of 94 × 37, with 4 pixels between and around them.
    #expect(try size(folder.path("sheet.PNG")) == [298, 86])
    #expect(folder.names == ["a.png", "sheet.PNG", "small.json"])
  }

  @Test func darkAndLightDiffer() throws {
    let folder = try TemporaryFolder()
    try render(folder, "dark.png", "--size", "32x32")
    try render(folder, "light.png", "--size", "32x32", "--theme", "light")
    #expect(try folder.data("dark.png") != folder.data("light.png"))
  }

  @Test func theSummaryIsTextJSONOrNothing() throws {
    let folder = try TemporaryFolder()
    let text = try render(folder, "a.png", "--size", "32x16")
    #expect(text.output.hasPrefix("\(folder.path("a.png")): 32 × 16, 1 frame of 50 tracks; playing the first "))
    // The time until the frame that is shown, for all frames up to it.
    #expect(text.output.contains(/playing the first [0-9.]+ s took [0-9.]+ ms, drawing [0-9.]+ ms a frame\n$/))
    let json = try render(folder, "a.png", "--size", "32x16", "--json")
    let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    #expect(object?["width"] as? Int == 32 && object?["frames"] as? Int == 1 && object?["tracks"] as? Int == 50)
    #expect(object?["playedSeconds"] as? Double != nil && object?["playMilliseconds"] as? Double != nil)
    #expect(try render(folder, "a.png", "--size", "32x16", "--quiet").output == "")
  }

  @Test(arguments: [
    (["a.tiff"], 1, "is no picture by its name (known: .png, .gif, .webp, .mp4, .webm)"),
    (["png"], 1, "is no picture by its name"), (["a.png", "--size", "0x10"], 64, "0x10"),
    (["a.png", "--size", "640"], 64, "640"), (["a.png", "--size", "99999999999999999999x10"], 64, "size"),
    (["a.png", "--at", "-1"], 1, "--at: must be in [0, 1e6], is -1"), (["a.png", "--at", "nan"], 1, "--at"),
    (["a.png", "--at", "1e300"], 1, "must"), (["a.png", "--duration", "0"], 1, "--duration: must be more than 0"),
    (["a.png", "--duration", "nan"], 1, "--duration"),
    (["a.png", "--sheet", "0"], 1, "--sheet: must be from 1 to 400"),
    (["a.png", "--sheet", "401"], 1, "--sheet"), (["a.png", "--frames", "5..<5"], 64, "5..<5"),
    (["a.mp4", "--size", "33x32"], 1, "--size: .mp4 needs even numbers, is 33x32"),
    (["a.mp4", "--at", "1"], 1, "--at: goes with .png"), (["a.gif", "--sheet", "4"], 1, "--sheet: goes with .png"),
    (["a.png", "--theme", "grey"], 64, "grey"), (["a.png", "--tracks", "0"], 1, "--tracks"),
    (["none/a.png"], 1, "none/a.png"),
  ])
  func aWrongCallIsAnErrorAndLeavesNothing(_ arguments: [String], _ status: Int32, _ words: String) throws {
    let (folder, path) = try TemporaryFolder.with("small.json", scene)
    try ToolProcess.refuse(
      ["render", path, "--output", folder.path(arguments[0])] + arguments.dropFirst(), status: status, words)
    #expect(folder.names == ["small.json"])
  }

  @Test func withoutFFmpegTheErrorSaysHowToInstallIt() throws {
    let (folder, path) = try TemporaryFolder.with("small.json", scene)
    try ToolProcess.refuse(
      ["render", path, "--output", folder.path("a.mp4"), "--size", "32x32"],
      "ffmpeg: is not installed; .mp4 needs it: apt-get install ffmpeg", environment: ["PATH": folder.url.path])
    #expect(folder.names == ["small.json"])
  }

  /// A program that stands in for ffmpeg: it counts the bytes of the frames, or fails.
  private func standIn(_ folder: TemporaryFolder, _ script: String) throws -> [String: String] {
    try folder.install(folder.write("script", "#!/bin/sh\n\(script)\n"), as: "ffmpeg")
    return ["PATH": "\(folder.url.path):/usr/bin:/bin"]
  }

  @Test func everyFrameIsPipedToFFmpeg() throws {
    let (folder, tools) = (try TemporaryFolder(), try TemporaryFolder())
    let path = folder.write("small.json", scene)
    let environment = try standIn(tools, "for last; do :; done; wc -c > \"$last\"")
    let cases = [([], 10), (["--frames", "3"], 3), (["--frames", "2..<7"], 5), (["--duration", "0.4"], 4)]
    for (options, frames) in cases {
      try ToolProcess.succeed(
        ["render", path, "--output", folder.path("a.webm"), "--size", "32x16"] + options, environment: environment)
      let count = try folder.text("a.webm")
      #expect(Int(count.filter(\.isNumber)) == frames * 32 * 16 * 3)
    }
    #expect(folder.names == ["a.webm", "small.json"])
  }

  @Test func aFailureOfFFmpegIsAnErrorAndLeavesNothing() throws {
    let (folder, tools) = (try TemporaryFolder(), try TemporaryFolder())
    let path = folder.write("small.json", scene)
    for script in ["echo 'no such encoder' >&2; exit 1", "cat > /dev/null; echo 'no such encoder' >&2; exit 8"] {
      try ToolProcess.refuse(
        ["render", path, "--output", folder.path("a.mp4"), "--size", "320x160"], "ffmpeg: no such encoder",
        environment: try standIn(tools, script))
      #expect(folder.names == ["small.json"])
    }
  }

  @Test(.enabled(if: FrameEncoder.program() != nil), arguments: ["gif", "webp", "mp4", "webm"])
  func theSameCallMakesTheSameMovingPicture(_ ending: String) throws {
    let folder = try TemporaryFolder()
    var files: [Data] = []
    for name in ["a.\(ending)", "b.\(ending)"] {
      try render(folder, name, "--size", "64x32", "--frames", "5", "--fps", "25")
      files.append(try folder.data(name))
    }
    #expect(files[0] == files[1] && files[0].count > 50)
  }

  @Test func watchNeedsATerminal() throws {
    try ToolProcess.refuse(["watch", "burst"], "watch: needs a terminal; murmuration render draws into a file")
  }
}
