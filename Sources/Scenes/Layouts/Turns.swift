// SPDX-License-Identifier: MIT
import Kernels

/// Sine and cosine of angles in turns, with the same bits on every machine, so that all machines lay scenes out alike.
enum Turns {
  /// sin(2π · `turns`), for fewer than 2⁴⁸ turns.
  static func sine(_ turns: Double) -> Double { ReproducibleMath.sineAndCosine(quarterTurns: 4 * turns).sine }

  /// cos(2π · `turns`), for fewer than 2⁴⁸ turns.
  static func cosine(_ turns: Double) -> Double { ReproducibleMath.sineAndCosine(quarterTurns: 4 * turns).cosine }
}
