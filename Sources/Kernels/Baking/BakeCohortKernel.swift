// SPDX-License-Identifier: MIT

extension InstructionSet {
  /// Writes one quantity of a cohort: `coefficients` gives those of a frame.
  @inlinable @inline(__always)
  static func writeCohort<Q: BakedQuantity>(
    _ lanes: BakeLanes, count: Int, _ bases: UnsafePointer<CohortBasis>, frames: Int,
    to address: UnsafeMutablePointer<Float>, _ output: BakeOutput, _: Q.Type,
    _ coefficients: (CohortBasis) -> (Float, Float)
  ) {
    if output.laneStride == 1 {
      for frame in 0..<frames {
        let (c, s) = coefficients(bases[frame])
        storeRow(
          CohortRow<Self, Q>(lanes, first: 0, c, s), count: count, to: address + frame &* output.frameStride, output)
      }
      return
    }
    var lane = 0
    while lane < count {
      let part = count &- lane < laneCountOfBake ? count &- lane : laneCountOfBake
      var frame = 0
      while frame < frames {
        let rows = frames &- frame < frameCountOfBake ? frames &- frame : frameCountOfBake
        for row in 0..<rows {
          let (c, s) = coefficients(bases[frame &+ row])
          storeRow(
            CohortRow<Self, Q>(lanes, first: lane, c, s), count: part, to: lanes.tile + row &* BakeLanes.rowStride)
        }
        turn(
          lanes.tile, rows: rows, count: part,
          to: address + (lane &* output.laneStride &+ frame &* output.frameStride), stride: output.laneStride)
        frame &+= rows
      }
      lane &+= part
    }
  }

  /// Bakes lanes of one cohort, of which only displacement, amplitude and target are looked at, with the bits that
  /// `evaluateCohort` gives frame by frame.
  ///
  /// - Parameters:
  ///   - count: Lanes, at most ``BakeLanes/cohortCapacity``.
  ///   - bases: The cohort's in each frame.
  @inlinable @inline(__always)
  public static func bakeCohort(
    _ lanes: BakeLanes, count: Int, _ bases: UnsafePointer<CohortBasis>, frames: Int, _ output: BakeOutput
  ) {
    writeCohort(lanes, count: count, bases, frames: frames, to: output.values, output, BakedValue.self) {
      ($0.valueOfDisplacement, $0.valueOfAmplitude)
    }
    if let velocities = output.velocities {
      writeCohort(lanes, count: count, bases, frames: frames, to: velocities, output, BakedVelocity.self) {
        ($0.velocityOfDisplacement, $0.velocityOfAmplitude)
      }
    }
    if output.stores != .ordinary {
      fence()
    }
  }
}
