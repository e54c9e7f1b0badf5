// SPDX-License-Identifier: MIT
import Charts
import Murmuration
import Scenes

extension PlotSubject {
  /// The most keyframes whose ends are marked; more dots would hide the curve.
  private static let dotLimit = 100

  /// The curve to draw over `span`.
  func series(over span: ClosedRange<Double>) -> Chart.Series {
    switch motion {
    case .spring(let sample): spring(sample, over: span)
    case .curve(let description): curve(description, over: span)
    case .timeline(let track, let initialValue): timeline(track, initialValue: initialValue, over: span)
    case .phases(let group, let component): phases(group, component, over: span)
    case .animation(let description, let from, let target):
      animation(description, from: from, target: target, over: span)
    case .played(let frames):
      Chart.Series(name: name, times: frames.times, values: frames.values, velocities: frames.velocities)
    }
  }

  private func spring(_ sample: SpringSample, over span: ClosedRange<Double>) -> Chart.Series {
    let duration = sample.spring.isJump ? 0 : sample.spring.spring.duration
    let swings = duration > 0 && sample.spring.spring.angularFrequency > 0
    let periods = swings ? (span.upperBound - span.lowerBound) / duration : 0
    // A period is drawn with at least 32 lines.
    let count = Int(min(max(600, periods * 32), 8000))
    let times = PlotSampling(span: span, count: count, corners: [0]).places
    return Chart.Series(
      name: name, times: times, values: times.map(sample.value), velocities: times.map(sample.velocity),
      marks: sample.spring.isJump
        ? [] : [.init(.perceptual, at: duration), .init(.settling, at: sample.settlingDuration)])
  }

  private func curve(_ description: CurveDescription, over span: ClosedRange<Double>) -> Chart.Series {
    let curve = description.curve
    let places = PlotSampling(span: span, count: 600, corners: description.corners).places
    return Chart.Series(
      name: name, times: places, values: places.map { curve.value(at: $0) },
      velocities: places.map { curve.velocity(at: $0) })
  }

  private func timeline(
    _ track: TrackDescription, initialValue: Double, over span: ClosedRange<Double>
  ) -> Chart.Series {
    let timeline = track.timeline(initialValue: initialValue)
    var dots: [Chart.Dot] = []
    if track.keyframes.count <= Self.dotLimit {
      dots = track.keyframes.indices.map { index in
        let part = TrackDescription(keyframes: Array(track.keyframes[...index])).timeline(initialValue: initialValue)
        return Chart.Dot(time: part.duration, value: part.value(time: .greatestFiniteMagnitude))
      }
    }
    let times = PlotSampling(span: span, count: 1200, corners: dots.map(\.time)).places
    return Chart.Series(
      name: name, times: times, values: times.map { timeline.value(time: $0) },
      velocities: times.map { timeline.velocity(time: $0) }, marks: [.init(.end, at: timeline.duration)], dots: dots)
  }
}

extension CurveDescription {
  /// The places where the curve may jump, bend or be vertical.
  fileprivate var corners: [Double] {
    switch self {
    case .named(let curve): [0, 0.5, 1] + (curve.corners ?? [])
    case .bezier: [0, 0.5, 1]
    case .steps(let count, _): count <= 500 ? (0...count).map { Double($0) / Double(count) } : []
    case .linear(let points): points.map(\.input)
    }
  }
}

extension Chart {
  /// The chart of several subjects: unit curves only, or no unit curves.
  ///
  /// - Parameter until: The end of the time axis in seconds; nil to show everything there is to see.
  init(_ subjects: [PlotSubject], title: String?, until: Double?) {
    let areCurves = subjects.allSatisfy(\.isCurve)
    let length = subjects.map(\.length).max() ?? 1
    // A margin after the last mark, for its label.
    let margin = subjects.allSatisfy(\.isEndless) ? 1 : 1.16
    let end = areCurves ? 1 : until ?? (length > 0 ? length * margin : 1)
    let targets = subjects.map { subject -> Double? in
      switch subject.motion {
      case .spring(let sample): sample.target
      case .animation(_, _, let target): target
      default: nil
      }
    }
    let target = targets.allSatisfy { $0 == targets.first } ? targets.first ?? nil : nil
    self.init(
      title: title ?? Self.title(of: subjects), horizontal: areCurves ? .progress : .time, span: 0...end,
      series: subjects.map { $0.series(over: 0...end) }, target: target,
      bands: subjects.first?.bands(over: 0...end) ?? [])
  }

  private static func title(of subjects: [PlotSubject]) -> String {
    let isPlural = subjects.count > 1
    let kinds = Set(
      subjects.map { subject in
        switch subject.motion {
        case .spring: isPlural ? "Springs" : "Spring"
        case .curve: isPlural ? "Unit curves" : "Unit curve"
        case .timeline: isPlural ? "Keyframe timelines" : "Keyframe timeline"
        case .phases: "Phases"
        case .animation: isPlural ? "Animations" : "Animation"
        case .played: isPlural ? "Components" : "Component"
        }
      })
    return kinds.count == 1 ? kinds.first ?? "" : "Springs, animations and timelines"
  }
}
