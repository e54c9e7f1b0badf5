// SPDX-License-Identifier: MIT

/// The result of compiling a clip: its size, and how far it may be from its source.
public struct ClipReport: Sendable, Equatable {
  /// Cubic pieces, counted for each component.
  public var pieces: Int

  /// Bytes of the pieces and their boundaries. The clip itself takes more: a million clips compiled from timelines of
  /// 16 cubic keyframes, whose pieces take 648 bytes, took 1.2 KB of resident memory each.
  public var bytes: Int

  /// For each dimension the greatest difference in value, in units of the value.
  ///
  /// It is a bound, not an estimate: errors measured while fitting count with a margin. Linear, cubic and move
  /// keyframes have rounding errors alone. For given pieces it is the bound that the caller stated.
  public var valueErrorBounds: [Double]

  /// For each dimension the greatest difference in velocity, in units per second.
  ///
  /// It is infinite where the motion is vertical, as at the end of a quarter circle: the clip's velocity is finite there.
  /// Boundary instants, at which a velocity jumps, count as the piece they belong to.
  public var velocityErrorBounds: [Double]

  /// The greatest difference in value over all dimensions.
  public var valueErrorBound: Double { valueErrorBounds.max() ?? 0 }

  /// The greatest difference in velocity over all dimensions.
  public var velocityErrorBound: Double { velocityErrorBounds.max() ?? 0 }

  /// A report of the given numbers.
  public init(pieces: Int, bytes: Int, valueErrorBounds: [Double], velocityErrorBounds: [Double]) {
    self.pieces = pieces
    self.bytes = bytes
    self.valueErrorBounds = valueErrorBounds
    self.velocityErrorBounds = velocityErrorBounds
  }
}
