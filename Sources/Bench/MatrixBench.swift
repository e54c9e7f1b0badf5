// SPDX-License-Identifier: MIT
import CYardsticks
import Kernels
import Murmuration
import Rigs

/// Mixers beside one call of `cblas_sgemm` and register tiles in C, on the same shape, by turns. All write to one
/// buffer of outputs, whose rows are whole lines and whose pages were all touched before.
final class MatrixBench {
  private let instances: Int
  private let outputs: Int
  private let tracks: Int
  private let stride: Int
  private let result: UnsafeMutableBufferPointer<Float>
  private let weights: UnsafeMutableBufferPointer<Float>
  private let transposed: UnsafeMutableBufferPointer<Float>
  private let shapes: UnsafeMutableBufferPointer<Float>
  private let base: UnsafeMutableBufferPointer<Float>
  private var panels: [UnsafeMutableBufferPointer<Float>] = []

  private final class Box {
    var mixer: Mixer
    /// Whether a layer's weight follows the tracks.
    let isWeighted: Bool

    init(_ mixer: consuming Mixer, tracks: Int) {
      isWeighted = mixer.columnCount > tracks
      self.mixer = mixer
    }
  }

  /// Batches at rest: one whose 64 components are the tracks, and one for the layer's weight.
  private final class Inputs {
    let weights: AnimationBatch<SIMD64<Float>>
    let fades: AnimationBatch<Float>

    init(_ weights: [Float], tracks: Int, fades: [Float]) throws {
      var batch = try AnimationBatch<SIMD64<Float>>()
      try batch.add(
        fades.indices.map { instance in
          SIMD64 { $0 < tracks ? weights[$0 * fades.count + instance] : 0 }
        })
      self.weights = batch
      var one = try AnimationBatch<Float>()
      try one.add(fades)
      self.fades = one
    }
  }

  init(instances: Int, outputs: Int, tracks: Int) {
    (self.instances, self.outputs, self.tracks) = (instances, outputs, tracks)
    // Whole panels, for the tiles in C, and an odd number of lines.
    stride = (outputs + 63) / 64 * 64 + 16
    let rows = (instances + 5) / 6 * 6
    result = Self.floats(rows * stride) { _ in 0 }
    var random = SplitMix64(seed: 42)
    weights = Self.floats(instances * tracks) { _ in Float(random.uniform(0...1)) }
    shapes = Self.floats(tracks * stride) { _ in Float(random.uniform(-1...1)) }
    base = Self.floats(stride) { _ in Float(random.uniform(-10...10)) }
    let weights = weights
    transposed = Self.floats(tracks * (rows + 16)) { place in
      let (track, row) = (place / (rows + 16), place % (rows + 16))
      return row < instances ? weights[row * tracks + track] : 0
    }
  }

  deinit {
    for buffer in [result, weights, transposed, shapes, base] + panels {
      buffer.deallocate()
    }
  }

  private static func floats(_ count: Int, _ value: (Int) -> Float) -> UnsafeMutableBufferPointer<Float> {
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 4 * max(16, count), alignment: 1 << 21)
    let floats = block.bindMemory(to: Float.self)
    for place in floats.indices {
      floats[place] = place < count ? value(place) : 0
    }
    return floats
  }

  func measure(rounds: Int, sets: [KernelSet]) throws -> [MatrixResult] {
    var comparison = Comparison<any Error>()
    addBLAS(to: &comparison)
    addTiles(to: &comparison)
    for set in sets {
      try add(Self.plain, [MixerLayer(.additive, trackCount: tracks, shapes: shapeRows)], set, to: &comparison)
      let mask = (0..<outputs).map { Float($0 % 7 + 1) / 8 }
      try add(
        Self.layered,
        [MixerLayer(.additive, trackCount: tracks, shapes: shapeRows, mask: mask, isWeighted: true)], set,
        to: &comparison)
      let pose = (0..<outputs).map { Float($0 % 5) }
      try add(
        Self.override,
        [MixerLayer(.override, trackCount: tracks, shapes: shapeRows, base: pose, mask: mask, isWeighted: true)], set,
        to: &comparison)
    }
    try comparison.run(rounds: rounds, turn: 5e6)
    return results(of: comparison)
  }

  private static let bare = "yardstick.sgemm"
  private static let tile = "yardstick.tile"
  private static let plain = "mixer.base"
  private static let layered = "mixer.base.mask.weight"
  private static let override = "mixer.override.mask.weight"

  private var shapeRows: [Float] {
    (0..<tracks).flatMap { track in (0..<outputs).map { shapes[track * stride + $0] } }
  }

  private func addBLAS(to comparison: inout Comparison<any Error>) {
    guard BLAS.configuration != nil else {
      return
    }
    let product = BLASProduct(
      rows: instances, columns: outputs, inner: tracks, a: weights.column!.constant, aStride: tracks,
      b: shapes.column!.constant, bStride: stride, c: result.column!, cStride: stride)
    comparison.add("\(Self.bare)|\(Self.core)") { [self] in
      _ = BLAS.multiplyWhole(product)
      withExtendedLifetime(self) {}
    }
  }

  /// The core that OpenBLAS chose: the second last word of its configuration.
  private static var core: String {
    let words = BLAS.configuration?.split(separator: " ") ?? []
    return words.count > 1 ? String(words[words.count - 2]) : ""
  }

  private func addTiles(to comparison: inout Comparison<any Error>) {
    var index = 0
    while let multiply = yardstick_tile_at(index) {
      let width = yardstick_tile_width(index)
      let columns = (outputs + width - 1) / width * width
      let panel = Self.floats(columns * tracks) { [tracks, stride, shapes] place in
        shapes[place / width % tracks * stride + place / (width * tracks) * width + place % width]
      }
      panels.append(panel)
      let rows = (instances + 5) / 6 * 6
      var product = yardstick_tile_product(
        weights: transposed.baseAddress, weight_stride: rows + 16, shapes: panel.baseAddress, base: base.baseAddress,
        outputs: result.baseAddress, output_stride: stride, rows: rows, columns: columns, inner: tracks)
      comparison.add("\(Self.tile)|\(String(cString: yardstick_tile_name(index)))") { [self] in
        multiply(&product)
        withExtendedLifetime(self) {}
      }
      index += 1
    }
  }

  /// Adds the outputs of a mixer, with weights set anew each time as a frame would set them, and with weights read in
  /// place from batches.
  private func add(
    _ name: String, _ layers: [MixerLayer], _ set: KernelSet, to comparison: inout Comparison<any Error>
  ) throws {
    let (tracks, instances, stride, result) = (tracks, instances, stride, result)
    let mixer = try Mixer(base: (0..<outputs).map { base[$0] }, layers: layers, instances: instances, kernels: set)
    let box = Box(mixer, tracks: tracks)
    let fades = (0..<instances).map { Float($0 % 11) / 10 }
    let columns = (0..<tracks).flatMap { track in (0..<instances).map { weights[$0 * tracks + track] } }
    comparison.add("\(name)|\(set.rawValue)") { [self] in
      try box.mixer.set(0..<tracks, of: 0..<instances, to: columns.span)
      if box.isWeighted {
        try box.mixer.set(tracks..<tracks + 1, of: 0..<instances, to: fades.span)
      }
      var output = result.mutableSpan
      try box.mixer.mix(into: &output, stride: stride)
      withExtendedLifetime(self) {}
    }
    let inputs = try Inputs(columns, tracks: tracks, fades: fades)
    comparison.add("\(name).in-place|\(set.rawValue)") { [self] in
      let all = 0..<instances
      try box.mixer.reading(0..<tracks, from: inputs.weights, indices: all) { mixer in
        guard box.isWeighted else {
          var output = result.mutableSpan
          return try mixer.mix(into: &output, stride: stride)
        }
        try mixer.reading(tracks..<tracks + 1, from: inputs.fades, indices: all) { mixer in
          var output = result.mutableSpan
          try mixer.mix(into: &output, stride: stride)
        }
      }
      withExtendedLifetime(self) {}
    }
  }

  private func results(of comparison: Comparison<any Error>) -> [MatrixResult] {
    let best = { (name: String) in
      comparison.entries.filter { $0.name.hasPrefix(name + "|") }.map(\.best).min()
    }
    let (blas, tile) = (best(Self.bare), best(Self.tile))
    return comparison.entries.map { entry in
      let parts = entry.name.split(separator: "|").map(String.init)
      let isYardstick = parts[0].hasPrefix("yardstick")
      let count = Double(instances * outputs)
      return MatrixResult(
        name: parts[0], isa: parts.count > 1 ? parts[1] : "", instances: instances, outputs: outputs, tracks: tracks,
        nsPerOutput: entry.best / count, medianNsPerOutput: entry.median / count,
        gigaflops: 2 * count * Double(tracks) / entry.best,
        ratioToBLAS: isYardstick ? nil : blas.map { $0 / entry.best },
        ratioToTile: isYardstick ? nil : tile.map { $0 / entry.best })
    }
  }
}
