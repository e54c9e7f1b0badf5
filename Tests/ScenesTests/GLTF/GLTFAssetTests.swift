// SPDX-License-Identifier: MIT
@testable import Formats
import Foundation
import Murmuration
import TestSupport
import Testing

@testable import Scenes

/// Real files.
struct GLTFAssetTests {
  private func scene(_ name: String) throws -> GLTFScene { try GLTFScene(path: Fixtures.path(name)) }

  @Test(arguments: [
    ("animated_triangle.gltf", 1, 1, 5), ("box_animated.gltf", 1, 2, 6), ("rigged_simple.gltf", 1, 3, 150),
    ("fox.gltf", 3, 63, 2646), ("Fox.glb", 3, 63, 2646),
  ])
  func everyFileIsRead(_ name: String, _ clips: Int, _ channels: Int, _ keys: Int) throws {
    let parts = try scene(name).parts
    #expect(parts.count == clips)
    #expect(parts.reduce(0) { $0 + $1.animation.channels.count } == channels)
    #expect(parts.reduce(0) { $1.animation.channels.reduce($0) { $0 + $1.sampler.times.count } } == keys)
    #expect(parts.allSatisfy { $0.labels.count == $0.clip.dimensions })
  }

  @Test func bothFoxesAreTheSame() throws {
    let (text, binary) = (try scene("fox.gltf"), try scene("Fox.glb"))
    #expect(text.parts.map(\.name) == ["Survey", "Walk", "Run"])
    for (left, right) in zip(text.parts, binary.parts) {
      #expect(left.labels == right.labels)
      #expect(left.clip.tracks == right.clip.tracks)
    }
  }

  @Test(arguments: ["animated_triangle.gltf", "box_animated.gltf", "rigged_simple.gltf", "fox.gltf", "Fox.glb"])
  func clipsFollowTheSpecification(_ name: String) throws {
    for part in try scene(name).parts {
      var worst = 0.0
      let end = part.clip.duration
      let keys = part.animation.channels.flatMap(\.sampler.times)
      for time in keys + (0...500).map({ Double($0) / 500 * (end + 0.1) }) {
        let expected = GLTFReference.values(of: part.animation, at: time)
        for (dimension, value) in expected.enumerated() {
          let error = abs(part.clip.value(dimension: dimension, at: time) - value)
          #expect(error <= part.clip.report.valueErrorBounds[dimension] + 1e-13 * (1 + abs(value)))
          worst = max(worst, error)
        }
      }
      #expect(worst <= GLTFAnimation.rotationTolerance, "\(part.name): \(worst)")
    }
  }

  /// Coefficients and arithmetic in Float, as batches have them.
  @Test(arguments: ["animated_triangle.gltf", "box_animated.gltf", "rigged_simple.gltf", "fox.gltf"])
  func rotationsInFloatStayWithinAMillionth(_ name: String) throws {
    for part in try scene(name).parts {
      var worst = 0.0
      for step in 0...300 {
        let time = Double(step) / 300 * part.clip.duration
        let expected = GLTFReference.values(of: part.animation, at: time)
        var squares = [Double](repeating: 0, count: expected.count)
        for track in part.clip.tracks {
          let piece = track.times.dropLast().lastIndex { $0 <= time } ?? 0
          let u = Float(time - track.times[piece])
          for (component, dimension) in track.components.enumerated() {
            let c = SIMD4<Float>(track.pieces[component][piece])
            let value = c.x.addingProduct(u, c.y.addingProduct(u, c.z.addingProduct(u, c.w)))
            squares[dimension] = (Double(value) - expected[dimension]) * (Double(value) - expected[dimension])
          }
        }
        var dimension = 0
        for channel in part.animation.channels {
          let range = dimension..<(dimension + channel.sampler.width)
          // The angle between two rotations is twice that between their vectors.
          if channel.path == .rotation { worst = max(worst, 2 * squares[range].reduce(0, +).squareRoot()) }
          dimension = range.upperBound
        }
      }
      #expect(worst < 1e-6, "\(part.name): \(worst)")
    }
  }

  @Test func firstKeysAfterTheStartHold() throws {
    let part = try #require(try scene("rigged_simple.gltf").parts.first)
    #expect(part.clip.value(dimension: 2, at: 0) == part.clip.value(dimension: 2, at: 0.04))
    #expect(abs(part.clip.value(dimension: 2, at: 0) - 4.187077) < 1e-6)
  }

  /// Files damaged at random give errors or finite values.
  @Test func damagedFilesAreRefusedOrFinite() throws {
    for name in ["box_animated.gltf", "animated_triangle.gltf"] {
      let bytes = try FileBytes.read(Fixtures.path(name), limit: 1 << 20)
      var random = SplitMix64(seed: 3)
      for _ in 0..<500 {
        var damaged = bytes
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          damaged[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0x20...0x7E, using: &random)
        }
        do {
          for part in try GLTFScene(GLTFDocument(damaged)).parts {
            let values = (0..<part.clip.dimensions).map { part.clip.value(dimension: $0, at: part.clip.duration / 3) }
            #expect(values.allSatisfy { $0.isFinite })
          }
        } catch {
          #expect(!error.reason.isEmpty)
        }
      }
    }
  }
}
