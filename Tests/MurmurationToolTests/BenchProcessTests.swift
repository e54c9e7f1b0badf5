// SPDX-License-Identifier: MIT
import Foundation
import TestSupport
import Testing

/// Runs of `murmuration bench` as files: compared, drawn, and refused where they do not belong.
struct BenchProcessTests {
  /// A run as `bench` writes it, with the rows `a`, `b` and a yardstick.
  private func run(b: Double, bytes: String = "") -> Data {
    func row(_ name: String, _ ns: Double, _ more: String = "") -> String {
      """
      {"name": "\(name)", "tracks": 1000, "called": 1000, "nsPerTrack": \(ns), "medianNsPerTrack": \(ns * 1.1),
       "slowNsPerTrack": \(ns * 1.15)\(more)}
      """
    }
    let rows = [row("a", 1, bytes), row("b", b), row("yardstick.c", 1)].joined(separator: ", ")
    return Data(
      """
      {"bakes": [], "machine": {"processor": "P", "cores": 2, "instructionSets": [], "operatingSystem": "O",
       "optimised": true}, "matrices": [], "nodes": [], "operations": [\(rows)], "results": []}
      """.utf8)
  }

  @Test func aRunSaysWhatBecameSlowerSinceAnEarlierOne() throws {
    let folder = try TemporaryFolder()
    let (before, after) = (folder.write("before.json", run(b: 1)), folder.write("after.json", run(b: 2)))
    let outcome = try ToolProcess.succeed(["bench", "--measured", after, "--compare", before])
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    #expect(outcome.output.contains("of 2 rows, 1 slower and 0 faster"))
    let json = try ToolProcess.run(["bench", "--measured", before, "--compare", after, "--json"])
    let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    let comparison = object?["comparison"] as? [String: Any]
    let faster = comparison?["faster"] as? [[String: Any]]
    #expect(faster?.map { $0["name"] as? String } == ["b"] && faster?.first?["ratio"] as? Double == 0.5)
    // The keys of a run stay where they are.
    #expect((object?["operations"] as? [Any])?.count == 3 && object?["machine"] is [String: Any])
  }

  @Test func aQuietRunPrintsItsRows() throws {
    let folder = try TemporaryFolder()
    let measure = ["bench", "--quick", "--only", "rest", "--quiet"]
    let printed = try ToolProcess.succeed(measure)
    #expect(printed.errors.isEmpty && printed.output.contains("\nframe.asleep."), "\(printed)")
    let file = folder.path("run.json")
    let written = try ToolProcess.succeed(
      measure + ["-o", file, "--compare", folder.write("before.json", run(b: 1))])
    #expect(written.errors.isEmpty && written.output.hasPrefix("\(file): ") && written.output.contains(" of 0 rows"))
    #expect(try ToolProcess.succeed(["bench", "--measured", file, "--quiet"]).output.contains("\nframe.asleep."))
  }

  @Test func aRunIsDrawnOnItsRoofline() throws {
    let folder = try TemporaryFolder()
    let file = folder.write("run.json", run(b: 1, bytes: #", "bytesPerTrack": 20, "rooflineGBPerSecond": 40"#))
    let outcome = try ToolProcess.succeed(["plot", file, "-o", "-"])
    #expect(outcome.output.hasPrefix("<svg ") && outcome.output.hasSuffix("</svg>\n"))
    #expect(outcome.output.contains(">a</text>") && outcome.output.contains("batch 50 %"))
    #expect(!outcome.output.contains(">b</text>"))
  }

  @Test func runsAreRefusedWhereTheyDoNotBelong() throws {
    let folder = try TemporaryFolder()
    let file = folder.write("run.json", run(b: 1))
    let scene = folder.write("scene.json", #"{"murmuration": 1, "groups": []}"#)
    for (arguments, status, message) in [
      (["run", file], 1, "is a run of murmuration bench, not a scene: murmuration plot draws it"),
      (["bench", "--measured", scene], 1, "is a scene, not a run of murmuration bench"),
      (["bench", "--compare", folder.path("none.json")], 1, "none.json: cannot be opened"),
      (["bench", "--measured", file, "--quick"], 64, "--measured goes without --quick, --only and --output"),
      (["plot", file], 64, "goes with --output"), (["plot", file, "--json", "-o", "a.svg"], 64, "goes with --output"),
      (["plot", file, "bouncy", "-o", "a.svg"], 64, "is drawn alone"),
      (["plot", file, "-o", folder.path("a.svg")], 1, "has no row whose bytes are known"),
    ] as [([String], Int32, String)] {
      try ToolProcess.refuse(arguments, status: status, message)
    }
    #expect(folder.names == ["run.json", "scene.json"])
  }
}
