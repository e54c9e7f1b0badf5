// SPDX-License-Identifier: MIT
@testable import Formats
import Foundation
import Murmuration
import TestSupport
import Testing

@testable import Scenes

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
        #expect(clip.dimensions == animation.components)
        #expect(clip.duration == animation.duration)
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

  @Test func stepsShowTheLaterKeyAtItsTime() throws {
    let fixture = GLTFFixture("weights", "STEP", [0.5, 1, 2], [3, 4, 5])
    let clip = try GLTFScene(GLTFDocument(fixture.binary)).parts[0].clip
    let shown = [0, 0.5, 1.0.nextDown, 1, 2.0.nextDown, 2, 3].map { clip.value(dimension: 0, at: $0) }
    #expect(shown == [3, 3, 3, 4, 4, 5, 5])
  }

  @Test("The last of several keys at one time wins") func ofKeysAtOneTimeTheLastWins() throws {
    let fixture = GLTFFixture("weights", "LINEAR", [0, 0, 1, 1, 1, 2, 2], [9, 1, 2, 7, 4, 5, 6])
    let clip = try GLTFScene(GLTFDocument(fixture.binary)).parts[0].clip
    for (time, expected) in [(0, 1), (0.5, 1.5), (1.0.nextDown, 2), (1, 4), (1.5, 4.5), (2.0.nextDown, 5), (2, 6)] {
      #expect(abs(clip.value(dimension: 0, at: time) - expected) < 1e-12, "\(time)")
    }
    #expect(clip.value(dimension: 0, at: 100) == 6)
  }

  @Test("Channels of other length hold their ends") func channelsOfOtherLengthHoldTheirEnds() throws {
    var fixture = GLTFFixture()
    let short = fixture.floats([1, 2])
    let long = fixture.floats([0, 4])
    fixture.channel("weights", "LINEAR", input: short, output: fixture.floats([10, 20]))
    fixture.channel("weights", "STEP", input: short, output: fixture.floats([1, 2]))
    fixture.channel("weights", "LINEAR", input: long, output: fixture.floats([0, 8]))
    let clip = try GLTFScene(GLTFDocument(fixture.binary)).parts[0].clip
    #expect(clip.duration == 4)
    #expect([0, 1, 1.5, 2, 3, 4].map { clip.value(dimension: 0, at: $0) } == [10, 10, 15, 20, 20, 20])
    #expect([0, 1.5, 2, 3, 4].map { clip.value(dimension: 1, at: $0) } == [1, 1, 2, 2, 2])
    #expect(clip.value(dimension: 2, at: 3) == 6)
  }

  @Test func channelsOfTheSameTimesShareATrack() throws {
    let document = try GLTFDocument(GLTFFixture.small().binary)
    #expect(try GLTFScene(document).parts[0].clip.tracks.map(\.components) == [Array(0..<7)])
    let apart = try GLTFScene(document, sharedPieces: 0).parts[0].clip
    #expect(apart.tracks.map(\.components) == [Array(0..<3), Array(3..<7)])
    // The translation needs a piece for each pair of keys and one before them; the rotation more.
    #expect(apart.tracks[0].times == [0, 0.25, 0.5, 1.25])
    #expect(apart.tracks[1].times.count > 4)
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
