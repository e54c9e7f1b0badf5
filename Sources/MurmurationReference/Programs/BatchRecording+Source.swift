// SPDX-License-Identifier: MIT
public import Murmuration

extension BatchRecording {
  /// The calls as a Swift program, which ends with a batch that has the recording behind it.
  ///
  /// Calls that a batch refuses are made in a `do` with a `catch`. A call about tracks or clips that there never were is a comment.
  public var source: String {
    var lines = [
      "import Murmuration", "",
      "var batch = try AnimationBatch(dimensions: \(dimensions), curveTolerance: \(curveTolerance))",
      "var tracks: [TrackHandle] = []",
    ]
    if calls.contains(where: { if case .loadClip = $0 { true } else { false } }) {
      lines.append("var clips: [ClipID] = []")
    }
    if calls.contains(where: { if case .loadPhases = $0 { true } else { false } }) {
      lines.append("var phases: [PhaseSequenceID] = []")
    }
    guard var player = try? BatchPlayer(self) else { return lines.joined(separator: "\n") }
    for call in calls {
      let isKnown = player.knowsNames(of: call)
      let isAccepted = (try? player.perform(call)) != nil
      let line = call.source(dimensions: dimensions)
      lines.append(!isKnown ? "// refused: \(line)" : isAccepted ? line : "do { \(line) } catch {}")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension BatchPlayer {
  /// Whether there are, or were, the tracks, clips and sequences that a call names.
  fileprivate func knowsNames(of call: BatchCall) -> Bool {
    let fields = CallFields(call)
    if case .tracks(let list)? = fields.tracks, !list.allSatisfy(tracks.indices.contains) { return false }
    guard let assets = fields.assets else { return true }
    let isPhases = fields.name == "playPhases" || fields.name == "unloadPhases"
    return assets.allSatisfy((isPhases ? sequences.indices : clips.indices).contains)
  }
}

// MARK: - Calls

extension BatchCall {
  /// The call with its names and numbers, as source.
  func source(dimensions: Int) -> String {
    func values(_ numbers: [Float]) -> String {
      list(
        stride(from: 0, to: numbers.count, by: dimensions).map { start in
          list(numbers[start..<min(start + dimensions, numbers.count)].map(\.source))
        })
    }
    func handles(_ tracks: Tracks) -> String {
      switch tracks {
      case .tracks(let numbers):
        if let first = numbers.first, numbers.count > 2, numbers == Array(first..<first + numbers.count) {
          return "Array(tracks[\(first)..<\(first + numbers.count)])"
        }
        return list(numbers.map { "tracks[\($0)]" })
      case .indices(let range): return "(\(range)).compactMap { batch.handle(at: $0) }"
      case .all: return "(0..<batch.indexCount).compactMap { batch.handle(at: $0) }"
      }
    }
    func clips(_ numbers: [Int]) -> String { list(numbers.map { "clips[\($0)]" }) }
    func delayed(_ delays: [Double]) -> String { delays.isEmpty ? "" : ", delays: \(list(delays.map(\.source)))" }
    switch self {
    case .add(let numbers): return "tracks += try batch.add(\(values(numbers)))"
    case .addMoving(let numbers, let velocities, let goals, let springs):
      let speeds = velocities.isEmpty ? "" : ", velocities: \(values(velocities))"
      let last = springs.count == 1 ? springs[0].source : "springs: \(list(springs.map(\.source)))"
      return "tracks += try batch.add(\(values(numbers))\(speeds), to: \(values(goals)), \(last))"
    case .addPlaying(let numbers, let playbacks):
      let clip = numbers.count == 1 ? "clips[\(numbers[0])]" : clips(numbers)
      return "tracks += try batch.add(playing: \(clip), \(list(playbacks.map(\.source))))"
    case .remove(let tracks): return "try batch.remove(\(handles(tracks)))"
    case .removeSettled: return "batch.removeSettled()"
    case .removeAll: return "batch.removeAll()"
    case .compact: return "try batch.compact()"
    case .reserve(let count): return "try batch.reserve(\(count))"
    case .animate(.all, let goals, let animations, let delays) where animations.count == 1 && delays.isEmpty:
      return "try batch.animateAll(to: \(values(goals)), \(motion(animations[0])))"
    case .animate(.indices(let range), let goals, let animations, let delays)
    where animations.count == 1 && delays.isEmpty:
      return "do { let goals: [Components] = \(values(goals)); "
        + "try batch.animate(\(range), to: goals.span, \(motion(animations[0]))) }"
    case .animate(let tracks, let goals, let animations, let delays):
      let how =
        animations.count == 1 && delays.count < 2
        ? motion(animations[0]) : "animations: \(list(animations.map(motion)))"
      return "try batch.animate(\(handles(tracks)), to: \(values(goals)), \(how)\(delayed(delays)))"
    case .retarget(.all, let goals, let delays) where delays.isEmpty:
      return "try batch.retargetAll(to: \(values(goals)))"
    case .retarget(.indices(let range), let goals, let delays) where delays.isEmpty:
      return "do { let goals: [Components] = \(values(goals)); try batch.retarget(\(range), to: goals.span) }"
    case .retarget(let tracks, let goals, let delays):
      return "try batch.retarget(\(handles(tracks)), to: \(values(goals))\(delayed(delays)))"
    case .cancelDelays(let tracks): return "try batch.cancelDelays(of: \(handles(tracks)))"
    case .set(let tracks, let numbers, let velocities):
      return "try batch.set(\(handles(tracks)), \(values(numbers)), velocities: \(values(velocities)))"
    case .displace(let tracks, let numbers, let velocities):
      return "try batch.displace(\(handles(tracks)), \(values(numbers)), velocities: \(values(velocities)))"
    case .decelerate(let tracks, let velocities, let deceleration):
      let speeds = velocities.map { ", velocities: \(values($0))" } ?? ""
      return "try batch.decelerate(\(handles(tracks))\(speeds), by: Deceleration(rate: \(deceleration.rate.source)))"
    case .loadClip(let clip): return "clips.append(try batch.load(\(clip.code)))"
    case .unloadClip(let number): return "try batch.unload(clips[\(number)])"
    case .loadPhases(let phases):
      let targets = list(phases.allTargets.map { list($0.map(\.source)) })
      return "phases.append(try batch.load(PhaseSequence(dimensions: \(dimensions), targets: \(targets), "
        + "animations: \(list(phases.animations.map(motion))))))"
    case .unloadPhases(let number): return "try batch.unload(phases[\(number)])"
    case .play(let numbers, let tracks, let playbacks, let start):
      if numbers.count == 1, playbacks.count == 1 {
        return "try batch.play(clips[\(numbers[0])], on: \(handles(tracks)), \(playbacks[0].source), start: .\(start))"
      }
      let count = max(numbers.count, playbacks.count)
      let all = numbers.count == 1 ? Array(repeating: numbers[0], count: count) : numbers
      let each = playbacks.count == 1 ? Array(repeating: playbacks[0], count: count) : playbacks
      return "try batch.play(\(clips(all)), on: \(handles(tracks)), \(list(each.map(\.source))), start: .\(start))"
    case .setVariations(let tracks, let scales, let offsets):
      return "try batch.setVariations(of: \(handles(tracks)), scales: \(values(scales)), offsets: \(values(offsets)))"
    case .setSpeed(let tracks, let speeds):
      let speed = speeds.count == 1 ? speeds[0].source : list(speeds.map(\.source))
      return "try batch.setSpeed(\(speed), of: \(handles(tracks)))"
    case .seek(let tracks, let times):
      let one = "Array(repeating: \(times.first?.source ?? "0"), count: (\(handles(tracks))).count)"
      return "try batch.seek(\(handles(tracks)), to: \(times.count == 1 ? one : list(times.map(\.source))))"
    case .seekProgress(let tracks, let shares):
      return "try batch.seek(\(handles(tracks)), progress: \(list(shares.map(\.source))))"
    case .playPhases(let number, let tracks, let playback, let starts, let offsets, let scales):
      var options = starts.isEmpty ? "" : ", startingAt: \(list(starts.map(\.source)))"
      if !offsets.isEmpty { options += ", offsets: \(values(offsets))" }
      if !scales.isEmpty { options += ", scales: \(values(scales))" }
      return "try batch.play(phases[\(number)], on: \(handles(tracks)), .\(playback)\(options))"
    case .trigger(let tracks): return "try batch.trigger(\(handles(tracks)))"
    case .pause(let tracks): return "try batch.pause(\(handles(tracks)))"
    case .resume(let tracks): return "try batch.resume(\(handles(tracks)))"
    case .stop(let tracks): return "try batch.stop(\(handles(tracks)))"
    case .advance(let time, let velocities):
      return "try batch.advance(to: \(time.source)\(velocities ? ", velocities: true" : ""))"
    case .setRestTolerance(let tolerance):
      let velocity = tolerance.velocity.map { ", velocity: \($0.source)" } ?? ""
      return "batch.restTolerance = try RestTolerances(value: \(tolerance.value.source)\(velocity))"
    case .setReports(let reports): return "batch.reports = AnimationReports(rawValue: \(reports.rawValue))"
    }
  }
}

private func list(_ parts: [String]) -> String { "[\(parts.joined(separator: ", "))]" }

private func motion(_ animation: Animation?) -> String { animation?.source ?? "nil" }

// MARK: - Values

extension BinaryFloatingPoint where Self: CustomStringConvertible {
  fileprivate var source: String {
    isNaN ? ".nan" : isInfinite ? (self < 0 ? "-.infinity" : ".infinity") : "\(Double(self))"
  }
}

extension Spring {
  /// The numbers of an initializer that makes the very same spring; nil if none is found.
  package enum Form {
    case bounce(duration: Double, bounce: Double)
    case damping(mass: Double, stiffness: Double, damping: Double)
  }

  package var form: Form? {
    // A jump has no bounce that could be asked for.
    if Spring(duration: 0).isSame(as: self) { return .bounce(duration: 0, bounce: 0) }
    // Each number is given back within some units in the last place; fewer digits are more likely to be those given.
    func near(_ number: Double) -> [Double] {
      let short = number == 0 || !number.isFinite ? [] : (12...17).compactMap { number.rounded(toDigits: $0) }
      return short + [number, number.nextUp, number.nextDown, number.nextUp.nextUp, number.nextDown.nextDown]
    }
    for duration in near(duration) {
      for bounce in near(bounce) where Spring(duration: duration, bounce: bounce).isSame(as: self) {
        return .bounce(duration: duration, bounce: bounce)
      }
    }
    for stiffness in near(stiffness) {
      for damping in near(damping)
      where Spring(mass: mass, stiffness: stiffness, damping: damping, allowOverDamping: true).isSame(as: self) {
        return .damping(mass: mass, stiffness: stiffness, damping: damping)
      }
    }
    return nil
  }

  /// Whether all numbers have the same bits.
  private func isSame(as other: Spring) -> Bool {
    [\Spring.naturalFrequency, \.decayConstant, \.angularFrequency, \.mass].allSatisfy {
      self[keyPath: $0].bitPattern == other[keyPath: $0].bitPattern
        || self[keyPath: $0].isNaN && other[keyPath: $0].isNaN
    }
  }

  fileprivate var source: String {
    switch form {
    case .bounce(let duration, let bounce): return "Spring(duration: \(duration.source), bounce: \(bounce.source))"
    case .damping(let mass, let stiffness, let damping):
      return "Spring(mass: \(mass.source), stiffness: \(stiffness.source), damping: \(damping.source), "
        + "allowOverDamping: true)"
    case nil: return "Spring(duration: \(duration.source), bounce: \(bounce.source))"
    }
  }
}

extension Double {
  fileprivate func rounded(toDigits digits: Int) -> Double? {
    var scale = 1.0
    var exponent = digits
    var size = abs(self)
    while size >= 1 {
      size /= 10
      exponent -= 1
    }
    for _ in 0..<max(0, exponent) { scale *= 10 }
    let rounded = (self * scale).rounded() / scale
    return rounded.isFinite ? rounded : nil
  }
}

extension UnitCurve {
  fileprivate var source: String {
    let named: [(String, UnitCurve)] = [
      ("linear", .linear), ("easeIn", .easeIn), ("easeOut", .easeOut), ("easeInOut", .easeInOut),
      ("circularEaseIn", .circularEaseIn), ("circularEaseOut", .circularEaseOut),
      ("circularEaseInOut", .circularEaseInOut),
    ]
    if let name = named.first(where: { $0.1 == self })?.0 { return ".\(name)" }
    func point(_ point: UnitPoint) -> String { "UnitPoint(x: \(point.x.source), y: \(point.y.source))" }
    switch shape {
    case .bezier(let curve):
      return ".bezier(startControlPoint: \(point(curve.start)), endControlPoint: \(point(curve.end)))"
    case .steps(let steps): return ".steps(\(steps.count), position: .\(steps.position))"
    case .piecewiseLinear(let line):
      let points = zip(line.inputs, line.outputs).map { ".init(input: \($0.source), output: \($1.source))" }
      return ".linear(points: \(list(points)))"
    case .identity, .circularIn, .circularOut, .circularInOut: return ".linear"
    }
  }
}

extension Animation {
  fileprivate var source: String {
    switch structure {
    case .curve(let curve, let duration): ".timingCurve(\(curve.source), duration: \(duration.source))"
    case .spring(let spring): ".spring(\(spring.source))"
    case .interpolatingSpring(let spring, let velocity):
      ".interpolatingSpring(\(spring.source), initialVelocity: \(velocity.source))"
    case .delay(let base, let seconds): "\(base.source).delay(\(seconds.source))"
    case .speed(let base, let speed): "\(base.source).speed(\(speed.source))"
    case .repeat(let base, let count, let autoreverses):
      count.map { "\(base.source).repeatCount(\($0), autoreverses: \(autoreverses))" }
        ?? "\(base.source).repeatForever(autoreverses: \(autoreverses))"
    case .logicallyComplete(let base, let seconds): "\(base.source).logicallyComplete(after: \(seconds.source))"
    case .custom: "/* a custom animation */ .default"
    }
  }
}

extension Playback {
  fileprivate var source: String {
    var parts: [String] = []
    if let start { parts.append("start: \(start.source)") }
    if delay != 0 { parts.append("delay: \(delay.source)") }
    if speed != 1 { parts.append("speed: \(speed.source)") }
    if repetition != .count(1) { parts.append("repetition: .\(repetition)") }
    if autoreverses { parts.append("autoreverses: true") }
    if timeOffset != 0 { parts.append("timeOffset: \(timeOffset.source)") }
    if !holdsBefore { parts.append("holdsBefore: false") }
    if !holdsAfter { parts.append("holdsAfter: false") }
    return "Playback(\(parts.joined(separator: ", ")))"
  }
}

extension Clip {
  /// Keyframes where they are known and there is a value with so many components; pieces otherwise.
  fileprivate var code: String {
    guard let keyframes = source?.keyframes, dimensions <= 4 else { return pieces }
    let type = dimensions == 1 ? "Double" : "SIMD\(dimensions)<Double>"
    let numbers = initialValues.map(\.source).joined(separator: ", ")
    let tracks = keyframes.enumerated().filter { !$1.isEmpty }.map { component, keyframes in
      let path = dimensions == 1 ? "\\Double.self" : "\\\(type).\(["x", "y", "z", "w"][component])"
      return "KeyframeTrack(\(path)) { \(keyframes.map(\.source).joined(separator: "; ")) }"
    }
    guard !tracks.isEmpty else { return pieces }
    return "Clip(initialValue: \(type)(\(numbers))) { _ in \(tracks.joined(separator: "; ")) }"
  }

  private var pieces: String {
    let tracks = tracks.map { track in
      let pieces = track.pieces.map {
        list($0.map { "SIMD4(\($0.x.source), \($0.y.source), \($0.z.source), \($0.w.source))" })
      }
      return "PieceTrack(components: \(track.components), times: \(list(track.times.map(\.source))), "
        + "pieces: \(list(pieces))\(track.boundariesBelongToLater ? ", boundariesBelongToLater: true" : ""))"
    }
    return "Clip(dimensions: \(dimensions), initialValues: \(list(initialValues.map(\.source))), "
      + "tracks: \(list(tracks)), duration: \(duration.source))"
  }
}

extension Keyframe<Double> {
  fileprivate var source: String {
    switch self {
    case .move(let to): return "MoveKeyframe(\(to.source))"
    case .linear(let to, let duration, let curve):
      return "LinearKeyframe(\(to.source), duration: \(duration.source), timingCurve: \(curve.source))"
    case .cubic(let to, let duration, let start, let end):
      let velocities =
        (start.map { ", startVelocity: \($0.source)" } ?? "") + (end.map { ", endVelocity: \($0.source)" } ?? "")
      return "CubicKeyframe(\(to.source), duration: \(duration.source)\(velocities))"
    case .spring(let to, let duration, let spring, let start):
      let options =
        (duration.map { ", duration: \($0.source)" } ?? "") + ", spring: \(spring.source)"
        + (start.map { ", startVelocity: \($0.source)" } ?? "")
      return "SpringKeyframe(\(to.source)\(options))"
    }
  }
}
