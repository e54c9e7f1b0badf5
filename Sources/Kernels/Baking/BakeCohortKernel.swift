// SPDX-License-Identifier: MIT

/// A quantity of a cohort, with the coefficients that a basis has for it.
public protocol CohortQuantity: BakedQuantity {
  static func coefficients(_ basis: CohortBasis) -> (Float, Float)
}

extension BakedValue: CohortQuantity {
  @export(implementation) @inline(__always)
  public static func coefficients(_ basis: CohortBasis) -> (Float, Float) {
    (basis.valueOfDisplacement, basis.valueOfAmplitude)
  }
}

extension BakedVelocity: CohortQuantity {
  @export(implementation) @inline(__always)
  public static func coefficients(_ basis: CohortBasis) -> (Float, Float) {
    (basis.velocityOfDisplacement, basis.velocityOfAmplitude)
  }
}

extension InstructionSet {
  /// Writes frames of a cohort's lanes from `first` on.
  @inline(never)
  @export(implementation)
  static func writeCohortRows<Q: CohortQuantity, W: RowWay>(
    _ lanes: BakeLanes, first: Int, count: Int, _ bases: ConstantColumn<CohortBasis>, frames: Int,
    to address: Column<Float>, stride: Int, _ output: BakeOutput, _: Q.Type, _: W.Type
  ) {
    var to = address
    for frame in 0..<frames {
      let (c, s) = Q.coefficients(bases[frame])
      W.write(CohortRow<Self, Q>(lanes, first: first, c, s), count: count, to: to, output, spare: lanes.spare)
      to += stride
    }
  }

  @export(implementation) @inline(__always)
  static func writeCohort<Q: CohortQuantity>(
    _ lanes: BakeLanes, count: Int, _ bases: ConstantColumn<CohortBasis>, frames: Int,
    to address: Column<Float>, _ output: BakeOutput, _ quantity: Q.Type
  ) {
    if output.laneStride == 1 {
      if output.isStreamed {
        writeCohortRows(
          lanes, first: 0, count: count, bases, frames: frames, to: address, stride: output.frameStride, output,
          quantity, StreamedRow.self)
      } else {
        writeCohortRows(
          lanes, first: 0, count: count, bases, frames: frames, to: address, stride: output.frameStride, output,
          quantity, StoredRow.self)
      }
      return
    }
    var lane = 0
    while lane < count {
      let part = count &- lane < laneCountOfBake ? count &- lane : laneCountOfBake
      var frame = 0
      while frame < frames {
        let rows = frames &- frame < frameCountOfBake ? frames &- frame : frameCountOfBake
        writeCohortRows(
          lanes, first: lane, count: part, bases + frame, frames: rows, to: lanes.tile, stride: BakeLanes.rowStride,
          output, quantity, StoredRow.self)
        turn(
          lanes.tile, rows: rows, count: part, to: address + (lane &* output.laneStride &+ frame),
          stride: output.laneStride)
        frame &+= rows
      }
      lane &+= part
    }
  }

  /// Bakes lanes of one cohort, with the bits that `evaluateCohort` gives frame by frame. Of the lanes only
  /// displacement, amplitude and target are read.
  ///
  /// - Parameters:
  ///   - count: The number of lanes, at most ``BakeLanes/cohortCapacity``.
  ///   - bases: The cohort's basis in each frame.
  @export(implementation) @inline(__always)
  public static func bakeCohort(
    _ lanes: BakeLanes, count: Int, _ bases: ConstantColumn<CohortBasis>, frames: Int, _ output: BakeOutput
  ) {
    writeCohort(lanes, count: count, bases, frames: frames, to: output.values, output, BakedValue.self)
    if let velocities = output.velocities {
      writeCohort(lanes, count: count, bases, frames: frames, to: velocities, output, BakedVelocity.self)
    }
    if output.isStreamed {
      fence()
    }
  }
}
