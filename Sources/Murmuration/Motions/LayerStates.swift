// SPDX-License-Identifier: MIT
import AnimationModel
import Kernels

/// The state of the layers of a row of curves at a moment at which another motion takes over, and of the spring or the
/// value under them.
///
/// It computes the same sum as ``AnimationSum``, from the columns of a row.
struct LayerStates {
  private let shape: CurveShape
  /// The basis of the spring under all layers; nil for a value that stands.
  private let basis: MotionBasis?
  /// The part of its way that each layer has covered, and the rate of change of that part, per second.
  private var covered = SIMD4<Double>.zero
  private var rates = SIMD4<Double>.zero

  init(
    of row: Int, at moment: Double, _ curves: borrowing CurveMotions, _ springs: borrowing SpringMotions,
    _ tracks: borrowing TrackStore
  ) {
    shape = curves.shape(tracks.tiles.kind(ofRow: row))
    let last = curves.layer(shape.curves.count - 1, row, shape)
    let span = CurveEntry(.progress(last.progress), start: last.start).span
    let restTime = last.progress.endsAtTarget ? span.end : span.end.nextUp
    let time = moment.underWay(until: span.end, isFinished: moment >= restTime)
    for layer in shape.curves.indices {
      let (start, progress) = curves.layer(layer, row, shape)
      let local = CurveEntry(.progress(progress), start: start).span.local(time)
      (covered[layer], rates[layer]) = time < restTime ? progress.state(at: local) : (1, 0)
    }
    if shape.under == .still {
      basis = nil
    } else {
      let columns = springs.columns
      basis = springs.coefficients(ofRow: row).basis(age: time - columns.start[row])
    }
  }

  /// The value and the velocity of a dimension of the row.
  func state(
    ofRow row: Int, _ dimension: Int, _ curves: borrowing CurveMotions, _ springs: borrowing SpringMotions,
    _ tracks: borrowing TrackStore
  ) -> (value: Float, velocity: Float) {
    var (value, velocity) = (Double(curves.under(row, dimension)), 0.0)
    if let basis {
      let start = dimension * springs.columns.startStride + row
      let shown = basis.applied(springs.columns.displacement[start], springs.columns.amplitude[start])
      (value, velocity) = (value + Double(shown.value), Double(shown.velocity))
    }
    for layer in shape.curves.indices {
      let goal = Double(curves.goal(layer, row, shape, dimension, tracks))
      let way = goal - value
      velocity = velocity * (1 - covered[layer]) + (way == 0 ? 0 : way * rates[layer])
      value = covered[layer] == 1 ? goal : value + way * covered[layer]
    }
    return (Float(value), Float(velocity))
  }
}
