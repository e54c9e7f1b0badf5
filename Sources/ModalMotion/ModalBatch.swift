// SPDX-License-Identifier: MIT
import Kernels
public import Murmuration
import Rigs

/// Many instances of one network in motion. Each mode of each instance is a track of an ``/Murmuration/AnimationBatch``,
/// and the points of all instances are one matrix product a frame, positions = modal values · shapes.
///
/// ```swift
/// let cloth = try SpringNetwork.cloth(
///   columns: 40, rows: 40, stiffness: 900, shearStiffness: 300, damping: .ratio(0.02))
/// var batch = try ModalBatch(ModalBasis(cloth, modes: 200), instances: 100)
/// try batch.pluck(instance: 3, point: 820, by: 2)
/// try batch.advance(to: 1.0 / 60)
/// var positions = [Float](repeating: 0, count: 100 * 1600)
/// try batch.copyPositions(into: &positions)
/// ```
///
/// *Positions* are displacements from the places at rest. Every motion is in closed form: stable, and as exact at a
/// step of an hour as at one of a millisecond. The clock may go back to the last gesture.
///
/// ### Accuracy
/// A mode is within the bound of ``/Murmuration/AnimationBatch`` of its exact motion, and a position is the sum of its
/// modes in Float. With one basis the same calls give modal values with the same bits on every instruction set. Positions are
/// matrix products, within their bound instead: their last bits depend on the processor, as OpenBLAS sums in an order
/// of its own. The last bits of a basis, which LAPACK computes, depend on the processor too.
///
/// ### Rest
/// A mode comes to rest when its remaining motion is so small that all modes together keep every point within the
/// tolerance of its equilibrium.
///
/// A batch is mutated by one owner at a time, and can be sent to another thread.
public struct ModalBatch: ~Copyable, Sendable {
  /// The modes.
  public let basis: ModalBasis
  /// The number of networks that move.
  public let instanceCount: Int
  /// The number of axes along which points move, each independently.
  public let axes: Int
  /// How far a point at rest may be from its equilibrium, in units of displacement.
  public let tolerance: Float

  /// The modes of all instances.
  var batch: AnimationBatch<Components>
  var free: FreeModes
  /// The modes with a stiffness, whose tracks stand at neighbouring indices, instance by instance: row-major [instances ×
  /// modes].
  let held: Range<Int>
  /// The index of the first mode of the first instance.
  let firstIndex: Int
  /// The shapes of these modes.
  let shapes: ShapeMatrix
  /// The shapes of the free modes.
  let freeShapes: ShapeMatrix
  /// The clock.
  public var time: Double { batch.time }

  /// A batch whose instances are all at rest at time 0.
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
    guard 1...ModalLimits.maximumInstances ~= instances else { throw .instancesOutOfRange(instances) }
    guard 1...ModalLimits.maximumAxes ~= axes else { throw .axesOutOfRange(axes) }
    let held = basis.freeModeCount..<basis.modeCount
    let shapes = try ShapeMatrix(held, of: basis)
    let freeShapes = try ShapeMatrix(0..<basis.freeModeCount, of: basis)
    try FreeModes.check(count: basis.freeModeCount, instances: instances, axes: axes)
    let modeSprings = held.map { Self.spring(of: $0, basis) }
    do throws(BatchError) {
      // Checked as it is given. What follows for a mode is within the limits.
      _ = try RestTolerances(value: tolerance)
      let rest = try RestTolerances(value: Self.modalTolerance(tolerance, basis))
      // The capacity has room for a gesture, which takes new tiles while it still holds its old ones.
      let capacity = instances * held.count + 2 * held.count + 8 * laneCountOfTile
      var batch = try AnimationBatch<Components>(dimensions: axes, reservingCapacity: capacity, kernels: kernels)
      batch.restTolerance = rest
      firstIndex = held.isEmpty ? 0 : try Self.add(modeSprings, instances: instances, to: &batch)
      self.batch = batch
    } catch {
      throw .springs(error)
    }
    (self.basis, self.held, self.shapes, self.freeShapes) = (basis, held, shapes, freeShapes)
    (instanceCount, self.axes, self.tolerance) = (instances, axes, tolerance)
    free = FreeModes(
      dampings: Array(basis.dampings.prefix(basis.freeModeCount)), instances: instances, axes: axes)
  }

  /// Adds the modes of all instances, at rest, at indices that follow each other; returns the first.
  private static func add(
    _ springs: [Spring], instances: Int, to batch: inout AnimationBatch<Components>
  ) throws(BatchError) -> Int {
    var first = 0
    // Some instances at a time: a call need not be lent memory as large as the batch.
    for start in stride(from: 0, to: instances, by: 256) {
      let count = (min(start + 256, instances) - start) * springs.count
      let rest = [Float](repeating: 0, count: count * batch.dimensions)
      let own = (0..<count).map { springs[$0 % springs.count] }
      let tracks = try batch.add(planar: rest.span, toPlanar: rest.span, springs: own.span)
      if start == 0 { first = batch.index(of: tracks[0]) ?? 0 }
      for (place, track) in tracks.enumerated() {
        assert(batch.index(of: track) == first + start * springs.count + place)
      }
    }
    return first
  }

  /// The indices of the tracks of an instance's modes.
  func tracks(of instance: Int) -> Range<Int> { instance * held.count..<(instance + 1) * held.count }

  /// The distance from its equilibrium at which a mode counts as at rest.
  package var modalTolerance: Float { batch.restTolerance.value }

  /// The work of the modes in the last frame, without the product with the shapes.
  package var work: BatchWork { batch.work }

  /// The spring of a mode.
  static func spring(of mode: Int, _ basis: ModalBasis) -> Spring {
    let frequency = basis.frequencies[mode]
    return Spring(response: 2 * .pi / frequency, dampingRatio: basis.dampings[mode] / (2 * frequency))
  }

  /// The tolerance of a mode at rest with which no point is off by more than `tolerance`.
  private static func modalTolerance(_ tolerance: Float, _ basis: ModalBasis) -> Float {
    var sums = [Double](repeating: 0, count: basis.pointCount)
    for mode in basis.freeModeCount..<basis.modeCount {
      for point in sums.indices {
        sums[point] += abs(basis.shapes[mode * basis.pointCount + point])
      }
    }
    // Within the limits of batches, which the given tolerance meets.
    let (own, limits) = (Float(Double(tolerance) / max(sums.max() ?? 0, 1e-12)), RestTolerances.values)
    return min(max(own, limits.lowerBound), limits.upperBound)
  }

  // MARK: - Time

  /// Evaluates every mode at a time.
  ///
  /// The clock may be set to any time from the latest gesture on, forwards or back, each at the cost of one frame.
  ///
  /// - Parameters:
  ///   - seconds: Absolute time.
  ///   - velocities: Whether to compute the velocities that ``copyVelocities(axis:instances:points:stride:into:)`` reads.
  /// - Throws: ``ModalError/springs(_:)`` with ``/Murmuration/BatchError/invalidTime(_:)`` or
  ///   ``/Murmuration/BatchError/timeBeforeStart(time:start:)``.
  /// - Complexity: O(instances · modes). The positions are computed when they are asked for.
  public mutating func advance(to seconds: Double, velocities: Bool = false) throws(ModalError) {
    if seconds < free.latestStart {
      free.refreshLatestStart()
      guard seconds >= free.latestStart else {
        throw .springs(.timeBeforeStart(time: seconds, start: free.latestStart))
      }
    }
    do { try batch.advance(to: seconds, velocities: velocities) } catch { throw .springs(error) }
  }

  /// Evaluates every mode at a time since time 0: see ``advance(to:velocities:)``.
  ///
  /// - Throws: As for the same time in seconds.
  public mutating func advance(to time: Duration) throws(ModalError) { try advance(to: time.seconds) }

  /// The number of threads that ``advance(to:velocities:)`` and products may use, the caller's included, clamped to
  /// 1…64.
  public var threadCount: Int {
    get { batch.threadCount }
    set { batch.threadCount = newValue }
  }

  // MARK: - Checks

  func check(instance: Int = 0, axis: Int = 0) throws(ModalError) {
    guard 0..<instanceCount ~= instance else { throw .instanceOutOfRange(instance, count: instanceCount) }
    guard 0..<axes ~= axis else { throw .axisOutOfRange(axis, count: axes) }
  }
}

/// The shapes of some modes in Float, row-major [modes × points], loaded once.
///
/// Rows begin on lines of 64 bytes: otherwise vectors of AVX-512 would cross lines, and products would take longer.
final class ShapeMatrix: Sendable {
  /// Floats from row to row.
  let stride: Int
  /// The numbers; each row ends with zeros after its points.
  let numbers: FloatBuffer

  /// - Throws: ``ModalError/matrices(_:)`` if there is no memory for them.
  init(_ modes: Range<Int>, of basis: ModalBasis) throws(ModalError) {
    let points = basis.pointCount
    do { try FloatBuffer.check("shapes of modes", rows: modes.count, columns: points) } catch { throw .matrices(error) }
    stride = FloatBuffer.stride(columns: points)
    numbers = FloatBuffer(count: modes.count * stride)
    for (row, mode) in modes.enumerated() {
      for point in 0..<points {
        numbers.start[row * stride + point] = Float(basis.shapes[mode * points + point])
      }
    }
  }
}
