// SPDX-License-Identifier: MIT
import Foundation
import Murmuration
import TestSupport
import Testing

@testable import Formats

struct GLTFWriterTests {
  private typealias Sampler = GLTFAnimation.Sampler

  /// The animations of a file that is written and read.
  private func roundTrip(_ writer: GLTFWriter) throws -> [GLTFAnimation] {
    try GLTFDocument(writer.glb()).animations
  }

  private func writer(_ channels: [(GLTFAnimation.Path, Sampler)]) throws -> GLTFWriter {
    var writer = GLTFWriter()
    var animation = GLTFAnimation(name: "all", channels: [])
    for (index, (path, sampler)) in channels.enumerated() {
      let node = try writer.add(GLTFWriter.Node(name: "n\(index)"))
      animation.channels.append(GLTFAnimation.Channel(node: node, path: path, sampler: sampler))
    }
    try writer.add(animation)
    return writer
  }

  // MARK: - Round trips

  @Test func everyPathAndInterpolationReadsBack() throws {
    let times = [0.25, 0.5, 1.75]
    var channels: [(GLTFAnimation.Path, Sampler)] = []
    for interpolation in GLTFAnimation.Interpolation.allCases {
      let parts = interpolation == .cubicSpline ? 3 : 1
      for (path, width) in [(GLTFAnimation.Path.translation, 3), (.scale, 3), (.weights, 2)] {
        let values = (0..<3 * parts * width).map { index -> Double in Double(Float(index) * 0.1 - 2) }
        channels.append((path, Sampler(interpolation: interpolation, times: times, width: width, values: values)))
      }
      let turns: [[Double]] = [[0, 0, 0, 1], [0, 1, 0, 0], [0.5, 0.5, 0.5, 0.5]]
      let still = [Double](repeating: 0.25, count: 4)
      let values = turns.flatMap { parts == 3 ? still + $0 + still : $0 }
      channels.append((.rotation, Sampler(interpolation: interpolation, times: times, width: 4, values: values)))
    }
    let read = try roundTrip(try writer(channels))
    #expect(read.count == 1 && read[0].name == "all" && read[0].channels.count == 12)
    for (channel, (path, sampler)) in zip(read[0].channels, channels) {
      #expect(channel.path == path && channel.sampler == sampler)
    }
    #expect(read[0].labels.first == "n0.translation.x")
  }

  @Test(arguments: ["Fox.glb", "fox.gltf", "animated_triangle.gltf", "box_animated.gltf", "rigged_simple.gltf"])
  func animationsOfFilesReadBack(_ name: String) throws {
    let document = try GLTFDocument(path: Fixtures.path(name))
    var writer = GLTFWriter()
    for node in document.nodes { try writer.add(GLTFWriter.Node(name: node.name ?? "")) }
    for animation in document.animations { try writer.add(animation) }
    let read = try roundTrip(writer)
    #expect(read.count == document.animations.count)
    for (animation, source) in zip(read, document.animations) {
      #expect(animation.name == source.name && animation.channels.count == source.channels.count)
      for (channel, original) in zip(animation.channels, source.channels) {
        #expect(channel.node == original.node && channel.path == original.path)
        #expect(channel.sampler.times == original.sampler.times)
        #expect(channel.sampler.interpolation == original.sampler.interpolation)
        for (value, exact) in zip(channel.sampler.values, original.sampler.values) {
          // Rotations are made of unit length again.
          #expect(abs(value - exact) <= 0x1p-23 * max(abs(exact), 1e-3))
        }
      }
    }
  }

  // MARK: - Clips

  /// The largest difference between a clip and the file's animation, at many moments but for those next to jumps.
  private func difference(
    _ clip: Clip, _ dimensions: [Int], _ path: GLTFAnimation.Path, avoiding jumps: [Double] = []
  ) throws -> Double {
    let sampler = try Sampler(clip, dimensions: dimensions)
    let animation = try roundTrip(try writer([(path, sampler)]))[0]
    #expect(animation.channels[0].sampler.times == sampler.times)
    var largest = 0.0
    for step in 0...4000 {
      let time = clip.duration * Double(step) / 4000
      if jumps.contains(where: { abs(time - $0) < 1e-6 }) { continue }
      let values = GLTFReference.values(of: animation, at: time)
      for (value, dimension) in zip(values, dimensions) {
        largest = max(largest, abs(value - clip.value(dimension: dimension, at: time)))
      }
    }
    return largest
  }

  @Test func piecesOfSeveralTracksShareTheirKeys() throws {
    let clip = try Clip(
      dimensions: 3, initialValues: [0, 0, -4],
      tracks: [
        PieceTrack(
          components: [0], times: [0, 0.5, 2], pieces: [[SIMD4(1, 2, -3, 4), SIMD4(9, -1, 0.5, 0.25)]],
          boundariesBelongToLater: true),
        PieceTrack(components: [1], times: [0, 0.75], pieces: [[SIMD4(0, 0, 4, -1)]]),
      ])
    let sampler = try Sampler(clip, dimensions: [0, 1, 2])
    // The jump at 0.5 takes the moment before.
    #expect(sampler.times == [0, Double(Float(0.5).nextDown), 0.5, 0.75, 2])
    #expect(try difference(clip, [0, 1, 2], .translation, avoiding: [0.5]) <= 4e-6)
    let doc = try roundTrip(try writer([(.translation, sampler)]))[0]
    #expect(GLTFReference.values(of: doc, at: 0.5)[0] == 9)
    #expect(abs(GLTFReference.values(of: doc, at: 0.4999)[0] - clip.value(dimension: 0, at: 0.4999)) <= 1e-6)
  }

  @Test func stepsAndLinesStaySteps() throws {
    let steps = try Clip(
      dimensions: 1, initialValues: [0],
      tracks: [
        PieceTrack(
          components: [0], times: [0, 0.5, 1, 1], pieces: [[SIMD4(1, 0, 0, 0), SIMD4(2, 0, 0, 0), SIMD4(5, 0, 0, 0)]],
          boundariesBelongToLater: true)
      ])
    let step = try Sampler(steps, dimensions: [0, 0, 0])
    #expect(step.interpolation == .step && step.times == [0, 0.5, 1] && step.values == [1, 1, 1, 2, 2, 2, 5, 5, 5])
    let lines = try Clip(
      dimensions: 1, initialValues: [0],
      tracks: [PieceTrack(components: [0], times: [0, 0.5, 1.5], pieces: [[SIMD4(1, 2, 0, 0), SIMD4(2, -1, 0, 0)]])])
    let line = try Sampler(lines, dimensions: [0])
    #expect(line.interpolation == .linear && line.times == [0, 0.5, 1.5] && line.values == [1, 2, 1])
  }

  @Test func aClipOfAFileIsWrittenAsTheFileMeantIt() throws {
    let document = try GLTFDocument(path: Fixtures.path("Fox.glb"))
    for animation in document.animations {
      let clip = try animation.clip()
      var dimension = 0
      for channel in animation.channels.prefix(12) {
        let width = channel.sampler.width
        // Fitted rotations are within 4 · 10⁻⁷ and are made of unit length; times are float32.
        let bound = channel.path == .rotation ? 1e-5 : 1e-4
        #expect(try difference(clip, Array(dimension..<(dimension + width)), channel.path) <= bound)
        dimension += width
      }
    }
  }

  @Test func aClipWithoutMotionIsOneKey() throws {
    let clip = try Clip(dimensions: 3, initialValues: [1, 2, 3], tracks: [])
    let sampler = try Sampler(clip, dimensions: [2, 1, 0])
    #expect(sampler.times == [0] && sampler.values == [3, 2, 1] && sampler.interpolation == .step)
    #expect(throws: FileError.self) { try Sampler(clip, dimensions: [3]) }
    #expect(throws: FileError.self) { try Sampler(clip, dimensions: [-1]) }
    #expect(throws: FileError.self) { try Sampler(clip, dimensions: []) }
  }

  // MARK: - Refusals

  @Test func keysAtOneTimeStandApart() throws {
    let sampler = Sampler(
      interpolation: .linear, times: [0, 1, 1, 1, 2], width: 3, values: (0..<15).map { Double($0 / 3) })
    let read = try roundTrip(try writer([(.translation, sampler)]))[0].channels[0].sampler
    #expect(read.times == [0, Double(Float(1).nextDown), 1, 2] && read.values == [0, 0, 0, 1, 1, 1, 3, 3, 3, 4, 4, 4])
  }

  @Test func badSamplersAreRefusedWithTheirPlace() throws {
    func reason(_ path: GLTFAnimation.Path, _ sampler: Sampler) -> String {
      do {
        _ = try writer([(path, sampler)])
        return ""
      } catch { return "\(error)" }
    }
    let good = Sampler(interpolation: .linear, times: [0, 1], width: 3, values: [0, 0, 0, 1, 1, 1])
    #expect(reason(.translation, good).isEmpty)
    for (change, words): ((inout Sampler) -> Void, String) in [
      ({ $0.times = [1, 0] }, "key 1: times must ascend"), ({ $0.times = [-1, 0] }, "key 0"),
      ({ $0.times = [0, .nan] }, "key 1"), ({ $0.times = [0, 1e7] }, "key 1"), ({ $0.times = [] }, "0 keys have 6"),
      ({ $0.values[4] = .infinity }, "element 1, component 1"), ({ $0.values.removeLast() }, "2 keys have 5 numbers"),
      ({ $0.width = 4 }, "translation has 3 components"),
      ({ $0.interpolation = .cubicSpline }, "2 keys have 6 numbers"),
    ] {
      var sampler = good
      change(&sampler)
      let text = reason(.translation, sampler)
      #expect(text.hasPrefix("animations[0].channels[0]: ") && text.contains(words), "\(text)")
    }
    let long = Sampler(interpolation: .linear, times: [0], width: 4, values: [0, 0, 0, 2])
    #expect(reason(.rotation, long).contains("a rotation must have length 1, has 2"))
    let none = Sampler(interpolation: .linear, times: [0], width: 0, values: [])
    #expect(!reason(.weights, none).isEmpty)
  }

  @Test func badNodesAndChannelsAreRefused() throws {
    var writer = GLTFWriter()
    #expect(throws: FileError.self) { try writer.glb() }
    #expect(throws: FileError.self) { try writer.add(GLTFWriter.Node(parent: 0)) }
    #expect(throws: FileError.self) { try writer.add(GLTFWriter.Node(translation: [0, .nan, 0])) }
    #expect(throws: FileError.self) { try writer.add(GLTFWriter.Node(rotation: [0, 0, 0, 0])) }
    #expect(throws: FileError.self) { try writer.add(GLTFWriter.Node(box: -1)) }
    #expect(writer.nodes.isEmpty)
    let node = try writer.add(GLTFWriter.Node())
    let sampler = Sampler(interpolation: .step, times: [0], width: 3, values: [0, 0, 0])
    let channel = GLTFAnimation.Channel(node: node, path: .scale, sampler: sampler)
    var other = channel
    other.node = 1
    for channels in [[], [channel, channel], [other]] {
      #expect(throws: FileError.self) { try writer.add(GLTFAnimation(name: "", channels: channels)) }
    }
    var weights = GLTFAnimation.Channel(
      node: node, path: .weights, sampler: Sampler(interpolation: .step, times: [0], width: 2, values: [0, 0]))
    try writer.add(GLTFAnimation(name: "", channels: [weights]))
    weights.sampler = Sampler(interpolation: .step, times: [0], width: 1, values: [0])
    #expect(throws: FileError.self) { try writer.add(GLTFAnimation(name: "", channels: [weights])) }
    #expect(try writer.animations.count == 1 && roundTrip(writer)[0].name == "animations[0]")
  }

  @Test func theTreeOfNodesIsWritten() throws {
    var writer = GLTFWriter()
    let root = try writer.add(GLTFWriter.Node(name: "a \"b\"", translation: [1, 2, 3], box: 0))
    let child = try writer.add(GLTFWriter.Node(parent: root, rotation: [0, 1, 0, 0], scale: [2, 2, 2]))
    let sampler = Sampler(interpolation: .step, times: [0], width: 3, values: [0, 0, 0])
    try writer.add(
      GLTFAnimation(name: "", channels: [GLTFAnimation.Channel(node: child, path: .translation, sampler: sampler)]))
    let nodes = try GLTFDocument(writer.glb()).nodes
    #expect(nodes[0].name == "a \"b\"" && nodes[0].children == [1] && nodes[0].translation == [1, 2, 3])
    #expect(nodes[0].mesh == nil && nodes[1].mesh == 0)
    #expect(nodes[1].rotation == [0, 1, 0, 0] && nodes[1].scale == [2, 2, 2])
  }
}

/// Frames as animations of a `.glb` file, for tracks that are there in some frames only.
struct GLBFrameWriterTests {
  private let times = [0, 0.5, 1, 1.5, 2]
  /// One coordinate of four tracks: there always, born in frame 2, gone in frame 3, and never there. All differ.
  private let there: [[Bool]] = [
    [true, true, true, true, true], [false, false, true, true, true], [true, true, true, false, false],
    [false, false, false, false, false],
  ]

  private func x(_ track: Int, _ frame: Int) -> Float { Float(10 * track + frame + 1) }

  /// The document of a written file. Velocities are 2 in all frames, so that cubics are lines.
  private func document(_ components: [String], velocities: Bool) throws -> GLTFDocument {
    let folder = try TemporaryFolder()
    let path = folder.path("a.glb")
    let count = components.count * (velocities ? 2 : 1)
    var writer = try GLBFrameWriter(
      path, shape: FrameShape(frames: 5, tracks: 4, dimensions: count), components: components,
      hasVelocities: velocities, times: times)
    for frame in 0..<5 {
      for track in 0..<4 {
        var numbers = components.map { $0 == "x" ? x(track, frame) : 2 }
        if velocities { numbers += components.map { $0 == "x" ? 2 : 0 } }
        writer.write(there[track][frame] ? numbers : numbers.map { _ in .nan })
      }
      writer.endFrame()
    }
    try writer.finish()
    return try GLTFDocument(path: path)
  }

  /// A property of a node at a time: what the file animates, or what the node has.
  private func value(_ document: GLTFDocument, _ track: Int, _ path: GLTFAnimation.Path, at time: Double) -> Double {
    let channel = document.animations[0].channels.first { $0.node == track && $0.path == path }
    let rest = path == .scale ? document.nodes[track].scale : document.nodes[track].translation
    return channel.map { GLTFReference.values(of: $0, at: time)[0] } ?? rest?[0] ?? (path == .scale ? 1 : 0)
  }

  @Test(arguments: [["x"], ["x", "scale"]], [false, true])
  func tracksHaveScaleZeroInFramesWithoutThem(_ components: [String], _ velocities: Bool) throws {
    let document = try document(components, velocities: velocities)
    let size = components.count == 2 ? 2.0 : 1
    for track in 0..<4 {
      for frame in 0..<5 {
        let isThere = there[track][frame]
        #expect(value(document, track, .scale, at: times[frame]) == (isThere ? size : 0), "\(track), \(frame)")
        if isThere { #expect(value(document, track, .translation, at: times[frame]) == Double(x(track, frame))) }
        // It does not grow from frame to frame, but appears at its first frame and is there until the first without it.
        #expect(value(document, track, .scale, at: times[frame] + 0.25) == (isThere ? size : 0), "\(track), \(frame)")
      }
    }
    // A viewer that plays nothing shows the first frame.
    for track in 0..<4 { #expect(document.nodes[track].scale == (there[track][0] ? nil : [0, 0, 0])) }
    // A track that is always there gets no further keys.
    let first = document.animations[0].channels.filter { $0.node == 0 }
    #expect(first.count == components.count && first.allSatisfy { $0.sampler.times == times })
  }

  @Test func framesWithoutAnyTrackAreRefused() throws {
    var writer = try GLBFrameWriter(
      "none.glb", shape: FrameShape(frames: 1, tracks: 1, dimensions: 1), components: ["x"], hasVelocities: false,
      times: [0])
    writer.write([.nan])
    do throws(FileError) {
      try writer.finish()
      Issue.record("taken")
    } catch {
      #expect(error.description == "none.glb: no track exists in these frames; bake frames in which some do")
    }
  }
}
