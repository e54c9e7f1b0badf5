// SPDX-License-Identifier: MIT
@testable import Formats
import Foundation
import Scenes
import TestSupport
import Testing

/// `murmuration bake` as a process.
struct BakeProcessTests {
  /// Waves of targets between frames, and a group of one spring and one of many.
  private let scene = Fixtures.path("Scenes/bake.json")

  private func numbers(_ path: String) throws -> (header: String, numbers: [Float]) {
    let (header, file) = try mapped(path)
    return (header, (0..<file.count).map { file[$0] })
  }

  /// The header of a file, and its numbers, which are read on demand.
  private func mapped(_ path: String) throws -> (header: String, numbers: MappedNumbers) {
    let data = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
    return (String(decoding: data.prefix(128).dropFirst(10), as: UTF8.self), MappedNumbers(data: data))
  }

  private struct MappedNumbers {
    let data: Data
    var count: Int { (data.count - 128) / 4 }
    subscript(index: Int) -> Float {
      data.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 128 + 4 * index, as: Float.self) }
    }
  }

  @Test(arguments: ["small", "shapes", "meadow"]) func theFramesAreThoseOfRun(_ name: String) throws {
    // A frame of a million particles is eight megabytes.
    let count = name == "meadow" ? 9 : name == "shapes" ? 16 : 40
    let folder = try TemporaryFolder()
    let scene = name == "small" ? scene : name
    let (run, baked) = (folder.path("run.npy"), folder.path("baked.npy"))
    try ToolProcess.succeed(["run", scene, "--frames", "\(count)", "--output", run])
    let outcome = try ToolProcess.succeed(
      ["bake", scene, "--frames", "7..<\(count)", "--tracks", "20..<75", "--output", baked])
    #expect(outcome.output.contains("[\(count - 7), 55, 2] float32, time-major"))
    let (expected, got) = (try mapped(run), try numbers(baked))
    #expect(got.header.contains("'shape': (\(count - 7), 55, 2)") && got.numbers.count == (count - 7) * 55 * 2)
    let tracks = expected.numbers.count / (2 * count)
    var (largest, unequal): (Float, Int) = (0, 0)
    for frame in 0..<count - 7 {
      for track in 0..<55 {
        for component in 0..<2 {
          let shown = expected.numbers[((frame + 7) * tracks + track + 20) * 2 + component]
          let value = got.numbers[(frame * 55 + track) * 2 + component]
          if shown.isNaN != value.isNaN { unequal += 1 }
          if !shown.isNaN { largest = max(largest, abs(shown - value)) }
        }
      }
    }
    #expect(unequal == 0, "tracks that live in one of both")
    // Motions move by some ten or hundred units, and each retarget leaves a speed. The bound allows for many errors of
    // 8 · 2⁻²⁴ of these.
    #expect(largest <= (name == "small" ? 1e-4 : 2e-3), "\(largest)")
  }

  @Test func framesAreArraysOfAnArchiveAndNodesOfAnAnimation() throws {
    let folder = try TemporaryFolder()
    let arguments = ["bake", scene, "--frames", "3..<20", "--tracks", "40..<60", "--velocities", "--output"]
    for name in ["a.npy", "a.npz", "a.glb"] {
      try ToolProcess.succeed(arguments + [folder.path(name)])
    }
    let expected = try numbers(folder.path("a.npy")).numbers
    let archive = try NPZArchive(path: folder.path("a.npz"))
    guard case .float32(let values)? = archive["values"]?.elements,
      case .float32(let velocities)? = archive["velocities"]?.elements
    else {
      Issue.record("arrays are missing")
      return
    }
    #expect(archive["values"]?.shape == [17, 20, 2])
    try ToolProcess.succeed(arguments + [folder.path("b.npz"), "--compress"])
    #expect(
      try NPZArchive(path: folder.path("b.npz")) == archive && folder.data("b.npz").count < folder.data("a.npz").count)
    #expect(archive["times"]?.elements == .float64((3..<20).map { Double($0) / 60 }))
    let animation = try GLTFDocument(path: folder.path("a.glb")).animations[0]
    #expect(animation.channels.map(\.nodeName) == (0..<20).map { "track \($0)" })
    for frame in 0..<17 {
      for track in 0..<20 {
        let place = (frame * 20 + track) * 2
        let value = Array(values[place..<(place + 2)])
        let velocity = Array(velocities[place..<(place + 2)])
        #expect(Array(expected[(2 * place)..<(2 * place + 4)]) == value + velocity)
        let sampler = animation.channels[track].sampler
        let slope: [Double] = velocity.map { Double($0) } + [0]
        let middle: [Double] = value.map { Double($0) } + [0]
        let start = frame * 9
        #expect(sampler.interpolation == .cubicSpline)
        #expect(Array(sampler.values[start..<(start + 9)]) == slope + middle + slope)
        #expect(sampler.times[frame] == Double(Float(Double(frame + 3) / 60 - 3.0 / 60)))
      }
    }
    #expect(folder.names == ["a.glb", "a.npy", "a.npz", "b.npz"])
  }

  @Test func tracksBecomeClassesOfCSS() throws {
    let folder = try TemporaryFolder()
    try ToolProcess.succeed([
      "bake", scene, "--tracks", "3..<9", "--frames", "0..<61", "--output", folder.path("a.css"),
    ])
    let css = try folder.text("a.css")
    for track in 0..<6 {
      #expect(
        css.contains(".track-\(track) { animation: track-\(track)-x 1s linear both, track-\(track)-y 1s linear both; }")
      )
    }
    #expect(css.contains("@property --y { syntax: \"<number>\""))
  }

  /// Animations that move other nodes than each other are a class each.
  @Test func theAnimationsOfAGLTFFileBecomeClassesOfCSS() throws {
    let folder = try TemporaryFolder()
    let two = Fixtures.path("Scenes/two.gltf")
    for options in [[], ["--velocities"], ["--tracks", "2"]] {
      let arguments = ["bake", two, "--fps", "30", "--json", "-o", folder.path("a.css")] + options
      let shape = try ToolProcess.succeed(arguments).json.shape?.numbers
      #expect(shape?.dropFirst() == [2, options == ["--velocities"] ? 30 : 15])
      let classes = try folder.text("a.css").split(separator: "\n").filter { $0.hasPrefix(".track-") }
      #expect(classes.count == 2)
      #expect(classes[0].contains("track-0-n1_translation_x") && !classes[0].contains("n3_weights"))
      #expect(classes[1].contains("track-1-n3_weights_1_") && !classes[1].contains("n1_translation"))
    }
  }

  /// A file of an animation with nodes that a pointer's target goes without, in a warning.
  @Test func aGLTFFileIsBakedToItsNodes() throws {
    let folder = try TemporaryFolder()
    let fox = Fixtures.path("fox.gltf")
    let outcome = try ToolProcess.succeed(["bake", fox, "--fps", "30", "--output", folder.path("fox.glb")])
    #expect(outcome.errors.isEmpty)
    let (document, read) = (try GLTFDocument(path: fox), try GLTFDocument(path: folder.path("fox.glb")))
    #expect(read.animations.map(\.labels) == document.animations.map(\.labels))
    #expect(zip(read.animations, document.animations).allSatisfy { abs($0.duration - $1.duration) < 1e-6 })
    try ToolProcess.succeed(["run", folder.path("fox.glb"), "--tracks", "9", "--frames", "4", "--verify"])
    try ToolProcess.refuse(
      ["bake", fox, "--tracks", "5", "--output", folder.path("b.glb")], "--tracks: goes without .glb")
    let pointer = Fixtures.path("Corpora/gltf/pointer.gltf")
    let warned = try ToolProcess.succeed(["bake", pointer, "--quiet", "--output", folder.path("c.glb")])
    #expect(warned.errors.contains("Warning: /materials/0/emissiveFactor is no property of a node, and is left out"))
    #expect(
      try GLTFDocument(path: folder.path("c.glb")).animations[0].labels == [
        "arm.scale.x", "arm.scale.y", "arm.scale.z",
      ])
  }

  @Test func velocitiesAndTracksAsRowsAreTheSameNumbers() throws {
    let folder = try TemporaryFolder()
    let arguments = ["bake", scene, "--velocities", "--output"]
    let paths = ["a.npy", "b.npy", "c.npy"].map { folder.path($0) }
    try ToolProcess.succeed(arguments + [paths[0]])
    let turned = try ToolProcess.succeed(arguments + [paths[1], "--track-major"])
    #expect(turned.output.contains("[80, 120, 4] float32, track-major"), "\(turned)")
    try ToolProcess.succeed(["bake", scene, "--output", paths[2]])
    let (rows, columns, values) = (try numbers(paths[0]), try numbers(paths[1]), try numbers(paths[2]))
    #expect(rows.header.contains("(120, 80, 4)") && columns.header.contains("(80, 120, 4)"))
    for frame in 0..<120 {
      for track in 0..<80 {
        for number in 0..<4 {
          let row = rows.numbers[(frame * 80 + track) * 4 + number]
          #expect(row == columns.numbers[(track * 120 + frame) * 4 + number])
          if number < 2 { #expect(row == values.numbers[(frame * 80 + track) * 2 + number]) }
        }
      }
    }
    // Something moves.
    #expect(rows.numbers.contains { abs($0) > 10 })
  }
}
