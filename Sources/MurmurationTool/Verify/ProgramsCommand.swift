// SPDX-License-Identifier: MIT
import AnimationModel
import ArgumentParser
import Foundation
import Murmuration
import MurmurationReference

/// `murmuration programs`, for tests: writes random programs with all that a batch shows of them, so that programs in other
/// languages can play the same calls and compare the bits.
struct ProgramsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "programs",
    abstract: "Writes random programs of calls, and what a batch shows of them, as lines of JSON.",
    shouldDisplay: false)

  @Option(help: "Programs to write.")
  var count = 40

  @Option(help: "The seed of the first program; each further one has the next.")
  var seed: UInt64 = 1

  @Flag(help: "Only calls that the package for JavaScript has.")
  var web = false

  func run() throws {
    for number in 0..<UInt64(max(0, count)) {
      let program = RandomProgram.draw(seed: seed &+ number)
      try StandardOutput.write(try ShownProgram(program, seed: seed &+ number, forWeb: web).line() + "\n")
    }
  }
}

/// A program in calls that the surface for C has, and what came of each call.
private struct ShownProgram {
  /// What came of a call.
  struct Step: Encodable {
    var isAccepted: Bool
    /// After an advance: all numbers by index, interleaved, as bytes in base 64; zeros for indices without a track.
    var values, velocities, targets: Data?
    /// After an advance: index, kind, change, moment and number of each event.
    var events: [[Double]]?
  }

  private let seed: UInt64
  private let isForWeb: Bool
  private var recording: BatchRecording
  private var steps: [Step] = []
  /// The call that added each track, by its number among those that add.
  private var additions: [Int] = []
  private var additionCount = 0

  init(_ program: BatchRecording, seed: UInt64, forWeb: Bool) throws {
    (self.seed, isForWeb) = (seed, forWeb)
    recording = BatchRecording(dimensions: program.dimensions, curveTolerance: program.curveTolerance)
    var player = try BatchPlayer(program, kernels: .portable)
    for call in program.calls {
      // An animation for an index without a track is checked by C alone.
      let call = call.animations.count > 1 || call.springs.count > 1 ? player.named(call) : call
      for plain in plain(call) {
        for call in isForWeb ? webCalls(plain) : [plain] { try perform(call, &player) }
      }
    }
  }

  func line() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let steps = String(decoding: try encoder.encode(steps), as: UTF8.self)
    return #"{"seed":\#(seed),"recording":\#(try recording.json()),"steps":\#(steps)}"#
  }

  private mutating func perform(_ call: BatchCall, _ player: inout BatchPlayer) throws {
    var step = Step(isAccepted: true)
    do throws(BatchError) {
      try player.perform(call)
      if case .add = call.verb {
        additions += Array(repeating: additionCount, count: call.values.count / recording.dimensions)
        additionCount += 1
      }
    } catch {
      // One goal for many tracks is no mistake where programs say how many floats lie between two.
      switch error {
      case .wrongCount, .unequalColumns: return
      default: step.isAccepted = false
      }
    }
    if case .advance(_, let velocities) = call.verb, step.isAccepted {
      step.values = bytes(player) { $0[$1] }
      if velocities { step.velocities = bytes(player) { $0.velocity(of: $1) } }
      step.targets = bytes(player) { $0.target(of: $1) }
      step.events = player.batch.events.map {
        [Double($0.track.index), Double($0.kind.rawValue), Double($0.change.rawValue), $0.moment, Double($0.number)]
      }
    }
    recording.calls.append(call)
    steps.append(step)
  }

  private func bytes(
    _ player: borrowing BatchPlayer,
    _ numbers: (borrowing AnimationBatch<Components>, TrackHandle) -> Components?
  ) -> Data {
    var floats: [Float] = []
    for index in 0..<player.batch.indexCount {
      let shown = player.batch.handle(at: index).flatMap { numbers(player.batch, $0) }
      for dimension in 0..<recording.dimensions { floats.append(shown?.component(dimension) ?? 0) }
    }
    return floats.withUnsafeBytes { Data($0) }
  }

  // MARK: - Calls that the surfaces have

  /// The call, or calls in its place.
  private func plain(_ call: BatchCall) -> [BatchCall] {
    let dimensions = recording.dimensions
    var call = call
    switch call.verb {
    case .addMoving:
      let new = BatchCall.Tracks.tracks(Array(additions.count..<additions.count + call.values.count / dimensions))
      let speeds = call.velocities.isEmpty ? call.values.map { _ in 0 } : call.velocities
      return [
        BatchCall(.add, values: call.values), BatchCall(.set, new, values: call.values, velocities: speeds),
        BatchCall(.animate, new, goals: call.goals, animations: call.springs.map { .spring(plain($0)) }),
      ]
    case .addPlaying:
      let count = call.playbacks.count
      (call.verb, call.tracks) = (.play(start: .firstValue), .tracks(Array(additions.count..<additions.count + count)))
      return [BatchCall(.add, values: Array(repeating: 0, count: count * dimensions))] + plain(call)
    case .play where call.clips.count > 1:
      guard case .tracks(let tracks)? = call.tracks, call.clips.count == tracks.count else {
        call.clips = Array(call.clips.prefix(1))
        return [call]
      }
      return Set(call.clips).sorted().map { clip in
        let places = tracks.indices.filter { call.clips[$0] == clip }
        var some = call.keeping(places, of: tracks.count, dimensions: dimensions)
        some.clips = [clip]
        return some
      }
    case .play where call.clips.isEmpty: return []
    case .seekProgress, .followTracks, .writeGoals: return []
    case .follow: call.springs = call.springs.map(plain)
    case .decelerate(let slide, let bounds?):
      let limits = SlideBounds(
        lower: bounds.lower, upper: bounds.upper, spring: plain(bounds.spring), points: bounds.points,
        spacing: bounds.spacing)
      call.verb = .decelerate(slide, within: limits)
    case .animate:
      let isEach = call.animations.count > 1
      call.animations = call.animations.map { $0.map(plain) ?? (isEach ? jump : nil) }
    case .loadClip(let clip):
      let lists =
        clip.source?.keyframes
        ?? clip.initialValues.map { [.linear(to: $0 + 1, duration: 0.5, timingCurve: .linear)] }
      let keyframes = lists.map { $0.map(plain) }
      return (try? Clip(initialValues: clip.initialValues, keyframes: keyframes, tolerance: 0x1p-16))
        .map { [BatchCall(.loadClip($0))] } ?? []
    case .loadPhases(let phases):
      let animations = phases.animations.map { $0.map(plain) ?? jump }
      return (try? PhaseSequence(dimensions: phases.dimensions, targets: phases.allTargets, animations: animations))
        .map { [BatchCall(.loadPhases($0))] } ?? []
    default: break
    }
    return [call]
  }

  /// Calls of JavaScript in place of a call: each is about the tracks of one `add`, and has one playback, speed or time.
  private func webCalls(_ call: BatchCall) -> [BatchCall] {
    var call = call
    switch call.verb {
    case .reserve, .cancelDelays, .setVariations: return []
    case .setReports where !recording.calls.isEmpty: return []
    case .play:
      guard let first = call.playbacks.first else { return [] }
      call.playbacks = [
        Playback(
          delay: first.delay, speed: first.speed, repetition: first.repetition, autoreverses: first.autoreverses,
          timeOffset: first.timeOffset)
      ]
    case .setSpeed, .seek: call.numbers = Array(call.numbers.prefix(1))
    default: break
    }
    guard case .tracks(let tracks)? = call.tracks else { return [call] }
    let origins = tracks.map { additions.indices.contains($0) ? additions[$0] : -1 }
    return Set(origins).sorted().map { origin in
      call.keeping(
        tracks.indices.filter { origins[$0] == origin }, of: tracks.count, dimensions: recording.dimensions)
    }
  }

  private var jump: Animation { .spring(Spring(duration: 0, bounce: 0)) }

  private func plain(_ animation: Animation) -> Animation {
    switch animation.structure {
    case .curve(let curve, let duration): .timingCurve(plain(curve), duration: duration)
    case .spring(let spring): .spring(plain(spring))
    case .interpolatingSpring(let spring, let velocity):
      .interpolatingSpring(plain(spring), initialVelocity: velocity)
    case .delay(let base, let seconds): plain(base).delay(seconds)
    case .speed(let base, let factor): plain(base).speed(factor)
    case .repeat(let base, let count?, let autoreverses): plain(base).repeatCount(count, autoreverses: autoreverses)
    case .repeat(let base, nil, let autoreverses): plain(base).repeatForever(autoreverses: autoreverses)
    case .logicallyComplete(let base, let seconds):
      isForWeb ? plain(base) : plain(base).logicallyComplete(after: seconds)
    default: animation
    }
  }

  /// The spring, if a duration and a bounce make the very same one; else one with its duration.
  private func plain(_ spring: Spring) -> Spring {
    spring.form.naturalFrequency == nil ? spring : Spring(duration: spring.duration)
  }

  private func plain(_ curve: UnitCurve) -> UnitCurve {
    switch curve.shape {
    case .steps, .piecewiseLinear: .easeIn
    case .named(let ease) where ease.isInverse: curve.inverse
    default: curve
    }
  }

  private func plain(_ keyframe: Keyframe<Double>) -> Keyframe<Double> {
    switch keyframe {
    case .linear(let to, let duration, let curve): .linear(to: to, duration: duration, timingCurve: plain(curve))
    case .spring(let to, let duration, let spring, let velocity):
      .spring(to: to, duration: duration, spring: plain(spring), startVelocity: velocity)
    default: keyframe
    }
  }
}
