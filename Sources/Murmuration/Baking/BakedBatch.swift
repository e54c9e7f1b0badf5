// SPDX-License-Identifier: MIT

/// A batch that can be baked: what is asked for is checked in the same way for all.
protocol BakedBatch: TrackBatch, ~Copyable {
  /// Checks that what is known of some tracks holds from one time to another.
  func checkBake(from first: Double, to last: Double, _ indices: Range<Int>) throws(BatchError)
}

extension BakedBatch where Self: ~Copyable {
  /// Checks a bake of frames that has room for `got` values.
  func checkBake(
    _ frames: BakeFrames, indices: Range<Int>, dimension: Int, got: Int
  ) throws(BatchError) -> BakePlan {
    try BakePlan(frames, indices, dimension, of: (indexCount, dimensions), got: got) { first, last throws(BatchError) in
      try checkBake(from: first, to: last, indices)
    }
  }

  /// Checks a bake at times of any order.
  func checkBake(
    at times: Span<Double>, indices: Range<Int>, dimension: Int, got: Int
  ) throws(BatchError) -> BakePlan {
    try BakePlan(at: times, indices, dimension, of: (indexCount, dimensions), got: got) {
      first, last throws(BatchError) in
      try checkBake(from: first, to: last, indices)
    }
  }
}
