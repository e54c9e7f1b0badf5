// SPDX-License-Identifier: MIT
import ModalMotion
import Murmuration

/// Plays a group of networks through a modal batch.
///
/// A class only because arrays cannot hold noncopyable values: each has one owner, its `ScenePlayer`.
final class NetworkGroupPlayer {
  private var batch: ModalBatch
  private var course: GestureCourse?
  /// The positions of the points at rest, with a column for each component but the last.
  private let places: [[Float]]
  private var displacements: [Float]
  private var isCurrent = false
  private(set) var clock = NetworkClock()
  var log = WorkLog()

  /// The number of tracks that are shown: all points, though perhaps not all points of the last network.
  let count: Int

  /// The modes.
  var basis: ModalBasis { batch.basis }
  /// The tolerance of a mode at rest.
  var modalTolerance: Float { batch.modalTolerance }
  /// The work of the modes in the last frame.
  var work: BatchWork { batch.work }

  /// Decomposes the network of group `index` and lays out its instances at rest.
  ///
  /// One thread plays it, as frames do not depend on the number of threads: with several, OpenBLAS finds another basis, and
  /// on some processors its products have other bits.
  init(_ group: NetworkGroup, index: Int, count: Int, scene: Scene, kernels: KernelSet?) throws {
    let network = try group.network.network()
    let instances = group.instances(of: count)
    var found: ModalBasis?
    try NetworkClock.measure(&clock.decomposing) {
      found = try ModalBasis(network, modes: group.network.modes)
    }
    guard let basis = found else { throw ModalError.nothingMoves }
    batch = try ModalBatch(basis, instances: instances, kernels: kernels)
    course = GestureCourse(group, basis: basis, index: index, instances: instances, scene: scene)
    self.count = count
    displacements = Array(repeating: 0, count: instances * basis.pointCount)
    let dimensions = scene.dimensions
    let middles = group.start.map {
      $0.points(
        count: instances, dimensions: dimensions, random: SceneRandom(seed: scene.seed, purpose: .start, group: index))
    }
    places = (0..<dimensions - 1).map { component in
      (0..<count).map { track in
        let (instance, point) = track.quotientAndRemainder(dividingBy: basis.pointCount)
        let place = group.network.place(of: point)
        let middle = middles.map { Double($0[component * instances + instance]) } ?? 0
        return Float(middle + (component == 0 ? place.x : place.y))
      }
    }
  }

  /// Plays to `time`: every gesture until then happens at its own moment. Ends early once `isStopped` says so.
  func advance(to time: Double, unless isStopped: () -> Bool) throws {
    while !isStopped(), let change = course?.next(until: time) {
      try evaluate(at: change.time)
      clock.gestures += 1
      if let pull = change.pull {
        try batch.pull(instance: change.instance, point: pull.point, to: pull.displacement)
      } else {
        try batch.release(instance: change.instance)
      }
    }
    if isStopped() { return }
    try evaluate(at: time)
  }

  private func evaluate(at time: Double) throws {
    guard time != batch.time else { return }
    try NetworkClock.measure(&clock.seconds) { try batch.advance(to: time) }
    log.note(batch.work)
    isCurrent = false
  }

  // MARK: - Reading

  /// Lends the values of one component, track after track: positions at rest, and in the last component the
  /// displacements.
  func withValues<R>(_ component: Int, _ body: (Span<Float>) throws -> R) throws -> R {
    if component < places.count {
      let column = places[component]
      return try body(column.span)
    }
    if !isCurrent {
      try NetworkClock.measure(&clock.seconds) {
        var span = displacements.mutableSpan
        try batch.copyPositions(into: &span)
      }
      clock.products += 1
      clock.operations += 2 * Double(displacements.count * batch.basis.modeCount)
      isCurrent = true
    }
    let column = displacements
    return try body(column.span.extracting(0..<count))
  }

  /// Lends the velocities of one component, track after track; 0 for positions at rest.
  func withVelocities<R>(_ component: Int, _ body: (Span<Float>) throws -> R) throws -> R {
    var column = [Float](repeating: 0, count: displacements.count)
    if component == places.count {
      try batch.advance(to: batch.time, velocities: true)
      var span = column.mutableSpan
      try batch.copyVelocities(into: &span)
    }
    return try body(column.span.extracting(0..<count))
  }
}
