// SPDX-License-Identifier: MIT
import ArgumentParser
import Bench
import Charts
import Formats
import Scenes
import Text

/// `murmuration plot`: draws value and velocity of springs, curves, animations, timelines and scenes.
struct PlotCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plot",
    abstract: "Draws value and velocity of springs, curves, animations, timelines and scenes; and runs of bench.",
    discussion: """
      SUBJECT is a spring (smooth, snappy, bouncy, or "duration=0.5,bounce=0.3"), a curve (easeInOut, \
      "cubic-bezier(0.3, 0, 0.1, 1)" or another easing function of CSS, or JSON), an animation \
      ("curve=easeOut,duration=0.5,delay=0.2"), a file of requests as `sample` reads it, or a scene. The chart appears \
      in the terminal unless -o names an .svg file.

      Springs, animations and timelines share a chart over time, with perceptual and settling durations marked; unit \
      curves have one over progress. Curves of different size stand in panels of their own.

      Of a scene, the motion of one group is drawn, a curve for each component: its phases with the moments at which \
      they change, its timelines or its spring. Of any other group, one track is drawn as it is played; of many \
      components, those that move the most. Offsets, staggers and playbacks are left out of phases and timelines.

      Of a file that `bench -o` wrote, each kind of work is drawn whose bytes are known: its speed over the size of its \
      data, beside the fastest copy of the same number of bytes. That needs -o.

      EXAMPLES:
        murmuration plot bouncy
        murmuration plot smooth bouncy "flattened:bounce=-0.4" -o springs.svg
        murmuration plot "mass=1,stiffness=100,damping=10" --target 200 \\
          --velocity -800
        murmuration plot ease-in-out '{"bezier": [0.3, -0.5, 0.7, 1.5]}'
        murmuration plot "curve=easeOut,duration=0.5,delay=0.2" \\
          "curve=easeInOut,repeats=3,autoreverses=true"
        murmuration plot "curve=steps(5, jump-both),duration=0.5"
        murmuration plot --animation bouncy --animation easeOut
        echo '{"kind": "timeline", "track": [{"type": "spring", "to": 1}]}' \\
          | murmuration plot -
        murmuration plot phases --group reaction -o reaction.svg
        murmuration plot murmuration --track 7 --duration 1
      """)

  @OptionGroup(title: "What to draw")
  var subjects: PlotSubjectOptions

  @OptionGroup(title: "What of a scene to draw")
  var ofScene: PlotSceneOptions

  @Option(
    help: "Draw the bars of this JSON file and nothing else: a title, a unit, bars, and notes.",
    completion: .file(extensions: ["json"]))
  var bars: String?

  @Option(help: "The heading.")
  var title: String?

  @Flag(help: "Draw in the terminal, beside a file too.")
  var terminal = false

  @OptionGroup(title: "How long, and where to")
  var playing: SceneOptions

  @OptionGroup var output: OutputOptions

  /// The seconds to draw; nil for everything there is to see.
  private var until: Double? { playing.duration }

  func validate() throws {
    try playing.requireCountOfTracks()
    if bars != nil {
      guard output.output != nil, subjects.areMissing, !ofScene.isGiven, !playing.areGiven, !terminal, !output.json
      else {
        throw ValidationError("--bars goes with --output, and without anything else to draw")
      }
    }
    guard bars != nil || !subjects.areMissing else {
      throw ValidationError("nothing to draw: name a spring, a curve, an animation, a scene or a request file")
    }
    if let path = output.output, path != "-", !path.lowercased().hasSuffix(".svg") {
      throw ValidationError("--output: only SVG is drawn, so the file's name must end in .svg")
    }
    if let until, !(until.isFinite && until >= 1e-6 && until <= 1e9) {
      throw ValidationError("--duration: must be in [1e-6, 1e9], is \(NumberText.short(until))")
    }
    if output.output == "-", terminal || output.json {
      throw ValidationError("-o - goes without --terminal and --json")
    }
  }

  func run() throws {
    if let bars { return try write(try Self.bars(ofFile: bars)) }
    if let run = try subjects.bench() { return try write(try roofline(ofFile: run)) }
    let chart = try chart()
    try write(SVGChart(chart).svg)
    if output.json {
      try StandardOutput.write(try JSONText.of(PlotReport(chart, output: output.output)))
    } else if terminal || output.output == nil {
      let text = TerminalChart(chart, columns: Terminal.columns, isColoured: Terminal.hasColours)
      try StandardOutput.write(text.text)
    }
  }

  /// Writes a picture where `--output` says, if it is given.
  private func write(_ svg: String) throws {
    guard let path = output.output else { return }
    if path == "-" { try StandardOutput.write(svg) } else { try OutputOptions.write(svg, to: path) }
  }

  /// The picture of a file of bars.
  private static func bars(ofFile path: String) throws -> String {
    let chart: SVGBarChart = try RequestFile.read(path, limit: SampleCommand.sizeLimit)
    guard chart.isDrawable else {
      throw FileError(file: RequestFile.name(path), place: "bars", "must be one or more, with values in [1e-9, 1e9]")
    }
    return chart.svg
  }

  /// The picture of a run of `murmuration bench`.
  private func roofline(ofFile path: String) throws -> String {
    guard output.output != nil, !terminal, !output.json, !ofScene.isGiven, !playing.areGiven else {
      throw ValidationError("a run of murmuration bench goes with --output, and without anything else to draw")
    }
    let report = try BenchCommand.report(ofFile: path)
    let panels = report.rooflinePanels.map { panel in
      SVGRoofline.Panel(
        title: panel.name,
        lines: panel.lines.map { line in (line.name, line.points.map { ($0.bytes, $0.speed, $0.roof) }) })
    }
    guard !panels.isEmpty else {
      throw FileError(file: RequestFile.name(path), "has no row whose bytes are known: measure churn or kernels")
    }
    return SVGRoofline(title: title ?? "Speed of memory", note: report.machine.processor, panels: panels).svg
  }

  private func chart() throws -> Chart {
    let (scenes, others) = try subjects.read()
    if let scene = scenes.first {
      guard scenes.count == 1, others.isEmpty else { throw ValidationError("a scene is drawn alone") }
      let (heading, subjects) = try ofScene.read(scene, playing)
      try check(subjects)
      return Chart(subjects, title: title ?? heading, until: until)
    }
    // --duration goes with any motion.
    var options = playing
    options.duration = nil
    guard !ofScene.isGiven, !options.areGiven else {
      throw ValidationError(
        "--group, --component, --track, --frames, --tracks, --lenient, --fps, --threads, --seed and --isa go with a "
          + "scene")
    }
    guard !others.isEmpty else { throw FileError("the request file holds nothing to draw") }
    try check(others)
    return Chart(others, title: title, until: until)
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
      throw ValidationError("--duration: a unit curve runs over progress from 0 to 1")
    }
    for subject in all {
      guard case .phases(let group, _) = subject.motion else { continue }
      let steps = PhaseMotion.stepCount(group, until: until ?? subject.length)
      guard steps <= PlotSubject.stepLimit else {
        throw FileError(
          place: "--duration", "makes about \(NumberText.short(steps)) phases; the most that are drawn are 10000")
      }
    }
  }
}

/// The outcome of a plot, for `--json`: what is drawn, and the moments that are marked.
private struct PlotReport: Encodable {
  struct Curve: Encodable {
    let name: String
    let marks: [String: Double]
    let lowest: Double?
    let highest: Double?
  }

  let title: String
  let end: Double
  let curves: [Curve]
  let output: String?

  init(_ chart: Chart, output: String?) {
    title = chart.title
    end = chart.span.upperBound
    curves = chart.series.map { series in
      let finite = series.values.filter(\.isFinite)
      return Curve(
        name: series.name,
        marks: Dictionary(series.marks.map { ($0.kind.word, $0.time) }) { first, _ in first },
        lowest: finite.min(), highest: finite.max())
    }
    self.output = output
  }
}
