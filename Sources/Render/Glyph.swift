// SPDX-License-Identifier: MIT
import Kernels

/// A shape by its corners, one unit wide and high about the origin, with the second axis upwards.
package struct Glyph: Sendable {
  let corners: [SIMD2<Float>]

  /// A disc.
  package static let disc = Glyph { turn in
    let (sine, cosine) = ReproducibleMath.sineAndCosine(quarterTurns: 4 * turn)
    return (cosine / 2, sine / 2)
  }

  /// A heart: the classical curve in sines and cosines.
  package static let heart = Glyph { turn in
    let sine = ReproducibleMath.sineAndCosine(quarterTurns: 4 * turn).sine
    func cosine(_ times: Double) -> Double { ReproducibleMath.sineAndCosine(quarterTurns: 4 * times * turn).cosine }
    return (sine * sine * sine / 2, (13 * cosine(1) - 5 * cosine(2) - 2 * cosine(3) - cosine(4) + 2.5) / 29)
  }

  /// An arrow head that points up.
  package static let arrow = Glyph(corners: [[0, 0.5], [-0.36, -0.5], [0, -0.28], [0.36, -0.5]])

  private init(corners: [SIMD2<Float>]) { self.corners = corners }

  /// A closed curve, by its point at each share of a turn.
  private init(_ point: (Double) -> (x: Double, y: Double)) {
    corners = (0..<28).map { step in
      let place = point(Double(step) / 28)
      return SIMD2(Float(place.x), Float(place.y))
    }
  }

  /// The corners on the screen, where the second axis points down.
  package func lay(
    _ laid: inout [SIMD2<Float>], at middle: SIMD2<Float>, width: Float, height: Float, degrees: Float
  ) {
    laid.removeAll(keepingCapacity: true)
    guard degrees.isFinite else { return }
    let (sine, cosine) = ReproducibleMath.sineAndCosine(quarterTurns: Double(degrees) / 90)
    let (s, c) = (Float(sine), Float(cosine))
    for corner in corners {
      let (x, y) = (corner.x * width, corner.y * height)
      laid.append(SIMD2(middle.x + x * c - y * s, middle.y - (x * s + y * c)))
    }
  }
}
