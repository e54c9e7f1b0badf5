// SPDX-License-Identifier: MIT
// Frames of many values on one clock. Each lane stays in one piece for all frames, so only the distance from the
// piece's middle differs from frame to frame.

/// A quantity of a piece.
public protocol PieceQuantity {
  static func evaluate<I: InstructionSet>(_ set: I.Type, _ cubic: Records<I>, _ distance: I.Floats, _ rate: I.Floats)
    -> I.Floats
}

extension BakedValue: PieceQuantity {
  @export(implementation) @inline(__always)
  public static func evaluate<I: InstructionSet>(
    _ set: I.Type, _ cubic: Records<I>, _ distance: I.Floats, _ rate: I.Floats
  ) -> I.Floats {
    I.value(cubic, distance, I.Floats.zero, I.Floats.zero, Plain.self)
  }
}

extension BakedVelocity: PieceQuantity {
  @export(implementation) @inline(__always)
  public static func evaluate<I: InstructionSet>(
    _ set: I.Type, _ cubic: Records<I>, _ distance: I.Floats, _ rate: I.Floats
  ) -> I.Floats {
    I.velocity(cubic, distance, I.Floats.zero, rate, Plain.self)
  }
}

/// The distances of lanes from the middles of their pieces in a frame.
public protocol PieceDistance {
  associatedtype I: InstructionSet
  init(_ pieces: BakedPieces, first: Int, tick: Int32)
  func distances(_ lane: Int) -> I.Floats
}

/// Lanes that are all in one piece.
@usableFromInline struct OnePiece<I: InstructionSet>: PieceDistance {
  @usableFromInline let distance: I.Floats

  @export(implementation) @inline(__always)
  init(_ pieces: BakedPieces, first: Int, tick: Int32) {
    distance = I.distances(I.Ints(repeating: tick), from: I.Ints(repeating: pieces.center))
  }

  @export(implementation) @inline(__always)
  func distances(_ lane: Int) -> I.Floats { distance }
}

/// Lanes that are in several pieces.
@usableFromInline struct SeveralPieces<I: InstructionSet>: PieceDistance {
  @usableFromInline let centers: ConstantColumn<Int32>
  @usableFromInline let ticks: I.Ints

  @export(implementation) @inline(__always)
  init(_ pieces: BakedPieces, first: Int, tick: Int32) {
    unsafe centers = pieces.centers.unsafelyUnwrapped + first
    ticks = I.Ints(repeating: tick)
  }

  @export(implementation) @inline(__always)
  func distances(_ lane: Int) -> I.Floats {
    I.distances(ticks, from: centers.lanes(at: lane, as: I.Ints.self))
  }
}

/// A frame of lanes in their pieces.
@usableFromInline struct PiecesRow<Q: PieceQuantity, D: PieceDistance>: BakedRow {
  @usableFromInline typealias I = D.I
  @usableFromInline let coefficients: ConstantColumn<Float>
  @usableFromInline let stride: Int
  @usableFromInline let distance: D
  @usableFromInline let rate: D.I.Floats

  @export(implementation) @inline(__always)
  init(_ pieces: BakedPieces, first: Int, _ moment: ClipMoment) {
    (coefficients, stride) = (pieces.coefficients + first, pieces.stride)
    distance = D(pieces, first: first, tick: moment.tick)
    rate = D.I.splat(moment.rate)
  }

  @export(implementation) @inline(__always)
  func vector(_ lane: Int) -> D.I.Floats {
    let cubic = Records<D.I>(
      x: D.I.load(coefficients, lane), y: D.I.load(coefficients + stride, lane),
      z: D.I.load(coefficients + 2 &* stride, lane), w: D.I.load(coefficients + 3 &* stride, lane))
    return Q.evaluate(D.I.self, cubic, distance.distances(lane), rate)
  }
}

/// Frames of lanes that stay in their pieces.
@usableFromInline struct PiecesFrames<Q: PieceQuantity, D: PieceDistance>: BakedFrames {
  @usableFromInline let pieces: BakedPieces
  @usableFromInline let moments: ConstantColumn<ClipMoment>

  @export(implementation) @inline(__always)
  init(_ pieces: BakedPieces, _ moments: ConstantColumn<ClipMoment>) {
    (self.pieces, self.moments) = (pieces, moments)
  }

  @export(implementation) @inline(__always)
  func row(_ frame: Int, first: Int) -> PiecesRow<Q, D> { PiecesRow(pieces, first: first, moments[frame]) }
}

extension InstructionSet {
  /// Bakes lanes in their pieces, with the bits that `evaluateRows` gives frame by frame. If results are stored past
  /// the caches, a ``fence()`` must follow the last call.
  ///
  /// - Parameters:
  ///   - count: The number of lanes.
  ///   - moments: One for each frame, all within the pieces.
  @export(implementation) @inline(__always)
  public static func bakePieces(
    _ pieces: BakedPieces, count: Int, _ moments: ConstantColumn<ClipMoment>, frames: Int, _ output: BakeOutput
  ) {
    if pieces.centers == nil {
      bakePieces(pieces, count: count, moments, frames: frames, output, OnePiece<Self>.self)
    } else {
      bakePieces(pieces, count: count, moments, frames: frames, output, SeveralPieces<Self>.self)
    }
  }

  @export(implementation) @inline(__always)
  static func bakePieces<D: PieceDistance>(
    _ pieces: BakedPieces, count: Int, _ moments: ConstantColumn<ClipMoment>, frames: Int, _ output: BakeOutput,
    _: D.Type
  ) where D.I == Self {
    write(
      PiecesFrames<BakedValue, D>(pieces, moments), count: count, frameCount: frames, to: output.values, output,
      pieces.room)
    if let velocities = output.velocities {
      write(
        PiecesFrames<BakedVelocity, D>(pieces, moments), count: count, frameCount: frames, to: velocities, output,
        pieces.room)
    }
  }
}
