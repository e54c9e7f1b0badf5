// SPDX-License-Identifier: MIT
// The names are those of the header.
// swift-format-ignore-file: AlwaysUseLowerCamelCase
public import CSurface
import Formats
import Scenes
import Surface

/// A scene as the table of objects holds it.
final class SceneObject {
  fileprivate var playable: PlayableScene {
    didSet { player = nil }
  }
  /// Plays the scene; nil until frames are baked.
  private var player: ScenePlayer?
  /// The frames from here on can be baked by the player.
  private var nextFrame = 0
  fileprivate var text = LentText()

  init(_ playable: PlayableScene) { self.playable = playable }

  deinit { text.free() }

  /// Changes settings; all, or none.
  fileprivate func set(_ settings: murmuration_scene_settings) throws(FileError) {
    func has(_ flag: Int) -> Bool { Int(settings.flags) & flag != 0 }
    var changed = playable
    do {
      // Fewer frames first, so that a high rate is checked against the frames that are played.
      if has(MURMURATION_SET_FRAME_COUNT) { try changed.limit(frames: Int(clamping: settings.frame_count)) }
      if has(MURMURATION_SET_FRAME_RATE) { try changed.setFramesPerSecond(settings.frames_per_second) }
      try changed.checkLength()
      if has(MURMURATION_SET_TRACK_COUNT) { try changed.setTracks(Int(settings.track_count)) }
    } catch {
      throw error.namingSettings
    }
    if has(MURMURATION_SET_SEED) { changed.setSeed(settings.seed) }
    playable = changed
  }

  /// Numbers that are baked at once, so that memory stays small.
  private static let numbersAtOnce = 1 << 20

  fileprivate func bake(
    _ frames: Range<Int>, _ tracks: Range<Int>, threads: Int, _ values: UnsafeMutablePointer<Float>,
    _ velocities: UnsafeMutablePointer<Float>?
  ) throws(FileError) {
    let threads = min(max(threads, 1), 64)
    if threads != playable.threads { try playable.setThreads(threads) }
    if frames.lowerBound < nextFrame { player = nil }
    // After an error the player is no longer at a frame: the next call makes another.
    var player = if let own = self.player.take() { own } else { try ScenePlayer(playable) }
    let dimensions = playable.scene.dimensions
    let width = velocities == nil ? dimensions : 2 * dimensions
    let length = max(1, SceneObject.numbersAtOnce / max(1, tracks.count * width))
    var next = frames.lowerBound
    var place = 0
    while next < frames.upperBound {
      let part = next..<min(frames.upperBound, next + length)
      let block = try player.bake(part, tracks: tracks, velocities: velocities != nil)
      block.numbers.withUnsafeBufferPointer { numbers in
        guard let velocities else {
          _ = UnsafeMutableBufferPointer(start: values + place, count: numbers.count).update(fromContentsOf: numbers)
          return
        }
        for index in 0..<part.count * tracks.count {
          for component in 0..<dimensions {
            values[place + index * dimensions + component] = numbers[index * width + component]
            velocities[place + index * dimensions + component] = numbers[index * width + dimensions + component]
          }
        }
      }
      place += part.count * tracks.count * dimensions
      next = part.upperBound
    }
    nextFrame = frames.upperBound - 1
    self.player = consume player
  }
}

extension FileError {
  /// This error with the names of settings in place of those of options.
  fileprivate var namingSettings: FileError {
    var copy = self
    for (option, setting) in [
      ("--fps", "frames_per_second"), ("--frames", "frame_count"), ("--tracks", "track_count"),
    ] where place.hasPrefix(option) {
      copy.place = setting + place.dropFirst(option.count)
    }
    return copy
  }
}

private let kind = ObjectKind<SceneObject>(OBJECT_SCENE, "scene")

/// Opens a scene.
private func open(
  _ scene: UnsafeMutablePointer<murmuration_scene>, _ load: () throws(FileError) -> PlayableScene
) -> Int32 {
  do throws(FileError) { return kind.register(SceneObject(try load()), scene) } catch { return fail(error) }
}

// MARK: - Calls

@c @implementation
public func murmuration_scene_open(
  _ name: UnsafePointer<CChar>?, _ scene: UnsafeMutablePointer<murmuration_scene>?
) -> Int32 {
  guard let name else { return failNull("name") }
  guard let scene else { return failNull("scene") }
  return open(scene) { () throws(FileError) in try SceneSource.load(String(cString: name)) }
}

@c @implementation
public func murmuration_scene_open_json(
  _ text: UnsafePointer<CChar>?, _ count: Int64, _ scene: UnsafeMutablePointer<murmuration_scene>?
) -> Int32 {
  guard let scene else { return failNull("scene") }
  return bytes(text, count) { bytes in
    open(scene) { () throws(FileError) in try PlayableScene(try SceneSource.decode(bytes)) }
  }
}

@c @implementation
public func murmuration_scene_free(_ scene: murmuration_scene) -> Int32 { kind.free(scene) }

@c @implementation
public func murmuration_scene_describe(
  _ scene: murmuration_scene, _ info: UnsafeMutablePointer<murmuration_scene_info>?
) -> Int32 {
  guard let info else { return failNull("info") }
  return kind.with(scene) { object in
    let scene = object.playable.scene
    info.pointee = murmuration_scene_info(
      frames_per_second: scene.framesPerSecond, duration: scene.duration,
      frame_count: Int64(object.playable.frameCount), seed: scene.seed, track_count: Int32(scene.trackCount),
      dimensions: Int32(scene.dimensions), group_count: Int32(scene.groups.count), reserved: 0)
    return ok
  }
}

@c @implementation
public func murmuration_scene_group(
  _ scene: murmuration_scene, _ group: Int32, _ info: UnsafeMutablePointer<murmuration_group_info>?
) -> Int32 {
  guard let info else { return failNull("info") }
  return kind.with(scene) { object in
    let groups = object.playable.scene.groups
    return element(groups, group, "group") { found in
      let first = groups.prefix(Int(group)).reduce(0) { $0 + $1.count }
      info.pointee = murmuration_group_info(first_track: Int32(first), track_count: Int32(found.count))
      return ok
    }
  }
}

@c @implementation
public func murmuration_scene_text(
  _ scene: murmuration_scene, _ what: Int32, _ index: Int32, _ text: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) -> Int32 {
  guard let text else { return failNull("text") }
  return kind.with(scene) { object in
    let scene = object.playable.scene
    let texts: [String]
    switch Int(what) {
    case MURMURATION_NAME: texts = [scene.name]
    case MURMURATION_DESCRIPTION: texts = [scene.description]
    case MURMURATION_COMPONENT_NAME: texts = scene.components
    case MURMURATION_GROUP_NAME: texts = scene.groups.map(\.name)
    default: return failCode("what", what)
    }
    return element(texts, index, "index") { found in
      object.text.lend(found, text)
      return ok
    }
  }
}

@c @implementation
public func murmuration_scene_set(
  _ scene: murmuration_scene, _ settings: UnsafePointer<murmuration_scene_settings>?
) -> Int32 {
  guard let settings else { return failNull("settings") }
  guard 0...15 ~= settings.pointee.flags else { return failCode("flags", settings.pointee.flags) }
  return kind.with(scene) { object in
    do throws(FileError) { try object.set(settings.pointee) } catch { return fail(error) }
    return ok
  }
}

@c @implementation
public func murmuration_scene_bake(
  _ scene: murmuration_scene, _ firstFrame: Int64, _ frameCount: Int64, _ firstTrack: Int32, _ trackCount: Int32,
  _ threadCount: Int32, _ values: UnsafeMutablePointer<Float>?, _ velocities: UnsafeMutablePointer<Float>?,
  _ numberCount: Int64
) -> Int32 {
  if values == nil, numberCount != 0 { return failNull("values") }
  return kind.with(scene) { object in
    let (frames, tracks) = (object.playable.frameCount, object.playable.scene.trackCount)
    guard 0...Int64(frames) ~= firstFrame, 0...Int64(frames) - firstFrame ~= frameCount else {
      return fail(
        MURMURATION_INVALID_COUNT, "frame \(firstFrame) and \(frameCount) frames must be within 0..<\(frames)")
    }
    guard 0...Int32(tracks) ~= firstTrack, 0...Int32(tracks) - firstTrack ~= trackCount else {
      return fail(
        MURMURATION_TRACK_OUT_OF_RANGE, "track \(firstTrack) and \(trackCount) tracks must be within 0..<\(tracks)")
    }
    let (needed, overflow) = frameCount.multipliedReportingOverflow(
      by: Int64(trackCount) * Int64(object.playable.scene.dimensions))
    guard !overflow, numberCount == needed else {
      let wanted = overflow ? "more than memory has" : "\(needed)"
      return fail(MURMURATION_INVALID_COUNT, "number_count must be \(wanted), is \(numberCount)")
    }
    guard let values, needed > 0 else { return ok }
    do throws(FileError) {
      try object.bake(
        Int(firstFrame)..<Int(firstFrame + frameCount), Int(firstTrack)..<Int(firstTrack + trackCount),
        threads: Int(threadCount), values, velocities)
    } catch { return fail(error) }
    return ok
  }
}
