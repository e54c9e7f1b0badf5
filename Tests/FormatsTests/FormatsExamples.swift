// SPDX-License-Identifier: MIT
import Formats
import Foundation
import Murmuration
import TestSupport
import Testing

/// The examples of the module `Formats`, word for word between the lines `example:` and `end`. `DocumentationTests` compares
/// them with the documents.
struct FormatsExamples {
  @Test func filesAreReadAndWritten() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("formats-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Self.gltf(folder.path)
    try Self.recordings(folder.path)
    try Self.css()
    try Self.writer(folder.path)
    try Self.linear()
  }

  private static func gltf(_ folder: String) throws {
    // The components of the fox's first animation.
    let print = { (components: Int) in #expect(components == 83) }
    let path = Fixtures.path("Fox.glb")
    // example: Sources/Murmuration/Murmuration.docc/Articles/FilesInAndOut.md
    let document = try GLTFDocument(path: path)
    let walk = try document.animations[0].clip()
    var rig = try ClipSampler(walk)
    try rig.sample(at: 0.25)
    rig.withValues { values in print(values.count) }
    // end
    try gltfOut("\(folder)/door.glb")
  }

  private static func gltfOut(_ path: String) throws {
    // example: Sources/Murmuration/Murmuration.docc/Articles/FilesInAndOut.md
    var writer = GLTFWriter()
    let ball = try writer.add(GLTFWriter.Node(name: "ball"))
    let jump = try Clip(initialValue: 0.0) { _ in
      SpringKeyframe(2.0, duration: 0.5, spring: .bouncy)
      CubicKeyframe(0.0, duration: 0.3)
    }
    let height = try GLTFAnimation.Sampler(jump, dimensions: [0, 0, 0])
    let channel = GLTFAnimation.Channel(node: ball, path: .translation, sampler: height)
    try writer.add(GLTFAnimation(name: "jump", channels: [channel]))
    try writer.write(to: path)
    // end
  }

  private static func recordings(_ folder: String) throws {
    // The channels of a walk.
    let print = { (channels: Int) in #expect(channels == 96) }
    let (input, output) = (Fixtures.path("cmu_12_01_walk.bvh"), "\(folder)/walk.npz")
    // example: Sources/Murmuration/Murmuration.docc/Articles/FilesInAndOut.md
    let walk = try Recording(path: input)
    var archive = NPZArchive()
    archive["values"] = try NumPyArray(shape: [walk.frames, walk.channels], elements: .float32(walk.values))
    try archive.write(to: output)
    print(walk.channels)
    // end
  }

  private static func css() throws {
    // The points of an easing function.
    let print = { (points: Int) in #expect(points == 9) }
    // example: Sources/Murmuration/Murmuration.docc/Articles/FilesInAndOut.md
    let easing = try CSSLinear(.bouncy, tolerance: 0.005)
    print(easing.points.count)
    let curve = try UnitCurve(css: easing.css)
    let fade = try Animation(css: "400ms cubic-bezier(0.3, 0, 0.1, 1) 100ms")
    // end
    _ = (curve, fade)
    // example: Sources/Murmuration/Murmuration.docc/Articles/FilesInAndOut.md
    let bounce = try Clip(.spring(.bouncy), duration: 1.5)
    let rules = try CSSKeyframes(bounce, name: "pop", properties: [.init("scale", dimension: 0)])
    // end
    _ = rules.css
  }

  private static func writer(_ folder: String) throws {
    let path = "\(folder)/a.glb"
    // example: Sources/Formats/GLTF/GLTFWriter.swift
    var writer = GLTFWriter()
    let door = try writer.add(GLTFWriter.Node(name: "door"))
    let swing = try Clip(.spring(.bouncy))
    let sampler = try GLTFAnimation.Sampler(swing, dimensions: [0, 0, 0])
    let scale = GLTFAnimation.Channel(node: door, path: .scale, sampler: sampler)
    try writer.add(GLTFAnimation(name: "grow", channels: [scale]))
    try writer.write(to: path)
    // end
  }

  private static func linear() throws {
    // example: Sources/Formats/CSS/CSSLinear.swift
    let easing = try CSSLinear(.bouncy, tolerance: 0.002)
    print("transition: translate \(easing.duration)s \(easing.css);")
    // end
  }
}
