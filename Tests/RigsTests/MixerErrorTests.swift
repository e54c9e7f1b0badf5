// SPDX-License-Identifier: MIT
import Foundation
import Murmuration
import Testing

@testable import Rigs

/// A mixer refuses unusable arguments with a reason, before it writes anything.
struct MixerErrorTests {
  private static let layer = MixerLayer(.additive, trackCount: 2, shapes: [1, 2, 3, 4, 5, 6], isWeighted: true)

  private func expect(
    _ error: MatrixError, base: [Float] = [0, 0, 0], _ layer: MixerLayer = layer, instances: Int = 4,
    _ change: (inout MixerLayer) -> Void = { _ in }
  ) {
    var layer = layer
    change(&layer)
    #expect(throws: error) { _ = try Mixer(base: base, layers: [layer], instances: instances) }
  }

  @Test func layersAreChecked() {
    expect(.wrongCount(of: "shapes", expected: 6, got: 5)) { $0.shapes.removeLast() }
    for count in [-1, 1 << 40] { expect(.invalidSize(of: "tracks", count)) { $0.trackCount = count } }
    expect(.wrongCount(of: "shapes", expected: 3 * Int(Int32.max), got: 6)) { $0.trackCount = Int(Int32.max) }
    expect(.wrongCount(of: "layer base", expected: 3, got: 1)) { $0.base = [1] }
    expect(.wrongCount(of: "mask", expected: 3, got: 4)) { $0.mask = [1, 1, 1, 1] }
    for value in [-0.001, 1.001, Float.infinity] {
      expect(.invalidMask(index: 2, value: value)) { $0.mask = [0, 1, value] }
    }
    for value in [Float.infinity, -Float.infinity, 2e15] {
      expect(.invalidValue(of: "shape value", index: 4, value: value)) { $0.shapes[4] = value }
      expect(.invalidValue(of: "layer base value", index: 1, value: value)) { $0.base = [0, value, 0] }
      expect(.invalidValue(of: "base value", index: 2, value: value), base: [0, 0, value])
    }
    // NaN is unequal to itself, and so is its error.
    for change: (inout MixerLayer) -> Void in [{ $0.mask = [0, .nan, 1] }, { $0.base = [0, .nan, 0] }] {
      var layer = Self.layer
      change(&layer)
      #expect(throws: MatrixError.self) { _ = try Mixer(base: [0, 0, 0], layers: [layer], instances: 1) }
    }
  }

  /// Sizes past Int32, and past memory, are refused without an allocation of them.
  @Test func sizesAreChecked() {
    for size in [-1, 1 << 31, Int.max, Int.min] {
      expect(.invalidSize(of: "instances", size), instances: size)
    }
    let many = MixerLayer(.additive, trackCount: 20, shapes: [Float](repeating: 1, count: 20))
    #expect(throws: MatrixError.invalidSize(of: "input columns", 20 * (1 << 30 + 32))) {
      _ = try Mixer(base: [0], layers: [many], instances: 1 << 30)
    }
    // The number of tracks is limited by memory even if the tracks have no shapes.
    let empty = MixerLayer(.additive, trackCount: Int(Int32.max), shapes: [])
    expect(.invalidSize(of: "input columns", Int(Int32.max) * 33), base: [], empty, instances: 1)
  }

  @Test("Soft weighted overrides over each other are refused before they fill the memory")
  func tooManyTerms() throws {
    let mask = (0..<100).map { Float($0 % 7) / 7 }
    let layer = MixerLayer(
      .override, trackCount: 1, shapes: [Float](repeating: 1, count: 100), mask: mask, isWeighted: true)
    let base = [Float](repeating: 1, count: 100)
    #expect(try Mixer(base: base, layers: [layer, layer, layer, layer], instances: 1).termCount < 1_000)
    #expect {
      _ = try Mixer(base: base, layers: [MixerLayer](repeating: layer, count: 40), instances: 1)
    } throws: { error in
      guard case .invalidSize(of: "terms", let count) = error as? MatrixError else { return false }
      return count < 100_000
    }
  }

  @Test func inputsAreCheckedAndNothingChanges() throws {
    var mixer = try Mixer(base: [0, 0, 0], layers: [Self.layer], instances: 3)
    let good: [Float] = [1, 2, 3, 1, 2, 3, 1, 1, 1]
    try mixer.set(0..<3, of: 0..<3, to: good.span)
    let before = try written(9) { try mixer.mix(into: &$0) }
    for value in [Float.nan, Float.infinity, -Float.infinity, 1.1e15] {
      for place in 0..<9 {
        var bad = [Float](repeating: 7, count: 9)
        bad[place] = value
        let error = #expect(throws: MatrixError.self) { try mixer.set(0..<3, of: 0..<3, to: bad.span) }
        if case .invalidValue(_, let index, _) = error {
          #expect(index == place)
        } else {
          Issue.record("\(String(describing: error))")
        }
      }
    }
    func expect(
      _ error: MatrixError, _ columns: Range<Int> = 0..<3, of instances: Range<Int> = 0..<3, count: Int = 9,
      stride: Int? = nil
    ) {
      #expect(throws: error) {
        try mixer.set(columns, of: instances, to: good.span.extracting(0..<count), stride: stride)
      }
    }
    expect(.wrongCount(of: "inputs", expected: 9, got: 8), count: 8)
    expect(.invalidStride(of: "inputs", atLeast: 3, got: 2), stride: 2)
    expect(.invalidSize(of: "input stride", 1 << 40), stride: 1 << 40)
    expect(.outOfRange("input column", 3, count: 3), 1..<4)
    expect(.outOfRange("input column", -1, count: 3), -1..<2)
    expect(.outOfRange("instance", 3, count: 3), of: 0..<4)
    expect(.outOfRange("instance", -2, count: 3), of: -2..<1)
    #expect(throws: MatrixError.outOfRange("layer", 1, count: 1)) { _ = try mixer.trackColumns(ofLayer: 1) }
    #expect(throws: MatrixError.outOfRange("layer", -1, count: 1)) { _ = try mixer.weightColumn(ofLayer: -1) }
    let after = try written(9) { try mixer.mix(into: &$0) }
    #expect(before == after)
  }

  @Test func outputsAreCheckedAndNotWritten() throws {
    var mixer = try Mixer(base: [0, 0, 0], layers: [Self.layer], instances: 3)
    var result = [Float](repeating: 9, count: 9)
    func expect(_ error: MatrixError, _ instances: Range<Int>? = nil, stride: Int? = nil) {
      #expect(throws: error) {
        var span = result.mutableSpan
        try mixer.mix(instances, into: &span, stride: stride)
      }
    }
    expect(.wrongCount(of: "outputs", expected: 11, got: 9), stride: 4)
    expect(.invalidStride(of: "outputs", atLeast: 3, got: 2), stride: 2)
    for stride in [1 << 31, Int.max] { expect(.invalidSize(of: "output stride", stride), stride: stride) }
    expect(.outOfRange("instance", 3, count: 3), 1..<4)
    for range in [Int.min ..< .max, 0 ..< .max, .min..<1] {
      #expect(throws: MatrixError.self) {
        var span = result.mutableSpan
        try mixer.mix(range, into: &span)
      }
    }
    // A layer's weight that makes the weight of a track too large.
    let large: [Float] = [1, 1e10, 1, 0, 0, 0, 1, 1e10, 1]
    try mixer.set(0..<3, of: 0..<3, to: large.span)
    expect(.invalidValue(of: "weight of instance", index: 1, value: 1e20))
    #expect(result == [Float](repeating: 9, count: 9))
    // The others can be mixed.
    var span = result.mutableSpan
    try mixer.mix(2..<3, into: &span)
    #expect(result[0] == 1)
  }

  @Test(
    "Each kind of error of matrices says what was given and what is allowed",
    arguments: [
      (.wrongCount(of: "mask", expected: 3, got: 4), "mask: 3 elements are needed, 4 were given"),
      (.invalidSize(of: "instances", -1), "instances: the size must not be negative, is -1"),
      (.invalidSize(of: "dimensions", 0), "dimensions: the size must be at least 1, is 0"),
      (
        .invalidSize(of: "instances", 1 << 31),
        "instances: the size must be at most 2147483647 and fit in memory, is 2147483648"
      ),
      (.outOfRange("layer", 3, count: 2), "layer 3 must be within 0..<2"),
      (
        .invalidRotation(dimension: 5, within: 4..<7),
        "the rotation at dimension 5 takes four dimensions, which must be within 4..<7"
      ),
      (.unsupportedKernels(.unknownName("sse9")), KernelSelectionError.unknownName("sse9").description),
    ] as [(MatrixError, String)])
  func texts(_ error: MatrixError, _ text: String) {
    #expect(error.description == text)
  }

  // MARK: - Memory

  #if os(Linux)
    /// In a process that may take one more GiB: each buffer fits, but not all of them.
    @Test func buffersThatDoNotFitTogetherAreRefused() async {
      await #expect(processExitsWith: .success) {
        _ = BLAS.isUsable
        let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")[0]
        let most = rlim_t(pages)! * rlim_t(sysconf(Int32(_SC_PAGESIZE))) + 1 << 30
        var limit = rlimit(rlim_cur: most, rlim_max: most)
        try #require(setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
        #expect(throws: MatrixError.self) {
          let layer = MixerLayer(.additive, trackCount: 1, shapes: [1])
          _ = try Mixer(base: [1], layers: [layer], instances: 100_000_000)
        }
        #expect(throws: MatrixError.self) { _ = try PoseBlender(dimensions: 1, instances: 100_000_000) }
      }
    }
  #endif

  // MARK: - Initialisers

  @Test(arguments: KernelSet.allCases)
  func initialisersThrowOneType(_ set: KernelSet) {
    func error(_ make: () throws(MatrixError) -> KernelSet) -> MatrixError? {
      do throws(MatrixError) { return try make() == set ? nil : .noRotation(dimension: 0) } catch { return error }
    }
    let mixer = error { () throws(MatrixError) in
      let mixer = try Mixer(base: [0], layers: [], instances: 1, kernels: set)
      return mixer.kernels
    }
    let blender = error { () throws(MatrixError) in
      let blender = try PoseBlender(dimensions: 1, instances: 1, kernels: set)
      return blender.kernels
    }
    let refusal: MatrixError? = set.isSupported ? nil : .unsupportedKernels(.unsupported(set))
    #expect(mixer == refusal && blender == refusal)
  }
}
