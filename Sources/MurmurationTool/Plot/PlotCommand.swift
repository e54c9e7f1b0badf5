// SPDX-License-Identifier: MIT
import ArgumentParser
import Charts
import Formats
import Scenes
import Text

/// `murmuration plot`: draws value and velocity of springs, curves, animations, timelines and phases.
struct PlotCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plot",
    abstract: "Draws value and velocity of springs, curves, animations, timelines and phases.",
    discussion: """
      The curves come from a request file as `sample` reads it (times may be
      left out), from options, or both. Springs, animations and timelines share a
      chart over time, with perceptual and settling durations marked; unit curves
      have one over progress. With --scene they are the motions of a scene's group:
      phases with the moments at which they change, timelines, or a spring.

      EXAMPLES:
        murmuration plot --duration 0.5 --bounce 0.3 --output spring.svg
        murmuration plot --spring bouncy --spring smooth \\
          --spring "flattened:bounce=-0.4" --output springs.svg
        murmuration plot --spring "mass=1,stiffness=100,damping=10" \\
          --target 200 --velocity -800 --terminal
        murmuration plot --curve easeInOut \\
          --curve '{"bezier": [0.3, -0.5, 0.7, 1.5]}' --output curves.svg
        murmuration plot --animation "curve=easeOut,duration=0.5,delay=0.2" \\
          --animation "curve=easeInOut,repeats=3,autoreverses=true" --terminal
        murmuration plot timeline.json --output timeline.svg
        murmuration plot --scene phases --group reaction --output reaction.svg
        murmuration plot --bars Benchmarks/springs.json --output speed.svg
      """)

  @Argument(help: "A request file; - for standard input.", completion: .file(extensions: ["json"]))
  var file: String?

  @OptionGroup(title: "What to draw")
  var subjects: PlotSubjectOptions

  @OptionGroup(title: "What of a scene to draw")
  var ofScene: PlotSceneOptions

  @Option(
    help: "Draw the bars of this JSON file and nothing else: a title, a unit, bars, and notes.",
    completion: .file(extensions: ["json"]))
  var bars: String?

  @Option(parsing: .unconditional, help: "The end of the time axis in seconds; without it, everything there is to see.")
  var until: Double?

  @Option(help: "The heading.")
  var title: String?

  @Option(
    name: [.short, .long], help: "The SVG file to write; - for standard output.", completion: .file(extensions: ["svg"])
  )
  var output: String?

  @Flag(help: "Draw in the terminal.")
  var terminal = false

  func validate() throws {
    guard (output != nil) != terminal else { throw ValidationError("give either --output FILE.svg or --terminal") }
    if let output, output != "-", !output.lowercased().hasSuffix(".svg") {
      throw ValidationError("--output: only SVG is drawn, so the file's name must end in .svg")
    }
    if let until, !(until.isFinite && until >= 1e-6 && until <= 1e9) {
      throw ValidationError("--until: must be in [1e-6, 1e9], is \(NumberText.short(until))")
    }
  }

  func run() throws {
    if let bars { return try draw(bars: bars) }
    let chart: Chart
    if let (heading, subjects) = try ofScene.read() {
      guard file == nil, try self.subjects.read().isEmpty else {
        throw ValidationError("--scene goes without a request file and without springs and curves")
      }
      try check(subjects)
      chart = Chart(subjects, title: title ?? heading, until: until)
    } else {
      chart = Chart(try allSubjects(), title: title, until: until)
    }
    if let output {
      try write(SVGChart(chart).svg, to: output)
    } else {
      let text = TerminalChart(chart, columns: Terminal.columns, isColoured: Terminal.hasColours)
      try StandardOutput.write(text.text)
    }
  }

  /// Draws a file of bars.
  private func draw(bars path: String) throws {
    guard let output, file == nil, try subjects.read().isEmpty, try ofScene.read() == nil else {
      throw ValidationError("--bars goes with --output, and without anything else to draw")
    }
    let chart: SVGBarChart = try RequestFile.read(path, limit: SampleCommand.sizeLimit)
    guard chart.isDrawable else {
      throw FileError(file: RequestFile.name(path), place: "bars", "must be one or more, with values in [1e-9, 1e9]")
    }
    try write(chart.svg, to: output)
  }

  /// Everything to draw: first the file's subjects, then the subjects of the options; checked to fit on one chart.
  private func allSubjects() throws -> [PlotSubject] {
    var all: [PlotSubject] = []
    if let file {
      let document: SampleDocument = try RequestFile.read(file, limit: SampleCommand.sizeLimit)
      for (index, request) in document.requests.enumerated() {
        switch request {
        case .success(let request):
          all.append(PlotSubject(request))
        case .failure(let error):
          let place = (document.isArray ? "[\(index)]" : "") + (error.place.isEmpty ? "" : ".\(error.place)")
          throw FileError(file: RequestFile.name(file), place: document.isArray ? place : error.place, error.reason)
        }
      }
    }
    all += try subjects.read()
    guard !all.isEmpty else {
      throw ValidationError(
        "nothing to draw: give a request file, --spring, --duration, --animation, --curve or --scene")
    }
    try check(all)
    return all
  }

  /// Throws if subjects do not fit on one chart.
  private func check(_ all: [PlotSubject]) throws {
    guard all.count <= SVGChart.seriesLimit else {
      throw FileError("\(all.count) curves are too many for one chart; the most is \(SVGChart.seriesLimit)")
    }
    guard all.allSatisfy(\.isCurve) || !all.contains(where: \.isCurve) else {
      throw FileError("unit curves run over progress, all else over time: draw them apart")
    }
    if until != nil, all.contains(where: \.isCurve) {
      throw ValidationError("--until: a unit curve runs over progress from 0 to 1")
    }
    for subject in all {
      guard case .phases(let group, _) = subject.motion else { continue }
      let steps = PhaseMotion.stepCount(group, until: until ?? subject.length)
      guard steps <= PlotSubject.stepLimit else {
        throw FileError(
          place: "--until", "makes about \(NumberText.short(steps)) phases; the most that are drawn are 10000")
      }
    }
  }

  private func write(_ text: String, to path: String) throws {
    if path == "-" { return try StandardOutput.write(text) }
    var file = try OutputFile(path)
    try file.write(text.utf8)
    try file.finish()
  }
}
