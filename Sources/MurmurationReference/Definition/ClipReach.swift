// SPDX-License-Identifier: MIT
package import Murmuration

/// The sizes of the pieces of a clip. The errors of evaluating the pieces are shares of these sizes.
///
/// A size is the sum of the magnitudes of a piece's terms at its ends, measured from its middle. The first piece is
/// also measured from its start and the last from its end, as tables measure these, and a piece of a tick or two from both.
package struct ClipReach {
  /// The largest such sum of a value.
  package private(set) var value: Double
  /// The largest such sum of a slope, per second.
  package private(set) var slope = 0.0
  /// The largest such sum of the slope's change, per second squared.
  package private(set) var acceleration = 0.0
  /// The largest sum of a slope and its change over half a piece: the position in a piece is rounded too.
  package private(set) var bend = 0.0

  /// The largest sizes of one dimension of a clip.
  package init(_ clip: Clip, dimension: Int) {
    value = abs(clip.initialValues[dimension])
    for track in clip.tracks {
      for (pieces, component) in zip(track.pieces, track.components) where component == dimension {
        for (index, piece) in pieces.enumerated() {
          let length = track.times[index + 1] - track.times[index]
          add(piece, from: length / 2, reach: length / 2)
          let isMoment = length <= 0x1p-31 * clip.duration
          if index == 0 || isMoment { add(piece, from: 0, reach: length) }
          if index == pieces.count - 1 || isMoment { add(piece, from: length, reach: length) }
        }
      }
    }
  }

  private mutating func add(_ piece: SIMD4<Double>, from middle: Double, reach h: Double) {
    let (a, b) = (abs(piece.cubicValue(at: middle)), abs(piece.cubicSlope(at: middle)))
    let (c, d) = (abs(piece.z + 3 * piece.w * middle), abs(piece.w))
    value = max(value, a + b * h + c * h * h + d * h * h * h)
    slope = max(slope, b + 2 * c * h + 3 * d * h * h)
    acceleration = max(acceleration, 2 * c + 6 * d * h)
    bend = max(bend, b + 4 * c * h + 9 * d * h * h)
  }
}
