// SPDX-License-Identifier: MIT
package import Formats
package import Text

/// Finds the scene that a user asks to play: a built-in scene by its name, a scene file, or a recording to follow.
package enum SceneSource {
  /// The names of the built-in scenes.
  package static let names = KnownNames(BuiltInScene.all.map(\.name))

  /// The scene called `name`: a built-in scene, or the path of a file. A `.json` file is a scene; springs with
  /// parameters of their own follow a `.bvh`, `.csv`, `.npy` or `.npz` recording; and many instances play the animations of a
  /// `.gltf` or `.glb` file.
  /// - Parameters:
  ///   - name: The name or the path.
  ///   - lenient: Whether recordings are read that hold other frames than they state, with warnings.
  /// - Throws: `FileError` that names the file, the place in it and the reason.
  package static func load(_ name: String, lenient: Bool = false) throws(FileError) -> PlayableScene {
    if let builtIn = BuiltInScene.named(name) { return try PlayableScene(builtIn.scene()) }
    switch Recording.fileExtension(of: name) {
    case "bvh", "csv", "npy", "npz": return try inFile(name) { () throws(FileError) in try following(name, lenient) }
    case "gltf", "glb":
      return try inFile(name) { () throws(FileError) in
        try PlayableScene(RigFile(try GLTFScene(path: name)), name: name)
      }
    case "json": break
    default:
      guard PathKind(path: name) == .missing else { break }
      if let meant = names.meant(by: name) { return try load(meant, lenient: lenient) }
      let known = BuiltInScene.all.map(\.name).joined(separator: ", ")
      throw FileError(
        file: name,
        "there is no such file, and no such built-in scene (known: \(known))\(names.suggestion(for: name))")
    }
    let bytes = try FileBytes.read(name, limit: FileBytes.sceneLimit)
    return try inFile(name) { () throws(FileError) in
      let isNamedAsScene = Recording.fileExtension(of: name) == "json"
      try FileKind.check(
        bytes, isOneOf: [.scene],
        what: isNamedAsScene
          ? "a scene" : "a scene (.json), a recording (.bvh, .csv, .npy, .npz) or a glTF file (.gltf, .glb)",
        allowsText: isNamedAsScene)
      let scene = try decode(bytes)
      return try PlayableScene(scene, recordings: try recordings(of: scene, beside: name, lenient))
    }
  }

  /// The scene that JSON text describes.
  package static func decode(_ bytes: [UInt8]) throws(FileError) -> Scene {
    do {
      return try JSONDocument.decode(Scene.self, from: bytes)
    } catch {
      throw FileError(error)
    }
  }

  // MARK: - Parts

  /// A scene in which each channel of a recording has a spring that follows it, with a duration and bounce of its own.
  private static func following(_ path: String, _ lenient: Bool) throws(FileError) -> PlayableScene {
    let recording = try Recording(path: path, lenient: lenient)
    let follow = Follow(file: path)
    let duration = Double(recording.frames) / follow.rate(of: recording)
    guard (1e-4...SceneLimits.seconds).contains(duration) else {
      throw FileError("lasts \(duration) s; from 1e-4 to 1e6 s can be followed")
    }
    guard recording.channels <= SceneLimits.tracks else {
      throw FileError("holds \(recording.channels) channels; \(SceneLimits.tracks) tracks is the limit")
    }
    let springs = SpringRanges(duration: 0.1...0.8, bounce: -0.3...0.6)
    let group = SceneGroup(
      name: "followers", count: recording.channels,
      motion: .springs(SpringGroup(springs: .drawn(springs), course: .follow(follow))))
    let scene = Scene(
      name: path, description: "Springs that follow \(recording.channels) recorded channels.", duration: duration,
      groups: [group])
    guard scene.frameCount <= SceneLimits.frames else {
      throw FileError("makes more than \(SceneLimits.frames) frames")
    }
    return try PlayableScene(scene, recordings: [recording])
  }

  /// The recordings that the groups of a scene follow, from the folder of the scene's file; each file is read once.
  private static func recordings(
    of scene: Scene, beside path: String, _ lenient: Bool
  ) throws(FileError) -> [Recording?] {
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    var loaded: [String: Recording] = [:]
    var result: [Recording?] = []
    for (index, group) in scene.groups.enumerated() {
      guard case .springs(let springs) = group.motion, case .follow(let follow) = springs.course else {
        result.append(nil)
        continue
      }
      if loaded[follow.file] == nil {
        do {
          loaded[follow.file] = try Recording(path: "\(folder)\(follow.file)", lenient: lenient)
        } catch {
          // The recording's own place follows the scene's place, so that both can be found.
          throw FileError(place: "groups[\(index)].follow.file", error.description)
        }
      }
      result.append(loaded[follow.file])
    }
    return result
  }

  /// The scene of a file, whose name is in each error, also of those that come later.
  private static func inFile(
    _ name: String, _ body: () throws(FileError) -> PlayableScene
  ) throws(FileError) -> PlayableScene {
    do {
      var playable = try body()
      playable.file = name
      return playable
    } catch { throw error.inFile(name) }
  }
}
