// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// `murmuration plot` as a process: its pictures, its outputs, and its refusals.
struct PlotProcessTests {
  @Test func aSpringBecomesAnSVGFile() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("spring.svg")
    let outcome = try ToolProcess.succeed(["plot", "duration=0.5,bounce=-0.4", "--output", path])
    #expect(outcome.output.isEmpty && outcome.errors.isEmpty)
    let svg = try String(contentsOfFile: path, encoding: .utf8)
    #expect(svg.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\""))
    #expect(svg.contains("duration 0.5, bounce -0.4: perceptual 0.5 s, settling 1.7 s"))
    #expect(folder.names == ["spring.svg"])
  }

  @Test(arguments: [
    ["--spring", "bouncy"], ["--spring", "mass=1,stiffness=100,damping=10"],
    ["--spring", "name:stiffness=100,damping=90,allowOverDamping=true"],
    ["response=0.5,dampingRatio=0.7"], ["stiffness=100,damping=10,mass=2"],
    ["stiffness=100,damping=90,allowOverDamping=true"],
    ["settlingDuration=2,dampingRatio=0.5"], ["--spring", "duration=0"],
    ["duration=1e-4"], ["duration=1e6,bounce=0.99"], ["bounce=1"], [#"{"bounce": -0.999999}"#],
    ["bouncy", "smooth", "flat:bounce=-0.4", "curve=easeIn,delay=1"], ["ease-in-out", "Linear"], ["EaseOut"],
    ["cubic-bezier(0.3, 0, 0.1, 1.2)", "steps(4, jump-both)", "linear(0, 0.5 20% 40%, 1)", "ease", "step-end"],
    ["--curve", "cubic-bezier(.3,-1,.1,2)"], ["--animation", "ease"], ["--animation", "linear(0, 1.1, 1)"],
    ["curve=cubic-bezier(0.3, 0, 0.1, 1),duration=0.5,delay=0.1"],
    ["--animation", "bouncy", "--animation", "ease-out"], [#"{"steps": 3}"#], ["{}", "--velocity", "3"],
    ["--spring", "smooth", "--from", "-1e15", "--target", "1e15", "--velocity", "-1e15"],
    ["--spring", "smooth", "--from", "1", "--target", "1"], ["--spring", "smooth", "--duration", "1e-6"],
    ["--curve", "circularEaseInOut"], ["--curve", #"{"steps": 1000000000}"#],
    ["--curve", #"{"linear": [[-5, 0], [-5, 1], [7, 1e15]]}"#],
    ["--animation", "curve=easeInOut"], ["--animation", "curve=easeIn,duration=0,delay=1,repeats=9007199254740992"],
    ["--animation", "spring=bouncy,repeats=forever,autoreverses=true", "--duration", "1000"],
    ["--animation", #"{"spring": {"bounce": 1}, "repeats": 2, "speed": 1e6}"#],
    ["--animation", "curve=linear,delay=-1e6,repeats=forever"],
    ["--animation", "curve=linear,duration=1e6,speed=1e-9"],
    ["phases"], ["phases", "--group", "reaction", "--component", "lift"],
    ["phases", "--duration", "100"], ["phases", "--duration", "1e-6"],
    ["camera-tour", "--group", "1", "--title", "Tour"], ["cameraTour"], ["hearts"], ["shapes"],
    ["shapes", "--group", "mixed", "--tracks", "1000", "--duration", "0.2"],
    ["meadow", "--tracks", "50", "--duration", "1"],
    ["cloths", "--frames", "5"], ["phases", "--track", "3", "--duration", "1"], ["hearts", "--frames", "5..<9"],
  ])
  func everyFormIsDrawnInBothWays(arguments: [String]) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.svg")
    let outcome = try ToolProcess.succeed(["plot", "--terminal", "--output", path] + arguments)
    let svg = try String(contentsOfFile: path, encoding: .utf8)
    #expect(svg.hasPrefix("<svg ") && svg.hasSuffix("</svg>\n"))
    #expect(!svg.contains("nan") && !svg.contains("inf"))
    #expect(outcome.output.contains("velocity"))
  }

  @Test func animationsAreDrawnWithTheirModifiers() throws {
    let outcome = try ToolProcess.succeed([
      "plot", "--animation", "curve=easeOut,duration=0.5,repeats=3,autoreverses=true,speed=2,delay=0.25", "--animation",
      "there and back:curve=linear,duration=1,repeats=forever", "--output", "-",
    ])
    // Three times a quarter of a second, after a quarter.
    #expect(outcome.output.contains("easeOut, 0.5 s, 3 times, to and fro, speed 2, delay 0.25 s: duration 1 s"))
    #expect(outcome.output.contains("there and back: duration ∞"))
    // Two iterations end before the last one; the endless animation shows the ends within four seconds and the margin.
    #expect(outcome.output.split(separator: "<circle ").count == 1 + 2 + 4)
  }

  @Test func phasesAreDrawnWithTheirBoundaries() throws {
    let outcome = try ToolProcess.succeed(["plot", "phases", "--group", "reaction", "--output", "-"])
    #expect(outcome.output.contains(">Phases of reaction</text>"))
    #expect(outcome.output.contains("scale: duration 1.35 s") && outcome.output.contains("lift: duration 1.35 s"))
    for phase in 1...4 { #expect(outcome.output.contains(">phase \(phase)</text>")) }
    // From phase 1 the track goes to phase 2 at once, and then three phases on; both curves head for targets.
    #expect(outcome.output.split(separator: "<line class=\"band\"").count == 4)
    #expect(outcome.output.split(separator: "<path class=\"goal").count == 3)
    let one = try ToolProcess.run(["plot", "phases", "--component", "scale", "--output", "-"])
    #expect(one.output.split(separator: "<path class=\"goal").count == 2)
  }

  @Test func aSceneFileOfManyPhasesIsDrawn() throws {
    let folder = try TemporaryFolder()
    let phases = (0..<1000).map { "{\"target\": [\($0 % 7)], \"spring\": {\"duration\": 0.1}}" }.joined(separator: ",")
    let scene = "{\"murmuration\": 1, \"duration\": 1, \"groups\": [{\"count\": 1, \"phases\": [\(phases)]}]}"
    let path = folder.write("many.json", scene)
    let outcome = try ToolProcess.succeed(["plot", path, "--output", "-"])
    #expect(!outcome.output.contains("class=\"band\""))
    try ToolProcess.refuse(["plot", path, "--duration", "1e9", "--output", "-"], "phases; the most that are drawn")
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

  @Test(arguments: [
    (["--spring", "bounce=3"], 1, "Error: --spring bounce=3: bounce: must be in (−1, 1], is 3\n"),
    (["--spring", "stiff"], 1, "Error: --spring stiff: unknown spring \"stiff\" (known: smooth, snappy, bouncy)\n"),
    (["--spring", "bounce=x"], 1, "Error: --spring bounce=x: bounce: must be a number, is a string\n"),
    (["--spring", "bounce=0,bounce=1"], 1, "the key \"bounce\" stands twice in one object\n"),
    (["--spring", ""], 1, "Error: --spring : unknown spring \"\""),
    (["bounce=nan"], 1, "Error: bounce=nan: bounce: must be a number, is a string\n"),
    (["duration=-1"], 1, "Error: duration=-1: duration: must be 0 or in [1e-4, 1e6], is -1\n"),
    (["duration=1,mass=1"], 1, "Error: duration=1,mass=1: mixes duration, mass, which belong to different forms\n"),
    (["bouncyy"], 1, "; did you mean “bouncy”?\n"), (["shape"], 1, "; did you mean “shapes”?\n"),
    (["--curve", "ease-in-ot"], 1, "; did you mean “easeInOut”?\n"),
    (["--spring", "boucny"], 1, "(known: smooth, snappy, bouncy); did you mean “bouncy”?\n"),
    (["--spring", "smooth", "--target", "inf"], 1, "Error: --target: must be within ±1e15, is inf\n"),
    (["--curve", "eas"], 1, "Error: --curve eas: unknown curve \"eas\""),
    (["cubic-bezier(2, 0, 1, 1)"], 1, "Error: cubic-bezier(2, 0, 1, 1): byte 13: must be in [0, 1], is 2\n"),
    (["curve=steps(0, end),duration=1"], 1, "curve: byte 6: must be a whole number from 1 to 1e9, is 0\n"),
    (["--curve", "linear", "--spring", "smooth"], 1, "draw them apart\n"),
    (Array(repeating: "--spring=smooth", count: 9), 1, "Error: 9 curves are too many for one chart; the most is 8\n"),
    (["no.json"], 1, "Error: no.json: cannot be opened: No such file or directory\n"),
    (["./shape"], 1, "Error: ./shape: there is no such file, and no such built-in scene"),
    (["cloths", "--track", "1000000"], 1, "Error: --track: must be within 0..<"),
    (["phases", "--group", "x"], 1, "Error: --group x: there is no such group (known: pulse, reaction)\n"),
    (["phases", "--group", "puls"], 1, "(known: pulse, reaction); did you mean “pulse”?\n"),
    (["phases", "--group", "-1"], 64, "Error: "),
    (["phases", "--group", "2"], 1, "Error: --group 2: there is no such group (known: pulse, reaction)\n"),
    (["phases", "--component", "z"], 1, "Error: --component z: there is no such component (known: scale, lift)"),
    (["phases", "--duration", "1e9"], 1, "Error: --duration: makes about 2222222223 phases"),
    (["phases", "--spring", "smooth"], 64, "Error: a scene is drawn alone\n"),
    (["phases", "shapes"], 64, "Error: a scene is drawn alone\n"),
    (["bouncy", "--group", "pulse"], 64, "go with a scene\n"),
    ([], 64, "Error: nothing to draw: name a spring, a curve, an animation, a scene or a request file\n"),
    (["--animation", "curve=linear,spring=smooth"], 1, "must have one of the keys curve and spring\n"),
    (["--animation", "spring=smooth,duration=1"], 1, "duration: stands in the spring, not beside it\n"),
    (["--animation", "spring=smooth,speed=-1"], 1, "speed: must be in (0, 1e6], is -1\n"),
    (
      ["--animation", "curve=linear,repeats=0"], 1, "repeats: must be a whole number from 1 to 9007199254740992, is 0\n"
    ),
    (["--animation", "curve=linear,repeats=often"], 1, "repeats: unknown number of repeats \"often\""),
    (["--animation", "curve=linear,autoreverses=true"], 1, "autoreverses: goes with repeats\n"),
    (["--animation", "curve=linear,delay=1e7"], 1, "delay: must be within ±1e6, is 10000000\n"),
    (["--animation", #"{"spring": {"duration": 0}}"#], 1, "spring: needs a duration of more than 0\n"),
    (["--animation", "lineal"], 1, "unknown animation \"lineal\" (known: smooth, snappy, bouncy, linear, "),
    (["--animation", "curve=linear", "--velocity", "1"], 64, "Error: --velocity goes with springs only\n"),
    (["easeIn", "--target", "3"], 64, "Error: --from, --target and --velocity go with springs and animations\n"),
    (["--spring", "smooth", "--duration", "0"], 64, "Error: --duration: must be in [1e-6, 1e9], is 0\n"),
    (["--curve", "linear", "--duration", "2"], 64, "Error: --duration: a unit curve runs over progress from 0 to 1\n"),
  ])
  func whatCannotBeDrawnIsRefused(arguments: [String], status: Int32, message: String) throws {
    let folder = try TemporaryFolder()
    try ToolProcess.refuse(["plot", "--output", folder.path("a.svg")] + arguments, status: status, message)
    #expect(folder.names.isEmpty)
  }

  @Test func badRequestsInAFileAreNamed() throws {
    let folder = try TemporaryFolder()
    let file = folder.write("r.json", #"[{"kind": "spring", "spring": {"bounce": 3}}]"#)
    let words = "Error: \(file): [0].spring.bounce: must be in (−1, 1], is 3\n"
    try ToolProcess.refuse(["plot", file, "--terminal"], words, exactly: true)
  }

  @Test func nothingIsLeftWhereTheOutputCannotBeWritten() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path("folder.svg"), withIntermediateDirectories: false)
    for (path, reason) in [
      (folder.path("missing/a.svg"), "cannot be written: No such file or directory"),
      (folder.path("folder.svg"), "is a directory, not a file"),
    ] {
      let command = ["plot", "--spring", "smooth", "--output", path]
      try ToolProcess.refuse(command, "Error: \(path): \(reason)\n", exactly: true)
      #expect(folder.names == ["folder.svg"])
    }
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
    let outcome = try ToolProcess.succeed(["plot", "smooth", "bouncy", "--json"])
    let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
    let curves = object?["curves"] as? [[String: Any]]
    #expect(object?["title"] as? String == "Springs" && curves?.map { $0["name"] as? String } == ["smooth", "bouncy"])
    #expect((curves?.last?["marks"] as? [String: Double])?["perceptual"] == 0.5)
    #expect((curves?.last?["highest"] as? Double).map { $0 > 1.01 && $0 < 1.2 } == true)
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
