// SPDX-License-Identifier: MIT
import Formats
import Murmuration
import SceneReference
import Scenes
import Text

/// The summary of a run, printed at its end.
struct RunSummary {
  let run: SceneRun
  private let springTracks: Int
  private let timelineTracks: Int
  private let phaseTracks: Int
  private let networkTracks: Int
  private let rigTracks: Int
  private let clock: KernelClock
  private let timelineClock: PlaybackClock
  private let phaseClock: PlaybackClock
  private let networkClock: NetworkClock
  let rigClock: RigClock
  private let check: SceneCheck?

  init(run: SceneRun, player: borrowing ScenePlayer, check: SceneCheck?) {
    self.run = run
    springTracks = player.springTracks
    timelineTracks = player.timelineTracks
    phaseTracks = player.phaseTracks
    networkTracks = player.networkTracks
    rigTracks = player.rigTracks
    clock = player.kernelClock
    timelineClock = player.timelineClock
    phaseClock = player.phaseClock
    networkClock = player.networkClock
    rigClock = player.rigClock
    self.check = check
  }

  /// The whole summary, with a line for each fact.
  var text: String {
    let scene = run.playable.scene
    let shape = run.playable.shape
    var lines = [
      row("scene", scene.name.isEmpty ? "(without a name)" : scene.name),
      row(
        "frames",
        "\(shape.frames) at \(NumberText.short(scene.framesPerSecond)) a second "
          + "(\(NumberText.fixed(Double(shape.frames) / scene.framesPerSecond, decimals: 2)) s)"),
      row("tracks", "\(shape.tracks) in \(shape.dimensions) \(shape.dimensions == 1 ? "dimension" : "dimensions")"),
      row("", playersText),
    ]
    lines += kernelLines(frames: shape.frames)
    lines += timelineLines(frames: shape.frames) + phaseLines(frames: shape.frames) + networkLines
    lines += rigLines(frames: shape.frames)
    if let check { lines.append(checkLines(check)) }
    if let path = run.outputPath {
      lines.append(
        row("output", "\(path): [\(shape.frames), \(shape.tracks), \(shape.dimensions)] float32"))
    } else {
      lines.append(row("output", "none; --output FILE.npy or FILE.csv writes the frames"))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private var playersText: String {
    let networks = networkTracks > 0 ? ", \(networkTracks) points of networks by their modes" : ""
    return "\(springTracks + timelineTracks + phaseTracks + rigTracks) played by kernels (\(kernelsText))\(networks)"
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
      row("roofline", rooflineText),
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

  private var rooflineText: String {
    let bytes = Double(clock.bytes) / Double(clock.evaluations)
    guard let bandwidth = Roofline.copyBandwidth(bytes: Int(bytes * Double(springTracks))) else {
      return "\(NumberText.fixed(bytes, decimals: 0)) bytes a track; copy bandwidth not measured here"
    }
    let share = Double(clock.bytes) / bandwidth / clock.seconds
    return
      "\(NumberText.fixed(100 * share, decimals: 0)) % of the copy bandwidth (\(NumberText.fixed(bytes, decimals: 0)) bytes a track)"
  }

  /// The findings of the check.
  func checkLines(_ check: SceneCheck) -> String {
    let tracks = springTracks + timelineTracks + phaseTracks + networkTracks + rigTracks
    let share = NumberText.fixed(100 * Double(check.tracks) / Double(max(1, tracks)), decimals: 1)
    let reference = rigTracks > 0 ? "the glTF specification in Double" : "the Double model"
    var lines = [
      row("verify", "\(check.passed ? "passed" : "FAILED") against \(reference)"),
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
