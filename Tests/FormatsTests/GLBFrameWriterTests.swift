// SPDX-License-Identifier: MIT
@testable import Formats
import Foundation
import Testing

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
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).glb").path
    defer { try? FileManager.default.removeItem(atPath: path) }
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
