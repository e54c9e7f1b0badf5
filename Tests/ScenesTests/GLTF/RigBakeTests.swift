// SPDX-License-Identifier: MIT
import Murmuration
import Rigs
import TestSupport
import Testing

@testable import Formats
@testable import Scenes

/// Bakes of glTF files as `.glb`.
struct RigBakeTests {
  private func baked(
    _ document: GLTFDocument, fps: Double, frames: Range<Int>, velocities: Bool
  ) throws -> GLTFDocument {
    let rigs = RigFile(try GLTFScene(document))
    let writer = try rigs.baked(
      at: frames.map { Double($0) / fps }, before: Double(frames.upperBound) / fps, velocities: velocities,
      kernels: KernelSet.selected
    ) { false }
    return try GLTFDocument(writer.glb())
  }

  /// The parent of a node by name, and its transform at rest.
  private func tree(_ document: GLTFDocument) throws -> [String: (parent: String, node: NodeHierarchy.Node)] {
    let nodes = try document.hierarchy().nodes
    let names = document.nodes.enumerated().map { $1.name ?? "" }
    return Dictionary(
      zip(names, nodes.map { ($0.parent.map { names[$0] } ?? "", $0) }), uniquingKeysWith: { first, _ in first })
  }

  @Test(
    arguments: ["fox.gltf", "Fox.glb", "box_animated.gltf", "rigged_simple.gltf", "animated_triangle.gltf"],
    [false, true])
  func aBakeShowsTheFileAtItsFrames(_ name: String, _ velocities: Bool) throws {
    let document = try GLTFDocument(path: Fixtures.path(name))
    let read = try baked(document, fps: 60, frames: 0..<600, velocities: velocities)
    let (trees, readTrees) = (try tree(document), try tree(read))
    #expect(trees.count == readTrees.count)
    for (name, (parent, node)) in trees {
      let other = try #require(readTrees[name])
      var same = other.node
      same.parent = node.parent
      #expect(other.parent == parent && same == node, "\(name)")
    }
    #expect(read.animations.map(\.name) == document.animations.map(\.name))
    #expect(read.animations.map(\.labels) == document.animations.map(\.labels))
    for (old, new) in zip(document.animations, read.animations) {
      #expect(abs(new.duration - min(old.duration, 10)) < 1e-6)
      for (channel, other) in zip(old.channels, new.channels) {
        let size = channel.sampler.values.reduce(1) { max($0, abs($1)) }
        for time in other.sampler.times {
          let (exact, shown) = (GLTFReference.values(of: channel, at: time), GLTFReference.values(of: other, at: time))
          // A rotation has two signs. Times are rounded to float32.
          let sign: Double = channel.path == .rotation && zip(exact, shown).reduce(0) { $0 + $1.0 * $1.1 } < 0 ? -1 : 1
          #expect(zip(exact, shown).allSatisfy { abs($0 - sign * $1) <= 3e-5 * size }, "\(channel.nodeName) \(time)")
        }
      }
    }
  }

  /// A matrix stays, steps stay steps, weights keep their number, and a part of the frames begins at 0.
  @Test func matricesStepsAndWeightsAreKept() throws {
    var fixture = GLTFFixture()
    let times = fixture.floats([0, 0.5, 1])
    fixture.channel("weights", "STEP", input: times, output: fixture.floats([0, 1, 2, 3, 4, 5]))
    fixture.channel("translation", "LINEAR", input: times, output: fixture.floats([0, 0, 0, 1, 2, 3, 0, 0, 0], "VEC3"))
    let matrix = "[0, 0, 2, 0, 0, 1, 0, 0, -1, 0.5, 0, 0, 7, 8, 9, 1]"
    fixture.nodes[0] = "{\"name\": \"face\", \"children\": [2]}"
    fixture.nodes.append("{\"name\": \"hinge\", \"children\": [1], \"matrix\": \(matrix)}")
    let document = try GLTFDocument(fixture.binary)
    let read = try baked(document, fps: 8, frames: 3..<9, velocities: true)
    let trees = try tree(read)
    #expect(trees["hinge"]?.node.matrix == [0, 0, 2, 0, 0, 1, 0, 0, -1, 0.5, 0, 0, 7, 8, 9, 1])
    #expect(trees["hinge"]?.parent == "face" && trees["n1"]?.parent == "hinge")
    let channels = read.animations[0].channels
    #expect(channels.map(\.sampler.interpolation) == [.step, .cubicSpline])
    #expect(channels[0].sampler.times == [0, 0.125, 0.25, 0.375, 0.5, 0.625])
    #expect(channels[0].sampler.values == [0, 1, 2, 3, 2, 3, 2, 3, 2, 3, 4, 5])
    // At 3/8 s: three quarters of the way.
    #expect(channels[1].sampler.values[3..<6] == [0.75, 1.5, 2.25] && channels[1].sampler.values[..<3] == [2, 4, 6])
  }

  /// Frames have the values of each animation at their times, and of its end after it; the other components are absent.
  @Test(arguments: [false, true]) func framesShowEachAnimationOnce(_ velocities: Bool) throws {
    let rigs = RigFile(try GLTFScene(path: Fixtures.path("Scenes/two.gltf")))
    let times = (0..<200).map { Double($0) / 16 }
    let frames = try rigs.frames(at: times, velocities: velocities, kernels: KernelSet.selected) { false }
    let (count, width) = (rigs.parts.count, rigs.labels.count * (velocities ? 2 : 1))
    #expect(count == 2 && frames.count == times.count * count * width)
    for (track, part) in rigs.parts.enumerated() {
      #expect(part.clip.duration < times[199])
      for (frame, time) in times.enumerated() {
        let row = frames[(frame * count + track) * width..<(frame * count + track + 1) * width]
        var expected = [Float](repeating: .nan, count: width)
        for (dimension, column) in rigs.columns[track].enumerated() {
          expected[column] = Float(part.clip.value(dimension: dimension, at: min(time, part.clip.duration)))
          guard velocities else { continue }
          let speed = part.clip.velocity(dimension: dimension, at: time)
          expected[rigs.labels.count + column] = time > part.clip.duration ? 0 : Float(speed)
        }
        let isClose = zip(row, expected).allSatisfy { $0.isNaN && $1.isNaN || abs($0 - $1) <= 1e-4 * max(1, abs($1)) }
        #expect(isClose, "\(track), \(time): \(row), \(expected)")
      }
    }
  }

  /// A file's steps at the frames of its program, as float32, are in the same frames of a bake, and the last one is its end.
  @Test(arguments: [24.0, 25, 30, 60, 23.976]) func stepsAtFramesStayInTheirFrames(_ fps: Double) throws {
    for last in [3, 99, 199] {
      let times = (0...last).map { Double($0) / fps }
      let numbers = (0...last).flatMap { frame -> [Double] in [Double(frame), 0, 1] }
      let document = try GLTFDocument(GLTFFixture("translation", "STEP", times, numbers, "VEC3").binary)
      let read = try baked(document, fps: fps, frames: 0..<last, velocities: false)
      let sampler = read.animations[0].channels[0].sampler
      #expect(sampler.values == numbers && sampler.times == times.map { Double(Float($0)) }, "\(last)")
    }
  }

  @Test func whatNodesCannotShowIsRefused() throws {
    var fixture = GLTFFixture("scale", "STEP", [0], [1, 1, 1], "VEC3")
    fixture.nodes[0] = "{\"matrix\": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]}"
    expectRefusal("moves scale of a node with a matrix") {
      _ = try baked(GLTFDocument(fixture.binary), fps: 10, frames: 0..<2, velocities: false)
    }
    fixture.nodes[0] = "{\"children\": [0]}"
    expectRefusal("stands below itself") {
      _ = try baked(GLTFDocument(fixture.binary), fps: 10, frames: 0..<2, velocities: false)
    }
    var writer = GLTFWriter()
    for matrix in [[], [Float](repeating: 1, count: 16), [Float](repeating: 1, count: 12) + [.nan, 0, 0, 1]] {
      var node = GLTFWriter.Node()
      node.matrix = matrix
      #expect(fileError { try writer.add(node) } != nil)
    }
    #expect(writer.nodes.isEmpty)
  }
}
