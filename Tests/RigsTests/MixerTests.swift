// SPDX-License-Identifier: MIT
import Foundation
import Murmuration
import MurmurationReference
import Testing

@testable import Rigs

/// The outputs of mixers for chosen layers, and their bits. `MatrixCheck` compares random layers with their bound.
struct MixerTests {
  @Test func columnsFollowTheOrderOfTheLayers() throws {
    let shapes = [Float](repeating: 1, count: 6)
    let layers = [(3, true), (3, false), (0, true)].map { count, isWeighted in
      MixerLayer(.additive, trackCount: count, shapes: Array(shapes[..<(2 * count)]), isWeighted: isWeighted)
    }
    let mixer = try Mixer(base: [0, 0], layers: layers, instances: 1)
    #expect(try (0..<3).map { try mixer.trackColumns(ofLayer: $0) } == [0..<3, 4..<7, 7..<7])
    #expect(try (0..<3).map { try mixer.weightColumn(ofLayer: $0) } == [3, nil, 7])
    #expect(mixer.columnCount == 8)
  }

  @Test(arguments: KernelSet.available) func largeOutputsAreStoredPastTheCachesAndComplete(_ set: KernelSet) throws {
    // 36 MB; strides that are aligned to a line, to half of one, and not at all.
    for (n, offset) in [(9_008, 0), (9_000, 8), (8_999, 1)] {
      let (m, tracks) = (1_001, 2)
      let inputs = (0..<m * tracks).map { Float($0 % 13 - 6) }
      let shapes = (0..<n * tracks).map { Float($0 % 11 - 5) }
      let layer = MixerLayer(.additive, trackCount: tracks, shapes: shapes)
      var mixer = try Mixer(base: [Float](repeating: 3, count: n), layers: [layer], instances: m, kernels: set)
      try mixer.set(0..<tracks, of: 0..<m, to: inputs.span)
      let count = m * n + 32
      let block = UnsafeMutableRawPointer.allocate(byteCount: 4 * count, alignment: 64)
      defer { block.deallocate() }
      let floats = block.initializeMemory(as: Float.self, repeating: -1e9, count: count)
      var span = UnsafeMutableBufferPointer(start: floats + offset, count: count - offset).mutableSpan
      try mixer.mix(into: &span)
      // The inputs repeat after 13 rows, and so do the outputs.
      let expected: [[Float]] = (0..<13).map { row in
        let (first, second): (Float, Float) = (inputs[row], inputs[m + row])
        return (0..<n).map { column in 3 + first * shapes[column] + second * shapes[n + column] }
      }
      let wrong = (0..<m).count { row in
        memcmp(floats + (offset + row * n), expected[row % 13], 4 * n) != 0
      }
      let isKept = (0..<offset).allSatisfy { floats[$0] == -1e9 } && floats[offset + m * n] == -1e9
      #expect(wrong == 0 && isKept, "\(n) outputs")
    }
  }

  @Test func fullOverridesShowOnlyTheLayer() throws {
    let under = MixerLayer(.additive, trackCount: 1, shapes: [5, 6, 7])
    let over = MixerLayer(.override, trackCount: 0, shapes: [], base: [1, 2, 3], mask: [1, 0.5, 0], isWeighted: true)
    var mixer = try Mixer(base: [100, 100, 100], layers: [under, over], instances: 2)
    let inputs: [Float] = [2, 2, 1, 0]
    try mixer.set(0..<2, of: 0..<2, to: inputs.span)
    let result = try written(6) { try mixer.mix(into: &$0) }
    #expect(result == [1, 57, 114, 110, 112, 114])
  }

  @Test func whatIsZeroCostsNoTerms() throws {
    let outputs = 640
    // Each shape moves one stretch of 64; one moves nothing.
    var shapes = [Float](repeating: 0, count: 11 * outputs)
    for track in 0..<10 {
      for output in track * 64..<track * 64 + 64 {
        shapes[track * outputs + output] = Float(output % 9) - 4.5
      }
    }
    let layer = MixerLayer(.additive, trackCount: 11, shapes: shapes)
    let mixer = try Mixer(base: [Float](repeating: 0, count: outputs), layers: [layer], instances: 5)
    let (terms, density) = (mixer.termCount, mixer.shapeDensity)
    #expect(terms == 10 && abs(density - 0.1) < 1e-9)
  }

  @Test func aRangeOfInstancesHasItsOwnBits() throws {
    var random = SplitMix64(seed: 5)
    let layer = MixerLayer(.additive, trackCount: 5, shapes: random.floats(5 * 70, -2...2), isWeighted: true)
    var mixer = try Mixer(base: random.floats(70, -1...1), layers: [layer], instances: 53)
    let inputs = random.floats(6 * 53, -1...1)
    try mixer.set(0..<6, of: 0..<53, to: inputs.span)
    let all = try written(53 * 70) { try mixer.mix(into: &$0) }
    for range in [0..<1, 7..<8, 16..<32, 17..<53, 52..<53, 20..<20] {
      let part = try written(range.count * 70, over: -1) { try mixer.mix(range, into: &$0) }
      #expect(part == Array(all[range.lowerBound * 70..<range.upperBound * 70]), "\(range)")
    }
  }

  @Test func batchesAreReadByIndex() throws {
    var batch = try AnimationBatch<SIMD3<Float>>()
    var random = SplitMix64(seed: 6)
    let (from, to) = (random.floats(3 * 40, -1...1), random.floats(3 * 40, -1...1))
    func vectors(_ columns: [Float]) -> [SIMD3<Float>] {
      (0..<40).map { SIMD3(columns[$0], columns[40 + $0], columns[80 + $0]) }
    }
    let handles = try batch.add(vectors(from), to: vectors(to), .bouncy)
    let layer = MixerLayer(.additive, trackCount: 2, shapes: [1, 0, 0, 1], isWeighted: true)
    var mixer = try Mixer(base: [0, 0], layers: [layer], instances: 40)
    for someTurn in [false, true] {
      if someTurn {
        for index in stride(from: 0, to: 40, by: 3) { try batch.retarget(handles[index], to: [1, 2, 3]) }
      }
      try batch.advance(by: 0.1)
      try mixer.set(0..<2, from: batch, dimension: 1, indices: 8..<40, instance: 3)
      try mixer.set(2..<3, from: batch, indices: 8..<40, instance: 3)
      let result = try written(80) { try mixer.mix(into: &$0) }
      for instance in 3..<35 {
        let value = batch[handles[instance + 5]] ?? .zero
        #expect(result[2 * instance] == value.x * value.y && result[2 * instance + 1] == value.x * value.z)
      }
    }
  }

  @Test func manyThreadsEachWithAMixerGetTheSameBits() async throws {
    var random = SplitMix64(seed: 9)
    let layer = MixerLayer(.additive, trackCount: 600, shapes: random.floats(600 * 90, -2...2))
    let base = random.floats(90, -1...1)
    let inputs = random.floats(600 * 30, -1...1)
    let run: @Sendable (KernelSet) throws -> [Float] = { set in
      var mixer = try Mixer(base: base, layers: [layer], instances: 30, kernels: set)
      try mixer.set(0..<600, of: 0..<30, to: inputs.span)
      return try written(30 * 90) { try mixer.mix(into: &$0) }
    }
    for set in KernelSet.available {
      let expected = try run(set)
      try await withThrowingTaskGroup(of: [Float].self) { group in
        for _ in 0..<32 { group.addTask { try run(set) } }
        for try await result in group { #expect(result == expected) }
      }
    }
  }
}
