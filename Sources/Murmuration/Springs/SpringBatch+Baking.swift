// SPDX-License-Identifier: MIT
import Kernels

extension SpringBatch {
  /// Evaluates a whole cohort at many times, as one matrix product: basis [times × 3] · state [3 × tracks].
  ///
  /// The clock stays where it is. The values are within the batch's error bound, but not the same bits as
  /// ``advance(to:)`` gives, as a BLAS sums in an order of its own.
  ///
  /// - Parameters:
  ///   - handle: Any track of the cohort.
  ///   - dimension: 0..<``dimensions``.
  ///   - times: Absolute seconds, in any order, none before the start of the cohort.
  ///   - output: Row-major [times × tracks of the cohort], tracks in the order of their rows; exactly that long.
  /// - Throws: ``BatchError``; nothing is written then.
  /// - Complexity: O(times · tracks), plus O(rows) to find the tracks.
  public func bakeCohort(
    of handle: TrackHandle, dimension: Int, at times: Span<Double>, into output: inout MutableSpan<Float>
  ) throws(BatchError) {
    let place = try cohort(of: handle)
    try check(dimension: dimension)
    let rows = rows(ofCohort: place)
    let cohort = cohorts[place]
    for index in times.indices {
      guard abs(times[index]) <= BatchLimits.maximumTime else {
        throw .invalidTime(times[index])
      }
      guard times[index] >= cohort.start else {
        throw .timeBeforeStart(time: times[index], start: cohort.start)
      }
    }
    let (length, overflow) = times.count.multipliedReportingOverflow(by: rows.count)
    guard !overflow, output.count == length else {
      throw .wrongCount(expected: overflow ? .max : length, got: output.count)
    }
    guard times.count <= Int(Int32.max), storage.matrixStride <= Int(Int32.max) else {
      throw .capacityExceeded(length)
    }

    var bases: [Float] = []
    bases.reserveCapacity(3 * times.count)
    for index in times.indices {
      let basis = cohort.coefficients.basis(age: times[index] - cohort.start)
      bases.append(basis.valueOfDisplacement)
      bases.append(basis.valueOfAmplitude)
      bases.append(1)
    }
    let timeCount = times.count
    let state = unsafe storage.columns.displacement + dimension * storage.columns.dimensionStride
    let areNeighbours = rows[rows.count - 1] - rows[0] == rows.count - 1
    unsafe output.withUnsafeMutableBufferPointer { output in
      guard let output = output.baseAddress else {
        return
      }
      if areNeighbours {
        // The columns displacement, amplitude and target stand at one stride: they are the matrix.
        unsafe MatrixProduct.multiply(
          m: timeCount, n: rows.count, k: 3, bases, state + rows[0], stride: storage.matrixStride, into: output,
          stride: rows.count, kernels: kernels)
      } else {
        let gathered = (0..<3).flatMap { column in
          rows.map { unsafe state[column * storage.matrixStride + $0] }
        }
        unsafe MatrixProduct.multiply(
          m: timeCount, n: rows.count, k: 3, bases, gathered, stride: rows.count, into: output, stride: rows.count,
          kernels: kernels)
      }
    }
  }

  /// The number of tracks in the cohort of a track.
  ///
  /// - Throws: ``BatchError/notInCohort(_:)`` if it moves alone.
  public func cohortCount(of handle: TrackHandle) throws(BatchError) -> Int {
    cohorts[try cohort(of: handle)].trackCount
  }

  private func cohort(of handle: TrackHandle) throws(BatchError) -> Int {
    guard let place = cohort(ofRow: try row(of: handle)) else {
      throw .notInCohort(handle)
    }
    return place
  }

  private func rows(ofCohort place: Int) -> [Int] {
    var rows: [Int] = []
    rows.reserveCapacity(cohorts[place].trackCount)
    for row in 0..<rowEnd where tiles.isLive(row) && cohort(ofRow: row) == place {
      rows.append(row)
    }
    return rows
  }
}
