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
    try checkDimensions(V.dimensions)
    try check(spring, index: 0)
    for dimension in 0..<dimensions {
      try check(value.component(dimension), index: dimension)
      try check(target.component(dimension), index: dimension)
      try check(velocity.component(dimension), index: dimension)
    }
    try reserve(1)
    refreshVelocities()
    let row = takeRow()
    place(row, in: Basis(alone: spring))
    for dimension in 0..<dimensions {
      unsafe columnValue(row, dimension).pointee = value.component(dimension)
      unsafe columnVelocity(row, dimension).pointee = velocity.component(dimension)
      start(row, dimension, target: target.component(dimension))
    }
    return handle(of: row)
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
    try check(spring, index: 0)
    let count = try checkAddition(values: values, targets: targets, velocities: velocities)
    guard count > 0 else {
      return []
    }
    refreshVelocities()
    let basis = openCohort(SpringCoefficients(accepted: spring))
    if freeRows.isEmpty {
      return append(count, values: values, targets: targets, velocities: velocities, basis: basis)
    }
    return add(count, values: values, targets: targets, velocities: velocities) { _ in basis }
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
    for index in springs.indices {
      try check(springs[index], index: index)
    }
    let count = try checkAddition(values: values, targets: targets, velocities: velocities)
    guard springs.count == count else {
      throw .wrongCount(expected: count, got: springs.count)
    }
    refreshVelocities()
    return add(count, values: values, targets: targets, velocities: velocities) { Basis(alone: springs[$0]) }
  }

  private mutating func add(
    _ count: Int, values: Span<Float>, targets: Span<Float>, velocities: Span<Float>, basis: (Int) -> Basis
  ) -> [TrackHandle] {
    var handles: [TrackHandle] = []
    handles.reserveCapacity(count)
    for index in 0..<count {
      let row = takeRow()
      place(row, in: basis(index))
      for dimension in 0..<dimensions {
        let element = dimension * count + index
        unsafe columnValue(row, dimension).pointee = values[element]
        unsafe columnVelocity(row, dimension).pointee = velocities.isEmpty ? 0 : velocities[element]
        start(row, dimension, target: targets[element])
      }
      handles.append(handle(of: row))
    }
    return handles
  }

  private mutating func checkAddition(
    values: Span<Float>, targets: Span<Float>, velocities: Span<Float>
  ) throws(BatchError) -> Int {
    let count = values.count / dimensions
    guard values.count == count * dimensions else {
      throw .wrongCount(expected: count * dimensions, got: values.count)
    }
    guard targets.count == values.count else {
      throw .wrongCount(expected: values.count, got: targets.count)
    }
    guard velocities.isEmpty || velocities.count == values.count else {
      throw .wrongCount(expected: values.count, got: velocities.count)
    }
    try check(values)
    try check(targets)
    try check(velocities)
    try reserve(count)
    return count
  }
}

// MARK: - Rows

extension SpringBatch {
  /// Makes room for `additional` tracks beyond the live ones.
  ///
  /// - Throws: ``BatchError/capacityExceeded(_:)`` before anything is allocated.
  public mutating func reserve(_ additional: Int) throws(BatchError) {
    guard additional >= 0, additional <= BatchLimits.maximumTracks - count else {
      throw .capacityExceeded(additional)
    }
    let rows = rowCount + max(0, additional - freeRows.count)
    guard rows <= BatchLimits.maximumTracks else {
      throw .capacityExceeded(rows)
    }
    guard rows > storage.capacity else {
      return
    }
    // Twice as much, so that adding one by one stays cheap; where there is no room for that, what is needed.
    let generous = min(max(rows, 2 * storage.capacity), BatchLimits.maximumTracks)
    let isGenerous = SpringStorage.hasRoom(dimensions: dimensions, rows: generous)
    guard isGenerous || SpringStorage.hasRoom(dimensions: dimensions, rows: rows) else {
      throw .capacityExceeded(rows)
    }
    let larger = SpringStorage(dimensions: dimensions, rows: isGenerous ? generous : rows)
    larger.copyRows(rowCount, of: storage)
    storage = larger
  }

  /// A row for a new track: the one freed last, or the next; there must be room.
  private mutating func takeRow() -> Int {
    count += 1
    if let row = freeRows.popLast() {
      return Int(row)
    }
    generations.append(0)
    return generations.count - 1
  }
}
