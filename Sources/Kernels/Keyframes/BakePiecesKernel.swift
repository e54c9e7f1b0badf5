// SPDX-License-Identifier: MIT
// Frames of many values on one clock. Every lane has its piece, which lasts for all of the frames, so that only the distance
// from its middle is another in each.

/// A quantity of a piece.
public protocol PieceQuantity {
  static func evaluate<I: InstructionSet>(_ set: I.Type, _ cubic: Records<I>, _ distance: I.Floats, _ rate: I.Floats)
    -> I.Floats
}

extension BakedValue: PieceQuantity {
  @inlinable @inline(__always)
  public static func evaluate<I: InstructionSet>(
    _ set: I.Type, _ cubic: Records<I>, _ distance: I.Floats, _ rate: I.Floats
  ) -> I.Floats {
    I.value(cubic, distance, I.Floats.zero, I.Floats.zero, Plain.self)
  }
}

extension BakedVelocity: PieceQuantity {
  @inlinable @inline(__always)
  public static func evaluate<I: InstructionSet>(
    _ set: I.Type, _ cubic: Records<I>, _ distance: I.Floats, _ rate: I.Floats
  ) -> I.Floats {
    I.velocity(cubic, distance, I.Floats.zero, rate, Plain.self)
  }
}

/// A frame of lanes in their pieces.
@usableFromInline struct PiecesRow<I: InstructionSet, Q: PieceQuantity>: BakedRow {
  @usableFromInline let pieces: BakedPieces
  @usableFromInline let first: Int
  @usableFromInline let tick: I.Ints
  @usableFromInline let rate: I.Floats

  @inlinable @inline(__always)
  init(_ pieces: BakedPieces, first: Int, _ moment: ClipMoment) {
    (self.pieces, self.first) = (pieces, first)
    (tick, rate) = (I.Ints(repeating: moment.tick), I.splat(moment.rate))
  }

  @inlinable @inline(__always)
  func vector(_ lane: Int) -> I.Floats {
    let lane = first &+ lane
    let x = pieces.coefficients
    let cubic = Records<I>(
      x: I.load(x, lane), y: I.load(x + BakedPieces.stride, lane), z: I.load(x + 2 &* BakedPieces.stride, lane),
      w: I.load(x + 3 &* BakedPieces.stride, lane))
    return Q.evaluate(I.self, cubic, I.distances(tick, from: I.load(pieces.centers, lane)), rate)
  }
}

/// Frames of lanes that stay in their pieces.
@usableFromInline struct PiecesFrames<I: InstructionSet, Q: PieceQuantity>: BakedFrames {
  @usableFromInline let pieces: BakedPieces
  @usableFromInline let moments: UnsafePointer<ClipMoment>

  @inlinable @inline(__always)
  init(_ pieces: BakedPieces, _ moments: UnsafePointer<ClipMoment>, _: I.Type, _: Q.Type) {
    (self.pieces, self.moments) = (pieces, moments)
  }

  @inlinable @inline(__always)
  func row(_ frame: Int, first: Int) -> PiecesRow<I, Q> { PiecesRow(pieces, first: first, moments[frame]) }
}

extension InstructionSet {
  /// Bakes lanes in their pieces, with the bits that `evaluateRows` gives frame by frame. Where results are stored past the
  /// caches, a ``fence()`` must follow the last call.
  ///
  /// - Parameters:
  ///   - count: Lanes, at most ``BakedPieces/capacity``.
  ///   - moments: One a frame, all within the pieces.
  @inlinable @inline(__always)
  public static func bakePieces(
    _ pieces: BakedPieces, count: Int, _ moments: UnsafePointer<ClipMoment>, frames: Int, _ output: BakeOutput
  ) {
    write(
      PiecesFrames(pieces, moments, Self.self, BakedValue.self), count: count, frameCount: frames, to: output.values,
      output, pieces.room)
    if let velocities = output.velocities {
      write(
        PiecesFrames(pieces, moments, Self.self, BakedVelocity.self), count: count, frameCount: frames,
        to: velocities, output, pieces.room)
    }
  }
}
