// SPDX-License-Identifier: MIT
public import AnimationModel
import Kernels

extension SpringBatch {
  /// Adds a track that moves alone, starting now.
  ///
  /// - Parameters:
  ///   - spring: Its spring.
  ///   - value: Where it starts.
  ///   - target: Where it heads.
  ///   - velocity: Its velocity at the start, per second; at rest unless given.
  /// - Returns: The handle by which it is found again.
  /// - Throws: ``BatchError`` if the spring or a value is not accepted, or the value has not the batch's dimensions.
  /// - Complexity: O(dimensions), amortised.
  @discardableResult
  public mutating func add<V: TrackValue>(
    _ spring: Spring, value: V, target: V, velocity: V = V { _ in 0 }
  ) throws(BatchError) -> TrackHandle {
    try checkDimensions(V.dimensions, of: "value")
    try check(spring, index: 0)
    try check(value, of: "value")
    try check(target, of: "target")
    try check(velocity, of: "velocity")
    try reserve(1)
    refreshVelocities()
    let coefficients = SpringCoefficients(accepted: spring)
    let row = takeRow(coefficients.isOverdamped ? TileKind.overdamped : TileKind.oscillating)
    let slot = take(row)
    for dimension in 0..<dimensions {
      unsafe columnValue(row, dimension).pointee = value.component(dimension)
      unsafe columnVelocity(row, dimension).pointee = velocity.component(dimension)
    }
    _ = setAlone(row, coefficients, start: time)
    let rule = AmplitudeRule(coefficients)
    for dimension in 0..<dimensions {
      start(row, dimension, target: target.component(dimension), rule)
    }
    return slots.handle(ofSlot: slot)
  }

  /// Adds tracks that share a spring and start now: one cohort.
  ///
  /// - Parameters:
  ///   - spring: The spring of all.
  ///   - values: Where they start, component-major: all of dimension 0, then all of dimension 1, …
  ///   - targets: Where they head, in the same layout.
  ///   - velocities: Per second, in the same layout; empty for tracks at rest.
  /// - Returns: The handles, in the order of the spans.
  /// - Throws: ``BatchError``; nothing is added then.
  /// - Complexity: O(tracks · dimensions), amortised.
  @discardableResult
  public mutating func add(
    _ spring: Spring, values: Span<Float>, targets: Span<Float>, velocities: Span<Float> = Span()
  ) throws(BatchError) -> [TrackHandle] {
    try emitting(values) { (batch, handles) throws(BatchError) in
      try batch.emit(spring, values: values, targets: targets, velocities: velocities, handles: &handles)
    }
  }

  /// Adds tracks that have a spring each and start now.
  ///
  /// - Parameters:
  ///   - springs: One for each track.
  ///   - values: Where they start, component-major: all of dimension 0, then all of dimension 1, …
  ///   - targets: Where they head, in the same layout.
  ///   - velocities: Per second, in the same layout; empty for tracks at rest.
  /// - Returns: The handles, in the order of the spans.
  /// - Throws: ``BatchError``; nothing is added then.
  /// - Complexity: O(tracks · dimensions), amortised.
  @discardableResult
  public mutating func add(
    _ springs: Span<Spring>, values: Span<Float>, targets: Span<Float>, velocities: Span<Float> = Span()
  ) throws(BatchError) -> [TrackHandle] {
    try emitting(values) { (batch, handles) throws(BatchError) in
      try batch.emit(springs, values: values, targets: targets, velocities: velocities, handles: &handles)
    }
  }

  private mutating func emitting(
    _ values: Span<Float>,
    _ emit: (inout SpringBatch, inout MutableSpan<TrackHandle>) throws(BatchError) -> Void
  ) throws(BatchError) -> [TrackHandle] {
    var handles = [TrackHandle](repeating: .noTrack, count: values.count / dimensions)
    var span = handles.mutableSpan
    try emit(&self, &span)
    return handles
  }

  /// Adds tracks that share a spring and start now, as ``add(_:values:targets:velocities:)-(Spring,_,_,_)`` does, and
  /// writes their handles into memory of the caller.
  ///
  /// - Parameters:
  ///   - spring: The spring of all.
  ///   - values: Where they start, component-major.
  ///   - targets: Where they head, component-major.
  ///   - velocities: Per second, component-major; empty for tracks at rest.
  ///   - handles: Gets the handles, in the order of the spans; exactly as many as tracks.
  /// - Throws: ``BatchError``; nothing is added or written then.
  /// - Complexity: O(tracks · dimensions); no allocation while there is room.
  public mutating func emit(
    _ spring: Spring, values: Span<Float>, targets: Span<Float>, velocities: Span<Float> = Span(),
    handles: inout MutableSpan<TrackHandle>
  ) throws(BatchError) {
    try check(spring, index: 0)
    let count = try checkAddition(values: values, targets: targets, velocities: velocities, handles: handles.count)
    guard count > 0 else {
      return
    }
    refreshVelocities()
    let coefficients = SpringCoefficients(accepted: spring)
    let rule = AmplitudeRule(coefficients)
    let place = openCohort(coefficients, trackCount: count)
    var extent = Extent()
    var index = 0
    while index < count {
      let row = takeRow(inCohort: place)
      let fills = !cohorts[place].isShared && count - index >= laneCountOfTile
      if fills {
        // From the first row of a fresh tile on, so whole tiles at a time.
        let tile = row / laneCountOfTile
        occupyRest(ofTile: tile, inCohort: place)
        for lane in 0..<laneCountOfTile {
          let slot = take(row + lane)
          handles[index + lane] = slots.handle(ofSlot: slot)
        }
        for dimension in 0..<dimensions {
          let element = dimension * count + index
          unsafe copyTile(values, from: element, to: columnValue(row, dimension))
          if velocities.isEmpty {
            unsafe columnVelocity(row, dimension).update(repeating: 0, count: laneCountOfTile)
          } else {
            unsafe copyTile(velocities, from: element, to: columnVelocity(row, dimension))
          }
        }
        extent.include(start(tile: tile, targets, index, stride: count, rule))
        index += laneCountOfTile
      } else {
        let slot = take(row)
        handles[index] = slots.handle(ofSlot: slot)
        for dimension in 0..<dimensions {
          let element = dimension * count + index
          unsafe columnValue(row, dimension).pointee = values[element]
          unsafe columnVelocity(row, dimension).pointee = velocities.isEmpty ? 0 : velocities[element]
          extent.include(start(row, dimension, target: targets[element], rule))
        }
        index += 1
      }
    }
    cohorts[place].include(extent)
  }

  /// Adds tracks that have a spring each and start now, and writes their handles into memory of the caller; otherwise as
  /// ``emit(_:values:targets:velocities:handles:)-(Spring,_,_,_,_)``.
  ///
  /// - Parameters:
  ///   - springs: One for each track.
  ///   - values: Where they start, component-major.
  ///   - targets: Where they head, component-major.
  ///   - velocities: Per second, component-major; empty for tracks at rest.
  ///   - handles: Gets the handles, in the order of the spans; exactly as many as tracks.
  /// - Throws: ``BatchError``; nothing is added or written then.
  /// - Complexity: O(tracks · dimensions); no allocation while there is room.
  public mutating func emit(
    _ springs: Span<Spring>, values: Span<Float>, targets: Span<Float>, velocities: Span<Float> = Span(),
    handles: inout MutableSpan<TrackHandle>
  ) throws(BatchError) {
    for index in springs.indices {
      try check(springs[index], index: index)
    }
    let count = try checkAddition(values: values, targets: targets, velocities: velocities, handles: handles.count)
    try checkCount(count, springs.count, of: "springs")
    refreshVelocities()
    for index in 0..<count {
      let coefficients = SpringCoefficients(accepted: springs[index])
      let rule = AmplitudeRule(coefficients)
      let row = takeRow(coefficients.isOverdamped ? TileKind.overdamped : TileKind.oscillating)
      let slot = take(row)
      handles[index] = slots.handle(ofSlot: slot)
      _ = setAlone(row, coefficients, start: time)
      for dimension in 0..<dimensions {
        let element = dimension * count + index
        unsafe columnValue(row, dimension).pointee = values[element]
        unsafe columnVelocity(row, dimension).pointee = velocities.isEmpty ? 0 : velocities[element]
        start(row, dimension, target: targets[element], rule)
      }
    }
  }

  private func copyTile(_ values: Span<Float>, from element: Int, to column: UnsafeMutablePointer<Float>) {
    unsafe values.withUnsafeBufferPointer { values in
      unsafe column.update(from: values.baseAddress.unsafelyUnwrapped + element, count: laneCountOfTile)
    }
  }

  private mutating func checkAddition(
    values: Span<Float>, targets: Span<Float>, velocities: Span<Float>, handles: Int
  ) throws(BatchError) -> Int {
    let count = values.count / dimensions
    try checkCount(count * dimensions, values.count, of: "values")
    try checkCount(values.count, targets.count, of: "targets")
    if !velocities.isEmpty { try checkCount(values.count, velocities.count, of: "velocities") }
    try checkCount(count, handles, of: "handles")
    try check(values, of: "value")
    try check(targets, of: "target")
    try check(velocities, of: "velocity")
    try reserve(count)
    return count
  }

  /// Gives a row that was taken to a new track, and returns its slot.
  mutating func take(_ row: Int) -> Int {
    count += 1
    let slot = slots.take(row: row)
    unsafe storage.track[row] = UInt32(slot)
    return slot
  }
}

// MARK: - Room

extension SpringBatch {
  /// Makes room for `additional` tracks beyond the live ones.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)`` before anything is allocated.
  public mutating func reserve(_ additional: Int) throws(BatchError) {
    try slots.checkRoom(for: additional, beyond: count)
    do {
      try reserveTiles((additional + laneCountOfTile - 1) / laneCountOfTile + Self.tilesForKinds)
    } catch {
      throw .capacityExceeded(additional)
    }
  }

  /// Tiles beyond those that tracks fill: the two mixed kinds may each have to begin one.
  static var tilesForKinds: Int { 2 }

  /// Makes sure that so many tiles can be taken.
  mutating func reserveTiles(_ additional: Int) throws(BatchError) {
    guard tiles.freeCount < additional else {
      return
    }
    // Tiles that lost their last track are given back when the plan is made.
    replanIfStale()
    guard tiles.freeCount < additional else {
      return
    }
    let needed = (tiles.capacity - tiles.freeCount + additional) * laneCountOfTile
    let larger = SpringStorage(dimensions: dimensions, rows: try storage.memory.grownRows(needed: needed))
    larger.copyRows(0..<tiles.end * laneCountOfTile, of: storage)
    storage = larger
    tiles.grow(to: storage.capacity / laneCountOfTile)
  }

  /// A new cohort that starts now, for as many tracks.
  mutating func openCohort(_ coefficients: SpringCoefficients, trackCount: Int) -> Int {
    latestStart = time
    return cohorts.open(coefficients, start: time, isShared: trackCount < laneCountOfTile)
  }

  /// Takes the other rows of a tile whose first row was just taken for a cohort.
  private mutating func occupyRest(ofTile tile: Int, inCohort place: Int) {
    cohorts.join(place, trackCount: laneCountOfTile - 1)
    tiles.occupy(tile: tile, lanes: laneCountOfTile)
    cohorts[place].openRow = (tile + 1) * laneCountOfTile
    rowEnd = max(rowEnd, cohorts[place].openRow)
  }
}
