// SPDX-License-Identifier: MIT
import Foundation
import Murmuration
import TestSupport
import Testing

@testable import Formats
@testable import Scenes

struct GLTFContainerTests {
  @Test(arguments: GLTFFixture.Kind.allCases)
  func allThreeKindsOfFileGiveTheSameAnimation(_ kind: GLTFFixture.Kind) throws {
    let folder = try TemporaryFolder()
    let document = try GLTFDocument(path: GLTFFixture.small().write(kind, to: folder))
    #expect(try document == GLTFDocument(GLTFFixture.small().binary) && document.animations.count == 1)
    #expect(document.animations[0].channels.map(\.path) == [.translation, .rotation])
  }

  @Test func everyProperPrefixIsRefusedWithItsByte() {
    for bytes in [GLTFFixture.small().binary, Array(GLTFFixture.small().embedded.utf8)] {
      expectPrefixesAreRefused(bytes, at: "byte") { try GLTFDocument($0) }
    }
  }

  @Test func everyProperPrefixOfASideFileIsRefused() throws {
    let folder = try TemporaryFolder()
    let fixture = GLTFFixture.small()
    let path = fixture.write(.sideFile, to: folder)
    for count in 0..<fixture.buffer.count {
      folder.write("side file.bin", fixture.buffer[..<count])
      let error = fileError { try GLTFDocument(path: path) }
      #expect(error?.place.hasSuffix("buffers[0].byteLength") == true)
      #expect(error?.reason == "states \(fixture.buffer.count) bytes; the data end at byte \(count)")
    }
  }

  /// Whether a damaged file is read, with finite values then, and refused with a reason otherwise.
  private func isTaken(_ bytes: [UInt8], _ change: String) -> Bool {
    do {
      for clip in try GLTFScene(GLTFDocument(bytes)).parts.map(\.clip) {
        for time in [clip.duration / 3, clip.duration] {
          let values = (0..<clip.dimensions).map { clip.value(dimension: $0, at: time) }
          #expect(values.allSatisfy { $0.isFinite }, "\(change)")
        }
      }
      return true
    } catch {
      #expect(!error.reason.isEmpty, "\(change)")
      return false
    }
  }

  @Test func aChangedByteGivesAnErrorOrFiniteValues() throws {
    let bytes = GLTFFixture.small().binary
    var taken = 0
    for index in bytes.indices {
      for change: UInt8 in [0x01, 0xC0] {
        var changed = bytes
        changed[index] ^= change
        if isTaken(changed, "byte \(index)") { taken += 1 }
      }
    }
    // Changed values are taken, changed structure is not.
    #expect(taken > bytes.count / 4 && taken < bytes.count)
  }

  @Test func unknownChunksArePassedOver() throws {
    var bytes = GLTFFixture.small().binary
    bytes += GLTFFixture.bytes(4, 4) + Array("TEST".utf8) + [1, 2, 3, 4]
    bytes.replaceSubrange(8..<12, with: GLTFFixture.bytes(UInt32(bytes.count), 4))
    #expect(try GLTFDocument(bytes) == GLTFDocument(GLTFFixture.small().binary))
  }

  @Test(arguments: [
    (4, [1, 0, 0, 0], "byte 4: is version 1 of the container"),
    (8, [0xFF, 0xFF, 0xFF, 0xFF], "is cut short: the header states 4294967295 bytes"),
    (8, [20, 0, 0, 0], "byte 20: unexpected bytes after the 20"),
    (12, [0xFF, 0xFF, 0xFF, 0xFF], "byte 12: states a chunk of 4294967295 bytes"),
    (12, [3, 0, 0, 0], "byte 12: states a chunk of 3 bytes, which is no multiple of 4"),
    (16, [0x42, 0x49, 0x4E, 0], "byte 12: the first chunk must be JSON"),
    (20, [0x5B], "the JSON chunk: line"),
  ])
  func headersThatCannotBeAreRefused(_ offset: Int, _ change: [UInt8], _ expected: String) {
    var bytes = GLTFFixture.small().binary
    bytes.replaceSubrange(offset..<(offset + change.count), with: change)
    expectRefusal(expected) { try GLTFDocument(bytes) }
  }

  @Test func chunksStandOnce() {
    for name in ["JSON", "BIN\0"] {
      var bytes = GLTFFixture.small().binary
      bytes += GLTFFixture.bytes(0, 4) + Array(name.utf8)
      bytes.replaceSubrange(8..<12, with: GLTFFixture.bytes(UInt32(bytes.count), 4))
      #expect(fileError { try GLTFDocument(bytes) }?.reason.hasPrefix("a second ") == true)
    }
  }

  @Test(
    arguments: [
      [], [0xEF, 0xBB, 0xBF], [0xFF, 0xFE, 0x7B, 0], Array("[1, 2]".utf8), Array("glTF".utf8), [0, 1, 2, 3, 200],
    ] as [[UInt8]])
  func whatIsNoFileOfTheKindIsRefused(_ bytes: [UInt8]) {
    #expect(fileError { try GLTFDocument(bytes) } != nil)
  }

  @Test func filesThatAreNoneAreRefusedByName() throws {
    let folder = try TemporaryFolder()
    #expect(fileError { try GLTFDocument(path: folder.path("none.gltf")) }?.file == folder.path("none.gltf"))
    #expect(fileError { try GLTFScene(path: folder.url.path) }?.reason == "is a directory, not a file")
  }

  // MARK: - Extensions

  private func requiring(_ names: [String], of fixture: GLTFFixture) -> [UInt8] {
    let text = fixture.json(uri: nil).replacing("\"nodes\":", with: "\"extensionsRequired\": \(names), \"nodes\":")
    return GLTFFixture.binary(json: text, buffer: fixture.buffer)
  }

  /// Extensions that hold or hide no data of animations may be required, and those to whose properties pointers lead.
  @Test(arguments: [
    "KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_meshopt_compression", "EXT_mesh_gpu_instancing",
    "KHR_texture_basisu", "KHR_mesh_quantization", "EXT_structural_metadata", "MSFT_lod",
    "KHR_node_visibility", "KHR_node_hoverability", "KHR_node_selectability", "KHR_materials_sheen",
    "ADOBE_materials_clearcoat_tint", "KHR_lights_punctual", "EXT_lights_ies", "KHR_texture_transform",
  ])
  func extensionsWithoutDataOfAnimationsMayBeRequired(_ name: String) throws {
    let fixture = GLTFFixture.small()
    #expect(try GLTFDocument(requiring([name], of: fixture)) == GLTFDocument(fixture.binary))
  }

  /// Data that an extension compresses are refused where animations need them, and read where they are there a second time.
  @Test(arguments: ["EXT_meshopt_compression", "KHR_meshopt_compression"])
  func compressedDataOfAnimationsAreRefused(_ name: String) throws {
    var fixture = GLTFFixture.small()
    fixture.views[1] = fixture.views[1].replacing("}", with: ", \"extensions\": {\"\(name)\": {}}}")
    #expect(try GLTFDocument(fixture.binary) == GLTFDocument(GLTFFixture.small().binary))
    expectRefusal("bufferViews[1]: “\(name)” is not read; export the file without it") {
      try GLTFDocument(requiring([name], of: fixture))
    }
    expectRefusal("extensionsRequired[1]: “VENDOR_codec” is not read; export the file without it") {
      try GLTFDocument(requiring([name, "VENDOR_codec"], of: fixture))
    }
  }
}
