// SPDX-License-Identifier: MIT
import Murmuration
import Scenes
import Text

/// Something to draw, with the name it has in the legend.
struct PlotSubject: Equatable, Sendable {
  /// The motion of the subject.
  enum Motion: Equatable, Sendable {
    case spring(SpringSample)
    case curve(CurveDescription)
    case timeline(TrackDescription, initialValue: Double)
    case phases(PhaseGroup, component: Int)
    case animation(AnimationDescription, from: Double, target: Double)
    case played(Frames)
  }

  var name: String
  var motion: Motion

  /// The subject of a sample request; its times are ignored here.
  init(_ request: SampleRequest) {
    switch request {
    case .spring(let sample):
      self.init(name: sample.spring.summary, motion: .spring(sample))
    case .settling(let question):
      self.init(
        name: question.spring.summary,
        motion: .spring(
          SpringSample(spring: question.spring, target: question.target, velocity: question.velocity, times: [])))
    case .curve(let curve, _):
      self.init(name: curve.summary, motion: .curve(curve))
    case .timeline(let track, let initialValue, _):
      self.init(name: "\(track.keyframes.count) keyframes", motion: .timeline(track, initialValue: initialValue))
    }
  }

  init(name: String, motion: Motion) {
    self.name = name
    self.motion = motion
  }

  /// Whether its horizontal axis is progress instead of time.
  var isCurve: Bool {
    if case .curve = motion { true } else { false }
  }

  /// The length in seconds of the whole motion.
  var length: Double {
    switch motion {
    case .curve: 1
    case .timeline(let track, let initialValue):
      track.timeline(initialValue: initialValue).duration
    case .spring(let sample):
      sample.length
    case .phases(let group, _):
      Self.length(group)
    case .animation(let animation, let from, let target):
      Self.length(animation, from: from, target: target)
    case .played(let frames):
      frames.times.last ?? 1
    }
  }

  /// Whether it goes on in the same way for ever, so that there is no end to mark.
  var isEndless: Bool {
    switch motion {
    case .phases(let group, _): PhaseMotion(group, until: 0).length.isInfinite
    case .played: true
    default: false
    }
  }
}

extension SpringSample {
  /// The settling duration if it can be shown; otherwise enough periods, or enough of a slow approach, to see the
  /// motion.
  var length: Double {
    guard !spring.isJump else { return 1 }
    let duration = spring.spring.duration
    let settling = settlingDuration
    if settling.isFinite, settling > 0, settling <= 60 * duration { return max(settling, duration) }
    if spring.spring.decayConstant < spring.spring.naturalFrequency {
      return (settling.isFinite ? 20 : 4) * duration
    }
    let slow = spring.spring.decayRates.slow
    return slow > 0 ? min(max(4 / slow, duration), 1e9) : duration
  }
}

extension CurveDescription {
  /// The curve in few words, for a legend.
  var summary: String {
    switch self {
    case .named(let curve):
      curve.name ?? ""
    case .bezier(let x1, let y1, let x2, let y2):
      "bezier(" + [x1, y1, x2, y2].map(NumberText.short).joined(separator: ", ") + ")"
    case .steps(let count, let position):
      "steps(\(count), \(position.rawValue))"
    case .linear(let points):
      "linear(\(points.count) points)"
    }
  }
}
