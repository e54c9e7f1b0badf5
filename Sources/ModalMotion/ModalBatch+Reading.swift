// SPDX-License-Identifier: MIT
import Kernels
public import Murmuration
import Rigs

extension ModalBatch {
  /// Computes the displacements of points from their places at rest, at the current time, into memory of the caller.
  ///
  /// - Parameters:
  ///   - axis: 0..<``axes``.
  ///   - instances: A range of instances; nil: all.
  ///   - points: A range of points; nil: all. Fixed points have 0.
  ///   - stride: Floats from an instance to the next; nil for the number of points. A multiple of 1 024 is slow.
  ///   - output: Row-major [instances × points]; it must reach the end of the last row. Floats between rows stay.
  /// - Throws: ``ModalError``; nothing is written then.
  /// - Complexity: O(instances · modes · points), one matrix product for each kind of mode.
  public func copyPositions(
    axis: Int = 0, instances: Range<Int>? = nil, points: Range<Int>? = nil, stride: Int? = nil,
    into output: inout some TrackOutput<Float> & ~Copyable & ~Escapable
  ) throws(ModalError) {
    try output.withMutableElements { output throws(ModalError) in
      let output = unsafe output.elements
      let part = try part(axis, instances, points, stride, length: output.count)
      do throws(BatchError) {
        try batch.withValues(component: axis) { unsafe multiply(part, $0, velocities: false, into: output) }
      } catch { throw .springs(error) }
    }
  }

  /// Computes the velocities of points, per second; otherwise as
  /// ``copyPositions(axis:instances:points:stride:into:)``.
  ///
  /// - Throws: ``ModalError/springs(_:)`` with ``/Murmuration/BatchError/velocitiesNotComputed`` if the last advance did
  ///   not compute the velocities of modes, and the errors of ``copyPositions(axis:instances:points:stride:into:)``; nothing is
  ///   written then.
  public func copyVelocities(
    axis: Int = 0, instances: Range<Int>? = nil, points: Range<Int>? = nil, stride: Int? = nil,
    into output: inout some TrackOutput<Float> & ~Copyable & ~Escapable
  ) throws(ModalError) {
    try output.withMutableElements { output throws(ModalError) in
      let output = unsafe output.elements
      let part = try part(axis, instances, points, stride, length: output.count)
      do throws(BatchError) {
        try batch.withVelocities(component: axis) { unsafe multiply(part, $0, velocities: true, into: output) }
      } catch { throw .springs(error) }
    }
  }

  /// The energy of an instance over all axes: of the motion of its masses, and in its springs. Without damping it is
  /// constant.
  ///
  /// While an instance is pulled the energy of its springs counts from the places at rest, not from the equilibrium.
  ///
  /// - Throws: ``ModalError/instanceOutOfRange(_:count:)``.
  public func energy(ofInstance instance: Int) throws(ModalError) -> (kinetic: Double, potential: Double) {
    try check(instance: instance)
    var (kinetic, potential) = (0.0, 0.0)
    for axis in 0..<axes {
      for mode in 0..<basis.modeCount {
        let (value, velocity) = state(instance, axis, mode)
        kinetic += velocity * velocity / 2
        potential += basis.frequencies[mode] * basis.frequencies[mode] * value * value / 2
      }
    }
    return (kinetic, potential)
  }

  /// The amount of a mode of an instance along an axis, and its rate per second.
  ///
  /// - Throws: ``ModalError/modeOutOfRange(_:count:)``, ``ModalError/instanceOutOfRange(_:count:)`` or
  ///   ``ModalError/axisOutOfRange(_:count:)``.
  public func mode(
    _ mode: Int, ofInstance instance: Int, axis: Int = 0
  ) throws(ModalError) -> (value: Double, velocity: Double) {
    try basis.check(mode: mode)
    try check(instance: instance, axis: axis)
    return state(instance, axis, mode)
  }

  /// The amount and rate of a mode; the mode, the axis and the instance must be there.
  func state(_ instance: Int, _ axis: Int, _ mode: Int) -> (value: Double, velocity: Double) {
    guard mode >= basis.freeModeCount else { return free.state(axis, instance, mode, at: time) }
    guard let track = batch.handle(at: tracks(of: instance).lowerBound + mode - held.lowerBound),
      let value = batch.component(axis, of: .values, track),
      let velocity = batch.component(axis, of: .velocities, track)
    else { return (0, 0) }
    return (Double(value), Double(velocity))
  }

  // MARK: - Products

  /// The part of the points that a reader asked for, checked.
  private struct Part {
    var axis: Int
    var instances: Range<Int>
    var points: Range<Int>
    var stride: Int
  }

  private func part(
    _ axis: Int, _ instances: Range<Int>?, _ points: Range<Int>?, _ stride: Int?, length: Int
  ) throws(ModalError) -> Part {
    try check(axis: axis)
    let instances = instances ?? 0..<instanceCount
    let points = points ?? 0..<basis.pointCount
    // One after the other: a list of both would be an allocation a frame.
    func confirm(_ range: Range<Int>, of what: String, _ count: Int) throws(ModalError) {
      guard range.isEmpty || range.indexOutside(count) != nil else { return }
      throw .rangeOutOfBounds(of: what, range, count: count)
    }
    try confirm(instances, of: "instances", instanceCount)
    try confirm(points, of: "points", basis.pointCount)
    let stride = stride ?? points.count
    guard stride >= points.count, stride <= Int(Int32.max) else { throw .invalidStride(stride, atLeast: points.count) }
    let needed = (instances.count - 1) * stride + points.count
    guard length >= needed else { throw .wrongCount(of: "output", expected: needed, got: length) }
    return Part(axis: axis, instances: instances, points: points, stride: stride)
  }

  private func multiply(
    _ part: Part, _ column: Span<Float>, velocities: Bool, into output: UnsafeMutableBufferPointer<Float>
  ) {
    unsafe column.withUnsafeBufferPointer { column in
      guard !held.isEmpty, let column = unsafe column.column else { return }
      let values = column + (firstIndex + part.instances.lowerBound * held.count)
      unsafe multiply(part, values, shapes, modes: held.count, adds: false, into: output)
    }
    if free.count > 0 {
      let values = free.matrix(axis: part.axis, instances: part.instances, at: time, velocities: velocities)
      values.withConstantColumn { values in
        unsafe multiply(part, values, freeShapes, modes: free.count, adds: !held.isEmpty, into: output)
      }
    }
  }

  private func multiply(
    _ part: Part, _ values: ConstantColumn<Float>, _ shapes: ShapeMatrix, modes: Int, adds: Bool,
    into output: UnsafeMutableBufferPointer<Float>
  ) {
    guard let output = unsafe output.column else { return }
    BLAS.multiply(
      BLASProduct(
        rows: part.instances.count, columns: part.points.count, inner: modes, a: values, aStride: modes,
        b: (shapes.numbers.start + part.points.lowerBound).constant, bStride: shapes.stride, c: output,
        cStride: part.stride, adds: adds),
      threads: threadCount)
  }
}
