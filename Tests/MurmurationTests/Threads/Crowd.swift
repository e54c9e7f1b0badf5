// SPDX-License-Identifier: MIT
@testable import Murmuration

/// A batch with tracks of every kind, enough of them that a frame is shared among threads, and a life of many calls.
struct Crowd: ~Copyable {
  var batch: SpringBatch
  private var handles: [TrackHandle] = []
  private var random: SplitMix64

  private init(_ batch: consuming SpringBatch, seed: UInt64) {
    self.batch = batch
    random = SplitMix64(seed: seed)
  }

  static func make(dimensions: Int, seed: UInt64 = 60, kernels: KernelSet? = nil) throws -> Crowd {
    var crowd = Crowd(try SpringBatch(dimensions: dimensions, kernels: kernels), seed: seed)
    // Shared among threads whether they sleep or not.
    crowd.batch.parallelCost.asleep = crowd.batch.parallelCost.watching
    try crowd.fill()
    return crowd
  }

  private mutating func fill() throws {
    let dimensions = batch.dimensions
    try add(alone: 36_000 / dimensions, bounce: 0...0.9)
    try add(alone: 14_000 / dimensions, bounce: -0.9 ... -0.01)
    try emit(32_000 / dimensions, .smooth)
    for _ in 0..<1_000 / dimensions {
      let spring = Spring(duration: random.uniform(0.1...2), bounce: random.uniform(-0.5...0.9))
      try emit(Int(random.next() % 14) + 1, spring)
    }
    // A cohort that soon sleeps.
    try emit(3_000, Spring(duration: 0.02, bounce: 0))
  }

  /// What a frame costs, in the unit of `SpringBatch.ParallelCost`.
  var cost: Int { batch.plan.steps.reduce(0) { $0 + Frame.cost($1, batch.cohorts) } * batch.dimensions }

  /// Advances by a frame, with changes before it.
  mutating func play(_ frame: Int) throws {
    for _ in 0..<100 {
      let target = Float(random.uniform(-100...100))
      let values = [Float](repeating: target, count: batch.dimensions)
      let handle = [handles[Int(random.next() % UInt64(handles.count))]]
      try batch.retarget(handle.span, to: values.span, springs: [frame % 3 == 0 ? .snappy : .bouncy].span)
    }
    if frame % 4 == 1 {
      let first = Int(random.next() % UInt64(handles.count - 3_000))
      let part = Array(handles[first..<first + 3_000])
      let targets = numbers(part.count)
      try batch.retarget(part.span, to: targets.span, spring: frame % 8 == 1 ? .snappy : nil)
    }
    if frame % 4 == 3 {
      let delays = (0..<200).map { _ in random.uniform(0...0.1) }
      let part = Array(handles[0..<200])
      let targets = numbers(part.count)
      try batch.retarget(part.span, to: targets.span, delays: delays.span)
    }
    var gone: [TrackHandle] = []
    for _ in 0..<150 {
      gone.append(handles.remove(at: Int(random.next() % UInt64(handles.count))))
    }
    try batch.remove(gone.span)
    try emit(150, .bouncy)
    try batch.advance(by: frame % 7 == 6 ? 0.3 : random.uniform(0.001...0.02))
  }

  /// A hash of every value and velocity and of what the last advance reported.
  mutating func hash() throws -> Int {
    var hasher = Hasher()
    var column = [Float](repeating: 0, count: batch.indexCount)
    for dimension in 0..<batch.dimensions {
      var span = column.mutableSpan
      try batch.copyValues(dimension: dimension, into: &span)
      column.withUnsafeBytes { hasher.combine(bytes: $0) }
      span = column.mutableSpan
      try batch.copyVelocities(dimension: dimension, into: &span)
      column.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
    hasher.combine(batch.logicallyComplete.map(\.slot))
    hasher.combine(batch.settled.map(\.slot))
    return hasher.finalize()
  }

  private mutating func numbers(_ tracks: Int) -> [Float] {
    (0..<tracks * batch.dimensions).map { _ in Float(random.uniform(-100...100)) }
  }

  private mutating func emit(_ count: Int, _ spring: Spring) throws {
    let (values, targets) = (numbers(count), numbers(count))
    handles += try batch.add(spring, values: values.span, targets: targets.span)
  }

  private mutating func add(alone count: Int, bounce: ClosedRange<Double>) throws {
    let (values, targets) = (numbers(count), numbers(count))
    // A run of them is at rest early, so that whole tiles sleep.
    let springs = (0..<count).map { index in
      Spring(duration: index < count / 4 ? 0.01 : random.uniform(0.1...3), bounce: random.uniform(bounce))
    }
    handles += try batch.add(springs.span, values: values.span, targets: targets.span)
  }
}
