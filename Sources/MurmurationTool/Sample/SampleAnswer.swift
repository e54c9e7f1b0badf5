// SPDX-License-Identifier: MIT
import Scenes
import Text

/// The answer of `sample` to one request.
enum SampleAnswer: Equatable, Sendable {
  /// Value and velocity at each of the times, and the model's duration where it has one.
  case samples(Samples)
  /// How long a spring takes to settle, in seconds.
  case settling(Double)
  /// Why the request has no answer.
  case error(String)

  /// The answer to a request without times.
  static let timesMissing = SampleAnswer.error("times: is missing")

  /// Columns of one length: moments, values, velocities.
  struct Samples: Equatable, Sendable {
    var times: [Double]
    var values: [Double] = []
    var velocities: [Double] = []
    /// Seconds; nil for a curve, which has no duration.
    var duration: Double?
  }

  /// The samples, or an error if one of them is NaN.
  ///
  /// Far before its start a spring grows beyond the range of Double, and ends as infinity minus infinity.
  ///
  /// - Parameters:
  ///   - samples: The samples.
  ///   - number: The type of number in which they were computed, with its article, for the error.
  static func checked(_ samples: Samples, number: String = "a Double") -> SampleAnswer {
    let bad = samples.times.indices.first { samples.values[$0].isNaN || samples.velocities[$0].isNaN }
    return bad.map { .error("times[\($0)]: the motion is beyond what \(number) can hold there") } ?? .samples(samples)
  }
}

/// How answers are written.
enum SampleFormat: String, CaseIterable, Sendable {
  case json, csv, css
}

extension SampleAnswer {
  /// The answer as one JSON object on one line. Numbers read back as the same Double; infinities are strings.
  func writeJSON(to output: inout StandardOutput) throws(OutputError) {
    switch self {
    case .samples(let samples):
      try output.write(#"{"values": "#)
      try Self.writeArray(samples.values, to: &output)
      try output.write(#", "velocities": "#)
      try Self.writeArray(samples.velocities, to: &output)
      if let duration = samples.duration { try output.write(#", "duration": \#(NumberText.json(duration))"#) }
      try output.write("}")
    case .settling(let duration):
      try output.write(#"{"settlingDuration": \#(NumberText.json(duration))}"#)
    case .error(let reason):
      try output.write(#"{"error": \#(NumberText.jsonString(reason))}"#)
    }
  }

  /// The answer as lines `request,time,value,velocity`; a settling duration stands alone in the time column.
  ///
  /// An error has no line here; the command writes it to standard error.
  func writeCSV(request: Int, to output: inout StandardOutput) throws(OutputError) {
    switch self {
    case .samples(let samples):
      for index in samples.times.indices {
        let numbers = [samples.times[index], samples.values[index], samples.velocities[index]]
        try output.write("\(request),\(numbers.map(NumberText.plain).joined(separator: ","))\n")
      }
    case .settling(let duration):
      try output.write("\(request),\(NumberText.plain(duration)),,\n")
    case .error:
      break
    }
  }

  private static func writeArray(_ numbers: [Double], to output: inout StandardOutput) throws(OutputError) {
    try output.write("[")
    for (index, number) in numbers.enumerated() {
      try output.write(index == 0 ? NumberText.json(number) : ", " + NumberText.json(number))
    }
    try output.write("]")
  }
}
