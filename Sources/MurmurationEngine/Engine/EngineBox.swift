// SPDX-License-Identifier: MIT
import Kernels

/// An engine with one owner, in memory of its own. Its owner stores only a pointer.
///
/// The compiler follows each part of a noncopyable value through every function that uses it. An engine has hundreds of
/// parts: without a box, code that holds a few batches takes very long to compile. The box is a class because the
/// optimizer of Swift 6.3.1 fails on a noncopyable value within a public one.
///
@safe
package final class EngineBox: @unchecked Sendable {
  /// The engine, which lives as long as the box. Accessors return its address and do not yield it: in debug builds,
  /// Swift 6.3.1 yields a copy, which may be freed while it is in use.
  package let address: UnsafeMutablePointer<Engine>

  package init(_ engine: consuming Engine) {
    unsafe address = .allocate(capacity: 1)
    unsafe address.initialize(to: engine)
  }

  /// The engine of a property of particles, with the tracks of another one, which stand at 0 here.
  ///
  /// - Throws: ``BatchError``.
  package convenience init(
    dimensions: Int, kernels: KernelSet?, store: UInt32, tracksOf other: EngineBox?, time: Double, workers: WorkerPool?
  ) throws(BatchError) {
    var engine = try Engine(dimensions: dimensions, capacity: 0, kernels: kernels)
    try engine.adopt(other?.engine.tracks.rows ?? RowTable(store: store))
    engine.clock.time = time
    engine.workers = workers
    self.init(engine)
  }

  /// The engine of a property, whose box its ``Particles`` alone reach. They change it only while they are changed
  /// themselves, and lend it only while they are lent: so no reading overlaps with a change.
  package var engine: Engine {
    unsafeAddress { unsafe UnsafePointer(address) }
    unsafeMutableAddress { unsafe address }
  }

  deinit {
    unsafe address.deinitialize(count: 1)
    unsafe address.deallocate()
  }
}

/// Values that a caller lends: their address, and whether each is a list of its components, as ``Components`` are.
@safe
@frozen
@usableFromInline
package struct LentValues {
  @usableFromInline let address: UnsafeRawPointer?
  @usableFromInline let count: Int
  /// Floats from one value to the next.
  @usableFromInline let stride: Int
  @usableFromInline let areLists: Bool

  @inlinable
  package init(_ address: UnsafeRawPointer?, count: Int, stride: Int, areLists: Bool) {
    unsafe self.address = address
    (self.count, self.stride, self.areLists) = (count, stride, areLists)
  }

  package func input(dimensions: Int) -> InputValues {
    guard let address = unsafe address else {
      return unsafe InputValues(
        InputValues.nothing, count: 0, dimensions: dimensions, componentStride: 1, trackStride: stride)
    }
    return areLists
      ? unsafe InputValues(address.assumingMemoryBound(to: [Double].self), count: count, dimensions: dimensions)
      : unsafe InputValues(
        address.assumingMemoryBound(to: Float.self), count: count, dimensions: dimensions, componentStride: 1,
        trackStride: count == 1 ? dimensions : stride)
  }
}

/// An engine that its owner lends for a call about few tracks. The generic front of such a call is inlined into the
/// caller; nothing from here on is generic.
///
/// It is a plain address: a reference to the box would be counted up and down in every call. On a Zen 5 core that took
/// about 9 of 64 ns.
@safe
@usableFromInline
package struct LentEngine: @unchecked Sendable {
  private let address: UnsafeMutableRawPointer

  package init(_ box: EngineBox) { unsafe address = UnsafeMutableRawPointer(box.address) }

  private var engine: Engine {
    unsafeAddress { unsafe UnsafePointer(address.assumingMemoryBound(to: Engine.self)) }
    nonmutating unsafeMutableAddress { unsafe address.assumingMemoryBound(to: Engine.self) }
  }

  /// Adds a track that stands still.
  @usableFromInline
  package func add(_ value: LentValues) throws(BatchError) -> TrackHandle {
    try engine.add(value.input(dimensions: engine.dimensions))
  }

  /// Sends a track to a goal.
  @usableFromInline
  package func animate(
    _ track: TrackHandle, to goal: LentValues, _ animation: Animation?
  ) throws(BatchError) -> UInt32 {
    try engine.animate(track, to: goal.input(dimensions: engine.dimensions), animation)
  }

  /// Sends a track to a goal with the spring that it follows.
  @usableFromInline
  package func retarget(_ track: TrackHandle, to goal: LentValues) throws(BatchError) -> UInt32 {
    try engine.retarget(track, to: goal.input(dimensions: engine.dimensions))
  }

  /// Sends tracks to goals.
  @usableFromInline
  package func animate(
    _ tracks: Span<TrackHandle>, to goals: LentValues, _ animation: Animation?, delays: Span<Double>
  ) throws(BatchError) -> UInt32 {
    try tracks.withSelection { tracks throws(BatchError) in
      try engine.animate(tracks, to: goals.input(dimensions: engine.dimensions), animation, delays: delays)
    }
  }

  /// Sends tracks to goals with the springs that they follow.
  @usableFromInline
  package func retarget(
    _ tracks: Span<TrackHandle>, to goals: LentValues, delays: Span<Double>
  ) throws(BatchError) -> UInt32 {
    try tracks.withSelection { tracks throws(BatchError) in
      try engine.retarget(tracks, to: goals.input(dimensions: engine.dimensions), delays: delays)
    }
  }

  @usableFromInline package var dimensions: Int { engine.dimensions }

  /// The row of a track, or −1.
  @usableFromInline
  package func row(of track: TrackHandle) -> Int { engine.tracks.row(of: track) ?? -1 }

  /// A component of the value in a row.
  @usableFromInline
  package func value(ofRow row: Int, _ dimension: Int) -> Float {
    engine.tracks.columns.value[engine.tracks.element(row, dimension)]
  }
}
