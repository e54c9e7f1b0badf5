// SPDX-License-Identifier: MIT
import Murmuration

// Gestures of a hand on a network. Each is about one instance, happens at the current time, and leaves the other
// instances alone. A steady force moves the equilibrium, which is a retarget of the modes' springs; a knock changes
// their values and velocities.
extension ModalBatch {
  /// Pulls a point with a steady force, until ``release(instance:)`` or another pull. The force is the one under which
  /// the point comes to rest at a displacement. The network swings towards that equilibrium from where it is.
  ///
  /// Called in every frame with the position of a pointer, it is a hand that drags softly.
  ///
  /// - Parameters:
  ///   - instance: The network.
  ///   - point: A point that moves, and that something holds.
  ///   - displacement: The displacement along the axis to which the force leads the point.
  ///   - axis: 0..<``axes``. Pulls along other axes go on.
  /// - Throws: ``ModalError``; nothing has changed then.
  /// - Complexity: O(modes · axes).
  public mutating func pull(
    instance: Int, point: Int, to displacement: Double, axis: Int = 0
  ) throws(ModalError) {
    try check(instance: instance, axis: axis)
    let equilibrium = try basis.modes(ofPullTo: displacement, at: point)
    try retarget(instance) { mode, other, old in other == axis ? Float(equilibrium[mode]) : old }
  }

  /// Lets go of an instance: it swings back to its place at rest.
  ///
  /// - Throws: ``ModalError/instanceOutOfRange(_:count:)``.
  /// - Complexity: O(modes · axes).
  public mutating func release(instance: Int) throws(ModalError) {
    try check(instance: instance)
    try retarget(instance) { _, _, _ in 0 }
  }

  /// Lifts a point and lets go of it at once: adds the displacements to which ``pull(instance:point:to:axis:)`` would
  /// lead.
  ///
  /// - Throws: ``ModalError``; nothing has changed then.
  /// - Complexity: O(modes · axes).
  public mutating func pluck(
    instance: Int, point: Int, by displacement: Double, axis: Int = 0
  ) throws(ModalError) {
    try check(instance: instance, axis: axis)
    let form = try basis.modes(ofPullTo: displacement, at: point)
    try change(instance) { mode, other in (other == axis ? form[mode] : 0, 0) }
  }

  /// Knocks on a point: adds an impulse, in units of mass times velocity.
  ///
  /// - Throws: ``ModalError``; nothing has changed then.
  /// - Complexity: O(modes · axes).
  public mutating func strike(
    instance: Int, point: Int, impulse: Double, axis: Int = 0
  ) throws(ModalError) {
    try check(instance: instance, axis: axis)
    let velocities = try basis.modes(ofImpulse: impulse, at: point)
    try change(instance) { mode, other in (0, other == axis ? velocities[mode] : 0) }
  }

  /// Adds displacements and velocities, a number for each point. The part that the kept modes cannot show is left out.
  ///
  /// - Parameters:
  ///   - instance: The network.
  ///   - displacements: One for each point, or empty.
  ///   - velocities: Per second, one for each point, or empty.
  ///   - axis: 0..<``axes``.
  /// - Throws: ``ModalError``; nothing has changed then.
  /// - Complexity: O(modes · (points + axes)).
  public mutating func add(
    instance: Int, displacements: Span<Double> = Span(), velocities: Span<Double> = Span(), axis: Int = 0
  ) throws(ModalError) {
    try check(instance: instance, axis: axis)
    let none = [Double](repeating: 0, count: basis.modeCount)
    let values = displacements.isEmpty ? none : try basis.modes(of: displacements)
    let rates = velocities.isEmpty ? none : try basis.modes(of: velocities)
    try change(instance) { mode, other in other == axis ? (values[mode], rates[mode]) : (0, 0) }
  }

  /// Puts an instance at its place at rest, at once.
  ///
  /// - Throws: ``ModalError/instanceOutOfRange(_:count:)``.
  public mutating func reset(instance: Int) throws(ModalError) {
    try release(instance: instance)
    let states = (0..<axes).map { axis in (0..<basis.modeCount).map { state(instance, axis, $0) } }
    try change(instance) { mode, axis in (-states[axis][mode].value, -states[axis][mode].velocity) }
  }

  // MARK: - In modes

  /// Gives the held modes of an instance new equilibria; `target` takes the mode, the axis and the old equilibrium.
  private mutating func retarget(_ instance: Int, _ target: (Int, Int, Float) -> Float) throws(ModalError) {
    let tracks = handles(instance)
    var targets: [Float] = []
    targets.reserveCapacity(tracks.count * axes)
    for axis in 0..<axes {
      for (track, mode) in zip(tracks, held) {
        targets.append(target(mode, axis, batch.component(axis, of: .targets, track) ?? 0))
      }
    }
    try check(targets, "equilibrium")
    do { try batch.retarget(self.tracks(of: instance), toPlanar: targets.span) } catch { throw .springs(error) }
  }

  /// Adds to the values and velocities of an instance's modes; the closures take a mode and an axis.
  private mutating func change(
    _ instance: Int, _ change: (Int, Int) -> (value: Double, velocity: Double)
  ) throws(ModalError) {
    var (values, velocities): ([Float], [Float]) = ([], [])
    for axis in 0..<axes {
      for mode in held {
        let (old, added) = (state(instance, axis, mode), change(mode, axis))
        values.append(Float(old.value + added.value))
        velocities.append(Float(old.velocity + added.velocity))
      }
    }
    try check(values, "value")
    try check(velocities, "velocity")
    let tracks = handles(instance)
    do { try batch.displace(tracks.span, planar: values.span, velocities: velocities.span) } catch {
      throw .springs(error)
    }
    free.change(instance, at: time) { axis, mode, old in
      let added = change(mode, axis)
      return (old.value + added.value, old.velocity + added.velocity)
    }
  }

  /// Throws for numbers that batches would refuse, before any mode changes.
  private func check(_ numbers: [Float], _ what: String) throws(ModalError) {
    for number in numbers where !(abs(number) <= BatchLimits.maximumMagnitude) {
      throw .invalidNumber(of: "\(what) that follows for a mode", Double(number))
    }
  }

  /// The tracks of an instance's modes.
  private func handles(_ instance: Int) -> [TrackHandle] {
    tracks(of: instance).compactMap { batch.handle(at: $0) }
  }
}
