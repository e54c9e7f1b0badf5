// SPDX-License-Identifier: MIT
import Kernels

/// Many values, each on its way by a motion of its own: a spring, a curve, a throw, or none. Any motion takes over from any
/// other.
///
/// ```swift
/// var batch = try AnimationBatch<SIMD2<Float>>()
/// let dots = try batch.add([[0, 0], [10, 0], [20, 0]])
/// try batch.animate(dots, to: [[0, 50], [10, 50], [20, 50]], .bouncy)
/// try batch.advance(to: 0.25)
/// try batch.animate(dots[0], to: [0, 0], .easeOut(duration: 0.3))  // adds to the spring, which goes on
/// try batch.advance(to: 0.5)
/// let position = batch[dots[0]]
/// ```
///
/// Clips are played by `play`, and so are phases: sequences of targets that a track goes through by itself. Bakes and
/// variations of clips have batches of their own still, such as ``KeyframeBatch``.
///
/// ### Tracks
/// A track is a value that stands still where it was added until a call sends it to a goal. A call takes one handle, many
/// handles, a range of indices, or all tracks; goals are arrays or spans of values, or planar columns: component 0 of all
/// tracks, then component 1, … Where a call names a track twice, the last goal counts.
///
/// ### What an animation does
/// It means what it means to `AnimatedValue`. Plain springs (`.spring`, `.smooth`, `.snappy`, `.bouncy`, …) take over from
/// whatever the track does, with its value and velocity. Curves, interpolating springs and modified animations add their
/// effect to what moves. Sending a track to the goal that it heads for already changes nothing.
///
/// Springs are evaluated by kernels, and so is a plain curve of a track that stood when it began. What is computed track by
/// track, in Double, takes hundreds of times as long as a spring: effects that add up, modified curves, interpolating
/// springs, and custom animations.
///
/// Springs that one call starts share their basis as a *cohort*, and cost two multiply-adds a value; those that start alone
/// cost an exponential and a sine. Which of the two a track gets follows from the calls made for it, and from nothing else.
///
/// ### Rest and events
/// When a spring is within ``restTolerance`` for good is known when it starts. From then on the track shows exactly its
/// target and no velocity, and costs next to nothing. Each ``advance(to:velocities:)`` lists what happened in ``events``.
///
/// ### Accuracy
/// With S = max(|value − target|, |velocity|/ω₀) when a spring takes over, a value is within 8 · 2⁻²⁴ · S, plus half a unit in
/// the last place of the value, and a velocity within 8 · 2⁻²⁴ · S · ω₀, of the exact motion, at any age up to a week or until
/// it rests; each takeover adds one such error to what it starts from. A curve is fitted within 2⁻¹⁶ of the way. The same
/// calls give the same bits on every instruction set and for any ``threadCount``.
///
/// A batch is mutated by one owner at a time, and can be sent to another thread.
public struct AnimationBatch<Value: TrackValue>: ~Copyable, Sendable {
  var engine: Engine

  /// An empty batch.
  ///
  /// - Parameters:
  ///   - capacity: Tracks to make room for now; more may come.
  ///   - kernels: The instruction set; nil for the one in force, see ``KernelSet/selected()``.
  /// - Throws: ``BatchError/capacityExceeded(_:)`` if there is no memory for so many tracks,
  ///   ``BatchError/unsupportedKernels(_:)`` if the processor lacks the set, and ``BatchError/unsupportedValue(_:)`` if a value
  ///   is not its components side by side in memory.
  public init(reservingCapacity capacity: Int = 0, kernels: KernelSet? = nil) throws(BatchError) {
    guard Value.isPacked else { throw .unsupportedValue("\(Value.self)") }
    engine = try Engine(dimensions: Value.dimensions, capacity: capacity, kernels: kernels)
  }

  /// The instruction set whose kernels run.
  public var kernels: KernelSet { engine.kernels }

  /// Tracks that live.
  public var count: Int { engine.tracks.count }

  /// One past the largest index that a track ever had.
  public var indexCount: Int { engine.tracks.slots.count }

  /// Threads that ``advance(to:velocities:)`` may use, the caller's included: 1…64, others are taken for the nearest. Default
  /// 1: no thread is started unasked.
  ///
  /// The bits do not depend on it. A frame too short to gain from it is evaluated by the caller alone: below some 100 µs of
  /// work where the threads sleep, 20 µs where they still watch for work after another frame.
  public var threadCount: Int {
    get { engine.frames.threadCount }
    set { engine.frames.threadCount = newValue }
  }

  /// What counts as at rest, for the motions under way too.
  public var restTolerance: RestTolerances {
    get { engine.springs.tolerance }
    set { engine.springs.setTolerance(newValue, engine.tracks) }
  }

  // MARK: - Time

  /// The clock, in seconds: the time of the last ``advance(to:velocities:)``.
  public var time: Double { engine.time }

  /// What happened with the last ``advance(to:velocities:)``, in the order of index and then of moment. Nothing is reported
  /// twice.
  public var events: [AnimationEvent] { engine.events.events }

  /// Evaluates every track at a time, and lists what happened on the way in ``events``.
  ///
  /// The clock may be set to any time from the latest change or step of phases on, forwards or back, each at the cost of one
  /// frame. Going back, springs that were at rest move again. A track that a custom animation has brought to rest stays there.
  ///
  /// - Parameters:
  ///   - seconds: Absolute time, within ±``BatchLimits/maximumTime``.
  ///   - velocities: Whether to compute velocities along with values. A velocity that is read or taken over is computed in
  ///     any case.
  /// - Throws: ``BatchError/invalidTime(_:)``, ``BatchError/timeBeforeStart(time:start:)``, or
  ///   ``BatchError/capacityExceeded(_:)`` if there is no memory for what sets out by itself; nothing changes then.
  /// - Complexity: O(moving tracks), and O(tiles) if any track came, went, or changed its kind of motion since the last call.
  ///   No allocation once as many tracks completed in one call before.
  public mutating func advance(to seconds: Double, velocities: Bool = false) throws(BatchError) {
    try engine.advance(to: seconds, velocities: velocities)
  }

  /// Moves the clock by a number of seconds, and evaluates every track. The clock sums with compensation, so that many small
  /// steps lose nothing.
  ///
  /// - Throws: As ``advance(to:velocities:)``.
  public mutating func advance(by seconds: Double, velocities: Bool = false) throws(BatchError) {
    try engine.advance(by: seconds, velocities: velocities)
  }
}

extension TrackValue {
  /// Whether a value is its components side by side in memory, perhaps with padding behind them.
  fileprivate static var isPacked: Bool {
    let value = Self { Float($0 + 1) }
    guard MemoryLayout<Self>.size >= 4 * dimensions, MemoryLayout<Self>.stride % 4 == 0 else { return false }
    return unsafe withUnsafeBytes(of: value) { bytes in
      (0..<dimensions).allSatisfy {
        unsafe bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) == Float($0 + 1)
      }
    }
  }
}

extension InputValues {
  /// The values of a span that the caller was lent for longer than these are used.
  @unsafe
  init<Value: TrackValue>(_ values: Span<Value>) {
    let start = unsafe values.withUnsafeBufferPointer { $0.baseAddress }
    unsafe self.init(
      start.map { unsafe UnsafeRawPointer($0).assumingMemoryBound(to: Float.self) } ?? Self.nothing,
      count: values.count,
      dimensions: Value.dimensions, componentStride: 1, trackStride: MemoryLayout<Value>.stride / 4)
  }

  /// The columns of a span that the caller was lent for longer than these are used: component 0 of all tracks, then
  /// component 1, …
  ///
  /// - Throws: ``BatchError/unequalColumns(count:dimensions:)`` if these are not whole columns.
  @unsafe
  init(planar columns: Span<Float>, dimensions: Int) throws(BatchError) {
    let count = columns.count / dimensions
    guard count * dimensions == columns.count else {
      throw .unequalColumns(count: columns.count, dimensions: dimensions)
    }
    let start = unsafe columns.withUnsafeBufferPointer { $0.baseAddress }
    unsafe self.init(
      start ?? Self.nothing, count: count, dimensions: dimensions, componentStride: count, trackStride: 1)
  }

  /// One value that is in memory for longer than this is used.
  @unsafe
  init<Value: TrackValue>(one value: UnsafePointer<Value>) {
    unsafe self.init(
      UnsafeRawPointer(value).assumingMemoryBound(to: Float.self), count: 1, dimensions: Value.dimensions,
      componentStride: 1, trackStride: MemoryLayout<Value>.stride / 4)
  }

  /// Where the numbers of no track are.
  private static var nothing: UnsafePointer<Float> {
    unsafe UnsafePointer(bitPattern: MemoryLayout<Float>.alignment).unsafelyUnwrapped
  }
}
