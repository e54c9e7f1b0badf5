// SPDX-License-Identifier: MIT
import Foundation
import TestSupport

/// A glTF file with one animation, put together here as the specification says, independent of the reader under test.
struct GLTFFixture {
  enum Kind: CaseIterable { case embedded, sideFile, binary }

  private(set) var buffer: [UInt8] = []
  var views: [String] = []
  var accessors: [String] = []
  var samplers: [String] = []
  var channels: [String] = []
  var nodes: [String] = []

  // MARK: - Data

  /// Adds bytes at a multiple of 4 and returns their view.
  mutating func view(_ bytes: [UInt8], stride: Int? = nil) -> Int {
    buffer += [UInt8](repeating: 0xEE, count: (4 - buffer.count % 4) % 4)
    let strideText = stride.map { ", \"byteStride\": \($0)" } ?? ""
    views.append(
      "{\"buffer\": 0, \"byteOffset\": \(buffer.count), \"byteLength\": \(bytes.count)\(strideText)}")
    buffer += bytes
    return views.count - 1
  }

  /// Adds an accessor of floats and returns its place.
  mutating func floats(_ numbers: [Double], _ type: String = "SCALAR") -> Int {
    let view = view(numbers.flatMap { Self.bytes(Float($0).bitPattern, 4) })
    return accessor(view, 5126, numbers.count / Self.width(type), type)
  }

  /// Adds an accessor of normalised integers.
  mutating func integers(_ numbers: [Int], _ componentType: Int, _ type: String) -> Int {
    let size = componentType <= 5121 ? 1 : 2
    let view = view(numbers.flatMap { Self.bytes(UInt32(truncatingIfNeeded: $0), size) })
    return accessor(view, componentType, numbers.count / Self.width(type), type, more: ", \"normalized\": true")
  }

  mutating func accessor(
    _ view: Int?, _ componentType: Int, _ count: Int, _ type: String, more: String = ""
  ) -> Int {
    let place = view.map { "\"bufferView\": \($0), " } ?? ""
    accessors.append(
      "{\(place)\"componentType\": \(componentType), \"count\": \(count), \"type\": \"\(type)\"\(more)}")
    return accessors.count - 1
  }

  /// Adds a node, and a channel for one of its properties.
  mutating func channel(_ path: String, _ interpolation: String?, input: Int, output: Int) {
    let mode = interpolation.map { ", \"interpolation\": \"\($0)\"" } ?? ""
    samplers.append("{\"input\": \(input), \"output\": \(output)\(mode)}")
    nodes.append("{\"name\": \"n\(nodes.count)\"}")
    channels.append(
      "{\"sampler\": \(samplers.count - 1), \"target\": {\"node\": \(nodes.count - 1), \"path\": \"\(path)\"}}")
  }

  // MARK: - Files

  func json(uri: String?) -> String {
    let uriText = uri.map { "\"uri\": \"\($0)\", " } ?? ""
    return """
      {"asset": {"version": "2.0"},
      "nodes": [\(nodes.joined(separator: ", "))],
      "animations": [{"channels": [\(channels.joined(separator: ", "))],
      "samplers": [\(samplers.joined(separator: ", "))]}],
      "accessors": [\(accessors.joined(separator: ",\n"))],
      "bufferViews": [\(views.joined(separator: ",\n"))],
      "buffers": [{\(uriText)"byteLength": \(buffer.count)}]}
      """
  }

  /// A file of JSON with the buffer in it.
  var embedded: String {
    json(uri: "data:application/octet-stream;base64,\(Data(buffer).base64EncodedString())")
  }

  /// A file of JSON and binary chunks.
  var binary: [UInt8] { Self.binary(json: json(uri: nil), buffer: buffer) }

  static func binary(json: String, buffer: [UInt8]) -> [UInt8] {
    var text = Array(json.utf8)
    text += [UInt8](repeating: 0x20, count: (4 - text.count % 4) % 4)
    let padded = buffer + [UInt8](repeating: 0, count: (4 - buffer.count % 4) % 4)
    let chunks =
      bytes(UInt32(text.count), 4) + Array("JSON".utf8) + text
      + bytes(UInt32(padded.count), 4) + Array("BIN\0".utf8) + padded
    return Array("glTF".utf8) + bytes(2, 4) + bytes(UInt32(chunks.count + 12), 4) + chunks
  }

  /// Writes the file in one of the three ways and returns its path.
  func write(_ kind: Kind, to folder: TemporaryFolder) -> String {
    switch kind {
    case .embedded: return folder.write("a.gltf", embedded)
    case .binary: return folder.write("a.glb", binary)
    case .sideFile:
      folder.write("side file.bin", buffer)
      return folder.write("a.gltf", json(uri: "side%20file.bin").utf8)
    }
  }

  static func bytes(_ word: UInt32, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: word >> (8 * UInt32($0))) }
  }

  static func width(_ type: String) -> Int { ["SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4][type] ?? 16 }
}

extension GLTFFixture {
  /// A file with one channel.
  init(_ path: String, _ mode: String?, _ times: [Double], _ values: [Double], _ type: String = "SCALAR") {
    self.init()
    let input = floats(times)
    channel(path, mode, input: input, output: floats(values, type))
  }

  /// A small file: a translation in straight lines and a rotation about z by a spline, of the same three keys.
  static func small() -> GLTFFixture {
    var fixture = GLTFFixture()
    let times = fixture.floats([0.25, 0.5, 1.25])
    let positions = fixture.floats([1, 2, 3, 3, 2, 1, -1, 0.5, 8], "VEC3")
    let turns: [Double] = [
      0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0.5,
      0, 0, 2, 0, 0, 0, 0.6, 0.8, 0, 0, 1, 0,
      0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0,
    ]
    let rotations = fixture.floats(turns, "VEC4")
    fixture.channel("translation", "LINEAR", input: times, output: positions)
    fixture.channel("rotation", "CUBICSPLINE", input: times, output: rotations)
    return fixture
  }
}
