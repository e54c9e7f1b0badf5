// SPDX-License-Identifier: MIT
@testable import Formats
import Foundation
import Murmuration
import TestSupport
import Testing

@testable import Scenes

struct GLTFAnimationTests {
  /// The values of the only channel in a file.
  private func values(_ fixture: GLTFFixture) throws -> [Double] {
    try GLTFDocument(fixture.binary).animations[0].channels[0].sampler.values
  }

  // MARK: - Storage

  @Test(arguments: [
    (5120, [127, -127, -128, 0], [1, -1, -1, 0]), (5121, [255, 0, 51, 255], [1, 0, 0.2, 1]),
    (5122, [32767, -32767, -32768, 0], [1, -1, -1, 0]), (5123, [65535, 0, 13107, 65535], [1, 0, 0.2, 1]),
  ])
  func integersAreNormalised(_ type: Int, _ stored: [Int], _ expected: [Double]) throws {
    var fixture = GLTFFixture()
    let times = fixture.floats([0, 1])
    fixture.channel("weights", nil, input: times, output: fixture.integers(stored, type, "SCALAR"))
    let read = try values(fixture)
    #expect(zip(read, expected).allSatisfy { abs($0 - $1) < 1e-15 }, "\(read)")
  }

  @Test(arguments: [(5120, 127), (5121, 255), (5122, 32767), (5123, 65535)])
  func storedRotationsAreOfUnitLength(_ type: Int, _ one: Int) throws {
    var fixture = GLTFFixture()
    let times = fixture.floats([0, 1])
    let shares: [Double] = [0.48, 0.6, 0, 0.64, 0, 0, 0, 1]
    let stored: [Int] = shares.map { share in Int((share * Double(one)).rounded()) }
    let output = fixture.integers(stored, type, "VEC4")
    fixture.channel("rotation", "LINEAR", input: times, output: output)
    let read = try values(fixture)
    let length: Double = read[..<4].reduce(0) { $0 + $1 * $1 }
    #expect(abs(length - 1) < 1e-15 && abs(read[0] - 0.48) < 1 / Double(one) && read[4...] == [0, 0, 0, 1])
  }

  /// Every interpolation of every property in every way to store it, in each of the three kinds of file.
  @Test(arguments: GLTFFixture.Kind.allCases, ["STEP", "LINEAR", "CUBICSPLINE"])
  func everyCombinationIsRead(_ kind: GLTFFixture.Kind, _ interpolation: String) throws {
    var fixture = GLTFFixture()
    let times = fixture.floats([0, 0.5])
    let parts = interpolation == "CUBICSPLINE" ? 3 : 1
    let weights = (0..<(4 * parts)).map { Double($0 % 5) / 4 }
    let turns: [Double] = (0..<(2 * parts)).flatMap { [0, $0 < parts ? 1 : -1, 0, 0] }
    let positions = (0..<(6 * parts)).map { Double($0) - 2.5 }
    var expected: [[Double]] = []
    for (type, one) in [(5120, 127.0), (5121, 255), (5122, 32767), (5123, 65535), (5126, 0)] {
      for (path, elements, numbers) in [("weights", "SCALAR", weights), ("rotation", "VEC4", turns)] {
        let numbers = type == 5121 || type == 5123 ? numbers.map(abs) : numbers
        let stored = numbers.map { Int(($0 * one).rounded()) }
        let output = type == 5126 ? fixture.floats(numbers, elements) : fixture.integers(stored, type, elements)
        fixture.channel(path, interpolation, input: times, output: output)
        // A rotation keeps the sign that is nearer to the key before.
        expected.append(path == "rotation" && interpolation == "LINEAR" ? [0, 1, 0, 0, 0, 1, 0, 0] : numbers)
      }
    }
    for path in ["translation", "scale"] {
      fixture.channel(path, interpolation, input: times, output: fixture.floats(positions, "VEC3"))
      expected.append(positions)
    }
    let folder = try TemporaryFolder()
    let channels = try GLTFDocument(path: fixture.write(kind, to: folder)).animations[0].channels
    #expect(channels.count == expected.count)
    for (channel, numbers) in zip(channels, expected) {
      #expect(channel.sampler.interpolation.rawValue == interpolation && channel.sampler.times == [0, 0.5])
      // A weight is stored to within half of a 127th.
      #expect(channel.sampler.values.count == numbers.count)
      #expect(
        zip(channel.sampler.values, numbers).allSatisfy { abs($0 - $1) <= 0.5 / 127 }, "\(channel.sampler.values)")
    }
  }

  @Test func elementsStandAtTheirStride() throws {
    var fixture = GLTFFixture()
    let times = fixture.floats([0, 1])
    let bytes = [1, 2, 3, 99, 4, 5, 6].flatMap { GLTFFixture.bytes(Float($0).bitPattern, 4) }
    let output = fixture.accessor(fixture.view(bytes, stride: 16), 5126, 2, "VEC3")
    fixture.channel("scale", "LINEAR", input: times, output: output)
    #expect(try values(fixture) == [1, 2, 3, 4, 5, 6])
  }

  @Test func aMissingViewMeansZerosAndSparseElementsReplaceThem() throws {
    var fixture = GLTFFixture()
    let times = fixture.floats([0, 1, 2])
    let indices = fixture.view([0, 2])
    let elements = fixture.view([7, 8, 9, 1, 2, 3].flatMap { GLTFFixture.bytes(Float($0).bitPattern, 4) })
    let sparse = """
      , "sparse": {"count": 2, "indices": {"bufferView": \(indices), "componentType": 5121}, \
      "values": {"bufferView": \(elements)}}
      """
    fixture.channel("scale", "LINEAR", input: times, output: fixture.accessor(nil, 5126, 3, "VEC3", more: sparse))
    #expect(try values(fixture) == [7, 8, 9, 0, 0, 0, 1, 2, 3])
    let base = fixture.view((1...9).flatMap { GLTFFixture.bytes(Float($0).bitPattern, 4) })
    fixture.accessors.removeLast()
    _ = fixture.accessor(base, 5126, 3, "VEC3", more: sparse)
    #expect(try values(fixture) == [7, 8, 9, 4, 5, 6, 1, 2, 3])
  }

  @Test func timesMayBeZerosToo() throws {
    var fixture = GLTFFixture()
    let times = fixture.accessor(nil, 5126, 1, "SCALAR")
    fixture.channel("scale", "STEP", input: times, output: fixture.floats([1, 2, 3], "VEC3"))
    let duration = try GLTFDocument(fixture.binary).animations[0].duration
    #expect(try duration == 0 && values(fixture) == [1, 2, 3])
  }

  // MARK: - Animated properties

  @Test func weightsAreAsManyAsTheDataHold() throws {
    let fixture = GLTFFixture("weights", "CUBICSPLINE", [0, 1], (0..<18).map(Double.init))
    let animation = try GLTFDocument(fixture.binary).animations[0]
    #expect(animation.components == 3 && animation.labels == ["n0.weights[0]", "n0.weights[1]", "n0.weights[2]"])
    #expect(GLTFReference.values(of: animation, at: 0) == [3, 4, 5])
    #expect(GLTFReference.values(of: animation, at: 9) == [12, 13, 14])

    for (targets, isRight) in [("[{}, {}, {}]", true), ("[{}, {}]", false)] {
      let text = fixture.embedded.replacingOccurrences(of: "\"name\": \"n0\"", with: "\"mesh\": 0")
        .replacingOccurrences(
          of: "\"nodes\"", with: "\"meshes\": [{\"primitives\": [{\"targets\": \(targets)}]}], \"nodes\"")
      let error = fileError { try GLTFDocument(Array(text.utf8)) }
      #expect((error == nil) == isRight, "\(error?.description ?? "accepted")")
    }
  }

  @Test func namesAndLabelsAreThoseOfTheFile() throws {
    let text = GLTFFixture.small().embedded.replacingOccurrences(of: "\"name\": \"n1\"", with: "")
    let animation = try GLTFDocument(Array(text.utf8)).animations[0]
    #expect(animation.name == "animations[0]" && animation.duration == 1.25)
    #expect(
      animation.labels == [
        "n0.translation.x", "n0.translation.y", "n0.translation.z", "nodes[1].rotation.x", "nodes[1].rotation.y",
        "nodes[1].rotation.z", "nodes[1].rotation.w",
      ])
  }

  @Test func channelsWithoutANodeAreLeftOut() throws {
    var fixture = GLTFFixture.small()
    fixture.channels[0] = "{\"sampler\": 0, \"target\": {\"path\": \"pointer\"}}"
    let animation = try GLTFDocument(fixture.binary).animations[0]
    #expect(animation.channels.map(\.index) == [1])
    fixture.channels.removeLast()
    #expect(fileError { try GLTFDocument(fixture.binary) }?.reason == "holds no animation of nodes")
  }

  @Test func buffersOfMeshesAloneAreNotLoaded() throws {
    let text = GLTFFixture.small().embedded.replacingOccurrences(
      of: "\"buffers\": [", with: "\"images\": [{\"uri\": \"a.png\"}], \"buffers\": [")
    let more = text.dropLast(2) + ", {\"uri\": \"../../absent.bin\", \"byteLength\": 1000000000000}]}"
    #expect(try GLTFDocument(Array(more.utf8)).animations.count == 1)
  }

  // MARK: - Keys

  @Test func keysCloserThanANanosecondAreAtTheSameTime() throws {
    let fixture = GLTFFixture("weights", "LINEAR", [0, 1e-30, 1e-10, 1, 1], [1, 2, 3, 4, 5])
    let document = try GLTFDocument(fixture.binary)
    #expect(document.animations[0].channels[0].sampler.times == [0, 0, 0, 1, 1])
    let clip = try GLTFScene(document).parts[0].clip
    #expect(clip.value(dimension: 0, at: 0) == 3 && abs(clip.value(dimension: 0, at: 1.0.nextDown) - 4) < 1e-12)
    #expect(clip.value(dimension: 0, at: 1) == 5)
  }
}
