// SPDX-License-Identifier: MIT
import AnimationModel
import Kernels

/// Many instances of one network in motion: each mode of each instance is one track of a ``SpringBatch``, and the points of
/// all instances are one matrix product a frame, positions = modal values · shapes.
///
/// ```swift
/// let cloth = try SpringNetwork.cloth(
///   columns: 40, rows: 40, stiffness: 900, shearStiffness: 300, damping: .ratio(0.02))
/// var batch = try ModalBatch(ModalBasis(cloth, modes: 200), instances: 100)
/// try batch.pluck(instance: 3, point: 820, by: 2)
/// try batch.advance(to: 1.0 / 60)
/// var positions = [Float](repeating: 0, count: 100 * 1600)
/// var span = positions.mutableSpan
/// try batch.copyPositions(into: &span)
/// ```
///
/// *Positions* are displacements from the places at rest. Every motion is in closed form: stable and as exact at a step of
/// an hour as at one of a millisecond, and the clock may go back to the last gesture.
///
/// ### Accuracy
/// A mode is within the bound of ``SpringBatch`` of its exact motion, and a position is the sum of its modes in Float. With one
/// basis the same calls give modal values of the same bits on every instruction set. Positions are matrix products, within
/// their bound instead: their last bits depend on the processor, as OpenBLAS sums in an order of its own. So do the last bits
/// of a basis, which LAPACK computes.
///
/// ### Rest
/// A mode comes to rest when what it still shows is so little that all modes together stay within the tolerance of any
/// point's equilibrium.
///
/// A batch is mutated by one owner at a time, and can be sent to another thread.
public struct ModalBatch: ~Copyable, Sendable {
  /// The modes.
  public let basis: ModalBasis
  /// Networks that move.
  public let instanceCount: Int
  /// Axes along which points move, each by itself.
  public let axes: Int
  /// How far a point at rest may be from its equilibrium, in units of displacement.
  public let tolerance: Float

  var springs: SpringBatch
  var free: FreeModes
  /// The modes that swing, then those that are overdamped; either may be missing.
  let blocks: [ModeBlock]
  /// The shapes of the free modes.
  let freeShapes: ShapeMatrix
  let handles: [TrackHandle]
  /// The clock.
  public private(set) var time = 0.0

  /// All instances at rest at time 0.
  ///
  /// - Parameters:
  ///   - basis: The modes.
  ///   - instances: 1…``ModalLimits/maximumInstances``.
  ///   - axes: 1…``ModalLimits/maximumAxes``.
  ///   - tolerance: How far a point at rest may be from its equilibrium, in units of displacement.
  ///   - kernels: The instruction set; nil for the one in force.
  /// - Throws: ``ModalError``.
  public init(
    _ basis: ModalBasis, instances: Int, axes: Int = 1, tolerance: Float = 1e-6, kernels: KernelSet? = nil
  ) throws(ModalError) {
    guard 1...ModalLimits.maximumInstances ~= instances else {
      throw .instancesOutOfRange(instances)
    }
    guard 1...ModalLimits.maximumAxes ~= axes else {
      throw .axesOutOfRange(axes)
    }
    // As it is given, for the message; what it makes of a mode is checked with the springs.
    _ = try Self.restTolerances(tolerance)
    let held = basis.freeModeCount..<basis.modeCount
    let modeSprings = held.map { Self.spring(of: $0, basis) }
    let oscillating = held.filter { modeSprings[$0 - held.lowerBound].angularFrequency >= 0 }
    let overdamped = held.filter { modeSprings[$0 - held.lowerBound].angularFrequency < 0 }
    var springs = try Self.springs(
      tracks: instances * held.count, axes: axes, tolerance: Self.modalTolerance(tolerance, basis), kernels)
    // The modes of one kind of all instances come before those of the other: each is a matrix without gaps.
    var (handles, blocks): ([TrackHandle], [ModeBlock]) = ([], [])
    for modes in [oscillating, overdamped] where !modes.isEmpty {
      let each = modes.map { modeSprings[$0 - held.lowerBound] }
      let first = handles.count
      // A part of the instances at a time: what is lent to a call need not be as large as the batch.
      for start in stride(from: 0, to: instances, by: 256) {
        let all = (start..<min(start + 256, instances)).flatMap { _ in each }
        let zeros = [Float](repeating: 0, count: all.count * axes)
        do throws(BatchError) {
          handles += try springs.add(all.span, values: zeros.span, targets: zeros.span)
        } catch {
          throw .springs(error)
        }
      }
      let row = springs.slots.row(of: handles[first].index)
      blocks.append(ModeBlock(modes: modes, firstRow: row, firstTrack: first, shapes: ShapeMatrix(modes, of: basis)))
      assert(springs.slots.row(of: handles[handles.count - 1].index) == row + instances * modes.count - 1)
    }
    self.springs = springs
    self.handles = handles
    self.blocks = blocks
    free = FreeModes(
      dampings: Array(basis.dampings.prefix(basis.freeModeCount)), instances: instances, axes: axes)
    freeShapes = ShapeMatrix(Array(0..<basis.freeModeCount), of: basis)
    self.basis = basis
    instanceCount = instances
    self.axes = axes
    self.tolerance = tolerance
  }

  private static func restTolerances(_ tolerance: Float) throws(ModalError) -> RestTolerances {
    do {
      return try RestTolerances(value: tolerance)
    } catch {
      throw .springs(error)
    }
  }

  private static func springs(
    tracks: Int, axes: Int, tolerance: Float, _ kernels: KernelSet?
  ) throws(ModalError) -> SpringBatch {
    let rest = try restTolerances(tolerance)
    do throws(BatchError) {
      var springs = try SpringBatch(dimensions: axes, reservingCapacity: tracks, kernels: kernels)
      springs.computesVelocities = false
      springs.restTolerance = rest
      return springs
    } catch {
      throw .springs(error)
    }
  }

  /// What a mode at rest may be off.
  package var modalTolerance: Float { springs.restTolerance.value }

  /// The spring that a mode is.
  static func spring(of mode: Int, _ basis: ModalBasis) -> Spring {
    let frequency = basis.frequencies[mode]
    return Spring(response: 2 * .pi / frequency, dampingRatio: basis.dampings[mode] / (2 * frequency))
  }

  /// What a mode may be off at rest, so that no point is off by more than the tolerance.
  private static func modalTolerance(_ tolerance: Float, _ basis: ModalBasis) -> Float {
    var sums = [Double](repeating: 0, count: basis.pointCount)
    for mode in basis.freeModeCount..<basis.modeCount {
      for point in sums.indices {
        sums[point] += abs(basis.shapes[mode * basis.pointCount + point])
      }
    }
    return Float(Double(tolerance) / max(sums.max() ?? 0, 1e-12))
  }

  // MARK: - Time

  /// Evaluates every mode at a time.
  ///
  /// The clock may be set to any time from the latest gesture on, forwards or back, each at the cost of one frame.
  ///
  /// - Throws: ``ModalError/springs(_:)`` with ``BatchError/invalidTime(_:)`` or
  ///   ``BatchError/timeBeforeStart(time:start:)``.
  /// - Complexity: O(instances · modes). The positions are computed when they are asked for.
  public mutating func advance(to seconds: Double) throws(ModalError) {
    if seconds < free.latestStart {
      free.refreshLatestStart()
      guard seconds >= free.latestStart else {
        throw .springs(.timeBeforeStart(time: seconds, start: free.latestStart))
      }
    }
    do {
      try springs.advance(to: seconds)
    } catch {
      throw .springs(error)
    }
    time = seconds
  }

  /// Threads that ``advance(to:)`` and products may use, the caller's included: 1…64, others are taken for the nearest.
  public var threadCount: Int {
    get { springs.threadCount }
    set { springs.threadCount = newValue }
  }

  // MARK: - Checks

  func check(instance: Int) throws(ModalError) {
    guard 0..<instanceCount ~= instance else {
      throw .instanceOutOfRange(instance, count: instanceCount)
    }
  }

  func check(axis: Int) throws(ModalError) {
    guard 0..<axes ~= axis else {
      throw .axisOutOfRange(axis, count: axes)
    }
  }
}
