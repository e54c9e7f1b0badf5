// SPDX-License-Identifier: MIT
import Foundation
import TestSupport
import Testing

/// `murmuration bake` as a process.
struct BakeProcessTests {
  /// Waves of targets between frames, and a group of one spring and one of many.
  private let scene = Fixtures.path("Scenes/bake.json")

  private func numbers(_ path: String) throws -> (header: String, numbers: [Float]) {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    let numbers = data.withUnsafeBytes { bytes in
      stride(from: 128, to: bytes.count, by: 4).map { bytes.loadUnaligned(fromByteOffset: $0, as: Float.self) }
    }
    return (String(decoding: data.prefix(128).dropFirst(10), as: UTF8.self), numbers)
  }

  /// (`SceneModelTests` bakes scenes of all kinds, and `FileSurfaceTests` parts of the built-in ones.)
  @Test func theFramesAreThoseOfRun() throws {
    let folder = try TemporaryFolder()
    let (run, baked) = (folder.path("run.npy"), folder.path("baked.npy"))
    try ToolProcess.succeed(["run", scene, "--frames", "40", "--output", run])
    try ToolProcess.succeed(["bake", scene, "--frames", "7..<40", "--tracks", "20..<75", "--output", baked])
      .expect("[33, 55, 2] float32, time-major")
    let (expected, got) = (try numbers(run).numbers, try numbers(baked))
    #expect(got.header.contains("'shape': (33, 55, 2)") && got.numbers.count == 33 * 55 * 2)
    for (place, number) in got.numbers.enumerated() {
      let (frame, rest) = place.quotientAndRemainder(dividingBy: 55 * 2)
      #expect(abs(number - expected[(frame + 7) * 80 * 2 + 20 * 2 + rest]) <= 1e-4, "number \(rest) of frame \(frame)")
    }
  }

  /// Classes of CSS for tracks, and for animations of a glTF file that move other nodes than each other; nodes, without what
  /// is no property of one. (`Scripts/check-formats` reads arrays and nodes.)
  @Test func stylesAndNodesAreWritten() throws {
    let folder = try TemporaryFolder()
    try ToolProcess.succeed(["bake", scene, "--tracks", "3..<9", "--frames", "0..<61", "-o", folder.path("a.css")])
    #expect(
      try folder.text("a.css").contains(".track-5 { animation: track-5-x 1s linear both, track-5-y 1s linear both; }"))
    for options in [[], ["--velocities"], ["--tracks", "2"]] {
      let arguments = ["bake", Fixtures.path("Scenes/two.gltf"), "--fps", "30", "--json", "-o", folder.path("a.css")]
      let shape = try ToolProcess.succeed(arguments + options).json.shape?.numbers
      #expect(shape?.dropFirst() == [2, options == ["--velocities"] ? 30 : 15])
      #expect(try folder.text("a.css").split(separator: "\n").count { $0.hasPrefix(".track-") } == 2)
    }
    try ToolProcess.refuse(
      ["bake", Fixtures.path("fox.gltf"), "--tracks", "5", "-o", folder.path("b.glb")], "--tracks: goes without .glb")
    let pointer = Fixtures.path("Corpora/gltf/pointer.gltf")
    let warned = try ToolProcess.succeed(["bake", pointer, "--quiet", "--output", folder.path("c.glb")])
    #expect(warned.errors.contains("Warning: /materials/0/emissiveFactor is no property of a node, and is left out"))
    try ToolProcess.succeed(["run", folder.path("c.glb"), "--tracks", "9", "--frames", "4", "--verify"])
    #expect(folder.names == ["a.css", "c.glb"])
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
