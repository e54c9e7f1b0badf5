// SPDX-License-Identifier: MIT

/// One track of a clip as cubic pieces: components that share their piece boundaries. All numbers are Double.
///
/// A piece's coefficients count the time from its own start, in seconds, so they are as good late in a long track as at
/// its beginning. Before the first boundary the start of the first piece holds, after the last one the end of the last
/// piece.
public struct PieceTrack: Sendable, Equatable {
  /// The clip's dimensions that the track gives values to, each once.
  public var components: [Int]

  /// n + 1 boundaries in seconds for n pieces, ascending; the first is 0.
  ///
  /// The first two may both be 0: then the first piece shows at time 0 only, as the value before a move at the start
  /// does. The last two may be equal too: then the last piece shows after the end only, as the value after a move there
  /// does.
  public var times: [Double]

  /// The pieces of each component: `pieces[component][piece]` is c with value(u) = c.x + u(c.y + u(c.z + u·c.w)), u in
  /// seconds since the piece's start.
  public var pieces: [[SIMD4<Double>]]

  /// Whether a boundary instant belongs to the later piece (imported tracks of key times) instead of the earlier (timelines).
  public var boundariesBelongToLater = false

  /// The indices in ``times`` of boundaries that stand a little before a jump, where the jump belongs to the later
  /// piece. In ticks both are one instant, which belongs to the later piece.
  var earlyBoundaries: [Int] = []

  /// A track of the given pieces; a ``Clip`` checks them.
  public init(
    components: [Int], times: [Double], pieces: [[SIMD4<Double>]], boundariesBelongToLater: Bool = false
  ) {
    self.components = components
    self.times = times
    self.pieces = pieces
    self.boundariesBelongToLater = boundariesBelongToLater
  }
}

// MARK: - Evaluation

extension PieceTrack {
  /// The number of pieces of each component.
  package var pieceCount: Int { max(0, times.count - 1) }

  /// The piece that a time belongs to; the first one before the first boundary, and the last one after the last.
  ///
  /// - Complexity: O(log n) in the number of pieces.
  package func piece(at time: Double) -> Int {
    // The number of inner boundaries before the time, or at it where they belong to the later piece.
    (1..<max(1, pieceCount)).endOfPrefix { boundariesBelongToLater ? times[$0] <= time : times[$0] < time } - 1
  }

  /// The value of a component (by its index in `components`) at a time: the reference in Double for the tables.
  package func value(component: Int, at time: Double) -> Double {
    let piece = piece(at: time)
    return pieces[component][piece].cubicValue(at: elapsed(at: time, in: piece))
  }

  /// The rate of change of a component at a time, per second; zero outside the track's time.
  package func velocity(component: Int, at time: Double) -> Double {
    guard time >= 0, time <= times[pieceCount] else { return 0 }
    let piece = piece(at: time)
    return pieces[component][piece].cubicSlope(at: elapsed(at: time, in: piece))
  }

  /// The seconds of a piece that have passed at a time.
  private func elapsed(at time: Double, in piece: Int) -> Double {
    // In this order a time that is not a number counts as the start.
    min(max(times[piece], time), times[piece + 1]) - times[piece]
  }
}

extension SIMD4<Double> {
  /// The cubic with these coefficients, the constant one first.
  package func cubicValue(at u: Double) -> Double { x + u * (y + u * (z + u * w)) }

  /// The derivative of the cubic with these coefficients.
  package func cubicSlope(at u: Double) -> Double { y + u * (2 * z + u * (3 * w)) }
}
