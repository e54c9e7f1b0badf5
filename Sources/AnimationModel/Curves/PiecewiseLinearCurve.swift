// SPDX-License-Identifier: MIT

/// The polyline of CSS `linear()`: straight between points, with jumps where two points have the same input.
///
/// Source: CSS Easing Functions Level 2, section 2.2.
public struct PiecewiseLinearCurve: Hashable, Sendable {
  /// A corner of the polyline.
  public struct Point: Hashable, Sendable {
    /// The progress in time; nil is filled in evenly between its neighbours.
    public var input: Double?

    /// The progress in value.
    public var output: Double

    /// A corner with the given coordinates.
    public init(input: Double? = nil, output: Double) {
      self.input = input
      self.output = output
    }
  }

  /// The inputs of the corners, in rising order.
  package let inputs: [Double]

  /// The outputs of the corners.
  package let outputs: [Double]

  /// A polyline through the given points.
  ///
  /// As in CSS, the first and last input are 0 and 1 unless given, an input below an earlier one is raised to it, and
  /// missing inputs are spread evenly. Without points the curve is the identity; with one it is constant.
  public init(_ points: [Point]) {
    inputs = Self.completedInputs(points.map { $0.input })
    outputs = points.map { $0.output }
  }

  private init(inputs: [Double], outputs: [Double]) {
    self.inputs = inputs
    self.outputs = outputs
  }

  /// The output at a progress. Outside the points it lies on the line through the two nearest ones.
  ///
  /// At a jump it is the output after the jump.
  ///
  /// - Complexity: O(log *n*) in the number of points.
  public func value(at progress: Double) -> Double {
    guard outputs.count > 1 else { return progress.isNaN ? progress : outputs.first ?? progress }
    let (first, second) = piece(at: progress)
    let (from, to) = (inputs[first], inputs[second])
    guard from < to else { return progress.isNaN ? progress : outputs[progress < to ? first : second] }
    if progress == to { return outputs[second] }
    return outputs[first] + (outputs[second] - outputs[first]) * ((progress - from) / (to - from))
  }

  /// The slope at a progress. At a corner it is the slope of the piece to the right; at the end, of the last piece.
  ///
  /// Jumps do not count: the slope of a piece of no length is 0.
  ///
  /// - Complexity: O(log *n*) in the number of points.
  public func velocity(at progress: Double) -> Double {
    if progress.isNaN { return progress }
    guard outputs.count > 1 else { return outputs.isEmpty ? 1 : 0 }
    let (first, second) = piece(at: progress)
    let run = inputs[second] - inputs[first]
    return run > 0 ? (outputs[second] - outputs[first]) / run : 0
  }

  /// The polyline with input and output exchanged, made to rise.
  package var inverse: PiecewiseLinearCurve {
    PiecewiseLinearCurve(inputs: Self.completedInputs(outputs.map(Optional.some)), outputs: inputs)
  }

  /// The two corners of the piece that a progress lies in, or that is extended to it.
  private func piece(at progress: Double) -> (Int, Int) {
    // By bisection: the last corner that has a successor and is not right of the progress.
    var (low, high) = (0, inputs.count)
    while low < high {
      let middle = (low + high) / 2
      if inputs[middle] <= progress { low = middle + 1 } else { high = middle }
    }
    let first = min(max(low - 1, 0), inputs.count - 2)
    return (first, first + 1)
  }

  /// CSS's canonical inputs: the ends filled in, falling inputs raised, missing ones spread evenly.
  private static func completedInputs(_ given: [Double?]) -> [Double] {
    var inputs = given
    guard !inputs.isEmpty else { return [] }
    let last = inputs.count - 1
    inputs[0] = inputs[0] ?? 0
    inputs[last] = inputs[last] ?? 1
    var result: [Double] = []
    for (index, input) in inputs.enumerated() {
      guard let input else { continue }
      let floor = result.last ?? input
      let raised = input < floor ? floor : input
      let previous = result.count - 1
      for missing in result.count..<index {
        result.append(floor + (raised - floor) * (Double(missing - previous) / Double(index - previous)))
      }
      result.append(raised)
    }
    return result
  }
}
