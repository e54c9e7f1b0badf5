// SPDX-License-Identifier: MIT
import AnimationModel
import Murmuration
import TestSupport
import Testing

/// The arguments of one call: good ones, but for one.
final class SwiftCall {
  typealias Vector = SwiftStage.Vector

  let stage: SwiftStage
  private let refusal: Refusal?
  /// Whether the bad argument was given.
  private(set) var isBad = false
  /// Whether a call has written numbers.
  private(set) var hasWritten = false

  init(_ stage: SwiftStage, _ refusal: Refusal?) { (self.stage, self.refusal) = (stage, refusal) }

  /// The words for the value of an argument, if it is the bad one.
  private func bad(_ argument: String) -> String? {
    guard let refusal, refusal.argument == argument else { return nil }
    isBad = true
    return refusal.value
  }

  /// A list with an element for each track, of which the first may be bad.
  private func list<Element>(_ argument: String, _ good: Element, _ make: (String) -> Element) -> [Element] {
    var list = [Element](repeating: good, count: SwiftStage.count)
    switch bad(argument) {
    case nil: break
    case "few": list.removeLast()
    case "many": list.append(good)
    case let words?: list[0] = make(words)
    }
    return list
  }

  private func number(_ argument: String, _ good: Double) -> Double { bad(argument).flatMap(Double.init) ?? good }
  private func whole(_ argument: String, _ good: Int) -> Int { bad(argument).flatMap { Int($0) } ?? good }
  private func numbers(_ argument: String, _ good: Double = 1) -> [Double] { list(argument, good) { Double($0) ?? 0 } }
  private func vectors(_ argument: String) -> [Vector] { list(argument, [1, 1]) { [Float($0) ?? 0, 1] } }
  /// Vectors in columns.
  private func planar(_ argument: String) -> [Float] {
    let vectors = vectors(argument)
    return vectors.map(\.x) + vectors.map(\.y)
  }
  /// One vector for all. A number of vectors cannot be wrong then.
  private func vector(_ argument: String) -> Vector {
    ["few", "many"].contains(refusal?.value) ? [1, 1] : vectors(argument)[0]
  }

  private func handles(_ argument: String) -> [TrackHandle] {
    var tracks = stage.tracks
    // Words for a range say nothing here.
    guard let value = refusal?.value, !["beyond", "before"].contains(value), bad(argument) != nil else { return tracks }
    switch stage.strangers[value] {
    case let stranger?: tracks[8] = stranger
    case nil: if value == "few" { tracks.removeLast() } else { tracks.append(tracks[0]) }
    }
    return tracks
  }
  private var tracks: any TrackSelection {
    switch (refusal?.value, refusal?.argument) {
    case ("beyond", "tracks"), ("before", "tracks"): bad("tracks") == "beyond" ? 2..<11 : -1..<8
    default: handles("tracks")
    }
  }

  private func spring(_ words: String) -> Spring {
    let words = words.split(separator: " ")
    let numbers = words.dropFirst().compactMap { Double($0) }
    return switch words[0] {
    case "response": Spring(response: numbers[0], dampingRatio: numbers[1])
    case "stiffness": Spring(mass: numbers[0], stiffness: numbers[1], damping: numbers[2])
    case "overdamped":
      Spring(mass: numbers[0], stiffness: numbers[1], damping: numbers[2], allowOverDamping: true)
    default: Spring(duration: numbers[0], bounce: numbers[1])
    }
  }
  private func animation(_ words: String) -> Animation {
    let words = words.split(separator: " ")
    let numbers = words.map { Double($0) ?? 0 }
    let width = ["linear": 1, "stiffness": 3, "overdamped": 3][words[0]] ?? 2
    var made: Animation =
      switch words[0] {
      case "linear": .linear(duration: numbers[1])
      case "bezier": .timingCurve(numbers[1], numbers[2], 1, 1, duration: 1)
      case "interpolating": .interpolatingSpring(duration: numbers[1], initialVelocity: numbers[2])
      default: .spring(spring(words[...width].joined(separator: " ")))
      }
    for place in stride(from: width + 1, to: words.count, by: 2) {
      let number = numbers[place + 1]
      switch words[place] {
      case "delay": made = made.delay(number)
      case "speed": made = made.speed(number)
      case "repeat": made = made.repeatCount(Int(number))
      default: made = made.logicallyComplete(after: number)
      }
    }
    return made
  }
  private func playback(_ words: String) -> Playback {
    let words = words.split(separator: " ")
    let number = Double(words[1]) ?? 0
    switch words[0] {
    case "start": return Playback(start: number)
    case "delay": return Playback(delay: number)
    case "speed": return Playback(speed: number)
    case "offset": return Playback(timeOffset: number)
    default: return Playback(repetition: .count(Int(number)))
    }
  }
  private func keyframe(_ words: String) -> KeyframeSequence<Double> {
    let words = words.split(separator: " ")
    let (to, duration) = (Double(words[1]) ?? 0, words.count > 2 ? Double(words[2]) ?? 0 : 1)
    return switch words[0] {
    case "move": KeyframeSequence { MoveKeyframe(to) }
    case "linear": KeyframeSequence { LinearKeyframe(to, duration: duration) }
    case "cubic": KeyframeSequence { CubicKeyframe(to, duration: duration) }
    default: KeyframeSequence { SpringKeyframe(to, duration: duration) }
    }
  }

  private var bounds: (lower: Vector, upper: Vector) {
    switch bad("bounds") {
    case "nan": ([-1e9, .nan], [1e9, 1e9])
    case "crossed": ([-1e9, 9], [1e9, 8])
    default: ([-1e9, -1e9], [1e9, 1e9])
    }
  }
  private var points: SnapPoints<Vector> {
    let words = bad("snapPoints")
    return .values(words == "none" ? [] : [[0, 0], [9, words.flatMap { Float($0) } ?? 9]])
  }
  private var grid: SnapPoints<Vector> {
    .every([1, Float(number("spacing", 1))], from: [Float(number("origin", 0)), 0])
  }

  private var clip: ClipID { get throws { try #require(stage.clips[bad("clip") ?? "good"]) } }
  private var phases: PhaseSequenceID { get throws { try #require(stage.phases[bad("phases") ?? "good"]) } }

  private func loadedClip() throws -> Clip {
    if let words = bad("components") {
      let count = words == "few" ? 1 : 3
      return try Clip(dimensions: count, initialValues: [Double](repeating: 0, count: count), tracks: [])
    }
    let sequence = keyframe(bad("keyframe") ?? "move 1")
    let timeline = KeyframeTimeline(initialValue: SIMD2<Double>.zero) { KeyframeTrack(\.y) { sequence } }
    return try Clip(timeline, tolerance: number("tolerance", 0x1p-16))
  }
  private func loadedPhases() throws -> PhaseSequence {
    let animation = bad("animations").map(animation) ?? .smooth
    switch bad("targets") {
    case "none": return try PhaseSequence(dimensions: 2, targets: [], animations: [])
    case "many": return try PhaseSequence(dimensions: 3, targets: [[1, 2, 3]], animations: [nil])
    case let words:
      let target = words.flatMap { Float($0) } ?? 1
      return try PhaseSequence(dimensions: 2, targets: [[0, 0], [1, target]], animations: [nil, animation])
    }
  }
  private func request() -> BakeRequest {
    let indices = bad("tracks") == nil ? 0..<9 : 3..<11
    let components = bad("components").map { $0 == "beyond" ? 1..<3 : -1..<1 } ?? 0..<2
    guard let time = bad("times").flatMap({ Double($0) }) else {
      return BakeRequest(
        BakeFrames(0..<2, perSecond: number("frameRate", 60), start: number("bakeStart", 0.25)), indices: indices,
        components: components)
    }
    return BakeRequest(at: [0.25, time], indices: indices, components: components)
  }

  /// Makes a call.
  ///
  /// - Parameter spelling: Which of the ways to say it, from 0 on.
  /// - Returns: Whether there is such a call and spelling.
  func make(_ call: String, _ spelling: Int) throws -> Bool {
    let settled = CompletionCriteria.settled
    switch (call, spelling) {
    case ("make", 0):
      _ = try AnimationBatch<Components>(
        dimensions: whole("dimensions", 2), reservingCapacity: whole("capacity", 10),
        curveTolerance: number("curveTolerance", 0x1p-16))
    case ("add", 0): try stage.batch.add(vectors("values"))
    case ("add", 1): try stage.batch.add(planar: planar("values"))
    case ("add", 2): try stage.batch.add(vector("values"))
    case ("addMoving", 0):
      try stage.batch.add(
        vectors("values"), velocities: vectors("velocities"), to: vectors("goals"),
        springs: list("springs", .smooth, spring))
    case ("addMoving", 1):
      try stage.batch.add(
        planar: planar("values"), velocities: planar("velocities"), toPlanar: planar("goals"),
        springs: list("springs", .smooth, spring))
    case ("addMoving", 2):
      try stage.batch.add(vector("values"), velocity: vector("velocities"), to: vector("goals"))
    case ("addMoving", 3):
      try stage.batch.add(vectors("values"), velocities: vectors("velocities"), to: vectors("goals"), .smooth)
    case ("addPlaying", 0): try stage.batch.add(playing: clip, list("playbacks", Playback(), playback))
    case ("remove", 0): try stage.batch.remove(tracks)
    case ("restore", 0): try stage.batch.restore(try #require(stage.snapshots[bad("snapshot") ?? "good"]))
    case ("animate", 0):
      try stage.batch.animate(
        tracks, to: vectors("goals"), bad("animation").map(animation) ?? .smooth, delay: number("delay", 0),
        delays: numbers("delays", 0), completion: settled)
    case ("animate", 1):
      try stage.batch.animate(tracks, toPlanar: planar("goals"), bad("animation").map(animation) ?? .smooth)
    case ("animate", 2):
      try stage.batch.animate(tracks, to: vector("goals"), bad("animation").map(animation) ?? .easeIn)
    case ("animate", 3): try stage.batch.animate(.all, to: vector("goals"), bad("animation").map(animation))
    case ("animate", 4):
      try stage.batch.animate(handles("tracks")[8], to: vector("goals"), bad("animation").map(animation) ?? .smooth)
    case ("animateEach", 0):
      try stage.batch.animate(
        tracks, to: vectors("goals"), animations: list("animations", .smooth, animation),
        delays: numbers("delays", 0), completion: settled)
    case ("animateEach", 1):
      try stage.batch.animate(tracks, toPlanar: planar("goals"), animations: list("animations", .easeIn, animation))
    case ("retarget", 0):
      try stage.batch.retarget(
        tracks, to: vectors("goals"), delay: number("delay", 0), delays: numbers("delays", 0), completion: settled)
    case ("retarget", 1): try stage.batch.retarget(tracks, toPlanar: planar("goals"))
    case ("retarget", 2): try stage.batch.retarget(tracks, to: vector("goals"))
    case ("retarget", 3): try stage.batch.retarget(.all, to: vector("goals"))
    case ("retarget", 4): try stage.batch.retarget(handles("tracks")[8], to: vector("goals"))
    case ("follow", 0): try stage.batch.follow(tracks, springs: list("springs", .smooth, spring))
    case ("followTracks", 0):
      try stage.batch.follow(tracks, valuesOf: handles("leaders"), offsets: vectors("offsets"))
    case ("setGoals", 0): try stage.batch.setGoals(of: tracks, vectors("goals"))
    case ("setGoals", 1): try stage.batch.setGoals(of: tracks, planar: planar("goals"))
    case ("setGoals", 2): try stage.batch.setGoals(of: tracks, vector("goals"))
    case ("goals", 0): try stage.batch.withGoals(component: whole("component", 0)) { _ in }
    case ("cancelDelays", 0): try stage.batch.cancelDelays(of: tracks)
    case ("set", 0): try stage.batch.set(tracks, vectors("values"), velocities: vectors("velocities"))
    case ("set", 1): try stage.batch.set(tracks, planar: planar("values"), velocities: planar("velocities"))
    case ("set", 2): try stage.batch.set(tracks, vector("values"), velocity: vector("velocities"))
    case ("displace", 0): try stage.batch.displace(tracks, vectors("values"), velocities: vectors("velocities"))
    case ("displace", 1):
      try stage.batch.displace(tracks, planar: planar("values"), velocities: planar("velocities"))
    case ("displace", 2): try stage.batch.displace(tracks, vector("values"), velocity: vector("velocities"))
    case ("push", 0): try stage.batch.push(tracks, by: vectors("velocities"))
    case ("push", 1): try stage.batch.push(tracks, byPlanar: planar("velocities"))
    case ("push", 2): try stage.batch.push(tracks, by: vector("velocities"))
    case ("decelerate", 0):
      let isFar = bad("slide") != nil
      try stage.batch.decelerate(
        tracks, velocities: isFar ? [Vector](repeating: [1, 1e15], count: 9) : vectors("velocities"),
        by: Deceleration(rate: isFar ? 0.9999 : number("rate", 0.99)), within: bounds, snap: points,
        spring: bad("spring").map(spring) ?? .snappy, completion: settled)
    case ("decelerate", 1):
      try stage.batch.decelerate(tracks, planarVelocities: planar("velocities"), within: bounds, snap: grid)
    case ("decelerate", 2):
      try stage.batch.decelerate(
        tracks, velocity: vector("velocities"), snap: grid, spring: bad("spring").map(spring) ?? .snappy)
    case ("decelerate", 3): try stage.batch.decelerate(tracks, by: Deceleration(rate: number("rate", 0.99)))
    case ("pause", 0): try stage.batch.pause(tracks)
    case ("resume", 0): try stage.batch.resume(tracks)
    case ("stop", 0): try stage.batch.stop(tracks)
    case ("loadClip", 0): _ = try stage.batch.load(loadedClip())
    case ("unloadClip", 0): try stage.batch.unload(clip)
    case ("play", 0):
      try stage.batch.play(clip, on: tracks, list("playbacks", Playback(), playback), completion: settled)
    case ("setSpeed", 0): try stage.batch.setSpeed(numbers("speeds"), of: tracks)
    case ("seek", 0): try stage.batch.seek(tracks, to: numbers("times"))
    case ("seek", 1): try stage.batch.seek(tracks, progress: numbers("times"))
    case ("vary", 0): try stage.batch.setVariations(of: tracks, scales: vectors("scales"), offsets: vectors("offsets"))
    case ("vary", 1):
      try stage.batch.setVariations(of: tracks, planarScales: planar("scales"), offsets: planar("offsets"))
    case ("vary", 2): try stage.batch.setVariation(of: tracks, scale: vector("scales"), offset: vector("offsets"))
    case ("loadPhases", 0): _ = try stage.batch.load(loadedPhases())
    case ("unloadPhases", 0): try stage.batch.unload(phases)
    case ("playPhases", 0):
      try stage.batch.play(
        phases, on: tracks, startingAt: numbers("starts"), offsets: vectors("offsets"), scales: vectors("scales"))
    case ("playPhases", 1):
      try stage.batch.play(
        phases, on: tracks, startingAt: numbers("starts"), planarOffsets: planar("offsets"), scales: planar("scales"))
    case ("playPhases", 2):
      try stage.batch.play(phases, on: tracks, offset: vector("offsets"), scale: vector("scales"))
    case ("trigger", 0): try stage.batch.trigger(tracks, completion: settled)
    case ("advance", 0): try stage.batch.advance(to: number("seconds", 1))
    case ("advanceBy", 0): try stage.batch.advance(by: number("seconds", 1))
    case ("read", 0):
      var output = list("output", Vector.zero) { _ in .zero }
      defer { hasWritten = output.contains { $0 != .zero } }
      try stage.batch.copyValues(of: tracks, into: &output)
    case ("read", 1):
      var output = planar("output")
      defer { hasWritten = output.contains { $0 != 1 } }
      var span = output.mutableSpan
      try stage.batch.copyTargets(of: tracks, planar: &span)
    case ("copyVertices", 0), ("copyVertices", 1):
      var output = [UInt8](repeating: 7, count: 45 - (bad("output") == nil ? 0 : 1))
      defer { hasWritten = output.contains { $0 != 7 } }
      var span = output.mutableSpan
      var bytes = span.mutableBytes
      let layout = VertexLayout(
        offset: whole("offset", 1), stride: whole("stride", 5), .float16, components: [whole("order", 1), 0])
      if spelling == 0 {
        try stage.batch.copyValues(of: tracks, into: &bytes, layout: layout)
      } else {
        try stage.batch.copyVelocities(of: tracks, into: &bytes, layout: layout)
      }
    case ("column", 0): try stage.batch.withValues(component: whole("component", 0)) { _ in }
    case ("column", 1): try stage.batch.withVelocities(component: whole("component", 0)) { _ in }
    case ("column", 2):
      var output = [Float](repeating: 0, count: stage.batch.indexCount)
      var span = output.mutableSpan
      try stage.batch.copyValues(component: whole("component", 0), planar: &span)
    case ("bake", 0):
      var output = [Float](repeating: 7, count: 36 - (bad("output") == nil ? 0 : 1))
      defer { hasWritten = output.contains { $0 != 7 } }
      var span = output.mutableSpan
      try stage.batch.bake(request(), into: &span)
    case ("reserve", 0): try stage.batch.reserve(whole("count", 5))
    case ("setRestTolerance", 0):
      stage.batch.restTolerance = try RestTolerances(
        value: Float(number("rest", 0.01)), velocity: Float(number("restVelocity", 0.1)))
    default: return false
    }
    return true
  }
}
