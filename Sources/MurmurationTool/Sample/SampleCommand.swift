// SPDX-License-Identifier: MIT
import ArgumentParser
import Formats
import Scenes

extension SampleEngineName: ExpressibleByArgument {}
extension SampleFormat: ExpressibleByArgument {}

/// `murmuration sample`: evaluates models at given times, for people, scripts and other programs.
struct SampleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sample",
    abstract: "Evaluates springs, curves and timelines at given times.",
    discussion: """
      Reads one JSON request or an array of them and answers one result each, here at \
      three moments of a spring:

        echo '{"kind": "spring", "spring": "bouncy", "times": [0, 0.1, 0.2]}' \\
          | murmuration sample
        echo '{"kind": "curve", "curve": "ease-out", "times": [0.5]}' \\
          | murmuration sample --engine simd --format csv -o answers.csv

      The requests are:

        {"kind": "spring", "spring": {"duration": 0.5, "bounce": 0.2},
         "from": 0, "target": 1, "velocity": 0, "times": [0, 0.1, 0.2]}
        {"kind": "curve", "curve": "easeInOut", "times": [0, 0.5, 1]}
        {"kind": "timeline", "initialValue": 0, "times": [0, 0.1],
         "track": [{"type": "linear", "to": 10, "duration": 0.2},
                   {"type": "move", "to": 1}]}
        {"kind": "settling", "spring": "bouncy", "target": 1, "epsilon": 0.001}

      SPRINGS: smooth, snappy, bouncy, or an object with duration and bounce;
      response and dampingRatio; mass, stiffness, damping and
      allowOverDamping; or settlingDuration, dampingRatio and epsilon. The
      empty object {} is SwiftUI's Spring(): duration 0.5, bounce 0.
      CURVES: linear, easeIn, easeOut, easeInOut, circularEaseIn,
      circularEaseOut, circularEaseInOut; easeIn, easeOut and easeInOut with
      Sine, Quad, Cubic, Quart, Quint, Expo, Circ, Back, Elastic or Bounce
      behind, such as easeOutBack; an easing function of CSS, such as
      "cubic-bezier(0.3, 0, 0.1, 1)", "steps(4, jump-end)", "linear(0, 0.5 20%,
      1)", "ease" or "ease-in-out"; {"bezier": [x1, y1, x2, y2]}, {"steps": 4,
      "position": "jump-end"} or {"linear": [[input, output], …]}.
      KEYFRAMES: linear (duration, timingCurve), cubic (duration,
      startVelocity, endVelocity), spring (duration, spring, startVelocity)
      and move, each with the value "to" go to.

      Answers are {"values": […], "velocities": […], "duration": …}, without a
      duration for a curve, or {"settlingDuration": …}. The duration of a
      spring is SwiftUI's settlingDuration of its distance and velocity, with
      either engine. Numbers read back as the same Double. JSON has no
      infinity: it stands as the string "inf" or "-inf". A wrong request is
      answered {"error": "…"} in its place and makes the exit status 1.

      As CSV the columns are request,time,value,velocity, requests counted
      from 0. A settling duration stands alone in the time column, and errors
      go to standard error.

      As CSS each request is a class: .request-0. A spring from rest becomes a
      transition along linear(), within --tolerance of its way; a curve its
      easing function; a timeline @keyframes of the property --value. Times
      are not needed.

      The simd engine computes in single precision, with the kernels of this
      machine or of MURMURATION_ISA. Springs are played from time 0 on. Curves
      and timelines are compiled to cubic pieces first, which are within 2^-24
      of each keyframe's distance (2^-16 where those would be too short for
      Float). To this comes rounding, 8 * 2^-24 of the size of the pieces, and
      time: instants are told apart to 2^-32 of the duration, so a jump may
      come early or late by that much. Where a curve stands upright, the
      velocity is a large finite number instead of infinite. Outside [0, 1] a
      curve is the model's, rounded to Float. Settling requests and durations
      are the model's with either engine.
      """)

  /// The largest request file, in bytes.
  static let sizeLimit = 64 << 20

  @Argument(help: "The request file; - or nothing for standard input.", completion: .file(extensions: ["json"]))
  var file = FileBytes.standardInputName

  @Option(help: "The engine: the scalar model in Double, or the SIMD batches in Float.")
  var engine = SampleEngineName.reference

  @Option(help: "The format of the results.")
  var format = SampleFormat.json

  @Option(help: "The largest error of springs as CSS, as a share of the way.")
  var tolerance = 0.001

  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard !output.json || format == .json || isWritten else {
      throw ValidationError("--json goes with --format json, or with --output")
    }
  }

  /// Whether the answers go to a file.
  private var isWritten: Bool { output.output.map { $0 != "-" } ?? false }

  func run() throws {
    let document: SampleDocument = try RequestFile.read(file, limit: Self.sizeLimit)
    let engine = try engine.engine()
    let failures: Int
    if let path = output.output, path != "-" {
      Interruption.watch()
      let file = try OutputFile(path)
      do {
        failures = try write(document, from: engine, to: StandardOutput(descriptor: file.descriptor))
      } catch {
        throw FileError(file: path, "cannot be written: \(error.reason)")
      }
      try Interruption.check()
      try file.finish()
      if output.json {
        let report = Report(output: path, requests: document.requests.count, errors: failures)
        try StandardOutput.write(try JSONText.of(report))
      }
    } else {
      failures = try write(document, from: engine, to: StandardOutput())
    }
    if failures > 0 { throw ExitCode.failure }
  }

  /// The outcome of answers in a file, for `--json`.
  private struct Report: Encodable {
    let output: String
    let requests: Int
    /// The number of wrong requests.
    let errors: Int
  }

  /// Answers and writes request by request, and returns the number of wrong requests.
  private func write(
    _ document: SampleDocument, from engine: any SampleEngine, to output: consuming StandardOutput
  ) throws(OutputError) -> Int {
    var output = output
    var failures = 0
    if format == .csv { try output.write("request,time,value,velocity\n") }
    if format == .json, document.isArray { try output.write("[") }
    for (index, request) in document.requests.enumerated() where !Interruption.isNoted {
      if format == .css {
        let text: String
        do { text = try css(request, index) } catch {
          failures += 1
          writeToStandardError("Error: request \(index): \(error)")
          continue
        }
        try output.write(text)
        continue
      }
      let answer = Self.answer(request, engine)
      if case .error(let reason) = answer {
        failures += 1
        if format == .csv { writeToStandardError("Error: request \(index): \(reason)") }
      }
      switch format {
      case .csv:
        try answer.writeCSV(request: index, to: &output)
      case .css: break
      case .json:
        if document.isArray { try output.write(index == 0 ? "\n" : ",\n") }
        try answer.writeJSON(to: &output)
      }
    }
    if format == .json { try output.write(document.isArray ? "\n]\n" : "\n") }
    try output.flush()
    return failures
  }

  private func css(_ request: Result<SampleRequest, DescriptionError>, _ index: Int) throws -> String {
    try request.get().css(name: "request-\(index)", tolerance: tolerance)
  }

  private static func answer(
    _ request: Result<SampleRequest, DescriptionError>, _ engine: any SampleEngine
  ) -> SampleAnswer {
    switch request {
    case .success(let request): engine.answer(request)
    case .failure(let error): .error(error.description)
    }
  }
}

/// Files of JSON requests, read with the name of the file in each error.
enum RequestFile {
  /// The document in the file at `path`, or in standard input for `-`.
  ///
  /// - Parameters:
  ///   - kind: The kind of the file, if it has one.
  ///   - what: That kind in words.
  static func read<T: Decodable>(
    _ path: String, limit: Int, isOf kind: FileKind = .requests, what: String = "a file of requests"
  ) throws(FileError) -> T {
    let bytes = try FileBytes.readFileOrStandardInput(path, limit: limit)
    do {
      try FileKind.check(bytes, isOneOf: [kind], what: what)
    } catch { throw error.inFile(name(path)) }
    do {
      return try JSONDocument.decode(from: bytes)
    } catch {
      switch error {
      case .syntax(let error):
        throw FileError(file: name(path), place: error.place, error.reason)
      case .content(let error):
        throw FileError(file: name(path), place: error.place, error.reason)
      }
    }
  }

  /// The name of the file at `path` in errors.
  static func name(_ path: String) -> String {
    path == FileBytes.standardInputName ? "standard input" : path
  }
}
