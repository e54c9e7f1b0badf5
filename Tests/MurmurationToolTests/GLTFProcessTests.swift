// SPDX-License-Identifier: MIT
import Foundation
import Murmuration
import Testing

/// `murmuration run` and `murmuration verify` with glTF files, as processes.
struct GLTFProcessTests {
  /// A node that moves a metre and turns by a quarter within a second, from numbers in the file or beside it.
  private func file(uri: String? = nil, count: Int = 2) -> String {
    let half: Float = 0.70710677
    let numbers: [Float] = [0, 1] + [0, 0, 0, 1, 0, 0] + [0, 0, 0, 1, 0, 0, half, half]
    let bytes = numbers.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number.bitPattern >> ($0 * 8)) } }
    let place = uri ?? "data:application/octet-stream;base64,\(Data(bytes).base64EncodedString())"
    return """
      {"asset": {"version": "2.0"}, "nodes": [{"name": "arm"}],
      "buffers": [{"uri": "\(place)", "byteLength": 64}],
      "bufferViews": [{"buffer": 0, "byteLength": 8}, {"buffer": 0, "byteOffset": 8, "byteLength": 24},
      {"buffer": 0, "byteOffset": 32, "byteLength": 32}],
      "accessors": [{"bufferView": 0, "componentType": 5126, "count": \(count), "type": "SCALAR"},
      {"bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC3"},
      {"bufferView": 2, "componentType": 5126, "count": 2, "type": "VEC4"}],
      "animations": [{"name": "wave", "samplers": [{"input": 0, "output": 1}, {"input": 0, "output": 2}],
      "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}},
      {"sampler": 1, "target": {"node": 0, "path": "rotation"}}]}]}
      """
  }

  @Test func aFileIsPlayedByManyInstances() throws {
    let (folder, path) = try TemporaryFolder.with("arm.gltf", file())
    let outcome = try ToolProcess.succeed(
      ["run", path, "--tracks", "50", "--verify", "--details", "--output", folder.path("out.npy")])
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    for part in [
      "50 in 7 dimensions", "50 played by kernels", "wave: 50 instances of 7 components, 1.00 s", "ns a component",
      "of the copy bandwidth", "times an instance began again", "passed against the glTF specification",
      "50 of 50 kernel tracks (100.0 %), every frame, 21000 values", "value: largest error", "[60, 50, 7] float32",
    ] {
      #expect(outcome.output.contains(part), "“\(part)” is not in\n\(outcome.output)")
    }
    #expect(!outcome.output.contains("velocity:"))
    let size = try FileManager.default.attributesOfItem(atPath: folder.path("out.npy"))[.size] as? Int
    #expect(size == 128 + 60 * 50 * 7 * 4)
  }

  @Test func columnsAreNamed() throws {
    let (folder, path) = try TemporaryFolder.with("arm.gltf", file())
    let arguments = ["run", path, "--tracks", "2", "--frames", "5", "--fps", "10", "--output", folder.path("out.csv")]
    try ToolProcess.succeed(arguments)
    let lines = try folder.text("out.csv").split(separator: "\n")
    #expect(lines.count == 6)
    #expect(lines[0].hasPrefix("arm.translation.x.0,arm.translation.y.0,arm.translation.z.0,arm.rotation.x.0,"))
    #expect(lines[0].hasSuffix(",arm.rotation.w.1"))
    // In a share of the second the node moves by that share of a metre, and turns by that share of a quarter: tan(45° ·
    // share).
    for line in lines.dropFirst() {
      let values = line.split(separator: ",").compactMap { Double($0) }
      #expect(values.count == 14)
      #expect(abs(values[5] / values[6] - tan(values[0] * .pi / 4)) < 1e-6)
    }
  }

  @Test func theSeedDrawsTheClocks() throws {
    let (folder, path) = try TemporaryFolder.with("arm.gltf", file())
    for (name, more) in [
      ("a.npy", ["--seed", "1"]), ("b.npy", ["--seed", "1", "--threads", "3"]), ("c.npy", ["--seed", "2"]),
    ] {
      try ToolProcess.succeed(["run", path, "--tracks", "900", "--output", folder.path(name)] + more)
    }
    let files = try ["a.npy", "b.npy", "c.npy"].map { try folder.data($0) }
    #expect(files[0] == files[1] && files[0] != files[2])
  }

  @Test func everySetIsVerified() throws {
    let folder = try TemporaryFolder()
    let path = folder.write("arm.gltf", file())
    let outcome = try ToolProcess.run(["verify", path, "--tracks", "40"])
    #expect(outcome.status == 0, "\(outcome.output) \(outcome.errors)")
    for set in KernelSet.available { #expect(outcome.output.contains(" \(set.rawValue) ")) }
    #expect(outcome.output.contains("arm.gltf.value") && outcome.output.contains(", 0 failed"))
  }

  @Test func aVerificationThatFailsLeavesNothing() throws {
    let (folder, path) = try TemporaryFolder.with("arm.gltf", file())
    try ToolProcess.refuse(
      ["run", path, "--tracks", "40", "--verify", "--perturb-reference", "1e-5", "--output", folder.path("out.npy")],
      "FAILED against the glTF specification")
    #expect(folder.names == ["arm.gltf"])
  }

  @Test(arguments: [
    ("arm.gltf", "{\"asset\"", "arm.gltf: line 1"),
    ("arm.glb", "glTF\u{2}", "arm.glb: byte 5: the header is cut short"),
    ("up.gltf", "../arm.bin", "buffers[0].uri: must stay in the file's folder, is “../arm.bin”"),
    ("none.gltf", "arm.bin", "arm.bin” cannot be opened"),
    ("count.gltf", "3", "accessors[0].count: 3 elements need 12 bytes"),
  ])
  func badFilesAreRefusedWithTheirPlace(_ name: String, _ damage: String, _ expected: String) throws {
    let folder = try TemporaryFolder()
    let text =
      switch name {
      case "up.gltf", "none.gltf": file(uri: damage)
      case "count.gltf": file(count: Int(damage) ?? 0)
      default: damage
      }
    let path = folder.write(name, text)
    for command in [["run", path, "--output", folder.path("out.npy")], ["verify", path]] {
      try ToolProcess.refuse(command, path, expected)
    }
    #expect(folder.names == [name])
  }

  @Test func moreTracksThanAFrameHoldsAreRefused() throws {
    let folder = try TemporaryFolder()
    let path = folder.write("arm.gltf", file())
    for (tracks, reason) in [("0", "must be from 1"), ("16000000", "must be at most 9586980 with 7 values a track")] {
      try ToolProcess.refuse(["run", path, "--tracks", tracks], reason)
    }
  }
}
