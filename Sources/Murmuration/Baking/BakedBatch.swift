// SPDX-License-Identifier: MIT

/// What can be baked. Every public `bake` is one of these two.
protocol Bakeable: ~Copyable {
  /// Checks what is asked for, given room for `got` values.
  func checkBake(_ moments: BakeMoments, _ indices: Range<Int>, dimension: Int, got: Int) throws(BatchError) -> BakePlan
  /// Bakes what was checked.
  func bake(_ request: BakeRequest) throws(BatchError)
}

extension Bakeable where Self: ~Copyable {
  /// Checks, then bakes values.
  func bake(
    _ moments: BakeMoments, _ indices: Range<Int>, dimension: Int, _ order: BakeOrder,
    values: inout MutableSpan<Float>
  ) throws(BatchError) {
    let plan = try checkBake(moments, indices, dimension: dimension, got: values.count)
    try unsafe values.withUnsafeMutableBufferPointer { values throws(BatchError) in
      try unsafe bake(plan, moments, order, values.baseAddress, nil)
    }
  }

  /// Checks, then bakes values and velocities.
  func bake(
    _ moments: BakeMoments, _ indices: Range<Int>, dimension: Int, _ order: BakeOrder,
    values: inout MutableSpan<Float>, velocities: inout MutableSpan<Float>
  ) throws(BatchError) {
    let plan = try checkBake(moments, indices, dimension: dimension, got: values.count)
    try plan.check(velocities: velocities.count)
    try unsafe values.withUnsafeMutableBufferPointer { values throws(BatchError) in
      try unsafe velocities.withUnsafeMutableBufferPointer { velocities throws(BatchError) in
        try unsafe bake(plan, moments, order, values.baseAddress, velocities.baseAddress)
      }
    }
  }

  private func bake(
    _ plan: BakePlan, _ moments: BakeMoments, _ order: BakeOrder, _ values: UnsafeMutablePointer<Float>?,
    _ velocities: UnsafeMutablePointer<Float>?
  ) throws(BatchError) {
    guard plan.count > 0, let values = unsafe values else { return }
    try bake(unsafe BakeRequest(plan: plan, moments: moments, order: order, values: values, velocities: velocities))
  }
}

/// A batch that can be baked: what is asked for is checked in the same way for all.
protocol BakedBatch: TrackBatch, Bakeable, ~Copyable {
  /// Checks that what is known of some tracks holds from one time to another.
  func checkBake(from first: Double, to last: Double, _ indices: Range<Int>) throws(BatchError)
}

extension BakedBatch where Self: ~Copyable {
  func checkBake(
    _ moments: BakeMoments, _ indices: Range<Int>, dimension: Int, got: Int
  ) throws(BatchError) -> BakePlan {
    try moments.plan(indices, dimension, of: (indexCount, dimensions), got: got) { first, last throws(BatchError) in
      try checkBake(from: first, to: last, indices)
    }
  }
}

extension BakeMoments {
  /// Checks a bake of these moments; the parameters are those of ``BakePlan``.
  func plan(
    _ indices: Range<Int>, _ dimension: Int, of shape: (indices: Int, dimensions: Int), got: Int,
    checkTimes: (_ first: Double, _ last: Double) throws(BatchError) -> Void
  ) throws(BatchError) -> BakePlan {
    switch self {
    case .frames(let frames):
      try BakePlan(frames, indices, dimension, of: shape, got: got, checkTimes: checkTimes)
    case .times(let times):
      try BakePlan(at: unsafe times.span, indices, dimension, of: shape, got: got, checkTimes: checkTimes)
    }
  }
}
