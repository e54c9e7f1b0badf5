// SPDX-License-Identifier: MIT
import Foundation
import Murmuration
import TestSupport
import Testing

@testable import Formats
@testable import Scenes

/// The reference against numbers worked out by hand from the specification's formulas.
struct GLTFReferenceTests {
  private func channel(
    _ path: GLTFAnimation.Path, _ interpolation: GLTFAnimation.Interpolation, _ times: [Double], _ values: [Double],
    width: Int
  ) -> GLTFAnimation.Channel {
    let sampler = GLTFAnimation.Sampler(interpolation: interpolation, times: times, width: width, values: values)
    return GLTFAnimation.Channel(index: 0, node: 0, nodeName: "n", path: path, sampler: sampler)
  }

  /// The last one has keys 1 and 3, two seconds apart, leaving at 4 a second and arriving at −2 a second. Half way:
  /// (1 + 3)/2 + 2·(4 − (−2))/8 = 3.5; a quarter: 0.84375·1 + 2·0.140625·4 + 0.15625·3 + 2·(−0.046875)·(−2) = 2.625.
  @Test(
    arguments: [
      (.linear, [1, 2, 4], [1, 3, 8], [(-1, 1), (0, 1), (1, 1), (1.5, 2), (2, 3), (4, 8), (9, 8)]),
      // Of several keys at one time the last one wins.
      (
        .linear, [0, 0, 1, 1, 1, 2, 2], [9, 1, 2, 7, 4, 5, 6], [(0, 1), (0.5, 1.5), (1, 4), (1.5, 4.5), (2, 6), (9, 6)]
      ),
      (.step, [1, 2, 4], [1, 3, 8], [(0, 1), (1.999, 1), (2, 3), (3.99, 3), (4, 8), (5, 8)]),
      (.cubicSpline, [0, 2], [99, 1, 4, -2, 3, 99], [(0, 1), (0.5, 2.625), (1, 3.5), (2, 3), (9, 3)]),
    ] as [(GLTFAnimation.Interpolation, [Double], [Double], [(Double, Double)])])
  func linesStepsAndSplines(
    _ interpolation: GLTFAnimation.Interpolation, _ times: [Double], _ values: [Double], _ shown: [(Double, Double)]
  ) {
    let weight = channel(.weights, interpolation, times, values, width: 1)
    for (time, expected) in shown { #expect(GLTFReference.values(of: weight, at: time) == [expected], "at \(time)") }
  }

  /// A turn of 120° about z from 0: a third of it is 40°, whose half has the sine and cosine of 20°.
  @Test func greatCircles() {
    let half = 0.8660254037844386
    for sign in [1.0, -1] {
      let turn = channel(.rotation, .linear, [0, 3], [0, 0, 0, 1, 0, 0, sign * half, sign * 0.5], width: 4)
      let value = GLTFReference.values(of: turn, at: 1)
      #expect(abs(value[2] - 0.3420201433256687) < 1e-15 && abs(value[3] - 0.9396926207859084) < 1e-15)
    }
  }

  /// Half way between x and y with no tangents lies (½, ½, 0, 0), of length √½.
  @Test func splinesOfRotationsAreNormalised() {
    let zeros: [Double] = [0, 0, 0, 0]
    let values: [Double] = zeros + [1, 0, 0, 0] + zeros + zeros + [0, 1, 0, 0] + zeros
    let turn = channel(.rotation, .cubicSpline, [0, 1], values, width: 4)
    let value = GLTFReference.values(of: turn, at: 0.5)
    #expect(abs(value[0] - 0.7071067811865476) < 1e-15 && abs(value[1] - 0.7071067811865476) < 1e-15)
  }
}

struct GLTFClipTests {
  /// A clip and its source, of random keys.
  private func random(_ seed: UInt64) throws -> GLTFAnimation {
    var random = SplitMix64(seed: seed)
    var fixture = GLTFFixture()
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let keys = Int.random(in: 1...9, using: &random)
      var times: [Double] = []
      var time = Bool.random(using: &random) ? 0 : Double.random(in: 0...2, using: &random)
      for _ in 0..<keys {
        times.append(time)
        if Int.random(in: 0..<4, using: &random) > 0 { time += Double.random(in: 0.001...1, using: &random) }
      }
      let input = fixture.floats(times)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let path = ["translation", "rotation", "scale", "weights"][Int.random(in: 0..<4, using: &random)]
        let mode = ["STEP", "LINEAR", "CUBICSPLINE"][Int.random(in: 0..<3, using: &random)]
        let output = output(path, mode, keys: keys, fixture: &fixture, random: &random)
        fixture.channel(path, mode, input: input, output: output)
      }
    }
    return try GLTFDocument(fixture.binary).animations[0]
  }

  private func output(
    _ path: String, _ mode: String, keys: Int, fixture: inout GLTFFixture, random: inout SplitMix64
  ) -> Int {
    let parts = mode == "CUBICSPLINE" ? 3 : 1
    guard path == "rotation" else {
      let width = path == "weights" ? Int.random(in: 1...5, using: &random) : 3
      let numbers = (0..<(keys * parts * width)).map { _ in Double.random(in: -10...10, using: &random) }
      return fixture.floats(numbers, path == "weights" ? "SCALAR" : "VEC3")
    }
    var numbers: [Double] = []
    var previous = [0.0, 0, 0, 1]
    for _ in 0..<keys {
      // A spline's keys stay near each other, so that it does not come near zero; its tangents are moderate.
      let reach = parts == 3 ? 0.4 : 2.0
      let moved = previous.map { $0 + Double.random(in: -reach...reach, using: &random) }
      let length = moved.reduce(0) { $0 + $1 * $1 }.squareRoot()
      previous = moved.map { $0 / length }
      let tangents = (0..<8).map { _ in Double.random(in: -0.5...0.5, using: &random) }
      numbers += parts == 3 ? tangents[..<4] + previous + tangents[4...] : previous[...]
    }
    return fixture.floats(numbers, "VEC4")
  }

  /// The times to compare at: each key and its neighbours, times between, and outside.
  private func times(of animation: GLTFAnimation, random: inout SplitMix64) -> [Double] {
    let keys = animation.channels.flatMap(\.sampler.times)
    let end = animation.duration
    let between = (0..<200).map { _ in Double.random(in: 0...max(end, 1e-3), using: &random) }
    return keys + keys.map(\.nextUp) + keys.filter { $0 > 0 }.map(\.nextDown) + between + [0, end, end + 1, 1e9, -1]
  }

  @Test(arguments: 0..<UInt64(Effort.draws(quick: 20, soak: 40)))
  func clipsFollowTheSpecificationWithinTheirBound(_ seed: UInt64) throws {
    let animation = try random(seed)
    var random = SplitMix64(seed: seed ^ 77)
    let samples = times(of: animation, random: &random).map { time in
      (time: max(0, time), values: GLTFReference.values(of: animation, at: max(0, time)))
    }
    for sharedPieces in [0, GLTFAnimation.sharedPieces, .max] {
      for tolerance in [GLTFAnimation.rotationTolerance, 0x1p-10, 0x1p-32] {
        var spare = GLTFAnimation.pieceLimit
        let clip = try animation.clip(tolerance: tolerance, sharedPieces: sharedPieces, spare: &spare)
        #expect(clip.dimensions == animation.components && clip.duration == animation.duration)
        #expect(GLTFAnimation.pieceLimit - spare == clip.tracks.reduce(0) { $0 + pieces($1) })
        for (time, expected) in samples {
          for (dimension, value) in expected.enumerated() {
            let bound = clip.report.valueErrorBounds[dimension]
            // The reference rounds too.
            let error = abs(clip.value(dimension: dimension, at: time) - value)
            #expect(error <= bound + 1e-13 * (1 + abs(value)), "\(seed): dimension \(dimension) at \(time): \(error)")
          }
        }
        #expect(clip.report.valueErrorBound <= tolerance + 1e-12)
      }
    }
  }

  private func pieces(_ track: PieceTrack) -> Int { track.components.count * (track.times.count - 1) }

  @Test(arguments: 100..<130 as Range<UInt64>)
  func velocitiesFollowTheSpecificationWithinTheirBound(_ seed: UInt64) throws {
    let animation = try random(seed)
    var spare = GLTFAnimation.pieceLimit
    let clip = try animation.clip(tolerance: 0x1p-12, spare: &spare)
    let keys = animation.channels.flatMap(\.sampler.times)
    var random = SplitMix64(seed: seed)
    let step = 0x1p-20
    for _ in 0..<200 {
      let time = Double.random(in: 0...max(animation.duration, 1e-3), using: &random)
      guard !keys.contains(where: { abs($0 - time) < 1e-3 }) else { continue }
      let (before, after) = (
        GLTFReference.values(of: animation, at: time - step), GLTFReference.values(of: animation, at: time + step)
      )
      for dimension in before.indices {
        let expected = (after[dimension] - before[dimension]) / (2 * step)
        let error = abs(clip.velocity(dimension: dimension, at: time) - expected)
        // A difference of values tells a velocity to about their rounding over the step.
        let bound = clip.report.velocityErrorBounds[dimension] + 2e-7 * (1 + abs(expected))
        #expect(error <= bound, "\(seed): dimension \(dimension) at \(time): \(error)")
      }
    }
  }

  // MARK: - Single kinds

  @Test func channelsOfTheSameTimesShareATrack() throws {
    let document = try GLTFDocument(GLTFFixture.small().binary)
    #expect(try GLTFScene(document).parts[0].clip.tracks.map(\.components) == [Array(0..<7)])
    let apart = try GLTFScene(document, sharedPieces: 0).parts[0].clip
    #expect(apart.tracks.map(\.components) == [Array(0..<3), Array(3..<7)])
    // The translation needs a piece for each pair of keys and one before them; the rotation more.
    #expect(apart.tracks[0].times == [0, 0.25, 0.5, 1.25] && apart.tracks[1].times.count > 4)
    #expect(apart.tracks.allSatisfy { $0.boundariesBelongToLater })
  }

  @Test func tracksStayWithinTheSharedPieces() throws {
    // Six rotations, each of which turns far in another second: 5 + 3 pieces each, 6 + 2n for n of them together.
    var fixture = GLTFFixture()
    let times = fixture.floats((0...6).map(Double.init))
    for far in 0..<6 {
      let turns = (0...6).flatMap { key -> [Double] in key > far ? [0.6, 0, 0, 0.8] : [0, 0, 0, 1] }
      fixture.channel("rotation", "LINEAR", input: times, output: fixture.floats(turns, "VEC4"))
    }
    let document = try GLTFDocument(fixture.binary)
    for (limit, expected) in [(0, [8, 8, 8, 8, 8, 8]), (10, [10, 10, 10]), (17, [16, 8]), (32, [18])] {
      let tracks = try GLTFScene(document, tolerance: 1e-6, sharedPieces: limit).parts[0].clip.tracks
      let counts = tracks.map { $0.times.count - 1 }
      #expect(counts == expected, "\(limit)")
      #expect(tracks.flatMap(\.components).sorted() == Array(0..<24))
    }
  }

  @Test func aQuarterTurnTakesThePiecesThatTheToleranceAsksFor() throws {
    // Half a turn: a right angle between the four-dimensional vectors.
    let fixture = GLTFFixture("rotation", "LINEAR", [0, 1], [0, 0, 0, 1, 1, 0, 0, 0], "VEC4")
    let document = try GLTFDocument(fixture.binary)
    for (tolerance, expected) in [(0x1p-10, 2), (0x1p-16, 4), (0x1p-21, 9)] {
      let clip = try GLTFScene(document, tolerance: tolerance).parts[0].clip
      #expect(clip.tracks[0].times.count - 1 == expected)
    }
    #expect(fileError { try GLTFScene(document, tolerance: 0) } != nil)
    #expect(fileError { try GLTFScene(document, tolerance: .nan) } != nil)
  }
}

/// Real files.
struct GLTFAssetTests {
  private func scene(_ name: String) throws -> GLTFScene { try GLTFScene(path: Fixtures.path(name)) }

  @Test(arguments: [
    ("animated_triangle.gltf", 1, 1, 5), ("box_animated.gltf", 1, 2, 6), ("rigged_simple.gltf", 1, 3, 150),
    ("fox.gltf", 3, 63, 2646), ("Fox.glb", 3, 63, 2646),
  ])
  func everyFileIsRead(_ name: String, _ clips: Int, _ channels: Int, _ keys: Int) throws {
    let parts = try scene(name).parts
    #expect(parts.count == clips && parts.reduce(0) { $0 + $1.animation.channels.count } == channels)
    #expect(parts.reduce(0) { $1.animation.channels.reduce($0) { $0 + $1.sampler.times.count } } == keys)
    #expect(parts.allSatisfy { $0.labels.count == $0.clip.dimensions })
  }
}
