// SPDX-License-Identifier: MIT
import Foundation
import TestSupport
import Testing

/// `murmuration plot` as a process: its pictures, its outputs, and its refusals.
struct PlotProcessTests {
  @Test(arguments: TextTable.rows(of: "drawn", in: "commands.txt")) func everyFormIsDrawnInBothWays(_ row: [String])
    throws
  {
    let folder = try TemporaryFolder()
    let arguments = ["plot", "--terminal", "--output", folder.path("a.svg")] + ToolProcess.words(row[0])
    try ToolProcess.succeed(arguments).expect("velocity")
    let svg = try folder.text("a.svg")
    #expect(svg.hasPrefix("<svg ") && svg.hasSuffix("</svg>\n") && !svg.contains("nan") && !svg.contains("inf"))
  }

  @Test func animationsAreDrawnWithTheirModifiers() throws {
    let outcome = try ToolProcess.succeed([
      "plot", "--animation", "curve=easeOut,duration=0.5,repeats=3,autoreverses=true,speed=2,delay=0.25", "--animation",
      "there and back:curve=linear,duration=1,repeats=forever", "--output", "-",
    ])
    // Three times a quarter of a second, after a quarter.
    outcome.expect(
      "easeOut, 0.5 s, 3 times, to and fro, speed 2, delay 0.25 s: duration 1 s", "there and back: duration ∞")
    // Two iterations end before the last one; the endless animation shows the ends within four seconds and the margin.
    #expect(outcome.output.split(separator: "<circle ").count == 1 + 2 + 4)
  }

  @Test func phasesAreDrawnWithTheirBoundaries() throws {
    let outcome = try ToolProcess.succeed(["plot", "phases", "--group", "reaction", "--output", "-"])
    outcome.expect(">Phases of reaction</text>", "scale: duration 1.35 s", "lift: duration 1.35 s")
    for phase in 1...4 { outcome.expect(">phase \(phase)</text>") }
    // From phase 1 the track goes to phase 2 at once, and then three phases on; both curves head for targets.
    #expect(outcome.output.split(separator: "<line class=\"band\"").count == 4)
    #expect(outcome.output.split(separator: "<path class=\"goal").count == 3)
    let one = try ToolProcess.run(["plot", "phases", "--component", "scale", "--output", "-"])
    #expect(one.output.split(separator: "<path class=\"goal").count == 2)
  }

  /// A group without a model is played for as long as it is drawn, beyond the scene's end and not longer.
  @Test func aGroupThatIsPlayedIsPlayedForTheDuration() throws {
    let folder = try TemporaryFolder()
    let event = "{\"at\": 2, \"target\": {\"shape\": \"line\", \"size\": 50}}"
    for (length, duration) in [(1, 4.0), (4000, 4)] {
      let path = folder.write(
        "a.json",
        """
        {"murmuration": 1, "duration": \(length), "groups": [{"count": 3, "springs": {"duration": [0.5, 0.6]},
         "start": {"shape": "line"}, "events": [\(event)]}]}
        """)
      let (first, track) = (["plot", path, "--duration", "\(duration)", "--json"], ["--track", "0"])
      #expect(try ToolProcess.succeed(first).output == ToolProcess.succeed(first + track).output)
    }
  }

  /// Nine components, of three nodes that share a name.
  @Test func componentsOfOneNameAreToldApart() throws {
    let folder = try TemporaryFolder()
    let channels = (0..<3).map { "{\"sampler\": 0, \"target\": {\"node\": \($0), \"path\": \"translation\"}}" }
    let path = folder.write(
      "a.gltf",
      """
      {"asset": {"version": "2.0"}, "nodes": [{"name": "a"}, {"name": "a"}, {"name": "a"}], "accessors":
       [{"componentType": 5126, "count": 1, "type": "SCALAR"}, {"componentType": 5126, "count": 1, "type": "VEC3"}],
       "animations": [{"samplers": [{"input": 0, "output": 1}], "channels": [\(channels.joined(separator: ","))]}]}
      """)
    let outcome = try ToolProcess.succeed(["plot", path, "--json"])
    #expect(outcome.output.components(separatedBy: "\"name\" : \"a.translation.").count == 9)
  }

  @Test func aRequestFileOfSampleIsDrawn() throws {
    let requests = """
      [{"kind": "spring", "spring": "bouncy"},
       {"kind": "timeline", "track": [{"type": "linear", "to": 1, "duration": 0.2}, {"type": "move", "to": 0.5}],
        "times": [0]}]
      """
    let outcome = try ToolProcess.succeed(["plot", "-", "--output", "-"], input: requests)
    #expect(outcome.output.contains("2 keyframes: duration 0.2 s"))
    // A dot at the end of each keyframe.
    #expect(outcome.output.split(separator: "<circle ").count == 3)
  }

  @Test func theChartAppearsInTheTerminalUnlessAFileIsNamed() throws {
    let folder = try TemporaryFolder()
    let shown = try ToolProcess.succeed(["plot", "bouncy"])
    #expect(shown.output.contains("velocity") && shown.output.contains("perceptual"))
    let path = folder.path("a.svg")
    #expect(try ToolProcess.run(["plot", "bouncy", "-o", path]).output.isEmpty)
    let both = try ToolProcess.run(["plot", "bouncy", "--terminal", "-o", path])
    #expect(both.output == shown.output && folder.names == ["a.svg"])
    #expect(try ToolProcess.run(["plot", "bouncy", "-o", "a.png"]).errors.contains("must end in .svg"))
  }

  @Test func theReportInJSONNamesTheCurves() throws {
    let json = try ToolProcess.succeed(["plot", "smooth", "soft:bouncy", "--json"]).json
    let curves = json.curves?.elements ?? []
    #expect(json.title?.string == "Springs" && curves.map(\.name?.string) == ["smooth", "soft"])
    #expect(curves.last?.marks?.perceptual?.number == 0.5)
    #expect((curves.last?.highest?.number).map { 1.01...1.2 ~= $0 } == true)
  }

  /// Components of different size would be flat lines on one axis.
  @Test func componentsOfDifferentSizeStandInPanelsOfTheirOwn() throws {
    let folder = try TemporaryFolder()
    let scene = """
      {"murmuration": 1, "dimensions": 3, "duration": 2, "groups": [{"count": 1, "phases": [
        {"target": [0, 0, 1], "spring": {}}, {"target": [1000, 1, 0], "spring": {}}]}]}
      """
    let path = folder.write("sizes.json", scene)
    let outcome = try ToolProcess.succeed(["plot", path, "-o", "-"])
    // A panel of values and one of velocities for each size; the first component alone has the first one.
    #expect(outcome.output.split(separator: "<clipPath ").count == 1 + 4)
    let text = try ToolProcess.run(["plot", path])
    #expect(text.output.split(separator: "\n").contains { $0.contains("1000 ┤") })
    #expect(text.output.split(separator: "\n").contains { $0.contains("1.0 ┤") || $0.contains(" 1 ┤") })
  }
}
