// SPDX-License-Identifier: MIT
import Formats
import Murmuration
import SceneReference
import Scenes
import Text

/// The summary of a run, printed at its end as text or as JSON.
struct RunSummary {
  let run: SceneRun
  private let springTracks: Int
  private let animationTracks: Int
  private let timelineTracks: Int
  private let phaseTracks: Int
  private let networkTracks: Int
  private let rigTracks: Int
  private let clock: KernelClock
  private let animationClock: PlaybackClock
  private let timelineClock: PlaybackClock
  private let phaseClock: PlaybackClock
  private let networkClock: NetworkClock
  let rigClock: RigClock
  private let check: SceneCheck?
  private let times: RunTimes
  /// The work of the last frame.
  private let work: BatchWork
  /// The springs' share of the machine's limit.
  private let springRoofline: Roofline?
  /// The share of instances of a glTF file's animations.
  let rigRoofline: Roofline?

  init(run: SceneRun, player: borrowing ScenePlayer, check: SceneCheck?, times: RunTimes) {
    self.run = run
    springTracks = player.springTracks
    animationTracks = player.animationTracks
    timelineTracks = player.timelineTracks
    phaseTracks = player.phaseTracks
    networkTracks = player.networkTracks
    rigTracks = player.rigTracks
    clock = player.kernelClock
    animationClock = player.animationClock
    timelineClock = player.timelineClock
    phaseClock = player.phaseClock
    networkClock = player.networkClock
    rigClock = player.rigClock
    work = player.work
    self.check = check
    self.times = times
    let frames = run.frames.count
    let evaluations = Double(max(1, clock.evaluations))
    // Where no share is shown, no copies are made to compare with.
    springRoofline =
      !run.measuresLimit
      ? nil
      : Roofline(
        bytes: clock.bytes, bytesAtOnce: Double(clock.bytes) / evaluations * Double(springTracks),
        seconds: clock.seconds, frames: frames, awake: Double(clock.awake) / evaluations,
        events: Double(clock.completions + clock.rests + clock.retargets) / Double(max(1, clock.awake)))
    rigRoofline =
      !run.measuresLimit
      ? nil
      : Roofline(
        bytes: rigClock.bytes, bytesAtOnce: Double(rigClock.bytes) / Double(max(1, frames - 1)),
        seconds: rigClock.seconds, frames: frames)
  }

  /// At most eight lines: what was played, how fast, and what came out. With details it is all that is known.
  var text: String {
    let scene = run.playable.scene
    let shape = run.shape
    var lines = [
      row("scene", scene.name.isEmpty ? "(without a name)" : scene.name),
      row(
        "frames",
        "\(shape.frames) at \(NumberText.short(scene.framesPerSecond)) a second "
          + "(\(NumberText.fixed(Double(shape.frames) / scene.framesPerSecond, decimals: 2)) s)"),
      row("tracks", "\(shape.tracks) in \(shape.dimensions) \(shape.dimensions == 1 ? "dimension" : "dimensions")"),
    ]
    if run.isDetailed {
      lines += [row("", playersText)] + speedLines + kernelLines(frames: shape.frames)
      lines +=
        animationLines(frames: shape.frames) + timelineLines(frames: shape.frames) + phaseLines(frames: shape.frames)
        + networkLines
      lines += rigLines(frames: shape.frames)
      lines += zip(["last work"] + Array(repeating: "", count: 3), work.lines).map { row($0, $1) }
      if check != nil { lines.append(checkLines) }
    } else {
      let speed = speedLines
      lines += [speed[0], speed[1] + " (\(kernelsText))", row("events", eventsText)]
      if let check {
        let worst = NumberText.fixed(100 * max(check.value.share, check.velocity.share, check.rest.share), decimals: 1)
        lines.append(
          row("verify", "passed against \(referenceText): \(check.comparisons) values, within \(worst) % of the bound"))
      }
    }
    if let path = run.outputPath {
      lines.append(
        row("output", "\(path): [\(shape.frames), \(shape.tracks), \(shape.dimensions)] float32"))
    } else {
      lines.append(row("output", "none; --output FILE.npy or FILE.csv writes the frames"))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// What happened to tracks.
  private var eventsText: String {
    let counts = [
      (clock.retargets + animationClock.changes, "new goals"), (clock.births, "births"), (clock.deaths, "deaths"),
      (clock.rests, "tracks that came to rest"), (phaseClock.turns, "steps of phases"),
      (timelineClock.turns + rigClock.repeats, "clips begun again"),
      (networkClock.gestures, "networks grasped or let go"),
    ]
    let texts = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return texts.isEmpty ? "none" : texts.joined(separator: ", ")
  }

  /// The wall time, what it was spent on, and the time of a track and a value.
  private var speedLines: [String] {
    let report = report
    return [
      row(
        "speed",
        "\(seconds(times.wall)) s of wall time: \(NumberText.significant(report.framesPlayedPerSecond, digits: 3)) frames a "
          + "second, \(NumberText.significant(report.timesRealTime, digits: 3)) times real time"),
      row(
        "",
        "\(NumberText.significant(report.nsPerTrack, digits: 3)) ns a track and frame, "
          + "\(NumberText.significant(report.nsPerValue, digits: 3)) ns a value, in the calls of batches"),
      row(
        "",
        "\(seconds(times.preparing)) s to prepare, \(seconds(times.playing)) s to play, "
          + "\(seconds(times.writing)) s to \(run.outputPath == nil ? "read" : "write") the frames"
          + (check == nil ? "" : ", \(seconds(times.checking)) s to check them")
          + "; in calls of batches \(seconds(batchSeconds)) s of it"),
    ]
  }

  private func seconds(_ seconds: Double) -> String { NumberText.fixed(seconds, decimals: seconds < 1 ? 3 : 2) }

  /// The seconds in calls of batches: frames and changes.
  private var batchSeconds: Double {
    clock.seconds + clock.changeSeconds + animationClock.seconds + animationClock.changeSeconds + timelineClock.seconds
      + timelineClock.changeSeconds + phaseClock.seconds
      + phaseClock.changeSeconds + networkClock.seconds + rigClock.seconds
  }

  private var playersText: String {
    let networks = networkTracks > 0 ? ", \(networkTracks) points of networks by their modes" : ""
    return "\(kernelTracks) played by kernels (\(kernelsText))\(networks)"
  }

  private func animationLines(frames: Int) -> [String] {
    guard animationTracks > 0 else { return [] }
    return [
      row("animation", "\(nanoseconds(animationClock, tracks: animationTracks, frames)) ns a track and frame"),
      row("", "\(animationClock.changes) new goals of a track, \(eachText(animationClock))"),
      row("", "\(animationClock.completions) times an animation was logically complete"),
    ]
  }

  private func timelineLines(frames: Int) -> [String] {
    guard timelineTracks > 0 else { return [] }
    var lines = [
      row("keyframes", "\(nanoseconds(timelineClock, tracks: timelineTracks, frames)) ns an instance and frame"),
      row("", "\(timelineClock.turns) times one began again, \(timelineClock.completions) times one came to its end"),
    ]
    if timelineClock.changes > 0 {
      let changes = "\(timelineClock.changes) times one was taken, let go or taken up again"
      lines.append(row("", "\(changes), \(eachText(timelineClock))"))
    }
    return lines
  }

  private func phaseLines(frames: Int) -> [String] {
    guard phaseTracks > 0 else { return [] }
    var lines = [
      row("phases", "\(nanoseconds(phaseClock, tracks: phaseTracks, frames)) ns a track and frame"),
      row("", "\(phaseClock.turns) times one left for a phase, \(phaseClock.completions) times one ran to its end"),
    ]
    if phaseClock.changes > 0 {
      lines.append(row("", "\(phaseClock.changes) times one was triggered, \(eachText(phaseClock))"))
    }
    return lines
  }

  private func nanoseconds(_ clock: PlaybackClock, tracks: Int, _ frames: Int) -> String {
    NumberText.fixed(clock.seconds * 1e9 / (Double(tracks) * Double(frames)), decimals: 3)
  }

  private func eachText(_ clock: PlaybackClock) -> String {
    "\(NumberText.fixed(clock.changeSeconds * 1e9 / Double(max(1, clock.changes)), decimals: 1)) ns each"
  }

  private var networkLines: [String] {
    guard networkClock.products > 0 else { return [] }
    let perFrame = networkClock.seconds / Double(networkClock.products)
    let speed = networkClock.operations / networkClock.seconds * 1e-9
    return [
      row(
        "networks",
        "\(NumberText.fixed(perFrame * 1e3, decimals: 3)) ms a frame of a group, modes and points: "
          + "\(NumberText.fixed(speed, decimals: 1)) GFLOP/s"),
      row("", "\(NumberText.fixed(networkClock.decomposing, decimals: 2)) s to find the modes, once"),
      row("", "\(networkClock.gestures) times a hand took or let go of one"),
    ]
  }

  private var kernelsText: String {
    let threads = run.playable.threads
    return threads == 1 ? run.kernels.rawValue : "\(run.kernels.rawValue), \(threads) threads"
  }

  private func kernelLines(frames: Int) -> [String] {
    guard springTracks > 0, clock.evaluations > 0 else { return [] }
    let perFrame = clock.seconds * 1e9 / (Double(springTracks) * Double(frames))
    let perEvaluation = clock.seconds * 1e9 / Double(clock.evaluations)
    let evaluationsPerFrame = Double(clock.evaluations) / (Double(springTracks) * Double(frames))
    let awake = Double(clock.awake) / Double(clock.evaluations)
    return [
      row("kernels", "\(NumberText.fixed(perFrame, decimals: 3)) ns a kernel track and frame"),
      row(
        "",
        "\(NumberText.fixed(evaluationsPerFrame, decimals: 2)) evaluations a frame, \(NumberText.fixed(perEvaluation, decimals: 3)) ns a track each"
      ),
      row("awake", "\(NumberText.fixed(100 * awake, decimals: 1)) % of the tracks in the mean, the others at rest"),
    ] + rooflineLines(springRoofline, per: Double(clock.bytes) / Double(clock.evaluations), "track") + [
      row("changes", changesText),
      row("events", "\(clock.completions) times a motion was logically complete"),
      row("", "\(clock.rests) times a track came to rest"),
    ]
  }

  private var changesText: String {
    let tracks = clock.retargets + clock.births + clock.deaths
    let nanoseconds = NumberText.fixed(clock.changeSeconds * 1e9 / Double(max(1, tracks)), decimals: 1)
    let each = tracks > 0 ? ", \(nanoseconds) ns each" : ""
    let lives = clock.births + clock.deaths > 0 ? ", \(clock.births) births, \(clock.deaths) deaths" : ""
    return "\(clock.retargets) retargets of a track\(lives)\(each)"
  }

  /// The share of the machine's limit, and the reason for it.
  func rooflineLines(_ roofline: Roofline?, per bytes: Double, _ unit: String) -> [String] {
    let size = "\(NumberText.fixed(bytes, decimals: 0)) bytes a \(unit)"
    guard let roofline else { return [row("roofline", "\(size); copy bandwidth not measured here")] }
    return [row("roofline", "\(roofline.percent) (\(size)):"), row("", roofline.explanation)]
  }

  /// The findings of the check; empty without one.
  var checkLines: String {
    guard let check else { return "" }
    let tracks = kernelTracks + networkTracks
    let share = NumberText.fixed(100 * Double(check.tracks) / Double(max(1, tracks)), decimals: 1)
    var lines = [
      row("verify", "\(check.passed ? "passed" : "FAILED") against \(referenceText)"),
      row(
        "", "\(check.tracks) of \(tracks) kernel tracks (\(share) %), every frame, \(check.comparisons) values"),
      worstRow("value", check.value),
    ]
    if check.comparesVelocities { lines.append(worstRow("velocity", check.velocity)) }
    if check.rests > 0 {
      lines.append(row("", "\(check.rests) times a track was at rest, exactly at its target"))
      lines.append(worstRow("rest", check.rest))
    }
    return lines.joined(separator: "\n")
  }

  private var referenceText: String { rigTracks > 0 ? "the glTF specification in Double" : "the Double model" }

  private var kernelTracks: Int { springTracks + animationTracks + timelineTracks + phaseTracks + rigTracks }

  private func worstRow(_ name: String, _ worst: SceneCheck.Worst) -> String {
    row(
      "",
      "\(name): largest error \(NumberText.scientific(worst.error)), bound \(NumberText.scientific(worst.bound)) there "
        + "(\(NumberText.fixed(100 * worst.share, decimals: 1)) %; \(worst.place))")
  }

  func row(_ name: String, _ text: String) -> String {
    name + String(repeating: " ", count: max(1, 10 - name.count)) + text
  }
}

// MARK: - For programs

/// The outcome of a run, for `--json`.
struct RunReport: Encodable {
  /// The findings of `--verify`; errors are shares of their bounds.
  struct Check: Encodable {
    let passed: Bool
    let tracks: Int
    let values: Int
    let value: Double
    let velocity: Double
    let rest: Double
  }

  let scene: String
  let frames: Int
  let framesPerSecond: Double
  let tracks: Int
  let dimensions: Int
  let isa: String
  let threads: Int
  let wallSeconds: Double
  let preparingSeconds: Double
  let playingSeconds: Double
  let writingSeconds: Double
  let checkingSeconds: Double
  let batchSeconds: Double
  let framesPlayedPerSecond: Double
  let timesRealTime: Double
  let nsPerTrack: Double
  let nsPerValue: Double
  let rooflines: [String: Roofline]
  let work: WorkReport?
  let verify: Check?
  let output: String?
}

extension RunSummary {
  /// The summary for other programs.
  var report: RunReport {
    let (scene, shape) = (run.playable.scene, run.shape)
    let (frames, wall) = (Double(shape.frames), max(times.wall, 1e-9))
    let perTrack = batchSeconds * 1e9 / (frames * Double(max(1, shape.tracks)))
    return RunReport(
      scene: scene.name, frames: shape.frames, framesPerSecond: scene.framesPerSecond, tracks: shape.tracks,
      dimensions: shape.dimensions, isa: run.kernels.rawValue, threads: run.playable.threads, wallSeconds: times.wall,
      preparingSeconds: times.preparing, playingSeconds: times.playing, writingSeconds: times.writing,
      checkingSeconds: times.checking, batchSeconds: batchSeconds, framesPlayedPerSecond: frames / wall,
      timesRealTime: frames / scene.framesPerSecond / wall, nsPerTrack: perTrack,
      nsPerValue: perTrack / Double(max(1, shape.dimensions)),
      rooflines: ["springs": springRoofline, "rigs": rigRoofline].compactMapValues { $0 },
      work: run.isDetailed ? WorkReport(work) : nil,
      verify: check.map {
        RunReport.Check(
          passed: $0.passed, tracks: $0.tracks, values: $0.comparisons, value: $0.value.share,
          velocity: $0.velocity.share, rest: $0.rest.share)
      }, output: run.outputPath)
  }
}
