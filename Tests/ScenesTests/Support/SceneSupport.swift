// SPDX-License-Identifier: MIT
import Foundation
import Murmuration
import SceneReference
import TestSupport
import Testing

@testable import Formats
@testable import Scenes

extension PlayableScene {
  /// A scene that is written down here.
  init(text: String) throws { try self.init(SceneSource.decode(Array(text.utf8))) }

  /// Plays every frame and compares it with the model, of another scene if one is given, up to the first that is wrong.
  ///
  /// - Parameters:
  ///   - sampleLimit: How many tracks are compared at most.
  ///   - step: How many frames are played for each that is compared.
  func checked(
    _ kernels: KernelSet? = nil, against other: PlayableScene? = nil, sampleLimit: Int = SceneCheck.sampleLimit,
    perturbation: Double = 0, every step: Int = 1
  ) throws -> SceneCheck {
    var player = try ScenePlayer(self, kernels: kernels)
    var check = try SceneCheck(
      other ?? self, watching: player, sampleLimit: sampleLimit, perturbation: perturbation)
    for frame in 0..<frameCount {
      try player.advance(toFrame: frame)
      guard frame % step == 0 else { continue }
      try check.compare(player, frame: frame, time: time(ofFrame: frame))
      if !check.passed { break }
    }
    return check
  }

  /// Whether a player that plays this scene is found wrong at a time, where another scene is expected.
  func isFoundWrong(at time: Double, against expected: PlayableScene) throws -> Bool {
    var player = try ScenePlayer(self)
    var check = try SceneCheck(expected, watching: player)
    try player.advance(to: time)
    try check.compare(player, frame: 0, time: time)
    return !check.passed
  }
}

extension ScenePlayer {
  /// The values of one component, track after track.
  func column(_ component: Int = 0, group: Int = 0) throws -> [Float] {
    try withValues(group: group, component: component) { column in column.indices.map { column[$0] } }
  }

  /// The velocities of one component, track after track.
  func velocities(_ component: Int = 0, group: Int = 0) throws -> [Float] {
    try withVelocities(group: group, component: component) { column in column.indices.map { column[$0] } }
  }
}

/// The text of a scene of `Tests/Fixtures/Scenes`.
func sceneText(_ name: String) -> String {
  ((try? Fixtures.text("Scenes/\(name).json")) ?? "").trimmingCharacters(in: .newlines)
}

/// A scene of springs that uses every way to move targets, small enough to be played many times.
enum SceneFixture {
  static func scene(framesPerSecond: Double = 60, seed: UInt64 = 9, dimensions: Int = 2) -> Scene {
    let shared = SpringChoice.drawn(SpringRanges(duration: 0.5...0.5, bounce: 0.25...0.25))
    let drawn = SpringChoice.drawn(SpringRanges(duration: 0.2...0.9, bounce: -0.5...0.8))
    let events = [
      SceneEvent(at: 0, target: Layout(.line, size: [9])),
      SceneEvent(at: 0.3217, target: Layout(.cloud, size: [20]), waves: SceneEvent.Waves(count: 5, over: 0.2)),
      SceneEvent(at: 0.7, target: Layout(.box, size: [5]), springs: drawn),
      SceneEvent(at: 0.7, target: Layout(.line, size: [7]), springs: .shared(smooth)),
      SceneEvent(at: 0.93, target: Layout(.point)),
    ]
    let start = Layout(.box, size: [30])
    let wander = Wander(every: 0.21, waves: 3, reach: 40, pace: 0.7, around: start)
    let groups: [SpringGroup] = [
      SpringGroup(springs: shared, start: start, course: .events(events)),
      SpringGroup(
        springs: .shared(smooth), start: start, velocity: [Double](repeating: 3, count: dimensions),
        course: .events(events)),
      SpringGroup(springs: drawn, start: start, course: .wander(wander)),
    ]
    return Scene(
      name: "fixture", dimensions: dimensions, framesPerSecond: framesPerSecond, duration: 1.25, seed: seed,
      groups: groups.map { SceneGroup(count: 37, motion: .springs($0)) })
  }

  /// A scene of one group that follows `recording`.
  static func following(_ recording: Recording, count: Int, dimensions: Int = 1, scale: Double = 1) throws
    -> PlayableScene
  {
    let springs = SpringChoice.drawn(SpringRanges(duration: 0.1...0.8, bounce: -0.3...0.6))
    let group = SpringGroup(springs: springs, course: .follow(Follow(file: "data", framesPerSecond: 24, scale: scale)))
    let scene = Scene(
      name: "follow", dimensions: dimensions, framesPerSecond: 60, duration: Double(recording.frames) / 24,
      groups: [SceneGroup(count: count, motion: .springs(group))])
    return try PlayableScene(scene, recordings: [recording])
  }

  private static let smooth: SpringDescription = {
    guard let spring = try? SpringDescription(duration: 0.4, bounce: 0) else { preconditionFailure("a valid spring") }
    return spring
  }()

  /// The bits of every value and velocity at the given frames.
  static func bits(_ playable: PlayableScene, frames: some Sequence<Int>) throws -> [[UInt32]] {
    var player = try ScenePlayer(playable)
    var result: [[UInt32]] = []
    for frame in frames {
      try player.advance(toFrame: frame)
      var bits: [UInt32] = []
      for group in playable.scene.groups.indices {
        for component in 0..<playable.scene.dimensions {
          bits += try player.column(component, group: group).map(\.bitPattern)
          bits += try player.velocities(component, group: group).map(\.bitPattern)
        }
      }
      result.append(bits)
    }
    return result
  }
}

/// The bytes of a `.npy` file, put together here as NumPy's documentation says, independent of the writer under test.
struct NPYFixture {
  var version: UInt8 = 1
  var descr = "<f4"
  var fortran = false
  var shape: [Int]
  var values: [Double]

  var bytes: [UInt8] {
    let extents = shape.map { "\($0)," }.joined(separator: " ")
    let dictionary = "{'descr': '\(descr)', 'fortran_order': \(fortran ? "True" : "False"), 'shape': (\(extents)), }\n"
    var bytes: [UInt8] = [0x93] + Array("NUMPY".utf8) + [version, 0]
    let length = dictionary.utf8.count
    bytes += (0..<(version == 1 ? 2 : 4)).map { UInt8(length >> (8 * $0) & 0xFF) }
    bytes += Array(dictionary.utf8)
    for value in values {
      if descr == "<f8" {
        bytes += (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * UInt64($0))) }
      } else {
        bytes += (0..<4).map { UInt8(truncatingIfNeeded: Float(value).bitPattern >> (8 * UInt32($0))) }
      }
    }
    return bytes
  }
}

/// The error that `body` throws, or nil.
func fileError<T>(_ body: () throws -> T) -> FileError? {
  do {
    _ = try body()
    return nil
  } catch {
    return error as? FileError
  }
}

/// Expects that `body` throws an error whose text contains `words`.
func expectRefusal<T>(
  _ words: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> T
) {
  let found = fileError(body)?.description ?? "accepted"
  #expect(found.contains(words), "\(found)", sourceLocation: sourceLocation)
}

/// Expects that the first bytes of a file are refused, up to any byte, with a place that contains a word.
func expectPrefixesAreRefused<T>(
  _ bytes: [UInt8], at word: String, sourceLocation: SourceLocation = #_sourceLocation, _ read: ([UInt8]) throws -> T
) {
  for count in bytes.indices {
    let error = fileError { try read(Array(bytes[..<count])) }
    let isPlaced = error?.place.contains(word) == true
    #expect(isPlaced, "\(count) bytes: \(error?.description ?? "accepted")", sourceLocation: sourceLocation)
  }
}

/// The root of the package, from where this file stands.
let packageRoot = URL(fileURLWithPath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
