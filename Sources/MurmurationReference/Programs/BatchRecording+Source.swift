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
    let names = Set(calls.map(\.verb.name))
    if names.contains("loadClip") { lines.append("var clips: [ClipID] = []") }
    if names.contains("loadPhases") { lines.append("var phases: [PhaseSequenceID] = []") }
    guard var player = try? BatchPlayer(self) else { return lines.joined(separator: "\n") }
    for call in calls {
      let named = player.named(call)
      let line = named.source(dimensions: dimensions)
      // Whether there are, or were, the tracks, clips and sequences that the call names.
      let isKnown =
        named.named.allSatisfy(player.tracks.indices.contains) && named.clips.allSatisfy(player.clips.indices.contains)
        && named.sequences.allSatisfy(player.sequences.indices.contains)
      let isAccepted = (try? player.perform(call)) != nil
      lines.append(!isKnown ? "// refused: \(line)" : isAccepted ? line : "do { \(line) } catch {}")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

// MARK: - Calls

extension BatchCall {
  /// The call as source.
  ///
  /// - Parameter dimensions: Components of each track.
  func source(dimensions: Int) -> String {
    func vectors(_ numbers: [Float]) -> [String] { numbers.chunks(of: dimensions).map { list($0.map(\.source)) } }
    func given(_ label: String, _ parts: [String]) -> String? { parts.isEmpty ? nil : "\(label): \(list(parts))" }
    func oneOrList(_ parts: [String], _ label: String = "") -> String {
      parts.count == 1 ? parts[0] : label + list(parts)
    }
    func batch(_ name: String, _ arguments: String?...) -> String { "try batch.\(make(name, arguments))" }
    let tracks = tracksSource
    let (values, goals) = (list(vectors(values)), list(vectors(goals)))
    let (velocities, scales, offsets) = (vectors(velocities), vectors(scales), vectors(offsets))
    let (clips, sequences) = (clips.map { "clips[\($0)]" }, sequences.map { "phases[\($0)]" })
    let (springs, playbacks, numbers) = (springs.map(\.source), playbacks.map(\.source), numbers.map(\.source))
    let animations = animations.map { $0?.source ?? "nil" }
    switch verb {
    case .add: return "tracks += \(batch("add", values))"
    case .addMoving:
      let last = oneOrList(springs, "springs: ")
      return "tracks += \(batch("add", values, given("velocities", velocities), "to: \(goals)", last))"
    case .addPlaying: return "tracks += \(batch("add", "playing: \(oneOrList(clips))", list(playbacks)))"
    case .removeSettled, .removeAll: return "batch.\(verb)()"
    case .compact: return batch("compact")
    case .reserve(let count): return batch("reserve", "\(count)")
    case .animate, .retarget:
      let how = animations.isEmpty ? nil : oneOrList(animations, "animations: ")
      return batch("\(verb)", tracks, "to: \(goals)", how, given("delays", numbers))
    case .remove, .trigger, .pause, .resume, .stop: return batch("\(verb)", tracks)
    case .cancelDelays: return batch("cancelDelays", "of: \(tracks)")
    case .follow, .followTracks:
      let leaders = given("valuesOf", leaders.map { "tracks[\($0)]" })
      let how = springs.count == 1 ? "with: \(springs[0])" : "springs: \(list(springs))"
      return batch("follow", tracks, leaders, given("offsets", offsets), how)
    case .writeGoals:
      let writes = (0..<dimensions).map { component -> String in
        let column = stride(from: component, to: self.goals.count, by: dimensions).map { self.goals[$0].source }
        return "try batch.withGoals(component: \(component)) "
          + "{ for (track, goal) in zip(\(tracks), \(list(column)) as [Float]) { $0[track.index] = goal } }"
      }
      return writes.joined(separator: "; ")
    case .setGoals: return batch("setGoals", "of: \(tracks)", goals)
    case .set, .displace: return batch("\(verb)", tracks, values, "velocities: \(list(velocities))")
    case .push: return batch("push", tracks, "by: \(list(velocities))")
    case .decelerate(let deceleration, let bounds):
      let rate = "by: Deceleration(rate: \(deceleration.rate.source))"
      let within = bounds.flatMap {
        $0.lower.isEmpty ? nil : "within: (\(list($0.lower.map(\.source))), \(list($0.upper.map(\.source))))"
      }
      let points = bounds?.points.map(vectors)
      let grid = bounds?.spacing.map { ".every(\(list($0.map(\.source))), from: \(points?.first ?? "nil"))" }
      let snap = (grid ?? points.map { ".values(\(list($0)))" }).map { "snap: \($0)" }
      return batch(
        "decelerate", tracks, given("velocities", velocities), rate, within, snap,
        bounds.map { "spring: \($0.spring.source)" })
    case .loadClip(let clip): return "clips.append(\(batch("load", clip.code)))"
    case .unloadClip: return batch("unload", oneOrList(clips))
    case .loadPhases(let phases):
      let targets = list(phases.allTargets.map { list($0.map(\.source)) })
      let animations = "animations: \(list(phases.animations.map { $0?.source ?? "nil" }))"
      let sequence = make("PhaseSequence", "dimensions: \(dimensions)", "targets: \(targets)", animations)
      return "phases.append(\(batch("load", sequence)))"
    case .unloadPhases: return batch("unload", oneOrList(sequences))
    case .play(let start):
      let count = max(clips.count, playbacks.count)
      let isOne = clips.count == 1 && playbacks.count == 1
      let parts = [clips, playbacks].map { isOne ? $0[0] : list($0.spread(over: count)) }
      return batch("play", parts[0], "on: \(tracks)", parts[1], "start: .\(start)")
    case .setVariations:
      return batch("setVariations", "of: \(tracks)", "scales: \(list(scales))", "offsets: \(list(offsets))")
    case .setSpeed: return batch("setSpeed", oneOrList(numbers), "of: \(tracks)")
    case .seek: return batch("seek", tracks, "to: \(list(numbers.spread(over: named.count)))")
    case .seekProgress: return batch("seek", tracks, "progress: \(list(numbers))")
    case .playPhases(let playback):
      return batch(
        "play", oneOrList(sequences), "on: \(tracks)", ".\(playback)", given("startingAt", numbers),
        given("offsets", offsets), given("scales", scales))
    case .advance(let time, let velocities):
      return batch("advance", "to: \(time.source)", velocities ? "velocities: true" : nil)
    case .setRestTolerance(let tolerance):
      let tolerances = make("RestTolerances", option("value", tolerance.value), option("velocity", tolerance.velocity))
      return "batch.restTolerance = try \(tolerances)"
    case .setReports(let reports): return "batch.reports = AnimationReports(rawValue: \(reports.rawValue))"
    }
  }

  /// The numbers of the tracks of a list; −1, which names no track, for a range or for all tracks.
  fileprivate var named: [Int] {
    if case .tracks(let list)? = tracks { list } else { tracks == nil ? [] : [-1] }
  }

  private var tracksSource: String {
    // A file may name the largest number there is.
    let isRun = named.count > 2 && zip(named, named.dropFirst()).allSatisfy { $0 < $1 && $0 + 1 == $1 }
    if isRun, let first = named.first, let last = named.last, last < .max {
      return "Array(tracks[\(first)..<\(last + 1)])"
    }
    return list(named.map { "tracks[\($0)]" })
  }
}

// MARK: - Values

private func list(_ parts: [String]) -> String { "[\(parts.joined(separator: ", "))]" }

/// A call of a function, with those of its arguments that are not nil.
private func make(_ name: String, _ arguments: [String?]) -> String {
  "\(name)(\(arguments.compactMap { $0 }.joined(separator: ", ")))"
}

private func make(_ name: String, _ arguments: String?...) -> String { make(name, arguments) }

private func option(_ label: String, _ number: (some BinaryFloatingPoint)?) -> String? {
  number.map { "\(label): \($0.source)" }
}

extension BinaryFloatingPoint {
  fileprivate var source: String {
    isNaN ? ".nan" : isInfinite ? (self < 0 ? "-.infinity" : ".infinity") : "\(Double(self))"
  }
}

extension Spring {
  fileprivate var source: String {
    // A spring that no initializer makes is told by its duration and bounce.
    let form = form.naturalFrequency == nil ? form : SpringForm(duration: duration, bounce: bounce)
    return make(
      "Spring", option("duration", form.duration), option("bounce", form.bounce), option("mass", form.mass),
      option("stiffness", form.stiffness), option("damping", form.damping),
      form.stiffness.map { _ in "allowOverDamping: true" })
  }
}

extension UnitCurve {
  fileprivate var source: String {
    func point(_ point: UnitPoint) -> String { make("UnitPoint", option("x", point.x), option("y", point.y)) }
    switch shape {
    case .bezier(let curve) where name == nil:
      return ".bezier(startControlPoint: \(point(curve.start)), endControlPoint: \(point(curve.end)))"
    case .steps(let steps): return ".steps(\(steps.count), position: .\(steps.position))"
    case .piecewiseLinear(let line):
      let points = zip(line.inputs, line.outputs).map { make(".init", option("input", $0), option("output", $1)) }
      return ".linear(points: \(list(points)))"
    default: return ".\(name ?? "linear")"
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
    make(
      "Playback", option("start", start), delay == 0 ? nil : option("delay", delay),
      speed == 1 ? nil : option("speed", speed), repetition == .count(1) ? nil : "repetition: .\(repetition)",
      autoreverses ? "autoreverses: true" : nil, timeOffset == 0 ? nil : option("timeOffset", timeOffset),
      holdsBefore ? nil : "holdsBefore: false", holdsAfter ? nil : "holdsAfter: false")
  }
}

extension Clip {
  /// Keyframes where they are known, last as long as the clip, and there is a value with that number of components;
  /// pieces otherwise.
  fileprivate var code: String {
    guard let source, source.leastDuration == 0, dimensions <= 4, source.keyframes.contains(where: { !$0.isEmpty })
    else { return pieces }
    let keyframes = source.keyframes
    let type = dimensions == 1 ? "Double" : "SIMD\(dimensions)<Double>"
    let tracks = keyframes.enumerated().filter { !$1.isEmpty }.map { component, keyframes in
      let path = dimensions == 1 ? "\\Double.self" : "\\\(type).\(["x", "y", "z", "w"][component])"
      return "KeyframeTrack(\(path)) { \(keyframes.map { KeyframeForm($0).source }.joined(separator: "; ")) }"
    }
    let start = make(type, initialValues.map(\.source))
    let tolerance = source.tolerance == 0x1p-16 ? "" : ", tolerance: \(source.tolerance.source)"
    return "Clip(initialValue: \(start)\(tolerance)) { _ in \(tracks.joined(separator: "; ")) }"
  }

  private var pieces: String {
    let tracks = tracks.map { track in
      let pieces = track.pieces.map { list($0.map { make("SIMD4", [$0.x, $0.y, $0.z, $0.w].map(\.source)) }) }
      return make(
        "PieceTrack", "components: \(track.components)", "times: \(list(track.times.map(\.source)))",
        "pieces: \(list(pieces))", track.boundariesBelongToLater ? "boundariesBelongToLater: true" : nil)
    }
    return make(
      "Clip", "dimensions: \(dimensions)", "initialValues: \(list(initialValues.map(\.source)))",
      "tracks: \(list(tracks))", option("duration", duration))
  }
}

extension KeyframeForm {
  fileprivate var source: String {
    make(
      kind.rawValue, to.source, option("duration", duration),
      (try? timingCurve?.curve).map { "timingCurve: \($0.source)" }, spring.map { "spring: \($0.spring.source)" },
      option("startVelocity", startVelocity), option("endVelocity", endVelocity))
  }
}
