// SPDX-License-Identifier: MIT
package import Formats
import Text

/// A scene with the recordings that it follows: everything that a player needs.
package struct PlayableScene: Sendable {
  /// The scene, whose counts, rate and length may have been changed since it was read.
  package private(set) var scene: Scene
  /// The recording that each group follows; nil for a group that follows no recording.
  package let recordings: [Recording?]
  /// The glTF file whose animations the groups play; nil for other scenes.
  package let rigs: RigFile?
  /// The file, for errors; nil for a scene that is built in.
  var file: String?
  /// The number of frames to play instead of those that fill the scene's duration.
  private var frameLimit: Int?
  /// The threads that each batch may use.
  package private(set) var threads = 1

  /// A scene, and for each group a recording or nil.
  /// - Throws: `FileError` if a recording does not fit.
  package init(_ scene: Scene, recordings: [Recording?] = []) throws(FileError) {
    self.scene = scene
    rigs = nil
    self.recordings = recordings + Array(repeating: nil, count: max(0, scene.groups.count - recordings.count))
    for (index, group) in scene.groups.enumerated() {
      guard case .springs(let springs) = group.motion, case .follow(let follow) = springs.course else { continue }
      guard let recording = self.recordings[index] else {
        throw FileError(place: "groups[\(index)].follow.file", "“\(follow.file)” was not loaded")
      }
      let largest = recording.values.reduce(0) { max($0, abs($1)) }
      guard abs(Double(largest) * follow.scale) <= Recording.valueLimit else {
        throw FileError(place: "groups[\(index)].follow.scale", "makes values beyond ±1e15")
      }
    }
  }

  /// A scene that plays the animations of a glTF file, with the usual number of instances.
  init(_ rigs: RigFile, name: String) throws(FileError) {
    scene = try rigs.scene(name: name)
    recordings = Array(repeating: nil, count: rigs.parts.count)
    self.rigs = rigs
    let room = SceneLimits.values / max(1, scene.dimensions)
    try setTracks(max(rigs.parts.count, min(RigFile.instances, room)))
  }

  /// The name of each value of a track in the columns of a table, before the number of the track.
  package var columnNames: [String] {
    // The label of a file ends with a letter or a bracket, and may contain what separates columns or begins a comment.
    rigs == nil
      ? scene.components
      : scene.components.map { label in
        String(label.printable.map { ",;#\"".contains($0) ? "_" : $0 }) + "."
      }
  }

  /// The contradictions in the recordings that were passed over, each once.
  package var warnings: [FileError] {
    recordings.flatMap { $0?.warnings ?? [] }.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// The number of frames to play.
  package var frameCount: Int { frameLimit ?? scene.frameCount }

  /// The shape of the output.
  package var shape: FrameShape {
    FrameShape(frames: frameCount, tracks: scene.trackCount, dimensions: scene.dimensions)
  }

  /// The time of `frame`, in seconds.
  package func time(ofFrame frame: Int) -> Double { Double(frame) / scene.framesPerSecond }

  // MARK: - What a command line may change

  /// Plays `frames` frames instead of the scene's whole length.
  package mutating func limit(frames: Int) throws(FileError) {
    guard (1...SceneLimits.frames).contains(frames) else {
      throw FileError(place: "--frames", "must be from 1 to \(SceneLimits.frames), is \(frames)")
    }
    frameLimit = frames
  }

  /// Plays the frames that fill `seconds`, at the rate that is set by then.
  package mutating func limit(seconds: Double) throws(FileError) {
    let frames = (seconds * scene.framesPerSecond - 1e-6).rounded(.up)
    guard seconds > 0, frames <= Double(SceneLimits.frames) else {
      throw FileError(
        place: "--duration",
        "must be more than 0 and make at most \(SceneLimits.frames) frames, is "
          + NumberText.short(seconds))
    }
    try limit(frames: max(1, Int(frames)))
  }

  /// Plays at `rate` frames per second.
  package mutating func setFramesPerSecond(_ rate: Double) throws(FileError) {
    if let complaint = NumberRule.frameRate.complaint(about: rate) { throw FileError(place: "--fps", complaint) }
    scene.framesPerSecond = rate
    guard frameLimit != nil || scene.duration * rate <= Double(SceneLimits.frames) else {
      throw FileError(place: "--fps", "makes more than \(SceneLimits.frames) frames")
    }
  }

  /// Checks the length of the run, which follows from the number of frames and their rate, and may exceed the scene's.
  package func checkLength() throws(FileError) {
    let seconds = Double(frameCount) / scene.framesPerSecond
    guard seconds <= SceneLimits.seconds + 1 / scene.framesPerSecond else {
      throw FileError(
        place: "--frames", "makes \(NumberText.short(seconds)) s; the limit is \(NumberText.short(SceneLimits.seconds))"
      )
    }
    do {
      try scene.checkChanges(in: seconds, path: [.key("groups")])
    } catch {
      throw FileError(place: "--frames: \(error.place)", error.reason)
    }
  }

  /// Plays with a number of threads, the caller's included. The frames have the same bits for any number.
  package mutating func setThreads(_ threads: Int) throws(FileError) {
    guard (1...PlayableScene.threadLimit).contains(threads) else {
      throw FileError(place: "--threads", "must be from 1 to \(PlayableScene.threadLimit), is \(threads)")
    }
    self.threads = threads
  }

  private static let threadLimit = 64

  /// This scene with other springs.
  package func changingSprings(_ change: SpringChange) -> PlayableScene {
    var copy = self
    copy.scene = scene.changingSprings(change)
    return copy
  }

  /// Draws everything random from `seed`.
  package mutating func setSeed(_ seed: UInt64) { scene.seed = seed }

  /// Plays `tracks` tracks in all, shared among the groups in proportion to their counts, at least one each.
  package mutating func setTracks(_ tracks: Int) throws(FileError) {
    guard (1...SceneLimits.tracks).contains(tracks) else {
      let memory = SceneLimits.memory(tracks: SceneLimits.tracks, dimensions: scene.dimensions)
      throw FileError(
        place: "--tracks", "must be from 1 to \(SceneLimits.tracks) (about \(memory) here), is \(tracks)")
    }
    guard tracks >= scene.groups.count else {
      throw FileError(place: "--tracks", "must be at least \(scene.groups.count), one a group, is \(tracks)")
    }
    guard tracks <= SceneLimits.values / max(1, scene.dimensions) else {
      throw FileError(
        place: "--tracks",
        "must be at most \(SceneLimits.values / max(1, scene.dimensions)) with \(scene.dimensions) values a track, is "
          + "\(tracks)")
    }
    // Each group gets one track, and its share of the rest as a difference of running totals, so that the sum is exact.
    let total = scene.trackCount
    let spare = tracks - scene.groups.count
    var before = 0
    var changed = scene
    for index in scene.groups.indices {
      let after = before + scene.groups[index].count
      changed.groups[index].count = 1 + spare * after / total - spare * before / total
      before = after
      do {
        let (group, path) = (changed.groups[index], [DescriptionError.Step.key("groups"), .index(index)])
        try group.check(dimensions: scene.dimensions, path: path)
        try group.look.check(components: scene.components, count: group.count, path: path + [.key("look")])
      } catch {
        throw FileError(place: "--tracks \(tracks): \(error.place)", error.reason)
      }
    }
    scene = changed
  }
}
