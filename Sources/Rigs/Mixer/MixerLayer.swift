// SPDX-License-Identifier: MIT
import Murmuration

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
  /// How a layer changes the outputs below it.
  public enum Kind: Sendable, Equatable {
    case additive, override
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
