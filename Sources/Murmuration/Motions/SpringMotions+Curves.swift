// SPDX-License-Identifier: MIT
import Kernels

// Springs that go on under curves: each row has a start and coefficients of its own.
extension SpringMotions {
  /// The family that the spring of a row belongs to when it has a start of its own.
  func family(ofRow row: Int, _ tracks: borrowing TrackStore) -> MotionKind {
    coefficients(ofRow: row, tracks).isOverdamped ? .overdamped : .oscillating
  }

  /// Whether all tracks of a full tile move by springs that began before a moment. The tile must not be a shared one.
  func allMove(_ tile: Int, since moment: Double, _ tracks: borrowing TrackStore) -> Bool {
    if let cohort = tracks.tiles.kinds[tile].cohort {
      return cohorts[cohort].start < moment && !cohorts[cohort].showsRest && !cohorts[cohort].coefficients.isJump
    }
    let first = tile * laneCountOfTile
    return (first..<first + laneCountOfTile).allSatisfy {
      columns.start[$0] < moment && columns.decay[$0].sign == .plus && columns.rate[$0] != 0
    }
  }

  /// Copies the spring of a row to a row under curves, where it has a start of its own.
  func copyMotion(of row: Int, to newRow: Int, _ tracks: borrowing TrackStore) {
    let columns = columns
    if tracks.tiles.kind(ofRow: row).isSpring, let cohort = cohort(ofRow: row, tracks) {
      begin(newRow, cohort)
    } else {
      columns.start[newRow] = columns.start[row]
      columns.rate[newRow] = columns.rate[row]
      columns.decay[newRow] = columns.decay[row].magnitude
    }
    copyStart(newRow, of: row, self)
  }

  /// Copies the spring of a row of other springs, which has a start of its own, to a row under curves.
  func copyMotion(_ row: Int, of old: Int, _ other: borrowing SpringMotions) {
    let (new, from) = (columns, other.columns)
    (new.start[row], new.rate[row], new.decay[row]) = (from.start[old], from.rate[old], from.decay[old])
    copyStart(row, of: old, other)
  }

  /// Gives each track of a full tile a spring with a start of its own, which goes on under curves. The tile must not be
  /// a shared one.
  mutating func leaveMotions(ofTile tile: Int, _ tracks: borrowing TrackStore) {
    guard let cohort = tracks.tiles.kinds[tile].cohort else { return }
    let first = tile * laneCountOfTile
    for row in first..<first + laneCountOfTile { begin(row, cohort) }
    cohorts.leave(cohort, trackCount: laneCountOfTile)
  }

  /// Gives a row the start and the coefficients of a cohort.
  private func begin(_ row: Int, _ cohort: Int) {
    let coefficients = cohorts[cohort].coefficients
    columns.start[row] = cohorts[cohort].start
    columns.rate[row] = coefficients.rate
    columns.decay[row] = coefficients.decay
  }
}
