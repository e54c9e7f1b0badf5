// SPDX-License-Identifier: MIT

/// Many animated values. Each follows its own motion (a spring, a curve, a clip, a slide) or stands still. Any motion takes
/// over from any other.
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
/// `play` plays clips on tracks, and phases: sequences of targets that a track goes through by itself. `bake` computes many
/// frames at once.
///
/// ### Tracks
/// A track is a value. It stands still where it was added until a call sends it to a goal. A call takes one handle,
/// many handles, a range of indices, or all tracks; goals are arrays or spans of values, or planar columns: component 0
/// of all tracks, then component 1, … If a call names a track twice, the last goal counts.
///
/// ### What an animation does
/// An animation has the same meaning as for `AnimatedValue`. Plain springs (`.spring`, `.smooth`, `.snappy`, `.bouncy`,
/// …) take over from whatever the track does, with its value and velocity. Curves, interpolating springs and modified
/// animations add their effect to the motion under way. Sending a track to the goal that it heads for already changes
/// nothing.
///
/// ### What is fast
/// Kernels evaluate springs, slides, curves, interpolating springs and modified animations. They also add up any number of
/// effects of curves, interpolating springs and modified animations, on top of a spring, of a slide, or of where the
/// track stood. Only custom animations, and effects that are added to them, are computed track by track, in Double, which
/// takes far longer than a spring.
///
/// A few effects have no table: speeds below 0, negative delays under another modifier, curves shorter than a microsecond or
/// too steep for cubic pieces, curves whose pieces for all components would take more than 64 MiB, and interpolating or
/// modified springs that hardly rest. How far they lead at the time of a frame is computed in Double, one effect after the
/// other.
///
/// A call that sends sixteen neighbours or more with one spring makes them cheap: two multiply-adds a value. A spring of its
/// own costs an exponential and a sine too. Both have the same bits.
///
/// ### Rest and events
/// The moment from which on a spring stays within ``MovingTracks/restTolerance`` is known when it starts. From that
/// moment on, but no sooner than a thirtieth of a second after the start (or an eighth of the duration of a shorter spring,
/// or of 1/κ of a slide), the track shows exactly its target and no velocity, and costs next to nothing. Each
/// ``TrackBatch/advance(to:velocities:)`` lists what happened in ``MovingTracks/events``.
///
/// ### Accuracy
/// Let S = max(|value − target|, |velocity|/ω₀) when a spring takes over. Until the spring rests, and at any age up to
/// a week, a value is within 8 · 2⁻²⁴ · S of the exact motion, plus half a unit in the last place of the value, and a
/// velocity is within 8 · 2⁻²⁴ · S · ω₀. Each takeover adds one such error to the error of its start. Curves,
/// interpolating springs and modified springs are fitted within 2⁻¹⁶ of their way. The same calls give the same bits on
/// every instruction set and for any ``TrackBatch/threadCount``.
///
/// A batch is mutated by one owner at a time, and can be sent to another thread.
public struct AnimationBatch<Value: TrackValue>: AnimatedTracks, TrackBatch, ~Copyable, Sendable {
  public var core: TrackCore<Value>

  /// An empty batch.
  ///
  /// - Parameters:
  ///   - capacity: Tracks to make room for now; more may come.
  ///   - curveTolerance: The largest distance of the fitted pieces from a curve, as a share of the way, or of the initial
  ///     velocity / ω₀ of an interpolating spring if that is more: 2⁻⁴⁰…2⁻².
  ///   - kernels: The instruction set; nil for the one in force, see ``KernelSet/selected``.
  /// - Throws: ``BatchError/capacityExceeded(_:)`` if there is no memory for that many tracks,
  ///   ``BatchError/unsupportedKernels(_:)`` if the processor lacks the set, ``BatchError/invalidTolerance(_:)``,
  ///   ``BatchError/unsupportedValue(_:)`` if a value is not its components side by side in memory, and
  ///   ``BatchError/invalidDimensions(_:)`` for ``Components``, whose dimensions must be given.
  public init(
    reservingCapacity capacity: Int = 0, curveTolerance: Double = 0x1p-16, kernels: KernelSet? = nil
  ) throws(BatchError) {
    guard Value.dimensions == 0 || Value.isPacked else { throw .unsupportedValue(Value.name) }
    core = TrackCore(
      engine: try Engine(
        dimensions: Value.dimensions, capacity: capacity, curveTolerance: curveTolerance, kernels: kernels))
  }

  /// How far the pieces of a curve may be from it, as a share of the way.
  public var curveTolerance: Double { engine.curveTolerance }

  /// The instruction set whose kernels run.
  public var kernels: KernelSet { engine.kernels }
}

extension AnimationBatch<Components> {
  /// An empty batch of values of any number of dimensions.
  ///
  /// - Parameters:
  ///   - dimensions: Components of each value, 1…``BatchLimits/maximumDimensions``.
  ///   - capacity: Tracks to make room for now; more may come.
  ///   - curveTolerance: How far the pieces of a curve may be from it, as a share of the way, or of the initial velocity / ω₀
  ///     of an interpolating spring if that is more: 2⁻⁴⁰…2⁻².
  ///   - kernels: The instruction set; nil for the one in force, see ``KernelSet/selected``.
  /// - Throws: ``BatchError/invalidDimensions(_:)``, ``BatchError/invalidTolerance(_:)``,
  ///   ``BatchError/capacityExceeded(_:)`` if there is no memory for that many tracks, and
  ///   ``BatchError/unsupportedKernels(_:)`` if the processor lacks the set.
  public init(
    dimensions: Int, reservingCapacity capacity: Int = 0, curveTolerance: Double = 0x1p-16, kernels: KernelSet? = nil
  ) throws(BatchError) {
    core = TrackCore(
      engine: try Engine(dimensions: dimensions, capacity: capacity, curveTolerance: curveTolerance, kernels: kernels))
  }
}

extension TrackValue {
  /// Whether a value is its components side by side in memory, perhaps with padding behind them.
  static var isPacked: Bool {
    let value = Self { Float($0 + 1) }
    guard MemoryLayout<Self>.size >= 4 * dimensions, MemoryLayout<Self>.stride % 4 == 0 else { return false }
    return unsafe withUnsafeBytes(of: value) { bytes in
      (0..<dimensions).allSatisfy {
        unsafe bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) == Float($0 + 1)
      }
    }
  }
}
