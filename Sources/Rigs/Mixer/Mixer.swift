// SPDX-License-Identifier: MIT
import Kernels
public import Murmuration

/// Many outputs from few animated weights, for many instances: blend shapes, layers of poses, variations of a crowd.
///
/// ```swift
/// let faces = MixerLayer(.additive, trackCount: 64, shapes: shapes, mask: mask, isWeighted: true)
/// var mixer = try Mixer(base: neutral, layers: [faces], instances: 1_000)
/// try mixer.set(0..<64, from: weights, indices: 0..<1_000)          // 64 components of a batch, one instance a track
/// try mixer.set(64..<65, from: fades, indices: 0..<1_000)           // the layer's weight
/// try mixer.mix(into: &outputs)                                      // [1 000 × outputs]
/// ```
///
/// The outputs of an instance begin as the base; the layers change them in their order, see ``MixerLayer``. Each layer
/// has an input column for each of its tracks, and one for its weight if it is weighted; the columns of the first layer
/// come first. ``set(_:from:dimension:indices:instance:)`` copies values into them, so before ``mix(_:into:stride:)``
/// their source may change, and the outputs may even be written over it.
/// ``reading(_:from:dimension:indices:instance:_:)`` reads the tracks where they stand.
///
/// Layers, masks and layer weights are folded into one product of matrices: masks into the shapes, once; layer weights
/// into the columns. Shapes that are 0 over a panel of outputs (16 or 64 of them), by themselves or by a mask, cost
/// nothing there.
///
/// ### Accuracy
/// With T terms, an output is within (T + 4 layers + 4) · 2⁻²³ of the sum of the magnitudes of everything added, where
/// an override's factor (1 − w m) counts as 1 + |w m|.
///
/// The tracks that a mixer reads have the same bits on every instruction set; its outputs are within this bound
/// instead. The tiles of the portable set round each product, while other sets fuse it with the sum; and OpenBLAS,
/// where it is called, sums in an order that depends on the processor.
///
/// A mixer is used by one owner at a time, and can be sent to another thread.
public struct Mixer: ~Copyable, Sendable {
  /// The number of values of each instance.
  public let outputCount: Int
  /// The number of instances.
  public let instanceCount: Int
  /// The number of input columns of all layers.
  public let columnCount: Int
  /// The instruction set whose kernels run.
  public let kernels: KernelSet

  let inputs: FloatBuffer
  let inputStride: Int
  /// The columns of batches that are read in place, in the order in which they were lent; empty outside of such a call.
  var lent: [LentColumns] = []
  private let shapes: MixerShapes
  private let weights: FloatBuffer
  private let terms: [(column: Int?, factors: [MixerTerms.Factor])]
  /// Whether a term is multiplied by layer weights.
  private let hasFactors: Bool
  /// The input columns of each layer.
  private let layers: [(tracks: Range<Int>, weight: Int?)]

  /// A mixer whose inputs are all 0.
  ///
  /// - Parameters:
  ///   - base: The outputs before any layer; its count is the number of outputs.
  ///   - layers: From the lowest to the highest.
  ///   - instances: The number of instances; 0 is allowed.
  ///   - kernels: The instruction set; nil for the one in force, see ``/Murmuration/KernelSet/selected``.
  /// - Throws: ``MatrixError`` for impossible shapes, masks or sizes, or if the processor lacks the set.
  public init(
    base: [Float], layers: [MixerLayer], instances: Int, kernels: KernelSet? = nil
  ) throws(MatrixError) {
    let set = try KernelSet.ofMatrices(kernels)
    try MatrixError.check(base, "base value")
    // The room that the last tiles take counts too.
    guard 0...MatrixLimits.maximumSize - 2 * laneCountOfTile ~= instances else {
      throw .invalidSize(of: "instances", instances)
    }
    guard base.count <= MatrixLimits.maximumSize else { throw .invalidSize(of: "outputs", base.count) }
    var (columns, count): ([(tracks: Range<Int>, weight: Int?)], Int) = ([], 0)
    for layer in layers {
      try layer.check(outputs: base.count)
      let end = count + layer.trackCount
      columns.append((count..<end, layer.isWeighted ? end : nil))
      count += layer.columnCount
    }
    try FloatBuffer.check("input columns", rows: count, columns: instances + 2 * laneCountOfTile)
    let compiled = try MixerTerms(base: base, layers: layers)
    try MatrixError.check(compiled.base, "sum of bases")
    try FloatBuffer.check("weights", rows: compiled.terms.count + 1, columns: instances + 2 * laneCountOfTile)
    try FloatBuffer.check("shapes", rows: compiled.terms.count, columns: base.count + 64)
    // Whole tiles of rows and of lanes, and one more vector for a range that begins within a tile.
    let inputStride = FloatBuffer.stride(columns: instances + 2 * laneCountOfTile)
    let shapeStride = FloatBuffer.stride(columns: base.count + 64)
    try FloatBuffer.check(
      "inputs, weights and shapes",
      buffers: [
        count * inputStride, (compiled.terms.count + 1) * inputStride, (compiled.terms.count + 1) * shapeStride,
      ])

    (outputCount, instanceCount, columnCount) = (base.count, instances, count)
    (self.kernels, self.layers, self.inputStride) = (set, columns, inputStride)
    inputs = FloatBuffer(count: count * inputStride)
    terms = compiled.terms.map { ($0.column, $0.factors) }
    hasFactors = terms.contains { !$0.factors.isEmpty }
    weights = FloatBuffer(count: (terms.count + 1) * inputStride)
    (weights.start + terms.count * inputStride).update(repeating: 1, count: inputStride)
    shapes = MixerShapes(compiled, outputs: base.count, set)
  }

  /// The input columns of a layer's tracks.
  ///
  /// - Throws: ``MatrixError/outOfRange(_:_:count:)``.
  public func trackColumns(ofLayer layer: Int) throws(MatrixError) -> Range<Int> {
    try columns(ofLayer: layer).tracks
  }

  /// The input column of a layer's weight; nil for a layer without a weight.
  ///
  /// - Throws: ``MatrixError/outOfRange(_:_:count:)``.
  public func weightColumn(ofLayer layer: Int) throws(MatrixError) -> Int? {
    try columns(ofLayer: layer).weight
  }

  private func columns(ofLayer layer: Int) throws(MatrixError) -> (tracks: Range<Int>, weight: Int?) {
    guard layers.indices ~= layer else { throw .outOfRange("layer", layer, count: layers.count) }
    return layers[layer]
  }

  /// The number of products for each output of an instance.
  public var termCount: Int { terms.count }

  /// The part of these products that is computed, 0…1: in the rest, the shape is 0 over a whole panel.
  var shapeDensity: Double { shapes.density }

  /// Writes the outputs of instances, row-major [instances × outputs].
  ///
  /// - Parameters:
  ///   - instances: The range of instances; nil for all.
  ///   - output: Its first row takes the first of these instances. Floats between rows stay as they are.
  ///   - stride: Floats from one instance to the next; nil for no gaps. Multiples of 16, but not of 1 024, are the
  ///     fastest, in a buffer aligned to 64 bytes.
  /// - Throws: ``MatrixError``; nothing is written then. An input is refused if layer weights make it larger than
  ///   ``/Murmuration/BatchLimits/maximumMagnitude``.
  /// - Complexity: O(instances · outputs · terms); no allocation.
  public mutating func mix(
    _ instances: Range<Int>? = nil, into output: inout some TrackOutput<Float> & ~Copyable & ~Escapable,
    stride: Int? = nil
  ) throws(MatrixError) {
    try output.withMutableElements { output throws(MatrixError) in
      try unsafe mix(instances, output.elements, stride)
    }
  }

  private mutating func mix(
    _ instances: Range<Int>?, _ output: UnsafeMutableBufferPointer<Float>, _ stride: Int?
  ) throws(MatrixError) {
    let instances = instances ?? 0..<instanceCount
    try MatrixError.check(instances, "instance", count: instanceCount)
    let stride = try MatrixError.checkedStride(
      stride, rows: instances.count, length: outputCount, count: output.count, of: ("output", "outputs"))
    gatherLent(instances)
    // Whole tiles, from the tile of the first instance on.
    let first = instances.lowerBound / laneCountOfTile * laneCountOfTile
    let weights = if let inputs = inputsAsWeights(instances, first) { inputs } else { try weigh(instances, first) }
    if let output = unsafe output.column {
      shapes.multiply(
        weights.start + (instances.lowerBound - first), stride: weights.stride, instances: instances.count,
        into: output, stride: stride, kernels)
    }
  }

  /// The columns of weights, one for each term, from the first instance of a tile on.
  ///
  /// `stride` counts floats from one column to the next.
  private typealias Weights = (start: ConstantColumn<Float>, stride: Int)

  /// The inputs where they stand, if each is used as a term's weights unchanged, and all have one distance from column
  /// to column. Columns that overlap, as those of one component at shifted indices do, are no matrix for OpenBLAS.
  private func inputsAsWeights(_ instances: Range<Int>, _ first: Int) -> Weights? {
    guard !hasFactors, let column = terms.first?.column else { return nil }
    let start = input(column, instances, tileStart: first)
    var stride = inputStride
    for (index, term) in terms.enumerated().dropFirst() {
      guard let column = term.column else { return nil }
      let distance = input(column, instances, tileStart: first) - start
      stride = index == 1 ? distance : stride
      guard instances.count...MatrixLimits.maximumSize ~= stride, distance == index * stride else { return nil }
    }
    return (start, stride)
  }

  /// Fills the weights of terms: input columns times factors of layers.
  private func weigh(_ instances: Range<Int>, _ first: Int) throws(MatrixError) -> Weights {
    let table = kernels.table.matrices
    let count = (instances.upperBound - first + laneCountOfTile - 1) / laneCountOfTile * laneCountOfTile
    let ones = weights.start + (terms.count * inputStride + first)
    for (index, term) in terms.enumerated() {
      let result = weights.start + (index * inputStride + first)
      var source = term.column.map { input($0, instances, tileStart: first) } ?? ones.constant
      if term.factors.isEmpty { result.update(from: source, count: count) }
      for factor in term.factors {
        let isWithin = table.scale(
          ColumnScale(
            result: result, source: source, weight: input(factor.column, instances, tileStart: first),
            offset: factor.offset, slope: factor.slope, count: count, limit: BatchLimits.maximumMagnitude))
        if !isWithin { try refuse(result - first, instances) }
        source = result.constant
      }
    }
    return ((weights.start + first).constant, inputStride)
  }

  /// Throws for the first instance of a range whose weight is too large. The tile may hold others, which do not count.
  private func refuse(_ column: Column<Float>, _ instances: Range<Int>) throws(MatrixError) {
    for instance in instances where !(abs(column[instance]) <= BatchLimits.maximumMagnitude) {
      throw unsafe .invalidValue(of: "weight of instance", index: instance, value: column[instance])
    }
  }
}

/// One layer of a mixer, which changes the outputs below it.
///
/// With w the layer's weight for an instance (1 without weights), m its mask for an output (1 without a mask), and layer =
/// base + Σ track · shape,
///
/// - an *additive* layer turns `out` into `out + w · m · layer`,
/// - an *override* turns it into `out + w · m · (layer − out)`: at w · m = 1 only the layer shows.
///
/// A weighted override whose mask varies over a product below it splits that product in up to three, and every frame pays
/// for them. A stack of such layers is refused if it needs more than 65 536 terms, or 2²⁶ numbers in their rows.
public struct MixerLayer: Sendable, Equatable {
  /// The effect of a layer on the outputs below it.
  public enum Kind: Sendable, Equatable {
    /// The layer is added to the outputs.
    case additive
    /// The layer takes the place of the outputs.
    case override
  }

  public var kind: Kind
  /// The number of the layer's tracks: each instance has a weight for each shape.
  public var trackCount: Int
  /// Row-major [tracks × outputs].
  public var shapes: [Float]
  /// The layer if all its tracks are 0: one number for each output; empty for 0.
  public var base: [Float]
  /// The share of the layer that each output gets, 0…1; empty for 1.
  public var mask: [Float]
  /// Whether the layer has a weight for each instance. It may be animated as tracks are, and leave 0…1, as springs do.
  public var isWeighted: Bool

  /// A layer.
  ///
  /// - Parameters:
  ///   - kind: Additive or override.
  ///   - trackCount: Rows of `shapes`; 0 for a layer that is only its base.
  ///   - shapes: Row-major [tracks × outputs].
  ///   - base: The layer if all its tracks are 0: one number for each output; empty for 0.
  ///   - mask: The share of the layer that each output gets, 0…1; empty for 1.
  ///   - isWeighted: Whether the layer has a weight for each instance.
  public init(
    _ kind: Kind, trackCount: Int, shapes: [Float], base: [Float] = [], mask: [Float] = [], isWeighted: Bool = false
  ) {
    self.kind = kind
    self.trackCount = trackCount
    self.shapes = shapes
    self.base = base
    self.mask = mask
    self.isWeighted = isWeighted
  }

  /// The number of its input columns: its tracks, then its weight.
  var columnCount: Int { trackCount + (isWeighted ? 1 : 0) }

  /// Throws if the layer is impossible with a number of outputs.
  func check(outputs: Int) throws(MatrixError) {
    guard 0...MatrixLimits.maximumSize ~= trackCount else { throw .invalidSize(of: "tracks", trackCount) }
    let (count, overflow) = trackCount.multipliedReportingOverflow(by: outputs)
    guard !overflow, shapes.count == count else {
      throw .wrongCount(of: "shapes", expected: overflow ? .max : count, got: shapes.count)
    }
    for (what, values) in [("layer base", base), ("mask", mask)] where !values.isEmpty && values.count != outputs {
      throw .wrongCount(of: what, expected: outputs, got: values.count)
    }
    try MatrixError.check(shapes, "shape value")
    try MatrixError.check(base, "layer base value")
    for (index, share) in mask.enumerated() where !(share >= 0 && share <= 1) {
      throw .invalidMask(index: index, value: share)
    }
  }
}

extension MatrixError {
  /// Throws for the first value that is NaN or beyond ``/Murmuration/BatchLimits/maximumMagnitude``.
  static func check(_ values: [Float], _ what: String) throws(MatrixError) {
    for index in values.indices where !(abs(values[index]) <= BatchLimits.maximumMagnitude) {
      throw .invalidValue(of: what, index: index, value: values[index])
    }
  }
}
