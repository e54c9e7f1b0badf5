// SPDX-License-Identifier: MIT
import Kernels

/// Plays one clip of many dimensions on one clock: a rig, a crowd that moves in step, a recording.
///
/// ```swift
/// var rig = try ClipSampler(clip)
/// try rig.sample(at: 0.25)
/// rig.withValues { values in print(values[0]) }
/// ```
///
/// Dimensions whose pieces begin and end at the same times are evaluated together, one piece for all of them, as fast as
/// memory delivers the coefficients. Recordings are such clips. A clip whose dimensions all have different times is
/// evaluated dimension by dimension; an ``AnimationBatch`` plays it faster.
///
/// Sampling keeps no state: any time costs the same. The values are the same bits as a track of an
/// ``AnimationBatch`` shows at that time of the clip, on every instruction set.
public struct ClipSampler: ~Copyable, Sendable {
  /// Values at each time.
  public let dimensions: Int
  /// Seconds from the start to the end of the clip.
  public let duration: Double
  /// The instruction set whose kernels run.
  public let kernels: KernelSet
  /// The dimension of each value in memory: dimensions with equal times stand together, otherwise they ascend.
  public let order: [Int]
  /// The time of the last sample, seconds from the start of the clip.
  public private(set) var time = 0.0

  let table: KernelTable
  let rows: RowStorage

  /// A sampler that shows the start of a clip.
  ///
  /// - Parameters:
  ///   - clip: The clip to play.
  ///   - kernels: The instruction set; nil for the one in force, see ``KernelSet/selected``.
  /// - Throws: ``BatchError/capacityExceeded(_:)`` if there is no memory for the pieces, and
  ///   ``BatchError/unsupportedKernels(_:)`` if the processor lacks the set.
  /// - Complexity: O(n) in the number of pieces; each takes 16 bytes.
  public init(_ clip: Clip, kernels: KernelSet? = nil) throws(BatchError) {
    let set = try KernelSet.ofBatch(kernels)
    rows = try RowStorage(clip)
    dimensions = clip.dimensions
    duration = clip.duration
    self.kernels = set
    table = set.table
    order = rows.groups.flatMap { $0.dimensions }
    evaluate(at: 0, velocities: true)
  }

  /// Evaluates the clip at a time. Before the start and after the end it shows the value that it holds there.
  ///
  /// - Parameters:
  ///   - seconds: Time from the start of the clip, within ±``BatchLimits/maximumTime``.
  ///   - velocities: Whether to compute velocities too; otherwise the velocities of an earlier sample stay.
  /// - Throws: ``BatchError/invalidTime(_:)``; nothing changes then.
  /// - Complexity: O(dimensions); no allocation.
  public mutating func sample(at seconds: Double, velocities: Bool = true) throws(BatchError) {
    guard abs(seconds) <= BatchLimits.maximumTime else {
      throw .invalidTime(seconds)
    }
    evaluate(at: seconds, velocities: velocities)
    time = seconds
  }

  private func evaluate(at seconds: Double, velocities: Bool) {
    let moment = rows.moment(at: seconds)
    let rate = velocities ? moment.rate : nil
    let bytes = dimensions * (velocities ? 24 : 20)
    for group in rows.groups {
      let piece = group.piece(at: moment.tick)
      let distance = Float(moment.tick &- group.centers[piece]) * 0x1p-31
      table.evaluateRows(rows.pieces(of: group), piece, distance, rate, .init(touching: bytes))
    }
  }

  // MARK: - Reading

  /// Lends the values, in the order of ``order``.
  public func withValues<Result>(_ body: (Span<Float>) -> Result) -> Result { rows.withValues(velocities: false, body) }

  /// Lends the velocities, per second, in the order of ``order``.
  public func withVelocities<Result>(_ body: (Span<Float>) -> Result) -> Result {
    rows.withValues(velocities: true, body)
  }

  /// Copies the values, in the order of the dimensions.
  ///
  /// - Throws: ``BatchError/wrongCount(of:expected:got:)`` unless there is room for exactly ``dimensions`` values.
  public func copyValues(into output: inout some TrackOutput<Float> & ~Copyable & ~Escapable) throws(BatchError) {
    try copy(velocities: false, into: &output)
  }

  /// Copies the velocities, per second, in the order of the dimensions.
  ///
  /// - Throws: ``BatchError/wrongCount(of:expected:got:)`` unless there is room for exactly ``dimensions`` velocities.
  public func copyVelocities(into output: inout some TrackOutput<Float> & ~Copyable & ~Escapable) throws(BatchError) {
    try copy(velocities: true, into: &output)
  }

  private func copy(velocities: Bool, into output: inout some TrackOutput<Float> & ~Copyable & ~Escapable)
    throws(BatchError)
  {
    try output.withMutableElements { output throws(BatchError) in
      let output = unsafe output.elements
      try BatchError.check(output.count, of: "output", expected: dimensions)
      rows.withValues(velocities: velocities) { values in
        for position in order.indices { unsafe output[order[position]] = values[position] }
      }
    }
  }
}
