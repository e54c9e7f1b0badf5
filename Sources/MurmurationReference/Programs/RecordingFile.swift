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
  /// their bits; one that is not finite is a text: "inf", "-inf", "nan". A list without elements is left out.
  ///
  /// Clips that were made of keyframes are written as keyframes, and others as their pieces.
  ///
  /// - Throws: `RecordingError.customAnimation(call:)`.
  public func json() throws -> String {
    let calls = try calls.enumerated().map { position, call in
      do { return try CallFile(call) } catch { throw RecordingError.customAnimation(call: position) }
    }
    let file = RecordingFile(dimensions: dimensions, curveTolerance: curveTolerance, calls: calls)
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
        guard let call = try call.made(dimensions: dimensions) else {
          throw RecordingError.invalid("call \(position), \(call.call), is unknown or lacks an argument")
        }
        calls.append(call)
      }
    } catch {
      throw error as? RecordingError ?? .invalid("\(error)")
    }
  }
}

private struct RecordingFile: Codable {
  var dimensions: Int
  var curveTolerance: Double
  var calls: [CallFile]
}

// MARK: - Calls

private struct CallFile: Codable {
  var call: String
  var tracks: [Int]?
  var indices: Range<Int>?
  var all: Bool?
  var values, velocities, goals, scales, offsets: [Float]?
  var springs: [SpringForm]?
  var animations: [AnimationFile?]?
  var clips, sequences, leaders: [Int]?
  var playbacks: [PlaybackFile]?
  var numbers: [Double]?
  // What verbs have.
  var count: Int?
  var time, deceleration: Double?
  var lower, upper, points, spacing: [Float]?
  var computesVelocities: Bool?
  var clip: ClipFile?
  var targets: [[Float]]?
  var start, phasePlayback: String?
  var tolerance: [Float]?
  var reports: UInt8?

  init(_ call: BatchCall) throws {
    self.call = call.verb.name
    if case .tracks(let list)? = call.tracks { tracks = list }
    if case .indices(let range)? = call.tracks { indices = range }
    if case .all? = call.tracks { all = true }
    (values, velocities, goals) = (call.values.given, call.velocities.given, call.goals.given)
    (scales, offsets, numbers) = (call.scales.given, call.offsets.given, call.numbers.given)
    springs = call.springs.map(\.form).given
    animations = try call.animations.map { try $0.map { try AnimationFile($0) } }.given
    (clips, sequences, leaders) = (call.clips.given, call.sequences.given, call.leaders.given)
    playbacks = call.playbacks.map { PlaybackFile($0) }.given
    switch call.verb {
    case .reserve(let count): self.count = count
    case .decelerate(let deceleration, let bounds):
      self.deceleration = deceleration.rate
      (lower, upper, points, spacing) = (bounds?.lower, bounds?.upper, bounds?.points, bounds?.spacing)
      if let bounds { springs = [bounds.spring.form] }
    case .loadClip(let clip): self.clip = ClipFile(clip)
    case .loadPhases(let phases):
      targets = phases.allTargets
      animations = try phases.animations.map { try $0.map { try AnimationFile($0) } }
    case .play(let start): self.start = "\(start)"
    case .playPhases(let playback): phasePlayback = "\(playback)"
    case .advance(let time, let velocities): (self.time, computesVelocities) = (time, velocities)
    case .setRestTolerance(let tolerance): self.tolerance = [tolerance.value] + (tolerance.velocity.map { [$0] } ?? [])
    case .setReports(let reports): self.reports = reports.rawValue
    default: break
    }
  }

  /// The call; nil if there is no such call, or it lacks an argument.
  func made(dimensions: Int) throws -> BatchCall? {
    guard let verb = try verb(dimensions: dimensions) else { return nil }
    for list in [values, velocities, goals, scales, offsets] {
      guard let list, list.count % dimensions != 0 else { continue }
      throw RecordingError.invalid("\(list.count) numbers are no vectors of \(dimensions) components")
    }
    var made = BatchCall(
      verb, selection, values: values ?? [], velocities: velocities ?? [], goals: goals ?? [], scales: scales ?? [],
      offsets: offsets ?? [], springs: springs?.map(\.spring) ?? [],
      animations: try animations?.map { try $0?.animation } ?? [], clips: clips ?? [], sequences: sequences ?? [],
      playbacks: playbacks?.map(\.playback) ?? [], numbers: numbers ?? [])
    made.leaders = leaders ?? []
    return made
  }

  private var selection: BatchCall.Tracks? {
    tracks.map { .tracks($0) } ?? indices.map { .indices($0) } ?? (all == true ? .all : nil)
  }

  private func verb(dimensions: Int) throws -> BatchCall.Verb? {
    let namesTracks = selection != nil
    switch call {
    case "reserve": return count.map { .reserve($0) }
    case "decelerate" where namesTracks:
      var bounds: SlideBounds?
      if let lower, let upper, let spring = springs?.first?.spring {
        bounds = SlideBounds(lower: lower, upper: upper, spring: spring, points: points, spacing: spacing)
      }
      return deceleration.map { .decelerate(Deceleration(rate: $0), within: bounds) }
    case "loadClip": return try clip.map { .loadClip(try $0.clip) }
    case "unloadClip" where clips?.count == 1: return .unloadClip
    case "loadPhases":
      guard let targets, let animations = try animations?.map({ try $0?.animation }) else { return nil }
      return .loadPhases(try PhaseSequence(dimensions: dimensions, targets: targets, animations: animations))
    case "unloadPhases" where sequences?.count == 1: return .unloadPhases
    case "play" where namesTracks:
      return [ClipStart.firstValue, .shownValue, .automatic].first { "\($0)" == start }.map { .play(start: $0) }
    case "playPhases" where namesTracks && sequences?.count == 1:
      return .playPhases(phasePlayback == "triggered" ? .triggered : .loops)
    case "advance": return time.map { .advance(to: $0, velocities: computesVelocities ?? false) }
    case "setRestTolerance":
      guard let tolerance, let value = tolerance.first else { return nil }
      return .setRestTolerance(try RestTolerances(value: value, velocity: tolerance[ifPresent: 1]))
    case "setReports": return reports.map { .setReports(AnimationReports(rawValue: $0)) }
    default:
      let verbs = namesTracks ? BatchCall.Verb.plainAboutTracks : BatchCall.Verb.plain
      return verbs.first { $0.name == call }
    }
  }
}

extension Array {
  /// Nil for a list without elements.
  fileprivate var given: Self? { isEmpty ? nil : self }
}

extension BatchCall.Verb {
  /// The verbs that have nothing but lists.
  fileprivate static let plain: [Self] = [.add, .addMoving, .addPlaying, .removeSettled, .removeAll, .compact]
  static let plainAboutTracks: [Self] = [
    .remove, .animate, .retarget, .cancelDelays, .follow, .followTracks, .setGoals, .writeGoals, .set, .displace, .push,
    .setVariations, .setSpeed, .seek, .seekProgress, .trigger, .pause, .resume, .stop,
  ]

  /// The name of the call.
  var name: String { Mirror(reflecting: self).children.first?.label ?? "\(self)" }
}

// MARK: - Motions

/// A curve by its name, or by the numbers of an initializer.
struct CurveForm: Codable {
  var name: String?
  var bezier: SIMD4<Double>?
  var steps: Int?
  var position: String?
  var inputs, outputs: [Double]?

  init(_ curve: UnitCurve) {
    switch curve.shape {
    case .bezier(let curve): bezier = SIMD4(curve.start.x, curve.start.y, curve.end.x, curve.end.y)
    case .steps(let curve): (steps, position) = (curve.count, curve.position.rawValue)
    case .piecewiseLinear(let line): (inputs, outputs) = (line.inputs, line.outputs)
    case .identity, .named: name = curve.name
    }
  }

  var curve: UnitCurve {
    get throws {
      if let b = bezier {
        return .bezier(startControlPoint: UnitPoint(x: b.x, y: b.y), endControlPoint: UnitPoint(x: b.z, y: b.w))
      }
      if let steps { return .steps(steps, position: position.flatMap { .init(rawValue: $0) } ?? .jumpEnd) }
      if let inputs, let outputs, inputs.count == outputs.count {
        return .linear(points: zip(inputs, outputs).map { .init(input: $0, output: $1) })
      }
      let known = UnitCurve.named + UnitCurve.named.map { ($0.name + ".inverse", $0.curve.inverse) }
      guard let curve = known.first(where: { $0.name == name })?.curve else {
        throw RecordingError.invalid("unknown curve")
      }
      return curve
    }
  }
}

private indirect enum AnimationFile: Codable {
  case curve(curve: CurveForm, duration: Double)
  case spring(spring: SpringForm)
  case interpolatingSpring(spring: SpringForm, initialVelocity: Double)
  case delay(of: AnimationFile, seconds: Double)
  case speed(of: AnimationFile, factor: Double)
  case `repeat`(of: AnimationFile, count: Int?, autoreverses: Bool)
  case logicallyComplete(of: AnimationFile, seconds: Double)

  init(_ animation: Animation) throws {
    switch animation.structure {
    case .curve(let curve, let duration): self = .curve(curve: CurveForm(curve), duration: duration)
    case .spring(let spring): self = .spring(spring: spring.form)
    case .interpolatingSpring(let spring, let velocity):
      self = .interpolatingSpring(spring: spring.form, initialVelocity: velocity)
    case .delay(let base, let seconds): self = .delay(of: try AnimationFile(base), seconds: seconds)
    case .speed(let base, let factor): self = .speed(of: try AnimationFile(base), factor: factor)
    case .repeat(let base, let count, let autoreverses):
      self = .repeat(of: try AnimationFile(base), count: count, autoreverses: autoreverses)
    case .logicallyComplete(let base, let seconds):
      self = .logicallyComplete(of: try AnimationFile(base), seconds: seconds)
    case .custom: throw RecordingError.customAnimation(call: 0)
    }
  }

  var animation: Animation {
    get throws {
      switch self {
      case .curve(let curve, let duration): .timingCurve(try curve.curve, duration: duration)
      case .spring(let spring): .spring(spring.spring)
      case .interpolatingSpring(let spring, let velocity):
        .interpolatingSpring(spring.spring, initialVelocity: velocity)
      case .delay(let base, let seconds): try base.animation.delay(seconds)
      case .speed(let base, let factor): try base.animation.speed(factor)
      case .repeat(let base, let count?, let autoreverses):
        try base.animation.repeatCount(count, autoreverses: autoreverses)
      case .repeat(let base, nil, let autoreverses): try base.animation.repeatForever(autoreverses: autoreverses)
      case .logicallyComplete(let base, let seconds): try base.animation.logicallyComplete(after: seconds)
      }
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
    (start, delay, speed) = (playback.start, playback.delay, playback.speed)
    if case .count(let number) = playback.repetition { count = number }
    (autoreverses, timeOffset) = (playback.autoreverses, playback.timeOffset)
    (holdsBefore, holdsAfter) = (playback.holdsBefore, playback.holdsAfter)
  }

  var playback: Playback {
    Playback(
      start: start, delay: delay, speed: speed, repetition: count.map { .count($0) } ?? .forever,
      autoreverses: autoreverses, timeOffset: timeOffset, holdsBefore: holdsBefore, holdsAfter: holdsAfter)
  }
}

// MARK: - Clips

private struct ClipFile: Codable {
  var initialValues: [Double]
  var keyframes: [[KeyframeForm]]?
  var tolerance, leastDuration: Double?
  var tracks: [TrackFile]?
  var duration: Double?
  var valueErrorBounds, velocityErrorBounds: [Double]?

  struct TrackFile: Codable {
    var components: [Int]
    var times: [Double]
    var pieces: [[SIMD4<Double>]]
    var boundariesBelongToLater: Bool
    var earlyBoundaries: [Int]?
  }

  init(_ clip: Clip) {
    initialValues = clip.initialValues
    if let source = clip.source {
      tolerance = source.tolerance
      leastDuration = source.leastDuration > 0 ? source.leastDuration : nil
      keyframes = source.keyframes.map { $0.map { KeyframeForm($0) } }
      return
    }
    duration = clip.duration
    tracks = clip.tracks.map {
      TrackFile(
        components: $0.components, times: $0.times, pieces: $0.pieces,
        boundariesBelongToLater: $0.boundariesBelongToLater, earlyBoundaries: $0.earlyBoundaries.given)
    }
    (valueErrorBounds, velocityErrorBounds) = (clip.report.valueErrorBounds, clip.report.velocityErrorBounds)
  }

  var clip: Clip {
    get throws {
      if let keyframes {
        return try Clip(
          initialValues: initialValues, keyframes: keyframes.map { try $0.map { try $0.keyframe } },
          tolerance: tolerance ?? 0x1p-16, leastDuration: leastDuration ?? 0)
      }
      let tracks = try (tracks ?? []).map { file in
        var track = PieceTrack(
          components: file.components, times: file.times, pieces: file.pieces,
          boundariesBelongToLater: file.boundariesBelongToLater)
        track.earlyBoundaries = file.earlyBoundaries ?? []
        guard track.earlyBoundaries.allSatisfy(track.times.indices.contains) else {
          throw RecordingError.invalid("a track of a clip has no such early boundary")
        }
        return track
      }
      return try Clip(
        dimensions: initialValues.count, initialValues: initialValues, tracks: tracks, duration: duration,
        valueErrorBounds: valueErrorBounds ?? [], velocityErrorBounds: velocityErrorBounds ?? [])
    }
  }
}

/// A keyframe by its arguments, which have the names that they have in Swift.
struct KeyframeForm: Codable {
  enum Kind: String, Codable {
    case move = "MoveKeyframe"
    case linear = "LinearKeyframe"
    case cubic = "CubicKeyframe"
    case spring = "SpringKeyframe"
  }

  var kind: Kind
  var to: Double
  var duration: Double?
  var timingCurve: CurveForm?
  var spring: SpringForm?
  var startVelocity, endVelocity: Double?

  init(_ keyframe: Keyframe<Double>) {
    to = keyframe.target
    switch keyframe {
    case .move: kind = .move
    case .linear(_, let length, let curve): (kind, duration, timingCurve) = (.linear, length, CurveForm(curve))
    case .cubic(_, let length, let start, let end):
      (kind, duration, startVelocity, endVelocity) = (.cubic, length, start, end)
    case .spring(_, let length, let spring, let start):
      (kind, duration, self.spring, startVelocity) = (.spring, length, spring.form, start)
    }
  }

  /// The keyframe. What is missing is no number, so that a clip refuses it.
  var keyframe: Keyframe<Double> {
    get throws {
      let length = duration ?? .nan
      return switch kind {
      case .move: .move(to: to)
      case .linear: .linear(to: to, duration: length, timingCurve: try timingCurve?.curve ?? .linear)
      case .cubic: .cubic(to: to, duration: length, startVelocity: startVelocity, endVelocity: endVelocity)
      case .spring:
        .spring(to: to, duration: duration, spring: (spring ?? SpringForm()).spring, startVelocity: startVelocity)
      }
    }
  }
}
