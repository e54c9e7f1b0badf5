// SPDX-License-Identifier: MIT
import Formats
import Murmuration
import Scenes

/// One question to `sample`: a model and the times at which to evaluate it. `sample` needs the times, `plot` does not.
enum SampleRequest: Equatable, Sendable {
  /// `{"kind": "spring", "spring": …, "from": 0, "target": 1, "velocity": 0, "times": […]}`
  case spring(SpringSample)
  /// `{"kind": "curve", "curve": …, "times": […]}`, times being progress.
  case curve(CurveDescription, times: [Double]?)
  /// `{"kind": "timeline", "initialValue": 0, "track": […], "times": […]}`
  case timeline(TrackDescription, initialValue: Double, times: [Double]?)
  /// `{"kind": "settling", "spring": …, "target": 1, "velocity": 0, "epsilon": 0.001}`
  case settling(SettlingQuestion)
}

/// A spring on its way, and the times at which to evaluate it.
struct SpringSample: Equatable, Sendable {
  var spring: SpringDescription
  var from = 0.0
  var target = 1.0
  var velocity = 0.0
  /// Times in seconds; nil if the file gives no times: `plot` needs none.
  var times: [Double]?
}

/// The question how long a spring takes to settle, answered as by SwiftUI's `settlingDuration`.
struct SettlingQuestion: Equatable, Sendable {
  var spring: SpringDescription
  var target = 1.0
  var velocity = 0.0
  var epsilon = 0.001
}

// MARK: - Reading

extension SampleRequest: Decodable {
  private enum Kind: String, CaseIterable { case spring, curve, timeline, settling }
  private enum AnyKind: String, CodingKey, CaseIterable { case kind }
  private enum Spring: String, CodingKey, CaseIterable { case kind, spring, from, target, velocity, times }
  private enum Curve: String, CodingKey, CaseIterable { case kind, curve, times }
  private enum Timeline: String, CodingKey, CaseIterable { case kind, initialValue, track, times }
  private enum Settling: String, CodingKey, CaseIterable { case kind, spring, target, velocity, epsilon }

  /// Reads one request. Without these keys, `from`, `initialValue` and `velocity` are 0 and `target` is 1.
  init(from decoder: any Decoder) throws(DescriptionError) {
    let common = try StrictFields<AnyKind>(peekingAt: decoder)
    let name: String = try common.value(.kind)
    switch Kind(rawValue: name) {
    case .spring:
      self = .spring(try Self.spring(StrictFields<Spring>(decoder)))
    case .curve:
      let fields = try StrictFields<Curve>(decoder)
      self = .curve(try fields.value(.curve), times: try fields.optionalNumbers(.times, .finite))
    case .timeline:
      let fields = try StrictFields<Timeline>(decoder)
      self = .timeline(
        try fields.value(.track), initialValue: try fields.number(.initialValue, .value, default: 0),
        times: try fields.optionalNumbers(.times, .finite))
    case .settling:
      self = .settling(try Self.settling(StrictFields<Settling>(decoder)))
    case nil:
      throw common.error(.kind, DescriptionError.unknown("kind", name, known: Kind.allCases.map(\.rawValue)))
    }
  }

  private static func spring(_ fields: StrictFields<Spring>) throws(DescriptionError) -> SpringSample {
    SpringSample(
      spring: try fields.value(.spring),
      from: try fields.number(.from, .value, default: 0),
      target: try fields.number(.target, .value, default: 1),
      velocity: try fields.number(.velocity, .value, default: 0),
      times: try fields.optionalNumbers(.times, .finite))
  }

  private static func settling(_ fields: StrictFields<Settling>) throws(DescriptionError) -> SettlingQuestion {
    SettlingQuestion(
      spring: try fields.value(.spring),
      target: try fields.number(.target, .value, default: 1),
      velocity: try fields.number(.velocity, .value, default: 0),
      epsilon: try fields.number(.epsilon, .positive, default: 0.001))
  }
}

/// The content of a request file: one request, or an array of them, each of which may be wrong by itself.
struct SampleDocument: Decodable, Sendable {
  /// The requests in order; a wrong one is its error, whose path starts inside the request.
  let requests: [Result<SampleRequest, DescriptionError>]
  /// The most requests of a file.
  static let limit = 1_000_000
  /// Whether the file holds an array, which is answered with an array.
  let isArray: Bool

  /// Reads a request or an array of requests; throws only if it is neither.
  init(from decoder: any Decoder) throws(DescriptionError) {
    if var elements = try? decoder.unkeyedContainer() {
      // Two bytes of a request make hundreds of an answer: a file within its size limit could demand all memory.
      if let count = elements.count, count > Self.limit {
        throw DescriptionError(path: [], reason: "must hold at most \(Self.limit) requests, holds \(count)")
      }
      var requests: [Result<SampleRequest, DescriptionError>] = []
      while !elements.isAtEnd {
        do {
          let element = try elements.superDecoder()
          requests.append(Self.request(element, depth: element.codingPath.count))
        } catch {
          throw DescriptionError(error, at: elements.codingPath)
        }
      }
      self.requests = requests
      isArray = true
    } else {
      guard decoder.foundKind == "an object" else {
        throw DescriptionError(path: [], reason: "must be a request or an array of requests, is \(decoder.foundKind)")
      }
      requests = [Self.request(decoder, depth: 0)]
      isArray = false
    }
  }

  private static func request(_ decoder: any Decoder, depth: Int) -> Result<SampleRequest, DescriptionError> {
    do {
      return .success(try SampleRequest(from: decoder))
    } catch {
      return .failure(error.droppingFirst(depth))
    }
  }
}
