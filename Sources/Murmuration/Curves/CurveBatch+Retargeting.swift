// SPDX-License-Identifier: MIT
public import AnimationModel
import Kernels

extension CurveBatch {
  /// Sends a track to a new target.
  ///
  /// - Parameters:
  ///   - handle: The track. If it is paused it goes on.
  ///   - target: Where it heads from now on. If it is where it heads already nothing happens, but with an animation of nil,
  ///     which stops it there.
  ///   - animation: How it gets there; nil for at once.
  /// - Throws: ``BatchError``; the old motion continues then.
  /// - Complexity: O(dimensions), and O(n) in the number of animations whose effects add up.
  public mutating func retarget<V: TrackValue>(
    _ handle: TrackHandle, to target: V, with animation: Animation?
  ) throws(BatchError) {
    try checkDimensions(V.dimensions, of: "target")
    try check(target, of: "target")
    let motion = try motion(of: animation, index: 0)
    try prepare(handle)
    withLeads { batch, leads in
      for dimension in leads.indices {
        leads[dimension] = target.component(dimension)
      }
      batch.resume(slot: handle.index)
      batch.setOut(handle.index, motion, at: batch.time, targets: leads.span)
    }
  }

  /// Sends tracks to new targets with one animation.
  ///
  /// - Parameters:
  ///   - handles: The tracks, as in ``retarget(_:to:with:)-(TrackHandle,_,_)``. If one is named twice, both changes are made.
  ///   - targets: Component-major: dimension 0 of all, then dimension 1, …
  ///   - animation: How they get there; nil for at once.
  /// - Throws: ``BatchError``; all old motions continue then.
  /// - Complexity: O(tracks · dimensions) where tracks are at rest.
  public mutating func retarget(
    _ handles: Span<TrackHandle>, to targets: Span<Float>, with animation: Animation?
  ) throws(BatchError) {
    let motion = try motion(of: animation, index: 0)
    try prepare(handles, targets, kinds: 1)
    setOut(handles, targets) { _ in motion }
  }

  /// Sends tracks to new targets with an animation each.
  ///
  /// - Parameters:
  ///   - handles: The tracks, as in ``retarget(_:to:with:)-(TrackHandle,_,_)``. If one is named twice, both changes are made.
  ///   - targets: Component-major: dimension 0 of all, then dimension 1, …
  ///   - animations: One for each handle; nil for at once.
  /// - Throws: ``BatchError``; all old motions continue then.
  public mutating func retarget(
    _ handles: Span<TrackHandle>, to targets: Span<Float>, animations: Span<Animation?>
  ) throws(BatchError) {
    try checkCount(handles.count, animations.count, of: "animations")
    var motions: [CurveMotion] = []
    swap(&motions, &self.motions)
    defer {
      motions.removeAll(keepingCapacity: motions.count <= Self.keptMotions)
      swap(&motions, &self.motions)
    }
    for index in animations.indices {
      motions.append(try motion(of: animations[index], index: index))
    }
    try prepare(handles, targets, kinds: CurveTables.limit)
    setOut(handles, targets) { motions[$0] }
  }

  /// Motions that memory is kept for from one call to the next.
  private static let keptMotions = 1 << 14

  /// Lends the memory for the targets of one change.
  private mutating func withLeads(_ body: (inout CurveBatch, inout [Float]) -> Void) {
    var leads: [Float] = []
    swap(&leads, &self.leads)
    body(&self, &leads)
    swap(&leads, &self.leads)
  }

  /// Has room for changes, and the velocities of the last frame computed if it left them out: a track that goes on in another
  /// row takes them along.
  private mutating func prepare(
    _ handles: Span<TrackHandle>, _ targets: Span<Float>, kinds: Int
  ) throws(BatchError) {
    try checkCount(handles.count * dimensions, targets.count, of: "targets")
    try BatchLimits.check(targets, of: "target")
    for index in handles.indices {
      slots.prefetch(handles, after: index)
      if index + Self.lead < handles.count { prefetchTrack(handles[index + Self.lead].index) }
      try checkRoom(handles[index])
    }
    try reserveTiles(moving: handles.count, kinds: kinds)
    refreshVelocities()
  }

  private mutating func prepare(_ handle: TrackHandle) throws(BatchError) {
    try checkRoom(handle)
    try reserveTiles(1)
    refreshVelocities()
  }

  /// Makes sure that tracks can change their tiles for those of so many kinds, each of which may have to begin one.
  mutating func reserveTiles(moving count: Int, kinds: Int) throws(BatchError) {
    try reserveTiles(count / laneCountOfTile + 1 + min(count, kinds + 1))
  }

  private func checkRoom(_ handle: TrackHandle) throws(BatchError) {
    _ = try slots.row(of: handle)
    guard tracks[handle.index].earlier.count + 1 < Self.maximumAnimationCount else {
      throw .tooManyAnimations(handle)
    }
  }

  private mutating func setOut(
    _ handles: Span<TrackHandle>, _ targets: Span<Float>, _ motion: (Int) -> CurveMotion
  ) {
    withLeads { batch, leads in
      for index in handles.indices {
        if index + Self.lead < handles.count { batch.prefetch(slot: handles[index + Self.lead].index) }
        for dimension in leads.indices {
          leads[dimension] = targets[dimension * handles.count + index]
        }
        batch.resume(slot: handles[index].index)
        batch.setOut(handles[index].index, motion(index), at: batch.time, targets: leads.span)
      }
    }
  }

  // MARK: - To springs

  /// Moves a track to a batch of springs, where it goes on from its value with its velocity.
  ///
  /// Both batches should show the same time. The track is removed here; its motion alone there.
  ///
  /// - Parameters:
  ///   - handle: The track.
  ///   - springs: The batch that takes it, of as many dimensions.
  ///   - spring: The spring that it follows there.
  ///   - target: Where it heads; nil for the target that it has.
  /// - Returns: Its handle there.
  /// - Throws: ``BatchError``; nothing changes then.
  @discardableResult
  public mutating func move(
    _ handle: TrackHandle, to springs: inout SpringBatch, spring: Spring, target: [Float]? = nil
  ) throws(BatchError) -> TrackHandle {
    _ = try slots.row(of: handle)
    guard springs.dimensions == dimensions else {
      throw .wrongDimensions(of: "batch of springs", expected: dimensions, got: springs.dimensions)
    }
    evaluate(handle.index, at: time)
    let first = handle.index * dimensions
    let goal = target ?? Array(targets[first..<first + dimensions])
    let isPaused = tracks[handle.index].isPaused
    let values = (0..<dimensions).map { dimension in
      isPaused ? pausedValue(handle.index, dimension) : Float(shown[dimension])
    }
    let velocities = shownVelocities.map { isPaused ? 0 : Float($0) }
    let springsOfOne = [spring]
    let handles = try springs.add(
      springsOfOne.span, values: values.span, targets: goal.span, velocities: velocities.span)
    try remove(handle)
    return handles[0]
  }
}
