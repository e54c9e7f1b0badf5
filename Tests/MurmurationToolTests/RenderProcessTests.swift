// SPDX-License-Identifier: MIT
import Foundation
import TestSupport
import Testing

@testable import MurmurationTool

/// `murmuration render` as its users meet it.
struct RenderProcessTests {
  private let path = Fixtures.path("Scenes/render.json")

  @discardableResult
  private func render(_ folder: TemporaryFolder, _ name: String, _ options: String...) throws -> ToolProcess.Outcome {
    try ToolProcess.succeed(["render", path, "--output", folder.path(name)] + options)
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
      let files = try ["1", "2"].map { threads in
        try ToolProcess.succeed(["render", path, "-o", folder.path("a.png"), "--threads", threads] + options)
        return try folder.data("a.png")
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
    #expect(try size(folder.path("sheet.PNG")) == [298, 86] && folder.names == ["a.png", "sheet.PNG"])
  }

  /// A sheet shows a frame as often as it must, and a single picture one of the frames that are asked for.
  @Test func fewFramesAreEnoughForAnyPicture() throws {
    let folder = try TemporaryFolder()
    for (frames, sheet, seconds) in [("1", "3", 0), ("2", "5", 0.1), ("3..<5", "9", 0.4)] as [(String, String, Double)]
    {
      let arguments = ["--sheet", sheet, "--frames", frames, "--size", "120x90", "--json"]
      let json = try ToolProcess.succeed(["render", path, "-o", folder.path("a.png")] + arguments).json
      #expect(json.frames?.number == Double(sheet) && json.playedSeconds?.number == seconds)
    }
    // Shapes chooses the moment 1.22.
    let moments: [(frames: String, sixtieths: Double)] = [
      ("0..<120", 73), ("73..<74", 73), ("0..<73", 36), ("74..<76", 75),
    ]
    for (frames, sixtieths) in moments {
      let json = try ToolProcess.succeed(
        [
          "render", "shapes", "--tracks", "90", "-o", folder.path("a.png"), "--frames", frames, "--size", "32x16",
          "--json",
        ]
      ).json
      #expect(json.playedSeconds?.number == sixtieths / 60, "\(frames)")
    }
    try ToolProcess.refuse(
      ["render", path, "--at", "1e6", "--fps", "60", "-o", folder.path("b.png")],
      "Error: --at: must be more than 0 and make")
    #expect(folder.names == ["a.png"])
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
    let json = try render(folder, "a.png", "--size", "32x16", "--json").json
    #expect(json.width?.number == 32 && json.frames?.number == 1 && json.tracks?.number == 50)
    #expect(json.playedSeconds?.number != nil && json.playMilliseconds?.number != nil)
    #expect(try render(folder, "a.png", "--size", "32x16", "--quiet").output == "")
  }

  @Test func withoutFFmpegTheErrorSaysHowToInstallIt() throws {
    let folder = try TemporaryFolder()
    try ToolProcess.refuse(
      ["render", path, "--output", folder.path("a.mp4"), "--size", "32x32"],
      "ffmpeg: is not installed; .mp4 needs it: apt-get install ffmpeg", environment: ["PATH": folder.url.path])
    #expect(folder.names.isEmpty)
  }

  /// A program that stands in for ffmpeg: it counts the bytes of the frames, or fails.
  private func standIn(_ folder: TemporaryFolder, _ script: String) throws -> [String: String] {
    try folder.install(folder.write("script", "#!/bin/sh\n\(script)\n"), as: "ffmpeg")
    return ["PATH": "\(folder.url.path):/usr/bin:/bin"]
  }

  @Test func everyFrameIsPipedToFFmpeg() throws {
    let (folder, tools) = (try TemporaryFolder(), try TemporaryFolder())
    let environment = try standIn(tools, "for last; do :; done; wc -c > \"$last\"")
    let cases = [([], 10), (["--frames", "3"], 3), (["--frames", "2..<7"], 5), (["--duration", "0.4"], 4)]
    for (options, frames) in cases {
      try ToolProcess.succeed(
        ["render", path, "--output", folder.path("a.webm"), "--size", "32x16"] + options, environment: environment)
      let count = try folder.text("a.webm")
      #expect(Int(count.filter(\.isNumber)) == frames * 32 * 16 * 3)
    }
    #expect(folder.names == ["a.webm"])
  }

  /// It takes what stands before a colon for a protocol, unless a slash comes first.
  @Test func aNameWithAColonIsAFileToFFmpeg() throws {
    let (folder, tools) = (try TemporaryFolder(), try TemporaryFolder())
    let environment = try standIn(tools, "for last; do :; done; cat > /dev/null; echo \"$last\" > \"$last\"")
    let tool = try ToolProcess.executable().path
    let script = "cd \"$0\" && \"$1\" render \"$2\" --frames 2 --size 32x16 -o 12:30.mp4"
    let outcome = try ToolProcess.run(
      ["-c", script, folder.url.path, tool, path], environment: environment, program: "/bin/sh")
    #expect(try outcome.status == 0 && folder.text("12:30.mp4").hasPrefix("./.12:30.mp4."), "\(outcome.errors)")
  }

  @Test func aFailureOfFFmpegIsAnErrorAndLeavesNothing() throws {
    let (folder, tools) = (try TemporaryFolder(), try TemporaryFolder())
    for script in ["echo 'no such encoder' >&2; exit 1", "cat > /dev/null; echo 'no such encoder' >&2; exit 8"] {
      try ToolProcess.refuse(
        ["render", path, "--output", folder.path("a.mp4"), "--size", "320x160"], "ffmpeg: no such encoder",
        environment: try standIn(tools, script))
      #expect(folder.names.isEmpty)
    }
  }

  @Test(.enabled(if: FrameEncoder.program() != nil), arguments: ["gif", "webp", "mp4", "webm"])
  func theSameCallMakesTheSameMovingPicture(_ ending: String) throws {
    let folder = try TemporaryFolder()
    let files = try ["a.\(ending)", "b.\(ending)"].map { name in
      try render(folder, name, "--size", "64x32", "--frames", "5", "--fps", "25")
      return try folder.data(name)
    }
    #expect(files[0] == files[1] && files[0].count > 50)
  }
}
