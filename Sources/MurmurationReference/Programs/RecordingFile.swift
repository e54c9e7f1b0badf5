// SPDX-License-Identifier: MIT
import Formats
public import Murmuration

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A recording that cannot be written, or a text that is none.
public enum RecordingError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A call has a custom animation, which only its program has.
  case customAnimation(call: Int)
  /// The text is no recording.
  case invalid(String)

  public var description: String {
    switch self {
    case .customAnimation(let call): "call \(call) has a custom animation, which no file can hold"
    case .invalid(let reason): "this is no recording: \(reason)"
    }
  }
}

extension BatchRecording {
  /// The recording as JSON: one object, whose `calls` have a `call` (its name) and its arguments. Numbers keep all of
  /// their bits; what is no number is a text: "inf", "-inf", "nan".
  ///
  /// Clips that were made of keyframes are written as keyframes, and others as their pieces.
  ///
  /// - Throws: `RecordingError.customAnimation(call:)`.
  public func json() throws -> String {
    let file = RecordingFile(
      dimensions: dimensions, curveTolerance: curveTolerance,
      calls: try calls.enumerated().map { position, call in
        do { return try CallFile(CallFields(call)) } catch { throw RecordingError.customAnimation(call: position) }
      })
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return String(decoding: try encoder.encode(file), as: UTF8.self)
  }

  /// The recording of a text.
  ///
  /// - Throws: `RecordingError.invalid(_:)`.
  public init(json: String) throws(RecordingError) {
    do {
      let file = try JSONDocument.decode(RecordingFile.self, from: Array(json.utf8), takesTextsAsNumbers: true)
      guard 1...BatchLimits.maximumDimensions ~= file.dimensions else {
        throw RecordingError.invalid("a batch has no \(file.dimensions) dimensions")
      }
      self.init(dimensions: file.dimensions, curveTolerance: file.curveTolerance)
      for (position, call) in file.calls.enumerated() {
        guard let call = try call.fields(dimensions: dimensions).call else {
          throw RecordingError.invalid("call \(position), \(call.call), is unknown or lacks an argument")
        }
        calls.append(call)
      }
    } catch let error as RecordingError {
      throw error
    } catch {
      throw .invalid("\(error)")
    }
  }
}

private struct RecordingFile: Codable {
  var dimensions: Int
  var curveTolerance: Double
  var calls: [CallFile]
}

private struct CallFile: Codable {
  var call: String
  var tracks: [Int]?
  var indices: [Int]?
  var all: Bool?
  var values, velocities, goals, scales, offsets: [Float]?
  var numbers: [Double]?
  var springs: [SpringFile]?
  var animations: [AnimationFile?]?
  var playbacks: [PlaybackFile]?
  var assets: [Int]?
  var clip: ClipFile?
  var phases: PhasesFile?
  var start, phasePlayback: String?
  var deceleration, time: Double?
  var tolerance: [Float]?
  var reports: UInt8?
  var count: Int?
  var computesVelocities: Bool?

  init(_ fields: CallFields) throws {
    call = fields.name
    switch fields.tracks {
    case .tracks(let list)?: tracks = list
    case .indices(let range)?: indices = [range.lowerBound, range.upperBound]
    case .all?: all = true
    case nil: break
    }
    (values, velocities, goals) = (fields.vectors[.values], fields.vectors[.velocities], fields.vectors[.goals])
    (scales, offsets) = (fields.vectors[.scales], fields.vectors[.offsets])
    (numbers, assets, count, time) = (fields.numbers, fields.assets, fields.count, fields.time)
    springs = fields.springs?.map { SpringFile($0) }
    animations = try fields.animations?.map { try $0.map { try AnimationFile($0) } }
    playbacks = fields.playbacks?.map { PlaybackFile($0) }
    clip = fields.clip.map { ClipFile($0) }
    phases = try fields.phases.map { try PhasesFile($0) }
    start = fields.start.map { "\($0)" }
    phasePlayback = fields.phasePlayback.map { "\($0)" }
    deceleration = fields.deceleration?.rate
    tolerance = fields.restTolerance.map { [$0.value] + ($0.velocity.map { [$0] } ?? []) }
    reports = fields.reports?.rawValue
    computesVelocities = fields.computesVelocities
  }

  func fields(dimensions: Int) throws -> CallFields {
    var fields = CallFields(call)
    if let tracks { fields.tracks = .tracks(tracks) }
    if let indices, indices.count == 2, indices[0] <= indices[1] { fields.tracks = .indices(indices[0]..<indices[1]) }
    if all == true { fields.tracks = .all }
    for (key, list) in [
      (CallFields.VectorKey.values, values), (.velocities, velocities), (.goals, goals), (.scales, scales),
      (.offsets, offsets),
    ] {
      guard let list else { continue }
      guard list.count % dimensions == 0 else {
        throw RecordingError.invalid("\(list.count) \(key.rawValue) are no vectors of \(dimensions) components")
      }
      fields.vectors[key] = list
    }
    (fields.numbers, fields.assets, fields.count, fields.time) = (numbers, assets, count, time)
    fields.springs = springs?.map(\.spring)
    fields.animations = try animations?.map { try $0?.animation }
    fields.playbacks = playbacks?.map(\.playback)
    fields.clip = try clip?.clip
    fields.phases = try phases?.sequence(dimensions: dimensions)
    let starts = ["firstValue": ClipStart.firstValue, "shownValue": .shownValue, "automatic": .automatic]
    fields.start = start.flatMap { starts[$0] }
    fields.phasePlayback = phasePlayback.map { $0 == "triggered" ? .triggered : .loops }
    fields.deceleration = deceleration.map { Deceleration(rate: $0) }
    fields.restTolerance = try tolerance.flatMap { list in
      try list.first.map { try RestTolerances(value: $0, velocity: list.count > 1 ? list[1] : nil) }
    }
    fields.reports = reports.map { AnimationReports(rawValue: $0) }
    fields.computesVelocities = computesVelocities
    return fields
  }
}

/// A spring by the numbers of an initializer where these give the very same spring; else by the numbers that it keeps.
private struct SpringFile: Codable {
  var duration, bounce, mass, stiffness, damping: Double?
  var naturalFrequency, decayConstant, angularFrequency: Double?

  init(_ spring: Spring) {
    switch spring.form {
    case .bounce(let duration, let bounce): (self.duration, self.bounce) = (duration, bounce)
    case .damping(let mass, let stiffness, let damping):
      (self.mass, self.stiffness, self.damping) = (mass, stiffness, damping)
    case nil:
      (naturalFrequency, decayConstant) = (spring.naturalFrequency, spring.decayConstant)
      (angularFrequency, mass) = (spring.angularFrequency, spring.mass)
    }
  }

  var spring: Spring {
    if let duration { return Spring(duration: duration, bounce: bounce ?? 0) }
    if let stiffness {
      return Spring(mass: mass ?? 1, stiffness: stiffness, damping: damping ?? 0, allowOverDamping: true)
    }
    return Spring(
      naturalFrequency: naturalFrequency ?? .nan, decayConstant: decayConstant ?? .nan,
      angularFrequency: angularFrequency ?? .nan, mass: mass ?? 1)
  }
}

private struct CurveFile: Codable {
  var name: String?
  var bezier: [Double]?
  var steps: Int?
  var position: String?
  var inputs, outputs: [Double]?

  init(_ curve: UnitCurve) {
    switch curve.shape {
    case .identity: name = "linear"
    case .circularIn: name = "circularEaseIn"
    case .circularOut: name = "circularEaseOut"
    case .circularInOut: name = "circularEaseInOut"
    case .bezier(let curve): bezier = [curve.start.x, curve.start.y, curve.end.x, curve.end.y]
    case .steps(let curve): (steps, position) = (curve.count, curve.position.rawValue)
    case .piecewiseLinear(let line): (inputs, outputs) = (line.inputs, line.outputs)
    }
  }

  var curve: UnitCurve {
    get throws {
      if let b = bezier, b.count == 4 {
        return .bezier(startControlPoint: UnitPoint(x: b[0], y: b[1]), endControlPoint: UnitPoint(x: b[2], y: b[3]))
      }
      if let steps { return .steps(steps, position: position.flatMap { .init(rawValue: $0) } ?? .jumpEnd) }
      if let inputs, let outputs, inputs.count == outputs.count {
        return .linear(points: zip(inputs, outputs).map { .init(input: $0, output: $1) })
      }
      switch name {
      case "linear": return .linear
      case "circularEaseIn": return .circularEaseIn
      case "circularEaseOut": return .circularEaseOut
      case "circularEaseInOut": return .circularEaseInOut
      default: throw RecordingError.invalid("unknown curve")
      }
    }
  }
}

/// What an animation is made of, and the modifiers on it, from the inmost to the outmost.
private struct AnimationFile: Codable {
  var curve: CurveFile?
  var duration: Double?
  var spring, interpolatingSpring: SpringFile?
  var initialVelocity: Double?
  var modifiers: [Modifier]?

  struct Modifier: Codable {
    var delay, speed, completeAfter: Double?
    var count: Int?
    var autoreverses: Bool?
  }

  init(_ animation: Animation) throws {
    func modified(_ base: Animation, _ modifier: Modifier) throws -> AnimationFile {
      var file = try AnimationFile(base)
      file.modifiers = (file.modifiers ?? []) + [modifier]
      return file
    }
    switch animation.structure {
    case .curve(let curve, let duration): (self.curve, self.duration) = (CurveFile(curve), duration)
    case .spring(let spring): self.spring = SpringFile(spring)
    case .interpolatingSpring(let spring, let velocity):
      (interpolatingSpring, initialVelocity) = (SpringFile(spring), velocity)
    case .delay(let base, let seconds): self = try modified(base, Modifier(delay: seconds))
    case .speed(let base, let speed): self = try modified(base, Modifier(speed: speed))
    case .repeat(let base, let count, let autoreverses):
      self = try modified(base, Modifier(count: count, autoreverses: autoreverses))
    case .logicallyComplete(let base, let seconds): self = try modified(base, Modifier(completeAfter: seconds))
    case .custom: throw RecordingError.customAnimation(call: 0)
    }
  }

  var animation: Animation {
    get throws {
      var animation: Animation
      if let curve {
        animation = .timingCurve(try curve.curve, duration: duration ?? .nan)
      } else if let spring {
        animation = .spring(spring.spring)
      } else if let interpolatingSpring {
        animation = .interpolatingSpring(interpolatingSpring.spring, initialVelocity: initialVelocity ?? 0)
      } else {
        throw RecordingError.invalid("an animation has a curve or a spring")
      }
      for modifier in modifiers ?? [] {
        if let delay = modifier.delay {
          animation = animation.delay(delay)
        } else if let speed = modifier.speed {
          animation = animation.speed(speed)
        } else if let seconds = modifier.completeAfter {
          animation = animation.logicallyComplete(after: seconds)
        } else if let count = modifier.count {
          animation = animation.repeatCount(count, autoreverses: modifier.autoreverses ?? true)
        } else {
          animation = animation.repeatForever(autoreverses: modifier.autoreverses ?? true)
        }
      }
      return animation
    }
  }
}

private struct PlaybackFile: Codable {
  var start: Double?
  var delay, speed, timeOffset: Double
  /// The number of iterations; nil for ever.
  var count: Int?
  var autoreverses, holdsBefore, holdsAfter: Bool

  init(_ playback: Playback) {
    start = playback.start
    (delay, speed, timeOffset) = (playback.delay, playback.speed, playback.timeOffset)
    if case .count(let number) = playback.repetition { count = number }
    (autoreverses, holdsBefore) = (playback.autoreverses, playback.holdsBefore)
    holdsAfter = playback.holdsAfter
  }

  var playback: Playback {
    Playback(
      start: start, delay: delay, speed: speed, repetition: count.map { .count($0) } ?? .forever,
      autoreverses: autoreverses, timeOffset: timeOffset, holdsBefore: holdsBefore, holdsAfter: holdsAfter)
  }
}

private struct ClipFile: Codable {
  var initialValues: [Double]
  var keyframes: [[KeyframeFile]]?
  var tolerance: Double?
  var tracks: [TrackFile]?
  var duration: Double?
  var valueErrorBounds, velocityErrorBounds: [Double]?

  struct TrackFile: Codable {
    var components: [Int]
    var times: [Double]
    var pieces: [[[Double]]]
    var boundariesBelongToLater: Bool
  }

  struct KeyframeFile: Codable {
    var to: Double
    var duration: Double?
    var curve: CurveFile?
    var isCubic: Bool?
    var spring: SpringFile?
    var startVelocity, endVelocity: Double?
  }

  init(_ clip: Clip) {
    initialValues = clip.initialValues
    if let (lists, tolerance) = clip.source {
      self.tolerance = tolerance
      keyframes = lists.map { $0.map { KeyframeFile($0) } }
      return
    }
    duration = clip.duration
    tracks = clip.tracks.map { track in
      TrackFile(
        components: track.components, times: track.times,
        pieces: track.pieces.map { $0.map { [$0.x, $0.y, $0.z, $0.w] } },
        boundariesBelongToLater: track.boundariesBelongToLater)
    }
    (valueErrorBounds, velocityErrorBounds) = (clip.report.valueErrorBounds, clip.report.velocityErrorBounds)
  }

  var clip: Clip {
    get throws {
      if let keyframes {
        guard keyframes.count == initialValues.count else {
          throw RecordingError.invalid("a clip has keyframes for each initial value")
        }
        return try Clip(
          initialValues: initialValues, keyframes: keyframes.map { try $0.map { try $0.keyframe } },
          tolerance: tolerance ?? 0x1p-16)
      }
      let tracks = try (tracks ?? []).map { track in
        var made = PieceTrack(
          components: track.components, times: track.times,
          pieces: try track.pieces.map {
            try $0.map { piece in
              guard piece.count == 4 else { throw RecordingError.invalid("a piece has four numbers") }
              return SIMD4(piece[0], piece[1], piece[2], piece[3])
            }
          })
        made.boundariesBelongToLater = track.boundariesBelongToLater
        return made
      }
      return try Clip(
        dimensions: initialValues.count, initialValues: initialValues, tracks: tracks, duration: duration,
        valueErrorBounds: valueErrorBounds ?? [], velocityErrorBounds: velocityErrorBounds ?? [])
    }
  }
}

extension ClipFile.KeyframeFile {
  fileprivate init(_ keyframe: Keyframe<Double>) {
    switch keyframe {
    case .move(let to): self.init(to: to)
    case .linear(let to, let duration, let curve): self.init(to: to, duration: duration, curve: CurveFile(curve))
    case .cubic(let to, let duration, let start, let end):
      self.init(to: to, duration: duration, isCubic: true, startVelocity: start, endVelocity: end)
    case .spring(let to, let duration, let spring, let start):
      self.init(to: to, duration: duration, spring: SpringFile(spring), startVelocity: start)
    }
  }

  fileprivate var keyframe: Keyframe<Double> {
    get throws {
      if let spring { return .spring(to: to, duration: duration, spring: spring.spring, startVelocity: startVelocity) }
      guard let duration else { return .move(to: to) }
      if let curve { return .linear(to: to, duration: duration, timingCurve: try curve.curve) }
      return .cubic(to: to, duration: duration, startVelocity: startVelocity, endVelocity: endVelocity)
    }
  }
}

private struct PhasesFile: Codable {
  var targets: [[Float]]
  var animations: [AnimationFile?]

  init(_ sequence: PhaseSequence) throws {
    targets = sequence.allTargets
    animations = try sequence.animations.map { try $0.map { try AnimationFile($0) } }
  }

  func sequence(dimensions: Int) throws -> PhaseSequence {
    try PhaseSequence(
      dimensions: dimensions, targets: targets, animations: try animations.map { try $0?.animation })
  }
}
