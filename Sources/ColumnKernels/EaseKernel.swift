// SPDX-License-Identifier: MIT
import Kernels
public import Murmuration

/// A curve for the elements of columns, made ready for many calls.
///
/// What ``SpringKernel`` says of columns holds here too.
public struct EaseKernel: Sendable {
  private let kernels: ElementKernels
  private let tables: ClipTables
  private let ends: (first: Float, last: Float)

  /// A curve as cubics.
  ///
  /// - Parameters:
  ///   - curve: A curve of the model.
  ///   - tolerance: How far shares may be from it before they are rounded, 2⁻⁴⁰…2⁻²; by default as in batches. The number of
  ///     cubics grows with the fourth root of 1/tolerance.
  ///   - kernels: The instruction set; nil for the one in force. All sets give the same bits.
  /// - Throws: ``ColumnError/invalidCurve(reason:)``, ``ColumnError/invalidTolerance(_:)`` or
  ///   ``ColumnError/unsupportedKernels(_:)``.
  public init(_ curve: UnitCurve, tolerance: Double = 0x1p-16, kernels: KernelSet? = nil) throws(ColumnError) {
    self.kernels = try KernelTable.checked(kernels).elements
    guard 0x1p-40...0x1p-2 ~= tolerance else { throw .invalidTolerance(tolerance) }
    ends = (Float(curve.value(at: 0)), Float(curve.value(at: 1)))
    guard let fit = CurveFitCache.fit(curve, tolerance: tolerance) else {
      throw .invalidCurve(reason: "has numbers that are not finite, or more than 65536 cubics")
    }
    let track = PieceTrack(
      components: [0], times: fit.times, pieces: [fit.pieces], boundariesBelongToLater: fit.boundariesBelongToLater)
    let clip: Clip
    do throws(ClipError) { clip = try Clip(dimensions: 1, initialValues: [0], tracks: [track]) } catch {
      throw .invalidCurve(reason: "is too steep: \(error)")
    }
    guard let tables = ClipTables(clip) else { throw .invalidCurve(reason: "has more cubics than there is memory for") }
    self.tables = tables
  }

  /// Computes the shares of a way that are covered at progresses in time.
  ///
  /// A progress below 0 counts as 0, one above 1 as 1, and NaN gives NaN. The ends are exact. Where the curve jumps, either
  /// side may show within 2⁻³¹ of the jump.
  ///
  /// - Parameters:
  ///   - progress: Progress in time, 0 to 1.
  ///   - shares: Gets the share of each element.
  /// - Throws: ``ColumnError/wrongCount(of:expected:got:)``.
  /// - Complexity: O(elements).
  public func shares(at progress: Span<Float>, into shares: inout MutableSpan<Float>) throws(ColumnError) {
    try evaluate(ElementNumbers(progress), nil, ElementResults(&shares))
  }

  /// Computes values on the way from one number to another, as above: exactly `from` and `to` at the ends of a curve from 0 to 1.
  ///
  /// - Parameters:
  ///   - progress: Progress in time, 0 to 1.
  ///   - from: Where values begin.
  ///   - to: Where they end.
  ///   - values: Gets the value of each element.
  /// - Throws: ``ColumnError/wrongCount(of:expected:got:)``.
  /// - Complexity: O(elements).
  public func values(
    at progress: Span<Float>, from: Span<Float>, to: Span<Float>, into values: inout MutableSpan<Float>
  ) throws(ColumnError) {
    let range = (from: ElementNumbers(from), to: ElementNumbers(to))
    try evaluate(ElementNumbers(progress), range, ElementResults(&values))
  }

  private func evaluate(
    _ progress: ElementNumbers, _ range: (from: ElementNumbers, to: ElementNumbers)?, _ results: ElementResults
  ) throws(ColumnError) {
    try progress.check("progress", count: results.count)
    try range?.from.check("from", count: results.count)
    try range?.to.check("to", count: results.count)
    ElementPart.forEach(of: results.count) { part in
      part.withOutput(results, tile: 0) { values in
        let ends = range.map { (from: part.input($0.from, tile: 2), to: part.input($0.to, tile: 3)) }
        let elements = EaseElements(
          progress: part.input(progress, tile: 1), range: ends, values: values, first: self.ends.first,
          last: self.ends.last)
        kernels.ease(tables.table.tracks[0], elements, part.laneCount)
      }
    }
  }
}
