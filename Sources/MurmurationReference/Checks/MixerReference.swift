// SPDX-License-Identifier: MIT
package import Murmuration
package import Rigs

extension [MixerLayer] {
  /// The outputs of one instance of a mixer in Double, one layer after the other over a base, with the error that a
  /// mixer may have: for each rounding, a share of the magnitudes that were added.
  ///
  /// - Parameters:
  ///   - inputs: The inputs of all columns.
  ///   - terms: The number of products that the mixer adds for an output.
  package func exactOutputs(over base: [Float], _ inputs: [Float], terms: Int) -> [MotionSample] {
    let share = Double(terms + 4 * count + 4) * 2 * ErrorBound.unit
    return base.indices.map { output in
      // Each sum stands beside the sum of the magnitudes of its terms.
      func term(_ number: Double) -> SIMD2<Double> { SIMD2(number, abs(number)) }
      var sum = term(Double(base[output]))
      var inputs = inputs[...]
      for layer in self {
        var own = term(layer.base.isEmpty ? 0 : Double(layer.base[output]))
        for track in 0..<layer.trackCount {
          own += term(Double(inputs.removeFirst()) * Double(layer.shapes[track * base.count + output]))
        }
        let weight = layer.isWeighted ? Double(inputs.removeFirst()) : 1
        let replaced = layer.kind == .override ? SIMD2(-sum[0], sum[1]) : .zero
        sum += term(weight * (layer.mask.isEmpty ? 1 : Double(layer.mask[output]))) * (own + replaced)
      }
      return MotionSample(value: sum[0], bound: ErrorBound(value: share * sum[1] + 1e-37))
    }
  }
}

extension SplitMix64 {
  /// Numbers within a range.
  package mutating func floats(_ count: Int, _ range: ClosedRange<Double>) -> [Float] {
    (0..<count).map { _ in Float(uniform(range)) }
  }

  /// A random layer. Its mask, if it has one, is 0 and 1 in parts, and some of its rows are 0.
  package mutating func layer(_ kind: MixerLayer.Kind, tracks: Int, outputs: Int) -> MixerLayer {
    var shapes = floats(tracks * outputs, -3...3)
    for track in 0..<tracks where next() % 3 == 0 {
      // A stretch of zeros, perhaps the whole row.
      let first = Int(next() % UInt64(outputs + 1))
      for output in first..<outputs { shapes[track * outputs + output] = 0 }
    }
    let mask: [Float] =
      switch next() % 4 {
      case 0: []
      case 1: (0..<outputs).map { $0 < outputs / 2 ? 1 : 0 }
      case 2: [Float](repeating: 0.25, count: outputs)
      default: floats(outputs, -0.5...1.5).map { min(1, max(0, $0)) }
      }
    let base = next() % 2 == 0 ? [] : floats(outputs, -5...5)
    return MixerLayer(
      kind, trackCount: tracks, shapes: shapes, base: base, mask: mask, isWeighted: next() % 3 > 0)
  }
}
