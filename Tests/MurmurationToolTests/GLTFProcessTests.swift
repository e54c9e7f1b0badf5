// SPDX-License-Identifier: MIT
import Foundation
import Murmuration
import TestSupport
import Testing

/// `murmuration run` and `murmuration verify` with glTF files, as processes.
struct GLTFProcessTests {
  /// A node that moves a metre and turns by a quarter within a second.
  private let path = Fixtures.path("Scenes/arm.gltf")

  @Test func aFileIsPlayedByManyInstances() throws {
    let folder = try TemporaryFolder()
    let outcome = try ToolProcess.succeed(
      ["run", path, "--tracks", "50", "--verify", "--details", "--output", folder.path("out.npy")])
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    outcome.expect(
      "50 in 7 dimensions", "50 played by kernels", "wave: 50 instances of 7 components, 1.00 s", "ns a component",
      "of the copy bandwidth", "times an instance began again", "passed against the glTF specification",
      "50 of 50 kernel tracks (100.0 %), every frame, 21000 values", "value: largest error", "[60, 50, 7] float32")
    #expect(try !outcome.output.contains("velocity:") && folder.data("out.npy").count == 128 + 60 * 50 * 7 * 4)
  }

  @Test func columnsAreNamed() throws {
    let folder = try TemporaryFolder()
    let arguments = ["run", path, "--tracks", "2", "--frames", "5", "--fps", "10", "--output", folder.path("out.csv")]
    try ToolProcess.succeed(arguments)
    let lines = try folder.text("out.csv").split(separator: "\n")
    #expect(lines.count == 6 && lines[0].hasSuffix(",arm.rotation.w.1"))
    #expect(lines[0].hasPrefix("arm.translation.x.0,arm.translation.y.0,arm.translation.z.0,arm.rotation.x.0,"))
    // In a share of the second the node moves by that share of a metre, and turns by that share of a quarter: tan(45° ·
    // share).
    for line in lines.dropFirst() {
      let values = line.split(separator: ",").compactMap { Double($0) }
      #expect(values.count == 14 && abs(values[5] / values[6] - tan(values[0] * .pi / 4)) < 1e-6)
    }
  }

  @Test func theSeedDrawsTheClocks() throws {
    let folder = try TemporaryFolder()
    let files = try [["1"], ["1", "--threads", "3"], ["2"]].map { more in
      try ToolProcess.succeed(["run", path, "--tracks", "900", "-o", folder.path("a.npy"), "--seed"] + more)
      return try folder.data("a.npy")
    }
    #expect(files[0] == files[1] && files[0] != files[2])
  }

  @Test func everySetIsVerified() throws {
    let outcome = try ToolProcess.succeed(["verify", path, "--tracks", "40"])
    for set in KernelSet.available { outcome.expect(" \(set.rawValue) ") }
    outcome.expect("arm.gltf.value", ", 0 failed")
  }

  @Test func aVerificationThatFailsLeavesNothing() throws {
    let folder = try TemporaryFolder()
    try ToolProcess.refuse(
      ["run", path, "--tracks", "40", "--verify", "--perturb-reference", "1e-5", "--output", folder.path("out.npy")],
      "FAILED against the glTF specification")
    for (tracks, reason) in [("0", "must be from 1"), ("16000000", "must be at most 9586980 with 7 values a track")] {
      try ToolProcess.refuse(["run", path, "--tracks", tracks, "--output", folder.path("out.npy")], reason)
    }
    #expect(folder.names.isEmpty)
  }

  /// Files that are cut after some bytes, name another place of their bytes, or count too many.
  @Test(arguments: [
    ("arm.gltf", "", "{\"asset\"", "arm.gltf: line 1"),
    ("arm.glb", "", "glTF\u{2}", "arm.glb: byte 5: the header is cut short"),
    ("up.gltf", "data:.*AA", "../arm.bin", "buffers[0].uri: must stay in the file's folder, is “../arm.bin”"),
    ("none.gltf", "data:.*AA", "arm.bin", "arm.bin” cannot be opened"),
    ("count.gltf", "2, \"type\": \"SCALAR", "3, \"type\": \"SCALAR", "accessors[0].count: 3 elements need 12 bytes"),
  ])
  func badFilesAreRefusedWithTheirPlace(_ name: String, _ old: String, _ new: String, _ expected: String) throws {
    let folder = try TemporaryFolder()
    let text = try Fixtures.text("Scenes/arm.gltf")
    let path = folder.write(name, old.isEmpty ? new : text.replacing(try Regex("\(old)[^\"]*"), with: new))
    for command in [["run", path, "--output", folder.path("out.npy")], ["verify", path]] {
      try ToolProcess.refuse(command, path, expected)
    }
    #expect(folder.names == [name])
  }
}
