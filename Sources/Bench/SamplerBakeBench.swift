// SPDX-License-Identifier: MIT
import Kernels
import Murmuration
import Rigs

/// Many frames of many dimensions on one clock: baked, sampled one by one, and as the matrix products that they are,
/// powers of time [frames × 4] · coefficients [4 × dimensions] piece by piece.
final class SamplerBakeBench {
  private static let frames = BakeBench.frames

  private let dimensions: Int
  private let framesPerPiece: Int
  private let output: BakeBench.Output
  /// Columns for the products, [piece][4][dimension] and [piece][4][frame].
  private let coefficients: BakeBench.Output
  private let powers: [Float]
  private let powerStride: Int
  private let played: Played
  private let sampler: ClipSampler

  /// A class, so that closures can share noncopyable values.
  private final class Played {
    var sampler: ClipSampler
    init(_ sampler: consuming ClipSampler) { self.sampler = sampler }
  }

  /// - Parameters:
  ///   - dimensions: A multiple of 16; all dimensions differ.
  ///   - framesPerPiece: The number of frames in each piece.
  init(dimensions: Int, framesPerPiece: Int) throws {
    (self.dimensions, self.framesPerPiece) = (dimensions, framesPerPiece)
    output = BakeBench.Output(count: dimensions * Self.frames.range.count)
    let pieceCount = (Self.frames.range.count + framesPerPiece - 1) / framesPerPiece
    // Rows that begin at different offsets of a page, and room for a panel after the last one.
    coefficients = BakeBench.Output(count: 4 * pieceCount * (dimensions + 16) + 64)
    var random = SplitMix64(seed: 42)
    let pieces = (0..<dimensions).map { _ in
      (0..<pieceCount).map { _ in
        SIMD4(random.uniform(-9...9), random.uniform(-9...9), random.uniform(-9...9), random.uniform(-9...9))
      }
    }
    // Frames fall between the boundaries of pieces.
    let later = (1...pieceCount).map { piece in (Double(piece * framesPerPiece) - 0.5) / Self.frames.perSecond }
    let times = [0] + later
    for (dimension, pieces) in pieces.enumerated() {
      for (piece, cubic) in pieces.enumerated() {
        for power in 0..<4 {
          coefficients.values[(4 * piece + power) * (dimensions + 16) + dimension] = Float(cubic[power])
        }
      }
    }
    powerStride = framesPerPiece + 16
    var powers = [Float](repeating: 0, count: 4 * pieceCount * powerStride)
    for frame in Self.frames.range {
      let piece = frame / framesPerPiece
      let elapsed = Self.frames.time(of: frame) - times[piece]
      for (power, factor) in [1, elapsed, elapsed * elapsed, elapsed * elapsed * elapsed].enumerated() {
        powers[(4 * piece + power) * powerStride + frame - piece * framesPerPiece] = Float(factor)
      }
    }
    self.powers = powers
    let clip = try Clip(
      dimensions: dimensions, initialValues: [Double](repeating: 0, count: dimensions),
      tracks: [PieceTrack(components: Array(0..<dimensions), times: times, pieces: pieces)])
    sampler = try ClipSampler(clip)
    played = Played(try ClipSampler(clip))
  }

  /// Measures everything and returns a row each.
  func measure(rounds: Int) throws -> [BakeResult] {
    var comparison = Comparison<any Error>()
    addBake("bake.sampler.\(framesPerPiece)", to: &comparison)
    addBake("bake.sampler.\(framesPerPiece).track-major", order: .trackMajor, to: &comparison)
    addBake("bake.sampler.\(framesPerPiece).velocities", velocities: true, to: &comparison)
    addSamples(to: &comparison)
    addProducts(to: &comparison)
    BakeBench.addCopy(of: output, to: &comparison)
    try comparison.run(rounds: rounds, turn: 5e6)
    try check()
    return BakeResult.results(of: comparison, tracks: dimensions, frames: Self.frames.range.count)
  }

  private func addBake(
    _ name: String, order: BakeOrder = .timeMajor, velocities: Bool = false, to comparison: inout Comparison<any Error>
  ) {
    comparison.add(name) { [self] in
      let (valueBuffer, velocityBuffer) = (output.values, output.velocities)
      var values = valueBuffer.mutableSpan
      var speeds = velocityBuffer.mutableSpan
      let range = 0..<dimensions
      if velocities {
        try sampler.bake(Self.frames, dimensions: range, order: order, values: &values, velocities: &speeds)
      } else {
        try sampler.bake(Self.frames, dimensions: range, order: order, values: &values)
      }
    }
  }

  private func addSamples(to comparison: inout Comparison<any Error>) {
    comparison.add("frames.sampler.\(framesPerPiece): sample and copy") { [self] in
      for frame in Self.frames.range {
        try played.sampler.sample(at: Self.frames.time(of: frame), velocities: false)
        let buffer = output.values.extracting(frame * dimensions..<(frame + 1) * dimensions)
        played.sampler.withValues { values in
          var row = buffer.mutableSpan
          row.withUnsafeMutableBufferPointer { row in
            values.withUnsafeBufferPointer { values in _ = row.update(fromContentsOf: values) }
          }
        }
      }
    }
  }

  // MARK: - Products

  private func addProducts(to comparison: inout Comparison<any Error>) {
    let name = "yardstick.sampler.\(framesPerPiece)"
    if let set = KernelSet.available.last {
      let matrices = set.table.matrices
      comparison.add("\(name): tiles, 4 terms") { [self] in
        forEachPiece { rows, columns, frames, outputs in
          matrices.multiply(
            TileProduct(
              weights: rows, weightStride: powerStride, shapes: columns, shapeStride: dimensions + 16,
              panelStride: matrices.panelColumns, outputs: outputs, outputStride: dimensions, rows: frames,
              columns: dimensions, inner: 4,
              stores: dimensions * Self.frames.range.count > 1 << 22 ? .pastCaches : .ordinary))
        }
      }
    }
    guard BLAS.configuration != nil else {
      return
    }
    for (way, multiply) in [("one call", Self.multiplyWhole), ("chunks", Self.multiplyChunks)] {
      comparison.add("\(name): sgemm, 4 terms, \(way) a piece") { [self] in
        forEachPiece { rows, columns, frames, outputs in
          multiply(
            BLASProduct(
              rows: frames, columns: dimensions, inner: 4, a: rows, aStride: powerStride, aIsTransposed: true,
              b: columns, bStride: dimensions + 16, c: outputs, cStride: dimensions))
        }
      }
    }
  }

  private static func multiplyWhole(_ product: BLASProduct) { _ = BLAS.multiplyWhole(product) }
  private static func multiplyChunks(_ product: BLASProduct) { BLAS.multiply(product) }

  /// Lends the powers, the coefficients, the number of frames and the outputs of each piece.
  private func forEachPiece(
    _ body: (ConstantColumn<Float>, ConstantColumn<Float>, Int, Column<Float>) -> Void
  ) {
    guard let columns = coefficients.values.column?.constant, let outputs = output.values.column else { return }
    powers.withUnsafeBufferPointer { powers in
      guard let powers = powers.column else { return }
      for (piece, first) in stride(from: 0, to: Self.frames.range.count, by: framesPerPiece).enumerated() {
        body(
          powers + 4 * piece * powerStride, columns + 4 * piece * (dimensions + 16),
          min(framesPerPiece, Self.frames.range.count - first), outputs + first * dimensions)
      }
    }
  }

  // MARK: - Checks

  /// A figure counts only if the timed result was right: baked values must have the bits of samples, and be close to
  /// the products.
  private func check() throws {
    let values = output.values
    var span = values.mutableSpan
    try sampler.bake(Self.frames, dimensions: 0..<dimensions, values: &span)
    for frame in stride(from: 0, to: Self.frames.range.count, by: 37) {
      try played.sampler.sample(at: Self.frames.time(of: frame), velocities: false)
      let row = frame * dimensions
      let wrong: Int? = played.sampler.withValues { shown in
        shown.indices.first { shown[$0].bitPattern != values[row + $0].bitPattern }
      }
      if let wrong {
        throw BenchError.disagreement(index: wrong, kernel: values[row + wrong], scalar: 0)
      }
      let (piece, column) = (frame / framesPerPiece, frame % dimensions)
      let sum = (0..<4).reduce(Float(0)) { sum, power in
        sum + powers[(4 * piece + power) * powerStride + frame - piece * framesPerPiece]
          * coefficients.values[(4 * piece + power) * (dimensions + 16) + column]
      }
      guard abs(sum - values[row + column]) <= 1e-4 * 1_000 else {
        throw BenchError.disagreement(index: column, kernel: values[row + column], scalar: Double(sum))
      }
    }
  }
}
