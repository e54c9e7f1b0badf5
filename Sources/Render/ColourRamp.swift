// SPDX-License-Identifier: MIT

/// Colours in a row, as strengths of marks on a backdrop.
package struct ColourRamp: Sendable {
  private static let steps = 256
  private var strengths: [Light] = []

  /// A ramp from the first colour to the last; at least one. Between two of them the levels change evenly.
  package init(_ colours: [SIMD3<UInt8>], strength: Float = 1, on backdrop: Backdrop) {
    for step in 0..<Self.steps {
      let place = Double(step) / Double(Self.steps - 1) * Double(colours.count - 1)
      let first = min(Int(place), max(0, colours.count - 2))
      let second = min(first + 1, colours.count - 1)
      let share = place - Double(first)
      var levels = SIMD3<UInt8>.zero
      for channel in 0..<3 {
        let (from, to) = (Double(colours[first][channel]), Double(colours[second][channel]))
        levels[channel] = UInt8((from + (to - from) * min(1, share)).rounded())
      }
      strengths.append(backdrop.strength(showing: levels) * strength)
    }
  }

  /// The strength at a place from 0 to 1; places outside, and NaN, have that of an end.
  @inline(__always)
  package subscript(place: Float) -> Light {
    strengths[Int(max(0, min(1, place)) * Float(Self.steps - 1) + 0.5)]
  }
}
