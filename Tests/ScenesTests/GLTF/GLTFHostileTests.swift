// SPDX-License-Identifier: MIT
import Foundation
import Testing

@testable import Formats
@testable import Scenes

struct GLTFHostileTests {
  private func error(_ fixture: GLTFFixture) -> FileError? {
    fileError { try GLTFScene(GLTFDocument(fixture.binary)) }
  }

  /// A file whose only channel has these times.
  private func timed(_ times: [Double]) -> GLTFFixture {
    GLTFFixture("weights", "LINEAR", times, times.map { _ in 1 })
  }

  // MARK: - Keys

  @Test(
    arguments: [
      ([.nan], 0), ([0, .infinity], 1), ([-1, 0], 0), ([0, 2, 1], 2), ([0, 1, .nan, 2], 2), ([0, 2e6], 1),
      ([-Double.leastNonzeroMagnitude, -1e-20], 1),
    ] as [([Double], Int)])
  func timesThatCannotBeAreRefusedWithTheirKey(_ times: [Double], _ key: Int) {
    let error = error(timed(times))
    #expect(error?.place == "animations[0].samplers[0].input: key \(key)", "\(error?.description ?? "accepted")")
    #expect(error?.reason.hasPrefix("times must") == true)
  }

  @Test(
    arguments: [[0], [0, 0], [0, 0, 0], [1, 1], [0, 1, 1, 1, 2], [0, 1e6]] as [[Double]])
  func oneKeyAndEqualTimesAreTaken(_ times: [Double]) {
    #expect(error(timed(times)) == nil)
  }

  @Test(
    arguments: [(Double.nan, 4), (-.infinity, 0), (2e15, 8)])
  func valuesThatCannotBeAreRefusedWithTheirElement(_ value: Double, _ position: Int) {
    var numbers = [Double](repeating: 1, count: 9)
    numbers[position] = value
    let fixture = GLTFFixture("scale", "LINEAR", [0, 1, 2], numbers, "VEC3")
    #expect(
      error(fixture)?.place
        == "animations[0].samplers[0].output: element \(position / 3), component \(position % 3)")
  }

  @Test(arguments: [[0, 0, 0, 0], [0, 0, 0, 2], [1, 1, 1, 1], [0, 0, 0, 0.5]] as [[Double]])
  func rotationsFarFromUnitLengthAreRefused(_ rotation: [Double]) {
    for interpolation in ["STEP", "LINEAR", "CUBICSPLINE"] {
      let zeros: [Double] = interpolation == "CUBICSPLINE" ? [0, 0, 0, 0] : []
      let fixture = GLTFFixture("rotation", interpolation, [0], zeros + rotation + zeros, "VEC4")
      #expect(error(fixture)?.reason.hasPrefix("a rotation must have length 1") == true)
    }
  }

  @Test func aSplineThroughZeroHasNoDirection() {
    for middle in [0.0, 1e-7] {
      let keys: [Double] = [0, 0, 0, 0, 0, 0, 0, 1, middle, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, 0, 0, 0, 0]
      #expect(
        error(GLTFFixture("rotation", "CUBICSPLINE", [0, 1], keys, "VEC4"))?.description
          == "animations[0].channels[0]: key 0: turns too sharply on the way to the next key", "\(middle)")
    }
  }

  @Test
  func keysTooSteepForFloatAreRefusedWithTheirChannel() {
    var keys = [Double](repeating: 0, count: 27)
    keys[22] = 1e15
    let error = error(GLTFFixture("scale", "CUBICSPLINE", [0, 0.25, 0.250_000_03], keys, "VEC3"))
    #expect(error?.place == "animations[0].channels[0]: key 1, component 1", "\(error?.description ?? "accepted")")
    #expect(error?.reason.hasPrefix("is too steep") == true)
  }

  // MARK: - Counts

  @Test(arguments: [
    ([1, 0], 2, 5121, "indices: number 1 must be greater than 1"), ([0, 3], 2, 5121, "indices: number 1 must be"),
    ([1, 1], 2, 5121, "indices: number 1 must be"), ([0, 1], 4, 5121, "sparse.count: must be at most"),
    ([0, 1], 3, 5121, "sparse.indices.count: 3 elements need 3 bytes"), ([0, 1], 2, 5126, "indices.componentType"),
    ([0, 1], 2, 5120, "indices.componentType"), ([0, 1], 2, 5123, "sparse.indices.count: 2 elements need 4 bytes"),
  ])
  func sparseElementsThatCannotBeAreRefused(
    _ indices: [UInt8], _ count: Int, _ type: Int, _ expected: String
  ) {
    var fixture = GLTFFixture()
    let times = fixture.floats([0, 1, 2])
    let (first, second) = (fixture.view(indices), fixture.view([UInt8](repeating: 0, count: 36)))
    let sparse = """
      , "sparse": {"count": \(count), "indices": {"bufferView": \(first), "componentType": \(type)}, \
      "values": {"bufferView": \(second)}}
      """
    fixture.channel("scale", "LINEAR", input: times, output: fixture.accessor(nil, 5126, 3, "VEC3", more: sparse))
    expectRefusal(expected) { try GLTFScene(GLTFDocument(fixture.binary)) }
  }

  // MARK: - Nodes

  // MARK: - Memory

  @Test func zerosWithoutDataAreBounded() {
    for count in [1 << 24 + 1, 1 << 40] {
      var fixture = GLTFFixture()
      let times = fixture.accessor(nil, 5126, count, "SCALAR")
      fixture.channel("weights", "STEP", input: times, output: times)
      #expect(error(fixture)?.reason == "makes more than 16777216 numbers in all")
    }
    // Each of these would do, all together are too many.
    var fixture = GLTFFixture()
    for _ in 0..<40 {
      let input = fixture.accessor(nil, 5126, 1 << 20, "SCALAR")
      fixture.channel("weights", "STEP", input: input, output: input)
    }
    #expect(error(fixture)?.reason.hasSuffix("more than 16777216 numbers in all") == true)
  }

  @Test func piecesAreBounded() {
    // A million keys that a hundred channels share.
    var fixture = GLTFFixture()
    let keys = 1 << 17
    let times = fixture.floats((0..<keys).map(Double.init))
    let values = fixture.accessor(nil, 5126, keys, "VEC3")
    for _ in 0..<40 { fixture.channel("scale", "LINEAR", input: times, output: values) }
    #expect(error(fixture)?.reason == "makes more than 8388608 pieces")
  }

  @Test func componentsAreBounded() {
    var fixture = GLTFFixture()
    let times = fixture.floats([0])
    fixture.channel("weights", "STEP", input: times, output: fixture.accessor(nil, 5126, 70_000, "SCALAR"))
    #expect(error(fixture)?.description == "animations[0].channels: have 70000 components; 4096 is the limit")
  }
}
