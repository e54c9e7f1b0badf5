// SPDX-License-Identifier: MIT

/// What compiling a clip has come to: its size, and how far it may be from what it was compiled from.
public struct ClipReport: Sendable, Equatable {
  /// Cubic pieces, those of each component counted.
  public var pieces: Int

  /// Bytes that the pieces and their boundaries take. The clip itself takes more: with a million clips compiled from timelines
  /// of 16 cubic keyframes, where these are 648 bytes, 1.2 KB of resident memory each were measured.
  public var bytes: Int

  /// For each dimension the greatest difference in value, in units of the value.
  ///
  /// It is a bound, not an estimate: what is measured while fitting counts with a margin. That of linear, cubic and move
  /// keyframes is rounding alone. For data that was given as pieces it is what the caller stated.
  public var valueErrorBounds: [Double]

  /// For each dimension the greatest difference in velocity, in units per second.
  ///
  /// It is infinite where the compiled motion is upright, as at the end of a quarter circle: the clip's velocity is finite
  /// there. Boundary instants, at which a velocity jumps, count as the piece they belong to.
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
