// SPDX-License-Identifier: MIT
import Kernels

/// Estimates of velocity for many tracks at once, all sampled at the same times: pointers, or values read back from a scene.
///
/// Estimates, and their fading while no samples come, follow ``/AnimationModel/VelocitySampler``: a quarter of the newest
/// slope and three quarters of the one before.
///
/// With a and b the magnitudes of those two parts, an estimate is within 4·2⁻²⁴·(a + b) of the exact one of the same
/// samples, except for subnormal numbers. The same calls give the same bits on every processor. Samples less than 10⁻²²
/// s apart, which only clocks near 0 can show, count as 10⁻²² s apart.
///
/// Memory: 4 + 12·dimensions bytes a track, all allocated at the start.
public struct VelocityTrackers: ~Copyable, Sendable {
  /// The number of tracks.
  public let count: Int
  /// Values per track.
  public let dimensions: Int
  /// The time of the newest sample in seconds, or nil before the first.
  public private(set) var lastTime: Double?

  private let samples: VelocitySamples
  private var newestSlot = 0
  private var middleTime = 0.0
  private var oldestTime = 0.0

  /// Trackers that have seen nothing yet.
  ///
  /// - Parameters:
  ///   - count: Tracks, 0…``BatchLimits/maximumTracks``.
  ///   - dimensions: Values per track, 1…``BatchLimits/maximumDimensions``.
  /// - Throws: ``BatchError/invalidDimensions(_:)`` or ``BatchError/capacityExceeded(_:)``.
  public init(count: Int, dimensions: Int = 1) throws(BatchError) {
    guard 1...BatchLimits.maximumDimensions ~= dimensions else { throw .invalidDimensions(dimensions) }
    samples = try VelocitySamples(count: count, dimensions: dimensions)
    self.count = count
    self.dimensions = dimensions
  }
}

// MARK: - Samples

extension VelocityTrackers {
  /// Takes a sample of every track.
  ///
  /// A sample at the time of the newest one (closer than one unit in the last place) replaces it.
  ///
  /// - Parameters:
  ///   - values: Component-major, ``count`` · ``dimensions`` of them: all of dimension 0, then all of dimension 1, …
  ///   - time: Absolute seconds within ±``BatchLimits/maximumTime``, not before ``lastTime``.
  /// - Throws: ``BatchError/invalidTime(_:)``, ``BatchError/timeBeforeStart(time:start:)`` with the newest sample's time,
  ///   ``BatchError/wrongCount(of:expected:got:)`` or ``BatchError/invalidValue(of:index:value:)``; nothing has changed then.
  /// - Complexity: O(count · dimensions); no allocation.
  public mutating func record(_ values: Span<Float>, at time: Double) throws(BatchError) {
    let replaces = lastTime.map { time.isSampleTime($0) } ?? false
    if !replaces { try check(time) }
    try BatchError.check(values.count, of: "values", expected: count * dimensions)
    try BatchLimits.check(values, of: "value")
    if !replaces {
      (oldestTime, middleTime) = (middleTime, lastTime ?? time)
      newestSlot = slot(back: VelocitySamples.slots - 1)
    }
    lastTime = time
    // Counts a sample of every track. A replaced sample makes it at least one.
    let shift: UInt32 = replaces ? 0 : 1
    for tile in 0..<samples.tileCount { samples.histories[tile] = (samples.histories[tile] &<< shift) | 1 }
    unsafe values.withUnsafeBufferPointer { values in
      guard let values = unsafe values.column else { return }
      for dimension in 0..<dimensions {
        let column = samples.column(newestSlot, dimension).rebound(to: Float.self)
        column.update(from: values + dimension * count, count: count)
      }
    }
  }

  /// Forgets all samples, and the time of the newest.
  public mutating func reset() {
    lastTime = nil
    samples.histories.update(repeating: .zero, count: samples.tileCount)
  }

  /// Forgets the samples of one track: its next sample is its first. The clock of the others goes on.
  ///
  /// - Parameter index: The track, 0..<``count``.
  /// - Throws: ``BatchError/trackOutOfRange(_:count:)``.
  public mutating func reset(_ index: Int) throws(BatchError) {
    guard 0..<count ~= index else { throw .trackOutOfRange(index, count: count) }
    // A copy of the column: writing through `samples` breaks Swift 6.3's compiler where the thread sanitizer is on.
    let histories = samples.histories
    histories[index / laneCountOfTile][index % laneCountOfTile] = 0
  }

  /// The slot of the samples that are `records` records older than the newest ones.
  private func slot(back records: Int) -> Int {
    (newestSlot + VelocitySamples.slots - records) % VelocitySamples.slots
  }
}

// MARK: - Velocities

extension VelocityTrackers {
  /// Estimates the velocity of every track at a time, in value units per second.
  ///
  /// It fades from the newest sample on, by 0.998 each millisecond. It is zero after more than 2 s, and before a
  /// track's second sample.
  ///
  /// - Parameters:
  ///   - time: Absolute seconds within ±``BatchLimits/maximumTime``, not before ``lastTime``.
  ///   - output: Takes ``count`` · ``dimensions`` velocities, component-major as the samples; it has exactly that length.
  /// - Throws: ``BatchError/invalidTime(_:)``, ``BatchError/timeBeforeStart(time:start:)`` with the newest sample's time, or
  ///   ``BatchError/wrongCount(of:expected:got:)``; nothing is written then.
  /// - Complexity: O(count · dimensions); no allocation.
  public func velocities(
    at time: Double, into output: inout some TrackOutput<Float> & ~Copyable & ~Escapable
  ) throws(BatchError) {
    try check(time)
    try output.withMutableElements { output throws(BatchError) in
      let output = unsafe output.elements
      try BatchError.check(output.count, of: "output", expected: count * dimensions)
      guard let output = unsafe output.column else { return }
      let newestTime = lastTime ?? time
      let weights = VelocityWeights(
        newerSpan: newestTime - middleTime, olderSpan: middleTime - oldestTime, elapsed: time - newestTime)
      for dimension in 0..<dimensions { estimate(dimension, weights, into: output + dimension * count) }
    }
  }

  /// Writes the velocities of one dimension, ``count`` of them.
  private func estimate(_ dimension: Int, _ weights: VelocityWeights, into output: Column<Float>) {
    let newest = samples.column(newestSlot, dimension)
    let middle = samples.column(slot(back: 1), dimension)
    let oldest = samples.column(slot(back: 2), dimension)
    let histories = samples.histories
    @inline(__always) func velocities(ofTile tile: Int) -> VelocitySamples.Floats {
      weights.velocities(
        histories: histories[tile], newest: newest[tile], middle: middle[tile], oldest: oldest[tile])
    }
    let (wholeTiles, rest) = count.quotientAndRemainder(dividingBy: laneCountOfTile)
    for tile in 0..<wholeTiles {
      output.store(velocities(ofTile: tile), at: tile * laneCountOfTile)
    }
    if rest > 0 {
      let last = velocities(ofTile: wholeTiles)
      for lane in 0..<rest { output[wholeTiles * laneCountOfTile + lane] = last[lane] }
    }
  }

  private func check(_ time: Double) throws(BatchError) {
    // False for NaN too.
    guard abs(time) <= BatchLimits.maximumTime else { throw .invalidTime(time) }
    if let lastTime, time < lastTime { throw .timeBeforeStart(time: time, start: lastTime) }
  }
}

/// The memory of velocity trackers: the last three samples of every value, and the number of samples of each track.
///
/// The columns are whole tiles: first the histories, then for each dimension the three slots of its samples.
///
/// It is a class because other modules of Embedded Swift do not see how a noncopyable part is deinitialized.
final class VelocitySamples {
  typealias Floats = SIMD16<Float>
  typealias Bits = SIMD16<UInt32>

  /// Tiles of a column; the last one may have lanes without a track.
  let tileCount: Int
  /// Bit k of a track is set if it has more than k samples. A sample shifts in a bit; bits above the third have no
  /// meaning.
  let histories: Column<Bits>
  private let memory: ColumnMemory

  /// The slots of a value's samples; each new sample takes the slot of the oldest one.
  static let slots = 3

  /// Takes zeroed memory; throws if there are too many tracks, or there is no room for them.
  init(count: Int, dimensions: Int) throws(BatchError) {
    guard 0...BatchLimits.maximumTracks ~= count else { throw .capacityExceeded(count) }
    let shape = ColumnShape(narrowColumns: 1 + Self.slots * dimensions)
    guard ColumnMemory.hasRoom(shape, count: count) else { throw .capacityExceeded(count) }
    tileCount = (count + laneCountOfTile - 1) / laneCountOfTile
    memory = ColumnMemory(shape, count: count)
    histories = memory.narrow(0).rebound(to: Bits.self)
  }

  /// The samples of one dimension in one slot.
  func column(_ slot: Int, _ dimension: Int) -> Column<Floats> {
    let column = memory.narrow(1 + Self.slots * dimension + slot)
    return column.rebound(to: Floats.self)
  }
}

// The samples own the memory that they point to.
extension VelocitySamples: @unchecked Sendable {}

/// The factors of the differences between samples, whose weighted sum is a velocity at some time.
///
/// A single difference counts alone. Of two, the newest counts a quarter and the older one three quarters, as in
/// ``VelocitySampler``. Time spans and fading are in the weights, so that lanes have no divisions.
struct VelocityWeights {
  /// The factor of the newest difference where it is the only one.
  var alone: Float = 0
  /// The factor of the newest difference where there is an older one.
  var newer: Float = 0
  /// The factor of the older difference.
  var older: Float = 0

  /// 1000·log₂ 0.998, the exponent by which a velocity fades in a second.
  private static let fadingExponent = -2.8882793248265118

  /// The weights when `elapsed` seconds have passed since the newest sample; all are 0 once the velocity has faded.
  init(newerSpan: Double, olderSpan: Double, elapsed: Double) {
    guard elapsed <= VelocityFading.lifetime else { return }
    let left = ReproducibleMath.exp2OfNegative(Self.fadingExponent * elapsed)
    alone = Float(left / max(newerSpan, VelocityFading.shortestSpan))
    newer = Float(0.25 * left / max(newerSpan, VelocityFading.shortestSpan))
    older = Float(0.75 * left / max(olderSpan, VelocityFading.shortestSpan))
  }

  /// The velocities of one tile from its samples and histories; zero for a track with fewer than two samples.
  @inline(__always)
  func velocities(
    histories: VelocitySamples.Bits, newest: VelocitySamples.Floats, middle: VelocitySamples.Floats,
    oldest: VelocitySamples.Floats
  ) -> VelocitySamples.Floats {
    // All bits of a lane are set where there are two samples, and where there are three.
    let hasNewer = 0 &- ((histories &>> 1) & 1)
    let hasOlder = 0 &- ((histories &>> 2) & 1)
    let alone = VelocitySamples.Bits(repeating: alone.bitPattern)
    let newer = (alone ^ ((alone ^ newer.bitPattern) & hasOlder)) & hasNewer
    let older = older.bitPattern & hasOlder
    return unsafe unsafeBitCast(newer, to: VelocitySamples.Floats.self) * (newest - middle)
      + unsafeBitCast(older, to: VelocitySamples.Floats.self) * (middle - oldest)
  }
}
